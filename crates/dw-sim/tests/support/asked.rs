//! What was asked for, request by request: how two lists of requests differ.
#![allow(dead_code)]

use super::chance;
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
    let mut wrong = drawn(ours, fios, "");
    let end = fios.iter().map(|a| a.2 + a.3).max().unwrap_or(0);
    let (ours_drawn, fios_drawn) = (jumps(ours), jumps(fios));
    for tenth in 1..10 {
        let what = format!("the first {tenth} tenths of the file");
        wrong.extend(differs(&what, &ours_drawn, &fios_drawn, |a| a.2 < end * tenth / 10));
    }
    wrong.extend(heat(ours, fios));
    wrong
}

/// Directions and sizes: each request draws its own.
pub fn drawn(ours: &[Asked], fios: &[Asked], when: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let (all_ours, all_fios): (Vec<&Asked>, Vec<&Asked>) = (ours.iter().collect(), fios.iter().collect());
    wrong.extend(differs(&format!("reads{when}"), &all_ours, &all_fios, |a| a.0 == Direction::Read));
    let sizes: BTreeSet<u64> = ours.iter().chain(fios).map(|a| a.3).collect();
    let bounds: Vec<u64> =
        if sizes.len() <= 40 { sizes.into_iter().collect() } else { (1..9).map(|k| k << 10).collect() };
    for bound in bounds {
        wrong.extend(differs(&format!("at most {bound} bytes{when}"), &all_ours, &all_fios, |a| a.3 <= bound));
    }
    wrong
}

fn differs(what: &str, ours: &[&Asked], fios: &[&Asked], is: impl Fn(&Asked) -> bool) -> Option<String> {
    let of = |all: &[&Asked]| (all.iter().filter(|a| is(a)).count(), all.len());
    chance::share(what, of(ours), of(fios))
}

/// Requests that neither continue nor repeat the one before: a run that does was drawn once.
fn jumps(asked: &[Asked]) -> Vec<&Asked> {
    let is = |pair: &[Asked]| pair[0].2 + pair[0].3 != pair[1].2 && pair[0].2 != pair[1].2;
    asked.first().into_iter().chain(asked.windows(2).filter(|pair| is(pair)).map(|pair| &pair[1])).collect()
}

/// How the requests spread over the offsets, and how they follow each other.
pub fn heat(ours: &[Asked], fios: &[Asked]) -> Vec<String> {
    let (ours_drawn, fios_drawn) = (jumps(ours), jumps(fios));
    // Of as many draws: how many there are says nothing of where they lie.
    let n = ours_drawn.len().min(fios_drawn.len());
    let figures = |drawn: &[&Asked]| {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        drawn[..n].iter().for_each(|a| *counts.entry(a.2).or_default() += 1);
        let mut counts: Vec<usize> = counts.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let hottest = |places: usize| counts.iter().take(places).sum::<usize>();
        [("distinct offsets", counts.len()), ("hottest 80 offsets", hottest(80)), ("hottest 800 offsets", hottest(800))]
    };
    let mut wrong: Vec<String> = (figures(&ours_drawn).into_iter().zip(figures(&fios_drawn)))
        .filter_map(|((what, a), (_, b))| chance::heat(&format!("{what} of {n} draws"), a, b))
        .collect();
    let follow = |asked: &[Asked], is: &dyn Fn(&Asked, &Asked) -> bool| {
        (asked.windows(2).filter(|pair| is(&pair[0], &pair[1])).count(), asked.len().saturating_sub(1))
    };
    let mut compare = |what: &str, is: &dyn Fn(&Asked, &Asked) -> bool| {
        wrong.extend(chance::share(what, follow(ours, is), follow(fios, is)));
    };
    compare("those that continue", &|a, b| a.2 + a.3 == b.2);
    compare("those that repeat", &|a, b| a.2 == b.2);
    wrong
}
