//! The cheapest choices of all volumes together, once it is known what each may have: a depth-first search over short lists.
//!
//! Volumes share nothing here but data disks and the stamps that may fail. Disks add up. Stamps do not, as several volumes may fail the
//! same, but a part of them does: a stamp that `m` volumes can fail counts one part in `m` for each that does, so that the parts of all
//! are never more than the stamps. With both added up the least that the volumes from any place on cost is a table ([`Table`]), filled
//! from the last volume to the first; where no two volumes fail the same stamp it is not a bound but the cost itself. The search goes
//! down by the table once, for a first answer, and then through all that may be better.
//!
//! Between answers that cost the same the one with fewer disks is taken, then the one that fails fewer stamps, then the first in the order
//! of the lists.
//!
//! Invariant: what is said to be the least is: where the search was ended early the table's own figure is.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use dw_catalogue::Money;

use crate::choice::Choice;
use crate::load::union;

pub(crate) type Choices = Arc<Vec<Choice>>;

/// Choices that are looked at in one search at most.
const LOOKED_AT_MOST: u64 = 20_000;

/// Steps into which the stamps that may fail are divided at most.
const STEPS_MOST: usize = 128;

/// What is asked of the choices together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// Data disks that there are.
    pub(crate) slots: u32,
    /// Stamps that may fail.
    pub(crate) allowed: usize,
    /// Stamps that fail whatever is chosen, sorted.
    pub(crate) failing: &'a [u32],
    /// They may not cost more.
    pub(crate) worst: Money,
}

/// A choice for each volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) cost: Money,
    pub(crate) disks: u32,
    /// Stamps that fail, sorted.
    pub(crate) failing: Vec<u32>,
    /// The place of each in its list.
    pub(crate) path: Vec<usize>,
}

impl Chosen {
    pub(crate) fn rank(&self) -> (Money, u32, usize) {
        (self.cost, self.disks, self.failing.len())
    }
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Descended {
    pub(crate) best: Option<Chosen>,
    /// Nothing that may be chosen costs less; absent = nothing may.
    pub(crate) least: Option<Money>,
}

/// The cheapest choices together; `tables` has what was found out about the same lists before.
pub(crate) fn descend(lists: &[Choices], asked: Asked, tables: &mut Tables) -> Descended {
    let found = match each_first(lists) {
        Some(cheapest) if cheapest.0 <= asked.worst => all_first(lists, asked, cheapest),
        _ => return Descended::default(),
    };
    let Descended { best, least } = found.unwrap_or_else(|| tables.descended(lists, asked));
    let is_taken = |cost: Money| cost <= asked.worst;
    Descended { best: best.filter(|best| is_taken(best.cost)), least: least.filter(|least| is_taken(*least)) }
}

/// Where each can have its cheapest, as mostly: all of these.
fn all_first(lists: &[Choices], asked: Asked, (cost, disks): (Money, u32)) -> Option<Descended> {
    if disks > asked.slots {
        return None;
    }
    let mut failing = asked.failing.to_vec();
    for list in lists.iter().filter(|list| !list[0].failing.is_empty()) {
        failing = union(&failing, &list[0].failing, asked.allowed)?;
    }
    let is_the_only_one = failing.len() == asked.failing.len() || lists.iter().all(|list| is_alone(list));
    let best = Chosen { cost, disks, failing, path: vec![0; lists.len()] };
    is_the_only_one.then_some(Descended { least: Some(cost), best: Some(best) })
}

/// Cost and disks with the cheapest choice of each volume; nothing where one has none.
fn each_first(lists: &[Choices]) -> Option<(Money, u32)> {
    lists
        .iter()
        .try_fold((Money::ZERO, 0), |sum, list| list.first().map(|first| (sum.0 + first.cost, sum.1 + first.count)))
}

/// Whether nothing costs as much as the cheapest with as many disks.
fn is_alone(list: &[Choice]) -> bool {
    list.get(1).is_none_or(|next| (next.cost, next.count) != (list[0].cost, list[0].count))
}

/// The least that the volumes from each place on cost, by the data disks and the steps of failing stamps that are left for them.
#[derive(Debug)]
pub(crate) struct Table {
    /// So many disks are told apart; none where there are enough for any choice.
    slots: usize,
    steps: usize,
    /// Stamps that may fail, of which these are the steps.
    left: usize,
    /// Of each choice of each list: disks that count, steps that it takes.
    takes: Vec<Vec<(usize, usize)>>,
    /// By place, disks and steps: cost and disks.
    least: Vec<u64>,
    scale: Scale,
}

/// More than anything costs.
const NEVER: u64 = 1 << 62;

/// Cost and disks as one number that adds up, the disks in the lower bits. Costs that do not fit are rounded down, by a power of two.
#[derive(Clone, Copy, Debug)]
struct Scale(u32);

impl Scale {
    const DISKS: u32 = 12;

