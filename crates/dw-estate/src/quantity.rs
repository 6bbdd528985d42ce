//! Sizes as clusters write them.

use dw_units::Bytes;

/// `128Gi`, `1Ti`, `137438953472`; a disk is as large as the next whole GiB.
pub fn gib_of(text: &str) -> Option<u64> {
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..at].parse().ok()?;
    let unit: u64 = match &text[at..] {
        "" => 1,
        "Ki" => 1 << 10,
        "Mi" => 1 << 20,
        "Gi" => 1 << 30,
        "Ti" => 1 << 40,
        "k" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        _ => return None,
    };
    Some(number.checked_mul(unit)?.div_ceil(Bytes::gib(1).get()))
}
