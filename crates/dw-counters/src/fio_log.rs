//! What fio's `write_bw_log`, `write_iops_log` and `write_lat_log` leave.
//!
//! `milliseconds, value, direction, block size[, offset[, priority]]`; the name of the file says what the value is:
//! `*_bw.1.log` KiB a second, `*_iops.1.log` I/Os per second, `*_lat.1.log` and `*_clat.1.log` nanoseconds (fio 3). With
//! `log_avg_msec` a line is the mean of a window, and its block size zero; without, it is one I/O, with its size. A direction
//! without a line in a window had no I/O in it. A window ends at a multiple of its length, and is written when the first I/O behind
//! that ends, or a loaded machine comes to it: its line is up to a window late, and of several jobs each at its own time.
//!
//! Each kind is a recording of its own: files of several kinds of one run are read one at a time.
//!
//! Source: fio's HOWTO, "Log File Formats"; measured with fio 3.33.
//!
//! Ignores: `*_slat`, the time until an I/O was handed over, and percentiles of `write_hist_log`: refused.

use dw_observe::{Action, Common, DiskInterval, Fact, IoEvent, Name, Reading, Role, Stamp};
use dw_units::{Bytes, Duration, Throughput};
use dw_workload::Direction;

use super::CounterError;
use super::error::shown;
use super::input::Lines;
use super::number::whole;
use super::out::Out;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Throughput,
    Iops,
    Latency,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    ms: u64,
    value: u64,
    direction: Direction,
    size: u64,
    offset: Option<u64>,
}

/// Whether the first lines are of such a log.
pub(super) fn is_log(start: &[u8]) -> bool {
    let mut first = start.split(|&b| b == b'\n').filter(|line| !line.trim_ascii().is_empty()).take(3).peekable();
    first.peek().is_some() && first.all(|line| line.contains(&b',') && parse(line).is_some())
}

fn parse(line: &[u8]) -> Option<Line> {
    let cells: Vec<&[u8]> = line.split(|&b| b == b',').map(<[u8]>::trim_ascii).collect();
    let [ms, value, direction, rest @ ..] = cells.as_slice() else { return None };
    if rest.len() > 5 {
        return None;
    }
    let direction = match *direction {
        b"0" => Direction::Read,
        b"1" => Direction::Write,
        b"2" => Direction::Trim,
        _ => return None,
    };
    let size = rest.first().map_or(Some(0), |size| whole(size))?;
    let offset = match rest.get(1) {
        Some(offset) => Some(whole(offset)?),
        None => None,
    };
    Some(Line { ms: whole(ms)?, value: whole(value)?, direction, size, offset })
}

