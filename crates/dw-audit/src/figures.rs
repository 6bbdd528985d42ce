//! Figures of sentences.

use dw_documents::format;
use dw_messages::Figure;
use dw_units::Money;

/// What a megabyte is where rates are sold in steps of 2²⁰ bytes.
const MIB: u64 = 1 << 20;

/// The same as its vendor sells it: in steps of so many bytes a second.
pub fn bought_rate(quantity: usize, value: u64, step: u64) -> Figure {
    if quantity == 0 || step != MIB {
        return rate(quantity, value);
    }
    let mib = value as f64 / MIB as f64;
    let digits = if value.is_multiple_of(MIB) { 0 } else { 1 };
    Figure::new(value as f64, "B/s", format!("{mib:.digits$} MiB/s"))
}

/// I/Os per second or bytes per second, by the place in a pair of both.
pub fn rate(quantity: usize, value: u64) -> Figure {
    let value = value as f64;
    match quantity {
        0 => Figure::new(value, "IOPS", format!("{} IOPS", format::grouped(value))),
        _ => Figure::new(value, "B/s", format::mb_s(value)),
    }
}

pub fn gib(gib: u64) -> Figure {
    Figure::new(gib as f64, "GiB", format!("{} GiB", format::grouped(gib as f64)))
}

pub fn money(amount: Money) -> Figure {
    Figure::new(amount.amount(), "USD", format!("{amount} USD"))
}

/// Hundredths of a percent.
pub fn promise(hundredths: u32) -> Figure {
    let value = f64::from(hundredths) / 100.0;
    Figure::new(value, "%", format!("{value} %"))
}

/// Of nanoseconds, in the largest unit of which there are two or more.
pub fn time(ns: u64) -> Figure {
    let (whole, unit, of) = match ns {
        ns if ns >= 172_800_000_000_000 => (86_400_000_000_000, "d", ns),
        ns if ns >= 7_200_000_000_000 => (3_600_000_000_000, "h", ns),
        ns if ns >= 60_000_000_000 => (60_000_000_000, "min", ns),
        ns => (1_000_000_000, "s", ns),
    };
    let count = (of + whole / 2) / whole;
    Figure::new(ns as f64 / 1e9, "s", format!("{} {unit}", format::grouped(count as f64)))
}
