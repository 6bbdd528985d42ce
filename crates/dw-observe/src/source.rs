//! One tool on one machine: its readings by device, and what was noticed while they passed.

use std::collections::BTreeMap;
use std::sync::Arc;

use dw_units::{Bytes, Duration};

use super::amount::Amount;
use super::clock::{self, Axis, Clock};
use super::counters::{self, Difference};
use super::damaged::{Damaged, Missing};
use super::evidence::Evidence;
use super::past::Past;
use super::row::Row;
use super::sample::*;
use super::trace::{self, Trace};
use super::volumes::Traffic;

/// More devices than any machine has: their names are damaged or from another column, and each costs memory to the end.
pub const MOST_DEVICES: usize = 1_024;
/// Two figures that should be one differ when they are further apart than this.
const DISAGREE: f64 = 0.2;

/// What a recording is read with, as far as its files do not say it.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecorderOptions {
    /// The interval of files that have none.
    pub every: Option<Duration>,
    /// Minutes that local times without a zone are ahead of UTC.
    pub utc_offset_min: Option<i16>,
    /// First reports count one interval, because the tool was asked to leave the since-boot report out.
    pub keep_first: bool,
}

/// A figure at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plain {
    pub at: i64,
    pub span: u64,
    pub value: f64,
    pub origin: Origin,
}

/// One device of a source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Device {
    pub role: Role,
    pub rows: Vec<Row>,
    pub peaks: Vec<Row>,
    pub trace: Option<Box<Trace>>,
    /// Rows of it were folded away.
    pub folded: bool,
    last_counters: Option<(i64, DiskCounters)>,
    last_at: Option<i64>,
}

/// What was noticed while readings passed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub first: Evidence,
    pub resets: Evidence,
    pub restarts: Evidence,
    pub impossible: Evidence,
    /// Figures that are kept, and that no disk has.
    pub implausible: Evidence,
    pub backwards: Evidence,
    pub repeated: Evidence,
    pub cpu_count: Evidence,
    pub utilisation: Evidence,
    pub utilisation_over_100: Evidence,
    pub service_time: Evidence,
    pub size_unit: Evidence,
    pub sizes_checked: u64,
    /// Of sizes that do not fit, the factor that is farthest from one.
    pub size_factor: Option<f64>,
    /// Latencies of lines that do not say how many requests they are of.
    pub latency_alone: Evidence,
    pub depth_differs: Evidence,
    pub depths_checked: u64,
    pub decimal_comma: Evidence,
    pub discards: Evidence,
    pub flushes: Evidence,
    /// Flushes and writes of the lines that have both, as rates.
    pub flushed: f64,
    pub written: f64,
    pub discards_in_transfers: Evidence,
    pub no_zone: Evidence,
    pub zones: BTreeMap<Option<i16>, Evidence>,
    pub consumed: BTreeMap<(ProviderLimit, Option<Name>), Consumed>,
    pub peaks: Evidence,
    pub too_many: Evidence,
}

/// How much of a provider's limit was used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consumed {
    pub metric: Name,
    /// Where it was used up.
    pub used_up: Evidence,
    pub readings: u64,
    pub most: f64,
    /// The earliest reading, and when it was.
    pub first: Option<(i64, f64)>,
}

/// One tool on one machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    pub machine: Option<Name>,
    pub tool: Option<Name>,
    pub kernel: Option<Name>,
    pub cpus: Option<u32>,
    pub memory_total: Option<Bytes>,
    pub asked_interval: Option<Duration>,
    pub files: Vec<u32>,
    pub axis: Option<Axis>,
    pub devices: BTreeMap<Name, Device>,
    /// Length of a bucket of its traces, and how many there are.
    pub trace_width: Option<i64>,
    /// The length that was asked for.
    pub trace_asked: i64,
    buckets: usize,
    pub host: Device,
    pub members: Vec<(Name, Name)>,
    pub cpu: Vec<Plain>,
    pub iowait: Vec<Plain>,
    pub steal: Vec<Plain>,
    pub memory_used: Vec<Plain>,
    pub memory_available: Vec<Plain>,
    pub memory_estimated: bool,
    pub transactions: BTreeMap<(Name, Option<Name>), Vec<Plain>>,
    /// The counter of transactions that was folded: figures of two counters are not one distribution.
    pub counter: Option<Name>,
    pub idle_hidden: bool,
    /// Lines of devices that did nothing: whoever prints them hides no idle device.
    pub idle_lines: u64,
    /// Lines that were not understood.
    pub damaged: Arc<Damaged>,
    pub seen: Seen,
    /// What was folded away.
    pub past: Option<Box<Past>>,
    clock: Clock,
    last_cpu: Option<(i64, CpuCounters)>,
}

