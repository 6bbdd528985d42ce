//! fio's JSON in a file of anywhere: other text around it, several documents in it; and diskwright's, which has the same shape.
//!
//! The JSON itself is read by `dw_documents::results::fio`.

use dw_documents::results::fio;
use dw_messages::say;
use serde_json::Value;

use super::load_of;
use crate::results::{MeasuredRun, Scope, Wrong, runs, shown, wrong};

/// Notes of text between documents, at most.
const NOTES: usize = 20;

/// Whether a text holds fio's JSON: a document that begins a line and has its keys.
pub(in crate::results) fn is(text: &str) -> bool {
    let keys = ["\"fio version\"", "\"jobs\"", "\"client_stats\"", "\"diskwright\""];
    fio::next_brace(text, 0).is_some() && keys.iter().any(|key| text.contains(key))
}

fn is_result(value: &Value) -> bool {
    ["jobs", "client_stats", "runs"].iter().any(|key| value.get(key).is_some())
}

/// fio's own document in one of another program, which has it some levels down (`raw.result` of kubestr).
fn inner(value: &mut Value, depth: usize) -> Option<Value> {
    if is_result(value) {
        return Some(value.take());
    }
    let inside: Vec<&mut Value> = match value {
        Value::Object(object) => object.iter_mut().map(|(_, value)| value).collect(),
        Value::Array(list) => list.iter_mut().collect(),
        _ => return None,
    };
    if depth == 0 { None } else { inside.into_iter().find_map(|value| inner(value, depth - 1)) }
}

/// Whether the later of two results is of the same run and counts on (`--status-interval`), rather than of another run: the same jobs,
/// which began at the same time, as far as they say, and have gone on since.
fn counts_on(earlier: &Value, later: &Value) -> bool {
    let jobs = |value: &Value| value.get("jobs").and_then(Value::as_array).cloned().unwrap_or_default();
    let (before, after) = (jobs(earlier), jobs(later));
    let same = |key: &str| before.iter().map(|job| job.get(key)).eq(after.iter().map(|job| job.get(key)));
    if before.is_empty() || !["jobname", "groupid", "job options"].iter().all(|key| same(key)) {
        return false;
    }
    let number = |value: Option<&Value>| value.and_then(Value::as_f64);
    let seconds = |jobs: &[Value]| {
        let of = |job: &Value| {
            let of_part = |part: &str| number(job.get(part).and_then(|part| part.get("runtime"))).unwrap_or(0.0);
            ["read", "write", "trim"].into_iter().map(of_part).fold(0.0, f64::max) / 1e3
        };
        jobs.iter().map(of).fold(0.0, f64::max)
    };
    let began = |value: &Value, jobs: &[Value]| {
        let at = number(value.get("timestamp_ms")).map(|ms| ms / 1e3).or(number(value.get("timestamp")))?;
        Some(at - number(jobs.first()?.get("elapsed"))?)
    };
    let ios = |jobs: &[Value]| {
        let of = |job: &Value| {
            let of_part = |part: &str| number(job.get(part).and_then(|part| part.get("total_ios"))).unwrap_or(0.0);
            ["read", "write", "trim"].into_iter().map(of_part).sum::<f64>()
        };
        jobs.iter().map(of).sum::<f64>()
    };
    let longer = seconds(&after) - seconds(&before);
    let goes_on = match began(earlier, &before).zip(began(later, &after)) {
        // Elapsed times are whole seconds. The last status and the result can be of the same instant.
        Some((a, b)) => (a - b).abs() <= 2.0 && longer >= 0.0,
        // The shortest interval is a second; runs of the same length differ by milliseconds.
        None => longer >= 0.5,
    };
    goes_on && ios(&after) >= ios(&before)
}

/// Reads a text: of documents that count on the last, of several runs each.
pub(in crate::results) fn read(text: &str) -> Result<MeasuredRun, Wrong> {
    let mut documents = fio::split(text)?;
    for document in &mut documents.found {
        if let Some(own) = inner(&mut document.value, 4) {
            document.value = own;
        }
    }
    documents.found.retain(|document| is_result(&document.value));
    let mut runs: Vec<MeasuredRun> = Vec::new();
    let mut inside = Vec::new();
    let mut count = 0;
    let mut found = documents.found.into_iter().peekable();
    while let Some(document) = found.next() {
        count += 1;
        if found.peek().is_some_and(|next| counts_on(&document.value, &next.value)) {
            continue;
        }
        let mut run = fio::of_document(&document)?;
        run.documents = count;
        for entry in run.entries.iter_mut().filter(|entry| entry.scope != Scope::Total) {
            entry.load = load_of(&run.options, &entry.options);
        }
        let own = std::mem::take(&mut run.notes);
        if count > 1 {
            run.note(document.line, say!(ResultLastOf { results: count as usize }));
        }
        inside.extend(own);
        runs.push(run);
        count = 0;
    }
    let Some(mut run) = runs::joined(runs) else {
        return wrong(
            1,
            "its JSON has neither `jobs` nor `client_stats`",
            "give the output of fio --output-format=json",
        );
    };
    // What is around the JSON comes before what is in it.
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
