//! From requirements and wishes to volumes with samples: growth, percentile, what is known of the cache, stripes.
//!
//! With series the demand is joint: stamp by stamp, all volumes at once; a volume that has only percentiles counts with its
//! figure at the asked one in every stamp. Without any series there is one stamp. *Per dimension* replaces every series by
//! its percentile, figure by figure, as if they all happened at once (the rule of Azure Migrate, for comparison).
//!
//! Loads are rounded up to whole requests and bytes. A stripe unit is 64 KiB where at most one request in eight lies across two of
//! them, so that nearly all stay on one disk; 256 KiB where more would, and for requests larger than 64 KiB, which several disks then
//! serve together. Requests whose direction nobody knows count as writes: a cache does not serve those.
//!
//! Source: `docs/model/planning.md`, `docs/model/striping.md`.
//!
//! Between two percentiles that are known a third is estimated ([`Levels::between`]). Working sets grow as what volumes hold.
//!
//! Ignores: series of processors and memory (their percentiles count).

use std::sync::Arc;

use dw_catalogue::gate::Route;
use dw_catalogue::latency::{self, LatencySetting};
use dw_demand::wishes::{OverTime, VolumeWishes, Wishes};
use dw_demand::{DemandSeries, Levels, Requirements, VolumeRequirements};
use dw_messages::{Figure, Sentence, say};
use dw_stack::FLUSH_SHARE;
use dw_units::{Bytes, CacheMode, Duration, Throughput};

use crate::hit::{self, mean_sizes};
use crate::problem::{HitCurve, ONE, Problem, RouteId, Sample, Volume};
use crate::split::Split;

/// More requests per second than any storage serves.
const REQUESTS_MAX: f64 = 1e10;
/// The same of bytes.
const BYTES_MAX: f64 = 1e15;
/// More bytes than any volume holds.
const CAPACITY_MAX: f64 = 1e18;

/// The demand cannot be planned for: which volume, what, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DemandError {
    /// The volume, by its number.
    pub volume: Option<usize>,
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub hint: String,
}

impl std::fmt::Display for DemandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\nhint: {}", self.what, self.hint)
    }
}

impl std::error::Error for DemandError {}

impl From<DemandError> for dw_error::Error {
    fn from(error: DemandError) -> Self {
        dw_error::Error::of(dw_error::Kind::Input, error)
    }
}

/// Volumes, their number of stamps, the time of one.
pub(crate) struct Demand {
    pub(crate) volumes: Vec<Volume>,
    pub(crate) stamps: usize,
    pub(crate) interval: Duration,
    pub(crate) violations_allowed: usize,
    /// By volume, what its samples are made of; none where it is no series.
    pub(crate) origins: Vec<Option<Origin>>,
}

/// What samples are made of: the same gives the same.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    series: Arc<DemandSeries>,
    factor: f64,
    stamps: usize,
}

impl Origin {
    fn is_same(&self, other: &Origin) -> bool {
        Arc::ptr_eq(&self.series, &other.series) && (self.factor, self.stamps) == (other.factor, other.stamps)
    }
}

/// What was asked before of volumes, and what it was made of.
#[derive(Clone, Copy)]
pub(crate) struct Before<'a> {
    pub(crate) volumes: &'a [Volume],
    pub(crate) origins: &'a [Option<Origin>],
}

impl<'a> Before<'a> {
    pub(crate) const NOTHING: Before<'static> = Before { volumes: &[], origins: &[] };

    /// The volume in a place, where its samples are made of the same.
    fn of(&self, place: usize, origin: Option<&Origin>) -> Option<&'a Volume> {
        let known = self.origins.get(place)?.as_ref()?;
        self.volumes.get(place).filter(|_| origin.is_some_and(|origin| origin.is_same(known)))
    }
}

/// The load after so many years, as a multiple of today's.
pub(crate) fn grown(percent_per_year: f64, years: u32) -> f64 {
    (0..years).fold(1.0, |factor, _| factor * (1.0 + percent_per_year / 100.0))
}

