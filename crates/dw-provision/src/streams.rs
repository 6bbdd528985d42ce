//! The load that a benchmark puts on a volume to verify a plan: the same for fio and for DiskSpd.
//!
//! A stream is requests of one direction and one size at a fixed rate, with as many in flight as that rate may need. Tools send
//! requests of one size in whole 4 KiB, demands are means of anything between; so a mean between two sizes becomes a stream
//! of each, with rates that give the same requests and the same bytes per second:
//!
//! ```text
//! n_small + n_large = iops      small × n_small + large × n_large = bytes
//! ```
//!
//! In flight: of what the plan says for the direction the same share as of its requests.
//!
//! A size that fewer than one request in a hundred would have is left to the other.
//!
//! Logs and backups are read and written from front to back, and what a plan says is (`random_percent = 0`); everything else at random.

use dw_units::{Bytes, Throughput};
use dw_workload::sizes::about_mean;

use super::setup::{Demand, Volume};

/// Fewer than one request in so many has no stream of its own: a mean that was rounded is not a second size.
const FEW_OF: u64 = 100;
/// The most that a benchmark writes before it begins, for volumes that no cache serves: their limits do not depend on it.
const PLAIN_FILE_MAX: Bytes = Bytes::gib(16);

/// Requests of one direction and one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// They write.
    pub writes: bool,
    /// From front to back.
    pub sequential: bool,
    /// Bytes of one.
    pub size: Bytes,
    /// How many a second.
    pub iops: u64,
    /// How many are in flight at most.
    pub queue_depth: u64,
}

impl Stream {
    /// `read-8k`.
    pub fn name(&self) -> String {
        format!("{}-{}k", if self.writes { "write" } else { "read" }, self.size.get() >> 10)
    }
}

/// The streams of a demand on a volume.
pub(crate) fn streams(volume: &Volume, demand: Demand) -> Vec<Stream> {
    let sequential = volume.sequential;
    let mut out = Vec::new();
    let sides = [
        (false, demand.read_iops, demand.read, volume.queue_depth.0),
        (true, demand.write_iops, demand.write, volume.queue_depth.1),
    ];
    for (writes, all, throughput, depth) in sides {
        for (size, iops) in sizes(all, throughput) {
            let queue_depth = (u128::from(depth) * u128::from(iops)).div_ceil(u128::from(all)).max(1) as u64;
            out.push(Stream { writes, sequential, size, iops, queue_depth });
        }
    }
    out
}

/// One size, or the two about the mean, with how many a second of each.
fn sizes(iops: u64, throughput: Throughput) -> Vec<(Bytes, u64)> {
    if iops == 0 {
        return Vec::new();
    }
    let bytes = throughput.get();
    let [(small, _), (larger, large)] = about_mean(iops, bytes);
    let large = match large.saturating_mul(FEW_OF) {
        few if few < iops => 0,
        many if many > iops.saturating_mul(FEW_OF - 1) => iops,
        _ => large,
    };
    let both = [(Bytes::new(small), iops - large), (Bytes::new(larger), large)];
    both.into_iter().filter(|&(_, iops)| iops > 0).collect()
}

/// How large a file of a benchmark is: what a cache must hold where one serves it, else as much as is quickly written.
pub(crate) fn file_size(volume: &Volume) -> Bytes {
    let most = volume.capacity.get() / 10 * 9;
    let wanted = match (volume.benchmark, volume.working_set) {
        (Some((file, _)), _) if volume.is_cached() => file.get(),
        (_, Some(size)) if volume.is_cached() => size.get(),
        _ => most.min(PLAIN_FILE_MAX.get()),
    };
    whole_mib(wanted.min(most))
}

/// How much of it is read to fill the host cache: as much as the cache is to hold of it, and all of what fits.
pub(crate) fn warm_size(volume: &Volume) -> Bytes {
    let size = file_size(volume);
    match volume.benchmark {
        Some((file, warmed)) => {
            let share = warmed.get() as f64 / file.get().max(1) as f64;
            whole_mib((size.get() as f64 * share.min(1.0)) as u64)
        }
        None => size,
    }
}

fn whole_mib(bytes: u64) -> Bytes {
    Bytes::new((bytes >> 20).max(1) << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_keep_requests_and_bytes() {
        type Case<'a> = (u64, u64, &'a [(u64, u64)]);
        let cases: [Case; 8] = [
            (1_000, 1_000 * 8_192 - 4_096, &[(8_192, 1_000)]),
            (1_000, 1_000 * 8_192 + 4_096, &[(8_192, 1_000)]),
            (9_000, 9_000 * 8_192, &[(8_192, 9_000)]),
            (100, 100 * 10_240, &[(8_192, 50), (12_288, 50)]),
            (3, 3 * 65_536 + 4_096, &[(65_536, 2), (69_632, 1)]),
            (10, 10 * 512, &[(4_096, 10)]),
            (0, 0, &[]),
            (7, 0, &[(4_096, 7)]),
        ];
        for (iops, bytes, expected) in cases {
            let found = sizes(iops, Throughput::bytes_per_second(bytes));
            let found: Vec<(u64, u64)> = found.iter().map(|(size, iops)| (size.get(), *iops)).collect();
            assert_eq!(found, expected, "{iops} of {bytes}");
        }
    }
}
