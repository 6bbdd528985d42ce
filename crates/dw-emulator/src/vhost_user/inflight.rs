//! Which requests are under way, in memory that the client keeps when this process ends.
//!
//! A queue answers in any order, so what was not answered cannot be told from its indices. The server that comes next finds it
//! here and does it again, oldest first; the guest sees a pause and no error.
//!
//! ```text
//! queue   features:64 version:16 descriptors:16 last_answered:16 used_index:16 state[descriptors]
//! state   under_way:8 padding:40 next:16 counter:64
//! ```
//!
//! The layout is the protocol's, for split queues. A process may end between any two of the writes: between the used index and
//! `used_index` here, exactly `last_answered` is marked although it is answered.

use std::os::fd::OwnedFd;
use std::rc::Rc;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create};

use super::device::QUEUES_MAX;
use super::fault::Fault;
use super::memory::Memory;
use super::message::{InflightShape, Region};
use super::ring::SIZE_MAX;

const HEADER: u64 = 16;
const STATE: u64 = 16;
const ALIGNMENT: u64 = 64;
const VERSION: u16 = 1;

/// The memory of all queues.
#[derive(Clone, Debug)]
pub struct Inflight {
    memory: Rc<Memory>,
    shape: InflightShape,
}

/// The part of one queue.
#[derive(Debug)]
pub struct Record {
    memory: Rc<Memory>,
    at: u64,
    counter: u64,
}

/// Where a queue goes on.
#[derive(Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The driver's number of the next request.
    pub base: u16,
    /// Requests to do again, oldest first.
    pub again: Vec<u16>,
}

fn queue_len(size: u16) -> u64 {
    (HEADER + STATE * u64::from(size)).next_multiple_of(ALIGNMENT)
}

fn is_possible(shape: InflightShape) -> Result<(), Fault> {
    let queues = 1..=QUEUES_MAX as u16;
    if !queues.contains(&shape.queues) || !(1..=SIZE_MAX).contains(&shape.queue_size) {
        return Err(Fault::Memory("no queues are like those whose requests are to be recorded".into()));
    }
    Ok(())
}

impl Inflight {
    /// Memory for these queues, and the descriptor by which the client keeps it.
    ///
    /// # Errors
    /// When there can be no such queues, or no memory.
    pub fn new(wanted: InflightShape) -> Result<(Inflight, OwnedFd), Fault> {
        is_possible(wanted)?;
        let size = u64::from(wanted.queues) * queue_len(wanted.queue_size);
        let failed = |why: rustix::io::Errno| Fault::System { what: "memory for requests under way", why: why.into() };
        let file =
            memfd_create("requests under way", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING).map_err(failed)?;
        ftruncate(&file, size).map_err(failed)?;
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL).map_err(failed)?;
        let given = file.try_clone().map_err(|why| Fault::System { what: "memory for requests under way", why })?;
        Ok((Inflight::from_file(InflightShape { size, offset: 0, ..wanted }, file)?, given))
    }

    /// The memory that the client kept.
    ///
    /// # Errors
    /// When it is not what was given to it.
    pub fn from_file(shape: InflightShape, file: OwnedFd) -> Result<Inflight, Fault> {
        is_possible(shape)?;
        if shape.size < u64::from(shape.queues) * queue_len(shape.queue_size) {
            return Err(Fault::Memory("the record of requests under way is too short for its queues".into()));
        }
        let region = Region { guest: 0, size: shape.size, user: 0, offset: shape.offset };
        Ok(Inflight { memory: Rc::new(Memory::new(vec![region], vec![file])?), shape })
    }

    /// What the client is told of it.
    pub fn shape(&self) -> InflightShape {
        self.shape
    }

    /// The part of one queue, if it has one.
    pub fn record(&self, queue: usize) -> Option<Record> {
        let at = queue as u64 * queue_len(self.shape.queue_size);
        (queue < usize::from(self.shape.queues)).then(|| Record { memory: Rc::clone(&self.memory), at, counter: 0 })
    }
}