    /// For the dearest choices of all lists together.
    fn of(lists: &[Choices]) -> Scale {
        let dearest =
            lists.iter().filter_map(|list| list.last()).map(|choice| u128::from(choice.cost.get())).sum::<u128>();
        Scale((u128::BITS - dearest.leading_zeros()).saturating_sub(NEVER.ilog2() - Scale::DISKS - 1))
    }
    const fn packed(self, cost: Money, disks: u32) -> u64 {
        let most = (1u32 << Scale::DISKS) - 1;
        cost.get() >> self.0 << Scale::DISKS | (if disks < most { disks } else { most }) as u64
    }
    const fn apart(self, packed: u64) -> (Money, u32) {
        (Money::micros(packed >> Scale::DISKS << self.0), (packed & ((1 << Scale::DISKS) - 1)) as u32)
    }
}

impl Table {
    fn of(lists: &[Choices], slots_most: Option<u32>, asked: Asked) -> Table {
        let left = asked.allowed.saturating_sub(asked.failing.len());
        let may_fail = left > 0 && lists.iter().any(|list| list.iter().any(|choice| !choice.failing.is_empty()));
        let (slots, steps) =
            (slots_most.unwrap_or(0) as usize, if may_fail { STEPS_MOST.min(left.max(16)) } else { 0 });
        let mut shared: HashMap<u32, u64> = HashMap::new();
        if may_fail {
            for list in lists {
                let mut own: Vec<u32> = list.iter().flat_map(|choice| choice.failing.iter().copied()).collect();
                own.sort_unstable();
                own.dedup();
                own.iter().for_each(|stamp| *shared.entry(*stamp).or_default() += 1);
            }
            shared.retain(|stamp, _| asked.failing.binary_search(stamp).is_err());
        }
        // Rounded down, so that no choice is ruled out that may be made.
        let part = |stamp: &u32| shared.get(stamp).map_or(0, |volumes| (1 << 32) / volumes);
        let step = |choice: &Choice| {
            let parts: u64 = choice.failing.iter().map(part).sum();
            ((u128::from(parts) * steps as u128 / left.max(1) as u128) >> 32) as usize
        };
        let disks = |choice: &Choice| if slots_most.is_some() { choice.count as usize } else { 0 };
        let takes = lists.iter().map(|list| list.iter().map(|choice| (disks(choice), step(choice))).collect());
        let mut table =
            Table { slots, steps, left, takes: takes.collect(), least: Vec::new(), scale: Scale::of(lists) };
        table.fill(lists);
        table
    }

