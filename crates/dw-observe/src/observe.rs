//! From everything that was kept to what people get: volumes with checklists and distributions, and the audit.
//!
//! One source gives the disks: the one with the finest intervals. Others of the same machine give what it lacks
//! (processors, memory, transactions, random and sequential), and where they have disks too they are compared with it.
//!
//! Ignores: everything of machines that were not chosen.
//!
//! Invariant: the sum of all volumes is taken stamp by stamp, never from the volumes' percentiles.

use std::collections::BTreeMap;

use dw_demand::Provenance;
use dw_error::Named;
use dw_messages::{Sentence, say};
use dw_units::{Bytes, Duration};

use super::amount::Amount;
use super::audit;
use super::checklist::{self, Other, Parts, Patterns};
use super::clock::Axis;
use super::histogram::Histogram;
use super::observation::{Credits, Distribution, Observation, SourceInfo, VolumeObservation};
use super::past::{OtherPast, VolumePast};
use super::randomness::Pattern;
use super::ready::{Ready, joined, list_of, transactions_counter, with_host_split};
use super::recorder::Recorder;
use super::row_id::RowId;
use super::sample::{Name, Role};
use super::series::{self, IntervalFrom, Noticed, Series};
use super::settings::Settings;
use super::source::{Device, MOST_DEVICES, Source};
use super::thin::{self, IntervalGroups};
use super::volumes::{self, VolumeDevices};
use super::windows::{When, Window, WindowPlacement};

/// Why nothing can be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObserveError {
    /// Several machines, and none was chosen.
    Machines(Vec<Name>),
    /// The chosen machine is not there.
    NoMachine(String, Vec<Name>),
    /// No interval of any disk; says what there was.
    /// Why, whether there is a first report, which counts since boot, and the tool that recorded.
    NoDisks(String, bool, Option<Name>),
    /// Volumes that make no sense.
    Volume(String),
    /// Windows that hold nothing, or overlap what they must not.
    Window(String),
    /// The interval that was said, and the one that the recording's times have.
    Every(Duration, Duration),
    /// More devices than any machine has; one that is too many.
    Devices(String),
    /// The memory that was said, and what of it the recording shows in use or free.
    Memory(Bytes, Bytes),
    /// An option that the recording answers otherwise: its name, what it says and what the recording says.
    Known(&'static str, String, String),
}

impl std::fmt::Display for ObserveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message().what)
    }
}

impl std::error::Error for ObserveError {}

impl From<ObserveError> for dw_error::Error {
    fn from(error: ObserveError) -> Self {
        error.message().caused_by(error)
    }
}

impl ObserveError {
    fn message(&self) -> dw_error::Error {
        dw_error::Error::input(self.what()).hint(self.hint()).naming(&self.options())
    }

    fn what(&self) -> String {
        let list = |names: &[Name]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        match self {
            ObserveError::Machines(names) => format!("these are samples of {} machines: {}", names.len(), list(names)),
            ObserveError::NoMachine(name, names) => {
                format!("there are no samples of machine `{name}`; there are {}", list(names))
            }
            ObserveError::NoDisks(why, ..) => format!("there is no interval for any disk{why}"),
            ObserveError::Volume(why) | ObserveError::Window(why) => why.clone(),
            ObserveError::Devices(one) => {
                format!("these are samples of more than {MOST_DEVICES} devices on one machine: one more is `{one}`")
            }
            ObserveError::Every(said, found) => {
                format!("`{{every}}` is {said}, but the times in the recording are {found} apart")
            }
            ObserveError::Memory(said, shown) => {
                format!("`{{memory_total}}` is {said}, but the recording shows {shown} in use or free")
            }
            ObserveError::Known(option, said, found) => {
                format!("`{{{option}}}` is {said}, but the recording contains {found}")
            }
        }
    }

    fn hint(&self) -> String {
        let hint = match self {
            ObserveError::Machines(_) => "choose one with `{machine}`",
            ObserveError::NoMachine(..) => "name one of them",
            ObserveError::NoDisks(_, true, tool) => {
                return format!(
                    "if that report covers one interval (the tool ran with -y, or it was cut out of a longer recording), give \
                     `{{keep_first}}`; or record more reports: {}",
                    again(tool.as_deref())
                );
            }
            ObserveError::NoDisks(_, false, tool) => {
                return format!("at least two samples of a disk are needed: {}", again(tool.as_deref()));
            }
            ObserveError::Volume(_) => "write `{volume}`",
            ObserveError::Window(_) => "write `{window}`, see docs/guide/observe.md",
            ObserveError::Devices(_) => {
                "no machine has that many: are there process IDs, files or times in place of device names, or are these files of several \
                 machines?"
            }
            ObserveError::Memory(..) => "write the machine's total memory",
            ObserveError::Known(..) => "omit the option: it is for values that no file contains",
            ObserveError::Every(..) => "omit `{every}`: it is for recordings without times",
        };
        hint.into()
    }

