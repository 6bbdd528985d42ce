//! Estates: inventories in, what is wrong with them out, and a scenario of any of their machines.

use std::io::BufRead;

use dw_audit::{Audit, Case, Market, Recordings, Waivers};
use dw_demand::volume_name;
use dw_documents::audit::{AuditDocument, NotJudged};
use dw_error::{Error, Result, obeyed};
pub use dw_estate::StripeFile;
use dw_estate::{Doubt, Estate, Gathered, Holds, Machine, Misnamed, Os, Stripe};
use dw_messages::{Sentence, say};
use dw_units::CacheMode;

use crate::session::Session;

pub mod out;
mod planned;

pub use planned::{Metric, RecordedEstate};

/// What an audit is told beside the estate.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// Which disks are one volume.
    pub stripes: StripeFile,
    /// What somebody accepts.
    pub waivers: Option<Waivers>,
    /// An estate whose findings are known: they are left out.
    pub baseline: Option<Estate>,
    /// What recordings show of its machines ([`Session::recorded_estate`]).
    pub recordings: Option<Recordings>,
}

/// Names that a sentence lists.
const LISTED: usize = 3;

/// Inventories as one estate, joined by id; `files` are what messages call them, and what is in them.
///
/// ```
/// let list = r#"[{"id": "/x/providers/Microsoft.Compute/virtualMachines/db", "name": "db", "hardwareProfile": {"vmSize": "Standard_D8s_v5"}}]"#;
/// let estate = diskwright::audit::estate([("vms.json".to_string(), list.as_bytes())])?;
/// assert_eq!(estate.machines[0].size.text(), Some("Standard_D8s_v5"));
/// # Ok::<(), diskwright::Error>(())
/// ```
pub fn estate<R: BufRead>(files: impl IntoIterator<Item = (String, R)>) -> Result<Estate> {
    let mut gathered = Gathered::default();
    for (name, mut from) in files {
        dw_formats::estate::read(&name, &mut from, &mut gathered)?;
    }
    Ok(gathered.joined())
}

/// Judges estates one after the other: what it looked up in the catalogue stays.
pub struct Auditor<'a> {
    market: Market<'a>,
}

impl Auditor<'_> {
    /// What is wrong with an estate.
    pub fn audit(&self, estate: &Estate) -> AuditDocument {
        self.market.audit(estate).document(estate.sources.clone(), doubts(estate))
    }
}

impl Session {
    /// Who judges many estates.
    pub fn auditor(&self, stripes: &StripeFile) -> Auditor<'_> {
        let today = self.now().map(|now| now.date());
        Auditor { market: Market::new(self.catalogue(), today, stripes.clone()) }
    }

    fn market<'a>(&'a self, options: &'a AuditOptions) -> Market<'a> {
        let mut market = self.auditor(&options.stripes).market;
        market.recordings = options.recordings.as_ref();
        market
    }

    /// What is wrong with an estate.
    pub fn audit(&self, estate: &Estate, options: &AuditOptions) -> AuditDocument {
        let found = self.market(options).audit(estate);
        self.with_options(found, estate.sources.clone(), doubts_with(estate, options), options)
    }
    /// The same of an estate that nobody needs after it: ten thousand machines and what is found of them are not held at once.
    pub fn audit_once(&self, mut estate: Estate, options: &AuditOptions) -> AuditDocument {
        let (sources, doubts) = (estate.sources.clone(), doubts_with(&estate, options));
        (estate.doubts, estate.unread) = Default::default();
        let found = self.market(options).audit_once(estate);
        self.with_options(found, sources, doubts, options)
    }

    fn with_options(
        &self,
        mut audit: Audit,
        sources: Vec<String>,
        doubts: Vec<Sentence>,
        options: &AuditOptions,
    ) -> AuditDocument {
        if let Some(baseline) = &options.baseline {
            // What recordings show of a machine they show of it in both.
            audit.without(&self.market(options).audit(baseline));
        }
        if let Some(waivers) = &options.waivers {
            waivers.apply(&mut audit.findings, self.now().map(|now| now.date()).as_deref());
        }
        audit.document(sources, doubts)
    }

    /// A scenario of one machine, called by its name or its id. What no source tells of it stands in comments.
    ///
    /// # Errors
    /// Of kind `Input` where no machine is called so, or several are, or its size is not known.
    pub fn rig_of_machine(&self, estate: &Estate, name: &str, stripes: &StripeFile) -> Result<String> {
        let called = |machine: &&Machine| *machine.name == *name || machine.id.eq_ignore_ascii_case(name);
        let mut found = estate.machines.iter().filter(called);
        let Some(machine) = found.next() else {
            let names = estate.machines.iter().map(|machine| &*machine.name);
            let near = dw_catalogue::nearest(name, names);
            let hint = match near.first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "the inventory has {} machines; their names are in its `name` fields",
                    estate.machines.len()
                ),
            };
            return Err(Error::input(format!("no machine is called `{name}`")).hint(hint));
        };
        if let Some(other) = found.next() {
            let hint = format!("give its id: `{}` or `{}`", machine.id, other.id);
            return Err(Error::input(format!("several machines are called `{name}`")).hint(hint));
        }
        let Some(size) = machine.size.text() else {
            return Err(Error::input(format!("the size of `{name}` is not known"))
                .hint("add the file that tells it: docs/guide/audit.md lists the commands"));
        };
        let market = Market::new(self.catalogue(), None, stripes.clone());
        Ok(scenario(size, &Case::new(machine, &market)))
    }
}

