//! Damaged and made-up job files: the reader never panics, and every error names a line.
//!
//! Each seed is one file, always the same; a failure prints the seed. More: `DISKWRIGHT_FUZZ_SEEDS=1000000`.

use std::fs;
use std::path::Path;

use dw_formats::fuzzing::fio_job;

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut n = self.0;
        n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ (n >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "4k",
    "8K ",
    " 8k",
    "1.5",
    "64k-4k",
    "4k:64k",
    "4k,8k,16k,32k",
    ",",
    ",,",
    "99999999999999t",
    "16p",
    "18446744073709551615",
    "18446744073709551616",
    "0xffffffffffffffff",
    "0x",
    "100%",
    "150%",
    "-5%",
    "50%",
    "8z",
    "1m30s",
    "99999999d",
    "10min",
    "zipf:1",
    "zipf:nan",
    "zoned:50/5:50",
    "zoned_abs:100/0",
    "zoned:18446744073709551615/1:1",
    "4k/50:8k",
    "4k/0:0/100",
    "::",
    ":",
    "/",
    "//",
    "/mnt/data/../../x",
    "/mnt/data",
    "/dev/data0",
    "/dev/log",
    "a:b\\:c",
    "\\",
    "F:\\x",
    "${SIZE}",
    "${NOT}",
    "${",
    "$(x)",
    "`x`",
    "$pagesize*$pagesize",
    "$pagesize^99",
    "$ncpus",
    "((((((",
    "$pagesize/0",
    "read",
    "randrw:0",
    "read:-9223372036854775808",
    "write:9223372036854775807",
    "randread:4294967296",
    "null",
    "libaio",
    "é€😀",
    "\u{0}",
    "1:2:3",
    "inf",
    "4096",
    "5000",
];

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio");
    let mut paths: Vec<_> = ["valid", "invalid"]
        .iter()
        .flat_map(|kind| fs::read_dir(folder.join(kind)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "fio"))
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A file of the corpus with a few things wrong.
fn damaged(chance: &mut Chance, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = chance.pick(corpus).clone();
    for _ in 0..1 + chance.below(4) {
        let at = chance.below(bytes.len() + 1);
        match chance.below(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, chance.next() as u8),
            2 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
            3 => {
                let other = chance.pick(corpus);
                bytes.splice(at..at, other[chance.below(other.len() + 1)..].iter().copied());
            }
            4 => {
                let value = *chance.pick(VALUES);
                bytes.splice(at..at, value.bytes());
            }
            _ => drop(bytes.drain(at..bytes.len().min(at + 1 + chance.below(8)))),
        }
    }
    bytes
}

/// Options of the table with values that somebody might write, or nobody.
fn made_up(chance: &mut Chance, options: &[&str]) -> Vec<u8> {
    let mut text = String::from("[global]\nioengine=libaio\ndirect=1\ndirectory=/mnt/data\nsize=64m\n");
    for i in 0..chance.below(4) {
        text.push_str(["[a]\n", "[b]\n", "[global]\n", "[c\n"][(i + chance.below(4)) % 4]);
        for _ in 0..chance.below(6) {
            text.push_str(&format!("{}={}\n", chance.pick(options), chance.pick(VALUES)));
        }
    }
    text.into_bytes()
}

fn check(seeds: u64, make: impl Fn(&mut Chance) -> Vec<u8>) {
    let seeds = std::env::var("DISKWRIGHT_FUZZ_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(seeds);
    let mut accepted = 0u64;
    for seed in 0..seeds {
        let bytes = make(&mut Chance(seed));
        let result = std::panic::catch_unwind(|| fio_job(&bytes).is_ok());
        match result {
            Ok(ok) => accepted += u64::from(ok),
            Err(_) => panic!("seed {seed} fails on:\n{}", String::from_utf8_lossy(&bytes)),
        }
    }
    // Both kinds must occur, or nothing much was tried.
    assert!(accepted > seeds / 100 && accepted < seeds, "{accepted} of {seeds} accepted");
}

#[test]
fn damaged_files_never_panic_and_every_error_names_a_line() {
    let corpus = corpus();
    check(4_000, |chance| damaged(chance, &corpus));
}

#[test]
fn made_up_files_never_panic_and_every_error_names_a_line() {
    let options: Vec<&str> = include_str!("../src/fio/options.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    check(4_000, |chance| made_up(chance, &options));
}
