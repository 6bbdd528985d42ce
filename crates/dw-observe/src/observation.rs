//! From everything that was kept to what people get: volumes with checklists and distributions, and the audit.
//!
//! One source gives the disks: the one with the finest intervals. Others of the same machine give what it lacks
//! (processors, memory, transactions, random and sequential), and where they have disks too they are compared with it.
//!
//! Ignores: everything of machines that were not chosen.
//!
//! Invariant: the sum of all volumes is taken stamp by stamp, never from the volumes' percentiles.

use std::collections::BTreeMap;

use dw_messages::say;
use dw_units::{Bytes, Duration};

use super::amount::Amount;
use super::audit::{self, Finding};
use super::checklist::{self, Checklist, Other, Parts, Patterns, Provenance, Rateless, RowId};
use super::clock::{Axis, scaled};
use super::histogram::Histogram;
use super::past::{OtherPast, VolumePast, windows_of};
use super::recorder::{Device, Plain, Recorder, Source};
use super::row::Row;
use super::sample::{Name, Role};
use super::series::{self, IntervalFrom, Noticed, Series};
use super::trace::{Frame, Interval, Trace};
use super::volumes::{self, Counted, Doubt, LeftOut, VolumeChoice};
use super::windows::{Placed, When, Window};

/// What the user wants to see.
#[derive(Clone, Debug)]
pub struct Settings {
    /// One machine of several.
    pub machine: Option<String>,
    /// Volumes and their devices; none: by the devices' names.
    pub volumes: Vec<VolumeChoice>,
    /// Windows besides the whole; one called `exclude` is left out of everything.
    pub windows: Vec<Window>,
    /// Demand is multiplied by this for the plan.
    pub growth: f64,
    /// Percent of random requests, as the user says.
    pub random_percent: Option<f64>,
    /// Memory of the machine, where no file has it.
    pub memory_total: Option<Bytes>,
    /// The command that measures random and sequential.
    pub trace_command: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            machine: None,
            volumes: Vec::new(),
            windows: Vec::new(),
            growth: 1.0,
            random_percent: None,
            memory_total: None,
            trace_command: "sudo diskwright observe --every 1s --for 60s --trace".into(),
        }
    }
}

/// Why nothing can be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObserveError {
    /// Several machines, and none was chosen.
    Machines(Vec<Name>),
    /// The chosen machine is not there.
    NoMachine(String, Vec<Name>),
    /// No interval of any disk; says what there was.
    NoDisks(String),
    /// Volumes that make no sense.
    Volume(String),
    /// Windows that hold nothing, or overlap what they must not.
    Window(String),
    /// The interval that was said, and the one that the recording's times have.
    Every(Duration, Duration),
    /// An option that the recording answers otherwise: its name, what it says and what the recording says.
    Known(&'static str, String, String),
}

impl std::fmt::Display for ObserveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |names: &[Name]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        match self {
            ObserveError::Machines(names) => {
                write!(f, "these are readings of {} machines: {}", names.len(), list(names))
            }
            ObserveError::NoMachine(name, names) => {
                write!(f, "there are no readings of machine `{name}`; there are {}", list(names))
            }
            ObserveError::NoDisks(why) => write!(f, "there is no interval of any disk{why}"),
            ObserveError::Volume(why) | ObserveError::Window(why) => write!(f, "{why}"),
            ObserveError::Every(said, found) => {
                write!(f, "`--every` is {said}, and the times in the recording are {found} apart")
            }
            ObserveError::Known(option, said, found) => {
                write!(f, "`{option}` is {said}, and the recording itself says {found}")
            }
        }
    }
}

impl std::error::Error for ObserveError {}

impl From<ObserveError> for dw_error::Error {
    fn from(error: ObserveError) -> Self {
        let hint = error.hint();
        dw_error::Error::of(dw_error::Kind::Input, error).hint(hint)
    }
}

impl ObserveError {
    /// What to do.
    pub fn hint(&self) -> &'static str {
        match self {
            ObserveError::Machines(_) => "choose one with `--machine NAME`",
            ObserveError::NoMachine(..) => "name one of them",
            ObserveError::NoDisks(_) => "two reports are needed after the since-boot one: `iostat -xyt 1 60 > FILE`",
            ObserveError::Volume(_) => "write `--volume NAME=DEVICE,DEVICE`",
            ObserveError::Window(_) => "write `--window NAME=WHEN`, see docs/guide/observe.md",
            ObserveError::Known(..) => "leave the option out: it is for what no file says",
            ObserveError::Every(..) => "leave `--every` out: it is for recordings without times",
        }
    }
}

