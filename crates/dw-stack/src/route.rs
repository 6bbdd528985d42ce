//! The way of one request through the shared gates.

use crate::spec::Path;

/// The gates behind a disk, in order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Route {
    gates: [u8; Path::GATES_MAX],
    len: u8,
}

impl Route {
    pub(crate) fn of(path: &Path) -> Route {
        let mut route = Route { len: path.remote.len() as u8, ..Route::default() };
        for (place, gate) in route.gates.iter_mut().zip(&path.remote) {
            *place = gate.0;
        }
        route
    }

    #[inline]
    pub(crate) fn gates(&self) -> &[u8] {
        &self.gates[..usize::from(self.len)]
    }

    /// Those behind `gate`.
    pub(crate) fn after(&self, gate: usize) -> Route {
        let left = self.gates().iter().position(|&passed| usize::from(passed) == gate).map_or(0, |at| at + 1);
        let mut rest = Route { len: self.len - left as u8, ..Route::default() };
        rest.gates[..usize::from(rest.len)].copy_from_slice(&self.gates()[left..]);
        rest
    }
}
