//! Pitfalls of what was printed: since-boot reports, resets, units, fields that lie, clocks.

use dw_messages::{Figure, List, Sentence, say};
use dw_units::Duration;

use super::{Evidence, Pitfall, Report, Severity};
use crate::observation::Observation;
use crate::past::Coarsened;
use crate::ready::Ready;
use crate::series::{IntervalFrom, Lack, Lacks, Noticed};
use crate::source::Seen;
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
            say!(AuditLocale),
            say!(AuditLocaleEffect),
            say!(AuditLocaleHint),
        );
    }
    if let Some(past) = &ready[0].source.past {
        let step = past.sum.gathered.iter().map(|g| g.step()).fold(0.0, f64::max);
        let every = observation.volumes.first().map_or(1, |v| v.series.every());
        let what = match step == 0.0 {
            true => say!(AuditFolded),
            false => say!(AuditFoldedWithin { step: Figure::decimal(step * 100.0, 2, "%") }),
        };
        report.add(Pitfall::Folded, Severity::Note, what, say!(AuditFoldedEffect { intervals: every }), None);
    }
    traces(report, ready);
    missing(report, noticed);
    if observation.damaged_lines > 0 {
        report.add(
            Pitfall::DamagedLines,
            Severity::Warning,
            say!(AuditDamaged { lines: observation.damaged_lines }),
            say!(AuditDamagedEffect),
            say!(AuditDamagedHint),
        );
    }
}

/// A trace that is too short for a rate, or too long for the interval that was asked for.
fn traces(report: &mut Report, ready: &[Ready]) {
    if let Some(rateless) = ready[0].rateless() {
        report.add(Pitfall::TooFew, Severity::Warning, rateless.why(), say!(RateEffect), rateless.fill());
    }
    let Some(frame) = &ready[0].frame else { return };
    let asked = ready[0].source.trace_asked;
    if frame.width > asked {
        let length = |ns: i64| Duration::from_ns(ns.unsigned_abs()).to_string();
        let what = say!(AuditWide { interval: length(frame.width), asked: length(asked) });
        report.add(Pitfall::Folded, Severity::Warning, what, say!(AuditWideEffect), say!(AuditWideHint));
    }
}

fn since_boot(report: &mut Report, first: &Evidence) {
    if first.count > 0 {
        let what = say!(AuditSinceBoot { lines: first.count, example: &first.example });
        report.with(
            Pitfall::SinceBoot,
            Severity::Note,
            first,
            what,
            say!(AuditSinceBootEffect),
            say!(AuditSinceBootHint),
        );
    }
}

/// What one device or direction has and another lacks: no sum is made without it. What nobody has is said by the rows.
fn missing(report: &mut Report, noticed: &Noticed) {
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
            let what = say!(AuditOneDirection { figure: name, other: twin.name() });
            let (effect, hint) = (say!(AuditOneDirectionEffect), say!(AuditOneDirectionHint));
            report.with(Pitfall::Missing, Severity::Warning, &evidence, what, effect, hint);
            continue;
        }
        // What follows from a direction's own figure is not said again.
        if matches!(lack, Lack::Requests | Lack::Bytes | Lack::Latency) && said_by_direction(noticed, lack) {
            continue;
        }
        let of = |(device, lacks): &(&String, &Lacks)| match lacks.there[index] {
            0 => say!(AuditMissingAll { device: *device }),
            there => {
                let (lacking, all) = (lacks.missing[index], there + lacks.missing[index]);
                say!(AuditMissingSome { device: *device, lacking, all })
            }
        };
        let mut devices: Vec<Sentence> = lacking.iter().take(3).map(of).collect();
        if lacking.len() > 3 {
            devices.push(say!(AuditMissingMore { devices: lacking.len() - 3 }));
        }
        let what = say!(AuditMissing { figure: name, devices });
        let (effect, hint) = (say!(AuditMissingEffect), say!(AuditMissingHint));
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
        (all(|s| &s.resets), say!(AuditReset), say!(AuditResetEffect)),
        (all(|s| &s.restarts), say!(AuditRestart), say!(AuditRestartEffect)),
        (all(|s| &s.impossible), say!(AuditImpossible), say!(AuditImpossibleEffect)),
        (all(|s| &s.cpu_count), say!(AuditProcessors), say!(AuditProcessorsEffect)),
    ];
    for (evidence, what, effect) in cases {
        if evidence.count > 0 {
            let example = (!evidence.example.is_empty()).then(|| say!(AuditExample { example: &evidence.example }));
            let what = say!(AuditTimes { what, times: evidence.count, example });
            report.with(Pitfall::Reset, Severity::Warning, &evidence, what, effect, None);
        }
    }
    let left_out = noticed.missing + noticed.outside;
    if noticed.hides_idle && left_out > 0 {
        let but = (noticed.unknown > 0).then(|| say!(AuditCountedBut { lines: noticed.unknown }));
        let severity = if but.is_some() { Severity::Warning } else { Severity::Note };
        let what = say!(AuditIdleLeftOut { lines: left_out, but });
        report.add(Pitfall::Reset, severity, what, say!(AuditIdleLeftOutEffect), None);
    } else if !noticed.appeared.is_empty() || !noticed.disappeared.is_empty() || noticed.missing > 0 {
        let (effect, hint) = (say!(AuditCameWentEffect), say!(AuditCameWentHint));
        report.add(Pitfall::Reset, Severity::Warning, came_and_went(ready, noticed), effect, hint);
    }
}

