//! The pieces of a report, by what they are.

use dw_documents::bench::BenchDocument;
use dw_documents::checklist::ChecklistDocument;
use dw_documents::comparison::ComparisonDocument;
use dw_documents::explain::ExplainDocument;
use dw_documents::plan::PlanDocument;
use dw_documents::results::Entry;
use dw_documents::run::{Summary, Track};
use dw_documents::verify::VerifyDocument;
use dw_documents::{Document, ToolResult};

use dw_messages::Language;

use crate::document::{Content, Report, Text, rates};

/// Everything of a report, each under its name.
#[derive(Debug)]
pub(crate) struct Read<'a> {
    /// What it is said in.
    pub(crate) lang: &'a Language,
    pub(crate) checklists: Vec<(&'a str, &'a ChecklistDocument)>,
    pub(crate) plans: Vec<(&'a str, &'a PlanDocument)>,
    pub(crate) comparisons: Vec<(&'a str, &'a ComparisonDocument)>,
    pub(crate) runs: Vec<(&'a str, Simulated)>,
    pub(crate) measured: Vec<(&'a str, Tests<'a>)>,
    pub(crate) benches: Vec<(&'a str, &'a BenchDocument)>,
    pub(crate) explanations: Vec<(&'a str, &'a ExplainDocument)>,
    pub(crate) verifications: Vec<(&'a str, &'a VerifyDocument)>,
    pub(crate) texts: Vec<(&'a str, &'a Text)>,
}

/// A simulated run.
#[derive(Debug)]
pub(crate) struct Simulated {
    pub(crate) jobs: Vec<Entry>,
    /// Its tracks are cut where they are rates no more.
    pub(crate) summary: Summary,
}

/// What another tool measured.
#[derive(Debug)]
pub(crate) struct Tests<'a> {
    pub(crate) tool: Option<&'a str>,
    pub(crate) jobs: Vec<Entry>,
}

impl<'a> Read<'a> {
    /// Of all pieces.
    pub(crate) fn new(report: &'a Report, lang: &'a Language) -> Read<'a> {
        let mut read = Read {
            lang,
            checklists: Vec::new(),
            plans: Vec::new(),
            comparisons: Vec::new(),
            runs: Vec::new(),
            measured: Vec::new(),
            benches: Vec::new(),
            explanations: Vec::new(),
            verifications: Vec::new(),
            texts: Vec::new(),
        };
        for piece in &report.pieces {
            let name = piece.name.as_str();
            match &piece.content {
                Content::Text(text) => read.texts.push((name, text)),
                Content::Document(document) => read.add(name, document),
            }
        }
        read
    }

    fn add(&mut self, name: &'a str, document: &'a Document) {
        match document {
            Document::Checklist(it) => self.checklists.push((name, it)),
            Document::Plan(it) => self.plans.push((name, it)),
            Document::PlanComparison(it) => self.comparisons.push((name, it)),
            Document::Run(it) => {
                let mut summary = it.diskwright.clone();
                summary.series.iter_mut().for_each(without_tail);
                self.runs.push((name, Simulated { jobs: it.jobs(), summary }));
            }
            Document::Measured(it) => self.measured.push((name, tests(it))),
            Document::Bench(it) => self.benches.push((name, it)),
            Document::Explain(it) => self.explanations.push((name, it)),
            Document::Verify(it) => self.verifications.push((name, it)),
            // A piece is made of none of these.
            Document::PlanDiff(_) | Document::Calibration(_) | Document::Sweep(_) | Document::Audit(_) => {}
        }
    }

    /// What only simulations know.
    pub(crate) fn summaries(&self) -> impl Iterator<Item = (&'a str, &Summary)> {
        self.runs.iter().map(|(name, run)| (*name, &run.summary))
    }
}

fn tests(measured: &ToolResult) -> Tests<'_> {
    Tests { tool: measured.tool(), jobs: measured.jobs() }
}

fn without_tail(track: &mut Track) {
    let count = rates(track);
    track.end_s.truncate(count);
    track.iops.truncate(count);
    track.bytes_per_s.truncate(count);
    track.latency_mean_ns.truncate(count);
    track.latency_max_ns.truncate(count);
    track.latency_p99_ns.iter_mut().for_each(|tails| tails.truncate(count));
    track.waits_at.truncate(count);
    track.waited_percent.truncate(count);
    track.hit_percent.iter_mut().for_each(|hits| hits.truncate(count));
}
