//! Overrides of a limit: what is written replaces what the catalogue has, the rest stays.

use dw_stack::{BurstSpec, LimitSpec, RateSpec};
use dw_units::{Bytes, Duration, NS_PER_SECOND, Throughput};
use serde_spanned::Spanned;

use super::file::LimitFile;
use super::reader::Reader;
use super::scalar::{Field, Scalar};

/// How long full credits last when nothing else is said: the providers' "up to 30 minutes at the maximum burst rate".
const BURST_FOR: Duration = Duration::from_secs(1_800);

/// A rate as the file has it.
enum Written {
    Absent,
    Unlimited,
    Rate(u64),
}

pub(super) fn apply(reader: &mut Reader, base: LimitSpec, file: &LimitFile) -> LimitSpec {
    let faults = reader.errors.len();
    let burst_for = reader.quantity::<Duration>("burst_for", &file.burst_for);
    let iops_depth = reader.count("iops_depth", &file.iops_depth, 0..1 << 32);
    let bytes_depth = reader.quantity::<Bytes>("throughput_depth", &file.throughput_depth).map(Bytes::get);
    let iops = iops(reader, "iops", &file.iops, "unlimited");
    let iops_burst = self::iops(reader, "burst_iops", &file.burst_iops, "none");
    let bytes = throughput(reader, "throughput", &file.throughput, "unlimited");
    let bytes_burst = throughput(reader, "burst_throughput", &file.burst_throughput, "none");
    let limit = LimitSpec {
        iops: rate(reader, base.iops, iops, iops_burst, &file.burst_iops, burst_for, iops_depth),
        throughput: rate(reader, base.throughput, bytes, bytes_burst, &file.burst_throughput, burst_for, bytes_depth),
    };
    if reader.errors.len() == faults {
        without_effect(reader, &limit, file);
    }
    limit
}

/// What qualifies a rate that is not there.
fn without_effect(reader: &mut Reader, limit: &LimitSpec, file: &LimitFile) {
    let pairs = [
        (limit.iops.is_none(), "IOPS", "iops", ("iops_depth", &file.iops_depth), ("burst_iops", &file.burst_iops)),
        (
            limit.throughput.is_none(),
            "throughput",
            "throughput",
            ("throughput_depth", &file.throughput_depth),
            ("burst_throughput", &file.burst_throughput),
        ),
    ];
    for (unlimited, word, rate, depth, burst) in pairs {
        let depth = depth.1.as_ref().map(|field| (depth.0, field));
        let burst = burst.1.as_ref().filter(|field| field.get_ref().0 != "none").map(|field| (burst.0, field));
        for (key, field) in depth.into_iter().chain(burst).filter(|_| unlimited) {
            let what = format!("`{key}` has no effect: there is no {word} limit");
            reader.error(field.span(), what, format!("write `{rate}` next to it, or remove it"));
        }
    }
    let bursts = [limit.iops, limit.throughput].into_iter().flatten().any(|rate| rate.burst.is_some());
    if let Some(field) = file.burst_for.as_ref().filter(|_| !bursts) {
        let hint = "write `burst_iops` or `burst_throughput` next to it, or remove it";
        reader.error(field.span(), "`burst_for` has no effect: there is no burst rate", hint);
    }
}

fn is_word(field: &Field, word: &str) -> bool {
    field.as_ref().is_some_and(|f: &Spanned<Scalar>| f.get_ref().0 == word)
}

fn iops(reader: &mut Reader, key: &str, field: &Field, word: &str) -> Written {
    if is_word(field, word) {
        return Written::Unlimited;
    }
    if field.as_ref().is_some_and(|f| f.get_ref().0 == "0") {
        return nothing_passes(reader, key, field, word);
    }
    reader.count(key, field, 1..1 << 40).map_or(Written::Absent, Written::Rate)
}

/// A rate of zero: nothing would ever end.
fn nothing_passes(reader: &mut Reader, key: &str, field: &Field, word: &str) -> Written {
    if let Some(field) = field {
        let what = format!("`{key} = {}` blocks all I/O", reader.raw(field));
        reader.error(field.span(), what, format!("write more than zero, or `{key} = \"{word}\"`"));
    }
    Written::Absent
}

fn throughput(reader: &mut Reader, key: &str, field: &Field, word: &str) -> Written {
    if is_word(field, word) {
        return Written::Unlimited;
    }
    match reader.quantity::<Throughput>(key, field) {
        Some(value) if value.get() == 0 => nothing_passes(reader, key, field, word),
        Some(value) => Written::Rate(value.get()),
        None => Written::Absent,
    }
}

#[allow(clippy::too_many_arguments)]
fn rate(
    reader: &mut Reader,
    base: Option<RateSpec>,
    written: Written,
    burst: Written,
    burst_field: &Field,
    burst_for: Option<Duration>,
    depth: Option<u64>,
) -> Option<RateSpec> {
    let mut spec = match written {
        Written::Unlimited => return None,
        // A changed rate drops the catalogue's burst: its credits belong to the catalogue's rate.
        Written::Rate(rate) => RateSpec { rate, depth: base.map_or(0, |b| b.depth), burst: None },
        Written::Absent => base?,
    };
    let credits = |rate: u64, base: u64, last: Duration| {
        let credits = u128::from(rate - base) * u128::from(last.ns()) / u128::from(NS_PER_SECOND);
        u64::try_from(credits).unwrap_or(u64::MAX)
    };
    match burst {
        // The catalogue's burst may be given another length.
        Written::Absent => {
            if let (Some(burst), Some(last)) = (&mut spec.burst, burst_for) {
                burst.credits = credits(burst.rate.max(spec.rate), spec.rate, last);
            }
        }
        Written::Unlimited => spec.burst = None,
        Written::Rate(rate) if rate < spec.rate => {
            let span = burst_field.as_ref().map(Spanned::span).unwrap_or_default();
            let hint = format!("write at least {}, or `\"none\"` for no burst", spec.rate);
            reader.error(span, format!("the burst rate {rate} is below the sustained rate {}", spec.rate), hint);
        }
        Written::Rate(rate) => {
            spec.burst = Some(BurstSpec { rate, credits: credits(rate, spec.rate, burst_for.unwrap_or(BURST_FOR)) });
        }
    }
    if let Some(depth) = depth {
        spec.depth = depth;
    }
    Some(spec)
}
