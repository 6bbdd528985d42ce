//! Findings for programs: JSON, CSV, SARIF 2.1.0, JUnit.
//!
//! Source: "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" of OASIS; the XML that Jenkins and GitLab read of JUnit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use dw_documents::audit::{AuditDocument, Effort, Finding, Level};
use dw_error::obeyed;
use dw_messages::Sentence;
use serde_json::{Value, json};

use super::identity::Identities;
use crate::output;

pub fn json(audit: &AuditDocument, to: &mut dyn Write) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *to, audit)?;
    to.write_all(b"\n")
}

pub fn csv(audit: &AuditDocument) -> String {
    let head = [
        "code",
        "level",
        "machine",
        "machine_id",
        "disk",
        "file",
        "finding",
        "remedy",
        "effort",
        "monthly",
        "monthly_after",
        "confidence",
        "waived",
    ];
    let money = |amount: Option<f64>| amount.map_or(String::new(), |amount| format!("{amount:.2}"));
    let record = |finding: &Finding| {
        let remedy = finding.remedy.as_ref();
        let effort = remedy.and_then(|remedy| remedy.effort).map_or("", Effort::word);
        let cells = [
            finding.code.clone(),
            finding.level.word().to_string(),
            finding.machine.clone(),
            finding.machine_id.clone(),
            finding.disk.clone(),
            finding.file.clone(),
            finding.text(Sentence::to_string),
            remedy.map_or(String::new(), |remedy| remedy.what.to_string()),
            effort.to_string(),
            money(finding.monthly),
            money(finding.monthly_after),
            finding.confidence.word().to_string(),
            finding.waived.clone().unwrap_or_default(),
        ];
        cells.into_iter().map(|cell| harmless(&cell)).collect()
    };
    // What is missing has a line, too: who reads nothing but this would take the findings for all that there are.
    let warning = |doubt: &Sentence| {
        let cell = |name: &str| match name {
            "level" => Level::Warning.word().to_string(),
            "finding" => harmless(&doubt.to_string()),
            _ => String::new(),
        };
        head.iter().map(|name| cell(name)).collect()
    };
    output::csv(&head, audit.doubts_by(true).map(warning).chain(audit.findings.iter().map(record)))
}

/// What a formula begins with, some spreadsheets take the wide forms for the same.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];

/// A cell that a spreadsheet does not take for a formula. A tab or a carriage return, which some read over, is shown as a symbol like every
/// control character.
fn harmless(cell: &str) -> String {
    let shown = obeyed::line(cell);
    if shown.trim_start().starts_with(FORMULA) { format!("'{shown}") } else { shown.into_owned() }
}

pub fn sarif(audit: &AuditDocument) -> String {
    let described: Vec<Value> = audit
        .rules
        .iter()
        .map(|rule| {
            json!({ "id": rule.code, "shortDescription": { "text": rule.title }, "fullDescription": { "text": rule.threshold },
                "defaultConfiguration": { "level": rule.level.word() } })
        })
        .collect();
    let places: BTreeMap<&str, usize> =
        audit.rules.iter().enumerate().map(|(place, rule)| (rule.code.as_str(), place)).collect();
    let identities = Identities::new(audit);
    let result = |(place, finding): (usize, &Finding)| {
        let name = finding.place();
        let remedy = finding.remedy.as_ref().map_or(String::new(), |remedy| format!(" ({})", remedy.what));
        let mut result = json!({
            "ruleId": finding.code,
            "level": finding.level.word(),
            "message": { "text": unlinked(&format!("{name}: {}{remedy}", finding.text(Sentence::to_string))) },
            "locations": [{
                "physicalLocation": { "artifactLocation": { "uri": uri(&finding.file) }, "region": { "startLine": 1 } },
                "logicalLocations": [{ "name": name, "kind": "resource" }],
            }],
            "partialFingerprints": {
                "finding/v1": identities.of(place, finding).text(),
                // What GitHub goes by. Without it all findings of a rule in a file are one, for none of them knows its line.
                "primaryLocationLineHash": format!("{}:1", identities.whole(place, finding).hash()),
            },
        });
        if let Some(index) = places.get(finding.code.as_str()) {
            result["ruleIndex"] = (*index).into();
        }
        if let Some(waived) = &finding.waived {
            result["suppressions"] = json!([{ "kind": "external", "justification": waived }]);
        }
        result
    };
    let told = |(doubt, level): (&Sentence, &str)| json!({ "level": level, "message": { "text": unlinked(&doubt.to_string()) } });
    let doubts = audit.doubts_by(true).map(|doubt| (doubt, "warning"));
    let doubts = doubts.chain(audit.doubts_by(false).map(|doubt| (doubt, "note")));
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "diskwright", "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"), "rules": described } },
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": doubts.map(told).collect::<Vec<_>>() }],
            "results": audit.findings.iter().enumerate().map(result).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// A text in which nothing is a link: SARIF reads `[words](place)` as one (3.11.6).
fn unlinked(text: &str) -> String {
    obeyed::line(text).replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// A path as a reference that is relative, its bytes escaped that a URI does not take.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte as char),
            other => drop(write!(out, "%{other:02X}")),
        }
    }
    if out.is_empty() { "inventory".into() } else { out }
}

pub fn junit(audit: &AuditDocument) -> String {
    let identities = Identities::new(audit);
    let machines = audit.estate.iter().map(|machine| identities.machine(&machine.name, &machine.id));
    let mut by_machine: BTreeMap<&str, Vec<(String, &Finding)>> = machines.map(|name| (name, Vec::new())).collect();
    for (place, finding) in audit.findings.iter().enumerate().filter(|(_, finding)| finding.waived.is_none()) {
        let identity = identities.of(place, finding);
        by_machine.entry(identity.machine).or_default().push((identity.of_machine(), finding));
    }
    let fails = |(_, finding): &&(String, &Finding)| finding.level > Level::Note;
    let tests: usize = by_machine.values().map(|found| found.len().max(1)).sum();
    let failures: usize = by_machine.values().map(|found| found.iter().filter(fails).count()).sum();
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{tests}\" failures=\"{failures}\">\n\
         <testsuite name=\"diskwright audit\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n"
    );
    for (machine, found) in by_machine {
        if found.is_empty() {
            let _ = writeln!(out, "<testcase classname=\"{}\" name=\"audit\"/>", xml(machine));
        }
        for (name, finding) in found {
            let (class, name, says) = (xml(machine), xml(&name), xml(&finding.text(Sentence::to_string)));
            let _ = match finding.level > Level::Note {
                true => writeln!(
                    out,
                    "<testcase classname=\"{class}\" name=\"{name}\"><failure type=\"{}\" message=\"{says}\"/></testcase>",
                    finding.level.word()
                ),
                false => writeln!(
                    out,
                    "<testcase classname=\"{class}\" name=\"{name}\"><system-out>{says}</system-out></testcase>"
                ),
            };
        }
    }
    let warnings: Vec<String> =
        audit.doubts_by(true).map(|doubt| format!("warning: {}", xml(&doubt.to_string()))).collect();
    if !warnings.is_empty() {
        let _ = writeln!(out, "<system-out>{}</system-out>", warnings.join("\n"));
    }
    out + "</testsuite>\n</testsuites>\n"
}

fn xml(text: &str) -> String {
    let shown = obeyed::line(text);
    shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&apos;")
}
