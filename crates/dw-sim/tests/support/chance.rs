//! Two samples of chance, compared: what a comparison says, and how often it is wrong when both are drawn alike.
//!
//! Each comparison of samples that are drawn alike says "differs" with a probability of at most [`FALSE_ALARM`], by a bound
//! that needs no knowledge of what is drawn. A run makes at most [`COMPARISONS`] of them, which [`within_budget`] asserts, so a
//! run is a false alarm with a probability below 10⁻⁶ (the union bound). That is over all seeds: fio's default `randrepeat`, and
//! names of files that are the same in each run, make both sides draw the same in every run, so that a run that fails fails again.
//!
//! - [`share`]: how many of `n` and of `m` draws are of some kind. Fisher's exact test: given how many are of it in both samples
//!   together, the number in the first is hypergeometric, whatever the share is. Exact for draws that do not depend on each
//!   other. Blocks of a map are drawn without being put back, which narrows the spread (Hoeffding 1963, theorem 4); sizes that
//!   shrink as a map fills depend on those before, and `equals_alarm_no_more_often_than_is_promised` shows that they alarm no more often.
//! - [`heat`]: how many draws lie on the hottest `k` places, or how many places were drawn at all. Let Z be such a figure of
//!   independent draws. Leaving out draw i lowers Z by 0 or 1, and the sum of what is lost over all i is at most Z, so Z is
//!   *self-bounding*, and log E exp(s (Z - EZ)) <= EZ (exp(s) - 1 - s) for every s (Boucheron, Lugosi, Massart, "Concentration
//!   inequalities", theorem 6.12): it spreads no more than a Poisson count. For two such samples Z1, Z2 of equal mean E,
//!   log E exp(s (Z1 - Z2) - ln(cosh s) (Z1 + Z2)) <= E (2 exp(-ln cosh s) cosh s - 2) = 0, so by Markov
//!   P(s (Z1 - Z2) - ln(cosh s) (Z1 + Z2) >= ln(1/p)) <= p, whatever E is. Both signs and a grid of [`GRID`] values of s share p.
#![allow(dead_code)]

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Probability that one comparison of equals alarms, at most.
pub const FALSE_ALARM: f64 = 1e-11;
/// Comparisons that a run may make: `COMPARISONS * FALSE_ALARM` is below 10⁻⁶.
pub const COMPARISONS: usize = 90_000;
/// Values of s that are tried: powers of the square root of two, 1 and below.
const GRID: i32 = 40;

static MADE: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Level of this thread's comparisons, and how many it has made at another one than [`FALSE_ALARM`].
    static LEVEL: Cell<(f64, usize)> = const { Cell::new((FALSE_ALARM, 0)) };
}

/// The level of the next comparison, which is counted.
fn level() -> f64 {
    let (level, made) = LEVEL.get();
    if level == FALSE_ALARM {
        MADE.fetch_add(1, Ordering::Relaxed);
    } else {
        LEVEL.set((level, made + 1));
    }
    level
}

/// Compares at another level, to see how often equals alarm: what `compare` found, and how many comparisons it made.
pub fn at_level(level: f64, compare: impl FnOnce() -> Vec<String>) -> (Vec<String>, usize) {
    LEVEL.set((level, 0));
    let found = compare();
    (found, LEVEL.replace((FALSE_ALARM, 0)).1)
}

/// Panics when this process has made more comparisons than the rate that is promised allows.
pub fn within_budget() {
    let made = MADE.load(Ordering::Relaxed);
    assert!((1..=COMPARISONS).contains(&made), "{made} comparisons of chance");
}

/// Whether `a` of `n` and `b` of `m` draws are more different than chance explains.
pub fn share(what: &str, (a, n): (usize, usize), (b, m): (usize, usize)) -> Option<String> {
    share_differs((a, n), (b, m), level()).then(|| {
        let part = |k: usize, n: usize| k as f64 / n.max(1) as f64;
        format!("{what}: a share of {:.4} of {n} instead of {:.4} of {m}", part(a, n), part(b, m))
    })
}

/// Whether the hottest places of as many draws, or the number of places, are more different than chance explains.
pub fn heat(what: &str, a: usize, b: usize) -> Option<String> {
    heat_differs(a, b, level()).then(|| format!("{what}: {a} instead of {b}"))
}

/// Fisher's exact test at level `p`, each side half of it.
pub fn share_differs((a, n): (usize, usize), (b, m): (usize, usize), p: f64) -> bool {
    let (hits, all) = (a + b, n + m);
    // The side on which `a` lies is the tail: its terms fall from the first on, each by the ratio of the hypergeometric law.
    let above = a as f64 * all as f64 >= hits as f64 * n as f64;
    let ln_choose = |n: usize, k: usize| ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
    let first = (ln_choose(n, a) + ln_choose(m, b) - ln_choose(all, hits)).exp();
    let (mut k, mut term, mut tail) = (a, first, first);
    while term > tail * 1e-12 {
        let (x, y) = (k as f64, (hits - k) as f64);
        if above {
            if k == n.min(hits) {
                break;
            }
            term *= (n as f64 - x) * y / ((x + 1.0) * (m as f64 - y + 1.0));
            k += 1;
        } else {
            if k == 0 || hits - k == m {
                break;
            }
            term *= x * (m as f64 - y) / ((n as f64 - x + 1.0) * (y + 1.0));
            k -= 1;
        }
        tail += term;
    }
    tail < p / 2.0
}

/// The bound of self-bounding figures at level `p`.
pub fn heat_differs(a: usize, b: usize, p: f64) -> bool {
    let (difference, sum) = (a.abs_diff(b) as f64, (a + b) as f64);
    let needed = (2.0 * f64::from(GRID) / p).ln();
    let shows = |s: f64| s * difference - s.cosh().ln() * sum >= needed;
    (0..GRID).any(|j| shows(0.5f64.powf(f64::from(j) / 2.0)))
}

/// ln n!, by Stirling's series from 16 on, where it is off by less than 10⁻⁹.
fn ln_factorial(n: usize) -> f64 {
    if n < 16 {
        return (2..=n).map(|k| (k as f64).ln()).sum();
    }
    let x = n as f64;
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3))
}
