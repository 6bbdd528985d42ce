//! An audit of an estate, as `audit` prints it: every form of it is laid out from this.
//!
//! Money is a month in the document's currency, of all machines that are alike; what is not known is left out.

use std::collections::{BTreeMap, HashMap};

use dw_messages::say;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Sentence;
use crate::estate::PlannedEstate;
use crate::tag::OfAudit;

/// What is wrong with an estate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "diskwright audit")]
#[serde(deny_unknown_fields)]
pub struct AuditDocument {
    /// 1.
    pub schema_version: u32,
    /// What it is.
    pub document: OfAudit,
    /// The files that it was read from.
    pub sources: Vec<String>,
    /// How many machines, and how many disks, those on nothing among them.
    pub machines: u64,
    pub disks: u64,
    pub cost: Cost,
    /// Findings of each level, those that are waived left out.
    pub counts: Counts,
    /// The worst first, then what saves most; those that are waived last.
    pub findings: Vec<Finding>,
    /// Findings of the inventory alone that recordings end, with what they show.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub let_go: Vec<Finding>,
    /// Rules that could not be judged, and for want of what.
    pub not_judged: Vec<NotJudged>,
    /// What to know about the inventories before the findings are believed.
    pub doubts: Vec<Sentence>,
    /// All rules, by code.
    pub rules: Vec<Rule>,
    /// All machines, as their files have them.
    pub estate: Vec<Audited>,
    /// What recordings of them come to, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned: Option<PlannedEstate>,
}

/// Doubts that say that something is missing, or that what was asked for has no effect.
const WARNINGS: [&str; 8] = [
    "estate-cut-short",
    "estate-more-pages",
    "estate-part",
    "estate-part-unknown",
    "estate-stripe-no-machine",
    "estate-stripe-no-disk",
    "estate-only-no-machine",
    "estate-only-no-disk",
];

impl AuditDocument {
    /// Doubts by whether they are a warning, which every form says first.
    pub fn doubts_by(&self, are_warnings: bool) -> impl Iterator<Item = &Sentence> {
        self.doubts.iter().filter(move |doubt| WARNINGS.contains(&&*doubt.id) == are_warnings)
    }
    /// Findings above a note that are not waived, by the id and the name of their machine; both are empty for disks on nothing.
    pub fn by_machine(&self) -> BTreeMap<(&str, &str), Vec<&Finding>> {
        let mut by_machine: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
        for finding in self.findings.iter().filter(|one| one.waived.is_none() && one.level > Level::Note) {
            by_machine.entry((&*finding.machine_id, &*finding.machine)).or_default().push(finding);
        }
        by_machine
    }
}

/// What all machines and disks cost a month at list prices, pay as you go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// As far as prices are known.
    pub monthly: f64,
    pub currency: String,
    /// Machines and disks without a known price.
    pub unpriced: u64,
}

/// Findings by level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    pub errors: u64,
    pub warnings: u64,
    pub notes: u64,
    /// Of any level.
    pub waived: u64,
}

impl Counts {
    pub fn of(findings: &[Finding]) -> Counts {
        let mut counts = Counts::default();
        for finding in findings {
            *match (&finding.waived, finding.level) {
                (Some(_), _) => &mut counts.waived,
                (None, Level::Note) => &mut counts.notes,
                (None, Level::Warning) => &mut counts.warnings,
                (None, Level::Error) => &mut counts.errors,
            } += 1;
        }
        counts
    }
    /// Findings that are at least so bad, and not waived.
    pub const fn at_least(&self, level: Level) -> u64 {
        match level {
            Level::Note => self.errors + self.warnings + self.notes,
            Level::Warning => self.errors + self.warnings,
            Level::Error => self.errors,
        }
    }
}

/// How much a finding asks for attention, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Money or rates are lost, or data are at risk.
    Warning,
    /// It cannot be built so, or does not do what it says.
    Error,
}

impl Level {
    pub const fn word(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// It follows from the inventory, or from a recording.
    Certain,
    /// It follows from names, or from what is usual.
    Likely,
    /// Only a recording shows whether it matters.
    NeedsRecording,
}

impl Confidence {
    pub const fn word(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::Likely => "likely",
            Confidence::NeedsRecording => "needs_recording",
        }
    }
}

