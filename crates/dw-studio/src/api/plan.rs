//! Plans, and what is made of them.

use diskwright::dw_documents::plan::PlanDocument;

use diskwright::plan::bounds;
use diskwright::{Error, PlanOptions, Report, Result, dw_report};
use dw_messages::Language;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, JSON, PLAIN, Text, neutral};
use crate::store::Wished;

/// A recording with wishes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    recording: u64,
    #[serde(default)]
    wishes: Wished,
    /// VM sizes of which to say what stands against them.
    #[serde(default)]
    why_not: Vec<String>,
    /// Whether to simulate designs, which takes longer.
    #[serde(default)]
    simulate: bool,
}

pub(super) fn requirements(app: &App, asked: Asked) -> Result<Text> {
    Ok((PLAIN, app.store.text(&app.session, asked.recording, &asked.wishes)?))
}

pub(super) fn plan(app: &App, asked: Asked) -> Result<Text> {
    if asked.wishes == Wished::default()
        && asked.why_not.is_empty()
        && !asked.simulate
        && let Some(text) = app.first.plan(asked.recording)
    {
        return Ok((JSON, text));
    }
    Ok((JSON, planned(app, asked)?))
}

/// A plan without simulation, of a recording with which nothing more is wished.
pub(super) fn quick(app: &App, recording: u64) -> Result<String> {
    planned(app, Asked { recording, wishes: Wished::default(), why_not: Vec::new(), simulate: false })
}

fn planned(app: &App, asked: Asked) -> Result<String> {
    let demand = app.store.demand(&app.session, asked.recording, &asked.wishes)?;
    let options =
        PlanOptions { why_not: asked.why_not, simulate: asked.simulate, threads: 2, ..PlanOptions::default() };
    let planned = app.session.plan_with(&demand, &options)?;
    serde_json::to_string(&planned.document).map_err(|e| Error::unexpected(e.to_string()))
}

/// The plan that the page sends back.
fn document(question: &[u8]) -> Result<PlanDocument> {
    let text = std::str::from_utf8(question).map_err(|_| Error::usage("the plan is no text"))?;
    let english = serde_json::from_str(text).map(|value| neutral(value).to_string());
    let text = english.as_deref().unwrap_or(text);
    let plan: PlanDocument = diskwright::document::read("plan.json", text)?;
    bounds::check("plan.json", text, &plan)?;
    Ok(plan)
}

pub(super) fn rig(app: &App, question: &[u8]) -> Result<Text> {
    let plan = document(question)?;
    Ok((PLAIN, app.session.rig_of("plan.json", &plan)?))
}

pub(super) fn scripts(app: &App, question: &[u8]) -> Result<Text> {
    let plan = document(question)?;
    let provisioned = app.session.provision("plan.json", &plan)?;
    let texts = provisioned.files.iter();
    let texts =
        texts.map(|(target, text)| json!({ "name": target.file_name(), "about": target.about(), "text": text }));
    let refused = provisioned
        .left_out
        .iter()
        .map(|(target, why)| json!({ "name": target.file_name(), "refused": { "what": why.what, "hint": why.hint } }));
    let list: Vec<Value> = texts.chain(refused).collect();
    Ok((JSON, Value::from(list).to_string()))
}

/// The page of `report` from its documents, in the form in which `report --format json` prints them.
pub(super) fn report(question: &[u8], lang: &Language) -> Result<Text> {
    let report = Report::of_value(&neutral(super::read(question)?))?;
    Ok(("text/html; charset=utf-8", dw_report::html_in(&report, lang)))
}
