//! The smallest purchase of a disk whose size, IOPS and throughput are bought apart.
//!
//! Formula: IOPS ≥ what is asked, throughput ÷ the bytes an IOPS may carry, the floors; size ≥ what is asked and
//! IOPS ÷ the IOPS a GiB may have; throughput ≥ what is asked and its floor an IOPS. Every rule only raises, so going round
//! them until nothing changes gives the least of all three at once, and with it the lowest price.
//!
//! Where rates follow from the size, credits do, too: a larger disk sustains no less, and bursts no lower and no shorter.
//!
//! Source: the catalogue's `FreeForm`; sizes of ultra disks are offered in steps (`bill.rs` of the catalogue).
//!
//! Ignores: how often a change is allowed, the reservation fee of VMs without a disk.

use dw_catalogue::free::{BurstBytes, Follow};
use dw_catalogue::{Meter, Money, bill};

use crate::problem::{FreeDisk, Rate};

/// One disk as it is bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provisioned {
    /// Size.
    pub gib: u64,
    /// Requests per second.
    pub iops: u64,
    /// Throughput, in MB/s of `unit`.
    pub mb: u64,
    /// Bytes of such an MB.
    pub unit: u64,
}

impl Provisioned {
    /// Bytes per second.
    pub fn bytes(self) -> u64 {
        self.mb * self.unit
    }
    /// What its throughput is in.
    pub fn unit_name(self) -> &'static str {
        if self.is_in_mib() { "MiB/s" } else { "MB/s" }
    }
    /// Whether its throughput is bought in MiB/s.
    pub fn is_in_mib(self) -> bool {
        self.unit == 1 << 20
    }
}

impl FreeDisk {
    /// The least that holds `gib`, `iops` and `bytes` a second; nothing when a disk cannot be had so large or fast.
    pub fn provision(&self, gib: u64, iops: u64, bytes: u64) -> Option<Provisioned> {
        let (unit, least) = (self.unit, self.iops.0.max(iops));
        let mut disk = Provisioned { gib: gib.max(self.gib.0), iops: least, mb: 0, unit };
        disk.mb = bytes.div_ceil(unit).max(self.mb.0);
        loop {
            let before = disk;
            disk.iops = disk.iops.max(disk.bytes().div_ceil(self.bytes_per_iops));
            disk.gib = disk.gib.max(self.bytes_per_gib.map_or(0, |bytes| disk.bytes().div_ceil(bytes)));
            // The smallest disks have their IOPS without a GiB for each.
            if disk.iops > self.iops.0 {
                disk.gib = disk.gib.max(disk.iops.div_ceil(self.iops_per_gib));
            }
            disk.gib = if self.stepped { bill::step(disk.gib) } else { disk.gib };
            disk.iops = disk.iops.max((self.iops_min_per_gib * disk.gib).min(self.iops.1));
            disk.mb = disk.mb.max((self.bytes_min_per_iops * disk.iops).div_ceil(unit).min(self.mb.1));
            if disk == before {
                break;
            }
            if disk.gib > self.gib.1 || disk.iops > self.iops.1 || disk.mb > self.mb.1 {
                return None;
            }
        }
        let fits = disk.gib <= self.gib.1 && disk.iops <= self.iops.1 && disk.mb <= self.mb.1;
        fits.then(|| self.with_what_follows(disk))
    }

    /// The same with at least so many IOPS, of which those beyond cost so much: what comes before is paid as it was.
    pub fn from_band(self, from: u64, price: Money) -> FreeDisk {
        let base = self.base + self.price.1 * from.saturating_sub(self.free.0);
        FreeDisk {
            base,
            price: (self.price.0, price, self.price.2),
            free: (from, self.free.1),
            iops: (from.max(self.iops.0), self.iops.1),
            gib: (self.gib.0.max(from.div_ceil(self.iops_per_gib)), self.gib.1),
            ..self
        }
    }

    /// The smallest of at least `gib`, with what comes with it, that is enough; up to `most` GiB, and nothing where none is. What is enough
    /// stays so with more.
    pub(crate) fn smallest<T>(
        &self,
        gib: u64,
        most: u64,
        enough: impl Fn(Provisioned) -> Option<T>,
    ) -> Option<(Provisioned, T)> {
        let tried = |gib: u64| {
            let each = self.provision(gib, 0, 0).filter(|each| each.gib <= most)?;
            enough(each).map(|found| (each, found))
        };
        let (mut low, mut high) = (gib.max(self.gib.0), most.min(self.gib.1));
        let mut found = (low <= high).then(|| tried(high)).flatten()?;
        while low < high {
            let middle = low + (high - low) / 2;
            match tried(middle) {
                Some(smaller) => (high, found) = (middle, smaller),
                None => low = middle + 1,
            }
        }
        Some(found)
    }

