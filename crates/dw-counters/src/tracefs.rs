//! Block events of the kernel's own tracer (`/sys/kernel/tracing/trace`, `trace_pipe`).
//!
//! `comm-pid [cpu] flags seconds: block_rq_issue: maj,min RWBS bytes () sector + sectors [comm]`; `block_rq_complete` and
//! `block_bio_queue` likewise. Newer kernels put the priority between length and name. Events of other kinds are passed over;
//! a line that says events were lost is a fault.

use dw_observe::{Action, Common, Fact, IoEvent, Reading, Stamp};
use dw_units::Bytes;

use super::CounterError;
use super::blkparse::seconds;
use super::error::shown;
use super::input::{Lines, words};
use super::number::whole;
use super::out::Out;
use super::rwbs::rwbs;

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut common = Common::at(Stamp::Since { ns: 0 });
    out.fact(1, &common, Fact::Tool("tracefs".into()));
    while lines.advance()? {
        let number = lines.number();
        let line = lines.bytes();
        if line.trim_ascii().is_empty() || line.starts_with(b"#") {
            continue;
        }
        if memchr::memmem::find(line, b"LOST").is_some() && memchr::memmem::find(line, b"EVENTS").is_some() {
            out.fault(
                number,
                format!("events were lost: `{}`", shown(line)),
                "record with larger buffers (buffer_size_kb)".into(),
            )?;
            continue;
        }
        let Some(at) = memchr::memmem::find(line, b": block_") else {
            // Another event has a name and a colon behind its time.
            let is_ours = |name: &&[u8]| memchr::memmem::find(line, name).is_some();
            if memchr::memmem::find(line, b": ").is_none() || EVENTS.iter().any(is_ours) {
                out.damaged(lines, format_args!("`{}` is not an event", shown(line)))?;
            }
            continue;
        };
        match event(&line[..at], &line[at + 2..]) {
            Some(Some((ns, device, event))) => {
                common.stamp = Stamp::Since { ns };
                let device = out.device(number, device)?;
                out.take(number, &common, Reading::Io { device, event });
            }
            Some(None) => {}
            None => out.damaged(lines, format_args!("`{}` is damaged", shown(line)))?,
        }
    }
    Ok(())
}

/// The events that are read.
const EVENTS: [&[u8]; 3] = [b"block_bio_queue:", b"block_rq_issue:", b"block_rq_complete:"];

type Found<'a> = (u64, &'a [u8], IoEvent);

fn event<'a>(before: &[u8], after: &'a [u8]) -> Option<Option<Found<'a>>> {
    let mut fields = words(after);
    let action = match fields.next()? {
        b"block_bio_queue:" => Action::Queue,
        b"block_rq_issue:" => Action::Issue,
        b"block_rq_complete:" => Action::Complete,
        other if other.ends_with(b":") => return Some(None),
        _ => return None,
    };
    let ns = seconds(words(before).last()?)?;
    let device = fields.next()?;
    let Some((direction, flush)) = rwbs(fields.next()?)? else { return Some(None) };
    let rest: Vec<&[u8]> = fields.collect();
    let plus = rest.iter().position(|word| *word == b"+")?;
    let length = rest.get(plus + 1).and_then(|word| whole(word))?;
    // A flush has the sector -1.
    if length == 0 {
        let event = IoEvent { action, direction, flush, offset: None, len: Bytes::ZERO, latency: None };
        return Some(flush.then_some((ns, device, event)));
    }
    let sector = whole(rest[plus.checked_sub(1)?])?;
    let (offset, len) = (Some(sector.checked_mul(512)?), Bytes::new(length.saturating_mul(512)));
    Some(Some((ns, device, IoEvent { action, direction, flush, offset, len, latency: None })))
}
