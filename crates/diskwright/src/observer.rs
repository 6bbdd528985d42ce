//! Who watches a session: progress, remarks, and the wish to stop.

use dw_error::Notice;

/// Told of what happens while a call works. Every method has a silent default.
pub trait Observer: Send + Sync {
    /// A step has begun (share 0) or ended (1): `observe`, `plan`, `simulate`, `bench`, `calibrate`; in between, how much of it is
    /// done, where that is known.
    fn progress(&self, _step: &str, _share: f64) {}

    /// Something that may surprise, and is no error.
    fn notice(&self, _notice: &Notice) {}

    /// Whether to stop: asked between steps, between recordings, and of a simulation under way every some thousand I/Os. The call
    /// then fails with an error of kind `Interrupted`.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Sees nothing, stops nothing.
impl Observer for () {}

/// Another without its notices.
pub(crate) struct Quiet(pub std::sync::Arc<dyn Observer>);

impl Observer for Quiet {
    fn progress(&self, step: &str, share: f64) {
        self.0.progress(step, share);
    }
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
