//! Pitfalls of what was printed: since-boot reports, resets, units, fields that lie, clocks.

use dw_units::Duration;

use super::{Evidence, Pitfall, Report, Severity};
use crate::observation::{Observation, Ready};
use crate::recorder::Seen;
use crate::series::{IntervalFrom, Lack, Lacks, Noticed};
use crate::trace::SILENCE;
use crate::volumes::{self, Doubt};

pub(super) fn look(report: &mut Report, observation: &Observation, ready: &[Ready], noticed: &Noticed) {
    let all = |of: fn(&Seen) -> &Evidence| {
        let mut sum = Evidence::default();
        ready.iter().for_each(|r| sum.merge(of(&r.source.seen)));
        sum
    };
    since_boot(report, &all(|s| &s.first));
    resets(report, ready, &all, noticed);
    intervals(report, ready, &all, noticed);
    fields(report, observation, ready, &all);
    units(report, ready, &all);
    left_out(report, observation);
    limits(report, ready);
    clocks(report, ready, &all, noticed);
    if all(|s| &s.decimal_comma).count > 0 {
        report.with(
            Pitfall::Locale,
            Severity::Note,
            &all(|s| &s.decimal_comma),
            "numbers have a comma before their decimals, and were read so",
            "none, if the thousands look right",
            "record with `LC_ALL=C S_TIME_FORMAT=ISO`",
        );
    }
    if let Some(past) = &ready[0].source.past {
        let step = past.sum.gathered.iter().map(|g| g.step()).fold(0.0, f64::max);
        let every = observation.volumes.first().map_or(1, |v| v.series.every());
        let exact = if step == 0.0 { "exact".into() } else { format!("within {:.2} % of a reading", step * 100.0) };
        let what = format!("more readings than are kept: percentiles are of all of them, {exact}");
        let effect = format!("none; plots and the demand over time have a point for {every} intervals");
        report.add(Pitfall::Folded, Severity::Note, what, &effect, "");
    }
    traces(report, ready);
    missing(report, noticed);
    if observation.damaged_lines > 0 {
        report.add(
            Pitfall::DamagedLines,
            Severity::Warning,
            format!("{} lines were not understood and left out", observation.damaged_lines),
            "intervals may be missing",
            "`--strict` fails on them; the first are shown above",
        );
    }
}

/// A trace that is too short for a rate, or too long for the interval that was asked for.
fn traces(report: &mut Report, ready: &[Ready]) {
    if let Some(rateless) = ready[0].rateless() {
        let effect = "requests, throughput and queue depth are unknown; sizes, shares and random are known";
        report.add(Pitfall::TooFew, Severity::Warning, rateless.to_string(), effect, rateless.fill());
    }
    let Some(frame) = &ready[0].frame else { return };
    let asked = ready[0].source.trace_asked;
    if frame.width > asked {
        let length = |ns: i64| Duration::from_ns(ns.unsigned_abs());
        let what = format!(
            "the trace covers more time than intervals are kept: they are {} long, not {}",
            length(frame.width),
            length(asked)
        );
        let hint = "cut the trace to the hours that matter";
        report.add(Pitfall::Folded, Severity::Warning, what, "shorter peaks are not seen", hint);
    }
}

fn since_boot(report: &mut Report, first: &Evidence) {
    if first.count > 0 {
        let what = format!("{} lines of first reports left out: {}", first.count, first.example);
        report.with(
            Pitfall::SinceBoot,
            Severity::Note,
            first,
            what,
            "none: a mean over days would have been taken for one interval",
            "if the tool ran with -y, say `--keep-first`",
        );
    }
}