/// A source, for people.
#[derive(Clone, Debug)]
pub struct SourceInfo {
    /// The tool.
    pub tool: String,
    /// Files, by their index.
    pub files: Vec<u32>,
    /// What it was used for.
    pub used_for: String,
}

/// How something is distributed.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// `io_size`, `latency` or `queue_depth`.
    pub what: &'static str,
    /// Of what: I/Os, or means of intervals.
    pub of: String,
    /// From, to, share of one.
    pub buckets: Vec<(f64, f64, f64)>,
}

/// A volume, or all of them together.
#[derive(Clone, Debug)]
pub struct VolumeObserved {
    /// Its name; the sum is called `all volumes`.
    pub name: String,
    /// Its devices.
    pub devices: Vec<Name>,
    /// What it did over time.
    pub series: Series,
    /// Whole first, then the windows.
    pub checklists: Vec<Checklist>,
    /// Distributions of sizes, latencies, outstanding requests.
    pub distributions: Vec<Distribution>,
    /// Why its requests are known, and how many a second is not.
    pub rateless: Option<Rateless>,
}

/// Everything that is known.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The machine, when a file names it.
    pub machine: Option<Name>,
    /// Its processors, when a file says.
    pub cpus: Option<u32>,
    /// Its memory, when a file or the user says.
    pub memory_total: Option<Bytes>,
    /// Its kernel.
    pub kernel: Option<Name>,
    /// Who said all this.
    pub sources: Vec<SourceInfo>,
    /// All volumes together first, unless there is only one; then each.
    pub volumes: Vec<VolumeObserved>,
    /// Devices that are not counted.
    pub left_out: LeftOut,
    /// Devices that were counted or left out for what they did.
    pub doubts: Vec<Doubt>,
    /// Windows, whole first.
    pub windows: Vec<Window>,
    /// Length of the blocks of windows by load.
    pub load_block: Duration,
    /// Busy processors over time, in percent.
    pub cpu: Vec<(i64, f64)>,
    /// Memory in use over time, in bytes.
    pub memory: Vec<(i64, f64)>,
    /// What to doubt, the gravest first.
    pub findings: Vec<Finding>,
    /// Demand is multiplied by this for the plan.
    pub growth: f64,
    /// Damaged lines.
    pub damaged_lines: u64,
}

/// A source made ready.
pub(crate) struct Ready {
    pub source: Source,
    pub axis: Axis,
    pub interval: (Duration, IntervalFrom),
    patterns: BTreeMap<Name, Vec<(i64, Duration, super::randomness::Pattern)>>,
    /// The time that its traces cover, where rates are counted from them.
    pub frame: Option<Frame>,
}

impl Ready {
    fn new(mut source: Source, every: Option<Duration>) -> Ready {
        for device in source.devices.values_mut() {
            if device.rows.is_empty() && device.trace.is_none() && !device.folded {
                // Only peaks: better than nothing, and said in the audit.
                device.rows = std::mem::take(&mut device.peaks);
            }
        }
        let counted = |d: &Device| d.folded || !d.rows.is_empty();
        let has_counters = source.devices.values().any(counted);
        let mut patterns = BTreeMap::new();
        let mut known = source.past.as_ref().map(|past| past.interval);
        let mut frame = None;
        if let Some(width) = source.trace_width {
            let mut traces: Vec<&mut Trace> =
                source.devices.values_mut().filter_map(|d| d.trace.as_deref_mut()).collect();
            frame = Frame::of(&mut traces, width);
        }
        if let Some(frame) = &frame {
            if !has_counters {
                let from = if every.is_some() { IntervalFrom::Asked } else { IntervalFrom::File };
                known = Some((Duration::from_ns(frame.width.unsigned_abs()), from));
            }
            for (name, device) in &mut source.devices {
                let Some(trace) = &device.trace else { continue };
                let intervals = trace.intervals(frame);
                if device.rows.is_empty() {
                    let row = |i: &Interval| Row::new(i.at, i.span.ns(), i.origin, &i.disk);
                    device.rows = intervals.iter().map(row).collect();
                }
                let asked = intervals.into_iter().filter(|i| i.pattern.ios > 0);
                patterns.insert(name.clone(), asked.map(|i| (i.at, i.span, i.pattern)).collect());
            }
        }
        let frame = frame.filter(|_| !has_counters);
        Ready { patterns, frame, ..Ready::part(source, known, every) }
    }