impl Record {
    /// Where the queue goes on, given where it would without this record and what it says is answered.
    ///
    /// # Errors
    /// When the record is not of this queue.
    pub fn recover(&self, size: u16, base: u16, used: u16) -> Result<Recovered, &'static str> {
        const UNREADABLE: &str = "the record of its requests cannot be read";
        let field = |offset: u64| self.memory.load(self.at + offset).map_err(|_| UNREADABLE);
        let put = |offset: u64, value: u16| self.memory.store(self.at + offset, value).map_err(|_| UNREADABLE);
        if self.memory.check(self.at, queue_len(size)).is_err() {
            return Err("the record of its requests is of a smaller queue");
        }
        if field(8)? == 0 {
            put(10, size)?;
            put(14, used)?;
            put(8, VERSION)?;
            return Ok(Recovered { base, again: Vec::new() });
        }
        if (field(8)?, field(10)?) != (VERSION, size) {
            return Err("the record of its requests is of another queue");
        }
        if field(14)? != used {
            let last = field(12)?;
            if last < size {
                self.mark(last, false).map_err(|_| UNREADABLE)?;
            }
            put(14, used)?;
        }
        let mut marked = Vec::new();
        for head in 0..size {
            let mut state = [0; STATE as usize];
            self.memory.read(self.state(head), &mut state).map_err(|_| UNREADABLE)?;
            let [under_way, _, _, _, _, _, _, _, counter @ ..] = state;
            if under_way != 0 {
                marked.push((u64::from_le_bytes(counter), head));
            }
        }
        marked.sort_unstable();
        let again: Vec<u16> = marked.into_iter().map(|(_, head)| head).collect();
        Ok(Recovered { base: used.wrapping_add(again.len() as u16), again })
    }

    fn state(&self, head: u16) -> u64 {
        self.at + HEADER + STATE * u64::from(head)
    }

    fn mark(&self, head: u16, under_way: bool) -> Result<(), Fault> {
        self.memory.store(self.state(head), under_way.into())
    }

    /// A request is begun.
    ///
    /// # Errors
    /// When there is no place for it.
    #[inline]
    pub fn begin(&mut self, head: u16) -> Result<(), Fault> {
        self.memory.write(self.state(head) + 8, &self.counter.to_le_bytes())?;
        self.counter += 1;
        self.mark(head, true)
    }

    /// A request is about to be answered.
    ///
    /// # Errors
    /// When there is no place for it.
    #[inline]
    pub fn answer(&mut self, head: u16) -> Result<(), Fault> {
        self.memory.store(self.at + 12, head)
    }

    /// A request was answered, and the queue's index is now `used`.
    ///
    /// # Errors
    /// When there is no place for it.
    #[inline]
    pub fn answered(&mut self, head: u16, used: u16) -> Result<(), Fault> {
        self.mark(head, false)?;
        self.memory.store(self.at + 14, used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WANTED: InflightShape = InflightShape { size: 0, offset: 0, queues: 2, queue_size: 8 };

    #[test]
    fn what_was_not_answered_is_done_again_in_its_order() {
        let (inflight, _) = Inflight::new(WANTED).expect("memory");
        let mut record = inflight.record(1).expect("the second queue");
        assert_eq!(record.recover(8, 5, 5), Ok(Recovered { base: 5, again: vec![] }), "nothing is recorded yet");
        for head in [3, 1, 7] {
            record.begin(head).expect("a place");
        }
        record.answer(1).expect("a place");
        record.answered(1, 6).expect("a place");
        let next = inflight.record(1).expect("the second queue");
        assert_eq!(next.recover(8, 0, 6), Ok(Recovered { base: 8, again: vec![3, 7] }));
        let other = inflight.record(0).expect("the first queue");
        assert_eq!(other.recover(8, 2, 2), Ok(Recovered { base: 2, again: vec![] }));
    }

    /// The process ends after so many of the four steps of an answer.
    #[test]
    fn an_answer_that_was_given_is_not_given_again() {
        for (steps, expected) in [(0, vec![2]), (1, vec![2]), (2, vec![]), (3, vec![]), (4, vec![])] {
            let (inflight, _) = Inflight::new(WANTED).expect("memory");
            let mut record = inflight.record(0).expect("a queue");
            record.recover(8, 0, 0).expect("a new one");
            record.begin(2).expect("a place");
            let mut used = 0;
            for step in 0..steps {
                match step {
                    0 => record.answer(2).expect("a place"),
                    1 => used = 1, // the queue's own index
                    2 => record.mark(2, false).expect("a place"),
                    _ => record.answered(2, used).expect("a place"),
                }
            }
            let found = inflight.record(0).expect("a queue").recover(8, 0, used).expect("it is readable");
            assert_eq!((found.base, found.again), (1, expected), "after {steps} steps");
        }
    }

    #[test]
    fn a_record_of_something_else_is_refused() {
        let (inflight, file) = Inflight::new(WANTED).expect("memory");
        let record = inflight.record(0).expect("a queue");
        record.recover(8, 0, 0).expect("a new one");
        assert!(record.recover(4, 0, 0).is_err(), "of a queue of eight");
        assert!(inflight.record(2).is_none());
        for bad in [
            InflightShape { queues: 0, ..inflight.shape() },
            InflightShape { queues: u16::MAX, ..inflight.shape() },
            InflightShape { queue_size: 0, ..inflight.shape() },
            InflightShape { queue_size: 16, ..inflight.shape() },
            InflightShape { size: u64::MAX, ..inflight.shape() },
            InflightShape { offset: 4096, ..inflight.shape() },
        ] {
            let file = file.try_clone().expect("another descriptor");
            assert!(Inflight::from_file(bad, file).is_err(), "{bad:?}");
        }
    }
}