/// What one device or direction has and another lacks: no sum is made without it. What nobody has is said by the rows.
fn missing(report: &mut Report, noticed: &Noticed) {
    let hint = "record it too; or choose the devices that have it: `--volume NAME=DEVICES`";
    for (index, lack) in Lack::ALL.into_iter().enumerate() {
        let has = |lack: Lack| noticed.lacks.values().any(|l| l.there[lack as usize] > 0);
        let lacking: Vec<(&String, &Lacks)> = noticed.lacks.iter().filter(|(_, l)| l.missing[index] > 0).collect();
        let mut evidence = Evidence::default();
        for (_, lacks) in &lacking {
            evidence.add(lacks.first[index], String::new);
            evidence.count += lacks.missing[index] - 1;
        }
        // Bytes and latencies of a direction that nobody counts are not missed besides.
        let counted = match lack {
            Lack::ReadBytes | Lack::ReadLatency => has(Lack::Reads),
            Lack::WriteBytes | Lack::WriteLatency => has(Lack::Writes),
            _ => true,
        };
        if lacking.is_empty() || !counted {
            continue;
        }
        let name = lack.name();
        if !has(lack) {
            // Reads without writes; a tool that parts neither says so by its rows.
            let Some(twin) = lack.twin().filter(|twin| has(*twin)) else { continue };
            let what = format!("{name}: the recording has none, though it has {}", twin.name());
            let effect = "nothing is made of one direction alone: totals, shares and means of both are unknown";
            report.with(Pitfall::Missing, Severity::Warning, &evidence, what, effect, "record both directions");
            continue;
        }
        // What follows from a direction's own figure is not said again.
        if matches!(lack, Lack::Requests | Lack::Bytes | Lack::Latency) && said_by_direction(noticed, lack) {
            continue;
        }
        let of = |(device, lacks): &(&String, &Lacks)| match lacks.there[index] {
            0 => format!("{device} has none"),
            there => {
                format!("{device} lacks it in {} of {} intervals", lacks.missing[index], there + lacks.missing[index])
            }
        };
        let mut parts: Vec<String> = lacking.iter().take(3).map(of).collect();
        if lacking.len() > 3 {
            parts.push(format!("{} more devices", lacking.len() - 3));
        }
        let what = format!("{name}: {}", parts.join("; "));
        let effect = "missing, not zero: sums and means that need it leave those intervals out";
        report.with(Pitfall::Missing, Severity::Warning, &evidence, what, effect, hint);
    }
}

/// Whether a figure of both directions is missing because one of its directions is.
fn said_by_direction(noticed: &Noticed, lack: Lack) -> bool {
    let directions = match lack {
        Lack::Bytes => [Lack::ReadBytes, Lack::WriteBytes],
        Lack::Latency => [Lack::ReadLatency, Lack::WriteLatency],
        _ => [Lack::Reads, Lack::Writes],
    };
    let has = |lack: Lack| noticed.lacks.values().any(|l| l.there[lack as usize] > 0);
    directions.into_iter().any(has)
}

fn resets(report: &mut Report, ready: &[Ready], all: &dyn Fn(fn(&Seen) -> &Evidence) -> Evidence, noticed: &Noticed) {
    let cases = [
        (all(|s| &s.resets), "counters went back", "the intervals around it are left out"),
        (all(|s| &s.restarts), "the machine or the recording restarted", "no interval spans it"),
        (all(|s| &s.impossible), "figures that no device can have were left out", "a driver or a reset wrote them"),
        (all(|s| &s.cpu_count), "the number of processors changed", "percent of CPU before and after are not the same"),
        (all(|s| &s.too_many), "more devices than any machine has: readings were left out", "names are damaged"),
    ];
    for (evidence, what, effect) in cases {
        if evidence.count > 0 {
            let example = if evidence.example.is_empty() { String::new() } else { format!(" ({})", evidence.example) };
            let what = format!("{what}, {} times{example}", evidence.count);
            report.with(Pitfall::Reset, Severity::Warning, &evidence, what, effect, "");
        }
    }
    if !noticed.appeared.is_empty() || !noticed.disappeared.is_empty() || noticed.missing > 0 {
        let mut parts = Vec::new();
        if !noticed.appeared.is_empty() {
            parts.push(format!("{} came later", noticed.appeared.join(", ")));
        }
        if !noticed.disappeared.is_empty() {
            parts.push(format!("{} went away", noticed.disappeared.join(", ")));
        }
        if noticed.missing > 0 {
            parts.push(format!("{} lines of a device are missing between others", noticed.missing));
        }
        let hole = if ready[0].source.hides_idle() { "idle" } else { "unknown" };
        let but = match noticed.unknown {
            n if n > 0 && hole == "idle" => format!(", {n} of them as unknown: a line was not understood there"),
            _ => String::new(),
        };
        let then = match (noticed.missing, noticed.appeared.len() + noticed.disappeared.len()) {
            (0, _) => "counted as idle then".into(),
            (_, 0) => format!("counted as {hole} then{but}"),
            _ => format!("counted as idle before and after, as {hole} between{but}"),
        };
        let what = format!("{}: {then}", parts.join("; "));
        let effect = "percentiles of such a device are of the time it was there; sums leave out what is unknown";
        report.add(Pitfall::Reset, Severity::Warning, what, effect, "observe again with all devices attached");
    }
}

