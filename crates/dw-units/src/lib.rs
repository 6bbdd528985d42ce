//! Quantities that cannot be confused, and an instant with an origin.
//!
//! Lives here: [`Bytes`], [`Iops`], [`Throughput`], [`Money`], [`Instant`], [`Duration`], their true sums, reading and printing;
//! [`CacheMode`] and [`Direction`], words that every crate above shares.
//! Never here: floats inside a quantity, vendor words, clocks.
//! Read next: `dw-stack/src/lib.rs`.
//!
//! A quantity is a type; only true sums compile. MB and MiB are different constructors. Everything is an integer, so
//! results are the same on every machine.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod cache_mode;
mod direction;
mod money;
mod number;
mod parse;
mod rate;
mod share;
mod size;
mod time;

pub use cache_mode::{CacheMode, ParseCacheModeError};
pub use direction::Direction;
pub use money::{Money, MoneyChange};
pub use number::grouped;
pub use parse::{ParseQuantityError, decimal, millionths};
pub use rate::{Iops, Throughput};
pub use share::{Doubtful, growth, is_plain_growth, percent};
pub use size::Bytes;
pub use time::{Duration, Instant};

/// Nanoseconds in a second.
pub const NS_PER_SECOND: u64 = 1_000_000_000;
