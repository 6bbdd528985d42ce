//! The way of one request through the shared gates.

use crate::spec::{GateSpec, Path};

/// The gates behind a disk that limit something, in order: one word, since every request goes through it. The next gate is
/// in the lowest bits, as its index and one; 0 ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route(u64);

const _: () = assert!(Path::GATES_MAX as u32 * Route::BITS <= u64::BITS);

impl Route {
    const BITS: u32 = 8;

    pub(crate) fn through(path: &Path, gates: &[GateSpec]) -> Route {
        let limiting = path.remote.iter().filter(|gate| gates[usize::from(gate.0)].all_limits().next().is_some());
        Route(limiting.rev().fold(0, |behind, gate| behind << Route::BITS | (u64::from(gate.0) + 1)))
    }
}

impl Route {
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this gate is the last.
    #[inline(always)]
    pub(crate) fn ends_with(self, gate: usize) -> bool {
        // Most routes have one gate only.
        self.0 == gate as u64 + 1 || self.last() == Some(gate)
    }
}

impl Iterator for Route {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let gate = usize::from(self.0 as u8).checked_sub(1)?;
        self.0 >>= Route::BITS;
        Some(gate)
    }
}