impl Source {
    /// Of a tool, without readings.
    pub(crate) fn new(tool: Option<Name>) -> Source {
        Source { tool, ..Source::default() }
    }

    /// The point of a stamp, with a look at the clock; none where no machine was.
    pub(crate) fn place(&mut self, origin: Origin, stamp: &Stamp, options: &RecorderOptions) -> Option<i64> {
        let axis = Axis::from_stamp(stamp, options.utc_offset_min);
        if let Stamp::Wall { utc_offset_min, .. } = *stamp {
            self.seen.zones.entry(utc_offset_min).or_default().add(origin, String::new);
            if utc_offset_min.is_none() && options.utc_offset_min.is_none() {
                self.seen.no_zone.add(origin, String::new);
            }
        }
        // A source that has a clock keeps it, though some of its readings come without.
        if self.axis.is_none_or(|known| !known.has_clock() && axis.has_clock()) {
            self.axis = Some(axis);
        }
        let at = self.clock.point(origin.file, stamp, options.utc_offset_min);
        if !clock::is_plausible(at) {
            self.seen.impossible.add(origin, || format!("a time of {}", axis.print(at)));
            return None;
        }
        Some(at)
    }

    /// Takes a reading that is no fact.
    pub(crate) fn take(&mut self, origin: Origin, common: &Common, reading: Reading, options: &RecorderOptions) {
        if let Reading::DiskGrowth { device, role, growth } = &reading {
            return self.grown(origin, common, options, (device, *role), growth);
        }
        let Some(at) = self.place(origin, &common.stamp, options) else { return };
        let span = length(common);
        match reading {
            Reading::Disk { device, role, disk } => {
                if is_virtual(&device) {
                    return;
                }
                self.disk(at, span, origin, common, options, Some((&device, role)), &disk);
            }
            Reading::Host(disk) => self.disk(at, span, origin, common, options, None, &disk),
            Reading::DiskCounters { device, role, counters } => {
                if is_virtual(&device) {
                    return;
                }
                self.counters(at, origin, common, options, &device, role, counters);
            }
            Reading::Cpu(cpu) => self.cpu(at, span, origin, common, options, &cpu),
            Reading::CpuCounters(new) => self.cpu_counters(at, origin, common, options, new),
            Reading::Memory(memory) => self.memory(at, span, origin, common, options, &memory),
            Reading::Transactions(t) => {
                if t.per_s >= 0.0 && (common.span == Span::Interval || options.keep_first) {
                    let list = self.transactions.entry((t.counter, t.instance)).or_default();
                    list.push(Plain { at, span, value: t.per_s, origin });
                }
            }
            Reading::Io { device, event } => self.io(at, origin, common, options, device, &event),
            Reading::Consumed { device, limit, metric, percent } => {
                let consumed = self.seen.consumed.entry((limit, device)).or_default();
                consumed.metric = metric;
                consumed.readings += 1;
                consumed.most = consumed.most.max(percent);
                if consumed.first.is_none_or(|(first, _)| at < first) {
                    consumed.first = Some((at, percent));
                }
                if percent >= 95.0 {
                    consumed.used_up.add(origin, || format!("{percent:.0} %"));
                }
            }
            // The first is taken above; the second is not asked for by any row of the checklist.
            Reading::DiskGrowth { .. } | Reading::LatencyBucket { .. } => {}
            Reading::Restart => self.restart(origin),
            Reading::Fact(fact) => self.fact(origin, fact),
        }
    }

    /// A device, which gets its role where it is new; none where there are more than any machine has.
    fn admit(&mut self, origin: Origin, name: &Name, role: Role) -> Option<&mut Device> {
        if self.devices.len() >= MOST_DEVICES && !self.devices.contains_key(name) {
            self.seen.too_many.add(origin, || name.to_string());
            return None;
        }
        Some(self.devices.entry(name.clone()).or_insert_with(|| Device::new(role)))
    }