/// Which devices were not there all the time, and what they are counted as meanwhile.
fn came_and_went(ready: &[Ready], noticed: &Noticed) -> Sentence {
    let list = |names: &[_]| -> List { names.iter().map(ToString::to_string).collect() };
    let mut devices = Vec::new();
    if !noticed.appeared.is_empty() {
        devices.push(say!(AuditCame { devices: list(&noticed.appeared) }));
    }
    if !noticed.disappeared.is_empty() {
        devices.push(say!(AuditWent { devices: list(&noticed.disappeared) }));
    }
    if noticed.missing > 0 {
        devices.push(say!(AuditHoles { lines: noticed.missing }));
    }
    let is_idle = ready[0].source.hides_idle();
    let as_what = if is_idle { say!(AuditIdleWord) } else { say!(AuditUnknownWord) };
    let but = (noticed.unknown > 0 && is_idle).then(|| say!(AuditCountedBut { lines: noticed.unknown }));
    let counted = match (noticed.missing, noticed.appeared.len() + noticed.disappeared.len()) {
        (0, _) => say!(AuditCountedIdle),
        (_, 0) => say!(AuditCountedHole { word: as_what, but }),
        _ => say!(AuditCountedBoth { word: as_what, but }),
    };
    say!(AuditCameWent { devices, counted })
}

