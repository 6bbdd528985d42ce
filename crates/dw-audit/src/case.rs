//! One machine as rules see it: its disks with what they are bought for, by which gates they pass, and what they cost.

use std::rc::Rc;

use dw_catalogue::facts::{Bought, DiskFacts, Facts, GateFacts, Pair, SizeFacts};
use dw_catalogue::kind::Kind;
use dw_catalogue::moves::DisksAt;
use dw_estate::{Disk, Holds, Machine, Os, State, Stripe};
use dw_messages::{Sentence, say};
use dw_stack::RateSpec;
use dw_units::{CacheMode, Money};

use crate::market::Market;
use crate::recorded::Recorded;

/// What serves a steady load by its name.
pub(crate) const STEADY: &[&str] = &[
    "db",
    "sql",
    "pg",
    "postgres",
    "postgresql",
    "mysql",
    "oracle",
    "mongo",
    "mongodb",
    "redo",
    "wal",
    "log",
    "logs",
    "hana",
    "tempdb",
];

/// What is called so is a log.
pub(crate) const LOGS: &[&str] = &["log", "logs", "wal", "redo", "journal", "binlog"];

/// A disk of a machine, or of none.
pub struct DiskCase<'a> {
    pub disk: &'a Disk,
    pub kind: Option<&'static Kind>,
    /// What is bought of it, where its kind is known.
    pub bought: Option<Bought>,
    /// What its vendor says of it; absent where kind or size are not known.
    pub facts: Option<DiskFacts>,
    /// A month of it, where it is paid for by itself.
    pub monthly: Option<Money>,
}

impl<'a> DiskCase<'a> {
    fn new(disk: &'a Disk, vendor: &'static str, region: Option<&str>, market: &Market) -> DiskCase<'a> {
        let kind = disk.kind.text().and_then(|id| market.kind(vendor, id));
        let bought = kind.map(|kind| Bought::of(kind, disk));
        let facts = bought.as_ref().and_then(|bought| market.of(vendor).disk(bought, region));
        let monthly = facts.as_ref().and_then(|facts| facts.monthly);
        let is_local = disk.local.value() == Some(true);
        DiskCase { disk, kind, bought, facts, monthly: monthly.filter(|_| !is_local) }
    }

    pub fn is_local(&self) -> bool {
        self.disk.local.value() == Some(true)
    }
    pub fn is_data(&self) -> bool {
        self.disk.holds == Holds::Data
    }
    pub fn name(&self) -> &str {
        if self.disk.name.is_empty() && self.disk.holds == Holds::System { "os" } else { &self.disk.name }
    }
    /// Other machines may have it, too: what one of them does not use of it another one may.
    pub fn is_shared(&self) -> bool {
        self.disk.on_several || self.disk.shares.value().is_some_and(|machines| machines > 1)
    }
    /// What recordings call it by.
    pub fn key(&self) -> &str {
        if self.disk.id.is_empty() { &self.disk.name } else { &self.disk.id }
    }
    pub fn cache(&self) -> Option<CacheMode> {
        self.disk.cache.value()
    }
    /// What is bought of it, as far as it counts.
    pub fn counted(&self) -> Option<&Bought> {
        self.facts.as_ref().map(|facts| &facts.bought)
    }
    /// What is paid by the rate.
    pub fn is_paid(&self, quantity: usize) -> bool {
        self.facts.as_ref().is_some_and(|facts| facts.is_paid[quantity])
    }
    /// What comes with its kind and costs nothing, of a rate that is chosen: less of it cannot be bought.
    pub fn comes_along(&self, quantity: usize) -> bool {
        self.facts.as_ref().is_some_and(|facts| facts.is_chosen[quantity] && !facts.is_paid[quantity])
    }
    /// For what its rates are chosen, they are told.
    pub fn has_rates(&self) -> bool {
        self.facts.as_ref().is_none_or(|facts| facts.has_rates)
    }
    /// I/Os and bytes a second: for good, and while credits last.
    pub fn sustains(&self) -> Option<Pair> {
        self.facts.as_ref()?.sustains
    }
    pub fn bursts_to(&self) -> Option<Pair> {
        self.facts.as_ref()?.bursts_to
    }
    /// Its limits with their credits: I/Os and bytes.
    pub fn limits(&self) -> [Option<RateSpec>; 2] {
        self.facts.as_ref().map_or([None; 2], |facts| facts.limits)
    }
    /// I/Os or bytes a second that it sustains.
    pub fn sustains_of(&self, quantity: usize) -> Option<u64> {
        self.sustains().map(|rates| rates[quantity])
    }
    /// The same as far as anybody bought it: what only follows from the other rate is nothing.
    pub fn counts_of(&self, quantity: usize) -> Option<u64> {
        let follows = self.facts.as_ref().is_some_and(|facts| facts.follows[quantity]);
        self.sustains_of(quantity).map(|rate| if follows { 0 } else { rate })
    }
    /// In steps of how many bytes a second its vendor sells rates.
    pub fn step(&self) -> u64 {
        self.facts.as_ref().map_or(1_000_000, |facts| facts.step)
    }
    /// Whether its name has one of these words, alone or written as one with another that names disks: `pgdata2`, `sqllog`.
    pub fn is_called(&self, words: &[&str]) -> bool {
        let name = self.disk.claim.text().unwrap_or(&self.disk.name).to_ascii_lowercase();
        let mut parts = name.split(|c: char| !c.is_ascii_alphabetic());
        parts.any(|part| has_word(part, words))
    }
    /// As moves take it.
    pub fn at(&self) -> DisksAt {
        let counted = self.counted();
        let bought = counted.and_then(|own| Some((own.iops?, own.bytes.unwrap_or(0) / 1_000_000)));
        DisksAt {
            kind: self.kind.map(|kind| kind.id),
            gib: self.disk.gib.value().unwrap_or(0),
            count: 1,
            rates: self.disk.iops.value().zip(self.disk.mb.value()).or(bought),
            tier: counted.and_then(|own| own.tier.clone()),
            cache: self.cache().unwrap_or(CacheMode::None),
            local: self.is_local(),
            os: self.disk.holds == Holds::System,
            shared: self.is_shared(),
        }
    }
}