    pub(crate) fn io(
        &mut self,
        at: i64,
        origin: Origin,
        common: &Common,
        options: &RecorderOptions,
        name: Name,
        event: &IoEvent,
    ) {
        let asked = i64::try_from(options.every.map_or(1_000_000_000, Duration::ns)).unwrap_or(i64::MAX);
        self.trace_asked = asked.max(1);
        let width = *self.trace_width.get_or_insert(self.trace_asked);
        let Some(device) = self.admit(origin, &name, Role::Unknown) else { return };
        let trace = device.trace.get_or_insert_default();
        trace.untimed |= matches!(common.stamp, Stamp::Report { .. });
        let before = trace.buckets.len();
        trace.take(at, width, origin, event);
        trace.count_size(event);
        let more = trace.buckets.len() - before;
        self.buckets += more;
        if self.buckets > trace::BUCKETS {
            // To half, so that it is long until the next time.
            let mut traces: Vec<&mut Trace> =
                self.devices.values_mut().filter_map(|d| d.trace.as_deref_mut()).collect();
            self.trace_width = Some(trace::shrink(&mut traces, width, trace::BUCKETS / 2));
            self.buckets = traces.iter().map(|t| t.buckets.len()).sum();
        }
    }

    /// Whether a device that is missing from a report was idle: tools of sysstat leave such out with `-z`.
    pub(crate) fn hides_idle(&self) -> bool {
        let of_sysstat = |tool: &Name| ["iostat", "sar", "sadf", "sysstat"].iter().any(|name| tool.starts_with(name));
        self.idle_hidden || self.tool.as_ref().is_some_and(of_sysstat)
    }

