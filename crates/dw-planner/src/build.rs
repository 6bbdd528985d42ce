//! A problem from requirements, wishes and the catalogue; and how long a plan lasts.

use std::sync::Arc;

use dw_catalogue::{Catalogue, Kind, Meter, Money, PriceError, vendor, vendor_of};
use dw_demand::kpi::Kpi;
use dw_demand::wishes::{Role, VolumeWishes, Wishes};
use dw_demand::{Requirements, VolumeRequirements};
use dw_units::{Bytes, Duration};

use crate::answer::solve;
use crate::check::check;
use crate::demand::{self, Before, Demand, DemandError, Origin};
use crate::market::{self, Market, Reason, Shop};
use crate::memory;
use crate::plan::Plan;
use crate::policy;
use crate::problem::{CacheLatency, DiskKind, DiskOffer, ONE, Problem, Sample, Stream, Volume};
use crate::usage::priced;

/// A problem, with what was left out of it.
#[derive(Clone, Debug)]
pub struct Built {
    pub problem: Problem,
    /// Where its offers are from.
    pub market: Arc<Market>,
    /// What the samples of its volumes are made of.
    pub(crate) origins: Vec<Option<Origin>>,
}

impl Built {
    fn before(&self) -> Before<'_> {
        Before { volumes: &self.problem.volumes, origins: &self.origins }
    }
}

/// Why there is no problem to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The demand is not complete.
    Demand(DemandError),
    /// Nothing that may be chosen has a price, or nothing that has one meets the demand; the first that lacks one and decides.
    Price(PriceError),
    /// None of a kind of offers has a price, and the demand names none of them.
    NoPrices {
        /// `VM size`, `disk`, `zone-redundant disk`.
        what: &'static str,
        example: Box<PriceError>,
    },
    /// Nothing may be chosen at all: `VM sizes`, `disks` or [`ZONE_REDUNDANT_DISKS`].
    Nothing(&'static str),
    /// Nothing of what a list of the demand names may be chosen.
    Listed {
        /// `VM size` or `disk`.
        what: &'static str,
        /// The list: `vms` or `disks`.
        key: &'static str,
        /// What it names, and why each may not be chosen.
        left_out: Vec<(String, String)>,
        /// Whether the redundancy that is asked for is why.
        redundancy: bool,
    },
    /// No disk that may be chosen serves small requests of a volume as fast as its set of figures asks.
    TooSlow {
        volume: String,
        kpi: &'static str,
        /// The key without which there is one, and the kinds of disks that it leaves.
        left_by: Option<(&'static str, Vec<&'static str>)>,
    },
    /// No disk that may be chosen suits a volume.
    NoDisk {
        volume: String,
        role: Role,
        /// A kind that could hold an operating system, and until when.
        ended: Option<(&'static str, &'static str)>,
        /// Which disks hold none, or what kinds are for that are chosen on request alone, as a sentence ends.
        because: String,
    },
}

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BuildError::Demand(error) => error.fmt(f),
            BuildError::Price(error) => error.fmt(f),
            BuildError::NoPrices { what, example } => {
                let with = if example.meter == Meter::Windows { " with Windows" } else { "" };
                write!(f, "no {what} has a known price{with} in {}", example.region)
            }
            BuildError::Nothing(what) => write!(f, "no {what} may be chosen"),
            BuildError::Listed { what, key, left_out, .. } => {
                let shown = left_out.iter().take(LISTED).map(|(name, why)| format!("{name}: {why}"));
                write!(f, "no {what} that `{key}` names may be chosen: {}", shown.collect::<Vec<_>>().join("; "))?;
                match left_out.len().saturating_sub(LISTED) {
                    0 => Ok(()),
                    more => write!(f, "; and {more} more"),
                }
            }
            BuildError::NoDisk { volume, role: Role::Os, ended, because } => {
                write!(
                    f,
                    "volume `{volume}` is an operating system, and no disk that may be chosen can hold one: {because}"
                )?;
                ended.map_or(Ok(()), |(kind, until)| write!(f, ", {kind} could until {until}"))
            }
            BuildError::TooSlow { volume, kpi, left_by } => {
                match left_by {
                    Some((key, kinds)) => write!(f, "`{key}` leaves {}, none of which", kinds.join(" and "))?,
                    None => write!(f, "no disk that may be chosen")?,
                }
                let asked: Vec<String> = Kpi::named(kpi).into_iter().flat_map(Kpi::latencies).collect();
                write!(f, " is as fast as `kpi = \"{kpi}\"` of volume `{volume}` asks: {}", asked.join("; "))
            }
            BuildError::NoDisk { volume, because, .. } => {
                write!(f, "no disk that may be chosen suits volume `{volume}`: {because}")
            }
        }
    }
}

