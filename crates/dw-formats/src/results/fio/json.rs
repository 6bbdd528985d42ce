//! fio's JSON in a file of anywhere: other text around it, several documents in it; and diskwright's, which has the same shape.
//!
//! The JSON itself is read by `dw_documents::results::fio`.

use dw_documents::results::fio;
use dw_messages::say;
use serde_json::Value;

use super::load_of;
use crate::results::{MeasuredRun, Scope, Wrong, shown, wrong};

/// Notes of text between documents, at most.
const NOTES: usize = 20;

/// Whether a text holds fio's JSON: a document that begins a line and has its keys.
pub(in crate::results) fn is(text: &str) -> bool {
    let keys = ["\"fio version\"", "\"jobs\"", "\"client_stats\"", "\"diskwright\""];
    fio::next_brace(text, 0).is_some() && keys.iter().any(|key| text.contains(key))
}

/// Reads the last document of a text.
pub(in crate::results) fn read(text: &str) -> Result<MeasuredRun, Wrong> {
    let mut documents = fio::split(text)?;
    let is_result = |value: &Value| value.get("jobs").is_some() || value.get("client_stats").is_some();
    documents.found.retain(|document| is_result(&document.value) || document.value.get("runs").is_some());
    let count = documents.found.len();
    let Some(last) = documents.found.pop() else {
        return wrong(
            1,
            "its JSON has neither `jobs` nor `client_stats`",
            "give what fio --output-format=json printed",
        );
    };
    let mut run = fio::of_document(&last)?;
    run.documents = u32::try_from(count).unwrap_or(u32::MAX);
    for entry in run.entries.iter_mut().filter(|entry| entry.scope != Scope::Total) {
        entry.load = load_of(&run.options, &entry.options);
    }
    // What is around the JSON comes before what is in it.
    let inside = std::mem::take(&mut run.notes);
    if count > 1 {
        run.note(last.line, say!(ResultLastOf { results: count }));
    }
    if let Some(cut) = &documents.cut {
        run.note(cut.line, cut.note());
    }
    // Where fio was asked for its text as well, that says the same again.
    let also_text = documents.others.iter().any(|(_, line)| super::text::begins(line) || super::terse::is(line));
    documents.others.retain(|(_, line)| !also_text || line.starts_with("fio: "));
    let messages = documents.others.len();
    for (line, other) in documents.others.into_iter().take(NOTES) {
        run.note(line, say!(Plain { text: shown(other) }));
    }
    if messages > NOTES {
        run.note(1, say!(ResultMoreLines { lines: messages - NOTES }));
    }
    run.notes.extend(inside);
    Ok(run)
}
