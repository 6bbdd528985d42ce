//! What the kernel's tracers call a request: `R`, `WS`, `FWFS`, `DS`, `FN`.
//!
//! A leading `F` is a flush before the data, `R` `W` `D` the direction, `N` no data; `F` after the direction is forced unit
//! access, `S` synchronous, `M` metadata, `A` read-ahead.

use dw_workload::Direction;

/// Direction and flush; `None` for requests that are neither I/O nor flush.
pub(super) fn rwbs(text: &[u8]) -> Option<(Direction, bool)> {
    let (flush, rest) = match text {
        [b'F', rest @ ..] => (true, rest),
        other => (false, other),
    };
    match rest.first() {
        Some(b'R') => Some((Direction::Read, flush)),
        Some(b'W') => Some((Direction::Write, flush)),
        Some(b'D') => Some((Direction::Trim, flush)),
        _ if flush => Some((Direction::Write, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_mean_what_the_kernel_says() {
        let cases = [
            ("R", Some((Direction::Read, false))),
            ("RM", Some((Direction::Read, false))),
            ("WS", Some((Direction::Write, false))),
            ("WFS", Some((Direction::Write, false))),
            ("FWFS", Some((Direction::Write, true))),
            ("FN", Some((Direction::Write, true))),
            ("F", Some((Direction::Write, true))),
            ("DS", Some((Direction::Trim, false))),
            ("N", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(rwbs(text.as_bytes()), expected, "{text}");
        }
    }
}