fn intervals(
    report: &mut Report,
    ready: &[Ready],
    all: &dyn Fn(fn(&Seen) -> &Evidence) -> Evidence,
    noticed: &Noticed,
) {
    let (interval, from) = ready[0].interval;
    let hint = "say it, for example `--every 2s`; `iostat -t` records it";
    match from {
        IntervalFrom::Assumed => report.add(
            Pitfall::IntervalUnknown,
            Severity::Warning,
            "the file does not say its interval: one second is assumed",
            "rates are right, their Δt and the length of the recording are not",
            hint,
        ),
        IntervalFrom::Inferred => report.add(
            Pitfall::IntervalUnknown,
            Severity::Note,
            format!("the interval, {interval}, is concluded from the decimals of the rates"),
            "none, if it is right",
            hint,
        ),
        IntervalFrom::File | IntervalFrom::Asked => {}
    }
    let peaks = all(|s| &s.peaks);
    if peaks.count > 0 {
        let only = ready[0].source.devices.values().all(|d| d.peaks.is_empty());
        let (severity, what) = match only {
            true => (Severity::Critical, "readings are peaks of shorter ones, and there are no means"),
            false => (Severity::Note, "readings that are peaks of shorter ones stand next to means, and are left out"),
        };
        let effect = if only { "percentiles of peaks are up to a third too high" } else { "none" };
        report.with(Pitfall::Coarse, severity, &peaks, what, effect, "export averages");
    }
    if noticed.mixed_spans.count > 0 {
        let what = format!(
            "{} intervals are far from the usual {interval}: {}",
            noticed.mixed_spans.count, noticed.mixed_spans.example
        );
        let effect = "percentiles weigh each by its length; long ones hide their peaks";
        report.with(Pitfall::Coarse, Severity::Warning, &noticed.mixed_spans, what, effect, "");
    }
}

