//! Recordings of an estate: each is matched to its machine, which is observed by itself; what was seen settles findings, and is planned for.
//!
//! A recording belongs to the machines whose ids, or whose disks' ids, stand in it; of several in one file each takes what is named after it.
//! One without an id belongs to the machine that its file or a folder around it is called like, or that it names itself. A device is a disk by
//! its LUN, or by the disk's name; what guests call disks is none, unless the file of stripes says so. What fits nothing is told, as is a machine
//! without a recording.
//!
//! Ignores: which of two files is right where both tell of one time (the checklist has it); machines that are several alike, for a recording of one says
//! nothing of the others.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::BufRead;

use dw_audit::{Case, Market, Recorded as Shown, RecordedPoint, RecordedVolume, Recordings};
use dw_catalogue::moves::Effort;
use dw_counters::OS_DISK;
use dw_documents::estate::{PlannedEstate, PlannedMachine, UnmatchedRecording, Wave};
use dw_error::{Error, Kind, Result};
use dw_estate::{Disk, Estate, Holds, Machine, StripeFile};
use dw_observe::volumes::VolumeChoice;
use dw_observe::{
    ALL_LUNS, Amount, Common, Fact, Fault, Observation, Origin, Reading, Recorder, Settings, Sink, Stamp,
    VolumeObservation,
};
use dw_units::Money;
use serde_json::{Map, Value, json};

use super::{scenario, volumes};
use crate::diff::Side;
use crate::keys::Keys;
use crate::observe::{ObservationOutcome, ObserveOptions, Recording};
use crate::plan::PlanOptions;
use crate::session::Session;

/// A file that may be a recording.
#[derive(Clone, Debug)]
pub struct Metric {
    /// What the session's files call it.
    pub name: String,
    /// What it may be called after: its own name without its ending, then the folders around it, the innermost first.
    pub called: Vec<String>,
}

/// What recordings of an estate come to.
#[derive(Clone, Debug, Default)]
pub struct RecordedEstate {
    /// Each machine, with its plan where one was asked for.
    pub planned: PlannedEstate,
    /// What they show of each machine, for [`AuditOptions::recordings`](super::AuditOptions::recordings).
    pub shown: Recordings,
}

/// What ids are longer than is none.
const LONGEST_ID: usize = 1 << 10;
/// What a name of a machine is parted by from the rest of a file's name.
const SEPARATORS: [char; 4] = ['.', '-', '_', ' '];

/// Machines by what they are called.
struct Index<'a> {
    estate: &'a Estate,
    by_id: HashMap<&'a str, usize>,
    /// In small letters.
    by_name: HashMap<String, Vec<usize>>,
}

impl<'a> Index<'a> {
    fn new(estate: &'a Estate) -> Index<'a> {
        let mut by_id = HashMap::new();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, machine) in estate.machines.iter().enumerate() {
            let ids = machine.disks.iter().map(|disk| &*disk.id).chain([&*machine.id]);
            by_id.extend(ids.filter(|id| !id.is_empty()).map(|id| (id, place)));
            by_name.entry(machine.name.to_ascii_lowercase()).or_default().push(place);
        }
        Index { estate, by_id, by_name }
    }

    /// The machine of an id, or of an id that begins with one.
    fn of_id(&self, text: &str) -> Option<usize> {
        let mut rest = text.trim_end_matches('/');
        while !rest.is_empty() {
            if let Some(place) = self.by_id.get(rest) {
                return Some(*place);
            }
            rest = &rest[..rest.rfind('/')?];
        }
        None
    }

    /// The machine that a file is called after: by its whole name, or by the longest beginning of it.
    fn called(&self, name: &str) -> Option<&[usize]> {
        let name = name.to_ascii_lowercase();
        let parts = name.char_indices().rev().filter(|(_, c)| SEPARATORS.contains(c)).map(|(at, _)| at);
        [name.len()].into_iter().chain(parts).find_map(|end| self.by_name.get(&name[..end])).map(Vec::as_slice)
    }

