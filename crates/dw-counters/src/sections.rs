//! The tables of sar and of `sadf -d`: what a row of each is.
//!
//! A table is known by its columns: `DEV` makes it disks, `CPU` processors, `rtps` the host, `kbmemfree` memory; any other
//! is passed over, unless it has columns of one of these: then its header is damaged. sar prints no reads and writes of a disk,
//! only their bytes; of the host it prints both.

use dw_observe::{Common, CpuInterval, DiskInterval, Memory, Reading, Role};
use dw_units::Bytes;

use super::CounterError;
use super::disk_columns::Column;
use super::error::shown;
use super::number::{Decimals, Printed, printed, whole};
use super::out::Out;

/// What a table is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Disks,
    Cpu,
    Host,
    Memory,
    /// A damaged header: its rows are nobody's.
    Damaged,
    Other,
}

/// Columns that no other tables have.
const TELLING: [&[u8]; 12] = [
    b"rd_sec/s",
    b"rkB/s",
    b"await",
    b"aqu-sz",
    b"avgqu-sz",
    b"svctm",
    b"wtps",
    b"bread/s",
    b"%idle",
    b"%iowait",
    b"kbmemused",
    b"kbavail",
];

/// Columns that say which processors a row is of: those of `mpstat` too.
const CPU_PLACES: [&[u8]; 4] = [b"CPU", b"CORE", b"SOCK", b"NODE"];

/// Columns that say what processors did, of all releases: of sar, of `mpstat`, and behind iostat's `avg-cpu:`.
pub(super) const CPU_FIGURES: [&[u8]; 12] = [
    b"%user", b"%usr", b"%nice", b"%system", b"%sys", b"%iowait", b"%steal", b"%idle", b"%irq", b"%soft", b"%guest",
    b"%gnice",
];

/// Columns of memory, of all releases.
const OF_MEMORY: [&[u8]; 22] = [
    b"kbmemfree",
    b"kbavail",
    b"kbmemused",
    b"%memused",
    b"kbbuffers",
    b"kbcached",
    b"kbcommit",
    b"%commit",
    b"kbactive",
    b"kbinact",
    b"kbdirty",
    b"kbanonpg",
    b"kbslab",
    b"kbkstack",
    b"kbpgtbl",
    b"kbvmused",
    b"kbmemshrd",
    b"kbswpfree",
    b"kbswpused",
    b"%swpused",
    b"kbswpcad",
    b"%swpcad",
];

/// What is wrong with the header of a table, if something is; and what to do. Behind the last column that is known other tables may
/// stand, unless the table `ends` there.
pub(super) fn wrong_header(kind: Kind, columns: &[&[u8]], ends: bool) -> Option<(String, String)> {
    let is_known = |name: &[u8]| match kind {
        Kind::Disks | Kind::Host => name == b"DEV" || Column::named(name, false).is_some(),
        Kind::Cpu => CPU_PLACES.contains(&name) || CPU_FIGURES.contains(&name),
        Kind::Memory => OF_MEMORY.contains(&name),
        Kind::Damaged | Kind::Other => true,
    };
    if kind == Kind::Damaged {
        let columns = shown(&columns.join(&b' '));
        let what = format!("the table of columns `{columns}` lacks the one that names it (DEV, CPU, rtps, kbmemfree)");
        return Some((what, "its rows are ignored".into()));
    }
    let known = columns.iter().rposition(|name| is_known(name)).map_or(0, |last| last + 1);
    let unknown = columns[..if ends { columns.len() } else { known }].iter().find(|name| !is_known(name))?;
    let what = format!("unknown column `{}`", shown(unknown));
    Some((what, "the other columns are used; is this the output of sar, or of sadf?".into()))
}

/// Which table these columns are.
pub(super) fn kind(columns: &[&[u8]]) -> Kind {
    let has = |name: &str| columns.contains(&name.as_bytes());
    if has("DEV") {
        Kind::Disks
    } else if has("CPU") && has("%idle") {
        Kind::Cpu
    } else if has("rtps") {
        Kind::Host
    } else if has("kbmemfree") {
        Kind::Memory
    } else if columns.iter().any(|column| TELLING.contains(column)) {
        Kind::Damaged
    } else {
        Kind::Other
    }
}

/// Why a row is not passed on.
#[derive(Debug)]
pub(super) enum NoRow {
    /// It is damaged: in what way.
    Damaged(String),
    /// The file cannot be read on.
    Refused(CounterError),
}

impl From<String> for NoRow {
    fn from(what: String) -> NoRow {
        NoRow::Damaged(what)
    }
}

impl From<CounterError> for NoRow {
    fn from(error: CounterError) -> NoRow {
        NoRow::Refused(error)
    }
}

