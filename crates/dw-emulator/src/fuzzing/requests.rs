//! The transmission phase against any client, with a server that answers at once.
//!
//! ```text
//! input  how:8 bytes...      style and kind of export, what the client sends
//! ```

use super::peer::{self, Message};
use crate::nbd::{
    Command, Errno, ExportInfo, Header, Parsed, ReplyTo, StatusExtent, Style, Terms, plan_read,
    request::{header_len, parse},
};
use std::collections::VecDeque;

/// Bytes of the export.
const SIZE: u64 = 1 << 16;

/// Takes the bytes for requests, answers each, and reads the answers back.
///
/// # Panics
/// When a request that is let through does not fit the export, or an answer is not what the protocol demands.
pub fn nbd_requests(input: &[u8]) {
    let [how, bytes @ ..] = input else { return };
    let terms = terms(*how);
    let mut rest = bytes;
    while let Parsed::Request(header) = parse(&terms, rest) {
        rest = &rest[header_len(terms.style)..];
        check_header(&terms, &header);
        let answer = answer(&terms, &header);
        check_answer(&terms, &header, &answer);
        let Some(after) = rest.get(header.payload as usize..) else { return };
        rest = after;
    }
}

fn terms(how: u8) -> Terms {
    let style = [Style::Simple, Style::Structured, Style::Extended][usize::from(how % 3)];
    let read_only = how & 0x10 != 0;
    let min_block = if how & 0x20 != 0 { 512 } else { 1 };
    let fast_zero = how & 0x80 != 0;
    let export = ExportInfo { read_only, min_block, fast_zero, max_payload: 1 << 15, ..ExportInfo::new("a", SIZE) };
    Terms { base_allocation: how & 0x40 != 0 && style != Style::Simple, ..Terms::new(0, &export, style) }
}

fn check_header(terms: &Terms, header: &Header) {
    let Ok(command) = header.command else {
        let refusal = header.command.as_ref().unwrap_err();
        assert!(refusal.why.len() < 200, "{}", refusal.why);
        return;
    };
    let bounded = !matches!(command, Command::Flush | Command::Disconnect);
    if bounded {
        assert!(header.len > 0 && header.offset.checked_add(header.len).is_some_and(|end| end <= terms.size));
        assert_eq!((header.offset | header.len) % u64::from(terms.min_block), 0);
    }
    match command {
        Command::Write { .. } => assert_eq!(u64::from(header.payload), header.len),
        Command::Disconnect => {}
        _ => assert_eq!(header.payload, 0),
    }
    if let Command::Read { .. } | Command::Write { .. } = command {
        assert!(header.len <= terms.max_payload.into());
    }
    if let Command::Write { .. } | Command::Trim { .. } | Command::WriteZeroes { .. } = command {
        assert!(!terms.read_only());
    }
}

/// What a server would send that has a hole in the middle of the export.
fn answer(terms: &Terms, header: &Header) -> Vec<u8> {
    let to = ReplyTo::new(terms, header);
    let mut out = Vec::new();
    match &header.command {
        Err(refusal) => to.error(&mut out, refusal.errno, &refusal.why),
        Ok(Command::Disconnect) => {}
        Ok(Command::Read { .. }) if header.cookie % 7 == 3 => {
            to.error_at(&mut out, Errno::Io, "the disk has a scratch", header.offset);
        }
        Ok(Command::Read { df }) => {
            for chunk in plan_read(terms.style, *df, header.offset, header.len as u32, extents(header.offset)) {
                if chunk.hole {
                    to.hole(&mut out, chunk.offset, chunk.len, chunk.last);
                } else {
                    to.data(&mut out, chunk.offset, chunk.len, chunk.last);
                    out.resize(out.len() + chunk.len as usize, 0xdd);
                }
            }
        }
        Ok(Command::BlockStatus { one }) => to.status(&mut out, header.len, *one, extents(header.offset)),
        Ok(_) => to.done(&mut out),
    }
    out
}

/// From `offset` on: data, a hole in the second and third quarter, data.
fn extents(offset: u64) -> Vec<StatusExtent> {
    let bounds = [(SIZE / 4, false), (SIZE * 3 / 4, true), (SIZE, false)];
    let mut at = offset;
    let ahead = bounds.into_iter().filter(|&(end, _)| end > offset);
    ahead.map(|(end, hole)| StatusExtent { len: end - std::mem::replace(&mut at, end), hole, zero: hole }).collect()
}

fn check_answer(terms: &Terms, header: &Header, answer: &[u8]) {
    let read_len = if header.is_read { header.len as usize } else { 0 };
    let messages = peer::messages(answer, |_| read_len).expect("what is sent can be read");
    if header.command == Ok(Command::Disconnect) {
        return assert!(messages.is_empty(), "DISC has no reply");
    }
    let mut messages = VecDeque::from(messages);
    let last = messages.pop_back().expect("every request is answered");
    assert!(messages.iter().all(|message| matches!(message, Message::Chunk { done: false, .. })));
    let mut covered = header.offset;
    for message in messages.iter().chain([&last]) {
        match message {
            Message::Simple { error, cookie, data } => {
                assert_eq!((terms.style, *cookie), (Style::Simple, header.cookie));
                assert_eq!(*error == 0, header.command.is_ok() && !(header.is_read && header.cookie % 7 == 3));
                covered += data.len() as u64;
            }
            Message::Chunk { offset, cookie, kind, payload, .. } => {
                assert_eq!(*cookie, header.cookie);
                assert_eq!(*offset, (terms.style == Style::Extended).then_some(header.offset));
                if let 1 | 2 = kind {
                    assert_eq!(payload[..8], covered.to_be_bytes(), "chunks follow one another");
                    covered += match kind {
                        1 => payload.len() as u64 - 8,
                        _ => payload[8..].iter().fold(0, |len, &byte| len << 8 | u64::from(byte)),
                    };
                }
            }
        }
    }
    assert!(!matches!(last, Message::Chunk { done: false, .. }), "the last chunk says so");
    let served = matches!(header.command, Ok(Command::Read { .. })) && header.cookie % 7 != 3;
    assert_eq!(covered - header.offset, if served { header.len } else { 0 }, "a read covers what was asked");
}