fn intervals(
    report: &mut Report,
    ready: &[Ready],
    all: &dyn Fn(fn(&Seen) -> &Evidence) -> Evidence,
    noticed: &Noticed,
) {
    let (interval, from) = ready[0].interval;
    let hint = say!(AuditIntervalHint);
    match from {
        IntervalFrom::Assumed => {
            report.add(Pitfall::IntervalUnknown, Severity::Warning, say!(AuditAssumed), say!(AuditAssumedEffect), hint)
        }
        IntervalFrom::Inferred => report.add(
            Pitfall::IntervalUnknown,
            Severity::Note,
            say!(AuditInferred { interval: interval.to_string() }),
            say!(AuditInferredEffect),
            hint,
        ),
        IntervalFrom::File | IntervalFrom::Asked => {}
    }
    let peaks = all(|s| &s.peaks);
    if peaks.count > 0 {
        let only = ready[0].source.devices.values().all(|d| d.peaks.is_empty());
        let (severity, what) = match only {
            true => (Severity::Critical, say!(AuditPeaks)),
            false => (Severity::Note, say!(AuditPeaksToo)),
        };
        let effect = if only { say!(AuditPeaksEffect) } else { say!(EffectNone) };
        report.with(Pitfall::Coarse, severity, &peaks, what, effect, say!(AuditPeaksHint));
    }
    if let Some(Coarsened { over, finer, device, .. }) = &ready[0].coarsened {
        let over = over.to_string();
        let what = say!(AuditCoarsened { device: device.to_string(), over: over.clone(), finer: finer.to_string() });
        let (effect, hint) = (say!(AuditCoarsenedEffect { over: over.clone() }), say!(AuditCoarsenedHint { over }));
        report.add(Pitfall::Coarse, Severity::Warning, what, effect, hint);
    }
    if noticed.mixed_spans.count > 0 {
        let (intervals, example) = (noticed.mixed_spans.count, &noticed.mixed_spans.example);
        let what = say!(AuditSpans { intervals, usual: interval.to_string(), example });
        let effect = say!(AuditSpansEffect);
        report.with(Pitfall::Coarse, Severity::Warning, &noticed.mixed_spans, what, effect, None);
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
            say!(AuditUtilisation),
            say!(AuditUtilisationEffect),
            None,
        );
    }
    let over = all(|s| &s.utilisation_over_100);
    if over.count > 0 || (busy.count > 0 && kernel.is_some_and(|k| k >= (5, 0))) {
        let what = match over.count {
            0 => say!(AuditTick { kernel: observation.kernel.as_deref().unwrap_or("5") }),
            lines => say!(AuditOver { lines, example: &over.example }),
        };
        let evidence = if over.count > 0 { &over } else { &busy };
        report.with(Pitfall::UtilisationInflated, Severity::Note, evidence, what, say!(AuditUnusedEffect), None);
    }
    let service = all(|s| &s.service_time);
    if service.count > 0 {
        report.with(Pitfall::ServiceTime, Severity::Note, &service, say!(AuditService), say!(EffectNone), None);
    }
    let alone = all(|s| &s.latency_alone);
    if alone.count > 0 {
        let (effect, hint) = (say!(AuditLatencyAloneEffect), say!(AuditLatencyAloneHint));
        let what = say!(AuditLatencyAlone { lines: alone.count });
        report.with(Pitfall::Missing, Severity::Warning, &alone, what, effect, hint);
    }
    let differs = all(|s| &s.depth_differs);
    let checked: u64 = ready.iter().map(|r| r.source.seen.depths_checked).sum();
    // Kernels with the fault, or one line in ten: a few lines differ by chance, because latencies count when requests end.
    let faulty = kernel.is_some_and(|k| ((5, 0)..=(5, 6)).contains(&k));
    if differs.count * 10 > checked || (faulty && differs.count > 0) {
        let fault = faulty.then(|| say!(AuditDepthFault));
        let what = say!(AuditDepth { lines: differs.count, all: checked, fault, example: &differs.example });
        report.with(
            Pitfall::QueueField,
            Severity::Warning,
            &differs,
            what,
            say!(AuditDepthEffect),
            say!(AuditDepthHint),
        );
    }
    let (flushes, discards) = (all(|s| &s.flushes), all(|s| &s.discards));
    let inflated = all(|s| &s.discards_in_transfers);
    if inflated.count > 0 {
        report.with(
            Pitfall::FlushDiscard,
            Severity::Warning,
            &inflated,
            say!(AuditDiscards { lines: inflated.count }),
            say!(AuditDiscardsEffect),
            say!(AuditDiscardsHint),
        );
    } else if flushes.count + discards.count > 0 {
        let (evidence, what) = match flushes.count {
            0 => (&discards, say!(AuditOnlyDiscards { lines: discards.count })),
            lines => (&flushes, say!(AuditFlushes { lines, discards: discards.count })),
        };
        report.with(Pitfall::FlushDiscard, Severity::Note, evidence, what, say!(AuditFlushesEffect), None);
        dataless(report, ready, &flushes);
    }
}

/// A share of the writes that matters to a plan.
const DATALESS: f64 = 0.1;

/// The kernel counts what asks for a flush and brings no data as a write (`blk_account_io_done` of `block/blk-mq.c`: the request
/// that contains the flush is accounted). Journals flush with data, and flushes that come together are one, so that only a trace
/// knows how many of the writes they are.
fn dataless(report: &mut Report, ready: &[Ready], flushes: &Evidence) {
    let percent = |share: f64| Figure::decimal(share * 100.0, 0, "%");
    let traced = ready.iter().flat_map(|r| r.source.devices.values()).filter(|d| !d.rows.is_empty() && !d.folded);
    let shares = traced.filter_map(|d| d.trace.as_ref()?.dataless_share());
    if let Some(share) = shares.reduce(f64::max) {
        if share > DATALESS {
            let what = say!(AuditDatalessTraced { share: percent(share) });
            report.with(Pitfall::FlushDiscard, Severity::Note, flushes, what, say!(AuditDatalessTracedEffect), None);
        }
        return;
    }
    let (flushed, written) = ready
        .iter()
        .fold((0.0, 0.0), |(flushed, written), r| (flushed + r.source.seen.flushed, written + r.source.seen.written));
    if flushed > DATALESS * written {
        let what = say!(AuditDataless { share: percent(flushed / written) });
        let (effect, hint) = (say!(AuditDatalessEffect), say!(AuditDatalessHint));
        report.with(Pitfall::FlushDiscard, Severity::Warning, flushes, what, effect, hint);
    }
}

