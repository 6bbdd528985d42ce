//! Writes requirements as a person would: one line per figure, units where there are any, remarks where something is missing.

use std::fmt::{Display, Write as _};

use dw_error::obeyed;
use dw_units::{Bytes, CacheMode, Duration, Throughput};

use crate::plan;
use crate::wishes::{LatencyOf, VolumeWishes, Wishes};
use crate::{Levels, Requirements, VendorKeys, VolumeRequirements};

/// Numbers in one line of a list.
const IN_A_LINE: usize = 16;

/// The text of a file; `remark` says where it comes from, in lines of comment.
pub fn write(requirements: &Requirements, remark: &str) -> String {
    written(requirements, None, remark, false)
}

/// The same with what is wanted of the plan and of its volumes, in their order. A capacity of zero is not known, and left out; so is
/// every wish that is none.
pub fn write_with(requirements: &Requirements, wishes: &Wishes, remark: &str) -> String {
    written(requirements, Some(wishes), remark, false)
}

/// The same as a form: what no recording says stands in it as a commented line, to be filled in.
pub fn write_form(requirements: &Requirements, wishes: &Wishes, remark: &str) -> String {
    written(requirements, Some(wishes), remark, true)
}

/// What only a person knows of a plan.
const ASKED_OF_PLAN: &str = "\
# headroom_percent = 20 # share of every rate limit that stays free
# memory_headroom = \"20 %\" # memory that stays free in addition to the used memory; default for a database: none
# comfort_factor = 1.3 # safety factor for rates, CPU and memory in use
# capacity_headroom_percent = 15 # share of every disk that stays free
# filesystem_overhead_percent = 2 # share of every disk used by file systems
# os = \"windows\" # includes the licence in the VM's price
# nodes = 1 # number of identical nodes, each for all of this demand
# years = 3 # years the plan must last, with yearly growth:
# growth_percent_per_year = 20 # of the load
# capacity_growth_percent_per_year = 20 # of capacity
";
const ASKED_CAPACITY: &str = "# capacity = \"500 GiB\" # required for a plan";
const ASKED_ROLE: &str = "# role = \"data\" # data, log, tempdb, backup, os";
const ASKED_WORKING_SET: &str =
    "# working_set = \"100 GiB\" # data read repeatedly; without it, no cache hits are planned";
const ASKED_LATENCY: &str = "maximum mean latency; percentiles have their own keys, such as `_latency_p99_max`";
const LATENCY_RECORDED: &str = "# no slower than recorded (p99); remove the line if slower is fast enough";

fn written(requirements: &Requirements, wishes: Option<&Wishes>, remark: &str, is_form: bool) -> String {
    let mut out = String::new();
    for line in remark.lines() {
        // A comment of TOML has no control characters, and may name a file of anybody.
        let _ = writeln!(out, "# {}", obeyed::line(line));
    }
    let _ = writeln!(out, "schema_version = 1");
    if let Some(machine) = &requirements.machine {
        let _ = writeln!(out, "machine = {}", quoted(machine));
    }
    let _ = writeln!(out, "window = {}", quoted(&requirements.window));
    let _ = writeln!(out, "growth = {} # demand is multiplied by this", growth(requirements.growth));
    line(&mut out, "transactions_per_s", requirements.transactions, number);
    if requirements.processors.is_some() || requirements.cpu_percent.is_some() {
        let _ = writeln!(out, "\n[cpu]");
        if let Some(processors) = requirements.processors {
            let _ = writeln!(out, "processors = {processors}");
        } else {
            out += "# processors = 8 # not recorded: number of CPUs. Without it, any VM size has enough\n";
        }
        line(&mut out, "busy_percent", requirements.cpu_percent, number);
    }
    if requirements.memory_total.is_some() || requirements.memory_used.is_some() {
        let _ = writeln!(out, "\n[memory]");
        if let Some(total) = requirements.memory_total {
            let _ = writeln!(out, "total = \"{total}\"");
        }
        line(&mut out, "used", requirements.memory_used, text);
    }
    if let Some(wishes) = wishes {
        plan_lines(&mut out, wishes, is_form);
    }
    for finding in &requirements.findings {
        let _ = writeln!(out, "\n[[finding]]\nseverity = {}", quoted(finding.severity.word()));
        let _ = writeln!(out, "what = {}\neffect = {}", quoted(&finding.what), quoted(&finding.effect));
        key(&mut out, "throttled", finding.is_throttled.then(|| "true".into()));
    }
    for (place, each) in requirements.volumes.iter().enumerate() {
        let form = wishes.filter(|_| is_form).map(|wishes| wishes.vendor);
        volume(&mut out, each, wishes.and_then(|wishes| wishes.volumes.get(place)), form);
    }
    // A recording of many disks is megabytes, and kept as long as what is made of it.
    out.shrink_to_fit();
    out
}

