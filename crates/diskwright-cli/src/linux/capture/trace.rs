//! Every request for a while: the kernel's block events, through a trace instance of our own.
//!
//! An instance has its own buffer and switches, so nobody else's tracing is disturbed; it is removed at the end. Events
//! carry the monotonic clock, which is placed on the wall's at the start.
//!
//! Source: `Documentation/trace/ftrace.rst`; the events' formats under `events/block` of the kernel.
//!
//! Ignores: events of devices that have no line in `/proc/diskstats`.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use dw_error::{Error, Result};
use dw_observe::{Action, Name};
use dw_workload::Direction;

use crate::recording::ticks::Event;

/// Where the kernel shows its tracing.
const ROOTS: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
const EVENTS: [&str; 2] = ["block_rq_issue", "block_rq_complete"];
/// Of each processor: some seconds of a hundred thousand requests per second.
const BUFFER_KIB: &str = "16384";

/// A running trace.
pub struct Tracer {
    instance: PathBuf,
    pipe: File,
    names: HashMap<String, Name>,
    /// What to add to the trace's clock.
    to_wall: i64,
    rest: Vec<u8>,
    lost: u64,
    stopped: bool,
}

impl Tracer {
    /// Begins.
    pub fn start(names: HashMap<String, Name>) -> Result<Tracer> {
        let refused = |what: &str, hint: &str| Error::input(format!("--trace: {what}")).hint(hint);
        let root = ROOTS.iter().map(Path::new).find(|r| r.join("instances").is_dir());
        let Some(root) = root else {
            return Err(refused(
                "cannot read the kernel's trace events: tracefs is not mounted, or you are not root",
                "run as root, and mount them: `mount -t tracefs tracefs /sys/kernel/tracing`",
            ));
        };
        let instance = root.join("instances").join(format!("diskwright-{}", std::process::id()));
        std::fs::create_dir(&instance).map_err(|e| {
            refused(&format!("{}: {e}", instance.display()), "run as root (`sudo diskwright observe --trace ...`)")
        })?;
        match Tracer::set_up(&instance, names) {
            Ok(tracer) => Ok(tracer),
            Err(e) => {
                let _ = std::fs::remove_dir(&instance);
                Err(refused(&e, "this kernel does not allow tracing of block requests"))
            }
        }
    }

    fn set_up(instance: &Path, names: HashMap<String, Name>) -> Result<Tracer, String> {
        let set = |file: &str, value: &str| {
            let path = instance.join(file);
            std::fs::write(&path, value).map_err(|e| format!("{}: {e}", path.display()))
        };
        set("trace_clock", "mono")?;
        set("buffer_size_kb", BUFFER_KIB)?;
        let path = instance.join("trace_pipe");
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits() as i32;
        let pipe = OpenOptions::new().read(true).custom_flags(nonblocking).open(&path);
        let pipe = pipe.map_err(|e| format!("{}: {e}", path.display()))?;
        for event in EVENTS {
            set(&format!("events/block/{event}/enable"), "1")?;
        }
        let wall = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let mono = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
        let to_wall = wall.as_nanos() as i64 - (mono.tv_sec * 1_000_000_000 + mono.tv_nsec);
        let instance = instance.to_path_buf();
        Ok(Tracer { instance, pipe, names, to_wall, rest: Vec::new(), lost: 0, stopped: false })
    }

    /// No more events; those in the buffer can still be taken.
    pub fn stop(&mut self) {
        if !self.stopped {
            let _ = std::fs::write(self.instance.join("tracing_on"), "0");
            self.stopped = true;
        }
    }

    /// Events that the kernel dropped because its buffer was full.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Takes what has come.
    pub fn take(&mut self, each: &mut dyn FnMut(&Event)) -> Result<()> {
        let mut buffer = [0u8; 1 << 16];
        loop {
            let n = match self.pipe.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => n,
                Err(e) if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::Interrupted) => break,
                Err(e) => return Err(Error::unexpected(format!("--trace: trace_pipe: {e}"))),
            };
            self.rest.extend_from_slice(&buffer[..n]);
            let whole = self.rest.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            let lines: Vec<u8> = self.rest.drain(..whole).collect();
            for line in String::from_utf8_lossy(&lines).lines() {
                if let Some(lost) = lost(line) {
                    self.lost += lost;
                } else if let Some(event) = parse(line, &self.names, self.to_wall) {
                    each(&event);
                }
            }
        }
        Ok(())
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        self.stop();
        for event in EVENTS {
            let _ = std::fs::write(self.instance.join(format!("events/block/{event}/enable")), "0");
        }
        // The instance can only go when nobody reads its pipe.
        if let Ok(null) = File::open("/dev/null") {
            self.pipe = null;
        }
        let _ = std::fs::remove_dir(&self.instance);
    }
}

