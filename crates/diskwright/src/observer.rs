//! Who watches a session: progress, remarks, and the wish to stop.

use dw_error::Notice;

/// Told of what happens while a call works. Every method has a silent default.
pub trait Observer: Send + Sync {
    /// A step has begun (share 0) or ended (1): `observe`, `plan`, `simulate`.
    fn progress(&self, _step: &str, _share: f64) {}

    /// Something that may surprise, and is no error.
    fn notice(&self, _notice: &Notice) {}

    /// Whether to stop: asked between steps and between recordings. A simulation under way is stopped by the
    /// [`dw_sim::Progress`] that [`Simulation::run`](crate::Simulation::run) takes; its result is then partial.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Sees nothing, stops nothing.
impl Observer for () {}
