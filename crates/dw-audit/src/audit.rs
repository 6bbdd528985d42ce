//! All rules over all machines.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use dw_catalogue::Catalogue;
use dw_catalogue::price::CURRENCY;
use dw_documents::SCHEMA_VERSION;
use dw_documents::audit::{self as document, AuditDocument, Audited, Cost, Counts, Finding, Level, NotJudged};
use dw_documents::tag::OfAudit;
use dw_estate::{Disk, Estate, Machine, StripeFile};
use dw_messages::Sentence;
use dw_units::Money;

use crate::baseline::{self, Copies};
use crate::case::{Case, DiskCase};
use crate::market::Market;
use crate::rule::{Found, Need, Rule, Settles};
use crate::{lifecycle, limits, price, risk, settle, waste};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// By machine, then by code.
    pub findings: Vec<Finding>,
    /// What recordings end.
    pub let_go: Vec<Finding>,
    machines: Vec<Audited>,
    disks: u64,
    /// What all machines and disks cost a month, as far as prices are known, and of how many they are not.
    monthly: Money,
    unpriced: u64,
    /// Rules that could not be judged: what was not known, of which rules, whether disks that are known were judged, and of how many machines.
    unjudged: BTreeMap<(&'static str, &'static str, bool), u64>,
}

/// All rules, by code.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [limits::RULES, waste::RULES, risk::RULES, lifecycle::RULES, price::RULES].into_iter().flatten()
}

/// What rules about waivers are called.
const OF_WAIVERS: [(&str, &str, Level); 2] = [
    ("DW001", "a waiver whose last day has passed", Level::Warning),
    ("DW002", "a waiver that fits no finding", Level::Note),
];

/// What to write in place of a code that no rule has, as a hint says it.
pub fn near_rules(code: &str) -> String {
    let codes = OF_WAIVERS.into_iter().map(|(code, ..)| code).chain(rules().map(|rule| rule.code));
    let title = |code: &str| {
        let of_waivers = OF_WAIVERS.into_iter().find(|(own, ..)| *own == code).map(|(_, title, _)| title);
        of_waivers.or_else(|| rules().find(|rule| rule.code == code).map(|rule| rule.title)).unwrap_or_default()
    };
    match dw_catalogue::nearest(code, codes).first() {
        Some(near) => format!("did you mean `{near}` ({})? `--format json` lists all rules", title(near)),
        None => "codes are such as `DW201`; `--format json` lists all rules".into(),
    }
}

/// Judges an estate by a catalogue, with what a person says of its stripes; `today` as `2026-11-29`.
pub fn audit(estate: &Estate, catalogue: &Catalogue, stripes: &StripeFile, today: Option<&str>) -> Audit {
    Market::new(catalogue, today.map(String::from), stripes.clone()).audit(estate)
}

impl Market<'_> {
    /// Judges an estate; what was looked up for one before need not be looked up again.
    pub fn audit(&self, estate: &Estate) -> Audit {
        all_of(&estate.machines, &estate.loose, &estate.sources, self)
    }
    /// The same of an estate that nobody needs after it: each machine is freed once it is judged.
    pub fn audit_once(&self, estate: Estate) -> Audit {
        all_of(estate.machines, estate.loose, &estate.sources, self)
    }
}

fn all_of<M: Borrow<Machine>, D: Borrow<Disk>>(
    machines: impl IntoIterator<Item = M>,
    loose: impl IntoIterator<Item = D>,
    sources: &[String],
    market: &Market,
) -> Audit {
    let mut all = Audit::default();
    for machine in machines {
        all.judge(machine.borrow(), market, sources);
    }
    // A disk on nothing is judged as one on a machine of which nothing is known but where it is.
    for disk in loose {
        let disk: &Disk = disk.borrow();
        let nowhere = Machine {
            region: disk.region.clone(),
            disks: vec![disk.clone()],
            vendor: disk.vendor,
            ..Machine::default()
        };
        all.judge(&nowhere, market, sources);
    }
    all
}