impl std::error::Error for BuildError {}

impl From<BuildError> for dw_error::Error {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Demand(error) => error.into(),
            BuildError::Price(error) => error.into(),
            BuildError::NoPrices { .. } => dw_error::Error::of(dw_error::Kind::Price, error),
            nothing @ (BuildError::Nothing(_)
            | BuildError::Listed { .. }
            | BuildError::TooSlow { .. }
            | BuildError::NoDisk { .. }) => dw_error::Error::of(dw_error::Kind::Input, nothing),
        }
    }
}

impl Problem {
    /// Without volumes and offers.
    pub fn empty() -> Problem {
        Problem {
            volumes: Vec::new(),
            stamps: 1,
            interval: Duration::from_secs(1),
            violations_allowed: 0,
            utilisation: ONE,
            bursting: false,
            cpu_milli: 0,
            vcpu_min: 0,
            memory_mib: 0,
            cost_max: None,
            cache_latency: CacheLatency::default(),
            os_disks: 0,
            gates: vendor().gates(),
            routes: vendor().routes(),
            vms: Vec::new(),
            disks: Vec::new(),
        }
    }
}

/// What cannot be chosen where disks that are kept in several zones are asked for.
pub const ZONE_REDUNDANT_DISKS: &str = "zone-redundant disks";

/// So many names of a list are shown, each with its reason.
const LISTED: usize = 4;

/// What stands for the price of what has none where a plan is looked for that needs as little of it as can be: more than anything that
/// is sold costs a month, and little enough that sums of purchases fit.
const DEAR: Money = Money::micros(100_000_000_000);

/// Puts a problem together.
pub fn build(requirements: &Requirements, wishes: &Wishes, catalogue: &Catalogue) -> Result<Built, BuildError> {
    of_market(requirements, wishes, catalogue, market::of(catalogue, wishes))
}

/// What lacks a price and would make a plan possible where nothing that has one does, as little of it as can be; empty where prices do
/// not decide. The most that a plan may cost is left aside: nobody knows what it would cost.
pub fn missing_prices(requirements: &Requirements, wishes: &Wishes, catalogue: &Catalogue) -> Vec<PriceError> {
    let wishes = Wishes { cost_max_micros: None, ..wishes.clone() };
    let market = market::with_unpriced(catalogue, &wishes, DEAR);
    let Ok(Built { problem, market, .. }) = of_market(requirements, &wishes, catalogue, market) else {
        return Vec::new();
    };
    let Some(plan) = solve(&problem).plans.into_iter().next() else { return Vec::new() };
    let shop = Shop::new(catalogue, &wishes, None);
    let vm =
        (!market.vm_prices[plan.vm].is_known()).then(|| shop.price_of_vm(&problem.vms[plan.vm].name).err()).flatten();
    let disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref()).map(|disks| disks.offer);
    let disks = disks.filter(|&disk| !market.disk_unpriced[disk].is_empty()).filter_map(|disk| {
        let offer = &problem.disks[disk];
        shop.lacks_of_disk(
            catalogue.disk(&offer.name, Some(&offer.edition)).ok()?,
            offer.purchase.clone(),
            offer.shared.is_some(),
        )
    });
    let mut missing: Vec<PriceError> = Vec::new();
    for error in vm.into_iter().chain(disks) {
        if !missing.contains(&error) {
            missing.push(error);
        }
    }
    missing
}