    fn options(&self) -> Vec<Named> {
        match self {
            ObserveError::Machines(_) => vec![Named::with("machine", "NAME")],
            ObserveError::NoDisks(_, true, _) => vec![Named::new("keep_first")],
            ObserveError::Volume(_) => vec![Named::with("volume", "NAME=DEVICE,DEVICE")],
            ObserveError::Window(_) => vec![Named::with("window", "NAME=WHEN")],
            ObserveError::Every(..) => vec![Named::new("every")],
            ObserveError::Memory(..) => vec![Named::new("memory_total")],
            ObserveError::Known(option, ..) => vec![Named::new(option)],
            ObserveError::NoMachine(..) | ObserveError::NoDisks(_, false, _) | ObserveError::Devices(_) => Vec::new(),
        }
    }
}

/// The command that records for a minute with a tool, where it is one of a command line.
fn again(tool: Option<&str>) -> &'static str {
    match tool {
        Some("sar") => "`sar -d 1 60 > FILE`",
        Some("sadf -d") => "`sadf -d FILE -- -d`, of a file with more than one record",
        Some("vmstat") => "`vmstat -d -t 1 60 > FILE`",
        Some("dstat") => "`dstat --time --disk --io --output FILE 1 60`",
        Some("diskstats") => "`cat /proc/diskstats` once a second, each with its time before it",
        Some("PerfMon") => "`typeperf` or `logman` for a minute or more, as in the guide",
        Some("iostat of macOS and BSD") => "`iostat -d -w 1 -c 60 > FILE`",
        None | Some("iostat" | "sysstat JSON") => "`iostat -xyt 1 60 > FILE`",
        Some(_) => "record for longer",
    }
}

