//! What the kernel's tracers call a request: `R`, `WS`, `FWFS`, `DS`, `FN`.
//!
//! A leading `F` is a flush before the data, `R` `W` `D` the direction, `N` no data; `F` after the direction is forced unit
//! access, `S` synchronous, `M` metadata, `A` read-ahead.

use dw_workload::Direction;

/// Direction and flush; `Some(None)` for requests that are neither I/O nor flush, `None` for what no kernel writes.
pub(super) fn rwbs(text: &[u8]) -> Option<Option<(Direction, bool)>> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_uppercase) {
        return None;
    }
    let (flush, rest) = match text {
        [b'F', rest @ ..] => (true, rest),
        other => (false, other),
    };
    Some(match rest.first() {
        Some(b'R') => Some((Direction::Read, flush)),
        Some(b'W') => Some((Direction::Write, flush)),
        Some(b'D') => Some((Direction::Trim, flush)),
        _ if flush => Some((Direction::Write, true)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_mean_what_the_kernel_says() {
        let cases = [
            ("R", Some(Some((Direction::Read, false)))),
            ("RM", Some(Some((Direction::Read, false)))),
            ("WS", Some(Some((Direction::Write, false)))),
            ("WFS", Some(Some((Direction::Write, false)))),
            ("FWFS", Some(Some((Direction::Write, true)))),
            ("FN", Some(Some((Direction::Write, true)))),
            ("F", Some(Some((Direction::Write, true)))),
            ("DS", Some(Some((Direction::Trim, false)))),
            ("N", Some(None)),
            ("ZR", Some(None)),
            ("", None),
            ("xR", None),
            ("7", None),
        ];
        for (text, expected) in cases {
            assert_eq!(rwbs(text.as_bytes()), expected, "{text}");
        }
    }
}