fn of_market(
    requirements: &Requirements,
    wishes: &Wishes,
    catalogue: &Catalogue,
    market: Market,
) -> Result<Built, BuildError> {
    let is_disk = |name: &str| !catalogue.editions_of_disk(name).is_empty();
    let unpriced = |disks: bool| {
        let of_kind = market.left_out.iter().filter(move |left| is_disk(&left.name) == disks);
        of_kind.filter_map(|left| left.why.price())
    };
    // Of a list the first without a price is named; where nobody named any, one of hundreds would say nothing.
    let no_price = |what: &'static str, named: bool, example: PriceError| match named {
        true => BuildError::Price(example),
        false => BuildError::NoPrices { what, example: Box::new(example) },
    };
    let is_named = |patterns: &[String], name: &str| patterns.iter().any(|pattern| dw_catalogue::fits(pattern, name));
    if market.vms.iter().all(|vm| vm.barred.is_some()) {
        let shop = Shop::new(catalogue, wishes, None);
        let may_be_chosen = |name: &str| {
            let is_listed = wishes.vms.is_empty() || is_named(&wishes.vms, name);
            is_listed && !is_named(&wishes.not_vms, name) && shop.not_sold(name).is_none()
        };
        let candidates: Vec<PriceError> = unpriced(false).filter(|error| may_be_chosen(&error.name)).collect();
        // A price is worth having of a size that is large enough.
        let (asked, _) = in_years(requirements, wishes, wishes.years, Before::NOTHING).map_err(BuildError::Demand)?;
        let is_enough = |error: &&PriceError| {
            catalogue.vm(&error.name, wishes.edition.as_deref()).is_ok_and(|vm| {
                u64::from(vm.vcpu) * 1_000 >= asked.cpu_milli
                    && vm.vcpu >= asked.vcpu_min
                    && vm.memory_mib.is_none_or(|memory| memory >= asked.memory_mib)
            })
        };
        let error = candidates.iter().find(is_enough).or(candidates.first()).cloned();
        let nothing = || {
            let named = |name: &str| is_named(&wishes.vms, name);
            let barred = market.vms.iter().filter(|vm| named(&vm.name));
            let barred = barred.map(|vm| (vm.name.clone(), vm.barred.clone().unwrap_or_default()));
            let others = market.left_out.iter().filter(|left| !is_disk(&left.name) && named(&left.name));
            let others = others.map(|left| {
                let not_sold = shop.not_sold(&left.name).map(|why| why.to_string());
                (left.name.clone(), not_sold.unwrap_or_else(|| left.why.to_string()))
            });
            let left_out: Vec<(String, String)> = barred.chain(others).collect();
            match left_out.is_empty() {
                true => BuildError::Nothing("VM sizes"),
                false => BuildError::Listed { what: "VM size", key: "vms", left_out, redundancy: false },
            }
        };
        return Err(error.map_or_else(nothing, |error| no_price("VM size", !wishes.vms.is_empty(), error)));
    }
    let needs_disks = wishes.volumes.iter().any(|volume| !volume.may_be_local());
    let redundant = if wishes.zone_redundant { "zone-redundant disk" } else { "disk" };
    if market.disks.is_empty() && needs_disks {
        let nothing = || {
            let named =
                market.left_out.iter().filter(|left| is_disk(&left.name) && is_named(&wishes.disks, &left.name));
            let redundancy = named.clone().any(|left| left.why == Reason::Redundancy);
            let left_out: Vec<(String, String)> = named.map(|left| (left.name.clone(), left.why.to_string())).collect();
            match left_out.is_empty() {
                true if wishes.zone_redundant => BuildError::Nothing(ZONE_REDUNDANT_DISKS),
                true => BuildError::Nothing("disks"),
                false => BuildError::Listed { what: "disk", key: "disks", left_out, redundancy },
            }
        };
        let error = unpriced(true).next();
        return Err(error.map_or_else(nothing, |error| no_price(redundant, !wishes.disks.is_empty(), error)));
    }
    let (mut problem, origins) =
        in_years(requirements, wishes, wishes.years, Before::NOTHING).map_err(BuildError::Demand)?;
    problem.vms.clone_from(&market.vms);
    problem.vms.iter_mut().for_each(|vm| vm.slots += problem.os_disks);
    problem.disks.clone_from(&market.disks);
    let begin = begin(catalogue, wishes);
    let volumes = problem.volumes.iter_mut().zip(&wishes.volumes).zip(&requirements.volumes);
    for ((volume, wished), required) in volumes {
        let is_fast = |offer: &DiskOffer| wished.kpi.is_none_or(|kpi| kpi.set.allows(offer.latency_ns));
        if let Some(kpi) = wished.kpi.filter(|_| !market.disks.is_empty() && !market.disks.iter().any(is_fast)) {
            let left_by = too_slow_by(catalogue, wishes, &market, is_fast);
            return Err(BuildError::TooSlow { volume: volume.name.clone(), kpi: &kpi.set.name, left_by });
        }
        let suitable = Suitable { begin: begin.as_deref(), catalogue, wishes, wished, required };
        let is_suitable = |name: &str| suitable.has(name);
        volume.disks = suitable.among(&market.disks, volume);
        if volume.disks.is_empty() && !wished.may_be_local() {
            let unpriced = market.left_out.iter().filter(|left| is_disk(&left.name) && is_suitable(&left.name));
            let mut errors = unpriced.filter_map(|left| left.why.price());
            let kinds = catalogue.vendor().kinds();
            let ended = kinds.iter().find(|kind| suitable.has_ended(kind));
            let ended = ended.and_then(|kind| Some((kind.name, kind.os_until?)));
            let asked_for = || {
                let mut all: Vec<&str> = kinds.iter().filter_map(|kind| kind.on_request).collect();
                all.dedup();
                all.join("; ")
            };
            let because = match wished.role {
                Role::Os => {
                    too_large_to_start(&market.disks, volume).unwrap_or_else(|| catalogue.vendor().no_os().into())
                }
                _ => Some(suitable.why_none(&market.disks, volume))
                    .filter(|why| !why.is_empty())
                    .unwrap_or_else(asked_for),
            };
            let none = || BuildError::NoDisk { volume: volume.name.clone(), role: wished.role, ended, because };
            return Err(errors.next().map_or_else(none, |e| no_price(redundant, !wishes.disks.is_empty(), e)));
        }
    }
    Ok(Built { problem, market: Arc::new(market), origins })
}

