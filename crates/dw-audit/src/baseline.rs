//! What another inventory of the same estate has, too: a finding of it is known only while it is no worse.
//!
//! A finding is that of a baseline where rule, machine and disk are the same, and what decides it is counted in the same unit (I/Os or bytes). Of
//! several that are the same, the gravest of one side stands against the gravest of the other. It is worse where one of these is more than it was:
//! the figure of its sentence that decides it ([`DECIDES`]); where none does, the money a month that ending it saves (or, where nobody knows that, that
//! is paid for what is wrong); the machines that are alike. One of a higher level than in the baseline is new.
//!
//! Ignores: what a sentence says without a figure, such as which kind of disk is refused. Nothing of it becomes more.

use std::cmp::Reverse;
use std::collections::HashMap;

use dw_documents::audit::Finding;
use dw_messages::{Arg, Figure, Sentence, say};
use dw_units::Money;

use crate::figures::{money, rate};

/// A rate or money that is more by less than this share of what it was is no worse: rates are rounded to what vendors sell.
const NOISE: f64 = 0.01;

/// By the id of a sentence: of which of its arguments more is worse, and of which less is. With both it is their difference.
const DECIDES: &[(&str, &str, &str)] = &[
    ("estate-beyond-gate", "never", ""),
    ("estate-beyond-burst", "never", ""),
    ("estate-in-bursts", "bought", "passed"),
    ("estate-given-beyond-gate", "gives", "passed"),
    ("estate-given-beyond-burst", "gives", "passed"),
    ("estate-given-in-bursts", "gives", "passed"),
    ("estate-slots", "disks", "slots"),
    ("estate-slots-beside", "disks", "slots"),
    ("estate-too-small", "most", "gives"),
    ("estate-steady", "", "base"),
    ("estate-daily", "bought", "base"),
    ("estate-unequal", "", "slowest"),
    ("estate-unequal-sizes", "lost", ""),
    ("estate-burst-only", "", "base"),
    ("estate-shared-cache", "shares", ""),
    ("estate-lesser-promise", "better", "promise"),
    ("estate-unasked", "bought", "most"),
];

/// What is found of one side, by what is the same.
type Sides<'f> = HashMap<(&'f str, &'f str, &'f str, &'f str), Vec<usize>>;

/// How many machines are alike, by name; those that are not there are one.
pub type Copies<'m> = HashMap<&'m str, u64>;

/// For each finding what it is beside a baseline: known (`None`), or what it then says.
pub fn beside(now: (&[Finding], &Copies), was: (&[Finding], &Copies)) -> Vec<Option<Sentence>> {
    let mut known = sides(was.0);
    let mut all = vec![None; now.0.len()];
    for (same, places) in sides(now.0) {
        let theirs = known.remove(&same).unwrap_or_default();
        let mut theirs = theirs.into_iter().map(|place| &was.0[place]);
        for place in places {
            let own = &now.0[place];
            all[place] = match theirs.next() {
                Some(before) => more_than(own, before, [copies(now.1, own), copies(was.1, before)]),
                None => Some(own.says.clone()),
            };
        }
    }
    all
}

/// The gravest first.
fn sides(findings: &[Finding]) -> Sides<'_> {
    let mut sides = Sides::new();
    for (place, finding) in findings.iter().enumerate() {
        let unit = decides(&finding.says).map_or("", |own| own.unit);
        let same = (finding.code.as_str(), finding.machine.as_str(), finding.disk.as_str(), unit);
        sides.entry(same).or_default().push(place);
    }
    let weight = |place: &usize| decides(&findings[*place].says).map_or(f64::NEG_INFINITY, |own| own.weight);
    for places in sides.values_mut() {
        places.sort_by(|a, b| {
            let level = |place: &usize| Reverse(findings[*place].level);
            level(a).cmp(&level(b)).then_with(|| weight(b).total_cmp(&weight(a)))
        });
    }
    sides
}

fn copies(all: &Copies, finding: &Finding) -> u64 {
    all.get(finding.machine.as_str()).copied().unwrap_or(1)
}