/// Words of names of disks that say nothing of what uses them.
const OF_DISKS: &[&str] = &["data", "disk", "store", "vol", "volume"];

/// Whether letters are one of these words, or one and another word that is known: `catalog` is no log.
fn has_word(letters: &str, words: &[&str]) -> bool {
    let is_known = |part: &str| [words, STEADY, OF_DISKS].iter().any(|all| all.contains(&part));
    let of_two = |at: usize| {
        let (first, second) = letters.split_at(at);
        let is_one = words.contains(&first) || words.contains(&second);
        is_one && is_known(first) && is_known(second)
    };
    words.contains(&letters) || (1..letters.len()).any(of_two)
}

/// What passes one gate.
pub struct GateLoad {
    pub gate: GateFacts,
    /// What all its disks sustain together, with what only comes along; absent where it is not known of one.
    pub gives: Option<Pair>,
}

impl GateLoad {
    fn new(gate: GateFacts, disks: &[DiskCase]) -> GateLoad {
        let sum = |quantity: usize| {
            let mut each = gate.disks.iter().map(|place| disks[*place].counts_of(quantity));
            each.try_fold(0_u64, |all, one| Some(all.saturating_add(one?)))
        };
        let gives = sum(0).zip(sum(1)).map(|(iops, bytes)| [iops, bytes]);
        GateLoad { gate, gives }
    }
    /// What one disk passes while credits last.
    pub fn top_of_one(&self, quantity: usize) -> Option<u64> {
        self.gate.top[quantity].map(|top| top / self.gate.parts.max(1))
    }
}

/// A machine.
pub struct Case<'a, 'c> {
    pub machine: &'a Machine,
    pub market: &'a Market<'c>,
    pub size: Option<Rc<SizeFacts>>,
    pub disks: Vec<DiskCase<'a>>,
    /// Disks that are one volume.
    pub volumes: Vec<Stripe>,
    /// The gates that its disks pass and that count.
    pub gates: Vec<GateLoad>,
    /// What recordings show of it. Of several machines that are alike one recording tells nothing.
    pub recorded: Option<&'a Recorded>,
}

impl<'a, 'c> Case<'a, 'c> {
    pub fn new(machine: &'a Machine, market: &'a Market<'c>) -> Case<'a, 'c> {
        let (vendor, region) = (machine.vendor, machine.region.text());
        let chosen = machine.chosen.text().or(machine.controller.text()).unwrap_or_default();
        let size = machine.size.text().and_then(|name| market.size(vendor, (name, chosen), region));
        let disks: Vec<DiskCase> =
            machine.disks.iter().map(|disk| DiskCase::new(disk, vendor, region, market)).collect();
        let passing: Vec<Option<&Bought>> =
            disks.iter().map(|disk| disk.bought.as_ref().filter(|_| !disk.is_local())).collect();
        let gates = size.as_deref().map_or_else(Vec::new, |size| market.of(vendor).gates(size, &passing));
        let gates = gates.into_iter().map(|gate| GateLoad::new(gate, &disks)).collect();
        let recorded = market.recordings.filter(|_| machine.copies() == 1).and_then(|all| all.get(key(machine)));
        Case { machine, market, size, disks, volumes: market.stripes.of(machine), gates, recorded }
    }

    /// What recordings call the machine by.
    pub fn key(&self) -> &str {
        key(self.machine)
    }