/// The key that leaves only disks that are too slow, where it does so alone, and their kinds.
fn too_slow_by(
    catalogue: &Catalogue,
    wishes: &Wishes,
    market: &Market,
    is_fast: impl Fn(&DiskOffer) -> bool,
) -> Option<(&'static str, Vec<&'static str>)> {
    let without = [
        ("redundancy = \"zone\"", wishes.zone_redundant, Wishes { zone_redundant: false, ..wishes.clone() }),
        ("disks", !wishes.disks.is_empty(), Wishes { disks: Vec::new(), ..wishes.clone() }),
        ("not_disks", !wishes.not_disks.is_empty(), Wishes { not_disks: Vec::new(), ..wishes.clone() }),
    ];
    let helps = |wishes: &Wishes| market::of(catalogue, wishes).disks.iter().any(&is_fast);
    let (key, ..) = without.into_iter().find(|(_, is_asked, wishes)| *is_asked && helps(wishes))?;
    let mut kinds: Vec<&'static str> = Vec::new();
    for kind in market.disks.iter().filter_map(|offer| offer.of_kind) {
        if !kinds.contains(&kind.name) {
            kinds.push(kind.name);
        }
    }
    Some((key, kinds))
}

/// The problem of a demand that differs, with what is on offer as it was: `wishes` may differ in what is asked, not in what may be
/// chosen or what it costs.
pub fn again(built: &Built, requirements: &Requirements, wishes: &Wishes) -> Result<Built, DemandError> {
    let (mut problem, origins) = in_years(requirements, wishes, wishes.years, built.before())?;
    let Problem { vms, disks, volumes, .. } = &built.problem;
    (problem.vms, problem.disks) = (vms.clone(), disks.clone());
    for (volume, known) in problem.volumes.iter_mut().zip(volumes) {
        volume.disks.clone_from(&known.disks);
        if volume.samples.len() == known.samples.len() {
            volume.slow.clone_from(&known.slow);
        }
    }
    Ok(Built { problem, market: built.market.clone(), origins })
}

/// The same demand with more to choose from, at the same prices: `wishes` may differ in what bars a size or a kind of disks, and bar none
/// that they did not bar.
pub fn allowing(built: &Built, requirements: &Requirements, wishes: &Wishes, catalogue: &Catalogue) -> Built {
    let (mut problem, shop) = (built.problem.clone(), Shop::new(catalogue, wishes, None));
    for vm in problem.vms.iter_mut().filter(|vm| vm.barred.is_some()) {
        (vm.barred, vm.by_list) = (shop.barred(&vm.name), shop.by_list(&vm.name));
    }
    let begin = begin(catalogue, wishes);
    for ((volume, wished), required) in problem.volumes.iter_mut().zip(&wishes.volumes).zip(&requirements.volumes) {
        let suitable = Suitable { begin: begin.as_deref(), catalogue, wishes, wished, required };
        volume.disks = suitable.among(&problem.disks, volume);
    }
    Built { problem, market: built.market.clone(), origins: built.origins.clone() }
}

