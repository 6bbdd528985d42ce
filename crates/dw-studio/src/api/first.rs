//! What the page asks first, answered while the browser starts: the first recording, read and planned.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{App, hello, observe, plan};

/// A browser has started by then.
const SOON: Duration = Duration::from_secs(60);

/// The answers, each given once and soon: files may change, and what is asked later is read then.
#[derive(Default)]
pub(crate) struct First(Mutex<Held>);

#[derive(Default)]
struct Held {
    /// The page came before.
    is_late: bool,
    observed: Option<(Instant, String)>,
    /// The recording, and its plan.
    plan: Option<(u64, String)>,
}

impl First {
    /// Who asks waits for an answer under way.
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn observed(&self) -> Option<String> {
        let mut held = self.held();
        held.is_late = true;
        held.observed.take().filter(|(at, _)| at.elapsed() < SOON).map(|(_, observed)| observed)
    }

    pub(super) fn plan(&self, recording: u64) -> Option<String> {
        let mut held = self.held();
        held.plan.take_if(|(of, _)| *of == recording).map(|(_, plan)| plan)
    }
}

/// Answers it. What fails is left to the page, which is told why.
pub(crate) fn prepare(app: &App) {
    let mut held = app.first.held();
    if held.is_late {
        return;
    }
    // So that the catalogue is read.
    hello(app);
    let Ok((recording, observed)) = observe::of_source(app, 0, observe::Asked::default()) else { return };
    held.observed = Some((Instant::now(), observed));
    if app.sources.first().is_some_and(|source| source.wishes.is_some()) {
        held.plan = plan::quick(app, recording).ok().map(|plan| (recording, plan));
    }
}
