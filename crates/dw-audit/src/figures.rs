//! Figures of sentences.

use dw_documents::format;
use dw_messages::Figure;
use dw_units::Money;

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
