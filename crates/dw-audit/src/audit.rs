//! All rules over all machines.

use std::collections::BTreeMap;

use dw_catalogue::Catalogue;
use dw_estate::{Estate, Machine, StripeFile};
use dw_units::Money;

use crate::case::Case;
use crate::finding::{Finding, Level};
use crate::market::Market;
use crate::rule::{Found, Need, Rule};
use crate::{lifecycle, limits, price, risk, waste};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// By machine, then by code.
    pub findings: Vec<Finding>,
    pub machines: u64,
    pub disks: u64,
    /// What all machines and disks cost a month, as far as prices are known, and of how many they are not.
    pub monthly: Money,
    pub unpriced: u64,
    /// Rules that could not be judged: by code what was not known, and of how many machines.
    pub unjudged: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
}

/// All rules, by code.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    [limits::RULES, waste::RULES, risk::RULES, lifecycle::RULES, price::RULES].into_iter().flatten()
}

/// Judges an estate by a catalogue, with what a person says of its stripes; `today` as `2026-11-29`.
pub fn audit(estate: &Estate, catalogue: &Catalogue, stripes: &StripeFile, today: Option<&str>) -> Audit {
    let market = Market::new(catalogue, today.map(String::from), stripes.clone());
    let mut all = Audit::default();
    for machine in &estate.machines {
        all.judge(machine, &market, &estate.sources);
    }
    // A disk on nothing is judged as one on a machine of which nothing is known but where it is.
    for disk in &estate.loose {
        let nowhere = Machine { region: disk.region.clone(), disks: vec![disk.clone()], ..Machine::default() };
        all.judge(&nowhere, &market, &estate.sources);
    }
    all.machines = estate.machines.iter().map(Machine::copies).sum();
    all
}

impl Audit {
    fn judge(&mut self, machine: &Machine, market: &Market, sources: &[String]) {
        let case = Case::new(machine, market);
        self.disks += case.disks.len() as u64 * machine.copies();
        let is_loose = machine.id.is_empty();
        let own = case.size.as_ref().and_then(|size| size.monthly);
        let of_disks = case.disks.iter().map(|disk| disk.monthly);
        for part in of_disks.chain((!is_loose).then_some(own)) {
            match part {
                Some(monthly) => self.monthly += monthly * machine.copies(),
                None => self.unpriced += machine.copies(),
            }
        }
        let met: Vec<Need> = Need::ALL.into_iter().filter(|need| need.is_met(&case)).collect();
        for rule in rules() {
            // Of a disk on nothing only what needs no machine is asked.
            if is_loose && !rule.needs.is_empty() {
                continue;
            }
            if let Some(missing) = rule.needs.iter().find(|need| !met.contains(need)) {
                *self.unjudged.entry(rule.code).or_default().entry(missing.word()).or_default() += 1;
                continue;
            }
            let mut found = Found::new(rule, &case, sources);
            (rule.judge)(&case, &mut found);
            self.findings.append(&mut found.all);
        }
    }

    /// How many findings are of each level, those that are waived left out.
    pub fn counts(&self) -> [(Level, u64); 3] {
        Level::ALL.map(|level| {
            let count =
                self.findings.iter().filter(|finding| finding.level == level && finding.waived.is_none()).count();
            (level, count as u64)
        })
    }

    /// Leaves out what a baseline has, too.
    pub fn without(&mut self, baseline: &Audit) {
        let mut known: BTreeMap<_, u64> = BTreeMap::new();
        for finding in &baseline.findings {
            *known.entry(finding.same()).or_default() += 1;
        }
        self.findings.retain(|finding| match known.get_mut(&finding.same()) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
    }
}
