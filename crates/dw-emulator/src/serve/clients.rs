//! Who is connected to a way in: places that are used again, and queues of those with something to do, to send, to be answered.
//!
//! Invariant: a place is in each queue at most once.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use dw_demand::volume_name;

use crate::command::Command;
use crate::engine::Export;

/// Generations fit below the mark of listeners in a token ([`super::doors`]).
const GENERATIONS: u32 = (1 << 27) - 1;

/// Which place, and which use of it.
pub(super) type Who = (u32, u32);

/// What clients wait in line for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Queue {
    /// To do what they have to do.
    Work,
    /// To send what they have to send.
    Output,
    /// To go on with replies that are more than a turn's.
    Replies,
}

/// How many queues there are.
const QUEUES: usize = Queue::Replies as usize + 1;

/// All clients of a way in.
#[derive(Debug)]
pub(super) struct Clients<C> {
    places: Vec<Place<C>>,
    free: Vec<u32>,
    /// By [`Queue`].
    queues: [VecDeque<u32>; QUEUES],
    ever: u64,
}

#[derive(Debug)]
struct Place<C> {
    generation: u32,
    client: Option<Box<C>>,
    /// In which queues it is, by [`Queue`].
    queued: [bool; QUEUES],
}

impl<C> Default for Clients<C> {
    fn default() -> Self {
        Clients { places: Vec::new(), free: Vec::new(), queues: Default::default(), ever: 0 }
    }
}

impl<C> Clients<C> {
    /// Gives a client that `make` makes a place, unless it cannot be made.
    pub(super) fn seat(&mut self, make: impl FnOnce(Who) -> io::Result<C>) -> io::Result<Who> {
        let index = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place { generation: 0, client: None, queued: [false; QUEUES] });
            (self.places.len() - 1) as u32
        });
        let place = &mut self.places[index as usize];
        place.generation = (place.generation + 1) & GENERATIONS;
        let who = (index, place.generation);
        match make(who) {
            Ok(client) => place.client = Some(Box::new(client)),
            Err(error) => {
                self.free.push(index);
                return Err(error);
            }
        }
        self.ever += 1;
        Ok(who)
    }

    /// Takes a client from its place.
    pub(super) fn remove(&mut self, index: u32) -> Option<Box<C>> {
        let place = &mut self.places[index as usize];
        let client = place.client.take()?;
        place.generation = (place.generation + 1) & GENERATIONS;
        self.free.push(index);
        Some(client)
    }

    /// Whoever it was, if still there.
    #[inline]
    pub(super) fn at(&mut self, (index, generation): Who) -> Option<&mut C> {
        let place = self.places.get_mut(index as usize)?;
        if place.generation == generation { place.client.as_deref_mut() } else { None }
    }

    /// Whoever has that place now.
    #[inline]
    pub(super) fn get(&mut self, index: u32) -> Option<(Who, &mut C)> {
        let place = &mut self.places[index as usize];
        place.client.as_deref_mut().map(|client| ((index, place.generation), client))
    }

    /// Puts whoever has that place into a queue.
    #[inline]
    pub(super) fn queue(&mut self, of: Queue, index: u32) {
        let place = &mut self.places[index as usize];
        if place.client.is_some() && !std::mem::replace(&mut place.queued[of as usize], true) {
            self.queues[of as usize].push_back(index);
        }
    }

    /// How many are in a queue.
    #[inline]
    pub(super) fn queued(&self, of: Queue) -> usize {
        self.queues[of as usize].len()
    }

    /// Takes the next out of a queue.
    #[inline]
    pub(super) fn next(&mut self, of: Queue) -> Option<u32> {
        let index = self.queues[of as usize].pop_front()?;
        self.places[index as usize].queued[of as usize] = false;
        Some(index)
    }

    pub(super) fn places(&self) -> Range<u32> {
        0..self.places.len() as u32
    }

    /// All clients.
    pub(super) fn iter(&self) -> impl Iterator<Item = &C> {
        self.places.iter().filter_map(|place| place.client.as_deref())
    }

    /// All clients, to change them.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut C> {
        self.places.iter_mut().filter_map(|place| place.client.as_deref_mut())
    }

    pub(super) fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// How many there have been in all.
    pub(super) fn ever(&self) -> u64 {
        self.ever
    }
}

/// Whether a command takes an export from those who use it.
pub(super) fn takes_away(command: &Command, export: &Export) -> bool {
    match command {
        // What was under way is gone with the VM.
        Command::Crash { .. } | Command::Reboot => true,
        Command::Detach { volume } | Command::Cache { volume, .. } => belongs_to(&export.name, volume),
        _ => export.detached,
    }
}

/// Whether an export is a volume, or one of its disks.
fn belongs_to(export: &str, volume: &str) -> bool {
    export == volume || volume_name::volume_of(export) == Some(volume)
}

/// Ends that clients bring about every day.
pub(super) fn is_goodbye(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disks_belong_to_their_volume_and_to_no_other() {
        let cases = [
            ("data", "data", true),
            ("data.0", "data", true),
            ("data.12", "data", true),
            ("data2", "data", false),
            ("data2.0", "data", false),
            ("data.backup", "data", false),
            ("data.2024", "data", false),
            ("data", "data.0", false),
        ];
        for (export, volume, expected) in cases {
            assert_eq!(belongs_to(export, volume), expected, "{export} {volume}");
        }
    }
}
