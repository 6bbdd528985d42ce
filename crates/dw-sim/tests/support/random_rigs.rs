//! Rigs of everything that a stack can be, by seed.

use dw_estimate::{Flow, Hits, Kind, Load, Order};
use dw_stack::{CacheMode, VolumeId};
use dw_workload::rng::Stream;

use super::estimated::{Rig, cached_vm, disk, volume};

/// Random numbers for rigs.
struct Dice(Stream);

impl Dice {
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.0.below(all.len() as u64) as usize]
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.0.below(n) == 0
    }
}

const DISKS: [((u64, u64), &str); 7] = [
    ((500, 100_000_000), "premium-ssd"),
    ((2_300, 150_000_000), "premium-ssd"),
    ((5_000, 200_000_000), "premium-ssd"),
    ((7_500, 250_000_000), "premium-ssd"),
    ((3_000, 125_000_000), "premium-ssd-v2"),
    ((20_000, 600_000_000), "premium-ssd-v2"),
    ((500, 60_000_000), "standard-hdd"),
];
const VMS: [(u64, u64); 6] = [
    (3_200, 48_000_000),
    (6_400, 96_000_000),
    (12_800, 192_000_000),
    (25_600, 384_000_000),
    (51_200, 768_000_000),
    (80_000, 1_200_000_000),
];

/// The rig of a seed, with its loads.
pub fn random_rig(seed: u64) -> (Rig, Vec<Load>) {
    let mut dice = Dice(Stream::new(seed, 1));
    let vm = dice.of(&VMS);
    let mut rig = Rig { vm: cached_vm(dice.of(&VMS), vm), volumes: Vec::new() };
    let mut loads = Vec::new();
    for place in 0..dice.of(&[1u16, 1, 1, 2, 2, 3]) {
        let (figures, latency) = dice.of(&DISKS);
        let count = dice.of(&[1usize, 1, 2, 3, 4, 8, 12]);
        let mut volume = volume(count, disk(figures, latency));
        let is_cached = dice.one_in(4) && rig.volumes.iter().all(|v| v.host_cache == CacheMode::None);
        if is_cached {
            volume.host_cache = CacheMode::ReadOnly;
        }
        rig.volumes.push(volume);
        // What a cache serves is measured by volume, so that requests of a cached one are alike.
        let number = if is_cached { 1 } else { dice.of(&[1, 1, 1, 2]) };
        loads.extend((0..number).map(|_| random_load(&mut dice, place, is_cached)));
    }
    (rig, loads)
}

fn random_load(dice: &mut Dice, place: u16, is_cached: bool) -> Load {
    let depth = dice.of(&[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256]);
    let order = |dice: &mut Dice, size: u32| match dice.of(&[0, 0, 0, 0, 1, 2]) {
        0 => Order::Random { align: size },
        1 => Order::Random { align: 4_096 },
        _ => Order::Sequential,
    };
    let size = dice.of(&[4_096, 8_192, 8_192, 16_384, 32_768, 49_152, 65_536, 65_536, 131_072, 262_144]);
    let size = if is_cached { size.min(65_536) } else { size };
    let order = if is_cached { Order::Random { align: size } } else { order(dice, size) };
    let kind = Kind { share: 1.0, writes: dice.one_in(2), size, order, hits: Hits::default() };
    let mut requests = vec![kind];
    if dice.one_in(4) {
        // A mix of directions.
        let writes = f64::from(dice.of(&[10u8, 30, 50]));
        requests = vec![
            Kind { share: 1.0 - writes / 100.0, writes: false, ..kind },
            Kind { share: writes / 100.0, writes: true, ..kind },
        ];
    } else if dice.one_in(4) && order != Order::Sequential && !is_cached {
        // A mix of sizes.
        let order = Order::Random { align: 4_096 };
        requests = vec![
            Kind { share: 0.7, order, ..kind },
            Kind { share: 0.3, size: dice.of(&[4_096, 65_536, 131_072]), order, ..kind },
        ];
    }
    Load { volume: VolumeId(place), flow: Flow::Closed { queue_depth: depth }, requests }
}

/// A rig and its loads on one line.
pub fn brief(rig: &Rig, loads: &[Load]) -> String {
    let volumes = rig.volumes.iter().map(|v| {
        let limits = v.disks[0].limits;
        format!(
            "{}x{}/{}M {:?}",
            v.disks.len(),
            limits.iops.unwrap().rate,
            limits.throughput.unwrap().rate / 1_000_000,
            v.host_cache
        )
    });
    let loads = loads.iter().map(|l| {
        let kinds = l.requests.iter().map(|k| {
            format!(
                "{}{:.0}%{}k{:?}h{:.2}",
                if k.writes { "w" } else { "r" },
                k.share * 100.0,
                k.size >> 10,
                k.order,
                k.hits.all()
            )
        });
        format!("v{} {:?} {}", l.volume.0, l.flow, kinds.collect::<Vec<_>>().join("+"))
    });
    let gates: Vec<String> = rig
        .vm
        .gates
        .iter()
        .map(|g| format!("{}/{}M", g.limits.iops.unwrap().rate, g.limits.throughput.unwrap().rate / 1_000_000))
        .collect();
    format!("{gates:?} {} | {}", volumes.collect::<Vec<_>>().join(", "), loads.collect::<Vec<_>>().join("; "))
}