    /// A part of a recording, whose interval may be known from the parts before.
    pub(crate) fn part(mut source: Source, known: Option<(Duration, IntervalFrom)>, every: Option<Duration>) -> Ready {
        let axis = source.axis.unwrap_or_default();
        for device in source.devices.values_mut().chain([&mut source.host]) {
            device.rows.sort_by_key(|r| r.at);
        }
        let most: Option<&Device> = source.devices.values().chain([&source.host]).max_by_key(|d| d.rows.len());
        let rows = most.map_or(&[][..], |d| &d.rows);
        let interval = known.unwrap_or_else(|| series::interval(rows, axis, every, source.asked_interval));
        Ready { source, axis, interval, patterns: BTreeMap::new(), frame: None }
    }

    /// Why its requests are known, and how many a second is not.
    pub(crate) fn rateless(&self) -> Option<Rateless> {
        if self.source.devices.values().any(|d| d.trace.as_ref().is_some_and(|trace| trace.untimed)) {
            return Some(Rateless::Untimed);
        }
        let short = self.frame.as_ref().filter(|f| !f.has_rates())?;
        Some(Rateless::Short { length: short.length(), interval: self.interval.0 })
    }

    fn has_disks(&self) -> bool {
        let rows = |d: &Device| d.folded || !d.rows.is_empty();
        self.source.devices.values().any(rows) || rows(&self.source.host)
    }

    fn tool(&self) -> String {
        self.source.tool.as_deref().unwrap_or("unnamed tool").to_string()
    }

    /// Readings on the axis, each with its length.
    pub(crate) fn plain(&self, list: &[Plain]) -> (Vec<(i64, Duration, f64)>, Duration) {
        let mut list = list.to_vec();
        list.sort_by_key(|p| p.at);
        let scale = if self.axis == Axis::Reports { self.interval.0.ns() as i64 } else { 1 };
        let mut steps: Vec<u64> = if self.axis == Axis::Reports {
            Vec::new()
        } else {
            list.windows(2).map(|w| (w[1].at - w[0].at).unsigned_abs()).filter(|s| *s > 0).collect()
        };
        steps.sort_unstable();
        let usual = steps.get(steps.len() / 2);
        let usual = usual.map_or(self.interval.0, |s| series::usual(*s, self.source.asked_interval));
        let span = |p: &Plain| if p.span > 0 { Duration::from_ns(p.span) } else { usual };
        (list.iter().map(|p| (scaled(p.at, scale), span(p), p.value)).collect(), usual)
    }
}

/// Makes the checklist of one machine.
pub fn observe(mut recorder: Recorder, settings: &Settings) -> Result<Observation, ObserveError> {
    recorder.release();
    recorder.mark_damaged();
    let machine = machine_of(&recorder, settings)?;
    let every = recorder.options.every;
    let (damaged_lines, readings) = (recorder.fault_count, recorder.readings);
    let fits = |s: &Source| s.machine.is_none() || s.machine == machine;
    let sources = std::mem::take(&mut recorder.sources);
    let mut ready: Vec<Ready> = sources.into_iter().filter(fits).map(|s| Ready::new(s, every)).collect();
    if let Some((said, found)) = every.and_then(|every| contradicted(every, &ready)) {
        return Err(ObserveError::Every(said, found));
    }
    known(settings, recorder.options.utc_offset_min, &ready)?;
    let with_disks = ready.iter().enumerate().filter(|(_, r)| r.has_disks());
    // What has times, then the finest intervals; of equals the one with devices, then the first.
    let primary = with_disks
        .min_by_key(|(i, r)| (r.rateless().is_some(), r.interval.0, r.source.devices.is_empty(), *i))
        .map(|(i, _)| i);
    let Some(primary) = primary else { return Err(ObserveError::NoDisks(what_there_was(&ready, readings))) };
    ready.swap(0, primary);
    ready[1..].sort_by_key(|r| r.source.files.first().copied());
    for r in &mut ready {
        r.source.memory_total = r.source.memory_total.or(settings.memory_total);
    }
    let observation = build(machine, &ready, settings, damaged_lines)?;
    match settings.random_percent.and_then(|said| Some((said, measured_random(&observation)?))) {
        Some((said, found)) => Err(ObserveError::Known(
            "--random",
            format!("{said} %"),
            format!("{found:.1} %, in the requests that it has"),
        )),
        None => Ok(observation),
    }
}