    /// What a device did in reports that it is missing from.
    pub(crate) fn missing(&self) -> Missing<'_> {
        if self.hides_idle() { Missing::IdleBut(&self.damaged) } else { Missing::Unknown }
    }

    /// What a device moved at each instant: bytes, or requests where no device says bytes.
    pub(crate) fn traffic(&self, name: &Name) -> Traffic {
        let mut rows = self.devices.values().flat_map(|device| &device.rows);
        let has_bytes = rows.any(|row| row.bytes().exceeds(0.0));
        let amount = |row: &Row| if has_bytes { row.bytes() } else { row.iops() };
        let rows = self.devices.get(name).map_or(&[][..], |device| &device.rows);
        let mut traffic: Traffic = rows.iter().filter_map(|row| Some((row.at, amount(row).known()?))).collect();
        traffic.sort_unstable_by_key(|(at, _)| *at);
        traffic
    }

    /// Readings that it holds.
    pub(crate) fn kept(&self) -> usize {
        let rows: usize = self.devices.values().chain([&self.host]).map(|d| d.rows.len() + d.peaks.len()).sum();
        let transactions: usize = self.transactions.values().map(Vec::len).sum();
        rows + transactions + self.cpu.len().max(self.memory_available.len())
    }

    /// When the last of so many readings began to come; nothing where there are fewer.
    pub(crate) fn begin_of_last(&self, readings: usize) -> Option<i64> {
        let lists = self.devices.values().chain([&self.host]).map(|device| &device.rows);
        let rows = lists.max_by_key(|rows| rows.len())?;
        let each = readings / self.devices.len().max(1);
        let from = rows.len().checked_sub(each.max(1)).filter(|&from| from > 0)?;
        Some(rows[from].at)
    }

    /// Takes away what ended before `cut`.
    pub(crate) fn drain(&mut self, cut: i64) -> Source {
        // What stays is little: it moves, and the rest goes without a copy.
        let plain = |list: &mut Vec<Plain>| -> Vec<Plain> {
            let newer = list.extract_if(.., |p| p.at >= cut).collect();
            std::mem::replace(list, newer)
        };
        let device = |device: &mut Device| -> Device {
            let newer = device.rows.extract_if(.., |r| r.at >= cut).collect();
            let rows = std::mem::replace(&mut device.rows, newer);
            device.folded |= !rows.is_empty();
            Device { role: device.role, rows, ..Device::default() }
        };
        // Only where there are no means are peaks used, and then there is nothing to fold.
        let devices = self.devices.iter_mut().map(|(name, d)| (name.clone(), device(d))).collect();
        let host = device(&mut self.host);
        let transactions = self.transactions.iter_mut().map(|(key, list)| (key.clone(), plain(list))).collect();
        (self.iowait, self.steal) = (Vec::new(), Vec::new());
        Source {
            tool: self.tool.clone(),
            idle_hidden: self.idle_hidden,
            idle_lines: self.idle_lines,
            damaged: self.damaged.clone(),
            axis: self.axis,
            asked_interval: self.asked_interval,
            memory_total: self.memory_total,
            devices,
            host,
            transactions,
            cpu: plain(&mut self.cpu),
            memory_used: plain(&mut self.memory_used),
            memory_available: plain(&mut self.memory_available),
            ..Source::default()
        }
    }

    pub(crate) fn fact(&mut self, origin: Origin, fact: Fact) {
        match fact {
            // The recorder's.
            Fact::Tool(_) | Fact::Called { .. } => {}
            Fact::Kernel(kernel) => self.kernel = Some(kernel),
            Fact::Cpus(cpus) => {
                if self.cpus.is_some_and(|known| known != cpus) {
                    let known = self.cpus.unwrap_or_default();
                    self.seen.cpu_count.add(origin, || format!("{known} processors, then {cpus}"));
                }
                self.cpus = Some(cpus);
            }
            Fact::MemoryTotal(total) => self.memory_total = Some(total),
            Fact::Interval(interval) => self.asked_interval = Some(interval),
            Fact::Member { volume, member } => {
                if !self.members.contains(&(volume.clone(), member.clone())) {
                    self.members.push((volume, member));
                }
            }
            Fact::DecimalComma => self.seen.decimal_comma.add(origin, String::new),
            Fact::IdleHidden => self.idle_hidden = true,
        }
    }

    pub(crate) fn restart(&mut self, origin: Origin) {
        self.seen.restarts.add(origin, String::new);
        self.last_cpu = None;
        for device in self.devices.values_mut().chain([&mut self.host]) {
            device.last_counters = None;
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one reading, in its parts")]
    pub(crate) fn disk(
        &mut self,
        at: i64,
        span: u64,
        origin: Origin,
        common: &Common,
        options: &RecorderOptions,
        device: Option<(&Name, Role)>,
        disk: &DiskInterval,
    ) {
        self.row(&Row::new(at, span, origin, disk), common, options, device, disk);
    }

    /// What counters grew by in an interval.
    pub(crate) fn grown(
        &mut self,
        origin: Origin,
        common: &Common,
        options: &RecorderOptions,
        (name, role): (&Name, Role),
        growth: &DiskGrowth,
    ) {
        let Some(at) = self.place(origin, &common.stamp, options).filter(|_| !is_virtual(name)) else { return };
        let span = length(common);
        if self.seen.counts(name, span, origin, growth) {
            let row = Row::counted(at, span, origin, growth);
            self.row(&row, common, options, Some((name, role)), &growth.rates(Duration::from_ns(span)));
        }
    }

    /// Keeps a row, with a look at what its figures say as rates.
    fn row(
        &mut self,
        row: &Row,
        common: &Common,
        options: &RecorderOptions,
        device: Option<(&Name, Role)>,
        disk: &DiskInterval,
    ) {
        let since_boot = common.span == Span::First && !options.keep_first;
        if !self.seen.lets_in(device.map(|d| d.0), row, since_boot, disk) {
            return;
        }
        self.idle_lines += u64::from(device.is_some() && row.iops().is_zero() && !row.bytes().exceeds(0.0));
        let device = match device {
            Some((name, role)) => self.admit(row.origin, name, role),
            None => Some(&mut self.host),
        };
        let Some(device) = device else { return };
        let back = device.keep(row, common.statistic);
        if let Some(back) = back {
            self.seen.backwards.add(row.origin, || format!("by {} s", back / 1_000_000_000));
        }
        if common.statistic == Statistic::Max {
            self.seen.peaks.add(row.origin, String::new);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one reading, in its parts")]
    pub(crate) fn counters(
        &mut self,
        at: i64,
        origin: Origin,
        common: &Common,
        options: &RecorderOptions,
        name: &Name,
        role: Role,
        new: DiskCounters,
    ) {
        let Some(device) = self.admit(origin, name, role) else { return };
        let Some((before, old)) = device.last_counters.replace((at, new)) else { return };
        if at < before {
            self.seen.backwards.add(origin, || format!("by {} s", (before - at) / 1_000_000_000));
            return;
        }
        let span = match common.stamp {
            // Snapshots without a time are one interval apart.
            Stamp::Report { .. } => {
                let every = options.every.or(self.asked_interval).unwrap_or(Duration::from_secs(1));
                Duration::from_ns(every.ns().saturating_mul((at - before).unsigned_abs()))
            }
            _ => Duration::from_ns((at - before).unsigned_abs()),
        };
        match counters::between(&old, &new, span) {
            Difference::Rates(growth) => {
                let common = Common { span: Span::Interval, ..common.clone() };
                let timed = !matches!(common.stamp, Stamp::Report { .. });
                let row = timed.then(|| Row::counted(at, span.ns(), origin, &growth));
                let rates = growth.rates(span);
                let row = row.unwrap_or_else(|| Row::new(at, 0, origin, &rates));
                self.row(&row, &common, options, Some((name, role)), &rates);
            }
            Difference::Reset(counter) => self.seen.resets.add(origin, || format!("{name}: {counter} went back")),
            Difference::NoTime => self.seen.repeated.add(origin, || format!("{name}: two snapshots of one instant")),
        }
    }

    pub(crate) fn cpu(
        &mut self,
        at: i64,
        span: u64,
        origin: Origin,
        common: &Common,
        options: &RecorderOptions,
        cpu: &CpuInterval,
    ) {
        if common.span == Span::First && !options.keep_first {
            return;
        }
        if let Some(cpus) = cpu.cpus {
            self.fact(origin, Fact::Cpus(cpus));
        }
        if common.statistic == Statistic::Max {
            return;
        }
        let mut keep = |list: fn(&mut Source) -> &mut Vec<Plain>, what: &str, value: Option<f64>| match value {
            Some(value) if (0.0..=100.5).contains(&value) => list(self).push(Plain { at, span, value, origin }),
            Some(value) => self.seen.impossible.add(origin, || format!("processors {value:.1} % {what}")),
            None => {}
        };
        keep(|s| &mut s.cpu, "busy", cpu.busy_percent);
        keep(|s| &mut s.iowait, "waiting", cpu.iowait_percent);
        keep(|s| &mut s.steal, "stolen", cpu.steal_percent);
    }

    pub(crate) fn cpu_counters(
        &mut self,
        at: i64,
        origin: Origin,
        common: &Common,
        options: &RecorderOptions,
        new: CpuCounters,
    ) {
        let Some((before, old)) = self.last_cpu.replace((at, new)) else { return };
        match counters::cpu_between(&old, &new) {
            Difference::Rates(cpu) => {
                let reports = matches!(common.stamp, Stamp::Report { .. });
                let span = if reports || at < before { 0 } else { (at - before).unsigned_abs() };
                let common = Common { span: Span::Interval, ..common.clone() };
                self.cpu(at, span, origin, &common, options, &cpu);
            }
            Difference::Reset("number of processors") => {
                let (old, new) = (old.cpus.unwrap_or_default(), new.cpus.unwrap_or_default());
                self.seen.cpu_count.add(origin, || format!("{old} processors, then {new}"));
                self.cpus = Some(new);
            }
            Difference::Reset(counter) => self.seen.resets.add(origin, || format!("{counter} went back")),
            Difference::NoTime => {}
        }
    }

    pub(crate) fn memory(
        &mut self,
        at: i64,
        span: u64,
        origin: Origin,
        common: &Common,
        options: &RecorderOptions,
        memory: &Memory,
    ) {
        // Memory is an instant, also in a first report; but its line is left out with the rest, so that rows pair up.
        if (common.span == Span::First && !options.keep_first) || common.statistic == Statistic::Max {
            return;
        }
        self.memory_total = memory.total.or(self.memory_total);
        self.memory_estimated |= memory.estimated;
        let bytes = |b: Bytes| b.get() as f64;
        let total = self.memory_total;
        let by_percent = || Some(bytes(total?) * memory.used_percent? / 100.0);
        let by_rest = || Some(bytes(total?.saturating_sub(memory.available?)));
        // "Used" of most tools counts the page cache in or out as they please; available is the kernel's own word.
        let used = by_rest().or_else(|| memory.used.map(bytes)).or_else(by_percent);
        if let Some(value) = used {
            self.memory_used.push(Plain { at, span, value, origin });
        }
        if let Some(available) = memory.available {
            self.memory_available.push(Plain { at, span, value: bytes(available), origin });
        }
    }
}

/// How long the interval of a reading is; zero where nobody says.
fn length(common: &Common) -> u64 {
    common.interval.map_or(0, |interval| interval.ns().min(clock::FARTHEST.unsigned_abs()))
}

/// A device whose I/O is another's, or none at all.
fn is_virtual(device: &str) -> bool {
    let numbered = |prefix: &str| {
        device.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.bytes().all(|b| b.is_ascii_digit()))
    };
    // Loop devices stay: a volume may be one, and whether it is counted is decided with all names at hand.
    numbered("ram") || numbered("zram") || numbered("sr") || numbered("fd")
}

/// A rate in a sentence.
fn shown(rate: Amount) -> String {
    rate.known().map_or("an unknown number of".into(), |rate| format!("{rate:.0}"))
}

impl Device {
    /// Without rows.
    fn new(role: Role) -> Device {
        Device { role, ..Device::default() }
    }
    /// Takes a row; how far it is before the last one, where it is.
    fn keep(&mut self, row: &Row, statistic: Statistic) -> Option<i64> {
        let last = self.last_at.replace(row.at);
        let list = if statistic == Statistic::Max { &mut self.peaks } else { &mut self.rows };
        list.push(*row);
        last.map(|last| last - row.at).filter(|back| *back > 0)
    }
}

impl Seen {
    /// Whether counters grew by this: somebody says in which time, and nothing is less than nothing.
    fn counts(&mut self, name: &Name, span: u64, origin: Origin, growth: &DiskGrowth) -> bool {
        if span == 0 {
            self.impossible.add(origin, || format!("{name}: counts of an interval without a length"));
            return false;
        }
        if let Some((figure, value)) = growth.below_zero() {
            self.impossible.add(origin, || format!("{name}: {value:.0} {figure}"));
            return false;
        }
        true
    }

    /// Whether a row is one to keep, with a look at it; `disk` has its figures as rates.
    fn lets_in(&mut self, name: Option<&Name>, row: &Row, since_boot: bool, disk: &DiskInterval) -> bool {
        let origin = row.origin;
        if let Some((figure, value)) = row.impossible() {
            let name = name.map_or("all disks", |name| name);
            self.impossible.add(origin, || format!("{name}: {value:.3e} {figure}"));
            return false;
        }
        if since_boot {
            self.first.add(origin, || format!("{} requests/s since boot", shown(row.iops())));
            return false;
        }
        if let Some((figure, value)) = row.implausible() {
            let name = name.map_or("all disks", |name| name);
            self.implausible.add(origin, || format!("{name}: {value} {figure}"));
        }
        self.look_at(origin, row, disk);
        true
    }

    /// What one interval of a device shows by itself.
    fn look_at(&mut self, origin: Origin, row: &Row, disk: &DiskInterval) {
        if let Some(percent) = disk.utilisation_percent {
            self.utilisation.add(origin, || format!("{percent:.1} %"));
            if percent > 100.5 {
                self.utilisation_over_100.add(origin, || format!("{percent:.1} %"));
            }
        }
        if let Some(service) = disk.service_time {
            self.service_time.add(origin, || format!("{service}"));
        }
        if disk.flushes_per_s.is_some_and(|f| f > 0.0) {
            self.flushes.add(origin, || format!("{:.1} flushes/s", disk.flushes_per_s.unwrap_or(0.0)));
        }
        if let Some((flushes, writes)) = disk.flushes_per_s.zip(disk.writes_per_s) {
            self.flushed += flushes.min(writes);
            self.written += writes;
        }
        if let Some(discards) = disk.discards_per_s.filter(|d| *d > 0.0) {
            self.discards.add(origin, || format!("{discards:.1} discards/s"));
        }
        let discarded = disk.discard_throughput.is_some_and(|t| t.get() > 0);
        if !row.is_split()
            && disk.transfers_per_s.is_some()
            && (discarded || disk.discards_per_s.is_some_and(|d| d > 0.0))
        {
            self.discards_in_transfers.add(origin, || format!("{} requests/s", shown(row.iops())));
        }
        let has_latency = [disk.latency, disk.read_latency, disk.write_latency].iter().any(Option::is_some);
        let has_rate = [disk.transfers_per_s, disk.reads_per_s, disk.writes_per_s].iter().any(Option::is_some);
        if has_latency && !has_rate {
            self.latency_alone.add(origin, String::new);
        }
        self.look_at_sizes(origin, disk);
        self.look_at_depth(origin, row, disk);
    }

    /// Bytes by size and rate, and bytes as printed, are the same bytes; a factor of 1.024 or 1.049 is a unit, and so is one of 1024 or 2048.
    fn look_at_sizes(&mut self, origin: Origin, disk: &DiskInterval) {
        let sum = |a: Option<f64>, b: Option<f64>| Some(a? + b?);
        let both_bytes = disk.throughput.or_else(|| {
            let (read, write) = (disk.read_throughput?, disk.write_throughput?);
            Some(dw_units::Throughput::bytes_per_second(read.get().saturating_add(write.get())))
        });
        let triples = [
            (disk.reads_per_s, disk.read_throughput, disk.read_size),
            (disk.writes_per_s, disk.write_throughput, disk.write_size),
            (disk.transfers_per_s.or(sum(disk.reads_per_s, disk.writes_per_s)), both_bytes, disk.io_size),
        ];
        for (index, (rate, throughput, size)) in triples.into_iter().enumerate() {
            let (Some(rate), Some(throughput), Some(size)) = (rate, throughput, size) else { continue };
            if rate <= 0.0 || size.get() == 0 || throughput.get() == 0 {
                continue;
            }
            let ratio = throughput.get() as f64 / (rate * size.get() as f64);
            // Small rates are printed with too few digits to tell kB from KiB; no rounding makes four times as much of a figure.
            // Discards, which some tools count among all requests, make less than that of it, too.
            let is_far = !(0.25..=4.0).contains(&ratio);
            if !is_far && (rate < 50.0 || index == 2) {
                continue;
            }
            self.sizes_checked += 1;
            if (ratio - 1.0).abs() > 0.02 {
                let away = |factor: f64| factor.max(1.0 / factor);
                let farther = |known: &f64| away(*known) >= away(ratio);
                self.size_factor = self.size_factor.filter(farther).or(Some(ratio));
                self.size_unit.add(origin, || format!("{ratio:.3} times the bytes that rate and size come to"));
            }
        }
    }

    /// The queue length that is printed against Little's law.
    fn look_at_depth(&mut self, origin: Origin, row: &Row, disk: &DiskInterval) {
        let (_, _, depth) = row.depth();
        let (Some(printed), Some(mut little), Some(iops)) = (disk.queue_depth, depth.known(), row.iops().known())
        else {
            return;
        };
        // What is the queue length itself is not compared with it.
        if [disk.read_latency, disk.write_latency, disk.latency].iter().all(Option::is_none) {
            return;
        }
        let also = |rate: Option<f64>, latency: Option<Duration>| {
            rate.unwrap_or(0.0) * latency.map_or(0.0, |l| l.ns() as f64 / 1e9)
        };
        // The kernel counts discards and flushes into its queue.
        little += also(disk.discards_per_s, disk.discard_latency) + also(disk.flushes_per_s, disk.flush_latency);
        self.depths_checked += 1;
        // Both are printed with two decimals: what that can hide is no difference.
        let rounding = 0.02 + 1e-5 * iops;
        let apart = (printed - little).abs();
        if apart > DISAGREE * printed.max(little) && apart > rounding {
            self.depth_differs.add(origin, || format!("printed {printed:.2}, Little's law gives {little:.2}"));
        }
    }
}