    fn fill(&mut self, lists: &[Choices]) {
        let width = self.steps + 1;
        let layer = (self.slots + 1) * width;
        self.least = vec![NEVER; layer * (lists.len() + 1)];
        self.least[layer * lists.len()..].fill(0);
        for (place, list) in lists.iter().enumerate().rev() {
            let (own, after) = self.least[layer * place..layer * (place + 2)].split_at_mut(layer);
            for (cost, disks, steps) in best_of(list, &self.takes[place], self.scale) {
                for slot in disks..=self.slots {
                    let from = &after[(slot - disks) * width..][..width.saturating_sub(steps)];
                    let to = &mut own[slot * width..][..width][steps.min(width)..];
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = (*to).min(from + cost));
                }
            }
        }
    }

    /// Cost and disks at least of the volumes from a place on; nothing where they cannot do with so much.
    pub(crate) fn least(&self, place: usize, slots: u32, steps: usize) -> Option<(Money, u32)> {
        let slots = self.slots.min(slots as usize);
        let found = self.least[(place * (self.slots + 1) + slots) * (self.steps + 1) + steps];
        (found < NEVER).then(|| self.scale.apart(found))
    }

    /// The steps that so many stamps are.
    fn steps_for(&self, stamps: usize) -> usize {
        stamps * self.steps / self.left.max(1)
    }

    fn work(&self) -> u64 {
        let choices: usize = self.takes.iter().map(Vec::len).sum();
        ((self.slots + 1) * (self.steps + 1) * choices / 64) as u64
    }

    fn bytes(&self) -> usize {
        self.least.len() * size_of::<u64>()
    }
}

/// Of the choices in a list those that none replaces: cost and disks, disks that count, steps. They are in order of cost, then of disks.
fn best_of(list: &[Choice], takes: &[(usize, usize)], scale: Scale) -> Vec<(u64, usize, usize)> {
    let mut kept: Vec<(u64, usize, usize)> = Vec::new();
    for (choice, &(disks, steps)) in list.iter().zip(takes) {
        if !kept.iter().any(|other| other.1 <= disks && other.2 <= steps) {
            kept.push((scale.packed(choice.cost, choice.count), disks, steps));
        }
    }
    kept
}

/// Tables and answers by what they are of: many VM sizes ask the same.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    known: HashMap<Key, Known>,
    bytes: usize,
    /// The most data disks that any VM has.
    slots_most: u32,
    /// Work that was done, in units of some 30 ns.
    pub(crate) work: u64,
}

/// The lists by where they are, the stamps that fail whatever is chosen, and how many disks are told apart.
type Key = (Vec<usize>, Vec<u32>, Option<u32>);

#[derive(Debug)]
struct Known {
    table: Arc<Table>,
    /// By the number of data disks.
    found: HashMap<u32, Descended>,
    /// They stay where they are as long as this is known.
    _lists: Vec<Choices>,
}

impl Tables {
    /// So much is kept.
    const BYTES_MOST: usize = 16 << 20;

    /// Nothing is known yet.
    pub(crate) fn with_slots(slots_most: u32) -> Tables {
        Tables { slots_most, ..Tables::default() }
    }

