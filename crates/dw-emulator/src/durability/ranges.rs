//! A set of bytes, as ranges that neither overlap nor touch.

use std::collections::BTreeMap;

/// A set of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges {
    /// Start and end.
    ranges: BTreeMap<u64, u64>,
}

impl Ranges {
    /// Adds `offset..offset + len`.
    pub(crate) fn insert(&mut self, offset: u64, len: u64) {
        if len == 0 {
            return;
        }
        let (mut start, mut end) = (offset, offset + len);
        // Also what only touches is joined.
        while let Some((&from, &to)) = self.ranges.range(..=end).next_back() {
            if to < start {
                break;
            }
            (start, end) = (start.min(from), end.max(to));
            self.ranges.remove(&from);
        }
        self.ranges.insert(start, end);
    }

    /// Takes `offset..offset + len` out.
    pub(crate) fn remove(&mut self, offset: u64, len: u64) {
        let (start, end) = (offset, offset + len);
        if len == 0 {
            return;
        }
        while let Some((&from, &to)) = self.ranges.range(..end).next_back() {
            if to <= start {
                break;
            }
            self.ranges.remove(&from);
            if to > end {
                self.ranges.insert(end, to);
            }
            if from < start {
                self.ranges.insert(from, start);
                break;
            }
        }
    }

    /// Bytes in the set.
    pub(crate) fn bytes(&self) -> u64 {
        self.ranges.iter().map(|(from, to)| to - from).sum()
    }

    /// The ranges in order, as (offset, bytes).
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ranges.iter().map(|(&from, &to)| (from, to - from))
    }

    /// How many ranges there are.
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_of_ranges_is_a_set_of_bytes(steps in proptest::collection::vec((any::<bool>(), 0u64..40, 0u64..12), 0..40)) {
            let (mut ranges, mut slow) = (Ranges::default(), [false; 64]);
            for (insert, offset, len) in steps {
                slow[offset as usize..(offset + len) as usize].fill(insert);
                if insert { ranges.insert(offset, len) } else { ranges.remove(offset, len) }
                let mut bytes = [false; 64];
                for (offset, len) in ranges.iter() {
                    prop_assert!(!bytes[offset as usize..(offset + len) as usize].contains(&true));
                    prop_assert!(offset == 0 || !bytes[offset as usize - 1], "neighbours are joined");
                    bytes[offset as usize..(offset + len) as usize].fill(true);
                }
                prop_assert_eq!(bytes, slow);
                prop_assert_eq!(ranges.bytes(), slow.iter().filter(|&&set| set).count() as u64);
            }
        }
    }
}
