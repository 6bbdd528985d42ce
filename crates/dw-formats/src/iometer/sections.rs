//! Keys and values to a setup.
//!
//! A key's line begins with `'`, values follow on lines of their own; a line that begins with `'` and a blank names columns.
//! Case does not matter, nor do line ends, nor blanks at either end. What a value means is decided here, what it comes to in
//! `build.rs`.

use std::sync::Arc;

use crate::assembly::{Assembly, Origin};
use crate::fio::report::Place;

/// What sections begin with.
pub(crate) const SECTIONS: [&str; 3] = ["'test setup", "'access specifications", "'manager list"];

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub run_s: u64,
    pub run_origin: Origin,
    pub ramp_s: u64,
    pub queue: Option<Cycle>,
    /// Of the targets of each worker, so many in the first run, more in the next.
    pub targets: Option<Cycle>,
    /// Name of the test type, when it is one that is not expanded here.
    pub test_type: Option<(String, Origin)>,
    pub specs: Vec<Spec>,
    pub workers: Vec<Worker>,
    /// The first line.
    pub origin: Origin,
}

/// Steps of the queue depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cycle {
    pub start: u64,
    pub end: u64,
    pub step: u64,
    pub exponential: bool,
}

/// The cyclings that a file describes, whether its test type uses them or not.
#[derive(Clone, Copy, Debug, Default)]
struct Cycles {
    queue: Option<Cycle>,
    targets: Option<Cycle>,
}

/// An access specification.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    pub name: String,
    /// For workers that are assigned nothing.
    pub default: bool,
    pub lines: Vec<Access>,
    pub origin: Origin,
}

/// A line of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    pub size: u64,
    pub share: u8,
    pub reads: u8,
    pub random: u8,
    pub delay_ms: u64,
    pub burst: u32,
    pub align: u64,
    pub reply: u64,
    pub origin: Origin,
}

#[derive(Clone, Debug)]
pub(crate) struct Worker {
    pub name: String,
    pub disk: bool,
    pub outstanding: u64,
    pub reopens: bool,
    /// In sectors of 512 bytes; a size of 0 is all.
    pub sectors: u64,
    pub first_sector: u64,
    pub specs: Vec<(String, Origin)>,
    pub targets: Vec<(String, Origin)>,
    pub origin: Origin,
}

/// Reads a file; faults are in `out`.
pub(crate) fn read(name: &str, text: &str, out: &mut Assembly) -> Setup {
    let file: Arc<str> = Arc::from(name);
    let lines: Vec<(usize, &str)> =
        (1..).zip(text.trim_start_matches('\u{feff}').lines()).map(|(n, line)| (n, line.trim_end())).collect();
    let origin = |line: usize, text: &str| Origin {
        place: Place { file: file.clone(), line },
        text: text.trim().chars().take(80).collect(),
    };
    let first = origin(1, lines.first().map_or("", |l| l.1));
    let mut setup = Setup {
        run_s: 0,
        run_origin: first.clone(),
        ramp_s: 0,
        queue: None,
        targets: None,
        test_type: None,
        specs: Vec::new(),
        workers: Vec::new(),
        origin: first,
    };
    let mut key = (1, String::new());
    let mut cycle = Cycles::default();
    for (number, line) in lines {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.to_ascii_lowercase().starts_with("version") && !trimmed.starts_with('\'') {
            continue;
        }
        if let Some(rest) = trimmed.strip_prefix('\'') {
            if rest.starts_with(char::is_whitespace) {
                continue;
            }
            key = (number, rest.trim().to_ascii_lowercase());
            if key.1 == "target assignments" {
                setup.workers.iter_mut().last().into_iter().for_each(|w| w.targets.clear());
            }
            continue;
        }
        let at = origin(number, trimmed);
        setup.value(&key.1, trimmed, at, &mut cycle, out);
    }
    let cycles = |kind: &str| match kind {
        "CYCLE_OUTSTANDING_IOS" => Some((true, false)),
        "CYCLE_TARGETS" => Some((false, true)),
        "CYCLE_OUTSTANDING_IOS_AND_TARGETS" => Some((true, true)),
        _ => None,
    };
    if let Some((kind, at)) = setup.test_type.take_if(|(kind, _)| cycles(kind).is_some()) {
        let (queue, targets) = cycles(&kind).unwrap_or_default();
        setup.queue = cycle.queue.filter(|_| queue);
        setup.targets = cycle.targets.filter(|_| targets);
        if queue && setup.queue.is_none() {
            out.fail(
                &at,
                "cycles the outstanding I/Os, but there is no `Queue Depth Cycling`",
                "add start, end and step",
            );
        }
        if targets && setup.targets.is_none() {
            out.fail(&at, "cycles the targets, but there is no `Disk Cycling`", "add start and step");
        }
    }
    setup
}

