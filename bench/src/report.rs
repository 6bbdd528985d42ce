//! From a recording to a page: what a person waits for, who has counters and wants to know which disks to buy.
//!
//! Every row is one call of `diskwright report` in a process of its own, on as many processors as there are: checklist, plan, proof, designs,
//! the recording simulated on the planned disks, the page. Files are read once before, and stay in memory.
//!
//! Ignores: disks; a browser that shows the page.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use diskwright_cli::exit::Exit;
use dw_workload::rng::Stream;
use nix::time::{ClockId, clock_gettime};

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::parsers::peak;

/// What is recorded, and how.
#[derive(Clone, Copy, Debug)]
struct Recording {
    tool: Tool,
    devices: u32,
    /// Seconds of it, and of an interval.
    lasts: u32,
    every: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    /// `iostat -xyt`, reads and writes apart.
    Iostat,
    /// `sar -d`, which has one rate for both.
    Sar,
}

const DAY: u32 = 86_400;
const THIRTY: Recording = Recording { tool: Tool::Iostat, devices: 30, lasts: DAY, every: 10 };

pub fn bench() -> Bench {
    let row = |name, goal: f64, run| {
        let target = Some(Target::Figure { goal, floor: f64::INFINITY });
        Row { name, unit: Unit::SecondsWaited, target, peer: None, run }
    };
    let memory = |name, goal, run| Row { unit: Unit::Megabytes, ..row(name, goal, run) };
    Bench {
        name: "report",
        is_for: "how long a whole report takes on the clock, and the memory of it",
        not_for: "the processor time of one thread: it uses all there are",
        rows: vec![
            row("built-in hour", 1.5, |_| waited(&["--example"])),
            row("a day at one minute, three volumes", 2.0, |size| recorded(size, 3, DAY, 60)),
            row("a month at one minute, three volumes", 2.5, |size| recorded(size, 3, 30 * DAY, 60)),
            row("15 minutes at one second, three volumes", 2.0, |size| recorded(size, 3, 900, 1)),
            row("a day at ten seconds, 30 devices", 4.0, |size| reported(size, THIRTY)),
            row("a day at ten seconds, 30 devices of sar", 4.0, |size| {
                reported(size, Recording { tool: Tool::Sar, ..THIRTY })
            }),
            memory("memory of a day at ten seconds, 30 devices", 150.0, |size| reported(size, THIRTY)),
        ],
    }
}

fn recorded(size: Size, devices: u32, lasts: u32, every: u32) -> Result<Sample, String> {
    reported(size, Recording { tool: Tool::Iostat, devices, lasts, every })
}

