//! The parts of documents that a report shows. Documents may say more: what is not named here is left alone.

pub(crate) mod bench;
pub(crate) mod checklist;
pub(crate) mod explain;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod verify;

use serde::de::DeserializeOwned;

use crate::document::{Document, Report, ReportError};

/// Everything of a report, read.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub(crate) checklists: Vec<(String, checklist::Checklist)>,
    pub(crate) plans: Vec<(String, plan::Plan)>,
    pub(crate) runs: Vec<(String, run::Run)>,
    pub(crate) measured: Vec<(String, run::Run)>,
    pub(crate) benches: Vec<(String, bench::Bench)>,
    pub(crate) explanations: Vec<(String, explain::Explain)>,
    pub(crate) verifications: Vec<(String, verify::Verify)>,
    pub(crate) texts: Vec<(String, Text)>,
}

/// A text that belongs to the report.
#[derive(Debug, serde::Deserialize)]
pub(crate) struct Text {
    pub(crate) role: String,
    pub(crate) text: String,
}

/// Reads all documents.
pub(crate) fn all(report: &Report) -> Result<Read, ReportError> {
    use crate::document::Kind::*;
    let mut read = Read::default();
    for document in &report.documents {
        let name = document.name.clone();
        match document.kind {
            Checklist => read.checklists.push((name, of(document)?)),
            Plan => read.plans.push((name, of(document)?)),
            Run => {
                let mut run: run::Run = of(document)?;
                run.diskwright.iter_mut().flat_map(|run| &mut run.series).for_each(run::Track::without_tail);
                read.runs.push((name, run));
            }
            Measured => read.measured.push((name, of(document)?)),
            Bench => read.benches.push((name, of(document)?)),
            Explain => read.explanations.push((name, of(document)?)),
            Verify => read.verifications.push((name, of(document)?)),
            Text => read.texts.push((name, of(document)?)),
        }
    }
    Ok(read)
}

fn of<T: DeserializeOwned>(document: &Document) -> Result<T, ReportError> {
    T::deserialize(&document.value).map_err(|e| ReportError::Document {
        name: document.name.clone(),
        kind: document.kind,
        what: e.to_string(),
    })
}
