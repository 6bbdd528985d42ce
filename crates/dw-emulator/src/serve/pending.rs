//! Whose request it is that the engine has: 48 bytes for each that waits, however long.
//!
//! Invariant: a key is never given out twice, so that an answer that comes too late finds nobody instead of somebody else.

use super::answers::Shift;
use super::front_ends::Way;
use crate::nbd::ReplyTo;

/// A request under way of an NBD client.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// Whom to answer.
    pub reply: ReplyTo,
    /// The connection's place.
    pub connection: u32,
    /// Who sits there: places are used again.
    pub generation: u32,
    /// How long the host took for its bytes so far, ns, if that is watched.
    pub host_ns: u32,
    /// What its arrival differs by from when it was sent.
    pub shift: Shift,
    /// Don't fragment the reply.
    pub df: bool,
}

/// How often a place is used before its keys begin again, far later than the last of them is forgotten.
const TURNS: u32 = (1 << 28) - 1;

/// All requests under way of one way in.
#[derive(Debug)]
pub struct PendingTable<T> {
    way: Way,
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> PendingTable<T> {
    /// Nothing is under way.
    pub fn new(way: Way) -> Self {
        PendingTable { way, slots: Vec::new(), free: Vec::new() }
    }

    /// Keeps a request; the key finds it again.
    #[inline]
    pub fn insert(&mut self, pending: T) -> u64 {
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                self.slots.push((0, None));
                (self.slots.len() - 1) as u32
            }
        };
        let slot = &mut self.slots[index as usize];
        slot.0 = (slot.0 + 1) & TURNS;
        slot.1 = Some(pending);
        self.way.mark(u64::from(slot.0) << 32 | u64::from(index))
    }

    /// A request that is still there.
    #[inline]
    pub fn get_mut(&mut self, key: u64) -> Option<&mut T> {
        let (turn, pending) = self.slots.get_mut(key as u32 as usize)?;
        if u64::from(*turn) == Way::own(key) >> 32 { pending.as_mut() } else { None }
    }

    /// Takes a request out.
    #[inline]
    pub fn take(&mut self, key: u64) -> Option<T> {
        let (turn, pending) = self.slots.get_mut(key as u32 as usize)?;
        if u64::from(*turn) != Way::own(key) >> 32 {
            return None;
        }
        let taken = pending.take()?;
        self.free.push(key as u32);
        Some(taken)
    }

    /// Everything under way.
    pub fn drain(&mut self) -> Vec<T> {
        let all = self
            .slots
            .iter_mut()
            .enumerate()
            .filter_map(|(index, (_, slot))| slot.take().inspect(|_| self.free.push(index as u32)));
        all.collect()
    }

    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nbd::Style;

    fn pending(cookie: u64) -> Pending {
        let reply = ReplyTo { style: Style::Simple, cookie, offset: 0 };
        Pending { reply, connection: 0, generation: 0, host_ns: 0, shift: Shift::default(), df: false }
    }

    #[test]
    fn a_key_finds_its_request_once_and_nobody_elses() {
        let mut table = PendingTable::new(Way::default());
        let first = table.insert(pending(1));
        assert_eq!(table.take(first).map(|p| p.reply.cookie), Some(1));
        let second = table.insert(pending(2));
        assert_ne!(first, second, "the place is used again, the key is not");
        assert!(table.take(first).is_none());
        assert!(table.get_mut(first).is_none());
        assert_eq!(table.take(second).map(|p| p.reply.cookie), Some(2));
        assert_eq!(table.len(), 0);
    }

    #[test]
    fn what_is_drained_leaves_its_place_to_others() {
        let mut table = PendingTable::new(Way::default());
        let keys: Vec<u64> = (0..10).map(|n| table.insert(pending(n))).collect();
        assert_eq!(table.drain().len(), 10);
        assert_eq!(table.len(), 0);
        assert!(keys.iter().all(|&key| table.take(key).is_none()));
        for n in 0..10 {
            table.insert(pending(n));
        }
        assert_eq!((table.len(), table.slots.len()), (10, 10));
    }
}