    /// Of these machines the one that a recording calls so: by its name, or by its group and its name.
    fn named(&self, among: &[usize], name: &str) -> Option<usize> {
        let (group, own) = name.rsplit_once('/').map_or((None, name), |(group, own)| (Some(group), own));
        let is_in = |id: &str| group.is_none_or(|group| id.contains(&format!("/{}/", group.to_ascii_lowercase())));
        let fits = |machine: &Machine| {
            let is_called = machine.name.eq_ignore_ascii_case(own)
                || machine.id.rsplit('/').next().is_some_and(|last| last.eq_ignore_ascii_case(own));
            is_called && is_in(&machine.id)
        };
        let mut fitting = among.iter().copied().filter(|place| fits(&self.estate.machines[*place]));
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

/// The machines whose ids stand in a file.
fn ids_in(mut from: impl BufRead, index: &Index) -> std::io::Result<BTreeSet<usize>> {
    let (mut found, mut token) = (BTreeSet::new(), Vec::new());
    let mut last = String::new();
    let mut end = |token: &mut Vec<u8>| {
        if token.first() == Some(&b'/') && token.len() <= LONGEST_ID {
            let text = String::from_utf8_lossy(token).to_ascii_lowercase();
            // One id stands in thousands of rows.
            if text != last {
                found.extend(index.of_id(&text));
                last = text;
            }
        }
        token.clear();
    };
    loop {
        let bytes = from.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        for byte in bytes {
            match byte {
                b'"' | b'\'' | b',' | b';' | b'\n' | b'\r' | b'\t' | b' ' | 0 => end(&mut token),
                byte if token.len() <= LONGEST_ID => token.push(*byte),
                _ => {}
            }
        }
        let count = bytes.len();
        from.consume(count);
    }
    end(&mut token);
    Ok(found)
}

/// What was recorded of one machine.
#[derive(Default)]
struct Recorded {
    recorder: Recorder,
    /// Its files in the order in which the recorder numbers them.
    files: Vec<usize>,
    devices: BTreeSet<String>,
}

/// Whose a file is.
struct File {
    /// The machines whose ids stand in it.
    ids: Vec<usize>,
    /// That which it is called after.
    called: Option<usize>,
}

impl File {
    /// The machine, where all in it is of one.
    fn only(&self) -> Option<usize> {
        match (self.ids.as_slice(), self.called) {
            ([], Some(own)) | (&[own], _) => Some(own),
            _ => None,
        }
    }
}

/// Readings on their way to their machines.
struct Dispatch<'a> {
    index: &'a Index<'a>,
    recorded: BTreeMap<usize, Recorded>,
    /// The file that each place of a call is.
    places: Vec<usize>,
    all: &'a [Option<File>],
    /// What says which tool wrote a file.
    tools: HashMap<usize, (Common, Reading)>,
    /// Names within a file of which no machine is called so, with why.
    nobody: BTreeSet<(usize, String)>,
}

impl Dispatch<'_> {
    fn machine(&self, file: usize, common: &Common, device: Option<&str>) -> Result<usize, String> {
        let Some(File { ids, called }) = self.all.get(file).and_then(Option::as_ref) else {
            return Err("it cannot be read".into());
        };
        if let Some(name) = common.machine.as_deref().map(|name| name.to_string()) {
            // A name within a file counts where the file is called after no machine, or has ids of its own.
            if !ids.is_empty() {
                return self
                    .index
                    .named(ids, &name)
                    .ok_or(format!("no machine of the inventory is `{name}` by its id"));
            }
            if called.is_none() {
                let all = self.index.by_name.get(&name.to_ascii_lowercase());
                return match all.map(Vec::as_slice) {
                    Some([one]) => Ok(*one),
                    Some(several) => Err(format!("{} machines are called `{name}`", several.len())),
                    None => Err(format!("no machine of the inventory is called `{name}`")),
                };
            }
        }
        let has = |place: &&usize| {
            let disks = &self.index.estate.machines[**place].disks;
            device.is_some_and(|device| disks.iter().any(|disk| is_named(disk, device)))
        };
        let mut holding = ids.iter().filter(has);
        let of_disk = holding.next().filter(|_| holding.next().is_none()).copied();
        let only = match ids[..] {
            [only] => Some(only),
            _ => *called,
        };
        of_disk.or(only).ok_or("it names no machine of the inventory, and is called after none".into())
    }