/// What is wrong, where, what it costs, and the smallest change that ends it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Of its rule: `DW101`.
    pub code: String,
    pub level: Level,
    /// The machine's name; empty for a disk on nothing.
    pub machine: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub machine_id: String,
    /// The disk's name; left out where it is about the machine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub disk: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub disk_id: String,
    /// The file that tells of it.
    pub file: String,
    pub says: Sentence,
    /// What a recording of the machine shows of it, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Sentence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Remedy>,
    /// What is paid a month for what is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly: Option<f64>,
    /// The same after the remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly_after: Option<f64>,
    /// The month of its prices, where they are older than the catalogue: `2024-07`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prices_of: Option<String>,
    pub confidence: Confidence,
    /// Ids of the catalogue's sources of its figures.
    pub sources: Vec<String>,
    /// The owner and the last day of the waiver that it is under, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waived: Option<String>,
}

impl Finding {
    /// What ending it saves a month: nothing that anybody knows of, where the price after it is not known.
    pub fn saves(&self) -> f64 {
        self.monthly.zip(self.monthly_after).map_or(0.0, |(before, after)| (before - after).max(0.0))
    }
    /// What it says, with what a recording shows of it.
    pub fn whole(&self) -> Sentence {
        match &self.seen {
            Some(seen) => say!(EstateSaysSeen { says: self.says.clone(), seen: seen.clone() }),
            None => self.says.clone(),
        }
    }
    /// The same with the month of its prices where they are old; `said` renders a sentence.
    pub fn text(&self, said: impl Fn(&Sentence) -> String) -> String {
        let says = said(&self.whole());
        match &self.prices_of {
            Some(month) => said(&say!(EstatePricesOf { says, month })),
            None => says,
        }
    }
    /// What its remedy changes: the disk (empty: the machine), and which parts of it. Where no program knows what is set it is all that the finding is
    /// about.
    fn changed(&self) -> Vec<(&str, u8)> {
        fn of<'n>(id: &'n str, name: &'n str) -> &'n str {
            if id.is_empty() { name } else { id }
        }
        let changes = self.remedy.iter().flat_map(|remedy| &remedy.changes);
        let mut all: Vec<(&str, u8)> = changes
            .map(|change| {
                let parts = match change.set {
                    Setting::Iops(_) => IOPS,
                    Setting::MbPerS(_) | Setting::MibPerS(_) => BYTES,
                    _ => WHOLE,
                };
                (of(&change.disk_id, &change.disk), parts)
            })
            .collect();
        if all.is_empty() {
            all.push((of(&self.disk_id, &self.disk), WHOLE));
        }
        all
    }
    /// `machine/disk`, or what of it there is.
    pub fn place(&self) -> String {
        match (self.machine.as_str(), self.disk.as_str()) {
            (machine, "") => machine.into(),
            ("", disk) => disk.into(),
            (machine, disk) => format!("{machine}/{disk}"),
        }
    }
}

/// What ending several findings of one machine, or of disks on none, saves a month at least. Of those that change the same of a machine or a disk the one
/// that saves most counts: they are several ways to the same money.
pub fn saves_together<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> f64 {
    let mut all: Vec<&Finding> = findings.into_iter().filter(|finding| finding.saves() > 0.0).collect();
    all.sort_by(|a, b| b.saves().total_cmp(&a.saves()));
    let mut changed: HashMap<&str, u8> = HashMap::new();
    let mut sum = 0.0;
    for finding in all {
        let own = finding.changed();
        let is_other = own.iter().all(|(of, parts)| changed.get(of).is_none_or(|taken| taken & parts == 0));
        if is_other {
            sum += finding.saves();
            own.into_iter().for_each(|(of, parts)| *changed.entry(of).or_default() |= parts);
        }
    }
    sum
}

/// What of a disk is paid for by itself, as bits.
const IOPS: u8 = 1;
const BYTES: u8 = 2;
const WHOLE: u8 = IOPS | BYTES;

/// The smallest change that ends a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remedy {
    pub what: Sentence,
    /// How much it takes; left out where no page says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// What it takes, in the words of the vendor's pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes: Option<String>,
    /// The same for programs: what is set, and to what. Empty where that is for people to decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// How much a change takes, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Nothing stops.
    InPlace,
    /// A disk is detached and attached again.
    Detach,
    /// The machine is stopped and started.
    Restart,
    /// A new machine; its data disks go along.
    Redeploy,
    /// Data are copied to other disks.
    Migrate,
    /// There is no way.
    Refused,
}

impl Effort {
    pub const fn word(self) -> &'static str {
        match self {
            Effort::InPlace => "in_place",
            Effort::Detach => "detach",
            Effort::Restart => "restart",
            Effort::Redeploy => "redeploy",
            Effort::Migrate => "migrate",
            Effort::Refused => "refused",
        }
    }
}

