//! `diskwright plan --compare`: one demand in several places, an answer each.

use diskwright::plan::{Demand, Place};
use diskwright::{PlanOptions, Session};
use dw_catalogue::{Vendor, vendors};
pub use dw_documents::comparison::{ComparisonDocument, PlaceRow, schema};
use dw_error::{Error, Result};
use dw_messages::text;

use super::PlanFormat;
use crate::language::{spoken, told};
use crate::report::Text;

/// One of each vendor.
fn example() -> String {
    let place = |vendor: &dyn Vendor| {
        let region = dw_catalogue::vendor_keys(vendor.id()).map_or("", |keys| keys.region);
        format!("{}:{region}", vendor.id())
    };
    format!("`--compare {}`", vendors().map(place).join(","))
}

/// The places of `--compare`: two or more.
pub(crate) fn places(asked: &[String]) -> Result<Vec<Place>> {
    let places: Vec<Place> = asked
        .iter()
        .map(|text| text.parse())
        .collect::<Result<_, String>>()
        .map_err(|what| Error::usage(format!("`--compare`: {what}")).hint(example()))?;
    match places.len() {
        1 => Err(Error::usage("`--compare` names one place").hint(format!("name two or more, {}", example()))),
        _ => Ok(places),
    }
}

/// The answers, in the form that is asked for.
pub(super) fn text(
    session: &Session,
    demand: &Demand,
    places: &[Place],
    options: &PlanOptions,
    format: PlanFormat,
) -> Result<(Text, bool)> {
    let document = session.compare(demand, places, options)?;
    let is_any = document.places.iter().any(|place| place.state.is_some());
    let text = match format {
        PlanFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        PlanFormat::Table => table(&document),
        PlanFormat::Markdown | PlanFormat::Csv => {
            return Err(Error::usage("`--compare` is printed as a table or as JSON").hint("remove `--format`"));
        }
    };
    Ok((text, is_any))
}

/// Each answer in its ten lines, under its place.
fn table(document: &ComparisonDocument) -> Text {
    let lang = spoken();
    let mut parts: Vec<String> = Vec::new();
    for PlaceRow { vendor, region, ignored, refused, plan, .. } in &document.places {
        let mut lines = vec![format!("== {vendor} {region}")];
        if !ignored.is_empty() {
            let keys: Vec<String> = ignored.iter().map(|key| format!("`{key}`")).collect();
            lines.push(text!(lang, "ignored there: {keys}", keys = keys.join(", ")).to_string());
        }
        if let Some(why) = refused {
            lines.push(text!(lang, "no answer: {why}", why).to_string());
        }
        let decision = plan.as_ref().and_then(|plan| plan.decision.as_ref());
        lines.extend(decision.map(|decision| dw_documents::summary::lines(decision, lang)).unwrap_or_default());
        parts.push(lines.join("\n"));
    }
    parts.push(told(document).summary.to_string());
    Text::from(parts.join("\n\n") + "\n")
}
