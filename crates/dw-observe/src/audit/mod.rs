//! What to doubt: known pitfalls of counters, each looked for, with evidence and what it does to a plan.
//!
//! Four groups: what a source reported wrongly or omitted (`sources.rs`), what the series shows (`shape.rs`), whether it is one to
//! plan from (`recording.rs`), and where two tools disagree (`compare.rs`). A finding says what was seen, where, and what to do; a pitfall that was checked for
//! and not found is not mentioned.
//!
//! Source: the history of sysstat, issues of elastic/beats and sysstat, the kernel's documentation; each is in
//! `docs/model/checklist.md`.
//!
//! Ignores: whether the recorded hours are representative; only their user knows.

mod compare;
mod recording;
mod shape;
mod sources;

use dw_messages::Sentence;

use super::evidence::Evidence;
use dw_demand::Severity;

pub use super::finding::{Finding, Pitfall};
use super::observation::Observation;
use super::ready::Ready;
use super::series::{Noticed, Series};
pub use recording::{DAY, SHORT};

/// Collects findings.
pub(crate) struct Report {
    findings: Vec<Finding>,
}

impl Report {
    fn add(
        &mut self,
        pitfall: Pitfall,
        severity: Severity,
        what: Sentence,
        effect: Sentence,
        hint: impl Into<Option<Sentence>>,
    ) {
        self.with(pitfall, severity, &Evidence::default(), what, effect, hint);
    }
    fn with(
        &mut self,
        pitfall: Pitfall,
        severity: Severity,
        evidence: &Evidence,
        what: Sentence,
        effect: Sentence,
        hint: impl Into<Option<Sentence>>,
    ) {
        self.findings.push(Finding {
            pitfall,
            severity,
            what,
            effect,
            hint: hint.into(),
            count: evidence.count,
            rows: evidence.rows.clone(),
        });
    }
}

/// Everything to doubt, the gravest first.
pub(crate) fn findings(observation: &Observation, ready: &[Ready], sum: &Series, noticed: &Noticed) -> Vec<Finding> {
    let mut report = Report { findings: Vec::new() };
    sources::look(&mut report, observation, ready, noticed);
    shape::look(&mut report, observation, ready, sum);
    recording::look(&mut report, observation, ready, sum);
    compare::look(&mut report, ready, sum);
    report.findings.sort_by_key(|f| (f.severity, f.pitfall));
    report.findings
}
