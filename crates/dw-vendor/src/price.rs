//! What an offer costs: dated prices, each with its currency, region and source.
//!
//! A price is a whole number of millionths of a currency for one hour or one month of one [`Meter`] of a thing. A month has
//! 730 hours, as the vendor's calculator has it. Prices and limits have editions of their own: limits of 2017 may be looked
//! at with prices of 2026, and whoever does so is told.
//!
//! Source: each row's own; which document an edition of prices stands for is in its `rules.toml`.
//!
//! Under a [`Commitment`] a thing has a price of its own: of a reservation what is paid for the term, by the month; of a savings plan
//! what an hour takes from the plan.
//!
//! Ignores: taxes, discounts, what a reservation costs that is given back, prices of a second.
//!
//! Invariant: a price that is not in the data is an error that names it, never zero.

use core::fmt;

use dw_demand::Commitment;
pub use dw_demand::HOURS_A_MONTH;
pub use dw_units::{Money, MoneyChange};

use crate::lookup;

/// The currency of prices where none is asked for.
pub const CURRENCY: &str = "USD";

/// What about a thing a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Meter {
    /// The thing itself: a VM, a disk of a fixed size.
    Whole,
    /// A GiB of a disk that is sized freely.
    GiB,
    /// A provisioned IOPS.
    Iops,
    /// A provisioned MB/s of 10⁶ bytes.
    MbPerSecond,
    /// That a disk may burst on demand; what it then does is billed by use.
    Burst,
    /// Ten thousand operations of a disk that bursts on demand, beyond what is provisioned.
    BurstOperations,
    /// Ten thousand operations of a standard disk.
    Operations,
    /// That one more VM may use a shared disk.
    Mount,
    /// A vCPU of a VM that may take ultra disks and has none.
    Vcpu,
    /// A VM with Windows, its licence included.
    Windows,
    /// A VM that the vendor may take back at any time.
    Spot,
}

impl Meter {
    pub const ALL: [Meter; 11] = [
        Meter::Whole,
        Meter::GiB,
        Meter::Iops,
        Meter::MbPerSecond,
        Meter::Burst,
        Meter::BurstOperations,
        Meter::Operations,
        Meter::Mount,
        Meter::Vcpu,
        Meter::Windows,
        Meter::Spot,
    ];
    /// The name in the data files.
    pub const fn id(self) -> &'static str {
        match self {
            Meter::Whole => "whole",
            Meter::GiB => "gib",
            Meter::Iops => "iops",
            Meter::MbPerSecond => "mb_per_s",
            Meter::Burst => "burst",
            Meter::BurstOperations => "burst_operations",
            Meter::Operations => "operations",
            Meter::Mount => "mount",
            Meter::Vcpu => "vcpu",
            Meter::Windows => "windows",
            Meter::Spot => "spot",
        }
    }
    /// The meter of that name.
    pub fn from_id(id: &str) -> Option<Meter> {
        Self::ALL.into_iter().find(|meter| meter.id() == id)
    }
    /// As a report says it: `a GiB of PremiumV2`; nothing before a whole thing.
    pub const fn of(self) -> &'static str {
        match self {
            Meter::Whole => "",
            Meter::GiB => "a GiB of ",
            Meter::Iops => "an IOPS of ",
            Meter::MbPerSecond => "a MB/s of ",
            Meter::Burst => "on-demand bursting of ",
            Meter::BurstOperations => "burst operations of ",
            Meter::Operations => "operations of ",
            Meter::Mount => "a further VM that shares ",
            Meter::Vcpu => "a vCPU that may take ",
            Meter::Windows => "Windows on ",
            Meter::Spot => "spot ",
        }
    }
}

/// What a price is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    Hour,
    /// A month of [`HOURS_A_MONTH`].
    Month,
    /// Ten thousand operations, whenever they happen.
    TenThousandOperations,
}

impl Term {
    /// As a sentence names it.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Hour => "hour",
            Term::Month => "month",
            Term::TenThousandOperations => "10,000 operations",
        }
    }
    /// The term as the data files name it.
    pub fn from_id(id: &str) -> Option<Term> {
        match id {
            "hour" => Some(Term::Hour),
            "month" => Some(Term::Month),
            "10000-operations" => Some(Term::TenThousandOperations),
            _ => None,
        }
    }
}