/// Text within quotes of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.into()).to_string()
}

fn scenario(size: &str, case: &Case) -> String {
    let machine = case.machine;
    let mut out = format!("# {}\n\n[vm]\nsize = {}\n", obeyed::line(&machine.name), quoted(size));
    match (&case.size, machine.chosen.text().filter(|chosen| !chosen.is_empty())) {
        (Some(size), _) => {
            for (key, value) in case.vendor().written_beside(size) {
                out += &format!("{key} = {value}\n");
            }
        }
        (None, Some(chosen)) => out += &format!("options = {{ {chosen} }}\n"),
        (None, None) => {}
    }
    if let Some(controller) = case.size.as_ref().and_then(|size| size.assumed.as_ref()) {
        out += &format!("# no inventory tells the controller of its disks: {controller} is taken\n");
    }
    let has_unknown_cache = case.size.as_ref().is_some_and(|size| size.cache_unknown);
    for (name, volume) in volumes(case) {
        let disks: Vec<_> = volume.disks.iter().map(|place| &case.disks[*place]).collect();
        let first = disks[0];
        let is_local = first.is_local();
        if is_local || disks.iter().any(|disk| disk.facts.is_none()) {
            let why = if is_local { "it is local" } else { "its kind or its size is not known" };
            out += &format!("\n# left out, {why}: {}\n", obeyed::line(&names_of(&disks)));
            continue;
        }
        out += "\n";
        if !volume.is_certain {
            out += &format!("# proposed as one stripe, for they look like one: {}\n", obeyed::line(&names_of(&disks)));
        }
        out += &format!("[[volume]]\nname = {}\n", quoted(&name));
        if first.disk.holds == Holds::System {
            out += if machine.os.value() == Some(Os::Windows) { "mount = \"C:\"\n" } else { "mount = \"/\"\n" };
        }
        out += "disks = [\n";
        for disk in &disks {
            out += &format!("  {{ {} }},\n", disk_of(case, disk));
        }
        out += "]\n";
        if let Some(unit) = &volume.unit {
            out += &format!("stripe_unit = {}\n", quoted(unit));
        }
        match first.cache() {
            None => out += "# host_cache is not known\n",
            Some(CacheMode::None) => {}
            // A cache whose limits nobody knows cannot be simulated.
            Some(mode) if has_unknown_cache => {
                out += &format!(
                    "# host_cache = \"{}\" is left out: no source has the limits of the cache of this size\n",
                    mode.name()
                );
            }
            Some(mode) => out += &format!("host_cache = \"{}\"\n", mode.name()),
        }
    }
    out
}