/// What was said though the files say it, and otherwise.
fn known(settings: &Settings, utc_offset_min: Option<i16>, ready: &[Ready]) -> Result<(), ObserveError> {
    let total = ready.iter().find_map(|r| r.source.memory_total);
    if let (Some(said), Some(found)) = (settings.memory_total, total)
        && said != found
    {
        return Err(ObserveError::Known("--memory-total", said.to_string(), found.to_string()));
    }
    let mut zones = ready.iter().flat_map(|r| r.source.seen.zones.keys());
    // One time without a zone is enough to need it.
    if let (Some(said), Some(Some(found))) = (utc_offset_min, zones.clone().min())
        && zones.all(|zone| *zone != Some(said))
    {
        let shown = |min: i16| {
            let sign = if min < 0 { '-' } else { '+' };
            format!("{sign}{:02}:{:02}", min.unsigned_abs() / 60, min.unsigned_abs() % 60)
        };
        return Err(ObserveError::Known("--utc-offset", shown(said), shown(*found)));
    }
    Ok(())
}

/// How many percent of the requests are random, where that is measured of all volumes.
fn measured_random(observation: &Observation) -> Option<f64> {
    let rows = || observation.volumes.iter().flat_map(|v| &v.checklists).filter_map(|c| c.row(RowId::Random));
    if rows().any(|row| row.provenance == Provenance::Asked) { None } else { rows().find_map(|row| row.mean) }
}

/// An interval that was said and serves no source, with what the times of the first one say.
fn contradicted(every: Duration, ready: &[Ready]) -> Option<(Duration, Duration)> {
    let serves = |r: &&Ready| {
        r.interval.1 != IntervalFrom::File
            || r.source.asked_interval == Some(every)
            || !series::contradicts(every, r.interval.0)
    };
    let first = ready.first().filter(|_| !ready.iter().any(|r| serves(&r)))?;
    Some((every, first.interval.0))
}

fn machine_of(recorder: &Recorder, settings: &Settings) -> Result<Option<Name>, ObserveError> {
    let machines = recorder.machines();
    match &settings.machine {
        Some(wanted) => match machines.iter().find(|m| m.eq_ignore_ascii_case(wanted)) {
            Some(machine) => Ok(Some(machine.clone())),
            None => Err(ObserveError::NoMachine(wanted.clone(), machines)),
        },
        None if machines.len() > 1 => Err(ObserveError::Machines(machines)),
        None => Ok(machines.first().cloned()),
    }
}

fn what_there_was(ready: &[Ready], readings: u64) -> String {
    let first: u64 = ready.iter().map(|r| r.source.seen.first.count).sum();
    let impossible: u64 = ready.iter().map(|r| r.source.seen.impossible.count).sum();
    match (readings, first, impossible) {
        (0, _, _) => ": the recording is empty".into(),
        (_, 0, 0) => " in it".into(),
        (_, 0, n) => format!(": all {n} are impossible"),
        (_, n, _) => format!(": its {n} lines are of a first report, which counts since boot"),
    }
}

