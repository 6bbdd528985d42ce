//! blkparse's default text.
//!
//! `maj,min cpu seq seconds.ns pid ACTION RWBS sector + sectors [process]`. Queue (`Q`), issue (`D`) and completion (`C`)
//! are passed on; everything between them is the kernel's own. Sectors are 512 bytes. The summary behind the events ends them.
//! A request without data has no `+`: a bracket stands there, of the process, of the error, or around the bytes of a SCSI command.
//!
//! Ignores: other formats of `-f`; remaps, merges, plugs.

use dw_observe::{Action, Common, Fact, IoEvent, Reading, Stamp};
use dw_units::Bytes;

use super::CounterError;
use super::error::shown;
use super::input::{Lines, words};
use super::number::whole;
use super::out::Out;
use super::rwbs::rwbs;

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut common = Common::at(Stamp::Since { ns: 0 });
    out.fact(1, &common, Fact::Tool("blkparse".into()));
    let mut summary = false;
    while lines.advance()? {
        let number = lines.number();
        let line = lines.bytes();
        let mut fields = words(line);
        let Some(first) = fields.next() else { continue };
        if first.starts_with(b"#") || first == b"Input" {
            continue;
        }
        if first.starts_with(b"CPU") && line.ends_with(b"):") || first == b"Total" {
            summary = true;
        }
        match event(line, &mut common) {
            Some(Some(event)) => {
                summary = false;
                let device = out.device(number, first)?;
                out.take(number, &common, Reading::Io { device, event });
            }
            Some(None) => {}
            None if summary && !is_device(first) => {}
            None => out.damaged(lines, format_args!("`{}` is not an event of blkparse", shown(line)))?,
        }
    }
    Ok(())
}

fn is_device(word: &[u8]) -> bool {
    word.contains(&b',') && word[0].is_ascii_digit()
}

/// The event of a line; `Some(None)` for events that are not passed on.
fn event(line: &[u8], common: &mut Common) -> Option<Option<IoEvent>> {
    let mut fields = words(line);
    if !is_device(fields.next()?) {
        return None;
    }
    whole(fields.next()?)?;
    whole(fields.next()?)?;
    let ns = seconds(fields.next()?)?;
    whole(fields.next()?)?;
    let action = match fields.next()? {
        b"Q" => Action::Queue,
        b"D" => Action::Issue,
        b"C" => Action::Complete,
        b"m" => return Some(None),
        other if other.iter().all(u8::is_ascii_uppercase) => return Some(None),
        _ => return None,
    };
    let Some((direction, flush)) = rwbs(fields.next()?)? else { return Some(None) };
    let rest: [Option<&[u8]>; 3] = std::array::from_fn(|_| fields.next());
    let (offset, len) = match rest {
        [Some(sector), Some(b"+"), Some(length)] => {
            (Some(whole(sector)?.checked_mul(512)?), whole(length)?.saturating_mul(512))
        }
        [Some([b'[' | b'(', ..]), ..] => (None, 0),
        [Some(number), Some([b'[' | b'(', ..]), _] if whole(number).is_some() => (None, 0),
        [None, ..] if flush => (None, 0),
        // Anything else was cut off.
        _ => return None,
    };
    if offset.is_none() && !flush {
        return Some(None);
    }
    common.stamp = Stamp::Since { ns };
    Some(Some(IoEvent { action, direction, flush, offset, len: Bytes::new(len), latency: None }))
}

/// `12.000000149` or `12.345678` in nanoseconds.
pub(super) fn seconds(word: &[u8]) -> Option<u64> {
    let dot = word.iter().position(|&b| b == b'.')?;
    let (whole_part, fraction) = (&word[..dot], &word[dot + 1..]);
    if fraction.is_empty() || fraction.len() > 9 {
        return None;
    }
    let scale = 10_u64.pow(9 - fraction.len() as u32);
    whole(whole_part)?.checked_mul(1_000_000_000)?.checked_add(whole(fraction)? * scale)
}