    /// Requests and bytes per second that a disk gives, with its bursts where those count.
    pub fn rates(&self, disk: Provisioned, bursting: bool) -> [Rate; 2] {
        let plain = [Rate::plain(disk.iops), Rate::plain(disk.bytes())];
        let Some(burst) = self.burst.filter(|_| bursting) else { return plain };
        let above =
            |rate: Rate, burst: Option<(u64, u64)>| Rate { burst: burst.filter(|(top, _)| *top > rate.base), ..rate };
        let bytes = match burst.bytes {
            BurstBytes::Plain { mb, small_gib, small_mb } => {
                let most = if disk.gib <= small_gib { small_mb } else { mb };
                Rate::plain((most * disk.unit).max(disk.bytes()))
            }
            BurstBytes::Credits { bytes_per_gib, mb, credits_per_gib } => {
                let top = (bytes_per_gib * disk.gib).min(mb * disk.unit);
                above(plain[1], Some((top, credits_per_gib * disk.gib)))
            }
        };
        [above(plain[0], burst.iops), bytes]
    }

    /// With rates that nobody buys as they come, which are no lower than what was asked for.
    fn with_what_follows(&self, disk: Provisioned) -> Provisioned {
        let iops = match self.follow {
            Follow::Both => (self.iops_per_gib * disk.gib).clamp(self.iops.0, self.iops.1),
            Follow::Nothing | Follow::Throughput => disk.iops,
        };
        let by_size = self.bytes_per_gib.map_or(u64::MAX, |bytes| bytes * disk.gib);
        let mb = (self.bytes_per_iops.saturating_mul(iops).min(by_size) / self.unit).min(self.mb.1);
        match self.follow {
            Follow::Nothing => disk,
            Follow::Throughput | Follow::Both => Provisioned { iops, mb, ..disk },
        }
    }

    /// A month of a disk.
    pub fn cost(&self, disk: Provisioned) -> Money {
        let (gib, iops, mb) = self.price;
        let price = |meter| match meter {
            Meter::GiB => gib,
            Meter::Iops => iops,
            Meter::MbPerSecond => mb,
            _ => Money::ZERO,
        };
        let (iops_besides, mb_besides) = self.besides;
        let billed = bill::provisioned(disk.gib, disk.iops + iops_besides, disk.mb + mb_besides, self.free);
        billed.into_iter().map(|(meter, count)| price(meter) * count).sum::<Money>() + self.base
    }
}

#[cfg(test)]
mod tests {
    use dw_catalogue::free::FreeBurst;

    use super::*;

    fn v2() -> FreeDisk {
        FreeDisk {
            gib: (1, 65_536),
            stepped: false,
            iops_per_gib: 500,
            iops_min_per_gib: 0,
            iops: (3_000, 80_000),
            bytes_per_iops: 250_000,
            bytes_min_per_iops: 0,
            mb: (125, 1_200),
            free: (3_000, 125),
            besides: (0, 0),
            price: (Money::micros(81_000), Money::micros(5_000), Money::micros(40_000)),
            ..FreeDisk::PLAIN
        }
    }

    #[test]
    fn the_smallest_purchase_meets_every_rule() {
        let ultra = FreeDisk {
            gib: (4, 65_536),
            stepped: true,
            iops_per_gib: 300,
            iops_min_per_gib: 2,
            iops: (100, 160_000),
            bytes_per_iops: 262_144,
            bytes_min_per_iops: 4_096,
            mb: (1, 2_000),
            free: (0, 0),
            besides: (0, 0),
            price: (Money::micros(1), Money::micros(1), Money::micros(1)),
            ..FreeDisk::PLAIN
        };
        let cases = [
            ("v2, nothing more than free", v2(), (1, 100, 1_000_000), Some((1, 3_000, 125))),
            ("v2, IOPS need GiB", v2(), (1, 80_000, 1), Some((160, 80_000, 125))),
            ("v2, throughput needs IOPS", v2(), (10, 1, 1_200_000_000), Some((10, 4_800, 1_200))),
            ("v2, too fast", v2(), (10, 80_001, 1), None),
            ("v2, too large", v2(), (65_537, 1, 1), None),
            ("ultra, billed in steps", ultra, (2_000, 1, 1), Some((2_048, 4_096, 17))),
            ("ultra, small", ultra, (5, 1, 1), Some((8, 100, 1))),
        ];
        for (name, disk, (gib, iops, bytes), expected) in cases {
            let got = disk.provision(gib, iops, bytes).map(|d| (d.gib, d.iops, d.mb));
            assert_eq!(got, expected, "{name}");
        }
    }