/// Release of a Linux kernel, as (5, 4).
fn release(kernel: &str) -> Option<(u32, u32)> {
    let mut parts = kernel.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

fn fields(
    report: &mut Report,
    observation: &Observation,
    ready: &[Ready],
    all: &dyn Fn(fn(&Seen) -> &Evidence) -> Evidence,
) {
    let busy = all(|s| &s.utilisation);
    let kernel = observation.kernel.as_deref().and_then(release);
    if busy.count > 0 {
        report.with(
            Pitfall::Utilisation,
            Severity::Note,
            &busy,
            "%util is the share of time with at least one request: it was not used",
            "none: a disk that serves several requests at once is not full at 100 %",
            "",
        );
    }
    let over = all(|s| &s.utilisation_over_100);
    if over.count > 0 || (busy.count > 0 && kernel.is_some_and(|k| k >= (5, 0))) {
        let what = match over.count {
            0 => format!("%util of Linux {} is sampled by the tick", observation.kernel.as_deref().unwrap_or("5")),
            n => format!("%util exceeds 100 % in {n} lines ({})", over.example),
        };
        let evidence = if over.count > 0 { &over } else { &busy };
        report.with(Pitfall::UtilisationInflated, Severity::Note, evidence, what, "none: it was not used", "");
    }
    let service = all(|s| &s.service_time);
    if service.count > 0 {
        let what = "svctm is computed from %util, and has no meaning: it was not used";
        report.with(Pitfall::ServiceTime, Severity::Note, &service, what, "none", "");
    }
    let differs = all(|s| &s.depth_differs);
    let checked: u64 = ready.iter().map(|r| r.source.seen.depths_checked).sum();
    // Kernels with the fault, or one line in ten: a few lines differ by chance, because latencies count when requests end.
    let faulty = kernel.is_some_and(|k| ((5, 0)..=(5, 6)).contains(&k));
    if differs.count * 10 > checked || (faulty && differs.count > 0) {
        let kernel = if faulty { " (a fault of Linux 5.0 to 5.6)" } else { "" };
        let what = format!(
            "the queue length as printed is off in {} of {checked} lines{kernel}: {}",
            differs.count, differs.example
        );
        report.with(
            Pitfall::QueueField,
            Severity::Warning,
            &differs,
            what,
            "none: queue depth is rate x latency",
            "do not take aqu-sz of this recording elsewhere",
        );
    }
    let (flushes, discards) = (all(|s| &s.flushes), all(|s| &s.discards));
    let inflated = all(|s| &s.discards_in_transfers);
    if inflated.count > 0 {
        report.with(
            Pitfall::FlushDiscard,
            Severity::Warning,
            &inflated,
            format!("requests/s include discards in {} lines", inflated.count),
            "IOPS are too high by the discards",
            "iostat -x counts them apart",
        );
    } else if flushes.count + discards.count > 0 {
        let (evidence, what) = match flushes.count {
            0 => (&discards, format!("{} lines have discards", discards.count)),
            n => (&flushes, format!("{n} lines have flushes, {} have discards", discards.count)),
        };
        let effect = "they are rows of their own, and no part of IOPS; writes of a log wait for flushes";
        report.with(Pitfall::FlushDiscard, Severity::Note, evidence, what, effect, "");
    }
}

fn units(report: &mut Report, ready: &[Ready], all: &dyn Fn(fn(&Seen) -> &Evidence) -> Evidence) {
    let odd = all(|s| &s.size_unit);
    let checked: u64 = ready.iter().map(|r| r.source.seen.sizes_checked).sum();
    if odd.count * 10 > checked && odd.count > 1 {
        report.with(
            Pitfall::UnitsMixed,
            Severity::Warning,
            &odd,
            format!("throughput, rate and size disagree in {} of {checked} figures: {}", odd.count, odd.example),
            "throughput or I/O size may be off by 2.4 % (kB for KiB) or 4.9 % (MB for MiB)",
            "check the tool's units",
        );
    }
}

fn left_out(report: &mut Report, observation: &Observation) {
    let not_named = |why: &str| why.starts_with("not named");
    let twice: Vec<String> = observation
        .left_out
        .iter()
        .filter(|(_, why)| !not_named(why))
        .map(|(n, why)| format!("{n} is {why}"))
        .collect();
    if !twice.is_empty() {
        let more = if twice.len() > 3 { format!(", and {} more", twice.len() - 3) } else { String::new() };
        let what = format!("not counted: {}{more}", twice[..twice.len().min(3)].join("; "));
        let effect = "none, if that is so: their I/O would have been counted twice";
        report.add(Pitfall::DoubleCounting, Severity::Note, what, effect, "choose with `--volume data=sdb,sdc`");
    }
    let names: Vec<&str> = observation.volumes.iter().flat_map(|v| v.devices.iter().map(|d| &**d)).collect();
    doubts(report, observation);
    let carried = |d: &&&str| volumes::is_layer(d) && !observation.doubts.iter().any(|doubt| &*doubt.device == **d);
    let (above, below): (Vec<&&str>, Vec<&&str>) = names.iter().partition(carried);
    if !above.is_empty() && !below.is_empty() {
        let what = format!("{} and {} are counted together, though one may lie on the other", above[0], below[0]);
        let effect = "the sum of all volumes may be too high";
        report.add(Pitfall::DoubleCounting, Severity::Warning, what, effect, "choose with `--volume NAME=DEVICES`");
    }
}

/// Devices that were counted or left out for what they did.
fn doubts(report: &mut Report, observation: &Observation) {
    for counted in [true, false] {
        let doubts: Vec<&Doubt> = observation.doubts.iter().filter(|doubt| doubt.counted == counted).collect();
        let Some(first) = doubts.first().map(|doubt| &doubt.device) else { continue };
        let mut list: Vec<String> =
            doubts.iter().take(3).map(|doubt| format!("{}: {}", doubt.device, doubt.why)).collect();
        if doubts.len() > 3 {
            list.push(format!("{} more", doubts.len() - 3));
        }
        let list = list.join("; ");
        let (what, effect, hint) = if counted {
            let hint = format!("leave it out, if it does: `--volume exclude={first}`");
            (format!("counted: {list}"), "if it lies on the others, its I/O is counted twice", hint)
        } else {
            let hint = format!("count it, if it is: `--volume NAME={first}`, and a `--volume` for each of the others");
            (format!("not counted: {list}"), "if it is a disk of its own, its I/O is missing", hint)
        };
        report.add(Pitfall::DoubleCounting, Severity::Warning, what, effect, &hint);
    }
}

/// What a provider says of its own limits.
fn limits(report: &mut Report, ready: &[Ready]) {
    for (limit, (evidence, all, most)) in ready.iter().flat_map(|r| &r.source.seen.consumed) {
        if evidence.count == 0 {
            continue;
        }
        let what =
            format!("{limit:?} stood at 95 % or more in {} of {all} readings, {most:.0} % at most", evidence.count);
        report.with(
            Pitfall::Throttled,
            Severity::Critical,
            evidence,
            what,
            "the demand is larger than what was seen: the figures are lower bounds",
            "plan with headroom, or observe on larger disks",
        );
    }
}

fn clocks(report: &mut Report, ready: &[Ready], all: &dyn Fn(fn(&Seen) -> &Evidence) -> Evidence, noticed: &Noticed) {
    let zoned = ready.iter().any(|r| r.source.seen.zones.keys().any(Option::is_some));
    let naive = all(|s| &s.no_zone);
    if naive.count > 0 {
        let (severity, what) = match zoned {
            true => (Severity::Warning, "some files have local times without a zone, others have zones: not joined"),
            false => (Severity::Note, "times are local, without a zone: windows go by that clock"),
        };
        let effect = "an hour is counted twice or left out where clocks change";
        report.with(Pitfall::Zone, severity, &naive, what, effect, "say `--utc-offset +02:00`");
    }
    let unjoined = ready.iter().skip(1).filter(|r| !r.axis.joins(ready[0].axis)).count();
    if unjoined > 0 {
        let what = format!("{unjoined} sources have no time in common with the disks: their figures are not joined");
        let effect = "windows leave out what cannot be placed in time";
        report.add(Pitfall::Zone, Severity::Warning, what, effect, "record with times: `iostat -t`, `vmstat -t`");
    }
    if noticed.gaps.count > 0 && ready[0].frame.is_some() {
        let what = format!(
            "no device was asked anything for {:.0} s in {} stretches of more than {} min ({})",
            noticed.gap_ns as f64 / 1e9,
            noticed.gaps.count,
            SILENCE.ns() / 60_000_000_000,
            noticed.gaps.example
        );
        let effect = "taken for time that was not traced: had it been idle, percentiles over all time would be lower";
        let hint = "look at the stamp of that line: a damaged one opens such a gap";
        report.with(Pitfall::Gap, Severity::Warning, &noticed.gaps, what, effect, hint);
    } else if noticed.gaps.count > 0 {
        let what = format!(
            "{:.0} s are missing in {} gaps ({})",
            noticed.gap_ns as f64 / 1e9,
            noticed.gaps.count,
            noticed.gaps.example
        );
        let effect = "nothing is spread over them; percentiles are of the time that was recorded";
        report.with(Pitfall::Gap, Severity::Warning, &noticed.gaps, what, effect, "");
    }
    let backwards = all(|s| &s.backwards);
    if noticed.late.count > 0 {
        let what = format!("{} readings came after later ones that were folded already", noticed.late.count);
        let effect = "they count, but two of one instant count twice, and windows begin with the first file";
        let hint = "cut files where their times overlap, and give each once";
        report.with(Pitfall::Gap, Severity::Warning, &noticed.late, what, effect, hint);
    } else if backwards.count > 0 {
        let what = format!("time goes back {} times ({})", backwards.count, backwards.example);
        let effect = "readings are put in order; two of one instant are one";
        report.with(Pitfall::Gap, Severity::Warning, &backwards, what, effect, "give files in any order, each once");
    }
    let mut repeated = all(|s| &s.repeated);
    repeated.merge(&noticed.repeated);
    if repeated.count > 0 {
        let what = format!("{} readings of an instant that had one: the first was kept", repeated.count);
        let effect = "an hour that is repeated in autumn is half lost";
        report.with(Pitfall::Zone, Severity::Warning, &repeated, what, effect, "record in UTC");
    }
}
