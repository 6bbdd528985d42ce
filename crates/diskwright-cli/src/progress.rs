//! A bar on standard error for runs of more than half a second, on a terminal only; a note where a pipe keeps the program waiting; and
//! Ctrl-C.

use std::io::{self, IsTerminal as _, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use dw_error::obeyed;
use dw_sim::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_millis(500);
/// Between two looks.
const REFRESH: Duration = Duration::from_millis(100);

static RUNNING: OnceLock<Arc<Progress>> = OnceLock::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C stop the run, so that what there is can be printed; a second one ends the program at once.
pub fn stop_on_interrupt(progress: &Arc<Progress>) {
    if RUNNING.set(progress.clone()).is_err() {
        return;
    }
    // Without a handler Ctrl-C ends the program as it always did: worse, but no reason not to run.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(crate::exit::Exit::Interrupted.code()));
        }
        if let Some(progress) = RUNNING.get() {
            progress.stop.store(true, Ordering::SeqCst);
        }
    });
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Whether `--quiet` was given: then no step is shown.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Takes what `--quiet` says.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Shows the step of the library that takes long, with its seconds, on a terminal.
#[derive(Default)]
pub struct Steps(Mutex<Option<Bar>>);

impl Steps {
    /// A step has begun (share 0) or ended (1); a share in between moves nothing.
    pub fn tell(&self, step: &str, share: f64) {
        if share > 0.0 && share < 1.0 {
            return;
        }
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The one before ends first: two would write over each other.
        drop(shown.take());
        if share < 1.0 {
            let step = step.to_string();
            *shown = Some(Bar::begin(QUIET.load(Ordering::Relaxed), move |finished| show_step(&step, finished)));
        }
    }
}

/// A pipe that has not ended is spoken of after this time, and again after twice as long each time.
const SILENCE: Duration = Duration::from_secs(2);

/// Tells, until it is dropped, how much came of what is read to an end that it need not have.
pub struct Watch {
    read: Arc<AtomicU64>,
    _told: Option<Beside>,
}

impl Watch {
    /// Of what ends.
    pub fn nothing() -> Watch {
        Watch { read: Arc::default(), _told: None }
    }

    /// Of a pipe or a device.
    pub fn over(name: String) -> Watch {
        if QUIET.load(Ordering::Relaxed) {
            return Watch::nothing();
        }
        let read = Arc::new(AtomicU64::new(0));
        let seen = read.clone();
        let told = Beside::begin(move |finished| {
            let mut patience = SILENCE;
            while goes_on(finished, patience) {
                let came = match seen.load(Ordering::Relaxed) {
                    0 => "nothing has come".to_string(),
                    bytes => format!("{:.1} MiB have come", bytes as f64 / f64::from(1 << 20)),
                };
                crate::to_stderr(&format!("note: {name}: {came} so far; reading to the end (Ctrl-C stops)\n"));
                patience *= 2;
            }
        });
        Watch { read, _told: Some(told) }
    }

    /// Of a pipe that a result goes into, and that nobody reads yet.
    #[cfg(unix)]
    pub fn unread(name: String) -> Watch {
        if QUIET.load(Ordering::Relaxed) {
            return Watch::nothing();
        }
        let told = Beside::begin(move |finished| {
            let mut patience = SILENCE;
            while goes_on(finished, patience) {
                crate::to_stderr(&format!(
                    "note: {name}: nothing reads this pipe yet; waiting for a reader (Ctrl-C stops)\n"
                ));
                patience *= 2;
            }
        });
        Watch { read: Arc::default(), _told: Some(told) }
    }

    /// The same file; what is read of it is counted.
    pub fn counted<R: Read>(&self, file: R) -> Counted<R> {
        Counted { file, read: self.read.clone() }
    }
}

/// A file that is watched.
pub struct Counted<R> {
    file: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(into)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Shows a bar until it is dropped.
pub struct Bar {
    _shown: Option<Beside>,
}

impl Bar {
    /// Begins to watch; shows nothing when `quiet` or when standard error is not a terminal.
    pub fn watch(progress: &Arc<Progress>, quiet: bool) -> Bar {
        let progress = progress.clone();
        Bar::begin(quiet, move |finished| show(&progress, finished))
    }

    fn begin(quiet: bool, show: impl FnOnce(&mpsc::Receiver<()>) + Send + 'static) -> Bar {
        let is_shown = !quiet && std::io::stderr().is_terminal();
        Bar { _shown: is_shown.then(|| Beside::begin(show)) }
    }
}

/// Work on a thread of its own, until this is dropped.
struct Beside {
    done: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Beside {
    /// Begins the work; what it is handed says when to end it ([`goes_on`]).
    fn begin(work: impl FnOnce(&mpsc::Receiver<()>) + Send + 'static) -> Beside {
        let (done, finished) = mpsc::channel();
        let thread = std::thread::spawn(move || work(&finished));
        Beside { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // The thread ends when nobody can send any more; only then is it waited for.
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Whether something still goes on after this time: whoever does it holds the sender, and drops it at the end.
pub(crate) fn goes_on(finished: &mpsc::Receiver<()>, time: Duration) -> bool {
    matches!(finished.recv_timeout(time), Err(mpsc::RecvTimeoutError::Timeout))
}

fn show_step(step: &str, finished: &mpsc::Receiver<()>) {
    if !goes_on(finished, PATIENCE) {
        return;
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
        bar.set_style(style);
    }
    bar.set_message(obeyed::line(step).into_owned());
    bar.tick();
    while goes_on(finished, REFRESH) {
        bar.tick();
    }
    bar.finish_and_clear();
}

fn show(progress: &Progress, finished: &mpsc::Receiver<()>) {
    if !goes_on(finished, PATIENCE) {
        return;
    }
    let bar = ProgressBar::new(0);
    let style =
        ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}  {eta} left").map(|s| s.progress_chars("##."));
    if let Ok(style) = style {
        bar.set_style(style);
    }
    loop {
        let now = progress.virtual_ns.load(Ordering::Relaxed);
        let end = progress.end_ns.load(Ordering::Relaxed).max(now);
        bar.set_length(end);
        bar.set_position(now);
        let ios = progress.ios.load(Ordering::Relaxed) as f64;
        bar.set_message(format!(
            "{} of virtual time, {:.0} M I/Os",
            crate::report::format::seconds(now as f64 / 1e9),
            ios / 1e6
        ));
        if !goes_on(finished, REFRESH) {
            break;
        }
    }
    bar.finish_and_clear();
}
