//! A design as one file: what a person sends to another, who opens it with `diskwright studio FILE` or drops it on the page.
//!
//! In it is what the answer rests on, and no more: the load over time with its checklist, what was chosen, and what came of it. Not in it are
//! the recording's files, their folders, and the name of the machine.

use diskwright::dw_documents::checklist::ChecklistDocument;
use diskwright::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::observe::{Answer, Recorded, is_over_time};
use super::{App, JSON, Text, ask, design, neutral};
use crate::store::Wished;

/// The version of its shape.
const SCHEMA_VERSION: u32 = 1;
/// How it begins, without blanks.
const BEGIN: &[u8] = br#"{"document":"studio""#;

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    document: Tag,
    schema_version: u32,
    /// The version of the program that wrote it.
    version: String,
    page: Page,
    /// `requirements.toml` as it was before anything was wished on the page.
    requirements: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tag {
    Studio,
}

/// What the page knows of it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    title: String,
    design: Design,
    then: Then,
    checklist: ChecklistDocument,
    recorded: Recorded,
}

/// What a person chose, as the page has it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Design {
    wishes: Wished,
    /// The word of a design, or the place of an alternative.
    chosen: String,
    changes: design::Changes,
    load: f64,
    /// -1 = as the plan must last.
    growth: f64,
    years: i32,
    volume: String,
}

/// What it cost when it was written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Then {
    monthly: Option<f64>,
    currency: String,
}

/// What the page asks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    recording: u64,
    page: Page,
}

/// Whether a file begins as one of these.
pub(super) fn is_shared(head: &[u8]) -> bool {
    let mut head = head.iter().filter(|byte| !byte.is_ascii_whitespace());
    BEGIN.iter().all(|byte| head.next() == Some(byte))
}

pub(super) fn file(app: &App, question: &[u8]) -> Result<Text> {
    let asked = neutral(super::read(question)?);
    let mut asked: Asked = serde_json::from_value(asked)
        .map_err(|e| Error::usage(format!("invalid request from the page: {e}")).hint("reload the page"))?;
    let name_alone = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_string();
    let list = &mut asked.page.checklist;
    list.machine = None;
    for file in list.sources.iter_mut().flat_map(|source| &mut source.files) {
        *file = name_alone(file);
    }
    for at in list.findings.iter_mut().flat_map(|finding| &mut finding.evidence) {
        at.file = name_alone(&at.file);
    }
    let mut requirements = app.store.table(asked.recording)?;
    requirements.remove("machine");
    let requirements = toml::to_string(&requirements).map_err(|e| Error::unexpected(e.to_string()))?;
    let version = app.version.clone();
    let shared =
        Shared { document: Tag::Studio, schema_version: SCHEMA_VERSION, version, page: asked.page, requirements };
    Ok((JSON, serde_json::to_string(&shared).map_err(|e| Error::unexpected(e.to_string()))?))
}

/// Such a file, read; `name` is what messages call it.
pub(super) fn opened(app: &App, name: &str, text: &[u8]) -> Result<Answer> {
    let name = if name.is_empty() { "this file" } else { name };
    let again = "export it again from the studio that wrote it";
    let most = app.limits.question_bytes;
    if text.len() > most {
        return Err(Error::input(format!("{name} is longer than {most} bytes")));
    }
    let value: Value = serde_json::from_slice(text).map_err(|e| {
        let what = if e.is_eof() { "ends early".into() } else { format!("is damaged: {e}") };
        Error::input(format!("{name} {what}")).hint(again)
    })?;
    match value.get("schema_version").and_then(Value::as_u64) {
        Some(version) if version != u64::from(SCHEMA_VERSION) => {
            let by = value.get("version").and_then(Value::as_str).unwrap_or("another version");
            let what = format!("{name}: `schema_version` is {version}, but this program reads {SCHEMA_VERSION}");
            return Err(Error::input(what).hint(format!("diskwright {by} wrote it: open it with that version")));
        }
        _ => {}
    }
    let of_shape =
        |e: serde_json::Error| Error::input(format!("{name} is not a file that a studio shared: {e}")).hint(again);
    let Shared { version, page, requirements, .. } = serde_json::from_value(value).map_err(of_shape)?;
    let Page { title, design, then, checklist, recorded } = page;
    ask::in_range(design.load, design.years.max(0).unsigned_abs(), design.growth.max(0.0))?;
    let of_requirements = |what: &str| format!("{name}: its requirements: {what}");
    let table: toml::Table =
        toml::from_str(&requirements).map_err(|e| Error::input(of_requirements(e.message())).hint(again))?;
    // Whatever cannot be planned is refused here, where the file is named.
    let text = design.wishes.laid_over(&app.session, table.clone());
    let demand = text.and_then(|text| app.session.requirements("requirements.toml", &text));
    let demand = demand.map_err(|mut e| {
        e.what = of_requirements(&e.what);
        e
    })?;
    let answer = Answer::keeping(app, table, is_over_time(&demand), checklist, recorded)?;
    let shared = serde_json::json!({ "title": title, "design": design, "then": then, "version": version });
    Ok(answer.shared(shared))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_file_is_known_by_its_beginning() {
        for (head, is) in [
            (&br#"{"document":"studio","schema_version":1"#[..], true),
            (b"{\n  \"document\": \"studio\",\n", true),
            (b"{\"document\":\"plan\"", false),
            (b"{\"document\":\"stu", false),
            (b"", false),
        ] {
            assert_eq!(is_shared(head), is, "{}", String::from_utf8_lossy(head));
        }
    }
}
