//! A split virtqueue, seen from the device.
//!
//! ```text
//! available  flags:16 index:16 head:16[size] used_event:16          written by the driver
//! used       flags:16 index:16 (head:32 len:32)[size] available_event:16   written by the device
//! ```
//!
//! Both sides may sleep: each says by an event index when it wants to be woken. Ours is moved on only when the ring is empty, so
//! a busy driver wakes nobody.
//!
//! Invariant: a head is in flight at most once, so at most `size` requests are; memory that outlives this process is told before a
//! request is begun and after it is answered.

use std::collections::VecDeque;
use std::sync::atomic::{Ordering, fence};

use super::chain::{DESCRIPTOR, Table};
use super::fault::Fault;
use super::inflight::{Record, Recovered};
use super::memory::Memory;
use super::message::RingAddress;

/// Descriptors of a queue.
pub const SIZE_MAX: u16 = 1_024;
/// The driver does not want to be woken.
const NO_INTERRUPT: u16 = 1;
const HEADER: u64 = 4;
const HEAD: u64 = 2;
const USED: u64 = 8;

/// A queue that runs.
#[derive(Debug)]
pub struct Ring {
    at: RingAddress,
    size: u16,
    /// Event indices are used.
    events: bool,
    indirect: bool,
    next_available: u16,
    /// The driver's index when it was last looked at.
    seen: u16,
    next_used: u16,
    /// What the driver knew when it was last woken, or not.
    told: u16,
    /// What a server before this one had begun, oldest first.
    again: VecDeque<u16>,
    under_way: Vec<bool>,
    count: u16,
    record: Option<Record>,
}

/// What was agreed about queues.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreed {
    /// Event indices are used.
    pub events: bool,
    /// Descriptors may stand for tables.
    pub indirect: bool,
}