/// The day from which what is bought has to be sold; none where offers of an edition are asked for.
fn begin(catalogue: &Catalogue, wishes: &Wishes) -> Option<String> {
    policy::begin(catalogue, wishes).filter(|_| wishes.edition.is_none())
}

/// Which disks a volume may be on.
struct Suitable<'a> {
    begin: Option<&'a str>,
    catalogue: &'a Catalogue,
    wishes: &'a Wishes,
    wished: &'a VolumeWishes,
    required: &'a VolumeRequirements,
}

impl Suitable<'_> {
    fn has_ended(&self, kind: &Kind) -> bool {
        kind.os_until.zip(self.begin).is_some_and(|(until, begin)| until < begin)
    }
    fn has(&self, name: &str) -> bool {
        let suits = |kind: &Kind| self.suits(kind) && !(self.wished.role == Role::Os && self.has_ended(kind));
        self.catalogue.disk(name, None).is_ok_and(|disk| suits(disk.kind()))
    }
    /// The places of those that may be chosen.
    fn among(&self, offers: &[DiskOffer], volume: &Volume) -> Vec<usize> {
        let is_shared = self.wishes.shared_by(self.wished).is_some();
        // What bursts cost is only known of a load over time.
        let has_series = self.required.over_time().is_some();
        let may_be_chosen = |offer: &DiskOffer| {
            self.wished.kpi.is_none_or(|kpi| kpi.set.allows(offer.latency_ns))
                && self.has(&offer.name)
                && (self.wished.role != Role::Os || offer.purchase.is_plain() && offer.starts(volume.capacity_gib))
                && (!offer.purchase.is_by_use() || has_series)
                && offer.shared.is_some() == is_shared
                && (!offer.of_kind.is_some_and(|kind| kind.sequential) || are_whole(&volume.samples, offer.io_unit))
        };
        (0..offers.len()).filter(|&disk| may_be_chosen(&offers[disk])).collect()
    }
    /// Whether a kind of disks is what one would put under such a volume: under backups alone what nobody is given unasked, and an operating
    /// system never on those from which no VM starts.
    fn suits(&self, kind: &Kind) -> bool {
        let starts = kind.os_gib_max.is_some() || self.wished.role != Role::Os;
        self.is_given(kind) && (!kind.sequential || self.is_in_order()) && starts
    }
    /// Whether nobody has to ask for a kind, or somebody does.
    fn is_given(&self, kind: &Kind) -> bool {
        let is_asked = || {
            vendor_of(self.wishes).takes_all_kinds(self.wishes)
                || !self.wishes.disks.is_empty()
                || self.wished.role == Role::Backup
        };
        kind.on_request.is_none() || is_asked()
    }
    /// Read and written from front to back: by what it is for, or as it is said.
    fn is_in_order(&self) -> bool {
        self.wished.role.is_sequential() || self.required.random_percent == Some(0.0)
    }
    /// Why none of these suits, by kind, as a sentence ends.
    fn why_none(&self, offers: &[DiskOffer], volume: &Volume) -> String {
        let mut all: Vec<&Kind> = offers.iter().filter_map(|offer| offer.of_kind).collect();
        all.dedup_by_key(|kind| kind.id);
        let (given, on_request): (Vec<&Kind>, Vec<&Kind>) = all.into_iter().partition(|kind| self.is_given(kind));
        let mut reasons: Vec<String> = Vec::new();
        for reason in on_request.into_iter().filter_map(|kind| kind.on_request) {
            if !reasons.iter().any(|known| known == reason) {
                reasons.push(reason.into());
            }
        }
        let in_order_alone =
            |kind: &&Kind| kind.sequential && !(self.is_in_order() && are_whole(&volume.samples, kind.io_unit));
        let names: Vec<&str> = given.into_iter().filter(in_order_alone).map(|kind| kind.name).collect();
        if !names.is_empty() {
            let unit = offers.iter().filter(|offer| offer.of_kind.is_some_and(|kind| kind.sequential));
            let unit = unit.filter_map(|offer| offer.io_unit).max().unwrap_or(Bytes::new(1));
            reasons.push(format!(
                "{}: only for what is read and written from front to back (`role` log or backup, or `random_percent = 0`) in requests of \
                 {unit} and more",
                names.join(", ")
            ));
        }
        reasons.join("; ")
    }
}