/// `CPU:1 [LOST 4711 EVENTS]`
fn lost(line: &str) -> Option<u64> {
    line.split_once("[LOST ")?.1.split_once(' ')?.0.parse().ok()
}

/// `fio-7 [001] d..1. 12.345678: block_rq_issue: 8,0 R 4096 () 2048 + 8 none,0,0 [fio]`
fn parse(line: &str, names: &HashMap<String, Name>, to_wall: i64) -> Option<Event> {
    let (head, tail, action) = [(": block_rq_issue: ", Action::Issue), (": block_rq_complete: ", Action::Complete)]
        .into_iter()
        .find_map(|(mark, action)| line.split_once(mark).map(|(head, tail)| (head, tail, action)))?;
    let (seconds, fraction) = head.rsplit(' ').next()?.split_once('.')?;
    // Microseconds, or as many digits as the kernel prints.
    let ns = fraction.parse::<i64>().ok()?.checked_mul(10i64.checked_pow(9u32.checked_sub(fraction.len() as u32)?)?)?;
    let at = seconds.parse::<i64>().ok()?.checked_mul(1_000_000_000)?.checked_add(ns)?;
    let words: Vec<&str> = tail.split_ascii_whitespace().collect();
    let device = names.get(*words.first()?)?.clone();
    let kind = *words.get(1)?;
    let plus = words.iter().position(|w| *w == "+")?;
    let sector: u64 = words.get(plus.checked_sub(1)?)?.parse().ok()?;
    let sectors: u64 = words.get(plus + 1)?.parse().ok()?;
    let direction = match kind {
        k if k.contains('D') => Direction::Trim,
        k if k.contains('W') => Direction::Write,
        k if k.contains('R') => Direction::Read,
        k if k.contains('F') => Direction::Write,
        _ => return None,
    };
    Some(Event {
        at: at.checked_add(to_wall)?,
        device,
        action,
        direction,
        flush: kind.starts_with('F'),
        // The flush itself ends at sector -1, the write that asked for it at its own.
        offset: sector.checked_mul(512).or((sectors == 0).then_some(0))?,
        len: sectors.checked_mul(512)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_old_and_new_kernels() {
        let names = HashMap::from([("8,0".to_string(), Name::from("sda"))]);
        let check = |line: &str, expected: Option<(i64, Action, Direction, bool, u64, u64)>| {
            let found = parse(line, &names, 0).map(|e| (e.at, e.action, e.direction, e.flush, e.offset, e.len));
            assert_eq!(found, expected, "{line}");
        };
        let (issue, complete) = (Action::Issue, Action::Complete);
        let (read, write, trim) = (Direction::Read, Direction::Write, Direction::Trim);
        check(
            "             fio-7     [001] d..1.    12.345678: block_rq_issue: 8,0 R 4096 () 2048 + 8 [fio]",
            Some((12_345_678_000, issue, read, false, 1_048_576, 4_096)),
        );
        check(
            " kworker/0:1H-9 [000] d..2. 12.000001: block_rq_complete: 8,0 FWFS () 16 + 8 none,0,0 [0]",
            Some((12_000_001_000, complete, write, true, 8_192, 4_096)),
        );
        check(
            "a b-1 [0] d 1.5: block_rq_issue: 8,0 DS 0 () 0 + 16 [x]",
            Some((1_500_000_000, issue, trim, false, 0, 8_192)),
        );
        check(
            "a-1 [0] s 1.5: block_rq_complete: 8,0 FF () 18446744073709551615 + 0 none,0,0 [0]",
            Some((1_500_000_000, complete, write, true, 0, 0)),
        );
        check("a-1 [0] s 1.5: block_rq_complete: 8,0 R () 18446744073709551615 + 8 none,0,0 [0]", None);
        check("a-1 [0] d 1.5: block_rq_issue: 8,16 R 4096 () 8 + 8 [x]", None); // another device
        check("a-1 [0] d 1.5: block_rq_issue: 8,0 R", None);
        check("nonsense", None);
        assert_eq!(lost("CPU:1 [LOST 4711 EVENTS]"), Some(4_711));
    }
}
