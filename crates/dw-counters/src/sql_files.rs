//! File statistics of SQL Server (`sys.dm_io_virtual_file_stats`) as CSV: counters that grow since the server started, a row a file.
//!
//! Columns are known by their names in the view; the time is the column that somebody put beside them (`SYSDATETIME()`), else the view's
//! own `sample_ms`, else snapshots are told apart by files that come again. Files of a drive (`F:`, or a folder on Linux) are added up:
//! a drive is what a plan is made of. Without the names of files each is a device of its own. Stalls are the time that requests took, in
//! milliseconds.
//!
//! What grows is each file: one that comes or goes between two snapshots (a database restored, created or detached) adds or takes
//! nothing but its growth, as its count is of its whole life.
//!
//! One snapshot says nothing per second, and is refused with what to do.
//!
//! Source: the documentation of `sys.dm_io_virtual_file_stats`.
//!
//! Ignores: the queued part of stalls, sizes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use dw_observe::{Common, DiskCounters, Fact, Name, Reading, Role, Stamp};

use super::CounterError;
use super::error::shown;
use super::number::{decimal, from_zero};
use super::out::{MOST_JOINED, Out};
use super::rows::Rows;
use super::stamp::Stamps;

const FIGURES: [&str; 6] = [
    "num_of_reads",
    "num_of_bytes_read",
    "io_stall_read_ms",
    "num_of_writes",
    "num_of_bytes_written",
    "io_stall_write_ms",
];

/// Whether a line heads such a table.
pub(super) fn is_header(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&line[..line.len().min(2_000)]).to_ascii_lowercase();
    let cells: Vec<&str> = text.split([',', ';', '\t', '|']).map(|cell| cell.trim().trim_matches('"')).collect();
    ["num_of_reads", "num_of_writes"].iter().all(|name| cells.contains(name))
}

struct Columns {
    time: Option<usize>,
    sample_ms: Option<usize>,
    path: Option<usize>,
    names: Vec<usize>,
    figures: [Option<usize>; 6],
    width: usize,
}

impl Columns {
    fn from_header(row: &[String]) -> Columns {
        let of = |name: &str| row.iter().position(|cell| cell.eq_ignore_ascii_case(name));
        let any = |names: &[&str]| names.iter().find_map(|name| of(name));
        let is_time = |cell: &String| {
            let cell = cell.to_ascii_lowercase();
            cell.contains("time") && !cell.starts_with("io_stall") || cell.ends_with("date") || cell == "ts"
        };
        let databases = any(&["database_name", "db_name", "database", "DBName", "database_id"]);
        let files = any(&["logical_name", "file_name", "logical_file_name", "name", "file_id"]);
        Columns {
            time: row.iter().position(is_time),
            sample_ms: of("sample_ms"),
            path: any(&["physical_name", "physical_file_name", "filename", "file_path", "drive", "volume_mount_point"]),
            names: databases.into_iter().chain(files).collect(),
            figures: FIGURES.map(of),
            width: row.len(),
        }
    }
}

/// The drive, disk group (`+DATA`) or folder of a file. Windows takes `f:` for `F:`.
pub(super) fn drive(path: &str) -> String {
    match path.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => path[..2].to_ascii_uppercase(),
        [b'+', ..] => path.split('/').next().unwrap_or(path).into(),
        _ => path.rsplit_once('/').map_or(path, |(folder, _)| if folder.is_empty() { "/" } else { folder }).into(),
    }
}

/// Counters of a file, in the order of [`FIGURES`].
type Figures = [Option<f64>; 6];

/// One query of the view: its first line, its time, and the files of each device.
struct Snapshot {
    line: u64,
    stamp: Stamp,
    devices: BTreeMap<Name, BTreeMap<String, Figures>>,
}

/// A device from snapshot to snapshot.
#[derive(Default)]
struct Growing {
    /// What its files had when each was last seen.
    files: BTreeMap<String, Figures>,
    sum: Option<Figures>,
}

impl Growing {
    /// The sum after a snapshot: what files have that were there before has grown. Where all of them have fallen, SQL Server began
    /// again, and so does the sum.
    fn after(&mut self, files: BTreeMap<String, Figures>) -> Figures {
        let falls = |old: &Figures, new: &Figures| {
            old.iter().zip(new).any(|(old, new)| old.zip(*new).is_some_and(|(old, new)| new < old))
        };
        let added = |sum: Figures, by: &Figures, sign: f64| -> Figures {
            std::array::from_fn(|n| by[n].map_or(sum[n], |by| Some(sum[n].unwrap_or(0.0) + sign * by)))
        };
        let (mut fallen, mut again) = ([None; 6], false);
        let first = self.sum.is_none();
        let mut sum = self.sum.unwrap_or_default();
        let mut goes_on = first;
        for (file, new) in files {
            match self.files.insert(file, new) {
                None if first => sum = added(sum, &new, 1.0),
                None => {}
                Some(old) if falls(&old, &new) => (fallen, again) = (added(fallen, &new, 1.0), true),
                Some(old) => (sum, goes_on) = (added(added(sum, &new, 1.0), &old, -1.0), true),
            }
        }
        if again && !goes_on {
            sum = fallen;
        }
        *self.sum.insert(sum)
    }
}