/// Whether requests are as large as what a disk takes for one: smaller ones cost as much where they are not merged, and whether they are no
/// figure says.
fn are_whole(samples: &[Sample], unit: Option<Bytes>) -> bool {
    let unit = unit.map_or(0, Bytes::get);
    let is_whole = |stream: Stream| stream.bytes >= stream.requests.saturating_mul(unit);
    samples.iter().all(|sample| sample.streams().into_iter().all(is_whole))
}

/// That what an operating system holds is more than any disk may have from which a VM starts, where only that is in the way.
fn too_large_to_start(offers: &[DiskOffer], volume: &Volume) -> Option<String> {
    let free = offers.iter().filter(|offer| matches!(offer.kind, DiskKind::Free(_)));
    let most = free.filter_map(|offer| offer.of_kind?.os_gib_max).max().filter(|most| *most < volume.capacity_gib)?;
    Some(format!("it needs {} GiB, and those that can have at most {most} GiB", volume.capacity_gib))
}

/// The demand in so many years, without offers, and what its samples are made of; what is asked as `before` is shared with that.
pub(crate) fn in_years(
    requirements: &Requirements,
    wishes: &Wishes,
    years: u32,
    before: Before,
) -> Result<(Problem, Vec<Option<Origin>>), DemandError> {
    let vendor = vendor_of(wishes);
    let Demand { volumes, stamps, interval, violations_allowed, origins } =
        demand::of(requirements, wishes, &vendor.routes(), years, before)?;
    let factor = demand::load_factor(requirements, wishes, years);
    let busy = requirements.cpu_percent.map_or(0.0, |levels| levels.between(wishes.percentile));
    let cores = f64::from(requirements.processors.unwrap_or(0)) * busy / 100.0 * factor;
    let cpu_milli = (cores / (wishes.cpu_percent / 100.0) * 1_000.0).ceil() as u64;
    let problem = Problem {
        volumes,
        stamps,
        interval,
        violations_allowed,
        utilisation: market::utilisation(wishes),
        // A figure without a series is asked all the time: credits do not carry that.
        bursting: wishes.bursting && stamps > 1,
        cpu_milli,
        vcpu_min: wishes.vcpu_min,
        memory_mib: memory::needed_mib(requirements, wishes),
        cost_max: wishes
            .cost_max_micros
            .map(|micros| dw_catalogue::Money::micros(micros / u64::from(wishes.nodes.max(1)))),
        cache_latency: market::cache_latency(wishes.latency),
        os_disks: wishes.volumes.iter().filter(|volume| volume.role == Role::Os).count() as u32,
        gates: vendor.gates(),
        routes: vendor.routes(),
        ..Problem::empty()
    };
    Ok((problem, origins))
}

/// The first year from now in which the plan does not hold any more; nothing when it lasts ten years after the last one
/// that was asked for, or nothing grows.
pub fn breaks_in_year(built: &Built, requirements: &Requirements, wishes: &Wishes, plan: &Plan) -> Option<u32> {
    let years = wishes.years + 1..=wishes.years + 10;
    too_small_in(built, requirements, wishes, plan, years, |problem, plan| check(problem, plan).holds)
}

/// The first of these years from now in which a plan does not hold; nothing where it holds in all of them, or nothing grows.
pub(crate) fn too_small_in(
    built: &Built,
    requirements: &Requirements,
    wishes: &Wishes,
    plan: &Plan,
    mut years: std::ops::RangeInclusive<u32>,
    holds: impl Fn(&Problem, &Plan) -> bool,
) -> Option<u32> {
    if !wishes.grows() {
        return None;
    }
    years.find(|&years| {
        let Ok((later, _)) = in_years(requirements, wishes, years, Before::NOTHING) else { return true };
        let mut problem = built.problem.clone();
        problem.cpu_milli = later.cpu_milli;
        for (volume, later) in problem.volumes.iter_mut().zip(later.volumes) {
            volume.samples = later.samples;
            volume.usual = later.usual;
            volume.capacity_gib = later.capacity_gib;
        }
        !holds(&problem, &priced(&problem, plan.clone()))
    })
}
