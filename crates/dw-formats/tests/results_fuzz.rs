//! Results cut, mixed and mangled: whatever comes is read or refused with a place, never a panic.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;

/// Whether they are read, in whatever encoding they are.
fn result(bytes: &[u8]) -> bool {
    dw_formats::fuzzing::result(&dw_counters::decoded(bytes))
}

/// Every fixture that is read.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/results/valid");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the fixtures are there").map(|e| e.expect("readable").path()).collect();
    files.sort();
    files.into_iter().map(|path| fs::read(path).expect("readable")).collect()
});

/// Bytes that mean something to one format or another.
const TELLING: &[u8] = b"0123456789.-;,|:%<>{}[]\"'=/()\n\r\t eE\xff\x00";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mangled_results(
        seed in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<u32>(), any::<u32>(), 0u8..5, any::<prop::sample::Index>()), 0..8),
    ) {
        let mut bytes = seed.get(&SEEDS).clone();
        for (from, to, kind, byte) in edits {
            let (a, b) = (from as usize % bytes.len().max(1), to as usize % bytes.len().max(1));
            let (a, b) = (a.min(b), a.max(b));
            match kind {
                0 => { bytes.drain(a..b.min(a + 60)); }
                1 => { let piece = bytes[a..b.min(a + 300)].to_vec(); bytes.extend(piece); }
                2 => if let Some(at) = bytes.get_mut(a) { *at = *byte.get(TELLING); },
                3 => { let piece = other.get(&SEEDS); bytes.splice(a..a, piece[..piece.len().min(b - a)].iter().copied()); }
                _ => bytes.truncate(b.max(1)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        result(&bytes);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        result(&bytes);
    }
}

#[test]
fn what_they_begin_with_is_read() {
    assert!(SEEDS.len() > 15);
    assert!(SEEDS.iter().all(|seed| result(seed)));
}