fn build(
    machine: Option<Name>,
    ready: &[Ready],
    settings: &Settings,
    damaged_lines: u64,
) -> Result<Observation, ObserveError> {
    let primary = &ready[0];
    let source = &primary.source;
    let with_rows = |(name, d): (&Name, &Device)| (d.folded || !d.rows.is_empty()).then(|| (name.clone(), d.role));
    let devices: BTreeMap<Name, Role> = source.devices.iter().filter_map(with_rows).collect();
    let members: Vec<(Name, Name)> = ready.iter().flat_map(|r| r.source.members.clone()).collect();
    let host_only = devices.is_empty();
    let volumes::Chosen { counted, left_out, doubts } = if host_only {
        let counted = vec![Counted { name: "all disks".into(), devices: Vec::new() }];
        volumes::Chosen { counted, ..volumes::Chosen::default() }
    } else {
        let traffic = |name: &Name| source.traffic(name);
        let before = source.past.as_ref().map_or(&[][..], |past| &past.doubts);
        volumes::choose(&devices, &members, &settings.volumes, before, &traffic).map_err(ObserveError::Volume)?
    };
    let past = source.past.as_deref();
    let mut noticed = past.map(|p| p.noticed.clone()).unwrap_or_default();
    let before = past.and_then(|p| p.sum.last);
    let mut sum = joined(primary, counted.iter().flat_map(|c| &c.devices), before, &mut noticed);
    if !source.idle_hidden {
        noticed.settle_devices();
    }
    with_host_split(&mut sum, &source.host);
    let (windows, excluded) = windows_of(settings);
    let out = past.map_or_else(|| Placed::on(&sum, &excluded), |p| p.out.clone());
    let mut by_load = Placed::uncounted(&sum, &windows[1..]);
    let keep = |at: i64, axis: Axis| !excluded.iter().any(|w| out.holds(w, axis, at));
    sum.points.retain(|p| keep(p.at, sum.axis));
    if sum.points.is_empty() && past.is_none_or(|p| p.sum.thinned.first().is_empty()) {
        return Err(ObserveError::Window("the excluded windows take every interval".into()));
    }
    check_windows(&windows, sum.axis)?;
    // What is left out of everything makes no block a peak.
    by_load.count(&sum);
    let placed = past.map_or_else(|| by_load.settled(), |p| p.placed.clone());

    let others = Others::of(ready, &keep);
    let names: Vec<String> = counted.iter().map(|c| c.name.clone()).collect();
    let with = With { ready, others: &others, windows: &windows, placed: &placed, settings };
    let mut volumes = Vec::new();
    if counted.len() > 1 {
        let devices = counted.iter().flat_map(|c| c.devices.clone()).collect();
        volumes.push(volume("all volumes".to_string(), devices, sum.clone(), past.map(|p| &p.sum), &with));
    }
    for c in counted {
        let past = past.and_then(|p| p.each.get(&c.name));
        let mut series = if names.len() == 1 {
            sum.clone()
        } else {
            joined(primary, c.devices.iter(), past.and_then(|p| p.last), &mut Noticed::default())
        };
        series.points.retain(|p| keep(p.at, series.axis));
        volumes.push(volume(c.name, c.devices, series, past, &with));
    }
    let sum = volumes.first().map_or(sum, |first: &VolumeObserved| first.series.clone());
    let sources = describe_sources(ready, &others);
    let find = |f: fn(&Source) -> Option<Name>| ready.iter().find_map(|r| f(&r.source));
    let mut observation = Observation {
        machine,
        cpus: ready.iter().find_map(|r| r.source.cpus),
        memory_total: ready.iter().find_map(|r| r.source.memory_total),
        kernel: find(|s| s.kernel.clone()),
        sources,
        volumes,
        left_out,
        doubts,
        windows,
        load_block: placed.block(),
        cpu: others.shown(0),
        memory: others.shown(1),
        findings: Vec::new(),
        growth: settings.growth,
        damaged_lines,
    };
    observation.findings = audit::findings(&observation, ready, &sum, &noticed);
    Ok(observation)
}

/// Windows by hours need a clock.
fn check_windows(windows: &[Window], axis: Axis) -> Result<(), ObserveError> {
    for window in windows {
        let needs_date = matches!(&window.when, When::Dates { .. });
        let needs_clock = matches!(&window.when, When::Clock { .. });
        if (needs_clock && !axis.has_clock()) || (needs_date && (!axis.has_clock() || axis == Axis::Day)) {
            return Err(ObserveError::Window(format!(
                "window `{}` goes by the clock, and the recording has no times: use `load`, or `{}=0s..10min`",
                window.name, window.name
            )));
        }
    }
    Ok(())
}

pub(crate) fn joined<'a>(
    ready: &'a Ready,
    devices: impl Iterator<Item = &'a Name>,
    before: Option<i64>,
    noticed: &mut Noticed,
) -> Series {
    let mut names: Vec<&Name> = devices.collect();
    names.sort();
    let rows = |name: &'a Name| Some((&**name, ready.source.devices.get(name)?.rows.as_slice()));
    let mut list: Vec<(&str, &[Row])> = names.into_iter().filter_map(rows).collect();
    if list.is_empty() {
        list.push(("all disks", &ready.source.host.rows));
    }
    series::join(&list, ready.axis, ready.interval, before, ready.source.missing(), noticed)
}

/// A tool that parts reads from writes only for the whole machine says so for the sum of all disks.
pub(crate) fn with_host_split(sum: &mut Series, host: &Device) {
    let scale = if sum.axis == Axis::Reports { sum.interval.ns() as i64 } else { 1 };
    let by_time: BTreeMap<i64, &Row> = host.rows.iter().map(|r| (scaled(r.at, scale), r)).collect();
    for point in &mut sum.points {
        let Some(row) = by_time.get(&point.at).filter(|r| r.is_split()) else { continue };
        if point.reads.is_missing() && point.writes.is_missing() {
            (point.reads, point.writes) = (row.reads(), row.writes());
            // Transfers of a device count discards too; the host parts them.
            point.ios = row.iops();
        }
        if point.read_bytes.is_missing() && point.write_bytes.is_missing() {
            (point.read_bytes, point.write_bytes) = (row.read_bytes(), row.write_bytes());
        }
    }
}

