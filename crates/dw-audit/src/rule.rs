//! A rule: a row of its family's table.

use dw_documents::audit::{Confidence, Finding, Level};
use dw_estate::SourceId;
use dw_messages::{Sentence, label};

use crate::case::{Case, DiskCase};
use crate::finding::{Draft, Stake};

/// What rules are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Waivers,
    Limits,
    Waste,
    Risk,
    Lifecycle,
    Price,
}

/// What a rule needs to know; what an inventory lacks of it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Need {
    /// The machine's size, one of the catalogue.
    Size,
    Region,
    Zone,
    State,
    /// Whether it has licences of its own.
    Licence,
    /// Whether the host encrypts.
    Encryption,
    /// Of every disk: kind and size.
    Disks,
    /// Of every disk whose rates are chosen: which.
    Rates,
    /// Of every disk: its host cache.
    Cache,
    /// What is asked of its disks.
    Recording,
}

impl Need {
    pub const ALL: [Need; 10] = [
        Need::Size,
        Need::Region,
        Need::Zone,
        Need::State,
        Need::Licence,
        Need::Encryption,
        Need::Disks,
        Need::Rates,
        Need::Cache,
        Need::Recording,
    ];
    /// As a summary names it.
    pub const fn word(self) -> &'static str {
        let label = match self {
            Need::Size => label!("a size that the catalogue has"),
            Need::Region => label!("the region"),
            Need::Zone => label!("the zone"),
            Need::State => label!("whether it runs"),
            Need::Licence => label!("the licence"),
            Need::Encryption => label!("encryption at host"),
            Need::Disks => label!("kind and size of each disk"),
            Need::Rates => label!("IOPS and MB/s of each disk whose rates are chosen"),
            Need::Cache => label!("the host cache of each disk"),
            Need::Recording => label!("a recording"),
        };
        label.english()
    }
    /// Whether it is asked of each disk by itself.
    pub const fn is_of_disks(self) -> bool {
        matches!(self, Need::Disks | Need::Rates | Need::Cache)
    }
    /// Whether it is known of a disk; what is not asked of disks is.
    pub fn is_met_of(self, disk: &DiskCase) -> bool {
        match self {
            Need::Disks => disk.facts.is_some() || disk.is_local(),
            Need::Rates => disk.has_rates(),
            Need::Cache => disk.cache().is_some(),
            _ => true,
        }
    }
    /// Whether it is known of a machine.
    pub fn is_met(self, case: &Case) -> bool {
        let machine = case.machine;
        match self {
            Need::Size => case.size.is_some(),
            Need::Region => machine.region.is_known(),
            Need::Zone => machine.zone.is_known(),
            Need::State => machine.state.is_known(),
            Need::Licence => !case.vendor().has_licences() || machine.licence.is_known() && machine.os.is_known(),
            Need::Encryption => !case.vendor().encrypts_hosts() || machine.encrypted_at_host.is_known(),
            Need::Disks | Need::Rates | Need::Cache => case.disks.iter().all(|disk| self.is_met_of(disk)),
            Need::Recording => case.recorded.is_some(),
        }
    }
}

/// What becomes of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// It keeps its level.
    Stays,
    Note,
    Warning,
    Goes,
}

/// What a recording makes of a rule's findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settles {
    /// Where the load stands at what they are about.
    pub at: Then,
    /// Where it never comes near it.
    pub far: Then,
}

/// A rule.
pub struct Rule {
    pub code: &'static str,
    pub family: Family,
    /// In a few words, for lists of rules.
    pub title: &'static str,
    /// When it finds, in words.
    pub threshold: &'static str,
    pub level: Level,
    pub confidence: Confidence,
    pub needs: &'static [Need],
    /// It is about one disk alone: what is not known of another is no matter.
    pub by_disk: bool,
    /// Of a disk on nothing it is asked, too, though it needs to know of disks.
    pub of_loose: bool,
    /// Where its findings hang on what the disks are asked for.
    pub settles: Option<Settles>,
    pub judge: fn(&Case, &mut Found),
}

/// What a rule found of one machine.
pub struct Found<'a, 'c> {
    pub rule: &'static Rule,
    pub case: &'a Case<'a, 'c>,
    sources: &'a [String],
    pub all: Vec<Finding>,
    /// Of each, what a recording of the machine settles it by; none where there is no recording.
    pub stakes: Vec<Option<Stake>>,
}

impl<'a, 'c> Found<'a, 'c> {
    pub fn new(rule: &'static Rule, case: &'a Case<'a, 'c>, sources: &'a [String]) -> Found<'a, 'c> {
        Found { rule, case, sources, all: Vec::new(), stakes: Vec::new() }
    }
    /// Of the machine.
    pub fn machine(&mut self, says: Sentence) -> Draft<'_> {
        self.add(None, says)
    }
    /// Of one of its disks.
    pub fn disk(&mut self, disk: &DiskCase, says: Sentence) -> Draft<'_> {
        self.add(Some(disk), says)
    }
    fn add(&mut self, disk: Option<&DiskCase>, says: Sentence) -> Draft<'_> {
        let machine = self.case.machine;
        let told = disk.and_then(|disk| disk.disk.kind.source()).or(machine.size.source());
        let file = |SourceId(place): SourceId| self.sources.get(usize::from(place)).cloned().unwrap_or_default();
        let own = self.case.size.as_ref().map(|size| size.source.clone());
        let of_disk = disk.and_then(|disk| disk.facts.as_ref()).map(|facts| facts.source.clone());
        // Of a machine the oldest of its prices.
        let of_disks = self.case.disks.iter().filter_map(|disk| disk.facts.as_ref()?.priced_on);
        let priced_on = match disk.and_then(|disk| disk.facts.as_ref()) {
            Some(facts) => facts.priced_on,
            None => of_disks.chain(self.case.size.as_ref().and_then(|size| size.priced_on)).min(),
        };
        self.all.push(Finding {
            code: self.rule.code.to_string(),
            level: self.rule.level,
            machine: machine.name.to_string(),
            machine_id: machine.id.to_string(),
            disk: disk.map(|disk| disk.name().to_string()).unwrap_or_default(),
            disk_id: disk.map(|disk| disk.disk.id.to_string()).unwrap_or_default(),
            file: file(told.unwrap_or_default()),
            says,
            seen: None,
            remedy: None,
            monthly: None,
            monthly_after: None,
            prices_of: None,
            confidence: self.rule.confidence,
            sources: own.into_iter().chain(of_disk).collect(),
            waived: None,
        });
        if self.case.recorded.is_some() {
            self.stakes.push(None);
        }
        let finding = self.all.last_mut().expect("it was pushed");
        Draft { finding, copies: machine.copies(), stake: self.stakes.last_mut(), priced_on }
    }
}