    fn descended(&mut self, lists: &[Choices], asked: Asked) -> Descended {
        let most = |list: &Choices| list.iter().map(|choice| choice.count).max().unwrap_or(0);
        let most = lists.iter().map(most).fold(0, u32::saturating_add);
        let slots_most = (most > asked.slots).then(|| asked.slots.max(self.slots_most));
        let places = lists.iter().map(|list| Arc::as_ptr(list) as usize).collect();
        let key = (places, asked.failing.to_vec(), slots_most);
        if !self.known.contains_key(&key) {
            let table = Arc::new(Table::of(lists, slots_most, asked));
            if self.bytes + table.bytes() > Tables::BYTES_MOST {
                self.known.clear();
                self.bytes = 0;
            }
            self.bytes += table.bytes();
            self.work += table.work();
            let known = Known { table, found: HashMap::new(), _lists: lists.to_vec() };
            self.known.insert(key.clone(), known);
        }
        let Some(known) = self.known.get_mut(&key) else { return Descended::default() };
        match known.table.least(0, asked.slots, known.table.steps) {
            Some((least, _)) if least <= asked.worst => {
                let (table, work) = (&known.table, &mut self.work);
                let run = || Descent::run(lists, table, asked, least, work);
                known.found.entry(asked.slots.min(most)).or_insert_with(run).clone()
            }
            _ => Descended::default(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By the table, to the first answer.
    Down,
    /// The same, as if no two volumes failed the same stamp from there on.
    Careful,
    /// Through all that may be better, in the order of the lists.
    Through,
}

struct Descent<'a> {
    lists: &'a [Choices],
    table: &'a Table,
    asked: Asked<'a>,
    path: Vec<usize>,
    best: Option<Chosen>,
    looked_at: u64,
}

impl<'a> Descent<'a> {
    /// The cheapest, whatever it costs; nothing costs less than `least`.
    fn run(lists: &'a [Choices], table: &'a Table, asked: Asked<'a>, least: Money, work: &mut u64) -> Descended {
        let mut descent = Descent { lists, table, asked, path: Vec::new(), best: None, looked_at: 0 };
        let mut first: Option<Chosen> = None;
        for way in [Way::Down, Way::Careful, Way::Through] {
            descent.looked_at = 0;
            if way == Way::Through {
                descent.best = first.take();
            }
            descent.go(0, Money::ZERO, 0, table.steps, asked.failing, way);
            *work += 8 * descent.looked_at;
            if way != Way::Through {
                let found = descent.best.take();
                let is_better = |found: &Chosen| first.as_ref().is_none_or(|first| found.rank() < first.rank());
                first = found.filter(is_better).or(first);
            }
        }
        let least =
            if descent.looked_at > LOOKED_AT_MOST { Some(least) } else { descent.best.as_ref().map(|best| best.cost) };
        Descended { best: descent.best, least }
    }

    /// Whether what costs at least so much and fails at least so many stamps cannot be taken.
    fn is_beaten(&self, cost: Money, disks: u32, failing: usize) -> bool {
        let Some(best) = &self.best else { return false };
        match (cost, disks, failing).cmp(&best.rank()) {
            Ordering::Less => false,
            // The first of equals is taken.
            Ordering::Equal => best.path <= self.path,
            Ordering::Greater => true,
        }
    }

    fn go(&mut self, place: usize, cost: Money, disks: u32, steps: usize, failing: &[u32], way: Way) {
        let lists = self.lists;
        let Some(list) = lists.get(place) else {
            if !self.is_beaten(cost, disks, failing.len()) {
                self.best = Some(Chosen { cost, disks, failing: failing.to_vec(), path: self.path.clone() });
            }
            return;
        };
        let mut order: Vec<(Money, u32, usize)> = Vec::new();
        for (index, choice) in list.iter().enumerate() {
            let (_, taken) = self.table.takes[place][index];
            let Some(count) = disks.checked_add(choice.count).filter(|count| *count <= self.asked.slots) else {
                continue;
            };
            let Some(steps) = steps.checked_sub(taken) else { continue };
            let steps = match way {
                Way::Careful => match union(failing, &choice.failing, self.asked.allowed) {
                    Some(failing) => steps.min(self.table.steps_for(self.asked.allowed - failing.len())),
                    None => continue,
                },
                Way::Down | Way::Through => steps,
            };
            let Some(rest) = self.table.least(place + 1, self.asked.slots - count, steps) else { continue };
            order.push((cost + choice.cost + rest.0, count + rest.1, index));
        }
        if way != Way::Through {
            order.sort_unstable();
        }
        for (least_cost, least_disks, index) in order {
            self.looked_at += 1;
            if self.looked_at > LOOKED_AT_MOST || way != Way::Through && self.best.is_some() {
                return;
            }
            let choice = &list[index];
            self.path.push(index);
            if !self.is_beaten(least_cost, least_disks, failing.len())
                && let Some(failing) = union(failing, &choice.failing, self.asked.allowed)
            {
                let steps = steps - self.table.takes[place][index].1;
                self.go(place + 1, cost + choice.cost, disks + choice.count, steps, &failing, way);
            }
            self.path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::RouteId;

    /// Draws from a seed.
    struct Draws(u64);

    impl Draws {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    fn list(d: &mut Draws, stamps: u64) -> Choices {
        let choice = |d: &mut Draws| {
            let (cost, usage) = (Money::micros(1 + d.below(30)), Money::ZERO);
            let failing = (0..stamps as u32).filter(|_| d.below(3) == 0).collect();
            Choice { class: RouteId::new(0), disk: None, count: d.below(5) as u32, each: None, cost, usage, failing }
        };
        Arc::new(crate::choice::without_dominated((0..2 + d.below(6)).map(|_| choice(d)).collect()))
    }

    /// Every choice of every list.
    fn brute_force(lists: &[Choices], asked: Asked) -> Option<Chosen> {
        let mut all = vec![Chosen { cost: Money::ZERO, disks: 0, failing: asked.failing.to_vec(), path: Vec::new() }];
        for list in lists {
            let more = |one: &Chosen| -> Vec<Chosen> {
                let with = |(index, choice): (usize, &Choice)| {
                    let failing = union(&one.failing, &choice.failing, asked.allowed)?;
                    let path = one.path.iter().copied().chain([index]).collect();
                    Some(Chosen { cost: one.cost + choice.cost, disks: one.disks + choice.count, failing, path })
                };
                list.iter().enumerate().filter_map(with).collect()
            };
            all = all.iter().flat_map(more).collect();
        }
        let fits = |one: &Chosen| one.disks <= asked.slots && one.cost <= asked.worst;
        all.into_iter().filter(fits).min_by(|a, b| (a.rank(), &a.path).cmp(&(b.rank(), &b.path)))
    }

    #[test]
    fn the_cheapest_together_are_those_that_trying_everything_finds() {
        let (mut found, mut tables) = (0, Tables::with_slots(12));
        for seed in 0..600 {
            let d = &mut Draws(seed);
            let stamps = d.below(9);
            let lists: Vec<Choices> = (0..1 + d.below(5)).map(|_| list(d, stamps)).collect();
            let failing: Vec<u32> = (0..stamps as u32).filter(|_| d.below(6) == 0).collect();
            let (slots, allowed) = (d.below(16) as u32, failing.len() + d.below(5) as usize);
            let worst = if d.below(3) == 0 { Money::micros(d.below(90)) } else { Money::MAX };
            let asked = Asked { slots, allowed, failing: &failing, worst };
            let (ours, theirs) = (descend(&lists, asked, &mut tables), brute_force(&lists, asked));
            assert_eq!(ours.best, theirs, "{seed}");
            assert_eq!(ours.least, theirs.as_ref().map(|best| best.cost), "{seed}");
            found += usize::from(theirs.is_some());
        }
        assert!(found > 200, "{found}");
    }

    #[test]
    fn a_search_that_is_ended_says_what_nothing_costs_less_than() {
        // Each of forty volumes shares stamps with many others, so that the table is far from the cost.
        let d = &mut Draws(1);
        let lists: Vec<Choices> = (0..40).map(|_| list(d, 60)).collect();
        let asked = Asked { slots: 80, allowed: 30, failing: &[], worst: Money::MAX };
        let found = descend(&lists, asked, &mut Tables::with_slots(80));
        if let (Some(best), Some(least)) = (&found.best, found.least) {
            assert!(least <= best.cost && best.failing.len() <= 30 && best.disks <= 80);
            let sum: Money = best.path.iter().zip(&lists).map(|(place, list)| list[*place].cost).sum();
            assert_eq!(sum, best.cost);
        }
        let cheapest: Money = lists.iter().map(|list| list[0].cost).sum();
        assert!(found.least.is_none_or(|least| least >= cheapest));
    }
}