/// `randread_lat.1.log`: latency of the first job of `randread`.
fn kind_of(file: &str) -> Option<(Option<Kind>, String)> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let kinds = [
        ("bw", Some(Kind::Throughput)),
        ("iops", Some(Kind::Iops)),
        ("clat", Some(Kind::Latency)),
        ("slat", None),
        ("lat", Some(Kind::Latency)),
    ];
    kinds.into_iter().find_map(|(word, kind)| {
        let at = name.rfind(&format!("_{word}.")).or_else(|| name.starts_with(&format!("{word}.")).then_some(0))?;
        let rest = name[at..].trim_start_matches('_').strip_prefix(word)?.trim_start_matches('.');
        let job = rest.strip_suffix(".log").filter(|job| whole(job.as_bytes()).is_some());
        let before = if at == 0 { "fio" } else { &name[..at] };
        Some((kind, job.map_or(before.to_string(), |job| format!("{before}.{job}"))))
    })
}

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, head: &[u8], out: &mut Out<'_>) -> Result<(), CounterError> {
    let Some((kind, job)) = kind_of(out.options.name) else {
        let hint =
            "fio names it `JOB_bw.1.log`, `JOB_iops.1.log`, `JOB_lat.1.log` or `JOB_clat.1.log`; restore that name";
        return Err(out.error(1, "this is a fio log, but its name does not show its kind", hint));
    };
    let Some(kind) = kind else {
        let hint = "the latency logs are `JOB_lat.1.log` and `JOB_clat.1.log`";
        return Err(out.error(1, "this log has submission latencies, which do not depend on the disks", hint));
    };
    let mut common = Common::at(Stamp::Since { ns: 0 });
    let tool = match kind {
        Kind::Throughput => "fio bandwidth log",
        Kind::Iops => "fio IOPS log",
        Kind::Latency => "fio latency log",
    };
    out.fact(1, &common, Fact::Tool(tool.into()));
    let device = out.name(job.as_bytes());
    let mut grid = Grid { width: width(head), last: 0 };
    let mut window: Option<Window> = None;
    while lines.advance()? {
        let number = lines.number();
        if lines.bytes().trim_ascii().is_empty() {
            continue;
        }
        let Some(line) = parse(lines.bytes()) else {
            out.damaged(lines, format_args!("`{}` is not a line of a fio log", shown(lines.bytes())))?;
            continue;
        };
        if line.size > 0 {
            common.stamp = Stamp::Since { ns: line.ms.saturating_mul(1_000_000) };
            let latency = (kind == Kind::Latency).then(|| Duration::from_ns(line.value));
            let event = IoEvent {
                action: Action::Complete,
                direction: line.direction,
                flush: false,
                offset: line.offset,
                len: Bytes::new(line.size),
                latency,
            };
            out.take(number, &common, Reading::Io { device: device.clone(), event });
            continue;
        }
        if window.as_ref().is_some_and(|window| window.ends_before(&line)) {
            window.take().into_iter().try_for_each(|w| w.put(kind, &mut grid, &device, &mut common, out))?;
        }
        window.get_or_insert(Window { number, ms: line.ms, values: [None; 3] }).values[line.direction as usize] =
            Some(line.value);
    }
    window.into_iter().try_for_each(|w| w.put(kind, &mut grid, &device, &mut common, out))
}

/// Lengths of windows that people ask for, in milliseconds.
const USUAL: [u64; 18] =
    [10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 3_000, 4_000, 5_000, 10_000, 15_000, 30_000, 60_000];

/// The length of the windows of a log, by what it begins with; none where it has fewer than two.
fn width(head: &[u8]) -> Option<u64> {
    let mut last = [None; 3];
    let mut steps: Vec<u64> = Vec::new();
    for line in head.split(|&b| b == b'\n').filter_map(parse).filter(|line| line.size == 0) {
        let before = last[line.direction as usize].replace(line.ms);
        steps.extend(before.map(|before| line.ms.saturating_sub(before)).filter(|step| *step > 0));
    }
    steps.sort_unstable();
    let median = *steps.get(steps.len() / 2)?;
    // Of few I/Os the lines come early and late in turn; windows without any are passed over.
    let near: Vec<u64> = steps.into_iter().filter(|step| *step / 2 <= median / 2 + median / 20).collect();
    let sum: u64 = near.iter().fold(0, |sum, step| step.saturating_add(sum));
    let mean = sum / near.len() as u64;
    let usual = |step: u64| USUAL.into_iter().find(|usual| step.abs_diff(*usual) <= *usual / 20);
    Some(usual(median).or(usual(mean)).unwrap_or(mean)).filter(|width| *width > 0)
}

/// Where windows end.
struct Grid {
    width: Option<u64>,
    last: u64,
}

impl Grid {
    /// The end of the window that was written at this time. A second line of the same window, at the end of a run, keeps its own.
    fn end(&mut self, ms: u64) -> u64 {
        let Some(width) = self.width else { return ms };
        // Timers are early by a little, too.
        let end = ms.saturating_add(10.min(width / 10)) / width * width;
        if end <= self.last {
            return ms;
        }
        self.last = end;
        end
    }
}

/// Lines of one instant.
struct Window {
    number: u64,
    ms: u64,
    values: [Option<u64>; 3],
}

impl Window {
    /// Whether the line is of the next window: its direction was there already, or its time is another. The windows of reads and
    /// writes end some milliseconds apart.
    fn ends_before(&self, line: &Line) -> bool {
        self.values[line.direction as usize].is_some() || line.ms.abs_diff(self.ms) > 100
    }

