//! The latency that decides, over the recorded time: what was recorded beside what these disks do, and what was asked for.
//!
//! Of all that were asked for it is the one that is not met, or of which least is left; where none was asked for, the one that changes
//! most.

use dw_documents::decision::{CheckRow, Decision};
use dw_documents::plan::{LimitRow, PlanDocument};
use dw_documents::run::Summary;
use dw_documents::verdict::{CheckOf, State};
use dw_messages::{Arg, Sentence, label, text};

use super::timeline::{is_as_long, recorded_volumes, table};
use crate::chart::{Series, under_limits};
use crate::content::Block;
use crate::format::milliseconds;
use crate::read::Read;

/// A direction of a volume.
struct Of<'a> {
    volume: &'a str,
    is_read: bool,
    /// Nanoseconds that it may take at most, and whether that is of the mean.
    asked: Option<(f64, bool)>,
}

/// Nothing where nobody ran the recording on these disks.
pub(super) fn chart(read: &Read, plan: &PlanDocument, decision: &Decision) -> Option<Block> {
    let lang = read.lang;
    let of = asked(plan, decision).or_else(|| changed(decision))?;
    let direction = if of.is_read { "read" } else { "write" };
    let (run, recorded) = read.summaries().find_map(|(_, run)| {
        let recorded =
            recorded_volumes(read).find(|recorded| recorded.name == of.volume && is_as_long(run, recorded))?;
        Some((run, recorded))
    })?;
    let track = run.series.iter().find(|track| track.volume == of.volume && track.direction == direction)?;
    let points = track.end_s.iter().zip(&track.latency_mean_ns).map(|(end, ns)| (*end, Some(*ns)));
    let before = recorded.series.end_s.iter().zip(&recorded.series.latency_s);
    let before: Vec<_> = before.map(|(end, s)| (*end, s.map(|s| s * 1e9))).collect();
    let mut series = vec![Series::new(simulated(read, run, &of), points.collect())];
    if let Some(tails) = track.latency_p99_ns.as_ref().filter(|tails| tails.iter().any(Option::is_some)) {
        let points = track.end_s.iter().zip(tails).map(|(end, ns)| (*end, ns.map(|ns| ns as f64)));
        series.push(Series::new(text!(lang, "p99 of each interval"), points.collect()));
    }
    if before.iter().any(|(_, value)| value.is_some()) {
        // A recording has one latency for reads and writes.
        series.push(Series { recorded: true, ..Series::new(text!(lang, "recorded, all requests"), before) });
    }
    let limits: Vec<(f64, String)> = of
        .asked
        .iter()
        .map(|(most, is_mean)| match is_mean {
            true => (*most, text!(lang, "asked at most")),
            false => (*most, text!(lang, "asked of a percentile at most")),
        })
        .collect();
    let title = match of.is_read {
        true => text!(lang, "{volume}: how long reads take (ms)", volume = of.volume),
        false => text!(lang, "{volume}: how long writes take (ms)", volume = of.volume),
    };
    let mut chart = under_limits(lang, &title, &series, &limits, &milliseconds)?;
    chart.low = true;
    super::summary::at_clock_times(read, &mut chart, track.end_s.last().copied().unwrap_or_default());
    Some(Block::Chart(chart, table(&title, &series, &milliseconds, &[], lang)))
}

/// `the same load on these disks: mean 0.51, p99 1.76`.
fn simulated(read: &Read, run: &Summary, of: &Of) -> String {
    let load = run.volumes.iter().find(|line| line.name == of.volume).map(|line| &line.load);
    let load = load.and_then(|load| if of.is_read { load.read.as_ref() } else { load.write.as_ref() });
    match load.and_then(|load| load.latency_ns.as_ref()) {
        Some(found) => {
            let [mean, p99] = [found.mean, found.p99 as f64].map(|ns| read.lang.figure(&milliseconds(ns)));
            text!(read.lang, "the same load on these disks: mean {mean}, p99 {p99}", mean, p99)
        }
        None => read.lang.label(label!("simulated")).into(),
    }
}

/// The one that was asked for and is worst off.
fn asked<'a>(plan: &PlanDocument, decision: &'a Decision) -> Option<Of<'a>> {
    let latencies = decision.checks.iter().filter(|row| row.of == CheckOf::Latencies);
    let of = |row: &'a CheckRow| {
        let (volume, direction) = (row.volume.as_deref()?, row.direction.as_deref()?);
        let is_own = |limit: &&LimitRow| {
            let LimitRow { of, .. } = limit;
            of.unit == "us" && of.volume.as_deref() == Some(volume) && of.limit.starts_with(direction)
        };
        let limit =
            plan.limits.iter().filter(is_own).min_by(|a, b| a.headroom_percent.total_cmp(&b.headroom_percent))?;
        let asked = Some((limit.capacity * 1e3, limit.of.is_mean()));
        let rank = (row.state != State::NotMet, row.state == State::Met);
        Some((rank, limit.headroom_percent, Of { volume, is_read: direction == "read", asked }))
    };
    let worst = latencies.filter_map(of).min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    worst.map(|(_, _, of)| of)
}

/// The one that is told as the greatest change.
fn changed(decision: &Decision) -> Option<Of<'_>> {
    let of = |line: &'_ Sentence| line.id == "today-reads" || line.id == "today-writes";
    let line = decision.today.iter().find(|line| of(line))?;
    match line.args.get("volume") {
        Some(Arg::Text(volume)) => Some(Of { volume, is_read: line.id == "today-reads", asked: None }),
        _ => None,
    }
}
