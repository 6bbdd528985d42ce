//! Findings for programs: JSON, CSV, SARIF 2.1.0, JUnit.
//!
//! Source: "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" of OASIS; the XML that Jenkins and GitLab read of JUnit.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use diskwright::audit::doubts;
use dw_audit::{Audit, Finding, Level, rules};
use dw_error::obeyed;
use dw_estate::Estate;
use serde_json::{Value, json};

use crate::output;

pub fn json(audit: &Audit, estate: &Estate) -> String {
    let counts: BTreeMap<&str, u64> = audit.counts().into_iter().map(|(level, count)| (level.word(), count)).collect();
    let document = json!({
        "diskwright": "audit",
        "version": 1,
        "machines": audit.machines,
        "disks": audit.disks,
        "monthly": { "amount": audit.monthly.amount(), "currency": "USD", "unpriced": audit.unpriced },
        "counts": counts,
        "findings": audit.findings,
        "not_judged": audit.unjudged,
        "doubts": doubts(estate),
        "sources": estate.sources,
    });
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

pub fn csv(audit: &Audit) -> String {
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
    let word = |value: Value| value.as_str().unwrap_or_default().to_string();
    let record = |finding: &Finding| {
        let remedy = finding.remedy.as_ref();
        let effort = remedy.and_then(|remedy| remedy.effort).map(|effort| word(json!(effort)));
        let cells = [
            finding.code.clone(),
            finding.level.word().to_string(),
            finding.place.machine.clone(),
            finding.place.machine_id.clone(),
            finding.place.disk.clone(),
            finding.place.file.clone(),
            finding.says.to_string(),
            remedy.map_or(String::new(), |remedy| remedy.what.to_string()),
            effort.unwrap_or_default(),
            money(finding.monthly),
            money(finding.monthly_after),
            word(json!(finding.confidence)),
            finding.waived.clone().unwrap_or_default(),
        ];
        cells.into_iter().map(|cell| harmless(&cell)).collect()
    };
    output::csv(&head, audit.findings.iter().map(record))
}

/// A cell that a spreadsheet does not take for a formula.
fn harmless(cell: &str) -> String {
    let shown = obeyed::line(cell);
    if shown.starts_with(['=', '+', '-', '@']) { format!("'{shown}") } else { shown.into_owned() }
}

/// What rules about waivers are called.
const OF_WAIVERS: [(&str, &str); 2] =
    [("DW001", "a waiver whose last day has passed"), ("DW002", "a waiver that fits no finding")];

pub fn sarif(audit: &Audit) -> String {
    let own = OF_WAIVERS.iter().map(|(code, title)| (*code, *title, *title, Level::Note));
    let all: Vec<_> = own.chain(rules().map(|rule| (rule.code, rule.title, rule.threshold, rule.level))).collect();
    let described: Vec<Value> = all
        .iter()
        .map(|(code, title, threshold, level)| {
            json!({ "id": code, "shortDescription": { "text": title }, "fullDescription": { "text": threshold },
                "defaultConfiguration": { "level": level.word() } })
        })
        .collect();
    let result = |finding: &Finding| {
        let place = &finding.place;
        let index = all.iter().position(|(code, ..)| *code == finding.code);
        let name =
            if place.disk.is_empty() { place.machine.clone() } else { format!("{}/{}", place.machine, place.disk) };
        let remedy = finding.remedy.as_ref().map_or(String::new(), |remedy| format!(" ({})", remedy.what));
        let mut result = json!({
            "ruleId": finding.code,
            "level": finding.level.word(),
            "message": { "text": format!("{name}: {}{remedy}", finding.says) },
            "locations": [{
                "physicalLocation": { "artifactLocation": { "uri": uri(&place.file) }, "region": { "startLine": 1 } },
                "logicalLocations": [{ "name": name, "kind": "resource" }],
            }],
            "partialFingerprints": { "finding/v1": format!("{}:{}:{}", finding.code, place.machine, place.disk) },
        });
        if let Some(index) = index {
            result["ruleIndex"] = index.into();
        }
        if let Some(waived) = &finding.waived {
            result["suppressions"] = json!([{ "kind": "external", "justification": waived }]);
        }
        result
    };
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "diskwright", "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"), "rules": described } },
            "results": audit.findings.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
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

pub fn junit(audit: &Audit, estate: &Estate) -> String {
    let mut by_machine: BTreeMap<&str, Vec<&Finding>> =
        estate.machines.iter().map(|machine| (&*machine.name, Vec::new())).collect();
    for finding in audit.findings.iter().filter(|finding| finding.waived.is_none()) {
        by_machine.entry(finding.place.machine.as_str()).or_default().push(finding);
    }
    let fails = |finding: &&&Finding| finding.level > Level::Note;
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
        for finding in found {
            let name = format!("{} {}", finding.code, finding.place.disk);
            let (class, name, says) = (xml(machine), xml(name.trim()), xml(&finding.says.to_string()));
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
    out + "</testsuite>\n</testsuites>\n"
}

fn xml(text: &str) -> String {
    let shown = obeyed::line(text);
    shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&apos;")
}