/// What recorded work of processors is multiplied by to be that which is planned for in so many years.
pub(crate) fn load_factor(requirements: &Requirements, wishes: &Wishes, years: u32) -> f64 {
    requirements.growth * wishes.comfort_factor * grown(wishes.growth_percent_per_year, years)
}

/// The same of one volume.
fn load_factor_of(requirements: &Requirements, wishes: &Wishes, volume: &VolumeWishes, years: u32) -> f64 {
    requirements.growth * wishes.comfort_factor * grown(wishes.growth_of(volume), years)
}

/// What a cache must hold to serve all reads of a volume in so many years: it grows as the data does.
pub fn working_set(wishes: &Wishes, volume: &VolumeWishes, years: u32) -> Option<Bytes> {
    let held = grown(wishes.capacity_growth_of(volume), years);
    volume.working_set.map(|size| times(size, held))
}

fn times(size: Bytes, factor: f64) -> Bytes {
    Bytes::new((size.get() as f64 * factor).ceil() as u64)
}

/// Reads, writes, bytes read, bytes written a second of one volume.
#[derive(Clone, Copy)]
enum Asked<'a> {
    OverTime(&'a DemandSeries),
    /// In every stamp.
    Always([f64; 4]),
}

impl Asked<'_> {
    fn stamps(&self) -> usize {
        match self {
            Asked::OverTime(series) => series.read_iops.len(),
            Asked::Always(_) => 1,
        }
    }

    /// In one stamp; one that is shorter than others asks nothing after its end.
    fn at(&self, stamp: usize) -> [f64; 4] {
        match self {
            Asked::Always(figures) => *figures,
            Asked::OverTime(series) if series.read_iops.len() == 1 => figures_at(series, 0),
            Asked::OverTime(series) if stamp < series.read_iops.len() => figures_at(series, stamp),
            Asked::OverTime(_) => [0.0; 4],
        }
    }

    fn all(&self) -> impl Iterator<Item = [f64; 4]> {
        (0..self.stamps()).map(|stamp| self.at(stamp))
    }
}

fn figures_at(series: &DemandSeries, stamp: usize) -> [f64; 4] {
    let bytes = [&series.read_bytes_per_s, &series.write_bytes_per_s].map(|list| list[stamp] as f64);
    [series.read_iops[stamp], series.write_iops[stamp], bytes[0], bytes[1]]
}