fn counters([reads, read_bytes, read_ms, writes, write_bytes, write_ms]: Figures) -> DiskCounters {
    let ns = |ms: f64| ms * 1e6;
    DiskCounters {
        reads,
        read_bytes,
        read_time_ns: read_ms.map(ns),
        writes,
        write_bytes,
        write_time_ns: write_ms.map(ns),
        ..DiskCounters::default()
    }
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let header = head.split(|&b| b == b'\n').find(|line| is_header(line)).unwrap_or_default();
    let delimiter = *header.iter().find(|b| matches!(b, b',' | b';' | b'\t' | b'|')).unwrap_or(&b',');
    let mut rows = Rows::new(input, head, delimiter);
    let mut stamps = Stamps::default();
    let mut columns: Option<Columns> = None;
    let mut snapshots: BTreeMap<i64, Snapshot> = BTreeMap::new();
    let (mut here, mut count) = (BTreeSet::new(), 0);
    let mut joined = 0;
    while rows.advance(out)? {
        let (line, row) = (rows.line(), rows.cells());
        let is_head = row.iter().any(|cell| cell.eq_ignore_ascii_case("num_of_reads"));
        if is_head {
            columns = Some(Columns::from_header(&row));
            continue;
        }
        let Some(columns) = &columns else { continue };
        // Empty lines, the rule of `sqlcmd` below its header, and its `(6 rows affected)`.
        let ruled = row.iter().all(|cell| cell.chars().all(|c| c == '-'));
        if ruled || row.len() == 1 && row[0].starts_with('(') {
            continue;
        }
        if row.len() != columns.width {
            let what = format!("{} columns where the header has {}", row.len(), columns.width);
            out.unused(line, what)?;
            continue;
        }
        let mut figures = [None; 6];
        let mut wrong = None;
        for (figure, at) in figures.iter_mut().zip(columns.figures) {
            let Some(cell) = at.map(|at| row[at].as_str()).filter(|cell| !cell.is_empty() && *cell != "NULL") else {
                continue;
            };
            *figure = from_zero(decimal(cell.as_bytes()));
            if figure.is_none() {
                wrong = Some(format!("`{}` is not a number from zero", shown(cell.as_bytes())));
            }
        }
        if let Some(what) = wrong {
            out.unused(line, what)?;
            continue;
        }
        let file = columns.names.iter().map(|&at| row[at].as_str()).collect::<Vec<_>>().join(".");
        let path = columns.path.map(|at| row[at].as_str()).filter(|path| !path.is_empty());
        let device = path.map_or_else(|| file.clone(), drive);
        let stamp = match (columns.time, columns.sample_ms) {
            (Some(at), _) => {
                let words: Vec<&str> = row[at].split_whitespace().collect();
                let Some(stamp) = stamps.read(&words, line, out)? else {
                    let what = format!("`{}` is not a date and time", shown(row[at].as_bytes()));
                    out.unused(line, what)?;
                    continue;
                };
                stamp
            }
            (None, Some(at)) => match from_zero(decimal(row[at].as_bytes())) {
                Some(ms) => Stamp::Since { ns: (ms * 1e6) as u64 },
                None => {
                    let what = format!("`{}` in column sample_ms is not a number from zero", shown(row[at].as_bytes()));
                    out.unused(line, what)?;
                    continue;
                }
            },
            (None, None) => {
                // A file that comes again begins the next snapshot.
                if !here.insert((file.clone(), path.map(str::to_string))) {
                    here = BTreeSet::from([(file.clone(), path.map(str::to_string))]);
                    count += 1;
                }
                Stamp::Report { index: count }
            }
        };
        let key = match stamp {
            Stamp::Wall { ns, .. } => ns,
            Stamp::TimeOfDay { ns } | Stamp::Since { ns } => i64::try_from(ns).unwrap_or(i64::MAX),
            Stamp::Report { index } => i64::try_from(index).unwrap_or(i64::MAX),
        };
        let file = format!("{file} {}", path.unwrap_or_default());
        let device = out.device(line, device.as_bytes())?;
        let snapshot = snapshots.entry(key).or_insert_with(|| Snapshot { line, stamp, devices: BTreeMap::new() });
        match snapshot.devices.entry(device).or_default().entry(file) {
            Entry::Vacant(place) => {
                place.insert(figures);
                joined += 1;
            }
            // A row that stands twice is one.
            Entry::Occupied(first) if *first.get() == figures => {}
            Entry::Occupied(first) => {
                let file = shown(first.key().trim_end().as_bytes());
                let what = format!("`{file}` stands twice at one time, with other figures");
                out.fault(line, what, "the first is used".into())?;
            }
        }
        if joined > MOST_JOINED {
            return Err(out.too_much(line));
        }
    }
    if snapshots.len() == 1 {
        let what = "one snapshot of counters that grow since SQL Server started: it has no rate per second";
        let hint = "query sys.dm_io_virtual_file_stats again after some minutes, with `SYSDATETIME() AS capture_time` in each row, and \
                    append the rows to the file";
        return Err(out.error(rows.line(), what, hint));
    }
    let mut common = Common::at(Stamp::Report { index: 0 });
    out.fact(1, &common, Fact::Tool("SQL Server file statistics".into()));
    let mut growing: BTreeMap<Name, Growing> = BTreeMap::new();
    for Snapshot { line, stamp, devices } in snapshots.into_values() {
        common.stamp = stamp;
        for (device, files) in devices {
            let counters = counters(growing.entry(device.clone()).or_default().after(files));
            out.take(line, &common, Reading::DiskCounters { device, role: Role::Volume, counters });
        }
    }
    Ok(rows.line())
}
