//! Whether a recording is one to plan from: how much of a day it holds, whether processors held the demand down, whether one volume
//! holds what should be planned apart.
//!
//! Thresholds: a plan rests on the busiest hours of a day, so less than 23 hours are said to be some of them and less than one too
//! few; processors count as the bottleneck from 95 % busy in a hundredth of the readings on, the share of time that a plan for the
//! 99th percentile leaves out.
//!
//! Ignores: days of the week; what is data and what is a log, which no counter says.

use dw_messages::{Figure, say};
use dw_units::{Bytes, Duration};

use super::{Pitfall, Report, Severity};
use crate::amount::Amount;
use crate::observation::Observation;
use crate::ready::Ready;
use crate::row_id::weighted_mean;
use crate::series::{Point, Series};

/// Shorter recordings hold no busy hour.
pub const SHORT: Duration = Duration::from_secs(3_600);
/// Nearly a day: a recorder that is started every midnight loses a few minutes.
pub const DAY: Duration = Duration::from_secs(23 * 3_600);
/// Processors that are so busy make work wait, in percent.
const SATURATED: f64 = 95.0;
/// For such a share of the readings.
const SATURATED_SHARE: f64 = 0.01;
/// A volume with such a share of all requests is the only busy one.
const ALONE: f64 = 0.95;
/// Reads and writes are mixed where each is such a share of the requests.
const MIXED: f64 = 0.05;
/// Records of a log are at most this large.
const LOG_WRITE: Bytes = Bytes::kib(64);

pub(super) fn look(report: &mut Report, observation: &Observation, ready: &[Ready], sum: &Series) {
    if ready[0].rateless().is_none() {
        hours(report, sum);
    }
    processors(report, observation);
    data_and_log(report, observation);
}

/// A length with the unit that a person would say it in.
fn length(of: Duration) -> Figure {
    let seconds = of.ns() as f64 / 1e9;
    match seconds {
        s if s < 120.0 => Figure::decimal(s, 0, "s"),
        s if s < 7_200.0 => Figure::decimal(s / 60.0, 0, "min"),
        s => Figure::decimal(s / 3_600.0, 1, "h"),
    }
}

fn hours(report: &mut Report, sum: &Series) {
    let (Some(first), Some(last)) = (sum.means().first(), sum.means().last()) else { return };
    let span = sum.span();
    if span >= DAY {
        return;
    }
    let print = |at: i64| sum.axis.print(at);
    let from = first.at.saturating_sub_unsigned(first.span.ns());
    let times = sum.axis.has_clock().then(|| say!(AuditHoursTimes { from: print(from), to: print(last.at) }));
    let length = length(span);
    let (severity, what) = match span < SHORT {
        true => (Severity::Critical, say!(AuditShort { length, times })),
        false => (Severity::Warning, say!(AuditHours { length, times })),
    };
    report.add(Pitfall::Hours, severity, what, say!(AuditHoursEffect), say!(AuditHoursHint));
}

fn processors(report: &mut Report, observation: &Observation) {
    let busy = observation.cpu.iter().filter(|(_, percent)| *percent >= SATURATED).count();
    let share = busy as f64 / observation.cpu.len().max(1) as f64;
    if busy < 2 || share < SATURATED_SHARE {
        return;
    }
    let what = say!(AuditProcessorsBusy {
        busy: Figure::decimal(SATURATED, 0, "%"),
        share: Figure::decimal(share * 100.0, 0, "%")
    });
    let (effect, hint) = (say!(AuditProcessorsBusyEffect), say!(AuditProcessorsBusyHint));
    report.add(Pitfall::Processors, Severity::Warning, what, effect, hint);
}

/// One busy volume with reads and small writes: it may hold data files and a log.
fn data_and_log(report: &mut Report, observation: &Observation) {
    let all = &observation.volumes;
    let each = if all.len() > 1 { &all[1..] } else { &all[..] };
    let requests = |series: &Series| {
        let known = series.means().iter().filter_map(|p: &Point| Some(p.ios.known()? * p.seconds()));
        known.sum::<f64>()
    };
    let total: f64 = each.iter().map(|volume| requests(&volume.series)).sum();
    let busy = each.iter().find(|volume| requests(&volume.series) >= total * ALONE);
    let Some(volume) = busy.filter(|_| total > 0.0) else { return };
    let mean =
        |above: fn(&Point) -> Amount, below: fn(&Point) -> Amount| weighted_mean(volume.series.means(), (above, below));
    let (Some(reads), Some(size)) =
        (mean(|p| p.total(p.reads), |p| p.total(p.ios)), mean(|p| p.total(p.write_bytes), |p| p.total(p.writes)))
    else {
        return;
    };
    if !(MIXED..=1.0 - MIXED).contains(&reads) || size > LOG_WRITE.get() as f64 {
        return;
    }
    let what = say!(AuditOneVolume {
        volume: &volume.name,
        reads: Figure::decimal(reads * 100.0, 0, "%"),
        size: Figure::decimal(size / 1024.0, 0, "KiB")
    });
    report.add(Pitfall::DataAndLog, Severity::Warning, what, say!(AuditOneVolumeEffect), say!(AuditOneVolumeHint));
}