impl Setup {
    fn value(&mut self, key: &str, text: &str, at: Origin, cycle: &mut Cycles, out: &mut Assembly) {
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = |n: usize, out: &mut Assembly| {
            let found = fields.get(n).and_then(|f| f.parse::<u64>().ok());
            if found.is_none() {
                let what = format!("has no whole number in column {}", n + 1);
                out.fail(&at, what, "correct it, or save the file with Iometer again");
            }
            found.unwrap_or_default()
        };
        match key {
            "run time" => {
                let parts: Vec<Option<u64>> = text.split_whitespace().map(|part| part.parse().ok()).collect();
                match parts[..] {
                    [Some(h), Some(m), Some(s)] if h <= 100_000 && m <= 6_000_000 && s <= 360_000_000 => {
                        self.run_s = h * 3_600 + m * 60 + s;
                    }
                    _ => out.fail(&at, "is not a run time", "write hours, minutes and seconds"),
                }
                self.run_origin = at;
            }
            key if key.starts_with("ramp up time") => self.ramp_s = number(0, out).min(360_000_000),
            "queue depth cycling" => {
                let words: Vec<&str> = text.split_whitespace().collect();
                let n = |at: usize| words.get(at).and_then(|w| w.parse::<u64>().ok());
                match (n(0), n(1), n(2), words.get(3)) {
                    (Some(start), Some(end), Some(step), kind) if start > 0 => {
                        let exponential = kind.is_some_and(|kind| kind.eq_ignore_ascii_case("EXPONENTIAL"));
                        cycle.queue = Some(Cycle { start, end, step, exponential });
                    }
                    _ => out.fail(&at, "is not a cycling", "write start, end, step and LINEAR or EXPONENTIAL"),
                }
            }
            "disk cycling" => {
                let words: Vec<&str> = text.split_whitespace().collect();
                let n = |at: usize| words.get(at).and_then(|w| w.parse::<u64>().ok());
                match (n(0), n(1), words.get(2)) {
                    (Some(start), Some(step), kind) if start > 0 => {
                        let exponential = kind.is_some_and(|kind| kind.eq_ignore_ascii_case("EXPONENTIAL"));
                        cycle.targets = Some(Cycle { start, end: u64::MAX, step, exponential });
                    }
                    _ => out.fail(&at, "is not a cycling", "write start, step and LINEAR or EXPONENTIAL"),
                }
            }
            "test type" if !text.eq_ignore_ascii_case("NORMAL") => {
                self.test_type = Some((text.to_ascii_uppercase(), at));
            }
            "access specification name,default assignment" => {
                let (name, default) = text.rsplit_once(',').unwrap_or((text, "NONE"));
                let default = default.trim();
                let default = matches!(default.to_ascii_uppercase().as_str(), "ALL" | "DISK" | "1" | "2");
                // A name that comes again replaces the one before.
                self.specs.retain(|spec| spec.name != name.trim());
                self.specs.push(Spec { name: name.trim().into(), default, lines: Vec::new(), origin: at });
            }
            key if key.starts_with("size,% of size") => {
                if fields.len() < 8 {
                    let what = format!("has {} columns of 8", fields.len());
                    return out.fail(
                        &at,
                        what,
                        "write size, % of requests, % reads, % random, delay, burst, align, reply",
                    );
                }
                let percent = |n: usize, out: &mut Assembly| match number(n, out) {
                    percent @ 0..=100 => percent as u8,
                    percent => {
                        out.fail(&at, format!("has {percent} % in column {}", n + 1), "write 0 to 100");
                        0
                    }
                };
                let (share, reads, random) = (percent(1, out), percent(2, out), percent(3, out));
                let (size, delay_ms, align, reply) = (number(0, out), number(4, out), number(6, out), number(7, out));
                let burst = u32::try_from(number(5, out)).unwrap_or(u32::MAX).max(1);
                let delay_ms = delay_ms.min(u64::from(u32::MAX));
                let access = Access { size, share, reads, random, delay_ms, burst, align, reply, origin: at.clone() };
                match self.specs.last_mut() {
                    Some(spec) => spec.lines.push(access),
                    None => out.fail(&at, "belongs to no access specification", "put its name before it"),
                }
            }
            "worker" => self.workers.push(Worker {
                name: text.into(),
                disk: true,
                outstanding: 1,
                reopens: false,
                sectors: 0,
                first_sector: 0,
                specs: Vec::new(),
                targets: Vec::new(),
                origin: at,
            }),
            _ => self.of_worker(key, text, at, out),
        }
    }

    fn of_worker(&mut self, key: &str, text: &str, at: Origin, out: &mut Assembly) {
        let Some(worker) = self.workers.last_mut() else { return };
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let mut number = |n: usize| {
            let found = fields.get(n).and_then(|f| f.parse::<u64>().ok());
            if found.is_none() {
                let what = format!("has no whole number in column {}", n + 1);
                out.fail(&at, what, "correct it, or save the file with Iometer again");
            }
            found.unwrap_or_default()
        };
        match key {
            "worker type" => worker.disk = text.eq_ignore_ascii_case("DISK"),
            key if key.starts_with("number of outstanding ios") => {
                worker.outstanding = number(0);
                worker.reopens = fields.get(1).is_some_and(|f| f.eq_ignore_ascii_case("ENABLED"));
            }
            key if key.starts_with("disk maximum size,starting sector") => {
                (worker.sectors, worker.first_sector) = (number(0), number(1));
            }
            "assigned access specs" => worker.specs.push((text.into(), at)),
            "target" => worker.targets.push((text.into(), at)),
            _ => {}
        }
    }
}

impl Cycle {
    /// The depths, one after the other.
    pub(crate) fn depths(&self) -> Vec<u64> {
        let mut list = Vec::new();
        let mut depth = self.start;
        while depth <= self.end && list.len() < 1_000 {
            list.push(depth);
            // A factor of 1 counts as a step of 1.
            let exponential = self.exponential && self.step != 1;
            let next = if exponential { depth.saturating_mul(self.step) } else { depth.saturating_add(self.step) };
            if next <= depth {
                break;
            }
            depth = next;
        }
        list
    }
}
