//! Figures of sentences: the number, and how every table prints it.

use dw_catalogue::Money;
use dw_messages::Figure;

use dw_documents::format;

/// Nanoseconds, in milliseconds.
pub fn ms(ns: f64) -> Figure {
    Figure::new(ns / 1e6, "ms", format!("{} ms", format::milliseconds(ns)))
}

/// Percent.
pub fn percent(value: f64) -> Figure {
    Figure::new(value, "%", format::percent(value))
}

/// Percent, with as many digits as they have: a figure that somebody wrote.
pub fn exact_percent(value: f64) -> Figure {
    Figure::new(value, "%", format!("{value} %"))
}

/// I/Os per second, with decimals where there are few.
pub fn iops(value: f64) -> Figure {
    Figure::new(value, "IOPS", format!("{} IOPS", format::iops(value)))
}

/// I/Os per second, whole.
pub fn whole_iops(value: f64) -> Figure {
    Figure::new(value, "IOPS", format!("{} IOPS", format::grouped(value)))
}

/// Bytes per second.
pub fn bytes_per_s(value: f64) -> Figure {
    Figure::new(value, "B/s", format::mb_s(value))
}

/// Bytes.
pub fn bytes(value: f64) -> Figure {
    Figure::new(value, "B", format::bytes(value))
}

/// Seconds.
pub fn seconds(value: f64) -> Figure {
    Figure::new(value, "s", format::seconds(value))
}

/// A number with as many digits as it has.
pub fn number(value: f64) -> Figure {
    Figure::new(value, "", value.to_string())
}

/// An amount; its currency stands once in a document.
pub fn money(amount: Money) -> Figure {
    Figure::new(amount.amount(), "", amount.to_string())
}

/// An amount with its currency.
pub fn money_in(amount: Money, currency: &str) -> Figure {
    Figure::new(amount.amount(), currency, format!("{amount} {currency}"))
}

/// Hours of a month, to a tenth.
pub fn hours(running: dw_demand::Running) -> Figure {
    let text = format!("{:.1}", running.hours());
    Figure::new(running.hours(), "h", format!("{} h", text.trim_end_matches(".0")))
}
