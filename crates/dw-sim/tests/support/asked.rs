//! What was asked for, request by request: how two lists of requests differ.
#![allow(dead_code)]

use dw_workload::Direction;
use std::collections::{BTreeMap, BTreeSet};

/// One request: direction, file, first byte of it, bytes.
pub type Asked = (Direction, String, u64, u64);

/// Whether each file was read from its first byte on without a hole, and is as long as was asked for.
pub fn whole(asked: &[Asked]) -> BTreeMap<&str, bool> {
    let is = |ranges: Vec<(u64, u64)>| matches!(ranges[..], [(0, end)] if (64 << 10..=256 << 10).contains(&end));
    touched(asked).into_iter().map(|(file, ranges)| (file, is(ranges))).collect()
}

pub fn first_difference(what: &str, ours: &[Asked], fios: &[Asked]) -> Vec<String> {
    match (0..ours.len().max(fios.len())).find(|&n| ours.get(n) != fios.get(n)) {
        None => Vec::new(),
        Some(n) => vec![format!(
            "{what}request {n} of {} is {:?}, fio's of {} is {:?}",
            ours.len(),
            ours.get(n),
            fios.len(),
            fios.get(n)
        )],
    }
}

/// Byte ranges of each file that were touched, merged.
pub fn touched(asked: &[Asked]) -> BTreeMap<&str, Vec<(u64, u64)>> {
    let mut sorted: BTreeMap<&str, BTreeSet<(u64, u64)>> = BTreeMap::new();
    for (_, file, offset, len) in asked {
        sorted.entry(file).or_default().insert((*offset, offset + len));
    }
    let merge = |ranges: BTreeSet<(u64, u64)>| {
        let mut merged: Vec<(u64, u64)> = Vec::new();
        for (from, to) in ranges {
            match merged.last_mut().filter(|last| last.1 >= from) {
                Some(last) => last.1 = last.1.max(to),
                None => merged.push((from, to)),
            }
        }
        merged
    };
    sorted.into_iter().map(|(file, ranges)| (file, merge(ranges))).collect()
}

pub fn moved(asked: &[Asked]) -> u64 {
    asked.iter().map(|a| a.3).sum()
}

/// What differs by more than chance explains.
pub fn shares(ours: &[Asked], fios: &[Asked]) -> Vec<String> {
    // A run that continues or repeats was drawn once.
    let mut wrong = drawn(ours, fios, "");
    let end = fios.iter().map(|a| a.2 + a.3).max().unwrap_or(0);
    let n = jumps(ours).min(jumps(fios));
    for tenth in 1..10 {
        let what = format!("the first {tenth} tenths of the file");
        wrong.extend(differs(&what, ours, fios, n, |a| a.2 < end * tenth / 10));
    }
    wrong.extend(heat(ours, fios));
    wrong
}

/// Directions and sizes: each request draws its own.
pub fn drawn(ours: &[Asked], fios: &[Asked], when: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let n = ours.len().min(fios.len()) as f64;
    wrong.extend(differs(&format!("reads{when}"), ours, fios, n, |a| a.0 == Direction::Read));
    let sizes: BTreeSet<u64> = ours.iter().chain(fios).map(|a| a.3).collect();
    let bounds: Vec<u64> =
        if sizes.len() <= 40 { sizes.into_iter().collect() } else { (1..9).map(|k| k << 10).collect() };
    for bound in bounds {
        wrong.extend(differs(&format!("at most {bound} bytes{when}"), ours, fios, n, |a| a.3 <= bound));
    }
    wrong
}

/// Five deviations of the difference of two shares of `n` draws, and a tenth of a percent.
fn differs(what: &str, ours: &[Asked], fios: &[Asked], n: f64, is: impl Fn(&Asked) -> bool) -> Option<String> {
    let share = |all: &[Asked]| all.iter().filter(|a| is(a)).count() as f64 / all.len() as f64;
    let (a, b) = (share(ours), share(fios));
    let least = 1.0 / n;
    let deviation = (2.0 * b.clamp(least, 1.0 - least) * (1.0 - b.clamp(least, 1.0 - least)) / n).sqrt();
    ((a - b).abs() > 5.0 * deviation + 0.001).then(|| format!("{what}: a share of {a:.4} instead of {b:.4}"))
}

/// Requests that neither continue nor repeat the one before.
fn jumps(asked: &[Asked]) -> f64 {
    1.0 + asked.windows(2).filter(|pair| pair[0].2 + pair[0].3 != pair[1].2 && pair[0].2 != pair[1].2).count() as f64
}

/// How the requests spread over the offsets, and how they follow each other.
pub fn heat(ours: &[Asked], fios: &[Asked]) -> Vec<String> {
    let figures = |asked: &[Asked]| {
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        asked.iter().for_each(|a| *counts.entry(a.2).or_default() += 1);
        let distinct = counts.len() as f64;
        let mut counts: Vec<u64> = counts.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let hottest = |n: usize| counts.iter().take(n).sum::<u64>() as f64 / asked.len() as f64;
        let of =
            |is: &dyn Fn(&Asked, &Asked) -> bool| asked.windows(2).filter(|pair| is(&pair[0], &pair[1])).count() as f64;
        [
            ("distinct offsets", distinct),
            ("share of the hottest 80 offsets", hottest(80)),
            ("share of the hottest 800 offsets", hottest(800)),
            ("1000 + those that continue", 1_000.0 + of(&|a, b| a.2 + a.3 == b.2)),
            ("1000 + those that repeat", 1_000.0 + of(&|a, b| a.2 == b.2)),
        ]
    };
    figures(ours).into_iter().zip(figures(fios)).filter_map(|((what, a), (_, b))| close(what, a, b, 0.05)).collect()
}

pub fn close(what: &str, ours: f64, fios: f64, within: f64) -> Option<String> {
    ((ours - fios).abs() > within * fios.max(f64::MIN_POSITIVE))
        .then(|| format!("{what}: {ours:.4} instead of {fios:.4}"))
}
