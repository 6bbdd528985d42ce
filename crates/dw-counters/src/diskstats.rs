//! Copies of `/proc/diskstats`, one after the other, with or without a clock between them.
//!
//! `major minor name` and 4, 11, 15, 17 or more figures; one file can hold several kernels. Sectors are 512 bytes whatever the
//! device, times milliseconds in 32 bits. A new copy begins with a clock (`date`, `date -Is`, seconds since 1970) or with a
//! device that the copy already has.
//!
//! Source: the kernel's `Documentation/admin-guide/iostats.rst`.

use std::collections::HashSet;

use dw_observe::{Common, DiskCounters, Fact, Name, Reading, Role, Stamp};

use super::CounterError;
use super::error::shown;
use super::input::{Lines, words};
use super::number::whole;
use super::out::Out;
use super::stamp::Stamps;

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut common = Common::at(Stamp::Report { index: 0 });
    let mut stamps = Stamps::default();
    let (mut seen, mut copies): (HashSet<Name>, u64) = (HashSet::new(), 0);
    out.fact(1, &common, Fact::Tool("diskstats".into()));
    while lines.advance()? {
        let number = lines.number();
        let fields: Vec<&[u8]> = words(lines.bytes()).take(64).collect();
        if fields.is_empty() {
            continue;
        }
        let figures: Option<Vec<u64>> = fields.get(3..).map(|f| f.iter().map_while(|w| whole(w)).collect());
        let counters = figures.filter(|f| f.len() + 3 == fields.len()).as_deref().and_then(counters);
        if let (Some(counters), Some(_), Some(_)) = (counters, whole(fields[0]), fields.get(1).and_then(|w| whole(w))) {
            let device = out.device(number, fields[2])?;
            if (seen.is_empty() || seen.contains(&device))
                && let Some(clock) = lines.clock(&mut stamps, out)?
            {
                common.stamp = clock;
                out.stamp(number, clock)?;
            }
            if seen.contains(&device) {
                seen.clear();
                copies += 1;
                if matches!(common.stamp, Stamp::Report { .. }) {
                    common.stamp = Stamp::Report { index: copies };
                }
            }
            seen.insert(device.clone());
            out.take(number, &common, Reading::DiskCounters { device, role: Role::Unknown, counters });
            continue;
        }
        let text = String::from_utf8_lossy(lines.bytes());
        let words: Vec<&str> = text.split_whitespace().take(8).collect();
        if let Some(stamp) = stamps.read(&words, number, out)? {
            common.stamp = stamp;
            out.stamp(number, stamp)?;
            seen.clear();
            copies += 1;
            continue;
        }
        let (cut, hint) = if lines.closed() {
            ("", "4, 11, 15, 17 or more figures stand behind `major minor name`")
        } else {
            ("the file ends inside a line: ", "this line is ignored")
        };
        out.fault(number, format!("{cut}`{}` is not a line of /proc/diskstats", shown(lines.bytes())), hint.into())?;
    }
    Ok(())
}

fn counters(f: &[u64]) -> Option<DiskCounters> {
    let sectors = |n: u64| Some(n as f64 * 512.0);
    let count = |n: u64| Some(n as f64);
    let ms = |n: u64| Some(n as f64 * 1e6);
    let mut counters = DiskCounters { times_wrap_at_u32_ms: true, ..DiskCounters::default() };
    match f.len() {
        4 => {
            (counters.reads, counters.read_bytes) = (count(f[0]), sectors(f[1]));
            (counters.writes, counters.write_bytes) = (count(f[2]), sectors(f[3]));
        }
        // Kernels append figures, several at once, and never take one away: between are lines that lost some.
        11 | 15 | 17.. => {
            (counters.reads, counters.read_merges) = (count(f[0]), count(f[1]));
            (counters.read_bytes, counters.read_time_ns) = (sectors(f[2]), ms(f[3]));
            (counters.writes, counters.write_merges) = (count(f[4]), count(f[5]));
            (counters.write_bytes, counters.write_time_ns) = (sectors(f[6]), ms(f[7]));
            (counters.queue_depth_now, counters.busy_time_ns, counters.queue_time_ns) =
                (count(f[8]), ms(f[9]), ms(f[10]));
            if f.len() >= 15 {
                (counters.discards, counters.discard_bytes, counters.discard_time_ns) =
                    (count(f[11]), sectors(f[13]), ms(f[14]));
            }
            if f.len() >= 17 {
                (counters.flushes, counters.flush_time_ns) = (count(f[15]), ms(f[16]));
            }
        }
        _ => return None,
    }
    Some(counters)
}