/// What is known besides the disks.
struct Others {
    cpu: Option<Other>,
    memory: Option<Other>,
    transactions: Option<Other>,
    axis: [Axis; 3],
    pasts: [Option<OtherPast>; 3],
}

impl Others {
    fn of(ready: &[Ready], keep: &dyn Fn(i64, Axis) -> bool) -> Others {
        let mut axis = [Axis::default(); 3];
        let mut pasts = [None, None, None];
        let mut first = |slot: usize| {
            let of =
                |r: &Ready| (list_of(&r.source, slot), r.source.past.as_ref().and_then(|p| p.others[slot].clone()));
            let all = ready.iter().map(|r| (r, of(r)));
            let (r, (list, past)) = all.into_iter().find(|(_, (list, past))| !list.is_empty() || past.is_some())?;
            let (mut readings, mut interval) = r.plain(&list);
            if let Some(past) = past {
                interval = past.interval;
                pasts[slot] = Some(past);
            }
            readings.retain(|(at, _, _)| keep(*at, r.axis));
            axis[slot] = r.axis;
            Some(Other { past: None, readings, interval, source: r.tool(), note: None, estimated: false })
        };
        let mut cpu = first(0);
        let memory = first(1);
        let estimated = ready.iter().any(|r| r.source.memory_estimated && !r.source.memory_available.is_empty());
        let memory = memory.map(|m| Other {
            estimated,
            note: Some(if estimated { say!(NoteMemoryBound) } else { say!(NoteMemory) }),
            ..m
        });
        let counter = ready.iter().find_map(|r| transactions_counter(&r.source));
        let transactions = counter.and_then(|name| first(2).map(|o| (o, name)));
        let transactions =
            transactions.map(|(o, name)| Other { note: Some(say!(Plain { text: name.to_string() })), ..o });
        if let (Some(cpu), Some(cpus)) = (&mut cpu, ready.iter().find_map(|r| r.source.cpus)) {
            cpu.note = Some(say!(NoteCpus { processors: cpus }));
        }
        Others { cpu, memory, transactions, axis, pasts }
    }

    /// The part of a kind that lies in a window.
    fn within(&self, slot: usize, (index, window): (usize, &Window), placed: &Placed) -> Option<Other> {
        let other = [&self.cpu, &self.memory, &self.transactions][slot].as_ref()?;
        let axis = self.axis[slot];
        let readings = other.readings.iter().filter(|r| placed.holds(window, axis, r.0)).copied().collect();
        let past = self.pasts[slot].as_ref().and_then(|past| past.gathered.get(index).cloned());
        let (source, note) = (other.source.clone(), other.note.clone());
        Some(Other { past, readings, source, note, ..*other })
    }

    /// Readings over time, for plots.
    fn shown(&self, slot: usize) -> Vec<(i64, f64)> {
        let before = self.pasts[slot].iter().flat_map(|past| past.shown.iter().copied());
        let other = [&self.cpu, &self.memory, &self.transactions][slot];
        before.chain(other.iter().flat_map(|o| &o.readings).map(|r| (r.0, r.2))).collect()
    }
}

/// Readings of processors, memory or transactions.
pub(crate) fn list_of(source: &Source, slot: usize) -> Vec<Plain> {
    match slot {
        0 => source.cpu.clone(),
        1 if !source.memory_used.is_empty() => source.memory_used.clone(),
        1 => {
            // Readings that came before their total was known, or whose total only the user knows.
            let Some(total) = source.memory_total else { return Vec::new() };
            let used = |p: &Plain| Plain { value: (total.get() as f64 - p.value).max(0.0), ..*p };
            source.memory_available.iter().map(used).collect()
        }
        _ => transactions_of(source),
    }
}

/// The counter that says transactions best: the busiest, user transactions before batches; of a recording that was
/// folded, the best of its first part.
pub(crate) fn transactions_counter(source: &Source) -> Option<Name> {
    if source.counter.is_some() {
        return source.counter.clone();
    }
    let mut sums: BTreeMap<Name, f64> = BTreeMap::new();
    for ((counter, _), list) in source.transactions.iter().filter(|(_, list)| !list.is_empty()) {
        *sums.entry(counter.clone()).or_default() += list.iter().map(|p| p.value).sum::<f64>();
    }
    sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(counter, _)| counter)
}