/// What is wanted of the plan; where everything is as it is without a word nothing, or the questions of a form.
fn plan_lines(out: &mut String, wishes: &Wishes, is_form: bool) {
    let usual = wishes.vendor.wishes();
    if (Wishes { volumes: Vec::new(), today: None, disks_usual: usual.disks_usual, ..wishes.clone() }) == usual {
        let VendorKeys { id, is_usual, region, .. } = wishes.vendor;
        if is_form || !is_usual {
            *out += "\n[plan]\n";
        }
        // What is read without a word of it would be another's.
        if !is_usual {
            let _ = writeln!(out, "vendor = {}", quoted(id));
        }
        if is_form {
            let _ = writeln!(out, "# region = {} # prices and offers of this region are used", quoted(region));
            *out += ASKED_OF_PLAN;
        }
        return;
    }
    let _ = writeln!(out, "\n[plan]");
    let mut lines = plan::lines(wishes);
    lines.extend(wishes.chosen.iter().map(|(key, word)| (*key, vendor_line(wishes.vendor, key, word))));
    let keys = wishes.vendor.all();
    let place = |key: &str| keys.iter().position(|known| known.name == key);
    lines.sort_by_key(|(key, _)| {
        let behind = written_behind(key);
        (place(behind.unwrap_or(key)), behind.is_some(), *key != "years")
    });
    out.extend(lines.into_iter().map(|(_, line)| line));
}

fn vendor_line(vendor: &VendorKeys, key: &str, word: &str) -> String {
    let is_flag = vendor.keys.iter().any(|own| own.key.name == key && own.words.is_empty());
    format!("{key} = {}\n", if is_flag { word.to_string() } else { quoted(word) })
}

/// The key that one is written behind, where files have them in another order than the schema.
fn written_behind(key: &str) -> Option<&'static str> {
    match key {
        "capacity_headroom_percent" => Some("headroom_percent"),
        "years" | "growth_percent_per_year" | "capacity_growth_percent_per_year" => Some("cost_max"),
        _ => None,
    }
}

/// What is wanted of a volume.
fn volume_wishes(out: &mut String, wishes: &VolumeWishes) {
    let none = VolumeWishes::of(wishes.role, wishes.capacity);
    let caches = || {
        let word = |mode: &CacheMode| format!("\"{mode}\"");
        format!("[{}]", wishes.host_cache.iter().map(word).collect::<Vec<_>>().join(", "))
    };
    let curve = || {
        let point = |(cache, percent): &(Bytes, f64)| {
            format!("{{ cache = \"{cache}\", percent = {} }}", self::percent(*percent, percent.to_string()))
        };
        format!("[{}]", wishes.hit_curve.iter().map(point).collect::<Vec<_>>().join(", "))
    };
    key(out, "role", (wishes.role != Default::default()).then(|| quoted(wishes.role.word())));
    key(out, "capacity", (wishes.capacity > Bytes::ZERO).then(|| capacity(wishes.capacity)));
    key(out, "working_set", wishes.working_set.map(text));
    for of in LatencyOf::ALL {
        for (direction, most) in [("read", wishes.read_latency_max), ("write", wishes.write_latency_max)] {
            let name = match of {
                LatencyOf::Mean => format!("{direction}_latency_max"),
                percentile => format!("{direction}_latency_{}_max", percentile.word()),
            };
            key(out, &name, most.of(of).map(text));
        }
    }
    key(out, "sync_latency_p99_max", wishes.sync_latency_p99_max.map(text));
    key(out, "after_reboot_latency_max", wishes.after_reboot_latency_max.map(text));
    let share = |percent: f64| self::percent(percent, percent.to_string());
    key(out, "after_reboot_share_min", wishes.after_reboot_share_min.map(share));
    key(out, "growth_percent_per_year", wishes.growth_percent_per_year.map(share));
    key(out, "capacity_growth_percent_per_year", wishes.capacity_growth_percent_per_year.map(share));
    key(out, "host_cache", (wishes.host_cache != none.host_cache).then(caches));
    key(out, "hit_curve", (!wishes.hit_curve.is_empty()).then(curve));
    key(out, "local_disk", wishes.local_disk.then(|| "true".into()));
    key(out, "shared", wishes.shared.then(|| "true".into()));
    key(out, "disks_max", wishes.disks_max.map(|most| most.to_string()));
    key(out, "stripe_unit", wishes.stripe_unit.map(text));
    key(out, "kpi", wishes.kpi.map(|kpi| quoted(&kpi.set.name)));
}

