//! Recording this machine: the kernel's counters at every tick, its trace events for a bounded time.
//!
//! What is read goes into one Arrow file in the streaming format, a batch every few seconds: a crash loses the batch that
//! was being collected, and a recording that is there is continued behind its last whole batch. Without a file it goes
//! straight to the checklist.

mod proc;
mod trace;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use dw_error::{Error, Result, obeyed};
use dw_observe::sample::Role;
use dw_observe::volumes::{self, VolumeDevices};
use dw_observe::windows::When;
use dw_observe::{Name, Recorder, RecorderOptions, Settings};
use dw_sim::Progress;

use crate::exit::Exit;
use crate::observe::{ObserveArgs, check_named};
use crate::recording::file::Writer;
use crate::recording::ticks::{Event, Facts, Feeder, Tick};
use crate::{progress, system, to_stderr};
use diskwright::observe::READINGS;

/// Between two readings, when nobody says.
const EVERY: Duration = Duration::from_secs(1);
/// A reading takes a tenth of this.
const EVERY_MIN: Duration = Duration::from_millis(1);
/// What a crash may lose.
const FLUSH: Duration = Duration::from_secs(5);

/// Where readings go.
enum Keep {
    File(Box<Writer>),
    Memory(Box<Feeder>, Box<Recorder>),
}

impl Keep {
    fn tick(&mut self, tick: &Tick) -> Result<()> {
        match self {
            Keep::File(writer) => writer.tick(tick),
            Keep::Memory(feeder, recorder) => feeder.tick(tick, recorder.as_mut()),
        }
        Ok(())
    }
    fn event(&mut self, event: &Event) {
        match self {
            Keep::File(writer) => writer.event(event),
            Keep::Memory(feeder, recorder) => feeder.event(event, recorder.as_mut()),
        }
    }
}

/// Records until the time is over or somebody stops it: what was read, when it was not written to a file, and how it ended.
pub fn record(args: &ObserveArgs, settings: &Settings) -> Result<(Recorder, Exit)> {
    let every = args.every.map_or(EVERY, |d| Duration::from_nanos(d.ns()));
    let length = args.length.map(|d| Duration::from_nanos(d.ns()));
    let trace_length = args.trace.map(|d| Duration::from_nanos(d.ns()));
    let length = match (length, trace_length) {
        (None, Some(trace)) => Some(trace),
        (length, _) => length,
    };
    check_times(every, length)?;
    let mut machine = proc::Machine::open().map_err(|e| {
        let hint = "mount it: `mount -t proc proc /proc`";
        Error::input(format!("/proc: cannot be read: {}", system::reason(&e))).hint(hint)
    })?;
    check_names(args, settings, &mut machine)?;
    let mut tracer = match args.trace {
        Some(_) => Some(trace::Tracer::start(machine.names())?),
        None => None,
    };
    let facts = Facts { machine: machine.host(), kernel: machine.kernel(), members: machine.members(), every };
    let mut keep = keep(args, settings, facts)?;
    let stop = Arc::new(Progress::default());
    progress::stop_on_interrupt(&stop);
    let stopped = || stop.stop.load(Ordering::SeqCst);
    let status = Status::new(args, length);
    if !args.quiet {
        to_stderr(&begins(every, length));
    }
    let begin = std::time::Instant::now();
    let mut flushed = begin;
    let mut due = Duration::ZERO;
    let mut last: Option<Tick> = None;
    loop {
        let tick = machine.tick().map_err(|e| Error::unexpected(format!("/proc/diskstats: {}", system::reason(&e))))?;
        keep.tick(&tick)?;
        status.show(begin.elapsed(), last.as_ref(), &tick);
        last = Some(tick);
        let over = length.is_some_and(|length| begin.elapsed() + every / 2 >= length);
        if let Keep::File(writer) = &mut keep
            && (over || stopped() || flushed.elapsed() >= FLUSH)
        {
            writer.flush()?;
            flushed = std::time::Instant::now();
        }
        if over || stopped() {
            break;
        }
        // A tick that took too long is not made up for: the next one comes at its own time.
        while due <= begin.elapsed() {
            due += every;
        }
        wait(begin, due, &stopped, &mut tracer, &mut keep, trace_length)?;
    }
    if let Some(tracer) = tracer {
        finish_trace(tracer, &mut keep)?;
    }
    status.end();
    let exit = if progress::interrupted() { Exit::Interrupted } else { Exit::Ok };
    Ok(match keep {
        Keep::File(mut writer) => {
            writer.close()?;
            let recorder = Recorder::new(RecorderOptions::default());
            if !args.quiet {
                to_stderr(&format!("recorded into {0}; read it with `diskwright observe {0}`\n", writer.name()));
            }
            (recorder, exit)
        }
        Keep::Memory(_, recorder) => (*recorder, exit),
    })
}

/// A recording has intervals, and ends when it is to.
fn check_times(every: Duration, length: Option<Duration>) -> Result<()> {
    if every < EVERY_MIN {
        let what = format!("an interval of {} is too short to read the kernel's counters", shown(every));
        return Err(Error::usage(what).hint(format!("write at least `--every {}`", typed(EVERY_MIN))));
    }
    match length.filter(|length| *length < every) {
        Some(length) => {
            let what = format!("{} is shorter than the first interval, {}", shown(length), shown(every));
            Err(Error::usage(what)
                .hint(format!("record at least `--for {}`, or write a shorter `--every`", typed(every))))
        }
        None => Ok(()),
    }
}