/// The demand in `years`. What is asked of a volume as of the one in its place `before` is shared with that.
pub(crate) fn of(
    requirements: &Requirements,
    wishes: &Wishes,
    routes: &[Route],
    years: u32,
    before: Before,
) -> Result<Demand, DemandError> {
    let factor = |wished: &VolumeWishes| load_factor_of(requirements, wishes, wished, years);
    let left = |percent: f64| 1.0 - percent / 100.0;
    let free = left(wishes.capacity_headroom_percent) * left(wishes.filesystem_overhead_percent);
    let capacity = |wished: &VolumeWishes| grown(wishes.capacity_growth_of(wished), years) / free;
    let interval = interval(requirements)?;
    let mut all: Vec<Asked> = Vec::new();
    for (place, volume) in requirements.volumes.iter().enumerate() {
        all.push(match volume.over_time() {
            Some(series) => Asked::OverTime(series),
            None => Asked::Always(figures(place, volume, wishes.percentile)?),
        });
    }
    let is_joint = wishes.over_time != OverTime::PerDimension;
    let stamps = all.iter().map(|asked| if is_joint { asked.stamps() } else { 1 }).max().unwrap_or(1);
    let origin = |(required, wished): (&VolumeRequirements, &VolumeWishes)| {
        let series = required.series.clone().filter(|_| is_joint && required.over_time().is_some());
        series.map(|series| Origin { series, factor: factor(wished), stamps })
    };
    let origins: Vec<Option<Origin>> = requirements.volumes.iter().zip(&wishes.volumes).map(origin).collect();
    let known = |place: usize| before.of(place, origins.get(place).and_then(Option::as_ref));
    let usual = requirements.volumes.iter().zip(&all).enumerate();
    let usual = usual.map(|(place, (volume, asked))| match known(place) {
        // Its usual sample is known, too.
        Some(_) => Ok([0.0; 4]),
        None => usual_of(place, volume, asked),
    });
    let usual = usual.collect::<Result<Vec<_>, _>>()?;
    if !is_joint {
        all.iter_mut().for_each(|asked| *asked = Asked::Always(at_percentile(asked, wishes.percentile)));
    }
    for (place, (asked, wished)) in all.iter().zip(&wishes.volumes).enumerate() {
        let asked = known(place).is_none().then_some(asked);
        is_possible(place, asked, factor(wished), wished.capacity.get() as f64 * capacity(wished), years)?;
        if wished.host_cache.is_empty() && !wished.may_be_local() {
            return Err(DemandError {
                volume: Some(place),
                what: "its list of host cache settings is empty".into(),
                hint: "allow at least one: no host cache is a setting, too".into(),
            });
        }
    }
    let volumes = requirements.volumes.iter().zip(&wishes.volumes).zip(all).zip(usual).enumerate();
    let volumes = volumes.map(|(place, (((required, wished), asked), usual))| {
        let (factor, capacity) = (factor(wished), capacity(wished));
        let (samples, usual) = match known(place) {
            Some(known) => (known.samples.clone(), known.usual),
            None => {
                let samples = (0..stamps).map(|stamp| sample(asked.at(stamp), factor));
                let known = before.volumes.get(place).map(|known| &known.samples);
                let samples = match known.filter(|known| samples.clone().eq(known.iter().copied())) {
                    Some(known) => known.clone(),
                    None => samples.collect(),
                };
                (samples, sample(usual, factor * 1_000.0))
            }
        };
        let hits = hits(wishes, wished, &samples, years);
        let disks_max = wishes.disks_max_of(wished);
        let mut volume = Volume { usual, hits, disks_max, ..volume(required, wished, routes, samples, capacity) };
        if wishes.shared_by(wished).is_some() {
            // What one VM keeps, others do not see.
            let is_seen = |route: &Route| !route.has_cache() && !route.is_local;
            volume.classes.retain(|class| is_seen(&routes[class.place()]));
        }
        volume
    });
    let volumes = volumes.collect();
    Ok(Demand {
        volumes,
        stamps,
        interval,
        violations_allowed: if stamps == 1 { 0 } else { violations(stamps, wishes.percentile) },
        origins,
    })
}

/// What is asked can be asked of storage: beyond that sums would not fit, and a hand has slipped.
/// Without `asked` that is known, and the capacity alone is looked at.
fn is_possible(place: usize, asked: Option<&Asked>, factor: f64, bytes: f64, years: u32) -> Result<(), DemandError> {
    let most = |columns: [usize; 2]| {
        let all = asked.into_iter().flat_map(Asked::all);
        all.flat_map(|s| columns.map(|c| s[c])).fold(0.0, f64::max) * factor
    };
    let when = if years == 0 { String::new() } else { format!(" in {years} years") };
    let asked = [
        (most([0, 1]), REQUESTS_MAX, "requests per second"),
        (most([2, 3]), BYTES_MAX, "bytes per second"),
        (bytes, CAPACITY_MAX, "bytes of capacity"),
    ];
    for (value, most, unit) in asked {
        if value.is_nan() || value > most {
            return Err(DemandError {
                volume: Some(place),
                what: format!("it asks {value:.3e} {unit}{when}, and at most {most:.0e} can be planned for"),
                hint: "correct the figure, `growth`, or the growth a year".into(),
            });
        }
    }
    Ok(())
}

/// What a volume asks on average: the mean of its series, or its median.
fn usual_of(place: usize, volume: &VolumeRequirements, asked: &Asked) -> Result<[f64; 4], DemandError> {
    if volume.over_time().is_none() {
        return figures(place, volume, 50.0);
    }
    let mean = |column: usize| asked.all().map(|figures| figures[column]).sum::<f64>() / asked.stamps() as f64;
    Ok([0, 1, 2, 3].map(mean))
}