/// Transactions of all instances together; `_Total` where there is one.
fn transactions_of(source: &Source) -> Vec<Plain> {
    let Some(counter) = transactions_counter(source) else { return Vec::new() };
    let of = source.transactions.iter().filter(|((c, _), _)| *c == counter);
    let total = |i: &Option<Name>| i.as_deref() == Some("_Total");
    let has_total = of.clone().any(|((_, i), _)| total(i));
    let lists: Vec<&Vec<Plain>> =
        of.filter(|((_, i), list)| (!has_total || total(i)) && !list.is_empty()).map(|(_, list)| list).collect();
    let mut sums: BTreeMap<i64, (Plain, usize)> = BTreeMap::new();
    for p in lists.iter().flat_map(|list| list.iter()) {
        let add = |sum: &mut (Plain, usize)| *sum = (Plain { value: sum.0.value + p.value, ..sum.0 }, sum.1 + 1);
        sums.entry(p.at).and_modify(add).or_insert((*p, 1));
    }
    // An instance without a figure between two of its own did what nobody knows: the sum would be too small.
    let ends: Vec<(i64, i64)> = lists
        .iter()
        .filter_map(|list| Some((list.iter().map(|p| p.at).min()?, list.iter().map(|p| p.at).max()?)))
        .collect();
    let whole =
        |(at, (_, n)): &(&i64, &(Plain, usize))| *n >= ends.iter().filter(|(a, b)| (*a..=*b).contains(*at)).count();
    sums.iter().filter(whole).map(|(_, (sum, _))| *sum).collect()
}

/// What all volumes share.
struct With<'a> {
    ready: &'a [Ready],
    others: &'a Others,
    windows: &'a [Window],
    placed: &'a Placed,
    settings: &'a Settings,
}

fn volume(
    name: String,
    devices: Vec<Name>,
    mut series: Series,
    past: Option<&VolumePast>,
    with: &With,
) -> VolumeObserved {
    let (ready, placed, settings) = (with.ready, with.placed, with.settings);
    let patterns = patterns(ready, &devices);
    let source = ready[0].tool();
    let rateless = ready[0].rateless();
    let checklist = |(index, window): (usize, &Window)| {
        let inside = |at: i64| placed.holds(window, series.axis, at);
        let points: Vec<_> = series.points.iter().filter(|p| inside(p.at)).copied().collect();
        let [cpu, memory, transactions] = [0, 1, 2].map(|slot| with.others.within(slot, (index, window), placed));
        let patterns = patterns.as_ref().map(|(axis, p)| Patterns {
            intervals: p.intervals.iter().filter(|i| placed.holds(window, *axis, i.0)).copied().collect(),
            ..p.clone()
        });
        checklist::fill(&Parts {
            window: &window.name,
            past: past.and_then(|past| past.gathered.get(index)),
            points: &points,
            interval: series.interval,
            source: &source,
            estimated: false,
            rateless,
            transactions: transactions.as_ref(),
            cpu: cpu.as_ref(),
            memory: memory.as_ref(),
            patterns: patterns.as_ref(),
            random_asked: settings.random_percent,
            trace_command: &settings.trace_command,
        })
    };
    let checklists = with.windows.iter().enumerate().map(checklist).collect();
    if let Some(past) = past {
        let mut thinned = past.thinned.clone();
        series.points.drain(..).for_each(|p| thinned.push(p));
        series.points = thinned.first().to_vec();
        series.thinned = (thinned.every() > 1).then_some(thinned);
    }
    let distributions = distributions(ready, &devices, &series);
    if rateless.is_some() {
        // No rate of it means anything: not in a plot, and not in a plan.
        series.points.clear();
    }
    VolumeObserved { name, devices, series, checklists, distributions, rateless }
}

/// The traced devices of a volume: those of its names, or all when the names of the trace are others.
fn traced<'a>(ready: &'a [Ready], devices: &[Name]) -> Vec<(&'a Ready, &'a Name, &'a Device)> {
    let all = ready.iter().flat_map(|r| r.source.devices.iter().map(move |(n, d)| (r, n, d)));
    let all: Vec<_> = all.filter(|(_, _, d)| d.trace.is_some()).collect();
    let named: Vec<_> = all.iter().filter(|(_, name, _)| devices.contains(name)).copied().collect();
    let foreign = |(_, name, _): &(&Ready, &Name, &Device)| !ready[0].source.devices.contains_key(*name);
    if named.is_empty() && all.len() == 1 && all.iter().all(foreign) { all } else { named }
}