    fn give(&mut self, place: usize, file: usize, line: u64, common: Common, reading: Reading) {
        let recorded = self.recorded.entry(place).or_default();
        let known = recorded.files.iter().position(|own| *own == file);
        let number = known.unwrap_or(recorded.files.len()) as u32;
        if known.is_none() {
            recorded.files.push(file);
            if let Some((common, tool)) = self.tools.get(&file) {
                recorded.recorder.take(Origin { file: number, line: 1 }, common.clone(), tool.clone());
            }
        }
        if let Reading::Disk { device, .. }
        | Reading::DiskCounters { device, .. }
        | Reading::DiskGrowth { device, .. }
        | Reading::Io { device, .. } = &reading
        {
            recorded.devices.insert(device.to_string());
        }
        recorded.recorder.take(Origin { file: number, line }, common, reading);
    }
}

impl Sink for Dispatch<'_> {
    fn take(&mut self, origin: Origin, common: Common, reading: Reading) {
        let file = self.places.get(origin.file as usize).copied().unwrap_or_default();
        let device = match &reading {
            Reading::Disk { device, .. }
            | Reading::DiskCounters { device, .. }
            | Reading::DiskGrowth { device, .. } => Some(device.to_string()),
            _ => None,
        };
        let found = self.machine(file, &common, device.as_deref());
        // By whatever name a recording calls it, it is this machine.
        let common = Common { machine: None, ..common };
        if matches!(reading, Reading::Fact(Fact::Tool(_))) {
            let having: Vec<usize> =
                self.recorded.iter().filter(|(_, own)| own.files.contains(&file)).map(|(place, _)| *place).collect();
            self.tools.insert(file, (common.clone(), reading.clone()));
            having.into_iter().for_each(|place| self.give(place, file, origin.line, common.clone(), reading.clone()));
            return;
        }
        match found {
            Ok(place) => self.give(place, file, origin.line, common, reading),
            // What is said of a whole file is nobody's alone.
            Err(_) if matches!(reading, Reading::Fact(_)) => {}
            Err(why) => drop(self.nobody.insert((file, why))),
        }
    }
    fn fault(&mut self, origin: Origin, fault: Fault) {
        let file = self.places.get(origin.file as usize).copied().unwrap_or_default();
        for recorded in self.recorded.values_mut() {
            if let Some(number) = recorded.files.iter().position(|own| *own == file) {
                recorded.recorder.fault(Origin { file: number as u32, ..origin }, fault.clone());
            }
        }
    }
}

fn is_named(disk: &Disk, device: &str) -> bool {
    disk.name.eq_ignore_ascii_case(device)
        || disk.id.rsplit('/').next().is_some_and(|last| !last.is_empty() && last.eq_ignore_ascii_case(device))
}

