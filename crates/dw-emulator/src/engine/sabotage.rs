//! Engines that are wrong on purpose, so that the tests can show that they notice.
//!
//! A connection is the upper half of a cookie. An engine under sabotage also hears nothing of write-backs, which would
//! bring home what it forgets.

use super::Engine;

/// A way of being wrong.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// FUA writes are as volatile as others.
    IgnoresFua,
    /// A flush makes durable only what its own connection wrote.
    FlushesOneConnection,
    /// A flush makes durable what was acknowledged before the previous one: writes move behind the flush that follows them.
    ReordersAcrossFlush,
}

pub(super) struct Sabotage {
    mutant: Mutant,
    /// Of each volatile write.
    cookies: Vec<u64>,
    previous: u64,
}

impl Sabotage {
    /// Whether a flush with this cookie makes a write durable.
    pub(super) fn flushes(&self, write: u64, cookie: u64) -> bool {
        let writer = self.cookies.get(write as usize - 1).copied().unwrap_or(cookie);
        self.mutant != Mutant::FlushesOneConnection || writer >> 32 == cookie >> 32
    }
}

impl Engine {
    /// Makes this engine wrong.
    #[doc(hidden)]
    pub fn sabotage(&mut self, mutant: Mutant) {
        self.sabotage = Some(Box::new(Sabotage { mutant, cookies: Vec::new(), previous: 0 }));
    }

    pub(super) fn ignores_fua(&self) -> bool {
        self.sabotage.as_ref().is_some_and(|sabotage| sabotage.mutant == Mutant::IgnoresFua)
    }

    pub(super) fn note_write(&mut self, cookie: u64) {
        if let Some(sabotage) = &mut self.sabotage {
            sabotage.cookies.push(cookie);
        }
    }

    /// The newest write that a flush makes durable.
    pub(super) fn flush_boundary(&mut self, boundary: u64) -> u64 {
        match &mut self.sabotage {
            Some(sabotage) if sabotage.mutant == Mutant::ReordersAcrossFlush => {
                std::mem::replace(&mut sabotage.previous, boundary)
            }
            _ => boundary,
        }
    }
}
