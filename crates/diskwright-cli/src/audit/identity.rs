//! What a finding is called by programs that compare runs: code scanning, reports of tests.
//!
//! It is made of the finding's code, machine and disk, and of nothing that may change while the finding stays: no figure, no level, no order, no
//! path of a file. Names are enough where they are unique; where they are not, ids stand in their place: of a machine where another one of the
//! estate is called the same, of a disk where another finding would be called the same. Several findings of one rule of one thing differ by the
//! limit that they are about.
//!
//! Invariant: no two findings of an audit are called the same.

use std::collections::{HashMap, HashSet};

use dw_documents::audit::{AuditDocument, Finding};
use dw_messages::Arg;

/// How findings of an audit are told apart.
pub struct Identities<'a> {
    /// Names that several machines have.
    shared: HashSet<&'a str>,
    /// By place among the findings: how much of [`Identity`] it takes to be the only one.
    needs: Vec<Need>,
}

/// How much it takes, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Need {
    Names,
    Limit,
    DiskId,
    /// All else is the same, so that any order of them is: two rows of a file of waivers.
    Number(usize),
}

/// What one finding is called, in its parts.
pub struct Identity<'a> {
    pub code: &'a str,
    /// The machine's name, or its id.
    pub machine: &'a str,
    /// The disk's name, or its id.
    pub disk: &'a str,
    /// The limit that it is about, where that tells it from others.
    pub limit: String,
    /// From 2 on, where nothing else does.
    pub number: Option<usize>,
}

impl<'a> Identities<'a> {
    pub fn new(audit: &'a AuditDocument) -> Identities<'a> {
        let mut names = HashSet::new();
        let shared = audit.estate.iter().map(|machine| machine.name.as_str()).filter(|name| !names.insert(*name));
        let mut all = Identities { shared: shared.collect(), needs: vec![Need::Names; audit.findings.len()] };
        for more in [Need::Limit, Need::DiskId] {
            for group in all.groups(&audit.findings) {
                group.into_iter().for_each(|place| all.needs[place] = more);
            }
        }
        for group in all.groups(&audit.findings) {
            group.into_iter().enumerate().skip(1).for_each(|(n, place)| all.needs[place] = Need::Number(n + 1));
        }
        all
    }

    /// Places of findings that are called the same so far.
    fn groups(&self, findings: &'a [Finding]) -> Vec<Vec<usize>> {
        // Of the text, for a name may have the mark that stands between the parts.
        let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, finding) in findings.iter().enumerate() {
            groups.entry(self.with(finding, self.needs[place]).text()).or_default().push(place);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }

    /// What a machine is called: its name, or where others have it, too, its id.
    pub fn machine(&self, name: &'a str, id: &'a str) -> &'a str {
        if !id.is_empty() && self.shared.contains(name) { id } else { name }
    }

    /// What the finding at a place is called.
    pub fn of(&self, place: usize, finding: &'a Finding) -> Identity<'a> {
        self.with(finding, self.needs[place])
    }

    /// The same with everything that is known, whatever the other findings are.
    pub fn whole(&self, place: usize, finding: &'a Finding) -> Identity<'a> {
        let machine = if finding.machine_id.is_empty() { &finding.machine } else { &finding.machine_id };
        Identity { machine, ..self.with(finding, self.needs[place].max(Need::DiskId)) }
    }

    fn with(&self, finding: &'a Finding, need: Need) -> Identity<'a> {
        let has_id = need >= Need::DiskId && !finding.disk_id.is_empty();
        Identity {
            code: &finding.code,
            machine: self.machine(&finding.machine, &finding.machine_id),
            disk: if has_id { &finding.disk_id } else { &finding.disk },
            limit: if need >= Need::Limit { limit(finding) } else { String::new() },
            number: if let Need::Number(number) = need { Some(number) } else { None },
        }
    }
}

/// The limit that a finding is about, in English; empty where it is about none.
fn limit(finding: &Finding) -> String {
    let of = |arg: &Arg| if let Arg::Limit(limit) = arg { Some(limit.to_string()) } else { None };
    finding.says.args.values().find_map(of).unwrap_or_default()
}

impl Identity<'_> {
    /// `DW103:web:web-data`, with what else tells it from others.
    pub fn text(&self) -> String {
        let mut text = format!("{}:{}:{}", self.code, self.machine, self.disk);
        if !self.limit.is_empty() {
            text += &format!(":{}", self.limit);
        }
        if let Some(number) = self.number {
            text += &format!(":{number}");
        }
        text
    }

    /// The same without the machine: `DW103 web-data`.
    pub fn of_machine(&self) -> String {
        let number = self.number.map_or_else(String::new, |number| format!("({number})"));
        let parts = [self.code, self.disk, &self.limit, &number];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// 64 bits of it as digits: FNV-1a.
    pub fn hash(&self) -> String {
        let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        format!("{:016x}", self.text().bytes().fold(0xcbf2_9ce4_8422_2325, fnv))
    }
}