impl Session {
    /// Matches recordings to machines, and says what each machine's own recordings show; with `plans` each is planned by that, too. A machine that
    /// cannot be planned is a row with why.
    ///
    /// # Errors
    /// Of kind `Interrupted` where somebody wants to stop.
    pub fn recorded_estate(
        &self,
        estate: &Estate,
        stripes: &StripeFile,
        metrics: &[Metric],
        plans: bool,
    ) -> Result<RecordedEstate> {
        let index = Index::new(estate);
        let mut out = PlannedEstate::default();
        let mut files = Vec::new();
        let unmatched = |name: &str, why: String| UnmatchedRecording { recording: name.into(), why };
        for metric in metrics {
            self.go_on()?;
            let ids = self.files().open(&metric.name).and_then(|from| ids_in(from, &index));
            let called = metric.called.iter().find_map(|name| index.called(name));
            files.push(match ids {
                Err(e) => {
                    out.unmatched.push(unmatched(&metric.name, e.to_string()));
                    None
                }
                Ok(ids) if ids.is_empty() && called.is_some_and(|all| all.len() > 1) => {
                    let count = called.map_or(0, <[usize]>::len);
                    out.unmatched.push(unmatched(&metric.name, format!("{count} machines are called like it")));
                    None
                }
                Ok(ids) => Some(File {
                    called: called
                        .and_then(|all| all.first().copied())
                        .filter(|own| ids.is_empty() || ids.contains(own)),
                    ids: ids.into_iter().collect(),
                }),
            });
        }
        // Files of one machine are read together, since they may continue each other; those of several each by itself.
        let mut of_one: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut of_several = Vec::new();
        for (place, file) in files.iter().enumerate() {
            match file.as_ref().map(File::only) {
                Some(Some(machine)) => of_one.entry(machine).or_default().push(place),
                Some(None) => of_several.push(vec![place]),
                None => {}
            }
        }
        let mut recorded: BTreeMap<usize, Recorded> = BTreeMap::new();
        for group in of_one.into_values().chain(of_several) {
            for (place, why) in self.dispatched(metrics, &files, &index, group, &mut recorded)? {
                out.unmatched.push(unmatched(&metrics[place].name, why));
            }
        }
        out.unmatched.sort();
        out.unmatched.dedup();
        let market = Market::new(self.catalogue(), None, stripes.clone());
        let mut has_recording = vec![false; estate.machines.len()];
        let mut all = Recordings::new();
        for (place, recorded) in recorded {
            self.go_on()?;
            has_recording[place] = true;
            let case = Case::new(&estate.machines[place], &market);
            let (row, shown) = self.recorded_one(&case, recorded, metrics, plans)?;
            out.machines.push(row);
            all.extend(shown.map(|shown| (Box::from(case.key()), shown)));
        }
        let without = estate.machines.iter().zip(has_recording).filter(|(_, has)| !has);
        out.unrecorded = without.map(|(machine, _)| machine.name.to_string()).collect();
        Ok(RecordedEstate { planned: out, shown: all })
    }

    /// Reads files into what is recorded; which of them are of nobody, or no recordings. Of files of one machine all others are read where one is
    /// none; of a file of several what came before the fault stays.
    fn dispatched(
        &self,
        metrics: &[Metric],
        files: &[Option<File>],
        index: &Index,
        mut group: Vec<usize>,
        recorded: &mut BTreeMap<usize, Recorded>,
    ) -> Result<Vec<(usize, String)>> {
        let mut failed = Vec::new();
        loop {
            let Some(file) = group.first().and_then(|place| files[*place].as_ref()) else { return Ok(failed) };
            let mut sink = Dispatch {
                index,
                recorded: std::mem::take(recorded),
                places: group.clone(),
                all: files,
                tools: HashMap::new(),
                nobody: BTreeSet::new(),
            };
            let name = |place: &usize| metrics[*place].name.as_str();
            let recordings: Vec<Recording> = group.iter().map(|place| Recording::file(name(place))).collect();
            let read = self.record(&recordings, &ObserveOptions::default(), &mut sink);
            let Dispatch { recorded: found, nobody, .. } = sink;
            *recorded = found;
            match read {
                Err(error) if error.kind == Kind::Interrupted => return Err(error),
                Ok(()) => {
                    failed.extend(nobody);
                    return Ok(failed);
                }
                Err(error) => {
                    let of_error = |place: &usize| error.place.as_ref().is_some_and(|at| at.file == name(place));
                    let at = group.iter().position(of_error).unwrap_or(0);
                    failed.push((group.remove(at), error.what.clone()));
                    if let Some(own) = file.only() {
                        recorded.remove(&own);
                    }
                }
            }
        }
    }