/// A line, where there is something to say.
pub(crate) fn key(out: &mut String, name: &str, value: Option<String>) {
    if let Some(value) = value {
        let _ = writeln!(out, "{name} = {value}");
    }
}

/// Millionths of a currency as a decimal.
pub(crate) fn amount(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

/// What only a person knows of a volume, as far as nobody has said it; the recorded latency as the ceiling.
fn asked_of_volume(out: &mut String, volume: &VolumeRequirements, wishes: &VolumeWishes, roles: &str) {
    let mut ask = |line: &str, is_known: bool| {
        if !is_known {
            let _ = writeln!(out, "{line}");
        }
    };
    ask(ASKED_CAPACITY, wishes.capacity > Bytes::ZERO);
    ask(&format!("{ASKED_ROLE}: {roles}"), wishes.role != Default::default());
    ask(ASKED_WORKING_SET, wishes.working_set.is_some() || !wishes.hit_curve.is_empty());
    let latencies = [
        ("read_latency_max", wishes.read_latency_max, volume.read_latency),
        ("write_latency_max", wishes.write_latency_max, volume.write_latency),
    ];
    for (key, wished, recorded) in latencies {
        match recorded.map(|levels| levels.p99).filter(|latency| *latency > Duration::ZERO) {
            Some(latency) => ask(&format!("{key} = \"{}\" {LATENCY_RECORDED}", ceiling(latency)), !wished.is_none()),
            None => ask(&format!("# {key} = \"3 ms\" # {ASKED_LATENCY}"), !wished.is_none()),
        }
    }
}

/// A latency in milliseconds, rounded up to what a recording means.
fn ceiling(latency: Duration) -> String {
    let hundredths = latency.ns().div_ceil(10_000);
    format!("{} ms", number(hundredths as f64 / 100.0))
}

fn volume(out: &mut String, volume: &VolumeRequirements, wishes: Option<&VolumeWishes>, form: Option<&VendorKeys>) {
    let _ = writeln!(out, "\n[[volume]]\nname = {}", quoted(&volume.name));
    if let Some(wishes) = wishes {
        volume_wishes(out, wishes);
        if let Some(vendor) = form {
            asked_of_volume(out, volume, wishes, vendor.roles);
        }
    }
    let given = wishes.and_then(|wishes| wishes.kpi).filter(|kpi| kpi.gives_load);
    let own = given.map(|kpi| kpi.set.without_load(volume));
    let volume = own.as_ref().unwrap_or(volume);
    let devices = volume.devices.iter().map(|d| quoted(d)).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "devices = [{devices}]");
    if !volume.unknown.is_empty() {
        let keys = volume.unknown.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "unknown = [{keys}] # not recorded: fill them in, or remove them if there are none");
    }
    match volume.random_percent {
        Some(percent) => {
            let _ = writeln!(out, "random_percent = {}", self::percent(percent, number(percent)));
        }
        None => {
            let _ = writeln!(
                out,
                "# random_percent = 100 # unknown: counters do not show it; `observe --trace` measures it"
            );
        }
    }
    for (key, size) in [("read_size", volume.read_size), ("write_size", volume.write_size)] {
        if let Some(size) = size {
            let _ = writeln!(out, "{key} = \"{size}\"");
        }
    }
    line(out, "read_iops", volume.read_iops, number);
    line(out, "write_iops", volume.write_iops, number);
    line(out, "iops", volume.iops, number);
    line(out, "read_throughput", volume.read_throughput, throughput);
    line(out, "write_throughput", volume.write_throughput, throughput);
    line(out, "throughput", volume.throughput, throughput);
    line(out, "read_latency", volume.read_latency, text);
    line(out, "write_latency", volume.write_latency, text);
    line(out, "queue_depth", volume.queue_depth, number);
    if let Some(series) = &volume.series {
        let _ = writeln!(out, "\n[volume.series]\ninterval = \"{}\"", series.interval);
        let rate = |out: &mut String, value: &f64| write_number(out, *value);
        let bytes = |out: &mut String, value: &u64| {
            let _ = write!(out, "{value}");
        };
        list(out, "read_iops", &series.read_iops, rate);
        list(out, "write_iops", &series.write_iops, rate);
        list(out, "read_bytes_per_s", &series.read_bytes_per_s, bytes);
        list(out, "write_bytes_per_s", &series.write_bytes_per_s, bytes);
    }
}

