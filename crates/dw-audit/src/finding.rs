//! A finding while a rule writes it.

use dw_catalogue::Month;
use dw_catalogue::moves::{Effort as Takes, MoveRow};
use dw_documents::audit::{Change, Confidence, Effort, Finding, Level, Remedy, Setting};
use dw_messages::{Sentence, say};
use dw_units::Money;

use crate::case::{Case, DiskCase, GateLoad};

/// Nothing.
pub const NO_MONEY: Money = Money::micros(0);

/// What a recording of the machine may settle a finding by; disks by their places in the case.
pub enum Stake {
    /// Whether these disks together are asked for so many I/Os (0) or bytes (1) per second.
    Rate { disks: Vec<usize>, quantity: usize, limit: u64 },
    /// Whether a disk is asked for more than it sustains.
    Disk(usize),
    /// Whether a disk is read.
    Reads(usize),
}

/// A finding, and of how many machines that are alike.
pub struct Draft<'f> {
    pub finding: &'f mut Finding,
    pub copies: u64,
    /// Where something is recorded of the machine.
    pub stake: Option<&'f mut Option<Stake>>,
    /// The month of the prices of what it is about, where they are not of today.
    pub priced_on: Option<Month>,
}

impl Draft<'_> {
    /// What is paid a month for what is wrong, before and after.
    pub fn costs(&mut self, before: Option<Money>, after: Option<Money>) -> &mut Self {
        let all = |money: Money| (money * self.copies).amount();
        self.finding.monthly = before.map(all);
        self.finding.monthly_after = after.filter(|_| before.is_some()).map(all);
        self.finding.prices_of = self.priced_on.filter(|_| before.is_some()).map(|month| month.to_string());
        self
    }
    /// The month of its prices, where it is another than that of its disks.
    pub fn priced_on(&mut self, month: Option<Month>) -> &mut Self {
        self.finding.prices_of = month.filter(|_| self.finding.monthly.is_some()).map(|month| month.to_string());
        self
    }
    /// By a change of which no row says what it takes.
    pub fn ends(&mut self, what: Sentence) -> &mut Self {
        self.finding.remedy = Some(Remedy { what, effort: None, takes: None, changes: Vec::new() });
        self
    }
    /// By a change of which the first row says what takes most.
    pub fn ends_by(&mut self, what: Sentence, rows: &[MoveRow]) -> &mut Self {
        let row = rows.first();
        let (effort, takes) = (row.map(|row| word(row.effort)), row.map(|row| row.said()));
        self.finding.remedy = Some(Remedy { what, effort, takes, changes: Vec::new() });
        self.finding.sources.extend(row.map(|row| row.source.clone()));
        self
    }
    /// The same for programs: a setting of a disk.
    pub fn sets(&mut self, disk: &DiskCase, set: Setting) -> &mut Self {
        self.change(Change { disk: disk.name().into(), disk_id: disk.disk.id.to_string(), set })
    }
    /// A setting of the machine.
    pub fn sets_machine(&mut self, set: Setting) -> &mut Self {
        self.change(Change { disk: String::new(), disk_id: String::new(), set })
    }
    fn change(&mut self, change: Change) -> &mut Self {
        if let Some(remedy) = &mut self.finding.remedy {
            remedy.changes.push(change);
        }
        self
    }
    pub fn source(&mut self, id: &str) -> &mut Self {
        self.finding.sources.push(id.into());
        self
    }
    /// What passes a gate decides it: it is no surer than that, names its sources, and says what is taken for a controller that nobody tells.
    pub fn rests_on(&mut self, case: &Case, gate: &GateLoad) -> &mut Self {
        let assumed = case.size.as_ref().and_then(|size| size.assumed.clone());
        let own = &mut self.finding;
        if own.confidence == Confidence::Certain && (assumed.is_some() || gate.gate.derived.is_some()) {
            own.confidence = Confidence::Likely;
        }
        for source in gate.gate.derived.iter().flatten() {
            if !own.sources.contains(source) {
                own.sources.push(source.clone());
            }
        }
        if let Some(controller) = assumed {
            own.says = say!(EstateAssumed { says: own.says.clone(), controller });
        }
        self
    }
    /// What a recording settles it by.
    pub fn hangs_on(&mut self, stake: impl FnOnce() -> Stake) -> &mut Self {
        if let Some(own) = &mut self.stake {
            **own = Some(stake());
        }
        self
    }
    pub fn at_level(&mut self, level: Level) -> &mut Self {
        self.finding.level = level;
        self
    }
}

const fn word(effort: Takes) -> Effort {
    match effort {
        Takes::InPlace => Effort::InPlace,
        Takes::Detach => Effort::Detach,
        Takes::Restart => Effort::Restart,
        Takes::Redeploy => Effort::Redeploy,
        Takes::Migrate => Effort::Migrate,
        Takes::Refused => Effort::Refused,
    }
}