    fn recorded_one(
        &self,
        case: &Case,
        recorded: Recorded,
        metrics: &[Metric],
        plans: bool,
    ) -> Result<(PlannedMachine, Option<Shown>)> {
        let machine = case.machine;
        let own = case.running_monthly();
        let monthly: Option<Money> = case.disks.iter().map(|disk| disk.monthly).chain([own]).sum();
        let mut row = PlannedMachine {
            machine: machine.name.to_string(),
            machine_id: machine.id.to_string(),
            recordings: recorded.files.iter().map(|place| metrics[*place].name.clone()).collect(),
            minutes: 0,
            size: machine.size.text().unwrap_or_default().to_string(),
            monthly: monthly.map(Money::amount),
            planned_size: None,
            planned_monthly: None,
            wave: None,
            changes: Vec::new(),
            takes: Vec::new(),
            unrecorded: Vec::new(),
            why_not: None,
        };
        let mut shown = None;
        let result = self.seen_of(case, recorded, metrics).and_then(|seen| {
            row.unrecorded = seen.unrecorded.iter().map(|place| case.disks[*place].name().to_string()).collect();
            let volumes = &seen.outcome.observation.volumes;
            row.minutes = volumes.first().map_or(0, |all| all.series.covered().ns() / 60_000_000_000);
            shown = Some(shown_of(case, &seen));
            if plans { self.plan_of(case, &seen, &mut row) } else { Ok(()) }
        });
        match result {
            Ok(()) => {}
            Err(error) if error.kind == Kind::Interrupted => return Err(error),
            Err(Error { what, hint, .. }) => {
                row.why_not = Some(if hint.is_empty() { what } else { format!("{what}; {hint}") })
            }
        }
        Ok((row, shown))
    }

    fn seen_of(&self, case: &Case, mut recorded: Recorded, metrics: &[Metric]) -> Result<Seen> {
        if case.machine.copies() != 1 {
            return Err(Error::input("it stands for several machines, and a recording is of one"));
        }
        let (chosen, unrecorded) = chosen(case, &volumes(case), &recorded.devices)?;
        // Use of processors is in percent of those that the size has.
        let common = Common::at(Stamp::Report { index: 0 });
        let cpus = case.size.as_ref().map(|size| Fact::Cpus(size.vcpu));
        for fact in [Fact::Tool("inventory".into())].into_iter().chain(cpus) {
            let origin = Origin { file: recorded.files.len() as u32, line: 1 };
            recorded.recorder.take(origin, common.clone(), Reading::Fact(fact));
        }
        let settings =
            Settings { volumes: chosen.iter().map(|(choice, _)| choice.clone()).collect(), ..Settings::default() };
        let mut names: Vec<String> = recorded.files.iter().map(|place| metrics[*place].name.clone()).collect();
        names.push("inventory".into());
        Ok(Seen { outcome: self.observed(recorded.recorder, names, &settings)?, chosen, unrecorded })
    }

