//! Figures of sentences: the number, and how every table prints it.

use dw_catalogue::Money;
use dw_messages::Figure;

use crate::report::format;

/// Nanoseconds, in milliseconds.
pub(crate) fn ms(ns: f64) -> Figure {
    Figure::new(ns / 1e6, "ms", format!("{} ms", format::milliseconds(ns)))
}

/// Percent.
pub(crate) fn percent(value: f64) -> Figure {
    Figure::new(value, "%", format::percent(value))
}

/// I/Os per second, with decimals where there are few.
pub(crate) fn iops(value: f64) -> Figure {
    Figure::new(value, "IOPS", format!("{} IOPS", format::iops(value)))
}

/// I/Os per second, whole.
pub(crate) fn whole_iops(value: f64) -> Figure {
    Figure::new(value, "IOPS", format!("{} IOPS", format::grouped(value)))
}

/// Bytes per second.
pub(crate) fn bytes_per_s(value: f64) -> Figure {
    Figure::new(value, "B/s", format::mb_s(value))
}

/// Bytes.
pub(crate) fn bytes(value: f64) -> Figure {
    Figure::new(value, "B", format::bytes(value))
}

/// Seconds.
pub(crate) fn seconds(value: f64) -> Figure {
    Figure::new(value, "s", format::seconds(value))
}

/// A number with as many digits as it has.
pub(crate) fn number(value: f64) -> Figure {
    Figure::new(value, "", value.to_string())
}

/// An amount; its currency stands once in a document.
pub(crate) fn money(amount: Money) -> Figure {
    Figure::new(amount.amount(), "", amount.to_string())
}

/// An amount with its currency.
pub(crate) fn money_in(amount: Money, currency: &str) -> Figure {
    Figure::new(amount.amount(), currency, format!("{amount} {currency}"))
}