fn shown(time: Duration) -> dw_units::Duration {
    dw_units::Duration::from_ns(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}

/// As an option takes it.
fn typed(time: Duration) -> String {
    shown(time).to_string().replace(' ', "")
}

/// What is named is there: nobody learns after a day that it was not.
fn check_names(args: &ObserveArgs, settings: &Settings, machine: &mut proc::Machine) -> Result<()> {
    let host = machine.host().unwrap_or_default();
    if let Some(asked) = settings.machine.as_ref().filter(|asked| !host.eq_ignore_ascii_case(asked)) {
        return Err(Error::usage(format!("`--machine {asked}`: this machine is called `{host}`"))
            .hint("leave the option out, or name a FILE"));
    }
    let tick = machine.tick().map_err(|e| Error::unexpected(format!("/proc/diskstats: {}", system::reason(&e))))?;
    let devices: BTreeMap<Name, Role> = tick.devices.into_iter().map(|line| (line.device, Role::Unknown)).collect();
    let members = machine.members().into_iter().map(|(volume, below)| (volume.into(), below.into()));
    let members: Vec<(Name, Name)> = members.collect();
    let chosen = volumes::choose(&devices, &members, &settings.volumes, &[], &|_: &Name| Vec::new())
        .map_err(|why| Error::usage(why).hint("write `--volume NAME=DEVICE,DEVICE`"))?;
    let counted: Vec<&str> = chosen.counted.iter().map(|counted| counted.name.as_str()).collect();
    // What devices do may choose others than their names.
    let by_name = settings.volumes.is_empty();
    let is_there = |name: &str| {
        let is = |volume: &VolumeDevices| volume.name == name || volume.devices.iter().map(|d| &**d).eq([name]);
        chosen.counted.iter().any(is) || by_name && devices.contains_key(name)
    };
    check_named(&args.capacity, &counted, &is_there)
}

/// Said at once: nothing else is until the end, where there is no terminal.
fn begins(every: Duration, length: Option<Duration>) -> String {
    let end =
        length.map_or("Ctrl-C ends it".to_string(), |length| format!("for {}; Ctrl-C stops it earlier", shown(length)));
    format!("recording this machine every {}, {end}\n", shown(every))
}

fn keep(args: &ObserveArgs, settings: &Settings, facts: Facts) -> Result<Keep> {
    match &args.record {
        Some(path) => Ok(Keep::File(Box::new(Writer::open(path, &facts)?))),
        None => {
            let options =
                RecorderOptions { every: args.every, utc_offset_min: args.utc_offset, keep_first: args.keep_first };
            // Blocks by load are known at the end, and nothing can be read twice.
            let by_load = settings.windows.iter().any(|w| matches!(w.when, When::Load(_)));
            let most = if by_load { usize::MAX } else { READINGS };
            let mut recorder = Recorder::bounded(options, settings, most);
            let feeder = Feeder::new(0, &facts, &mut recorder);
            Ok(Keep::Memory(Box::new(feeder), Box::new(recorder)))
        }
    }
}

/// Waits for the next tick; events of the trace are taken in meanwhile.
fn wait(
    begin: std::time::Instant,
    due: Duration,
    stopped: &dyn Fn() -> bool,
    tracer: &mut Option<trace::Tracer>,
    keep: &mut Keep,
    trace_length: Option<Duration>,
) -> Result<()> {
    // Often enough for Ctrl-C and for the trace's buffer.
    let slice = Duration::from_millis(if tracer.is_some() { 20 } else { 250 });
    loop {
        if let Some(tracer) = tracer {
            tracer.take(&mut |event| keep.event(event))?;
        }
        if trace_length.is_some_and(|length| begin.elapsed() >= length)
            && let Some(tracer) = tracer.take()
        {
            finish_trace(tracer, keep)?;
        }
        let now = begin.elapsed();
        if now >= due || stopped() {
            return Ok(());
        }
        std::thread::sleep(slice.min(due - now));
    }
}

fn finish_trace(mut tracer: trace::Tracer, keep: &mut Keep) -> Result<()> {
    tracer.stop();
    tracer.take(&mut |event| keep.event(event))?;
    let lost = tracer.lost();
    if lost > 0 {
        to_stderr(&format!(
            "warning: the kernel dropped {lost} trace events; random and sequential shares are based on the rest\n"
        ));
    }
    if let Keep::File(writer) = keep {
        writer.flush()?;
    }
    Ok(())
}

/// One line on standard error that is written over.
struct Status {
    shown: bool,
    length: Option<Duration>,
}

impl Status {
    fn new(args: &ObserveArgs, length: Option<Duration>) -> Status {
        use std::io::IsTerminal as _;
        Status { shown: !args.quiet && std::io::stderr().is_terminal(), length }
    }
    fn show(&self, elapsed: Duration, last: Option<&Tick>, now: &Tick) {
        let Some(last) = last.filter(|_| self.shown) else { return };
        let (ios, bytes) = now.since(last);
        let left = self
            .length
            .map_or(String::new(), |length| format!(", {} s left", length.saturating_sub(elapsed).as_secs()));
        let line = format!(
            "{} s: {} IOPS, {}{left}",
            elapsed.as_secs(),
            crate::report::format::iops(ios),
            crate::report::format::mb_s(bytes)
        );
        // It is written over the line before.
        let _ = std::io::stderr().write_all(format!("\r{}", obeyed::line(&format!("{line:<70}"))).as_bytes());
    }
    fn end(&self) {
        if self.shown {
            to_stderr("\n");
        }
    }
}
