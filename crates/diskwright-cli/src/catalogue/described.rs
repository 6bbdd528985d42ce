//! A machine or a disk of a vendor that describes its own, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dw_catalogue::rig::Description;
use serde_json::{Map, Value, json};

use super::{Format, columns, pretty, source_json};
use crate::report::Text;

pub(super) fn show(description: &Description, format: Format) -> Text {
    match format {
        Format::Table => text(description),
        Format::Json => Text::verbatim(pretty(&document(description))),
    }
}

fn text(of: &Description) -> Text {
    let number: BTreeMap<&str, usize> = of.sources.iter().map(|source| source.id.as_str()).zip(1..).collect();
    let mark = |id: &str| number.get(id).map_or(String::new(), |number| format!("[{number}]"));
    let mut text = Text::from(format!("{}, edition {} (of {})\n\n", of.name, of.edition, of.editions.join(", ")));
    text += columns(
        &["field", "value", "source"],
        of.fields.iter().map(|(what, value, id)| vec![what.to_string(), value.clone(), mark(id)]),
    );
    text += "\n";
    for source in &of.sources {
        let note = source.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        writeln!(text, "{} {}: {}, {}{note}", mark(&source.id), source.id, source.page, source.date)
            .expect("a string takes all");
    }
    if !of.prices.is_empty() {
        text += "\n";
        text += columns(
            &["prices in", "as of", "price", "source"],
            of.prices
                .iter()
                .map(|(region, price, date, id)| vec![region.clone(), date.clone(), price.clone(), mark(id)]),
        );
    }
    if !of.notes.is_empty() {
        text += format!("\n{}\n", of.notes.iter().map(|note| format!("note: {note}")).collect::<Vec<_>>().join("\n"));
    }
    text
}

fn document(of: &Description) -> Value {
    let field =
        |(what, value, id): &(&str, String, String)| (what.to_string(), json!({ "value": value, "source": id }));
    let fields: Map<String, Value> = of.fields.iter().map(field).collect();
    let price = |(region, price, date, id): &(String, String, String, String)| json!({ "region": region, "price": price, "edition": date, "source": id });
    json!({
        "kind": if of.is_machine { "vm_size" } else { "disk" },
        "name": of.name,
        "edition": of.edition,
        "editions": of.editions,
        "fields": fields,
        "prices": of.prices.iter().map(price).collect::<Vec<_>>(),
        "notes": of.notes,
        "sources": of.sources.iter().map(source_json).collect::<Vec<_>>(),
    })
}