/// Stamps that may exceed some limit.
fn violations(stamps: usize, percentile: f64) -> usize {
    // In thousandths of a percent, so that 99.9 of 1,000 is 1 and not 0.999.
    let free = 100_000 - (percentile * 1_000.0).round() as usize;
    stamps * free / 100_000
}

/// More a second than anything on offer gives, of which the sum over all volumes still is a number.
const MOST: u64 = 10_000_000_000_000_000;

/// So many times the figures. Requests are rounded up, and bytes with them: a mean size that became smaller by it would be one of two sizes
/// on a stripe.
fn sample(figures: [f64; 4], factor: f64) -> Sample {
    let [reads, writes, read_bytes, write_bytes] = figures.map(|figure| figure * factor);
    let whole = |requests: f64, bytes: f64| {
        let more = if requests > 0.0 { requests.ceil() / requests } else { 1.0 };
        // What is whole but for the last digits of the arithmetic is not rounded up.
        ((requests.ceil() as u64).min(MOST), ((bytes * more - 1e-3).ceil() as u64).min(MOST))
    };
    let ((reads, read_bytes), (writes, write_bytes)) = (whole(reads, read_bytes), whole(writes, write_bytes));
    Sample { reads, writes, read_bytes, write_bytes }
}

fn interval(requirements: &Requirements) -> Result<Duration, DemandError> {
    let mut known: Option<(Duration, &str)> = None;
    for (place, volume) in requirements.volumes.iter().enumerate() {
        let Some(series) = volume.over_time() else { continue };
        match known {
            Some((interval, other)) if interval != series.interval => {
                return Err(DemandError {
                    volume: Some(place),
                    what: format!("its series has intervals of {}, that of `{other}` of {interval}", series.interval),
                    hint: "record both at one interval, or leave one series out: its percentiles are then used".into(),
                });
            }
            _ => known = Some((series.interval, &volume.name)),
        }
    }
    Ok(known.map_or(Duration::from_secs(1), |(interval, _)| interval))
}

/// Reads, writes, bytes read, bytes written a second at the percentile, where there is no series.
fn figures(place: usize, volume: &VolumeRequirements, percentile: f64) -> Result<[f64; 4], DemandError> {
    let refuse = |what: String, hint: &str| Err(DemandError { volume: Some(place), what, hint: hint.into() });
    if let Some(key) = volume.unknown.first() {
        let what = format!("its `{key}` is unknown: the recording has only the other direction");
        return refuse(what, "write its rate per second, or remove it from `unknown` if there is none");
    }
    let rate = |levels: Option<Levels<f64>>| levels.map(|levels| levels.between(percentile));
    let bytes = |levels: Option<Levels<Throughput>>| {
        levels.map(|levels| levels.map(|rate| rate.get() as f64).between(percentile))
    };
    let (reads, writes) = (rate(volume.read_iops), rate(volume.write_iops));
    let (reads, writes) = match (reads, writes, rate(volume.iops)) {
        (None, None, Some(all)) => (0.0, all),
        (None, None, None) => {
            return refuse("it has no `read_iops`, `write_iops` or `iops`".into(), "write its rate per second");
        }
        (reads, writes, _) => (reads.unwrap_or(0.0), writes.unwrap_or(0.0)),
    };
    let of = |rate: f64, throughput: Option<f64>, size: Option<Bytes>| {
        throughput.or(size.map(|size| rate * size.get() as f64)).or((rate == 0.0).then_some(0.0))
    };
    let whole = bytes(volume.throughput).filter(|_| volume.read_throughput.is_none());
    match (
        of(reads, bytes(volume.read_throughput), volume.read_size),
        of(writes, bytes(volume.write_throughput).or(whole), volume.write_size),
    ) {
        (Some(read_bytes), Some(write_bytes)) => Ok([reads, writes, read_bytes, write_bytes]),
        _ => refuse(
            "it has neither throughput nor the size of its requests".into(),
            "write `read_size` and `write_size`, for example `read_size = \"8 KiB\"`, or the throughput",
        ),
    }
}