    fn plan_of(&self, case: &Case, seen: &Seen, row: &mut PlannedMachine) -> Result<()> {
        let Seen { outcome: observed, chosen, .. } = seen;
        let machine = case.machine;
        let Some(size) = &case.size else { return Err(Error::input("the catalogue does not have its size")) };
        let Some(region) = machine.region.text() else { return Err(Error::input("its region is not known")) };
        let mut plan = Map::from_iter([("region".to_string(), Value::from(region))]);
        // Disks are as large as they are: how full they are nobody recorded, so none of it is to stay free of what is there.
        plan.insert("capacity_headroom_percent".into(), 0.into());
        // Both sides with the licence that is paid for.
        if case.pays_windows() && case.running_monthly().is_some() {
            plan.insert("os".into(), "windows".into());
        }
        if observed.observation.cpu.is_empty() {
            plan.insert("vcpu_min".into(), size.vcpu.into());
        }
        if let Some(memory) = size.memory_mib.filter(|_| observed.observation.memory.is_empty()) {
            plan.insert("memory_min".into(), format!("{memory} MiB").into());
        }
        let keys = chosen.iter().map(|(choice, places)| {
            let gib: u64 = places.iter().filter_map(|place| case.disks[*place].disk.gib.value()).sum();
            let is_system = places.iter().any(|place| !case.disks[*place].is_data());
            let role = if is_system { json!("os") } else { Value::Null };
            let mut keys = Map::from_iter([("capacity".to_string(), Value::from(format!("{gib} GiB")))]);
            keys.extend((!role.is_null()).then(|| ("role".to_string(), role)));
            (choice.name.clone(), Value::Object(keys))
        });
        let keys = Keys::of_parts(plan, keys.collect());
        let demand = self.demand_of(observed, "whole", &keys)?;
        let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
        let document = self.plan_with(&demand, &options)?.document;
        let Some(plan) = &document.plan else { return Err(Error::input(document.answer.text)) };
        row.planned_size = Some(plan.vm.clone());
        // Disks that are not planned stay, and are paid for.
        let planned: BTreeSet<usize> = chosen.iter().flat_map(|(_, places)| places.iter().copied()).collect();
        let kept =
            (0..case.disks.len()).filter(|place| !planned.contains(place)).map(|place| case.disks[place].monthly);
        let kept: Option<Money> = kept.sum();
        // Where what it costs today is not known, what it costs on top of a plan is not either.
        let known = kept.zip(case.running_monthly());
        row.planned_monthly = known.map(|(kept, _)| plan.monthly + kept.amount());
        let now = self.side("inventory", &scenario(&row.size, case));
        let Ok(now) = now else { return Ok(()) };
        let then = Side::Plan("plan".into(), Box::new(document.clone()));
        let is_planned = |what: &str| {
            what == "VM size"
                || chosen.iter().any(|(choice, _)| {
                    what.strip_prefix(&choice.name).is_some_and(|rest| [" disks", " host cache"].contains(&rest))
                })
        };
        let changed =
            self.diff(&now, &then, Some(region)).rows.into_iter().filter(|row| row.differs && is_planned(&row.what));
        row.changes = changed
            .map(|row| format!("{}: {} to {}", row.what, row.a.unwrap_or_default(), row.b.unwrap_or_default()))
            .collect();
        let moves = self.moves(&now, &then, Some(region));
        let most = moves.iter().map(|(_, row)| row.effort).max();
        row.wave = match most {
            _ if row.changes.is_empty() => Some(Wave::Nothing),
            None => None,
            Some(Effort::InPlace | Effort::Detach) => Some(Wave::InPlace),
            Some(Effort::Restart) => Some(Wave::Restart),
            Some(Effort::Redeploy | Effort::Migrate | Effort::Refused) => Some(Wave::Migrate),
        };
        row.takes = moves.iter().map(|(what, row)| format!("{what}: {}", row.said())).collect();
        Ok(())
    }
}

/// What was seen of a machine.
struct Seen {
    outcome: ObservationOutcome,
    chosen: Vec<(VolumeChoice, Vec<usize>)>,
    /// Disks that recordings do not tell of, by their places.
    unrecorded: Vec<usize>,
}

/// The same for rules. Of a recording longer than memory the busiest of each group of intervals counts: what is never reached is not either.
fn shown_of(case: &Case, seen: &Seen) -> Shown {
    let Observation { volumes, .. } = &seen.outcome.observation;
    // Of several the first is all of them together.
    let own = if volumes.len() > 1 { &volumes[1..] } else { volumes };
    let volume = |(choice, places): &(VolumeChoice, Vec<usize>)| {
        let observed = own.iter().find(|one| one.name == choice.name)?;
        let disks = places.iter().map(|place| Box::from(case.disks[*place].key())).collect();
        Some(RecordedVolume { disks, points: points(observed), reads: reads(observed) })
    };
    Shown { volumes: seen.chosen.iter().filter_map(volume).collect() }
}