/// What the text of a number is read as.
pub(crate) fn read_back(value: f64) -> f64 {
    if thousandths(value).is_some() { value } else { number(value).parse().unwrap_or(value) }
}

fn line<T: Copy>(out: &mut String, key: &str, levels: Option<Levels<T>>, show: fn(T) -> String) {
    let Some(l) = levels else { return };
    let (p50, p90, p99, max) = (show(l.p50), show(l.p90), show(l.p99), show(l.max));
    let p95 = l.p95.map_or(String::new(), |p95| format!("p95 = {}, ", show(p95)));
    let from = l.from.word();
    let _ = writeln!(out, "{key} = {{ p50 = {p50}, p90 = {p90}, {p95}p99 = {p99}, max = {max}, from = \"{from}\" }}");
}

/// `write` writes a number of the list.
fn list<T>(out: &mut String, key: &str, numbers: &[T], write: impl Fn(&mut String, &T)) {
    let _ = writeln!(out, "{key} = [");
    for line in numbers.chunks(IN_A_LINE) {
        for (place, number) in line.iter().enumerate() {
            *out += if place == 0 { "  " } else { ", " };
            write(out, number);
        }
        *out += ",\n";
    }
    *out += "]\n";
}

/// A decimal with at most three digits after the point, as TOML wants it.
fn number(value: f64) -> String {
    let mut out = String::new();
    write_number(&mut out, value);
    out
}

fn write_number(out: &mut String, value: f64) {
    // Mostly whole hundredths, which are found without the digits of the fraction.
    if let Some(thousandths) = thousandths(value) {
        let (whole, rest) = (thousandths / 1_000, thousandths % 1_000);
        let _ = match rest {
            0 => write!(out, "{whole}.0"),
            _ if rest % 100 == 0 => write!(out, "{whole}.{}", rest / 100),
            _ if rest % 10 == 0 => write!(out, "{whole}.{:02}", rest / 10),
            _ => write!(out, "{whole}.{rest:03}"),
        };
        return;
    }
    let begins = out.len();
    let _ = write!(out, "{value:.3}");
    let digits = out[begins..].trim_end_matches('0').trim_end_matches('.').len();
    out.truncate(begins + digits);
    *out += if value.fract() == 0.0 { ".0" } else { "" };
}

/// How many thousandths a number is the nearest of: what is written then is all of it.
fn thousandths(value: f64) -> Option<u64> {
    let thousandths = (value * 1e3).round();
    let is_whole = value.is_sign_positive() && thousandths < 1e15 && thousandths / 1e3 == value;
    is_whole.then_some(thousandths as u64)
}

/// A percentage that is shown so: below one it needs its sign.
pub(crate) fn percent(value: f64, shown: String) -> String {
    if value > 0.0 && value < 1.0 { format!("\"{shown}%\"") } else { shown }
}

/// A factor that would be taken for a percentage has its sign.
fn growth(factor: f64) -> String {
    if dw_units::is_plain_growth(factor) { number(factor) } else { format!("\"{factor}x\"") }
}

fn text<T: Display>(value: T) -> String {
    format!("\"{value}\"")
}

/// In decimal units where those are whole and binary ones are not: as `750 GB` was asked for, and not as 732421875 KiB.
fn capacity(value: Bytes) -> String {
    const GB: u64 = 1_000_000_000;
    let is_decimal =
        value.get().is_multiple_of(GB) && value.units_of(Bytes::gib(1)) * Bytes::gib(1).get() != value.get();
    if is_decimal { text(format!("{} GB", value.get() / GB)) } else { text(value) }
}

/// MB/s keeps three decimals; what they would lose is written in bytes.
fn throughput(value: Throughput) -> String {
    if value.get().is_multiple_of(1_000) { format!("\"{value}\"") } else { format!("\"{} B/s\"", value.get()) }
}

/// A list of TOML in one line.
pub(crate) fn in_brackets(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

/// A string of TOML.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