/// A price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// A VM size or a disk, as its vendor calls it.
    pub name: String,
    /// What about it.
    pub meter: Meter,
    pub amount: Money,
    /// What for.
    pub term: Term,
    /// What must be committed to; absent = pay as you go.
    pub commitment: Option<Commitment>,
    /// The currency, for example `USD`.
    pub currency: String,
    /// The region, or an area that several regions are part of.
    pub region: String,
    /// The date of the price, named as editions of limits are.
    pub edition: String,
    /// The source id.
    pub source: String,
    /// What to know about it.
    pub note: Option<String>,
}

impl Price {
    /// For a month; for ten thousand operations where that is what is paid.
    pub fn monthly(&self) -> Money {
        match self.term {
            Term::Hour => self.amount * HOURS_A_MONTH,
            Term::Month | Term::TenThousandOperations => self.amount,
        }
    }
}

impl fmt::Display for Price {
    /// `0.771 USD per hour`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:06}", self.amount.get() / 1_000_000, self.amount.get() % 1_000_000);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{text} {} per {}", self.currency, self.term.name())?;
        match self.commitment {
            Some(commitment) => write!(f, ", {commitment}"),
            None => Ok(()),
        }
    }
}

/// There is no such price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceError {
    /// What has none.
    pub name: String,
    /// What about it.
    pub meter: Meter,
    /// The region that was asked for.
    pub region: Box<str>,
    /// The currency that was asked for.
    pub currency: Box<str>,
    /// The edition that was asked for: prices up to it.
    pub edition: Option<String>,
    /// What was to be committed to; absent = pay as you go.
    pub commitment: Option<Commitment>,
    /// Where and when it has one: `region edition`.
    pub known: Vec<String>,
}

impl PriceError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self.known.is_empty() {
            true if self.commitment.is_some() => {
                "import the vendor's price list, with reservations and savings plans, with `diskwright catalogue import`"
                    .into()
            }
            true => "no edition of the catalogue has a price for it: give one, with its source".into(),
            false => format!("prices of {}: {}", self.name, self.known.join(", ")),
        }
    }
}

impl fmt::Display for PriceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no price of {}{} in {}", self.meter.of(), self.name, self.region)?;
        if let Some(commitment) = self.commitment {
            write!(f, " {commitment}")?;
        }
        if *self.currency != *CURRENCY {
            write!(f, " in {}", self.currency)?;
        }
        match &self.edition {
            Some(edition) => write!(f, " up to edition {edition}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for PriceError {}

impl From<PriceError> for dw_error::Error {
    fn from(error: PriceError) -> Self {
        let hint = error.hint();
        dw_error::Error::of(dw_error::Kind::Price, error).hint(hint)
    }
}

/// `1 year`, `3 years`.
pub fn years_of(years: u32) -> String {
    if years == 1 { "1 year".into() } else { format!("{years} years") }
}

/// Where and when there are prices, `eastus 2026-08`: all of a few, or the newest of many.
pub fn places<'a>(prices: impl Iterator<Item = &'a Price>) -> Vec<String> {
    const SHOWN: usize = 5;
    let mut places: Vec<String> = prices
        .map(|price| {
            let term = price.commitment.map(|commitment| format!(" {commitment}")).unwrap_or_default();
            let currency = Some(format!(" in {}", price.currency)).filter(|_| price.currency != CURRENCY);
            format!("{} {}{term}{}", price.region, price.edition, currency.unwrap_or_default())
        })
        .collect();
    if let Some(more) = places.len().checked_sub(SHOWN).filter(|&more| more > 1) {
        places.drain(..more);
        places.push(format!("{more} more"));
    }
    places
}

/// Whether a price is of the thing called `name`.
pub fn is_of(price: &Price, name: &str) -> bool {
    lookup::key(&price.name) == lookup::key(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_has_730_hours() {
        let price = Price {
            name: "DS13".into(),
            meter: Meter::Whole,
            amount: Money::micros(771_000),
            term: Term::Hour,
            commitment: None,
            currency: "USD".into(),
            region: "eastus".into(),
            edition: "2026-06".into(),
            source: "s".into(),
            note: None,
        };
        assert_eq!(price.monthly().to_string(), "562.83");
        assert_eq!(price.to_string(), "0.771 USD per hour");
    }
}