fn at_percentile(asked: &Asked, percentile: f64) -> [f64; 4] {
    [0, 1, 2, 3].map(|column| {
        let mut values: Vec<f64> = asked.all().map(|figures| figures[column]).collect();
        values.sort_by(f64::total_cmp);
        let rank = values.len() - violations(values.len(), percentile);
        values.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
    })
}

fn volume(
    required: &VolumeRequirements,
    wished: &VolumeWishes,
    routes: &[Route],
    samples: Arc<[Sample]>,
    capacity: f64,
) -> Volume {
    let with_cache = |mode| RouteId::with_cache(routes, mode);
    let mut classes: Vec<RouteId> = wished.host_cache.iter().copied().filter_map(with_cache).collect();
    if wished.may_be_local() {
        classes.extend(RouteId::to_local(routes));
    }
    let mut read_latency_max = wished.read_latency_max;
    if let Some(most) = wished.after_reboot_latency_max {
        read_latency_max.mean = Some(read_latency_max.mean.map_or(most, |asked| asked.min(most)));
    }
    // A sync waits until all that was written is on the disks, which a ReadWrite cache only puts off.
    let mut write_latency_max = wished.write_latency_max;
    if let Some(most) = wished.sync_latency_p99_max.map(write_of_sync) {
        write_latency_max.p99 = Some(write_latency_max.p99.map_or(most, |asked| asked.min(most)));
        classes.retain(|class| routes[class.place()].cache != CacheMode::ReadWrite);
        if classes.is_empty() {
            classes.extend(with_cache(CacheMode::None));
        }
    }
    // A millionth of a GiB is rounding, not data.
    let gib = (wished.capacity.get() as f64 * capacity / (1u64 << 30) as f64 - 1e-6).ceil() as u64;
    Volume {
        name: required.name.clone(),
        capacity_gib: gib,
        stripe_unit: wished.stripe_unit.unwrap_or_else(|| stripe_unit(&samples)),
        samples,
        classes,
        hits: None,
        hit_max: (wished.hit_percent_max() * 1e4).round() as u32,
        latency_max: [read_latency_max, write_latency_max],
        disks_min: 1,
        disks_max: 1,
        sequential: wished.role.is_sequential(),
        disks: Vec::new(),
        usual: Sample::default(),
        slow: Vec::new(),
    }
}

/// What the 99th percentile of a write may be, so that a sync after it takes at most so long: a flush takes [`FLUSH_SHARE`] of a write, and
/// both together no more than the sum of their percentiles.
fn write_of_sync(most: Duration) -> Duration {
    let (part, whole) = FLUSH_SHARE;
    Duration::from_ns((u128::from(most.ns()) * u128::from(whole) / u128::from(part + whole)) as u64)
}

/// What is known of a volume's reads in so many years. The same share of more data is more to hold.
pub fn hits(wishes: &Wishes, wished: &VolumeWishes, samples: &[Sample], years: u32) -> Option<HitCurve> {
    if let Some(size) = working_set(wishes, wished, years) {
        return Some(HitCurve::working_set(size, hit::parts(samples)));
    }
    let held = grown(wishes.capacity_growth_of(wished), years);
    let point = |&(cache, percent): &(Bytes, f64)| (times(cache, held).get(), ((percent * 1e4) as u32).min(ONE));
    let curve = wished.hit_curve.iter().map(point).collect::<Vec<_>>();
    (!curve.is_empty()).then(|| HitCurve::measured(curve))
}

fn stripe_unit(samples: &[Sample]) -> Bytes {
    let small = Bytes::kib(64);
    let (read, write) = mean_sizes(samples);
    if read.max(write) <= small.get() && straddling(samples, small) <= STRADDLING { small } else { Bytes::kib(256) }
}

/// Of a thousand requests, so many may lie across two stripe units of 64 KiB before larger ones are better: an eighth.
const STRADDLING: u64 = 125;