/// Its disks as volumes, in their order, with names that a scenario may have.
fn volumes(case: &Case) -> Vec<(String, Stripe)> {
    let alone = (0..case.disks.len()).filter(|place| !case.volumes.iter().any(|volume| volume.disks.contains(place)));
    let alone = alone.map(|place| Stripe {
        volume: case.disks[place].name().to_string(),
        disks: vec![place],
        unit: None,
        is_certain: true,
        devices: Vec::new(),
    });
    let mut volumes: Vec<Stripe> =
        case.volumes.iter().cloned().chain(alone).filter(|volume| !volume.disks.is_empty()).collect();
    volumes.sort_by_key(|volume| volume.disks[0]);
    let names: Vec<&str> =
        volumes.iter().map(|volume| if volume.volume.is_empty() { "data" } else { volume.volume.as_str() }).collect();
    volume_name::fitting(&names).into_iter().zip(volumes.iter().cloned()).collect()
}

fn names_of(disks: &[&dw_audit::DiskCase]) -> String {
    disks.iter().map(|disk| disk.name()).collect::<Vec<_>>().join(", ")
}

fn disk_of(case: &Case, disk: &dw_audit::DiskCase) -> String {
    let keys = disk.facts.iter().flat_map(|facts| case.vendor().written(facts));
    let mut keys: Vec<String> = keys.map(|(key, value)| format!("{key} = {value}")).collect();
    let chosen = disk.disk.chosen.text().filter(|chosen| !chosen.is_empty());
    keys.extend(chosen.map(|chosen| format!("options = {{ {chosen} }}")));
    keys.join(", ")
}

/// The same with what of the options has no effect on it.
fn doubts_with(estate: &Estate, options: &AuditOptions) -> Vec<Sentence> {
    let misnamed = options.stripes.misnamed(&estate.machines).into_iter().map(|one| match one {
        Misnamed::Machine { file, machine } => say!(EstateStripeNoMachine { file, machine }),
        Misnamed::Disk { file, machine, disk } => say!(EstateStripeNoDisk { file, machine, disk }),
    });
    misnamed.chain(doubts(estate)).collect()
}

/// What to know about inventories before their findings are believed.
pub fn doubts(estate: &Estate) -> Vec<Sentence> {
    let mut said: Vec<Sentence> = estate.doubts.iter().map(doubt).collect();
    let names = |of: &std::collections::BTreeMap<String, u64>| {
        let mut names: Vec<(&String, &u64)> = of.iter().collect();
        names.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        let more = names.len() > LISTED;
        names
            .into_iter()
            .take(LISTED)
            .map(|(name, _)| name.clone())
            .chain(more.then(|| "...".to_string()))
            .collect::<Vec<_>>()
    };
    let (fields, records) = (&estate.unread.fields, &estate.unread.records);
    if !fields.is_empty() {
        said.push(say!(EstateUnread {
            fields: fields.values().sum::<u64>(),
            kinds: fields.len(),
            names: names(fields)
        }));
    }
    if !records.is_empty() {
        said.push(say!(EstateUnreadRecords {
            records: records.values().sum::<u64>(),
            kinds: records.len(),
            names: names(records)
        }));
    }
    said
}

/// What no rule could judge, by what was not known.
pub fn unjudged(audit: &AuditDocument) -> Vec<Sentence> {
    let said = |one: &NotJudged| {
        let (rules, machines, what) = (one.rules.clone(), one.machines, one.lacks.clone());
        match one.in_part {
            true => say!(EstateUnjudgedDisks { rules, machines, what }),
            false => say!(EstateUnjudged { rules, machines, what }),
        }
    };
    audit.not_judged.iter().map(said).collect()
}

fn doubt(doubt: &Doubt) -> Sentence {
    match doubt.clone() {
        Doubt::CutShort { file, records, why } => say!(EstateCutShort { file, records, why }),
        Doubt::MorePages { file, key } => say!(EstateMorePages { file, key }),
        Doubt::Part { files, records, total: Some(total) } => {
            say!(EstatePart { file: files.join(", "), records, total })
        }
        Doubt::Part { files, records, total: None } => say!(EstatePartUnknown { file: files.join(", "), records }),
        Doubt::Nothing { file, .. } => say!(EstateNothing { file }),
        Doubt::Record { file, what } => say!(EstateRecord { file, what }),
        Doubt::Differ { name, field, other, .. } => say!(EstateDiffer { name, field, other }),
        Doubt::Expression { name, field, text } => say!(EstateExpression { name, field, text }),
        Doubt::Unresolved { name } => say!(EstateUnresolved { name }),
        Doubt::Again { machines, members, disks } => say!(EstateAgain { machines, members, disks }),
    }
}

#[cfg(test)]
mod tests;
