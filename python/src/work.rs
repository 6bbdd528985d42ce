//! Work away from the interpreter: without its lock, stopped by Ctrl-C, telling how far it is, its panics caught.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use diskwright::error::Notice;
use diskwright::{Observer, Session};
use diskwright_cli::in_use;
use pyo3::prelude::*;

use crate::catalogue::Catalogue;
use crate::error;

/// Between two looks at signals.
const LOOK: Duration = Duration::from_millis(20);
/// Between two calls of who wants to know how far it is.
const TELL: Duration = Duration::from_millis(50);

/// Who watches, for Python.
struct Watch {
    stop: AtomicBool,
    /// How far it is, for the thread that asks Python.
    told: Mutex<Vec<(String, f64)>>,
    notices: Mutex<Vec<Notice>>,
    wants: bool,
}

impl Observer for Watch {
    fn progress(&self, step: &str, share: f64) {
        if !self.wants {
            return;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        // Of what was not yet passed on, the latest of a step counts.
        match told.last_mut().filter(|(last, _)| last == step) {
            Some(last) => last.1 = share,
            None => told.push((step.into(), share)),
        }
    }
    fn notice(&self, notice: &Notice) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(notice.clone());
    }
    fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Does the work with a session on another thread. This one waits for it, looks for signals, and tells `progress` (a callable of a
/// step's name and a share from 0 to 1). Notices become warnings of Python.
pub fn with_session<T: Send>(
    py: Python<'_>,
    catalogue: Option<&Catalogue>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Session) -> diskwright::Result<T> + Send,
) -> PyResult<T> {
    let watch = Arc::new(Watch {
        stop: AtomicBool::new(false),
        told: Mutex::default(),
        notices: Mutex::default(),
        wants: progress.is_some(),
    });
    let session = catalogue.map_or_else(|| Catalogue::in_use(py), |catalogue| Ok(catalogue.session()))?;
    let session = session.with_observer(watch.clone()).at(in_use::stamp());
    let progress = progress.map(|progress| progress.clone().unbind());
    // An exception of `progress`, or of a signal's handler, is raised in place of what the work then says.
    let (done, raised) = py.detach(|| {
        thread::scope(|scope| {
            // It is dropped when the work has ended, also by a panic: the other end wakes.
            let (ends, ended) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                let _ends = ends;
                work(session)
            });
            let mut raised: Option<PyErr> = None;
            let mut told = Instant::now();
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(LOOK) {
                let is_due = told.elapsed() >= TELL;
                if is_due {
                    told = Instant::now();
                }
                if raised.is_none() {
                    raised = Python::attach(|py| look(py, &watch, progress.as_ref().filter(|_| is_due))).err();
                    watch.stop.fetch_or(raised.is_some(), Ordering::Relaxed);
                }
            }
            (worker.join(), raised)
        })
    });
    if let Some(raised) = raised {
        return Err(raised);
    }
    // What failed is more than what was to be told of it.
    let done = match done {
        Ok(done) => done.map_err(|error| error::raise(py, &error))?,
        Err(panic) => return Err(error::raise(py, &error::of_panic(&*panic))),
    };
    look(py, &watch, progress.as_ref())?;
    let notices = std::mem::take(&mut *watch.notices.lock().unwrap_or_else(PoisonError::into_inner));
    let category = py.get_type::<pyo3::exceptions::PyUserWarning>();
    for notice in notices {
        let text = std::ffi::CString::new(notice.to_string().replace('\0', " ")).unwrap_or_default();
        // Of the line that called the package.
        PyErr::warn(py, &category, &text, 2)?;
    }
    Ok(done)
}

/// Signals that came, and what is to be told.
fn look(py: Python<'_>, watch: &Watch, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    let Some(progress) = progress else { return Ok(()) };
    let told = std::mem::take(&mut *watch.told.lock().unwrap_or_else(PoisonError::into_inner));
    for (step, share) in told {
        progress.call1(py, (step, share))?;
    }
    Ok(())
}