impl Audit {
    fn judge(&mut self, machine: &Machine, market: &Market, sources: &[String]) {
        let case = Case::new(machine, market);
        let is_loose = machine.id.is_empty();
        let own = case.monthly();
        let counted = case.disks.iter().filter(|disk| !disk.disk.counted_elsewhere);
        self.disks += counted.clone().count() as u64 * machine.copies();
        // A local disk is paid with its machine.
        let paid = counted.filter(|disk| !disk.is_local()).map(|disk| disk.monthly);
        for part in paid.chain((!is_loose).then_some(own)) {
            match part {
                Some(monthly) => self.monthly += monthly * machine.copies(),
                None => self.unpriced += machine.copies(),
            }
        }
        if !is_loose {
            let paid = case.disks.iter().filter(|disk| !disk.is_local()).map(|disk| disk.monthly);
            let whole: Option<Money> = paid.chain([own]).sum();
            self.machines.push(Audited {
                name: machine.name.to_string(),
                id: machine.id.to_string(),
                count: machine.copies(),
                size: machine.size.text().map(String::from),
                region: machine.region.text().map(String::from),
                disks: case.disks.len() as u64,
                monthly: whole.map(|whole| (whole * machine.copies()).amount()),
                tags: machine.tags.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
            });
        }
        let met: Vec<Need> = Need::ALL.into_iter().filter(|need| need.is_met(&case)).collect();
        for rule in rules() {
            // Of a disk on nothing only what needs no machine is asked.
            if is_loose && !rule.needs.is_empty() && !rule.of_loose {
                continue;
            }
            // Where nothing is recorded, nobody misses what only recordings show.
            if market.recordings.is_none() && rule.needs.contains(&Need::Recording) {
                continue;
            }
            let mut missing = rule.needs.iter().filter(|need| !met.contains(need)).peekable();
            if let Some(first) = missing.peek() {
                let word = first.word();
                let is_by_disk = rule.by_disk && missing.clone().all(|need| need.is_of_disks());
                let is_known = |disk: &DiskCase| missing.clone().all(|need| need.is_met_of(disk));
                let in_part = is_by_disk && case.disks.iter().any(is_known);
                *self.unjudged.entry((word, rule.code, in_part)).or_default() += 1;
                if !is_by_disk {
                    continue;
                }
            }
            let mut found = Found::new(rule, &case, sources);
            (rule.judge)(&case, &mut found);
            self.let_go.append(&mut settle::settle(&mut found));
            self.findings.append(&mut found.all);
        }
    }

    /// Leaves out what a baseline has, too, and is no worse; of what is worse the finding says what it was.
    pub fn without(&mut self, baseline: &Audit) {
        let says = baseline::beside((&self.findings, &self.copies()), (&baseline.findings, &baseline.copies()));
        let told = std::mem::take(&mut self.findings).into_iter().zip(says);
        self.findings = told.filter_map(|(finding, says)| Some(Finding { says: says?, ..finding })).collect();
        self.let_go.clear();
    }
    fn copies(&self) -> Copies<'_> {
        let several = self.machines.iter().filter(|machine| machine.count > 1);
        several.map(|machine| (machine.name.as_str(), machine.count)).collect()
    }

    /// Everything as its document.
    pub fn document(mut self, sources: Vec<String>, doubts: Vec<Sentence>) -> AuditDocument {
        let order = |finding: &Finding| (finding.waived.is_some(), std::cmp::Reverse(finding.level));
        self.findings.sort_by(|a, b| {
            order(a)
                .cmp(&order(b))
                .then_with(|| b.saves().total_cmp(&a.saves()))
                .then_with(|| (&a.machine, &a.disk, &a.code).cmp(&(&b.machine, &b.disk, &b.code)))
        });
        // Rules that lack the same of as many are said together.
        let mut together: BTreeMap<(&str, bool, u64), Vec<String>> = BTreeMap::new();
        for ((lacks, rule, in_part), machines) in &self.unjudged {
            together.entry((lacks, *in_part, *machines)).or_default().push(rule.to_string());
        }
        self.let_go.sort_by(|a, b| (&a.machine, &a.disk, &a.code).cmp(&(&b.machine, &b.disk, &b.code)));
        let of_waivers = OF_WAIVERS.into_iter().map(|(code, title, level)| (code, title, title, level, None));
        let of_rules = rules().map(|rule| (rule.code, rule.title, rule.threshold, rule.level, rule.settles));
        let all = of_waivers.chain(of_rules);
        AuditDocument {
            schema_version: SCHEMA_VERSION,
            document: OfAudit::Always,
            sources,
            machines: self.machines.iter().map(|machine| machine.count).sum(),
            disks: self.disks,
            cost: Cost { monthly: self.monthly.amount(), currency: CURRENCY.to_string(), unpriced: self.unpriced },
            counts: Counts::of(&self.findings),
            findings: self.findings,
            let_go: self.let_go,
            not_judged: together
                .into_iter()
                .map(|((lacks, in_part, machines), rules)| NotJudged { rules, machines, lacks: lacks.into(), in_part })
                .collect(),
            doubts,
            rules: all
                .map(|(code, title, threshold, level, settles)| document::Rule {
                    code: code.into(),
                    title: title.into(),
                    threshold: threshold.into(),
                    level,
                    recorded: settles.map(Settles::words),
                })
                .collect(),
            estate: self.machines,
            planned: None,
        }
    }
}