/// How many I/Os more than requests there are of a thousand, of the direction with more.
fn straddling(samples: &[Sample], unit: Bytes) -> u64 {
    let (read, write) = mean_sizes(samples);
    straddles(read, unit).max(straddles(write, unit))
}

/// The same of requests of one size.
fn straddles(size: u64, unit: Bytes) -> u64 {
    if size == 0 { 0 } else { Split::wide(unit.get()).ios(1_000, 1_000 * size) - 1_000 }
}

/// Why a volume has its stripe unit.
pub fn stripe_reason(volume: &Volume) -> Sentence {
    let (read, write) = mean_sizes(&volume.samples);
    // Of the requests of which more lie across two disks.
    let most = |size: &u64| (straddles(*size, Bytes::kib(64)), *size);
    let size = [read, write].into_iter().max_by_key(most).unwrap_or(0).div_ceil(1_024);
    let share = |unit: Bytes| {
        let percent = straddling(&volume.samples, unit) as f64 / 10.0;
        Figure::new(percent, "%", format!("{percent:.0} %"))
    };
    let small = Bytes::kib(64);
    match volume.stripe_unit {
        unit if unit == small && straddling(&volume.samples, unit) == 0 => say!(StripeOneDisk { size }),
        unit if unit == small => say!(StripeNearly { size, share: share(unit) }),
        unit if unit == Bytes::kib(256) && size <= small.get() / 1_024 => {
            say!(StripeStraddling { size, share: share(small), left: share(unit) })
        }
        unit if unit == Bytes::kib(256) => say!(StripeFewDisks { size }),
        unit => say!(StripeAsked { unit: unit.to_string() }),
    }
}

/// Mean of a latency model, in nanoseconds: between two knots the mean of their logarithms.
pub(crate) fn mean_ns(knots: &[(u32, u64)]) -> u64 {
    let first = knots.first().map_or(0.0, |&(ppm, ns)| f64::from(ppm) * ns as f64);
    let between = knots.windows(2).map(|w| f64::from(w[1].0 - w[0].0) * libm::sqrt(w[0].1 as f64 * w[1].1 as f64));
    ((first + between.sum::<f64>()) / f64::from(ONE)) as u64
}

/// Mean latency of a model's reads and writes, in nanoseconds.
pub fn model_ns(name: &str, setting: LatencySetting) -> (u64, u64) {
    latency::model(name)
        .map_or((0, 0), |model| (mean_ns(&model.read_knots(setting)), mean_ns(&model.write_knots(setting))))
}

/// Requests in flight that a volume's busiest stamp needs, by Little's law; at least one for each disk.
pub fn in_flight(problem: &Problem, place: usize, latency_ns: (u64, u64), disks: u32) -> u64 {
    let samples = problem.volumes.get(place).map_or(&[][..], |volume| &volume.samples);
    let flight =
        |s: &Sample| u128::from(s.reads) * u128::from(latency_ns.0) + u128::from(s.writes) * u128::from(latency_ns.1);
    let most = samples.iter().map(flight).max().unwrap_or(0).div_ceil(1_000_000_000) as u64;
    most.max(u64::from(disks))
}

#[cfg(test)]
mod tests {
    use dw_catalogue::azure;
    use dw_demand::wishes::{LatencyMax, Role};
    use dw_units::CacheMode;

    use super::*;

    #[test]
    fn what_is_asked_can_be_summed_however_much_it_is() {
        let found = sample([1e300, 1e300, 1e300, f64::INFINITY], 1.0);
        for figures in [[found.reads, found.writes], [found.read_bytes, found.write_bytes]] {
            assert!(figures.iter().try_fold(0u64, |sum, one| sum.checked_add(one * 64)).is_some(), "{found:?}");
        }
    }

    #[test]
    fn a_percentile_of_so_many_stamps_leaves_so_many_out() {
        let cases =
            [(100, 99.0, 1), (1_000, 99.9, 1), (99, 99.0, 0), (10, 50.0, 5), (43_200, 99.0, 432), (7, 100.0, 0)];
        for (stamps, percentile, expected) in cases {
            assert_eq!(violations(stamps, percentile), expected, "{percentile} of {stamps}");
        }
    }