/// A setting of a disk, or of the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The disk's name; left out where it is a setting of the machine.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub disk: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub disk_id: String,
    pub set: Setting,
}

/// What is set, and to what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Setting {
    /// The size of the machine, as its vendor calls it.
    Size(String),
    /// The kind of a disk, by its id in the catalogue, and its rates where they are chosen.
    Kind {
        kind: String,
        iops: Option<u64>,
        mb_per_s: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mib_per_s: Option<u64>,
    },
    /// I/Os per second of a disk.
    Iops(u64),
    /// MB/s of a disk.
    MbPerS(u64),
    /// MiB/s of a disk, of a vendor that sells those.
    MibPerS(u64),
    /// `None`, `ReadOnly` or `ReadWrite`.
    HostCache(String),
    /// The performance tier of a disk: its own, or this.
    Tier(String),
    /// Bursts of a disk that are paid by use.
    BurstsByUse(bool),
    /// Whether the machine may take a kind of disk that not every one takes.
    OpenTo { kind: String, open: bool },
    /// Whether a licence of its owner's is used.
    OwnLicence(bool),
    /// A disk is deleted.
    Deleted,
    /// The machine is deallocated.
    Deallocated,
}

/// A rule that could not be judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NotJudged {
    /// Codes.
    pub rules: Vec<String>,
    /// Of how many machines and disks.
    pub machines: u64,
    /// What is not known of them.
    pub lacks: String,
    /// Their other disks, of which it is known, were judged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_part: bool,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub code: String,
    /// In a few words.
    pub title: String,
    /// When it finds.
    pub threshold: String,
    /// As a rule; a finding may say otherwise.
    pub level: Level,
    /// What a recording of the machine makes of its findings; left out where that is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<String>,
}

/// A machine that was audited, or a group of such.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Audited {
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// So many alike.
    pub count: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Disks of one.
    pub disks: u64,
    /// What it costs a month with its disks; left out where a price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly: Option<f64>,
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub tags: std::collections::BTreeMap<String, String>,
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(AuditDocument).to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(saves: f64, disk: &str, changes: &[(&str, Setting)]) -> Finding {
        let change =
            |(disk, set): &(&str, Setting)| Change { disk: (*disk).into(), disk_id: String::new(), set: set.clone() };
        let says = say!(EstateReleased);
        Finding {
            code: "DW201".into(),
            level: Level::Warning,
            machine: "m".into(),
            machine_id: String::new(),
            disk: disk.into(),
            disk_id: String::new(),
            file: String::new(),
            says: says.clone(),
            seen: None,
            remedy: Some(Remedy {
                what: says,
                effort: None,
                takes: None,
                changes: changes.iter().map(change).collect(),
            }),
            monthly: Some(100.0),
            monthly_after: Some(100.0 - saves),
            prices_of: None,
            confidence: Confidence::Certain,
            sources: Vec::new(),
            waived: None,
        }
    }

    #[test]
    fn of_several_ways_to_the_same_money_one_counts() {
        let size = |saves| finding(saves, "", &[("", Setting::Size("D4s_v5".into()))]);
        let committed = |saves| finding(saves, "", &[]);
        let kind = |saves| {
            let set = Setting::Kind { kind: "PremiumV2".into(), iops: None, mb_per_s: None, mib_per_s: None };
            finding(saves, "a", &[("a", set)])
        };
        let iops = |saves, disks: &[&str]| {
            let all: Vec<_> = disks.iter().map(|disk| (*disk, Setting::Iops(1))).collect();
            finding(saves, "", &all)
        };
        let bytes = |saves| finding(saves, "a", &[("a", Setting::MibPerS(1))]);
        for (what, all, together) in [
            ("another size or a commitment", vec![size(20.0), committed(30.0)], 30.0),
            ("machine and disk", vec![size(20.0), kind(5.0)], 25.0),
            ("IOPS and bytes of one disk", vec![iops(4.0, &["a"]), bytes(3.0)], 7.0),
            ("rates of a disk, or another kind", vec![iops(4.0, &["a"]), bytes(3.0), kind(6.0)], 6.0),
            ("IOPS twice, once with those of another disk", vec![iops(4.0, &["a", "b"]), iops(5.0, &["a"])], 5.0),
            ("IOPS of two disks", vec![iops(4.0, &["a"]), iops(5.0, &["b"])], 9.0),
            ("nothing that is known", vec![kind(0.0)], 0.0),
        ] {
            assert_eq!(saves_together(&all), together, "{what}");
        }
    }
}
