//! What OSWatcher puts around the tools that it runs: a head of settings, and `zzz ***` with a date before every run.
//!
//! A run is `iostat 1 3` or `vmstat 1 3`: its first report counts since boot, each further one a second. Two seconds of every
//! thirty (`SNAP_INTERVAL`) are seen, and no more is made of them.
//!
//! Source: OSWatcher's user guide, and its scripts.

use dw_observe::{Common, Fact, Span, Stamp};
use dw_units::Duration;

use super::CounterError;
use super::input::words;
use super::out::Out;
use super::sysstat::{no_processors, processors};

/// One run of a tool.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    began: Stamp,
    reports: u64,
}

impl Run {
    /// One that began at this instant.
    pub fn at(began: Stamp) -> Run {
        Run { began, reports: 0 }
    }

    /// The next report: when it ended, and what it counts.
    pub fn next(&mut self) -> (Stamp, Span, Option<Duration>) {
        let after = self.reports;
        self.reports += 1;
        let ns = after.saturating_mul(1_000_000_000);
        let stamp = match self.began {
            Stamp::Wall { ns: began, utc_offset_min } => {
                Stamp::Wall { ns: began.saturating_add(i64::try_from(ns).unwrap_or(i64::MAX)), utc_offset_min }
            }
            Stamp::TimeOfDay { ns: began } => Stamp::TimeOfDay { ns: (began.saturating_add(ns)) % 86_400_000_000_000 },
            other => other,
        };
        let one = Duration::from_ns(1_000_000_000);
        if after == 0 { (stamp, Span::First, None) } else { (stamp, Span::Interval, Some(one)) }
    }
}

/// Whether a line is of the head: `Linux OSWbb v8.1.2 web1`, `SNAP_INTERVAL 30`.
pub(super) fn heads(line: &[u8]) -> bool {
    let mut words = words(line);
    match (words.next(), words.next()) {
        (Some(b"Linux"), Some(tool)) => tool.starts_with(b"OSW"),
        (Some(key), value) => {
            let known: [&[u8]; 7] = [
                b"SNAP_INTERVAL",
                b"CPU_COUNT",
                b"CPU_CORES",
                b"VCPU_COUNT",
                b"OSWBB_ARCHIVE_DEST",
                b"OSW_ARCHIVE_DEST",
                b"MEM_TOTAL",
            ];
            known.contains(&key) && value.is_some()
        }
        _ => false,
    }
}

/// Passes on how many processors the head says there are.
pub(super) fn tell(line: &[u8], number: u64, common: &Common, out: &mut Out<'_>) -> Result<(), CounterError> {
    let Some(value) = line.strip_prefix(b"CPU_COUNT ").map(<[u8]>::trim_ascii) else { return Ok(()) };
    let Some(cpus) = processors(value) else { return no_processors(value, number, out) };
    out.fact(number, common, Fact::Cpus(cpus));
    Ok(())
}