/// The report of such a recording.
fn reported(size: Size, recording: Recording) -> Result<Sample, String> {
    let recording = match size {
        Size::Tiny => Recording { devices: 2, lasts: 12 * recording.every, ..recording },
        Size::Real => recording,
    };
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("recording.txt");
    written(recording, &path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut args = vec![path.display().to_string()];
    for device in 0..recording.devices {
        let gib = [100, 250, 500, 64, 1_000, 128][device as usize % 6];
        args.extend(["--capacity".to_string(), format!("{}={gib}GiB", name(device))]);
    }
    waited(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A day of three volumes and an idle one, `sdb`, at one minute.
pub fn write_day(path: &Path) -> std::io::Result<()> {
    written(Recording { tool: Tool::Iostat, devices: 4, lasts: DAY, every: 60 }, path)
}

/// One call of the program in a process of its own; under test in this one, which is the test's and knows no such option.
fn waited(args: &[&str]) -> Result<Sample, String> {
    let args = args.iter().map(|arg| (*arg).to_string()).collect::<Vec<_>>();
    if cfg!(test) {
        return once(&args);
    }
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let output = Command::new(this).arg("--report").args(args).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    read(&text).ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Calls the program in this process: the time on the clock, and the largest memory.
pub fn once(args: &[String]) -> Result<Sample, String> {
    let page = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let own = ["diskwright", "report", "--quiet", "--output"].map(String::from).into_iter();
    let args = own.chain([page.path().display().to_string()]).chain(args.iter().cloned()).collect();
    let begun = Instant::now();
    let exit = diskwright_cli::run(args, &mut Vec::new());
    let time = begun.elapsed();
    // The page is a new file in the place of this one.
    let length = std::fs::metadata(page.path()).map_err(|e| e.to_string())?.len();
    if exit != Exit::Ok || length == 0 {
        return Err("`diskwright report` failed".into());
    }
    Ok(Sample { work: 1, time, amount: peak()? })
}

/// What `read` reads, with the processor time of this process.
pub fn told(sample: &Sample) -> String {
    let of_process = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map(Duration::from).unwrap_or_default();
    format!(
        "{} s on the clock, {} s of processors, {} bytes",
        sample.time.as_secs_f64(),
        of_process.as_secs_f64(),
        sample.amount
    )
}

fn read(text: &str) -> Option<Sample> {
    let mut numbers = text.split(", ").filter_map(|part| part.trim().split(' ').next()?.parse::<f64>().ok());
    let (waited, _, amount) = (numbers.next()?, numbers.next()?, numbers.next()?);
    Some(Sample { work: 1, time: Duration::try_from_secs_f64(waited).ok()?, amount })
}

/// `sdb` to `sdz`, then `sdaa`: `sda` would be taken for the disk of the system.
fn name(device: u32) -> String {
    let letter = |place: u32| char::from(b'a' + (place % 26) as u8);
    match device + 1 {
        place @ 0..26 => format!("sd{}", letter(place)),
        place => format!("sd{}{}", letter(place / 26 - 1), letter(place)),
    }
}

/// Reads and writes a second of a device, and their size in KiB: idle, steady, a wave over the day, bursts, a batch at night, a log.
struct Load {
    kind: u32,
    scale: f64,
    kib: f64,
}

impl Load {
    fn drawn(device: u32, rng: &mut Stream) -> Load {
        Load { kind: device % 6, scale: 0.3 + 1.7 * share(rng), kib: [4.0, 8.0, 16.0, 64.0][rng.below(4) as usize] }
    }

    fn at(&self, second: u32, rng: &mut Stream) -> [f64; 2] {
        let wave = 0.5 - 0.5 * libm::cos(f64::from(second) * std::f64::consts::TAU / f64::from(DAY));
        let of = |reads: f64, writes: f64| [reads * self.scale, writes * self.scale];
        let rates = match self.kind {
            0 => [0.02, 0.4],
            1 => of(300.0, 120.0),
            2 => of(80.0 + 900.0 * wave, 40.0 + 300.0 * wave),
            3 if rng.below(100) == 0 => of(3_000.0, 1_500.0),
            3 => [30.0, 20.0],
            4 if second % DAY < DAY / 12 => of(1_200.0, 100.0),
            4 => [5.0, 9.0],
            _ => of(1.0, 250.0 * (0.3 + wave)),
        };
        rates.map(|rate| rate * (0.8 + 0.4 * share(rng)))
    }
}

/// From zero to one.
fn share(rng: &mut Stream) -> f64 {
    rng.below(1 << 20) as f64 / f64::from(1 << 20)
}

fn written(recording: Recording, path: &Path) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    let mut rng = Stream::new(39, 0);
    let loads: Vec<Load> = (0..recording.devices).map(|device| Load::drawn(device, &mut rng)).collect();
    match recording.tool {
        Tool::Iostat => writeln!(out, "Linux 6.1.0-18-amd64 (db) \t11/01/2026 \t_x86_64_\t(16 CPU)\n")?,
        Tool::Sar => writeln!(out, "Linux 6.1.0-18-amd64 (db) \t2026-11-01 \t_x86_64_\t(16 CPU)\n")?,
    }
    for interval in 0..recording.lasts / recording.every {
        let second = interval * recording.every;
        let end = second + recording.every;
        let clock = format!("{:02}:{:02}:{:02}", end / 3_600 % 24, end / 60 % 60, end % 60);
        if recording.tool == Tool::Iostat {
            writeln!(out, "2026-11-{:02}T{clock}+0000\n{IOSTAT}", 1 + end / DAY)?;
        } else if interval % 20 == 0 {
            writeln!(
                out,
                "\n{clock}          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util"
            )?;
        }
        for (device, load) in loads.iter().enumerate() {
            let ([reads, writes], kib, name) = (load.at(second, &mut rng), load.kib, name(device as u32));
            let (read_kib, write_kib, depth) = (reads * kib, writes * kib, (reads * 0.8 + writes * 1.1) / 1e3);
            match recording.tool {
                Tool::Iostat => writeln!(
                    out,
                    "{name:<10} {reads:8.2} {read_kib:10.2}     0.00   0.00    0.80 {kib:8.2} {writes:8.2} {write_kib:10.2}     0.00   0.00    \
                     1.10 {kib:8.2}    0.00      0.00     0.00   0.00    0.00     0.00    0.00    0.00 {depth:6.2}  12.00"
                )?,
                Tool::Sar => writeln!(
                    out,
                    "{clock}       {name:>6} {:9.2} {read_kib:9.2} {write_kib:9.2}      0.00 {kib:9.2} {depth:9.2}      1.00     12.00",
                    reads + writes
                )?,
            }
        }
        if recording.tool == Tool::Iostat {
            writeln!(out)?;
        }
    }
    out.flush()
}

/// The head of a report of iostat.
const IOSTAT: &str = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle
          20.10    0.00    5.00    2.00    0.00   72.90

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_comes_to_a_page() {
        for row in bench().rows {
            let sample = (row.run)(Size::Tiny).unwrap_or_else(|e| panic!("{}: {e}", row.name));
            assert!(sample.figure(row.unit) > 0.0, "{}", row.name);
            assert_eq!(read(&told(&sample)).map(|read| read.work), Some(1));
        }
    }

    #[test]
    fn devices_are_called_as_linux_does() {
        for (device, expected) in [(0, "sdb"), (24, "sdz"), (25, "sdaa"), (29, "sdae")] {
            assert_eq!(name(device), expected);
        }
    }
}
