//! What disks count of requests: these lie end to end on the stripe, so that each begins where one may.
//!
//! A request is an I/O on every disk that it touches; one that is larger than a disk's own unit counts as several.
//!
//! Source: `docs/model/striping.md`, `docs/model/token-bucket.md`.
//!
//! Ignores: sizes that are no whole 4 KiB: a mean is requests of the two sizes about it.
//!
//! Invariant: no request is less than one I/O.

use std::collections::BTreeMap;
use std::iter::successors;

use dw_units::Bytes;

use crate::problem::Stream;

const PAGE: u64 = 4_096;

pub(super) struct Stripe {
    disks: u64,
    unit: u64,
    /// A larger I/O counts as several of this size.
    io_unit: Option<u64>,
    /// By the size of a request: I/Os, of so many requests together.
    known: BTreeMap<u64, (u128, u128)>,
}

impl Stripe {
    pub(super) fn new(disks: u64, unit: Bytes, io_unit: Option<Bytes>) -> Stripe {
        Stripe { disks, unit: unit.get().max(1), io_unit: io_unit.map(Bytes::get), known: BTreeMap::new() }
    }

    /// I/Os and bytes of reads and writes.
    pub(super) fn carries(&mut self, streams: &[Stream; 2]) -> Stream {
        let requests = streams.iter().map(|stream| self.ios(*stream)).sum();
        Stream { requests, bytes: streams.iter().map(|stream| stream.bytes).sum() }
    }

    pub(super) fn ios(&mut self, Stream { requests, bytes }: Stream) -> u64 {
        if requests == 0 {
            return 0;
        }
        let pages = bytes.div_ceil(PAGE).max(requests);
        let (pages, larger) = (pages / requests, pages % requests);
        let (small, of_small) = self.of_size(pages * PAGE);
        let (large, of_large) = self.of_size((pages + 1) * PAGE);
        let sum = u128::from(requests - larger) * small * of_large + u128::from(larger) * large * of_small;
        let ios = sum.div_ceil(of_small * of_large) as u64;
        debug_assert!(ios >= requests);
        ios
    }

    fn of_size(&mut self, size: u64) -> (u128, u128) {
        *self.known.entry(size).or_insert_with(|| {
            let own = u128::from(self.io_unit.map_or(1, |unit| size.div_ceil(unit)));
            let next = |begin: &u64| Some((begin + size) % self.unit).filter(|begin| *begin > 0 && self.disks > 1);
            let touched = successors(Some(0), next).map(|begin| (begin + size).div_ceil(self.unit).min(self.disks));
            let (touched, requests) = touched.fold((0, 0), |(all, n), disks| (all + u128::from(disks), n + 1));
            (touched.max(own * requests), requests)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_lie_across_two_units_count_twice() {
        // Of docs/model/striping.md: size and unit in KiB, I/Os of a thousand requests on four disks.
        let cases =
            [(60, 64, 1_875), (20, 64, 1_250), (12, 64, 1_125), (60, 256, 1_219), (20, 256, 1_063), (64, 64, 1_000)];
        for (size, unit, expected) in cases {
            let stream = Stream { requests: 1_000, bytes: size * 1_024 * 1_000 };
            let ios = |disks, io_unit| Stripe::new(disks, Bytes::kib(unit), io_unit).ios(stream);
            assert_eq!((ios(4, None), ios(1, None)), (expected, 1_000), "{size} KiB on {unit} KiB");
            assert_eq!(ios(1, Some(Bytes::kib(16))), size.div_ceil(16) * 1_000, "{size} KiB, I/Os of 16 KiB");
        }
    }
}