fn units(report: &mut Report, ready: &[Ready], all: &dyn Fn(fn(&Seen) -> &Evidence) -> Evidence) {
    let implausible = all(|s| &s.implausible);
    if implausible.count > 0 {
        let what = say!(AuditImplausible { lines: implausible.count, example: &implausible.example });
        let (effect, hint) = (say!(AuditImplausibleEffect), say!(AuditUnitsHint));
        report.with(Pitfall::UnitsMixed, Severity::Warning, &implausible, what, effect, hint);
    }
    let odd = all(|s| &s.size_unit);
    let checked: u64 = ready.iter().map(|r| r.source.seen.sizes_checked).sum();
    if odd.count * 10 > checked && odd.count > 1 {
        let factors = ready.iter().filter_map(|r| r.source.seen.size_factor);
        let away = |factor: f64| factor.max(1.0 / factor);
        let factor = factors.max_by(|a, b| away(*a).total_cmp(&away(*b))).unwrap_or(1.0);
        // Units that are thousands apart are not those of kB and KiB.
        let effect = match factor {
            f if f > 1.5 => say!(AuditUnitsFactor { factor: Figure::decimal(f, 0, "") }),
            f if f < 1.0 / 1.5 => say!(AuditUnitsFactorLess { factor: Figure::decimal(1.0 / f, 0, "") }),
            _ => say!(AuditUnitsEffect),
        };
        report.with(
            Pitfall::UnitsMixed,
            Severity::Warning,
            &odd,
            say!(AuditUnits { figures: odd.count, all: checked, example: &odd.example }),
            effect,
            say!(AuditUnitsHint),
        );
    }
}

fn left_out(report: &mut Report, observation: &Observation) {
    let not_named = say!(DeviceNotNamed);
    let mut twice: Vec<Sentence> = observation
        .left_out
        .iter()
        .filter(|(_, why)| *why != not_named)
        .map(|(device, why)| say!(AuditTwiceIs { device: device.to_string(), why: why.clone() }))
        .collect();
    if !twice.is_empty() {
        let more = (twice.len() > 3).then(|| say!(AuditTwiceMore { devices: twice.len() - 3 }));
        twice.truncate(3);
        let what = say!(AuditTwice { devices: twice, more });
        report.add(Pitfall::DoubleCounting, Severity::Note, what, say!(AuditTwiceEffect), say!(AuditTwiceHint));
    }
    let names: Vec<&str> = observation.volumes.iter().flat_map(|v| v.devices.iter().map(|d| &**d)).collect();
    doubts(report, observation);
    let carried = |d: &&&str| volumes::is_layer(d) && !observation.doubts.iter().any(|doubt| &*doubt.device == **d);
    let (above, below): (Vec<&&str>, Vec<&&str>) = names.iter().partition(carried);
    if !above.is_empty() && !below.is_empty() {
        let what = say!(AuditLayers { above: *above[0], below: *below[0] });
        report.add(Pitfall::DoubleCounting, Severity::Warning, what, say!(AuditLayersEffect), say!(AuditLayersHint));
    }
}

/// Devices that were counted or left out for what they did.
fn doubts(report: &mut Report, observation: &Observation) {
    for counted in [true, false] {
        let doubts: Vec<&Doubt> = observation.doubts.iter().filter(|doubt| doubt.counted == counted).collect();
        let Some(device) = doubts.first().map(|doubt| doubt.device.to_string()) else { continue };
        let said = |doubt: &&Doubt| say!(AuditDevice { device: doubt.device.to_string(), why: doubt.why.clone() });
        let mut devices: Vec<Sentence> = doubts.iter().take(3).map(said).collect();
        if doubts.len() > 3 {
            devices.push(say!(AuditMore { devices: doubts.len() - 3 }));
        }
        let (what, effect, hint) = match counted {
            true => (say!(AuditCounted { devices }), say!(AuditCountedEffect), say!(AuditCountedHint { device })),
            false => {
                let (effect, hint) = (say!(AuditNotCountedEffect), say!(AuditNotCountedHint { device }));
                (say!(AuditNotCounted { devices }), effect, hint)
            }
        };
        report.add(Pitfall::DoubleCounting, Severity::Warning, what, effect, hint);
    }
}