/// Makes the checklist of one machine.
pub fn observe(mut recorder: Recorder, settings: &Settings) -> Result<Observation, ObserveError> {
    recorder.release();
    recorder.mark_damaged();
    recorder.fold_most();
    let machine = machine_of(&recorder, settings)?;
    let every = recorder.options.every;
    let (damaged_lines, readings) = (recorder.fault_count, recorder.readings);
    let fits = |s: &Source| s.machine.is_none() || s.machine == machine;
    let sources = std::mem::take(&mut recorder.sources);
    if let Some(source) = sources.iter().filter(|source| fits(source)).find(|source| source.seen.too_many.count > 0) {
        return Err(ObserveError::Devices(source.seen.too_many.example.clone()));
    }
    let mut ready: Vec<Ready> = sources.into_iter().filter(fits).map(|s| Ready::evened(s, every)).collect();
    if let Some((said, found)) = every.and_then(|every| contradicted(every, &ready)) {
        return Err(ObserveError::Every(said, found));
    }
    known(settings, recorder.options.utc_offset_min, &ready)?;
    let with_disks = ready.iter().enumerate().filter(|(_, r)| r.has_disks());
    // What has times, then the finest intervals; of equals the one with devices, then the first.
    let primary = with_disks
        .min_by_key(|(i, r)| (r.rateless().is_some(), r.interval.0, r.source.devices.is_empty(), *i))
        .map(|(i, _)| i);
    let Some(primary) = primary else {
        let of_first = ready.iter().any(|r| r.source.seen.first.count > 0);
        let tool = ready.iter().find_map(|r| r.source.tool.clone());
        return Err(ObserveError::NoDisks(what_there_was(&ready, readings), of_first, tool));
    };
    ready.swap(0, primary);
    ready[1..].sort_by_key(|r| r.source.files.first().copied());
    if let Some((said, shown)) = settings.memory_total.and_then(|said| Some((said, memory_shown(&ready, said)?))) {
        return Err(ObserveError::Memory(said, shown));
    }
    for r in &mut ready {
        r.source.memory_total = r.source.memory_total.or(settings.memory_total);
    }
    let observation = build(machine, &mut ready, settings, damaged_lines)?;
    match settings.random_percent.and_then(|said| Some((said, measured_random(&observation)?))) {
        Some((said, found)) => Err(ObserveError::Known(
            "random",
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
        return Err(ObserveError::Known("memory_total", said.to_string(), found.to_string()));
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
        return Err(ObserveError::Known("utc_offset", shown(said), shown(*found)));
    }
    Ok(())
}

/// The most memory that a source without a total shows in use or free, where that is more than was said.
fn memory_shown(ready: &[Ready], said: Bytes) -> Option<Bytes> {
    let sources = ready.iter().map(|r| &r.source).filter(|source| source.memory_total.is_none());
    let shown = sources.flat_map(|source| source.memory_used.iter().chain(&source.memory_available));
    let most = shown.map(|plain| plain.value).fold(0.0, f64::max);
    (most > said.get() as f64).then_some(Bytes::new(most as u64))
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
        (_, n, _) => format!(": its {n} lines belong to a first report, which counts since boot"),
    }
}

fn build(
    machine: Option<Name>,
    ready: &mut [Ready],
    settings: &Settings,
    damaged_lines: u64,
) -> Result<Observation, ObserveError> {
    let primary = &ready[0];
    let source = &primary.source;
    let with_rows = |(name, d): (&Name, &Device)| (d.folded || !d.rows.is_empty()).then(|| (name.clone(), d.role));
    let devices: BTreeMap<Name, Role> = source.devices.iter().filter_map(with_rows).collect();
    let members: Vec<(Name, Name)> = ready.iter().flat_map(|r| r.source.members.clone()).collect();
    let host_only = devices.is_empty();
    let volumes::VolumeSelection { counted, left_out, doubts } = if host_only {
        let counted = vec![VolumeDevices { name: "all disks".into(), devices: Vec::new() }];
        volumes::VolumeSelection { counted, ..volumes::VolumeSelection::default() }
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
    let (windows, excluded) = settings.windows();
    let out = past.map_or_else(|| WindowPlacement::on(&sum, &excluded), |p| p.out.clone());
    let mut by_load = WindowPlacement::growing(&sum, &windows[1..]);
    let keep = |at: i64, axis: Axis| !excluded.iter().any(|w| out.holds(w, axis, at));
    sum.points.retain(|p| keep(p.at, sum.axis));
    if sum.points.is_empty() && past.is_none_or(|p| p.sum.thinned.first().is_empty()) {
        return Err(ObserveError::Window("the excluded windows cover every interval".into()));
    }
    check_windows(&windows, sum.axis)?;
    // What is left out of everything makes no block a peak.
    by_load.count(&sum);
    let placed = past.map_or_else(|| by_load.settled(), |p| p.placed.clone());

    let others = Others::gather(ready, &keep);
    let is_several = counted.len() > 1;
    let mut volumes = Vec::new();
    // Of one volume the sum is its series, of several that of all together: it moves there.
    let mut sum = Some(sum);
    if let Some(sum) = sum.take_if(|_| is_several) {
        let devices = counted.iter().flat_map(|c| c.devices.clone()).collect();
        let with = With { ready, others: &others, windows: &windows, placed: &placed, settings };
        volumes.push(volume("all volumes".to_string(), devices, sum, past.map(|p| &p.sum), None, &with));
    }
    let groups = thin::groups_of_many(counted.len());
    // Each device is one volume's: a series takes the place of its rows, unless somebody compares them with others after that.
    let has_trace = ready.iter().flat_map(|r| r.source.devices.values()).any(|device| device.trace.is_some());
    let is_read_once = is_several && ready.len() == 1 && !has_trace;
    for c in counted {
        let past = ready[0].source.past.as_deref().and_then(|p| p.each.get(&c.name));
        let mut series = sum
            .take()
            .unwrap_or_else(|| joined(&ready[0], c.devices.iter(), past.and_then(|p| p.last), &mut Noticed::default()));
        series.points.retain(|p| keep(p.at, series.axis));
        let with = With { ready, others: &others, windows: &windows, placed: &placed, settings };
        let devices = c.devices.clone();
        volumes.push(volume(c.name, c.devices, series, past, groups, &with));
        for device in devices.iter().filter(|_| is_read_once) {
            ready[0].source.devices.get_mut(device).into_iter().for_each(|device| device.rows = Vec::new());
        }
    }
    let sources = describe_sources(ready, &others);
    let find = |f: fn(&Source) -> Option<Name>| ready.iter().find_map(|r| f(&r.source));
    let mut observation = Observation {
        machine,
        cpus: ready.iter().find_map(|r| r.source.cpus),
        memory_total: ready.iter().find_map(|r| r.source.memory_total),
        kernel: find(|s| s.kernel.clone()),
        sources,
        volumes,
        credits: ready.iter().flat_map(|r| credits(&r.source)).collect(),
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
    let of_sum = |first: &VolumeObservation| audit::findings(&observation, ready, &first.series, &noticed);
    observation.findings = observation.volumes.first().map(of_sum).unwrap_or_default();
    Ok(observation)
}

/// Windows have names of their own; those by hours need a clock.
fn check_windows(windows: &[Window], axis: Axis) -> Result<(), ObserveError> {
    for (at, window) in windows.iter().enumerate() {
        if windows[..at].iter().any(|other| other.name == window.name) {
            let what = format!("two windows are called `{}`: give each its own name", window.name);
            return Err(ObserveError::Window(what));
        }
        let needs_date = matches!(&window.when, When::Dates { .. });
        let needs_clock = matches!(&window.when, When::Clock { .. });
        if (needs_clock && !axis.has_clock()) || (needs_date && (!axis.has_clock() || axis == Axis::Day)) {
            return Err(ObserveError::Window(format!(
                "window `{}` uses clock times, but the recording has none: use `load`, or `{}=0s..10min`",
                window.name, window.name
            )));
        }
    }
    Ok(())
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
    fn gather(ready: &[Ready], keep: &dyn Fn(i64, Axis) -> bool) -> Others {
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
    fn within(&self, slot: usize, (index, window): (usize, &Window), placed: &WindowPlacement) -> Option<Other> {
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

/// What all volumes share.
struct With<'a> {
    ready: &'a [Ready],
    others: &'a Others,
    windows: &'a [Window],
    placed: &'a WindowPlacement,
    settings: &'a Settings,
}

fn volume(
    name: String,
    devices: Vec<Name>,
    mut series: Series,
    past: Option<&VolumePast>,
    groups: Option<usize>,
    with: &With,
) -> VolumeObservation {
    let (ready, placed, settings) = (with.ready, with.placed, with.settings);
    let patterns = patterns(ready, &devices);
    let source = ready[0].tool();
    let rateless = ready[0].rateless();
    let checklist = |(index, window): (usize, &Window)| {
        let points = placed.points(window, &series);
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
    if let Some(mut thinned) = past.map(|past| past.thinned.clone()).or_else(|| groups.map(IntervalGroups::new)) {
        series.points.drain(..).for_each(|p| thinned.push(p));
        series.points = thinned.first().to_vec();
        series.thinned = (thinned.every() > 1).then_some(thinned);
    }
    let distributions = distributions(ready, &devices, &series);
    if rateless.is_some() {
        // No rate of it means anything: not in a plot, and not in a plan.
        series.points.clear();
    }
    VolumeObservation { name, devices, series, checklists, distributions, rateless }
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
    let mut sums: BTreeMap<i64, (Duration, Pattern)> = BTreeMap::new();
    let mut queue_level = Pattern::default();
    for (r, name, device) in &traced {
        for (at, span, pattern) in r.patterns.get(*name).into_iter().flatten() {
            let entry = sums.entry(*at).or_insert((*span, Pattern::default()));
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

/// What was left of credits, at first and at the lowest.
fn credits(source: &Source) -> impl Iterator<Item = Credits> {
    source.seen.consumed.iter().filter(|((limit, _), _)| limit.is_credits).map(|((limit, device), consumed)| Credits {
        metric: consumed.metric.clone(),
        device: device.clone(),
        in_bytes: limit.in_bytes,
        left_at_start: 100.0 - consumed.first.map_or(0.0, |(_, used)| used),
        left_least: 100.0 - consumed.most,
    })
}

fn describe_sources(ready: &[Ready], others: &Others) -> Vec<SourceInfo> {
    let describe = |(i, r): (usize, &Ready)| {
        let mut uses: Vec<Sentence> = Vec::new();
        if i == 0 {
            uses.push(say!(UsedDisks));
        } else if r.has_disks() {
            uses.push(say!(UsedCompared));
        }
        let of = |o: &Option<Other>| o.as_ref().is_some_and(|o| o.source == r.tool());
        uses.extend(of(&others.cpu).then(|| say!(UsedCpu)));
        uses.extend(of(&others.memory).then(|| say!(UsedMemory)));
        uses.extend(of(&others.transactions).then(|| say!(UsedTransactions)));
        uses.extend((!r.patterns.is_empty()).then(|| say!(UsedPattern)));
        let used_for = uses.into_iter().reduce(|uses, also| say!(UsedAlso { uses, also }));
        let used_for = used_for.unwrap_or_else(|| say!(UsedNothing));
        SourceInfo { tool: r.tool(), files: r.source.files.clone(), used_for }
    };
    ready.iter().enumerate().map(describe).collect()
}