fn points(of: &VolumeObservation) -> Vec<RecordedPoint> {
    let rate = |amount: Amount| amount.known().map_or(f32::NAN, |rate| rate as f32);
    let point = |point: &dw_observe::series::Point| RecordedPoint {
        at: point.at,
        span: point.span.ns(),
        rates: [rate(point.ios), rate(point.bytes)],
    };
    of.series.busiest().iter().map(point).collect()
}

/// Reads among its I/Os, as a share of one.
fn reads(of: &VolumeObservation) -> Option<f64> {
    let known = of
        .series
        .means()
        .iter()
        .filter_map(|point| Some((point.reads.known()?, point.writes.known()?, point.seconds())));
    let (reads, all) = known.fold((0.0, 0.0), |(sum, all), (reads, writes, seconds)| {
        (sum + reads * seconds, all + (reads + writes) * seconds)
    });
    (all > 0.0).then(|| reads / all)
}

/// Volumes with the devices that recordings call their disks, and the disks that they do not tell of.
type Chosen = (Vec<(VolumeChoice, Vec<usize>)>, Vec<usize>);

fn chosen(case: &Case, all: &[(String, dw_estate::Stripe)], devices: &BTreeSet<String>) -> Result<Chosen> {
    let has = |device: &str| devices.iter().find(|own| own.eq_ignore_ascii_case(device)).cloned();
    let device = |place: &usize| {
        let disk = case.disks[*place].disk;
        let by_name = || devices.iter().find(|device| is_named(disk, device)).cloned();
        let by_place = match disk.holds {
            Holds::System => has(OS_DISK),
            Holds::Data => disk.lun.value().and_then(|lun| has(&format!("LUN {lun}"))),
        };
        by_place.or_else(by_name)
    };
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (name, stripe) in all {
        let own: Vec<String> = match stripe.devices.as_slice() {
            [] => stripe.disks.iter().filter_map(device).collect(),
            said => said.iter().filter_map(|device| has(device)).collect(),
        };
        let expected = if stripe.devices.is_empty() { stripe.disks.len() } else { stripe.devices.len() };
        match own.len() {
            0 => missing.extend(stripe.disks.iter().copied()),
            some if some < expected => {
                return Err(Error::input(format!(
                    "the recording has {some} of the {expected} disks of its volume `{name}`"
                )));
            }
            _ => found.push((VolumeChoice { name: name.clone(), devices: own }, stripe.disks.clone())),
        }
    }
    let is_data = |places: &[usize]| places.iter().any(|place| case.disks[*place].is_data());
    if !found.iter().any(|(_, places)| is_data(places)) && has(ALL_LUNS).is_some() {
        let data: Vec<_> = all.iter().filter(|(_, stripe)| is_data(&stripe.disks)).collect();
        let [(name, stripe)] = data[..] else {
            return Err(Error::input("its metrics are of all data disks together").hint("export them split by LUN"));
        };
        missing.retain(|place| !stripe.disks.contains(place));
        found.push((VolumeChoice { name: name.clone(), devices: vec![ALL_LUNS.into()] }, stripe.disks.clone()));
    }
    if found.is_empty() {
        let list: Vec<&str> = devices.iter().map(String::as_str).take(LISTED).collect();
        let what = format!("none of its disks is in the recording, whose devices are {}", list.join(", "));
        return Err(Error::input(what).hint("say in a file of stripes which `devices` a volume is on"));
    }
    Ok((found, missing))
}

/// Devices that a sentence lists.
const LISTED: usize = 8;
