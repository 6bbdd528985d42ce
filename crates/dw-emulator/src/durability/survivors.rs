//! Which volatile writes survive a crash of the host: a seeded choice, in the order in which the writes were acknowledged.
//!
//! `Prefix` keeps the first k of n writes, each k from 0 to n alike. `Random` keeps each write with probability one half.
//! `Torn` lets a quarter of them survive whole, a quarter not at all, and tears the rest: each unit of `unit` bytes,
//! aligned on the disk, survives with probability one half. `Mask` is for enumerating all subsets of a few writes.
//!
//! Ignores: that a real cache keeps some orders more often than others. Every choice here is legal, none is likely.

/// Which volatile writes survive a crash of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survivors {
    None,
    All,
    /// The oldest ones, up to a point that chance chooses.
    Prefix,
    /// Each by the toss of a coin.
    Random,
    /// The same, and writes may be torn between units of this many bytes: 512 or 4096.
    Torn {
        /// Bytes that survive together.
        unit: u64,
    },
    /// The n-th write survives when bit n is set; later ones do not.
    Mask(u64),
}

impl From<Survivors> for crate::command::Survivors {
    /// The word for it.
    fn from(survivors: Survivors) -> Self {
        match survivors {
            Survivors::None => Self::None,
            Survivors::All => Self::All,
            Survivors::Prefix => Self::Prefix,
            Survivors::Random | Survivors::Mask(_) => Self::Random,
            Survivors::Torn { .. } => Self::RandomTorn,
        }
    }
}

/// What becomes of one write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Lost,
    Kept,
    /// Each unit of so many bytes by chance, drawn from `key`.
    Torn {
        unit: u64,
        key: u64,
    },
}

impl Fate {
    /// Splits a range of a disk into runs that survive or do not, and calls `run(skip, len, kept)` for each.
    pub(crate) fn each_run(self, offset: u64, len: u64, mut run: impl FnMut(u64, u64, bool)) {
        let (unit, key) = match self {
            Fate::Lost => return run(0, len, false),
            Fate::Kept => return run(0, len, true),
            Fate::Torn { unit, key } => (unit, key),
        };
        let mut skip = 0;
        while skip < len {
            let at = offset + skip;
            let piece = (unit - at % unit).min(len - skip);
            run(skip, piece, mix(key ^ mix(at / unit)) & 1 == 1);
            skip += piece;
        }
    }
}

impl Survivors {
    /// The fate of each of `writes` writes.
    pub(crate) fn choose(self, seed: u64, writes: usize) -> Vec<Fate> {
        let kept = |kept: bool| if kept { Fate::Kept } else { Fate::Lost };
        let first = if self == Survivors::Prefix { (mix(seed) % (writes as u64 + 1)) as usize } else { 0 };
        let fate = |n: usize| {
            let draw = mix(mix(seed) ^ mix(n as u64 + 1));
            match self {
                Survivors::None => Fate::Lost,
                Survivors::All => Fate::Kept,
                Survivors::Prefix => kept(n < first),
                Survivors::Random => kept(draw & 1 == 1),
                Survivors::Torn { unit } => match draw & 3 {
                    0 => Fate::Lost,
                    1 => Fate::Kept,
                    _ => Fate::Torn { unit, key: mix(draw) },
                },
                Survivors::Mask(mask) => kept(n < 64 && mask >> n & 1 == 1),
            }
        };
        (0..writes).map(fate).collect()
    }
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014), with its increment.
pub(crate) const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(survivors: Survivors, seed: u64, writes: usize) -> Vec<bool> {
        survivors.choose(seed, writes).into_iter().map(|fate| fate == Fate::Kept).collect()
    }

    #[test]
    fn a_prefix_ends_once_and_ends_everywhere() {
        let mut ends = [0; 5];
        for seed in 0..500 {
            let kept = kept(Survivors::Prefix, seed, 4);
            let end = kept.iter().take_while(|&&kept| kept).count();
            assert!(kept[end..].iter().all(|&kept| !kept), "{kept:?}");
            ends[end] += 1;
        }
        assert!(ends.iter().all(|&count| count > 50), "{ends:?}");
    }

    #[test]
    fn a_seed_repeats_and_another_differs() {
        assert_eq!(kept(Survivors::Random, 1, 64), kept(Survivors::Random, 1, 64));
        assert_ne!(kept(Survivors::Random, 1, 64), kept(Survivors::Random, 2, 64));
    }

    #[test]
    fn a_mask_enumerates_all_subsets() {
        let all: std::collections::BTreeSet<_> = (0..16).map(|mask| kept(Survivors::Mask(mask), 0, 4)).collect();
        assert_eq!(all.len(), 16);
    }

    #[test]
    fn tearing_cuts_at_units_of_the_disk() {
        for unit in [512, 4096] {
            let mut torn = 0;
            for fate in (Survivors::Torn { unit }).choose(3, 400) {
                let mut runs = Vec::new();
                fate.each_run(3 * 1024, 40_000, |skip, len, kept| runs.push((skip, len, kept)));
                assert_eq!(runs.iter().map(|run| run.1).sum::<u64>(), 40_000);
                assert!(runs.iter().skip(1).all(|run| (3 * 1024 + run.0) % unit == 0));
                torn += u32::from(runs.iter().any(|run| run.2) && runs.iter().any(|run| !run.2));
            }
            assert!((150..250).contains(&torn), "{torn} of 400 are torn");
        }
    }
}