/// What is wrong with a row, where something is.
pub(super) fn damage(done: Result<(), NoRow>) -> Result<Option<String>, CounterError> {
    match done {
        Ok(()) => Ok(None),
        Err(NoRow::Damaged(what)) => Ok(Some(what)),
        Err(NoRow::Refused(error)) => Err(error),
    }
}

/// Passes on one row.
pub(super) fn row(
    kind: Kind,
    columns: &[&[u8]],
    values: &[&[u8]],
    line: u64,
    common: &Common,
    out: &mut Out<'_>,
) -> Result<(), NoRow> {
    match kind {
        Kind::Other => return Ok(()),
        Kind::Damaged => return Err("a row of a table whose header is damaged".to_string().into()),
        _ => {}
    }
    let kept: Vec<&[u8]>;
    let columns = match values {
        // `mpstat -T` leaves these empty for all processors together.
        [b"all", ..] if kind == Kind::Cpu && values.len() < columns.len() => {
            let is_place = |column: &&[u8]| [b"CORE", b"SOCK", b"NODE"].iter().any(|place| place == column);
            kept = columns.iter().copied().filter(|column| !is_place(column)).collect();
            &kept
        }
        _ => columns,
    };
    if values.len() != columns.len() {
        return Err(format!("{} of {} columns", values.len(), columns.len()).into());
    }
    // Names of devices may have points and commas, and so may words that are not read.
    let mut decimals = Decimals::default();
    let from_zero = |word: &&[u8]| {
        let found = printed(word)?;
        decimals.see(word);
        if found.is_some_and(|found| found.value.is_sign_negative()) { Err(()) } else { Ok(found) }
    };
    let figures: Vec<Result<Option<Printed>, ()>> = values.iter().map(from_zero).collect();
    out.decimals(line, common, decimals)?;
    let place = |name: &str| columns.iter().position(|c| *c == name.as_bytes());
    let text = |name: &str| place(name).map(|at| values[at]);
    let wrong =
        |at: usize| format!("`{}` in column {} is not a number from zero", shown(values[at]), shown(columns[at]));
    let read = |name: &str| place(name).map_or(Ok(None), |at| figures[at].map_err(|()| wrong(at)));
    let number = |name: &str| read(name).map(|found| found.map(|p| p.value));
    // `-h` prints `12.4G` where `12998340` would stand.
    let kib = |name: &str| read(name).map(|found| found.map(|p| p.value * p.unit.map_or(1.0, |unit| unit / 1024.0)));
    match kind {
        Kind::Disks | Kind::Host => {
            let mut disk = DiskInterval::default();
            for (at, name) in columns.iter().enumerate() {
                if *name == b"DEV" {
                    continue;
                }
                let Some(column) = Column::named(name, false) else { continue };
                let Ok(Some(value)) = figures[at] else { return Err(wrong(at).into()) };
                column.put(&mut disk, column.base(value.value, value.unit));
            }
            match text("DEV") {
                Some(name) => {
                    let device = out.device(line, name)?;
                    out.take(line, common, Reading::Disk { device, role: Role::Unknown, disk });
                }
                None => out.take(line, common, Reading::Host(disk)),
            }
        }
        Kind::Cpu => {
            match text("CPU") {
                Some(b"all" | b"-1") => {}
                // One of them.
                Some(word) if whole(word).is_some() => return Ok(()),
                word => return Err(format!("`{}` is no processor", shown(word.unwrap_or_default())).into()),
            }
            let (idle, iowait, steal) = (number("%idle")?, number("%iowait")?, number("%steal")?);
            out.take(line, common, Reading::Cpu(CpuInterval::from_idle(idle, iowait, steal, None)));
        }
        Kind::Memory => {
            let [free, available, used, buffers, cached] =
                ["kbmemfree", "kbavail", "kbmemused", "kbbuffers", "kbcached"].map(kib);
            let memory = memory(free?, available?, used?, number("%memused")?, buffers?, cached?);
            out.take(line, common, Reading::Memory(memory));
        }
        Kind::Damaged | Kind::Other => {}
    }
    Ok(())
}

/// Memory from sysstat's KiB.
pub(super) fn memory(
    free: Option<f64>,
    available: Option<f64>,
    used: Option<f64>,
    used_percent: Option<f64>,
    buffers: Option<f64>,
    cached: Option<f64>,
) -> Memory {
    let kib = |v: f64| Bytes::new((v.max(0.0) * 1024.0) as u64);
    let sum = free.map(|free| free + buffers.unwrap_or(0.0) + cached.unwrap_or(0.0));
    Memory {
        total: None,
        available: available.or(sum).map(kib),
        used: used.map(kib),
        used_percent,
        estimated: available.is_none(),
    }
}