impl Ring {
    /// Starts a queue whose next request is the driver's `base`th.
    ///
    /// # Errors
    /// When it is not in the client's memory, or not where a queue can be.
    pub fn start(
        memory: &Memory,
        at: RingAddress,
        size: u16,
        base: u16,
        agreed: Agreed,
        record: Option<Record>,
    ) -> Result<Ring, &'static str> {
        if size == 0 || !size.is_power_of_two() || size > SIZE_MAX {
            return Err("its size is not a power of two up to 1,024");
        }
        check(memory, at, size)?;
        let next_used = memory.load(at.used + HEAD).map_err(|_| "its index cannot be read")?;
        let Recovered { base, again } = match &record {
            Some(record) => record.recover(size, base, next_used)?,
            None => Recovered { base, again: Vec::new() },
        };
        Ok(Ring {
            at,
            size,
            events: agreed.events,
            indirect: agreed.indirect,
            next_available: base,
            seen: base,
            next_used,
            told: next_used,
            again: again.into(),
            under_way: vec![false; size.into()],
            count: 0,
            record,
        })
    }

    /// The memory has changed, and the queue with it.
    ///
    /// # Errors
    /// When it is not in the memory any more.
    pub fn move_to(&mut self, memory: &Memory, at: RingAddress) -> Result<(), &'static str> {
        check(memory, at, self.size)?;
        self.at = at;
        Ok(())
    }

    /// Requests that were taken and not answered.
    pub fn in_flight(&self) -> u16 {
        self.count
    }

    /// The driver's number of the next request.
    pub fn base(&self) -> u16 {
        self.next_available
    }

    /// Its descriptors.
    pub fn table(&self) -> Table {
        Table { address: self.at.descriptors, len: self.size.into(), indirect: self.indirect }
    }

    /// The next request, by its first descriptor.
    ///
    /// # Errors
    /// When the driver's index or descriptor cannot be.
    pub fn next(&mut self, memory: &Memory) -> Result<Option<u16>, Broken> {
        let head = match self.again.pop_front() {
            Some(head) => head,
            None => {
                if self.seen == self.next_available && !self.look(memory)? {
                    return Ok(None);
                }
                let place = u64::from(self.next_available % self.size);
                let mut head = [0; HEAD as usize];
                memory.read(self.at.available + HEADER + HEAD * place, &mut head)?;
                self.next_available = self.next_available.wrapping_add(1);
                u16::from_le_bytes(head)
            }
        };
        match self.under_way.get_mut(usize::from(head)) {
            None => return Err(Broken::Form("a request begins at a descriptor that does not exist")),
            Some(true) => return Err(Broken::Form("a request is asked for that is still under way")),
            Some(under_way) => *under_way = true,
        }
        self.count += 1;
        if let Some(record) = &mut self.record {
            record.begin(head)?;
        }
        Ok(Some(head))
    }

    /// Whether the driver has put something in.
    fn look(&mut self, memory: &Memory) -> Result<bool, Broken> {
        self.seen = memory.load(self.at.available + HEAD)?;
        let more = self.seen.wrapping_sub(self.next_available);
        if more > self.size {
            return Err(Broken::Form("its index jumps by more than its size"));
        }
        Ok(more > 0)
    }

    /// Answers a request, with `len` bytes written into its buffers.
    ///
    /// # Errors
    /// When the queue is not in the client's memory any more.
    pub fn done(&mut self, memory: &Memory, head: u16, len: u32) -> Result<(), Fault> {
        if let Some(record) = &mut self.record {
            record.answer(head)?;
        }
        let place = u64::from(self.next_used % self.size);
        let mut used = [0; USED as usize];
        used[..4].copy_from_slice(&u32::from(head).to_le_bytes());
        used[4..].copy_from_slice(&len.to_le_bytes());
        memory.write(self.at.used + HEADER + USED * place, &used)?;
        self.next_used = self.next_used.wrapping_add(1);
        memory.store(self.at.used + HEAD, self.next_used)?;
        if let Some(record) = &mut self.record {
            record.answered(head, self.next_used)?;
        }
        if let Some(under_way) = self.under_way.get_mut(usize::from(head)) {
            self.count -= u16::from(std::mem::replace(under_way, false));
        }
        Ok(())
    }

    /// Whether the driver wants to be woken for what was answered since this was last asked.
    ///
    /// # Errors
    /// When the queue is not in the client's memory any more.
    pub fn wants_waking(&mut self, memory: &Memory) -> Result<bool, Fault> {
        // What was answered must be seen before the driver's wish is read: it looks in the other order.
        fence(Ordering::SeqCst);
        if !self.events {
            return Ok(memory.load(self.at.available)? & NO_INTERRUPT == 0);
        }
        let event = memory.load(self.at.available + HEADER + HEAD * u64::from(self.size))?;
        let (new, old) = (self.next_used, std::mem::replace(&mut self.told, self.next_used));
        Ok(new.wrapping_sub(event).wrapping_sub(1) < new.wrapping_sub(old))
    }

    /// Asks to be woken for the next request. True = there is one already.
    ///
    /// # Errors
    /// When the queue is not in the client's memory any more, or its index cannot be.
    pub fn wait(&mut self, memory: &Memory) -> Result<bool, Broken> {
        if !self.again.is_empty() {
            return Ok(true);
        }
        if self.events {
            memory.store(self.at.used + HEADER + USED * u64::from(self.size), self.next_available)?;
            fence(Ordering::SeqCst);
        }
        self.look(memory)
    }
}

/// What is wrong with a queue.
#[derive(Debug)]
pub enum Broken {
    /// It is not in the client's memory.
    Memory(Fault),
    /// It says what cannot be.
    Form(&'static str),
}

impl From<Fault> for Broken {
    fn from(fault: Fault) -> Self {
        Broken::Memory(fault)
    }
}

fn check(memory: &Memory, at: RingAddress, size: u16) -> Result<(), &'static str> {
    let size = u64::from(size);
    let parts = [
        (at.descriptors, DESCRIPTOR * size, 16),
        (at.available, HEADER + HEAD * size + 2, 2),
        (at.used, HEADER + USED * size + 2, 4),
    ];
    for (address, len, alignment) in parts {
        if !address.is_multiple_of(alignment) {
            return Err("its parts are not aligned as they must be");
        }
        memory.check(address, len).map_err(|_| "it does not lie in the client's memory")?;
    }
    Ok(())
}
