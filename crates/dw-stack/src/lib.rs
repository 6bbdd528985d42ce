//! The storage stack of one VM, as a machine that is told the time.
//!
//! Lives here: disks, token buckets, what a request costs, VM limits, host cache tiers, striping, service times.
//! Never here: clocks, files, threads, unseeded chance, vendor names, prices.
//! Read next: `stack.rs` for how the parts meet, then `token_bucket.rs`.
//!
//! # The contract
//!
//! ```text
//! stack.submit(now, request)          hands a request in
//! stack.poll_completion(until)        the earliest completion not later than `until`
//! stack.next_event()                  the next instant at which something happens inside
//! stack.tally(now)                    what the stack counted about itself
//! ```
//!
//! Time never goes back. **After a submit, poll until empty before waiting.** In virtual time, `until` is the driver's
//! own next event and the completion's `finished` is the new now; in real time, `until` is the true time:
//!
//! ```
//! # use dw_stack::*; use dw_units::*;
//! # let disk = DiskSpec { name: "d".into(), size: Bytes::gib(1), limits: LimitSpec::default(), io_unit: None, more: Vec::new(),
//! #     read: ServiceTime::constant(500_000), write: ServiceTime::constant(500_000), usage_base: None, first_touch: None,
//! #     by_direction: Default::default() };
//! # let volume = VolumeSpec { name: "v".into(), disks: vec![disk], stripe_unit: Bytes::kib(64),
//! #     host_cache: CacheMode::None, path: Path::default() };
//! # let spec = StackSpec { vm: VmSpec::default(), volumes: vec![volume], credits: Credits::Full, seed: 1 };
//! let mut stack = Stack::new(spec)?;
//! let read = Request { volume: VolumeId(0), op: Op::Read, fua: false, offset: 0, len: 4096, user: 7 };
//! stack.submit(Instant::START, read);
//! let done = stack.poll_completion(Instant::NEVER).expect("one request is under way");
//! assert_eq!((done.user, done.latency()), (7, Duration::from_us(500)));
//! # Ok::<(), SpecError>(())
//! ```
//!
//! Over a limit a request waits; it is never failed.

#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

mod accounting;
mod check;
mod disk;
mod event_queue;
mod fair_gate;
mod first_touch;
mod host_cache;
mod limiter;
mod log2;
mod prefetch;
mod random;
pub mod request;
mod route;
pub mod service_time;
pub mod sharing;
pub mod spec;
mod stack;
mod stripe;
mod tally;
mod token_bucket;

pub use check::SpecError;
pub use disk::FLUSH_SHARE;
pub use dw_units::CacheMode;
pub use limiter::Discipline;
pub use request::{CacheOutcome, Completion, Gate, GateId, LimitId, Op, Quantity, Request, Stage, TimeSpent, VolumeId};
pub use service_time::{KnotError, QuantileTable, ServiceTime, TAIL_ONE};
pub use spec::*;
pub use stack::{Backlog, Busy, Chance, Counted, Destaged, Done, NearlyFull, Stack};
pub use stripe::Layout;
pub use tally::{LimitTally, Tally, TouchTally, VolumeTally};