    #[test]
    fn a_working_set_grows_with_what_the_volume_holds() {
        let volume =
            VolumeWishes { working_set: Some(Bytes::gib(100)), ..VolumeWishes::of(Role::Data, Bytes::gib(500)) };
        for (percent, years, expected) in [(0.0, 3, 100), (50.0, 0, 100), (50.0, 1, 150), (100.0, 2, 400)] {
            let wishes = Wishes { capacity_growth_percent_per_year: percent, ..dw_catalogue::PLAN_KEYS.wishes() };
            assert_eq!(working_set(&wishes, &volume, years), Some(Bytes::gib(expected)), "{percent} % in {years}");
            let curve = VolumeWishes { working_set: None, hit_curve: vec![(Bytes::gib(100), 60.0)], ..volume.clone() };
            let points = hits(&wishes, &curve, &[], years).map(|curve| curve.points);
            assert_eq!(points, Some(vec![(Bytes::gib(expected).get(), 600_000)]), "{percent} % in {years}");
        }
    }

    #[test]
    fn a_bound_on_syncs_is_one_on_the_writes_before_them() {
        let required = VolumeRequirements::default();
        // A sync is a write and six tenths of one; what the cache puts off is waited for all the same.
        for (asked, write) in
            [(None, Some(10_000_000)), (Some(5_000_000), Some(5_000_000)), (Some(50_000_000), Some(10_000_000))]
        {
            let wished = VolumeWishes {
                host_cache: vec![CacheMode::ReadWrite],
                sync_latency_p99_max: Some(Duration::from_ms(16)),
                write_latency_max: LatencyMax { p99: asked.map(Duration::from_ns), ..LatencyMax::default() },
                ..VolumeWishes::of(Role::Log, Bytes::gib(60))
            };
            let volume = super::volume(&required, &wished, &azure::routes(), [Sample::default()].into(), 1.0);
            assert_eq!(volume.latency_max[1].p99.map(Duration::ns), write, "{asked:?}");
            assert_eq!(volume.classes, [azure::UNCACHED]);
        }
    }

    #[test]
    fn an_operating_system_is_never_on_the_local_disk() {
        let required = VolumeRequirements::default();
        for role in Role::ALL {
            let wished = VolumeWishes { local_disk: true, ..VolumeWishes::of(role, Bytes::gib(60)) };
            let classes = super::volume(&required, &wished, &azure::routes(), [Sample::default()].into(), 1.0).classes;
            assert_eq!(classes.contains(&azure::TEMP), role != Role::Os, "{role:?}: {classes:?}");
        }
    }

    #[test]
    fn five_thousand_iops_at_a_millisecond_are_five_in_flight() {
        let sample = Sample { reads: 5_000, writes: 0, read_bytes: 40_960_000, write_bytes: 0 };
        let volume = Volume {
            name: "data".into(),
            capacity_gib: 1,
            samples: [sample].into(),
            classes: vec![azure::UNCACHED],
            hits: None,
            latency_max: [LatencyMax::default(); 2],
            disks_min: 1,
            disks_max: 8,
            stripe_unit: Bytes::kib(64),
            sequential: false,
            disks: vec![],
            usual: Sample::default(),
            hit_max: ONE,
            slow: Vec::new(),
        };
        let problem = Problem { volumes: vec![volume], ..Problem::empty() };
        assert_eq!(in_flight(&problem, 0, (1_000_000, 1_000_000), 1), 5);
        assert_eq!(in_flight(&problem, 0, (1_000_000, 1_000_000), 8), 8);
    }

    #[test]
    fn means_are_those_of_the_chapter_on_latency() {
        for (name, read, write) in
            [("premium-ssd", 3_100_000, 1_970_000), ("ssd-hit", 505_000, 230_000), ("ultra", 420_000, 460_000)]
        {
            let (r, w) = model_ns(name, LatencySetting::Typical);
            assert!(r.abs_diff(read) * 50 < read && w.abs_diff(write) * 50 < write, "{name}: {r} {w}");
        }
    }
}