    /// What the machine costs a month beside its disks: nothing while only these are paid for, and nothing is known of one that may be taken back, of
    /// Windows without a price of it, or of one whose image has a licence of its own. A licence that nobody tells of is one by the hour.
    pub fn monthly(&self) -> Option<Money> {
        if self.is_released() { Some(Money::ZERO) } else { self.running_monthly() }
    }
    /// The same while it runs.
    pub fn running_monthly(&self) -> Option<Money> {
        let size = self.size.as_ref().filter(|_| !self.is_evictable() && self.image_licence().is_none())?;
        if self.pays_windows() { size.windows } else { size.monthly }
    }
    /// Whether prices of its size and of others are what it would cost more or less by.
    pub fn is_paid_as_listed(&self) -> bool {
        let is_usual = !self.is_released() && !self.is_evictable();
        // Where nobody brings licences along, listed prices are those without one.
        let has_more = self.pays_windows() || self.image_licence().is_some();
        is_usual && (!has_more || self.vendor().has_licences())
    }
    /// What its image is sold with by the hour, of which no price is known.
    pub fn image_licence(&self) -> Option<&str> {
        self.machine.image_licence.text().filter(|licence| !licence.is_empty())
    }
    /// A month of a size as the machine is paid, but for the licence of its image, which is the same for as many processors.
    pub fn paid_for(&self, size: &SizeFacts, vcpu: u32) -> Option<Money> {
        if self.image_licence().is_some() && size.vcpu != vcpu {
            return None;
        }
        if self.pays_windows() { size.windows } else { size.monthly }
    }
    /// What two prices of sizes differ by, where both lack the licence of its image.
    pub fn without_licence(&self, says: Sentence) -> Sentence {
        match self.image_licence() {
            Some(licence) => say!(EstateWithoutLicence { says, licence }),
            None => says,
        }
    }
    /// Why the price of its size is not its own, as bills call it.
    pub fn priced_as(&self) -> String {
        let size = self.size_name();
        match (self.is_evictable(), self.pays_windows()) {
            (true, _) => format!("{size} (Spot)"),
            (_, true) => format!("{size} (Windows)"),
            _ => size,
        }
    }
    fn is_released(&self) -> bool {
        self.machine.state.value() == Some(State::Released)
    }
    fn is_evictable(&self) -> bool {
        self.machine.evictable.value() == Some(true)
    }
    /// It runs Windows, and its owner brings no licence along.
    pub fn pays_windows(&self) -> bool {
        let brings_none = self.machine.licence.text().is_none_or(str::is_empty);
        self.machine.os.value() == Some(Os::Windows) && brings_none
    }

    /// Who knows what its vendor sells.
    pub fn vendor(&self) -> &'a dyn Facts {
        self.market.of(self.machine.vendor)
    }
    /// The disks behind a gate.
    pub fn behind<'b>(&'b self, gate: &'b GateLoad) -> impl DoubleEndedIterator<Item = &'b DiskCase<'a>> {
        gate.gate.disks.iter().map(|place| &self.disks[*place])
    }
    /// What the disks behind a gate that count sustain together; absent where it is not known of one of these.
    pub fn sum_of(&self, gate: &GateLoad, quantity: usize, counts: impl Fn(&DiskCase) -> bool) -> Option<u64> {
        let counting = self.behind(gate).filter(|disk| counts(disk));
        counting.map(|disk| disk.counts_of(quantity)).try_fold(0_u64, |all, one| Some(all.saturating_add(one?)))
    }
    /// Those of them of which a rate is chosen and paid, and that no other machine may have.
    pub fn chosen<'b>(
        &'b self,
        gate: &'b GateLoad,
        quantity: usize,
    ) -> impl DoubleEndedIterator<Item = &'b DiskCase<'a>> {
        self.behind(gate).filter(move |disk| disk.is_paid(quantity) && !disk.is_shared())
    }
    /// What these sustain together; of one of which it is not known, nothing.
    pub fn sum_of_chosen(&self, gate: &GateLoad, quantity: usize) -> u64 {
        self.chosen(gate, quantity).filter_map(|disk| disk.sustains_of(quantity)).fold(0, u64::saturating_add)
    }

    /// Whether the disks of one volume behind a gate, which no other machine may have, are bought for more than so much.
    pub fn has_volume_beyond(&self, gate: &GateLoad, quantity: usize, most: u64) -> bool {
        let own =
            |place: &usize| Some(&self.disks[*place]).filter(|disk| !disk.is_shared() && !disk.comes_along(quantity));
        let sustains = |place: &usize| own(place).and_then(|disk| disk.counts_of(quantity)).unwrap_or(0);
        let of_volume = |volume: &Stripe| {
            let disks = volume.disks.iter().filter(|place| gate.gate.disks.contains(place));
            disks.map(sustains).fold(0_u64, u64::saturating_add)
        };
        gate.gate.disks.iter().any(|place| sustains(place) > most)
            || self.volumes.iter().any(|volume| of_volume(volume) > most)
    }

    pub fn data(&self) -> impl Iterator<Item = &DiskCase<'a>> {
        self.disks.iter().filter(|disk| disk.is_data())
    }
    /// What its size is called, for sentences.
    pub fn size_name(&self) -> String {
        match &self.size {
            Some(size) => size.short.clone(),
            None => self.machine.size.text().unwrap_or_default().to_string(),
        }
    }
}

fn key(machine: &Machine) -> &str {
    if machine.id.is_empty() { &machine.name } else { &machine.id }
}
