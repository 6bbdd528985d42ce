//! DiskSpd's and Iometer's texts cut, mixed and mangled: whatever comes is read or refused with a place, never a panic.

use dw_formats::fuzzing::other_loads;
use proptest::prelude::*;

const PROFILE: &str = include_str!("diskspd/two-spans.xml");
const ICF: &str = include_str!("iometer/two-workers.icf");
const WORDS: [&str; 44] = [
    "-b8K",
    "-b0",
    "-b4G",
    "-c1G",
    "-c0",
    "-r",
    "-r4K",
    "-r0",
    "-rs50",
    "-rdpct90/10:10/90",
    "-rdabs90/1G",
    "-s",
    "-si",
    "-s0",
    "-s16E",
    "-t4",
    "-t99999",
    "-T1M",
    "-F3",
    "-O9",
    "-o32",
    "-o999999999",
    "-g500",
    "-g500i",
    "-i10",
    "-j5",
    "-w30",
    "-W0",
    "-d0",
    "-d99999999999",
    "-B1G:1G",
    "-f2G",
    "-B18446744073709551615",
    "-p",
    "-Sh",
    "-Sm",
    "-L",
    "-Xp.xml",
    "-z9",
    "-",
    "/",
    "F:\\x",
    "/mnt/log/y",
    "#1",
];

proptest! {
    #[test]
    fn words_in_any_order(words in prop::collection::vec(0..WORDS.len(), 0..9), target in any::<bool>()) {
        let mut line: Vec<&str> = words.iter().map(|&n| WORDS[n]).collect();
        line.extend(target.then_some("F:\\x"));
        other_loads(line.join(" ").as_bytes());
    }

    #[test]
    fn texts_with_pieces_moved_and_bytes_changed(
        which in any::<bool>(),
        edits in prop::collection::vec((any::<u16>(), any::<u16>(), 0u8..4, any::<u8>()), 0..6),
    ) {
        let mut bytes = if which { PROFILE } else { ICF }.as_bytes().to_vec();
        for (from, to, kind, byte) in edits {
            let (a, b) = (usize::from(from) % bytes.len().max(1), usize::from(to) % bytes.len().max(1));
            let (a, b) = (a.min(b), a.max(b));
            match kind {
                0 => { bytes.drain(a..b.min(a + 40)); }
                1 => { let piece = bytes[a..b.min(a + 200)].to_vec(); bytes.extend(piece); }
                2 => if let Some(at) = bytes.get_mut(a) { *at = byte; },
                _ => if let Some(at) = bytes.iter().skip(a).position(u8::is_ascii_digit) { bytes[a + at] = b'9'; },
            }
            if bytes.is_empty() {
                break;
            }
        }
        other_loads(&bytes);
    }
}

#[test]
fn what_they_begin_with_is_accepted() {
    assert_eq!(other_loads(PROFILE.as_bytes()), 1);
    assert_eq!(other_loads(ICF.as_bytes()), 1);
}