/// What a finding says where it is worse than it was, or graver; nothing where it is known.
fn more_than(now: &Finding, was: &Finding, [machines, machines_were]: [u64; 2]) -> Option<Sentence> {
    let says = || now.says.clone();
    let figures = decides(&now.says).zip(decides(&was.says));
    if let Some((now, was)) = figures.as_ref().filter(|(now, was)| now.is_worse_than(was)) {
        return Some(say!(EstateWorse { says: says(), now: now.figure(), was: was.figure() }));
    }
    if machines > machines_were {
        return Some(say!(EstateWorseMachines { says: says(), now: machines, was: machines_were }));
    }
    // A larger disk costs more, and has fewer of the faults of a small one.
    let paid = if figures.is_some() { None } else { monthly(now, was) };
    if let Some([paid, paid_before]) = paid.filter(|[paid, before]| is_more(*paid, *before)) {
        let figure = |amount| money(Money::of_amount(amount));
        return Some(say!(EstateWorseMonthly { says: says(), now: figure(paid), was: figure(paid_before) }));
    }
    (now.level > was.level).then(says)
}

fn is_more(now: f64, was: f64) -> bool {
    now - was > was.abs() * NOISE
}

/// The same money of both.
fn monthly(now: &Finding, was: &Finding) -> Option<[f64; 2]> {
    match (now.monthly_after, was.monthly_after) {
        (Some(_), Some(_)) => Some([now.saves(), was.saves()]),
        _ => now.monthly.zip(was.monthly).map(|(now, was)| [now, was]),
    }
}

/// What decides a finding.
struct Decides<'s> {
    /// More is worse.
    weight: f64,
    unit: &'s str,
    /// As people read it, where it is one argument alone.
    alone: Option<&'s Figure>,
}

/// Of a sentence; nothing where none of its figures does. A sentence that adds to another one is as that.
fn decides(says: &Sentence) -> Option<Decides<'_>> {
    if let Some(Arg::Sentence(says)) = says.args.get("says") {
        return decides(says);
    }
    let (_, more, less) = DECIDES.iter().find(|(id, ..)| *id == says.id)?;
    let of = |name: &str| says.args.get(name);
    let amount = |arg: &Arg| match arg {
        Arg::Count(count) => Some(*count as f64),
        Arg::Figure(figure) => Some(figure.value),
        _ => None,
    };
    let sum = |arg: Option<&Arg>| arg.map_or(Some(0.0), amount);
    let (more, less) = (of(more), of(less));
    let one = more.or(less)?;
    let figure = match one {
        Arg::Figure(figure) => Some(figure),
        _ => None,
    };
    let unit = figure.map_or("", |figure| figure.unit.as_str());
    let alone = figure.filter(|_| more.is_none() || less.is_none());
    Some(Decides { weight: sum(more)? - sum(less)?, unit, alone })
}

impl Decides<'_> {
    fn is_worse_than(&self, was: &Decides) -> bool {
        // What is counted by one has no noise.
        if self.unit.is_empty() { self.weight > was.weight } else { is_more(self.weight, was.weight) }
    }
    fn figure(&self) -> Figure {
        let size = self.weight.abs();
        match (self.alone, self.unit) {
            (Some(figure), _) => figure.clone(),
            (None, "IOPS") => rate(0, size.round() as u64),
            (None, "B/s") => rate(1, size.round() as u64),
            (None, "") => Figure::new(size, "", format!("{size}")),
            (None, unit) => Figure::decimal(size, 2, unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_that_decides_is_one_of_its_sentence() {
        for (id, more, less) in DECIDES {
            let declared =
                dw_messages::ALL.iter().find(|declared| declared.id == *id).unwrap_or_else(|| panic!("{id}"));
            let names: Vec<&str> = declared.args.iter().map(|(name, _)| *name).collect();
            let own = [more, less].into_iter().filter(|name| !name.is_empty());
            assert!(own.clone().count() > 0 && own.clone().all(|name| names.contains(name)), "{id}: {names:?}");
        }
    }
}