/// What a provider says of its own limits.
fn limits(report: &mut Report, ready: &[Ready]) {
    for ((limit, _), consumed) in ready.iter().flat_map(|r| &r.source.seen.consumed) {
        let (evidence, metric) = (&consumed.used_up, &*consumed.metric);
        let most = Figure::decimal(consumed.most, 0, "%");
        if evidence.count == 0 {
            if limit.is_credits && consumed.most > 0.0 {
                let (what, effect) = (say!(AuditCreditsSome { metric, most }), say!(AuditCreditsSomeEffect));
                report.add(Pitfall::Throttled, Severity::Note, what, effect, say!(AuditCreditsHint));
            }
            continue;
        }
        let what = say!(AuditConsumed { limit: metric, readings: evidence.count, all: consumed.readings, most });
        if limit.is_credits {
            let (effect, hint) = (say!(AuditCreditsEffect), say!(AuditCreditsHint));
            report.with(Pitfall::Throttled, Severity::Critical, evidence, what, effect, hint);
            continue;
        }
        report.with(
            Pitfall::Throttled,
            Severity::Critical,
            evidence,
            what,
            say!(AuditConsumedEffect),
            say!(AuditConsumedHint),
        );
    }
}

fn clocks(report: &mut Report, ready: &[Ready], all: &dyn Fn(fn(&Seen) -> &Evidence) -> Evidence, noticed: &Noticed) {
    let zoned = ready.iter().any(|r| r.source.seen.zones.keys().any(Option::is_some));
    let naive = all(|s| &s.no_zone);
    if naive.count > 0 {
        let (severity, what) = match zoned {
            true => (Severity::Warning, say!(AuditZones)),
            false => (Severity::Note, say!(AuditLocalTimes)),
        };
        report.with(Pitfall::Zone, severity, &naive, what, say!(AuditZoneEffect), say!(AuditZoneHint));
    }
    let unjoined = ready.iter().skip(1).filter(|r| !r.axis.joins(ready[0].axis)).count();
    if unjoined > 0 {
        let what = say!(AuditUnjoined { sources: unjoined });
        report.add(Pitfall::Zone, Severity::Warning, what, say!(AuditUnjoinedEffect), say!(AuditUnjoinedHint));
    }
    let (gaps, example) = (noticed.gaps.count, &noticed.gaps.example);
    let time = Figure::decimal(noticed.gap_ns as f64 / 1e9, 0, "s");
    if gaps > 0 && ready[0].frame.is_some() {
        let what = say!(AuditSilence { time, stretches: gaps, longer: SILENCE.ns() / 60_000_000_000, example });
        let (effect, hint) = (say!(AuditSilenceEffect), say!(AuditSilenceHint));
        report.with(Pitfall::Gap, Severity::Warning, &noticed.gaps, what, effect, hint);
    } else if gaps > 0 {
        let what = say!(AuditGaps { time, gaps, example });
        report.with(Pitfall::Gap, Severity::Warning, &noticed.gaps, what, say!(AuditGapsEffect), None);
    }
    let backwards = all(|s| &s.backwards);
    if noticed.late.count > 0 {
        let what = say!(AuditLate { readings: noticed.late.count });
        let (effect, hint) = (say!(AuditLateEffect), say!(AuditLateHint));
        report.with(Pitfall::Gap, Severity::Warning, &noticed.late, what, effect, hint);
    } else if backwards.count > 0 {
        let what = say!(AuditBack { times: backwards.count, example: &backwards.example });
        report.with(Pitfall::Gap, Severity::Warning, &backwards, what, say!(AuditBackEffect), say!(AuditBackHint));
    }
    let mut repeated = all(|s| &s.repeated);
    repeated.merge(&noticed.repeated);
    if repeated.count > 0 {
        let what = say!(AuditRepeated { readings: repeated.count });
        let (effect, hint) = (say!(AuditRepeatedEffect), say!(AuditRepeatedHint));
        report.with(Pitfall::Zone, Severity::Warning, &repeated, what, effect, hint);
    }
}