    fn put(
        self,
        kind: Kind,
        grid: &mut Grid,
        device: &Name,
        common: &mut Common,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        let ms = grid.end(self.ms);
        common.stamp = Stamp::Since { ns: ms.saturating_mul(1_000_000) };
        out.stamp(self.number, common.stamp)?;
        let [read, write, trim] = self.values;
        let rate = |value: Option<u64>| Some(value.unwrap_or(0) as f64);
        let bytes = |value: Option<u64>| Some(Throughput::bytes_per_second(value.unwrap_or(0).saturating_mul(1024)));
        let mut disk = DiskInterval::default();
        match kind {
            Kind::Iops => {
                (disk.reads_per_s, disk.writes_per_s) = (rate(read), rate(write));
                disk.discards_per_s = trim.map(|value| value as f64);
            }
            Kind::Throughput => {
                (disk.read_throughput, disk.write_throughput) = (bytes(read), bytes(write));
                disk.discard_throughput = trim.and_then(|value| bytes(Some(value)));
            }
            Kind::Latency => {
                let time = |value: Option<u64>| value.map(Duration::from_ns);
                (disk.read_latency, disk.write_latency, disk.discard_latency) = (time(read), time(write), time(trim));
            }
        }
        out.take(self.number, common, Reading::Disk { device: device.clone(), role: Role::Disk, disk });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_log_says_what_it_holds() {
        let cases = [
            ("randread_bw.1.log", Some((Some(Kind::Throughput), "randread.1"))),
            ("out/db_write_iops.12.log", Some((Some(Kind::Iops), "db_write.12"))),
            ("x_lat.1.log", Some((Some(Kind::Latency), "x.1"))),
            ("x_clat.log", Some((Some(Kind::Latency), "x"))),
            ("x_slat.1.log", Some((None, "x.1"))),
            ("bw.log", Some((Some(Kind::Throughput), "fio"))),
            ("numbers.csv", None),
        ];
        for (file, expected) in cases {
            assert_eq!(kind_of(file), expected.map(|(kind, job)| (kind, job.to_string())), "{file}");
        }
    }

    #[test]
    fn lines_are_put_where_their_windows_end() {
        // (lines, the length of their windows, their ends)
        let cases: [(&[u64], Option<u64>, &[u64]); 9] = [
            (&[500, 1_000, 1_501, 2_000], Some(500), &[500, 1_000, 1_500, 2_000]),
            (&[499, 998, 1_500], Some(500), &[500, 1_000, 1_500]),
            // A loaded machine.
            (&[1_038, 2_071, 3_012, 4_090], Some(1_000), &[1_000, 2_000, 3_000, 4_000]),
            // Few I/Os: measured with fio 3.33 at 3 reads per second.
            (&[666, 1_000, 1_667, 2_001, 2_666], Some(500), &[500, 1_000, 1_500, 2_000, 2_500]),
            // fio 2 carries its lateness on; in time a window is passed over.
            (&[104, 208, 312, 416, 520], Some(100), &[100, 200, 300, 400, 500]),
            // An idle window, and one that was cut.
            (&[100, 200, 500, 600, 640], Some(100), &[100, 200, 500, 600, 640]),
            (&[700, 1_400, 2_101], Some(700), &[700, 1_400, 2_100]),
            (&[730], None, &[730]),
            (&[0, u64::MAX], Some(u64::MAX), &[0, u64::MAX]),
        ];
        for (lines, expected, ends) in cases {
            let text: String = lines.iter().map(|ms| format!("{ms}, 9, 0, 0\n")).collect();
            let width = width(text.as_bytes());
            let mut grid = Grid { width, last: 0 };
            let found: Vec<u64> = lines.iter().map(|ms| grid.end(*ms)).collect();
            assert_eq!((width, found.as_slice()), (expected, ends), "{lines:?}");
        }
        assert_eq!(width(b"0, 93811, 0, 4096\n1, 93811, 0, 4096\n"), None);
    }

    #[test]
    fn a_line_is_three_to_eight_whole_numbers() {
        assert!(is_log(b"500, 1024, 0, 0, 0\n1000, 1024, 1, 0, 0\n"));
        assert!(is_log(b"1, 93811, 0, 4096\n"));
        assert!(is_log(b"1, 93811, 0, 4096, 8192, 0x0000\n"));
        for other in [&b"1,2\n"[..], b"1, 2, 3, 4\n", b"a, 2, 0, 4\n", b"\n", b"1 2 0 4\n", b"1.5, 2, 0, 4\n"] {
            assert!(!is_log(other), "{}", String::from_utf8_lossy(other));
        }
    }
}