    /// Whatever its size decides: 2 to 20 requests and a million bytes each for a GiB, more on credits.
    fn by_size(burst: FreeBurst) -> FreeDisk {
        FreeDisk {
            gib: (1, 20),
            iops_per_gib: 2,
            iops: (4, 30),
            bytes_per_iops: 1_000_000,
            mb: (0, 12),
            follow: Follow::Both,
            burst: Some(burst),
            ..FreeDisk::PLAIN
        }
    }

    #[test]
    fn a_size_brings_its_bursts() {
        let plain = by_size(FreeBurst {
            iops: Some((25, 600)),
            bytes: BurstBytes::Plain { mb: 12, small_gib: 3, small_mb: 9 },
        });
        let credits = by_size(FreeBurst {
            iops: None,
            bytes: BurstBytes::Credits { bytes_per_gib: 3_000_000, mb: 11, credits_per_gib: 50 },
        });
        let rate = |base: u64, burst: Option<(u64, u64)>| Rate { base, burst };
        // (disk, GiB, requests, bytes)
        let cases = [
            (plain, 1, rate(4, Some((25, 600))), rate(9_000_000, None)),
            (plain, 3, rate(6, Some((25, 600))), rate(9_000_000, None)),
            (plain, 4, rate(8, Some((25, 600))), rate(12_000_000, None)),
            (plain, 13, rate(26, None), rate(12_000_000, None)),
            (credits, 1, rate(4, None), rate(4_000_000, None)),
            (credits, 3, rate(6, None), rate(6_000_000, Some((9_000_000, 150)))),
            (credits, 5, rate(10, None), rate(10_000_000, Some((11_000_000, 250)))),
            (credits, 6, rate(12, None), rate(12_000_000, None)),
        ];
        for (disk, gib, iops, bytes) in cases {
            let each = disk.provision(gib, 0, 0).unwrap();
            assert_eq!(disk.rates(each, true), [iops, bytes], "{gib} GiB");
            let without = [Rate::plain(each.iops), Rate::plain(each.bytes())];
            assert_eq!(disk.rates(each, false), without, "{gib} GiB without credits");
        }
    }

    #[test]
    fn the_smallest_that_is_enough_is_what_trying_each_finds() {
        let disk = by_size(FreeBurst { iops: None, bytes: BurstBytes::Plain { mb: 12, small_gib: 0, small_mb: 0 } });
        for gib in 1..=20 {
            for most in [1, 7, 20, 50] {
                for asked in 0..=45 {
                    let enough = |each: Provisioned| (each.iops >= asked).then_some(each.iops);
                    let tried = (gib..=most.min(20)).filter_map(|gib| disk.provision(gib, 0, 0));
                    let first = tried.filter_map(|each| enough(each).map(|found| (each, found))).next();
                    assert_eq!(disk.smallest(gib, most, enough), first, "{gib} to {most} GiB, {asked} IOPS");
                }
            }
        }
    }

    /// The twin tries every size, IOPS and MB/s of a small disk.
    #[test]
    fn nothing_cheaper_holds_the_same() {
        let disk = FreeDisk {
            gib: (1, 12),
            stepped: false,
            iops_per_gib: 5,
            iops_min_per_gib: 2,
            iops: (7, 40),
            bytes_per_iops: 250_000,
            bytes_min_per_iops: 50_000,
            mb: (1, 8),
            free: (9, 2),
            besides: (0, 0),
            price: (Money::micros(7), Money::micros(3), Money::micros(5)),
            ..FreeDisk::PLAIN
        };
        let allowed = |d: Provisioned| {
            let most = (5 * d.gib).max(7).max(2 * d.gib).min(40);
            let least = 7.max(2 * d.gib).min(40);
            let mb_least = 1_000_000.max(50_000 * d.iops);
            (least..=most).contains(&d.iops)
                && d.mb * 1_000_000 <= 250_000 * d.iops
                && d.mb * 1_000_000 >= mb_least.min(8_000_000)
        };
        for gib in [1, 3, 12] {
            for iops in 0..=45 {
                for mb in 0..=9 {
                    let mut best: Option<Money> = None;
                    for g in gib..=12 {
                        for i in iops..=40 {
                            for m in mb..=8 {
                                let d = Provisioned { gib: g, iops: i, mb: m, unit: 1_000_000 };
                                if allowed(d) {
                                    let cost = disk.cost(d);
                                    best = Some(best.map_or(cost, |b| b.min(cost)));
                                }
                            }
                        }
                    }
                    let got = disk.provision(gib, iops, mb * 1_000_000).map(|d| disk.cost(d));
                    assert_eq!(got, best, "{gib} GiB, {iops} IOPS, {mb} MB/s");
                }
            }
        }
    }
}