fn patterns(ready: &[Ready], devices: &[Name]) -> Option<(Axis, Patterns)> {
    let traced = traced(ready, devices);
    let (first, _, device) = traced.first()?;
    let level = device.trace.as_ref()?.pattern_level()?;
    let mut sums: BTreeMap<i64, (Duration, super::randomness::Pattern)> = BTreeMap::new();
    let mut queue_level = super::randomness::Pattern::default();
    for (r, name, device) in &traced {
        for (at, span, pattern) in r.patterns.get(*name).into_iter().flatten() {
            let entry = sums.entry(*at).or_insert((*span, super::randomness::Pattern::default()));
            entry.0 = entry.0.max(*span);
            entry.1 = entry.1.plus(*pattern);
        }
        if let Some(trace) = &device.trace {
            queue_level = trace.patterns[0].iter().fold(queue_level, |sum, p| sum.plus(*p));
        }
    }
    let level_name = ["as the application asked", "as the device was asked", "in the order of completion"][level];
    let patterns = Patterns {
        intervals: sums.into_iter().map(|(at, (span, p))| (at, span, p)).collect(),
        source: first.tool(),
        level: level_name,
        queue_level: (level != 0 && queue_level.ios > 0).then_some(queue_level),
    };
    Some((first.axis, patterns))
}

fn distributions(ready: &[Ready], devices: &[Name], series: &Series) -> Vec<Distribution> {
    let traced = traced(ready, devices);
    let mut sizes = Histogram::default();
    let mut latencies = Histogram::default();
    let mut depths = Histogram::default();
    for (_, _, device) in &traced {
        let Some(trace) = &device.trace else { continue };
        trace.sizes.iter().for_each(|h| sizes.merge(h));
        trace.latencies.iter().for_each(|h| latencies.merge(h));
        depths.merge(&trace.depths);
    }
    let means = format!("means of {}", series.interval);
    let of_ios = |h: &Histogram, what, scale: f64, of: &str| {
        let total = h.total() as f64;
        let list: Vec<(u64, u64)> = h.buckets().collect();
        let bucket = |(low, n): &(u64, u64)| {
            let width = (*low / 16).max(1);
            (*low as f64 * scale, low.saturating_add(width) as f64 * scale, *n as f64 / total)
        };
        Distribution { what, of: of.into(), buckets: list.iter().map(bucket).collect() }
    };
    let of_points =
        |what, scale: f64, value: &dyn Fn(&series::Point) -> Amount, weight: &dyn Fn(&series::Point) -> Amount| {
            let mut h = Histogram::default();
            for p in &series.points {
                let (value, weight) = (value(p).known(), weight(p).known());
                if let (Some(value), Some(weight)) = (value.filter(|v| *v >= 0.0), weight.filter(|w| *w > 0.0)) {
                    h.add((value / scale).round() as u64, (weight * p.seconds() * 1000.0).round() as u64);
                }
            }
            of_ios(&h, what, scale, &means)
        };
    let io_size = if sizes.total() > 0 {
        of_ios(&sizes, "io_size", 1.0, "I/Os")
    } else {
        of_points("io_size", 1.0, &series::Point::io_size, &|p| p.ios)
    };
    let latency = if latencies.total() > 0 {
        of_ios(&latencies, "latency", 1e-9, "I/Os")
    } else {
        of_points("latency", 1e-9, &series::Point::latency, &|p| p.ios)
    };
    let queue_depth = if depths.total() > 0 {
        of_ios(&depths, "queue_depth", 1.0, "requests, as each new one found it")
    } else {
        of_points("queue_depth", 0.001, &|p| p.depth, &|_| Amount::from(1.0))
    };
    [io_size, latency, queue_depth].into_iter().filter(|d| !d.buckets.is_empty()).collect()
}

fn describe_sources(ready: &[Ready], others: &Others) -> Vec<SourceInfo> {
    let describe = |(i, r): (usize, &Ready)| {
        let mut uses = Vec::new();
        if i == 0 {
            uses.push("disks");
        } else if r.has_disks() {
            uses.push("compared");
        }
        let of = |o: &Option<Other>| o.as_ref().is_some_and(|o| o.source == r.tool());
        uses.extend(of(&others.cpu).then_some("CPU"));
        uses.extend(of(&others.memory).then_some("memory"));
        uses.extend(of(&others.transactions).then_some("transactions"));
        uses.extend((!r.patterns.is_empty()).then_some("random and sequential"));
        let used_for = if uses.is_empty() { "nothing".into() } else { uses.join(", ") };
        SourceInfo { tool: r.tool(), files: r.source.files.clone(), used_for }
    };
    ready.iter().enumerate().map(describe).collect()
}
