//! The handshake against any client.
//!
//! ```text
//! input  mode:8 step:8 bytes...      TLS mode, how many bytes arrive at a time, what the client sends
//! ```

use super::peer;
use crate::nbd::{ExportInfo, ExportList, Handshake, Step, TlsMode, handshake::MAX_MESSAGE, wire::opt};

/// Bytes of the server's greeting.
const GREETING: usize = 18;

/// Feeds the bytes at once and piece by piece, and looks at what comes back.
///
/// # Panics
/// When the two ways differ, the handshake makes no progress, answers too much, or answers what is not NBD.
pub fn nbd_handshake(input: &[u8]) {
    let [mode, piece, bytes @ ..] = input else { return };
    let tls = [TlsMode::Off, TlsMode::Optional, TlsMode::Required][usize::from(mode % 3)];
    let at_once = drive(tls, bytes, bytes.len().max(1));
    let in_pieces = drive(tls, bytes, usize::from(*piece).max(1));
    assert_eq!(at_once, in_pieces, "how the bytes arrive must not matter");
    check_replies(bytes, &at_once.0, at_once.1);
}

/// What was sent back, how it ended, and how many bytes were done with.
fn drive(tls: TlsMode, bytes: &[u8], piece: usize) -> (Vec<u8>, Step, usize) {
    let exports = exports();
    let list = ExportList { exports: &exports, default: Some(0) };
    let mut out = Vec::new();
    let mut handshake = Handshake::new(tls, &mut out);
    let (mut done, mut there) = (0, 0);
    loop {
        let before = out.len();
        let (consumed, step) = handshake.feed(&bytes[done..there], list, &mut out);
        done += consumed;
        assert!(done <= there, "more was consumed than there was");
        assert!(out.len() - before < 64 << 10, "one reply of {} bytes", out.len() - before);
        match step {
            Step::More => {
                assert_eq!(consumed, 0);
                assert!(there - done < MAX_MESSAGE, "{} bytes were not enough", there - done);
                if there == bytes.len() {
                    return (out, step, done);
                }
                there = bytes.len().min(there + piece);
            }
            Step::Next | Step::StartTls => assert!(consumed > 0, "no progress"),
            Step::Transmission(_) | Step::Close(_) => return (out, step, done),
        }
    }
}

fn exports() -> Vec<ExportInfo> {
    vec![
        ExportInfo { description: "for any client".into(), ..ExportInfo::new("a", 1 << 20) },
        ExportInfo { detached: true, ..ExportInfo::new("b", 1 << 20) },
        ExportInfo { min_block: 4096, read_only: true, ..ExportInfo::new("c", 1 << 20) },
    ]
}

fn check_replies(bytes: &[u8], out: &[u8], step: Step) {
    let mut replies = &out[GREETING..];
    if matches!(step, Step::Transmission(_)) {
        let zeroes = if bytes[3] & 2 == 0 { 124 } else { 0 };
        // GO ends with an acknowledgement, EXPORT_NAME with size and flags.
        let old = replies.len().checked_sub(10 + zeroes).filter(|&at| peer::option_replies(&replies[at..]).is_err());
        if let Some(at) = old.filter(|&at| peer::option_replies(&replies[..at]).is_ok()) {
            replies = &replies[..at];
        }
    }
    let replies = peer::option_replies(replies).expect("what is sent can be read");
    assert!(replies.iter().all(|reply| reply.option != opt::EXPORT_NAME), "EXPORT_NAME has no such reply");
}
