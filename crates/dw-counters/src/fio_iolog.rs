//! What fio's `write_iolog` leaves: which file was read or written where, in version 3 also when.
//!
//! `file action offset length`; version 3 puts microseconds since the start before it (measured with fio 3.33). `add`, `open`
//! and `close` are passed over, `sync` and `datasync` are flushes. An entry is what fio asked for, not what a disk was asked.

use dw_observe::{Action, Common, Fact, IoEvent, Reading, Stamp};
use dw_units::Bytes;
use dw_workload::Direction;

use super::CounterError;
use super::error::shown;
use super::input::{Lines, words};
use super::number::whole;
use super::out::Out;

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut common = Common::at(Stamp::Report { index: 0 });
    out.fact(1, &common, Fact::Tool("fio iolog".into()));
    let (mut timed, mut entries) = (false, 0);
    while lines.advance()? {
        let number = lines.number();
        let line = lines.bytes();
        if let Some(rest) = line.strip_prefix(b"fio version ") {
            timed = rest.starts_with(b"3");
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match entry(line, timed) {
            Some(Some((us, file, event))) => {
                common.stamp = match us {
                    Some(us) => Stamp::Since { ns: us.saturating_mul(1000) },
                    None => Stamp::Report { index: entries },
                };
                entries += 1;
                let device = out.device(number, file)?;
                out.take(number, &common, Reading::Io { device, event });
            }
            Some(None) => {}
            None => out.damaged(lines, format_args!("`{}` is not an entry of an iolog", shown(line)))?,
        }
    }
    Ok(())
}

type Entry<'a> = (Option<u64>, &'a [u8], IoEvent);

fn entry(line: &[u8], timed: bool) -> Option<Option<Entry<'_>>> {
    let mut fields = words(line);
    let us = if timed { Some(whole(fields.next()?)?) } else { None };
    let file = fields.next()?;
    let (direction, flush) = match fields.next()? {
        b"read" => (Direction::Read, false),
        b"write" => (Direction::Write, false),
        b"trim" => (Direction::Trim, false),
        b"sync" | b"datasync" => (Direction::Write, true),
        b"add" | b"open" | b"close" | b"wait" => return Some(None),
        _ => return None,
    };
    let (offset, len) = match (fields.next(), fields.next()) {
        _ if flush => (None, 0),
        (Some(offset), Some(len)) => (Some(whole(offset)?), whole(len)?),
        _ => return None,
    };
    let event = IoEvent { action: Action::Queue, direction, flush, offset, len: Bytes::new(len), latency: None };
    Some(Some((us, file, event)))
}
