//! Into which chunks reads are cut, compared with counting byte by byte.

use dw_emulator::nbd::{Chunk, StatusExtent, Style, in_pieces, plan_read};
use proptest::prelude::*;

const KIB: u64 = 1024;

/// `KIB:kind` extents from the offset of 1 MiB on; chunks as `KIB:kind`.
#[track_caller]
fn check(style: Style, df: bool, kib: u64, extents: &str, expected: &str) {
    let extents = extents.split_whitespace().map(|word| {
        let (len, kind) = word.split_once(':').expect("KIB:kind");
        let zero = kind == "h";
        StatusExtent { len: len.parse::<u64>().expect("KiB") * KIB, hole: zero, zero }
    });
    let chunks = plan_read(style, df, 1 << 20, (kib * KIB) as u32, extents);
    let names: Vec<String> = chunks
        .iter()
        .map(|chunk| format!("{}:{}", u64::from(chunk.len) / KIB, if chunk.hole { "h" } else { "d" }))
        .collect();
    assert_eq!(names.join(" "), expected);
}

#[test]
fn holes_travel_as_lengths() {
    use Style::{Extended, Simple, Structured};
    check(Structured, false, 256, "64:d 128:h 64:d", "64:d 128:h 64:d");
    check(Extended, false, 256, "64:d 128:h 64:d", "64:d 128:h 64:d");
    check(Structured, false, 256, "1024:h", "256:h");
    check(Structured, false, 256, "64:d 16:h 64:d 112:h", "144:d 112:h");
    check(Structured, false, 256, "64:h 64:h 64:d", "128:h 128:d");
    check(Structured, false, 256, "", "256:d");
    check(Structured, false, 256, "64:h", "64:h 192:d");
    check(Structured, false, 16, "16:h", "16:d");
    check(Structured, true, 256, "64:d 128:h 64:d", "256:d");
    check(Simple, false, 256, "64:d 128:h 64:d", "256:d");
}

proptest! {
    #[test]
    fn every_byte_is_covered_once_and_no_data_is_called_a_hole(
        offset in 0u64..1 << 40,
        len in 1u32..1 << 20,
        lens in prop::collection::vec((0u64..200_000, any::<bool>()), 0..20),
        most in prop_oneof![1_000u32..300_000, Just(u32::MAX)],
    ) {
        let extents = lens.iter().map(|&(len, zero)| StatusExtent { len, hole: zero, zero });
        let chunks = plan_read(Style::Structured, false, offset, len, extents);
        let chunks: Vec<Chunk> = in_pieces(chunks, most).collect();
        let mut at = offset;
        for chunk in &chunks {
            prop_assert!(chunk.hole || chunk.len <= most);
            prop_assert_eq!(chunk.offset, at);
            prop_assert!(chunk.len > 0);
            if chunk.hole {
                let middle = [at, at + u64::from(chunk.len) / 2, at + u64::from(chunk.len) - 1];
                prop_assert!(middle.iter().all(|&byte| zero_slowly(&lens, byte - offset)));
            }
            at += u64::from(chunk.len);
        }
        prop_assert_eq!(at, offset + u64::from(len));
        let last: Vec<bool> = chunks.iter().map(|chunk| chunk.last).collect();
        prop_assert!(last.iter().rev().skip(1).all(|last| !last) && last.ends_with(&[true]));
    }
}

/// Walks the list to the byte.
fn zero_slowly(lens: &[(u64, bool)], mut byte: u64) -> bool {
    for &(len, zero) in lens {
        if byte < len {
            return zero;
        }
        byte -= len;
    }
    false
}
