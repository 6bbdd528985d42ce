//! Findings as changes: the settings of their remedies, on the machines and disks of an estate.
//!
//! A remedy that is no single setting (a plan, a migration, a contract) is none here, as is one of a disk that shares its name with another of its
//! machine. Two findings that set the same are one change: the first counts, in the order that they come in.

use std::collections::HashMap;

use dw_documents::audit::{self as document, Effort, Finding, Remedy};
use dw_estate::{Change, Disk, Estate, Machine, Setting};
use dw_units::CacheMode;

/// A finding with what ends it.
#[derive(Clone, Debug)]
pub struct Proposal<'a> {
    pub finding: &'a Finding,
    /// In the order in which they are made; none: it is not ended by settings.
    pub changes: Vec<Change<'a>>,
    /// The code of an earlier finding that sets the same otherwise; then nothing is changed for this one.
    pub contradicts: Option<&'a str>,
}

/// What would end each of these findings of an estate.
pub fn proposals<'a>(estate: &'a Estate, findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Proposal<'a>> {
    let machines: HashMap<&str, &Machine> = estate.machines.iter().map(|machine| (&*machine.id, machine)).collect();
    let mut all: Vec<Proposal> = Vec::new();
    for finding in findings {
        let machine = machines.get(finding.machine_id.as_str()).filter(|own| *own.name == *finding.machine);
        let changes = finding.remedy.as_ref().map_or_else(Vec::new, |remedy| changes(estate, machine.copied(), remedy));
        let is_other = |a: &Change, b: &Change| a.is_of_same(b) && a.setting != b.setting;
        let earlier = all.iter().find(|other| {
            other.contradicts.is_none() && other.changes.iter().any(|a| changes.iter().any(|b| is_other(a, b)))
        });
        let contradicts = earlier.map(|other| other.finding.code.as_str());
        all.push(Proposal { finding, changes, contradicts });
    }
    all
}

/// All that a remedy sets; none where some of it is no setting, or nobody knows of which disk.
fn changes<'a>(estate: &'a Estate, machine: Option<&'a Machine>, remedy: &Remedy) -> Vec<Change<'a>> {
    let is_soft = remedy.effort.is_some_and(|effort| effort <= Effort::Restart);
    let one = |change: &document::Change| {
        let disk = match change.disk.as_str() {
            "" => None,
            name => Some(only(machine.map_or(&estate.loose, |machine| &machine.disks), name)?),
        };
        let is_of_something = machine.is_some() || disk.is_some();
        Some(Change { machine, disk, setting: setting(&change.set, is_soft)? }).filter(|_| is_of_something)
    };
    remedy.changes.iter().map(one).collect::<Option<_>>().unwrap_or_default()
}

/// The disk of that name, if it is the only one.
fn only<'a>(disks: &'a [Disk], name: &str) -> Option<&'a Disk> {
    let mut named = disks.iter().filter(|disk| *disk.name == *name);
    named.next().filter(|_| named.next().is_none())
}

fn setting(set: &document::Setting, is_soft: bool) -> Option<Setting> {
    use document::Setting as Set;
    Some(match set {
        Set::Size(size) if is_soft => Setting::Size(size.clone()),
        Set::Kind { kind, iops: None, mb_per_s: None } if is_soft => Setting::Kind(kind.clone()),
        Set::Iops(iops) => Setting::Iops(*iops),
        Set::MbPerS(mb) => Setting::Mb(*mb),
        Set::HostCache(mode) => Setting::Cache(CacheMode::ALL.into_iter().find(|known| known.name() == mode)?),
        Set::Tier(tier) => Setting::Tier(tier.clone()),
        Set::BurstsByUse(is_on) => Setting::BurstsByUse(*is_on),
        Set::OpenTo { open, .. } => Setting::SpecialDisks(*open),
        Set::Deleted => Setting::Deleted,
        Set::Deallocated => Setting::Released,
        Set::Size(_) | Set::Kind { .. } | Set::OwnLicence(_) => return None,
    })
}
