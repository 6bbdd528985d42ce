//! VM sizes as lines of text, the form of the generated files: one row a line, so that a change is a reviewable diff and two
//! thousand rows are read in a millisecond.
//!
//! A line that begins with `@` opens a table: what all its rows share. A row gives its cells in the order of [`COLUMNS`]; an
//! empty cell is something that the source does not say, a pair is `IOPS MB/s`. A note is the last cell and may hold commas.
//!
//! ```text
//! @edition,series,source,premium,host_caching,ultra,controllers,mb_uncached,mb_cached,mb_temp
//! Standard_D2ds_v7,2,8192,10,110,,,,,4000 115,45000 1410,5000 135,56250 1640,50000 280,25000 140,
//! ```

use std::fmt::Write as _;

use crate::file::{VmRow, VmTable};

/// The cells of a row.
pub const COLUMNS: [&str; 16] = [
    "name",
    "vcpu",
    "memory_mib",
    "disks",
    "temp_gib",
    "temp_count",
    "cache_gib",
    "cached",
    "cached_burst",
    "uncached",
    "uncached_burst",
    "premium2",
    "premium2_burst",
    "temp_read",
    "temp_write",
    "note",
];

/// The tables of a file, or the line that is wrong.
pub fn read(text: &str) -> Result<Vec<VmTable>, String> {
    let mut tables: Vec<VmTable> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = |what: String| format!("line {}: {what}", index + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(head) = line.strip_prefix('@') {
            tables.push(table(head).map_err(wrong)?);
            continue;
        }
        let table = tables.last_mut().ok_or_else(|| wrong("a row stands before the first table (`@…`)".into()))?;
        table.rows.push(row(line).map_err(wrong)?);
    }
    Ok(tables)
}

fn table(head: &str) -> Result<VmTable, String> {
    let cells: Vec<&str> = head.split(',').collect();
    let [edition, series, source, premium, caching, ultra, controllers, uncached, cached, temp] = cells[..] else {
        return Err(format!("a table has 10 cells behind `@`, not {}", cells.len()));
    };
    let flag = |cell: &str| match cell {
        "" => Ok(None),
        "1" => Ok(Some(true)),
        "0" => Ok(Some(false)),
        other => Err(format!("`{other}` is not 1, 0 or nothing")),
    };
    Ok(VmTable {
        edition: edition.into(),
        series: text(series),
        source: source.into(),
        premium: flag(premium)?,
        host_caching: flag(caching)?,
        ultra: flag(ultra)?,
        controllers: text(controllers),
        mb_uncached: number(uncached)?.ok_or("a table needs the bytes of an uncached MB")?,
        mb_cached: number(cached)?,
        mb_temp: number(temp)?,
        rows: Vec::new(),
    })
}

fn row(line: &str) -> Result<VmRow, String> {
    let mut rest = line;
    // The searcher of `split` costs more than the few bytes of a cell: this line is passed sixty thousand times at start-up.
    let mut next = || match rest.bytes().position(|byte| byte == b',') {
        Some(at) => {
            let cell = &rest[..at];
            rest = &rest[at + 1..];
            cell
        }
        None => std::mem::take(&mut rest),
    };
    let required = |column: &str, cell: Option<u64>| cell.ok_or_else(|| format!("{column} is empty"));
    let small = |column: &str, value: u64| u32::try_from(value).map_err(|_| format!("{column} is too large: {value}"));
    Ok(VmRow {
        name: next().into(),
        vcpu: small("vcpu", required("vcpu", number(next())?)?)?,
        memory_mib: number(next())?,
        disks: small("disks", required("disks", number(next())?)?)?,
        temp_gib: number(next())?,
        temp_count: number(next())?.map(|count| small("temp_count", count)).transpose()?,
        cache_gib: number(next())?,
        cached: pair(next())?,
        cached_burst: pair(next())?,
        uncached: pair(next())?,
        uncached_burst: pair(next())?,
        premium2: pair(next())?,
        premium2_burst: pair(next())?,
        temp_read: pair(next())?,
        temp_write: pair(next())?,
        note: text(rest),
    })
}

fn text(cell: &str) -> Option<String> {
    (!cell.is_empty()).then(|| cell.to_string())
}

fn number(cell: &str) -> Result<Option<u64>, String> {
    match cell {
        "" => Ok(None),
        cell => cell.parse().map(Some).map_err(|_| format!("`{cell}` is not a whole number")),
    }
}

fn pair(cell: &str) -> Result<Option<Vec<u64>>, String> {
    if cell.is_empty() {
        return Ok(None);
    }
    let wrong = || format!("`{cell}` is not `IOPS MB/s`");
    let of = |part: &str| part.parse::<u64>().map_err(|_| wrong());
    // As in `row`: cells are short, and there are tens of thousands.
    match cell.bytes().position(|byte| byte == b' ') {
        Some(at) => Ok(Some(vec![of(&cell[..at])?, of(&cell[at + 1..])?])),
        None => Ok(Some(vec![of(cell)?])),
    }
}

/// The lines of these tables.
pub fn write(tables: &[VmTable]) -> String {
    let mut text = format!("# Columns: {}\n", COLUMNS.join(","));
    for table in tables {
        let flag = |flag: Option<bool>| flag.map_or("", |flag| if flag { "1" } else { "0" });
        let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
        let head = [
            table.edition.clone(),
            table.series.clone().unwrap_or_default(),
            table.source.clone(),
            flag(table.premium).into(),
            flag(table.host_caching).into(),
            flag(table.ultra).into(),
            table.controllers.clone().unwrap_or_default(),
            table.mb_uncached.to_string(),
            number(table.mb_cached),
            number(table.mb_temp),
        ];
        writeln!(text, "@{}", head.join(",")).expect("a string takes all");
        for row in &table.rows {
            writeln!(text, "{}", line(row)).expect("a string takes all");
        }
    }
    text
}

fn line(row: &VmRow) -> String {
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    let pair = |pair: &Option<Vec<u64>>| pair.iter().flatten().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let cells = [
        row.name.clone(),
        row.vcpu.to_string(),
        number(row.memory_mib),
        row.disks.to_string(),
        number(row.temp_gib),
        number(row.temp_count.map(u64::from)),
        number(row.cache_gib),
        pair(&row.cached),
        pair(&row.cached_burst),
        pair(&row.uncached),
        pair(&row.uncached_burst),
        pair(&row.premium2),
        pair(&row.premium2_burst),
        pair(&row.temp_read),
        pair(&row.temp_write),
        row.note.clone().unwrap_or_default(),
    ];
    cells.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let text = "# Columns: name,vcpu,memory_mib,disks,temp_gib,temp_count,cache_gib,cached,cached_burst,uncached,\
                    uncached_burst,premium2,premium2_burst,temp_read,temp_write,note\n\
                    @2024-2026,Ddsv7,a,1,,0,SCSI NVMe,1000000,,1000000\n\
                    Standard_D2ds_v7,2,8192,10,110,3,,4000,,4000 115,45000 1410,,,50000 280,25000 140,a note, with a comma\n\
                    @api,,b,,,,,1048576,,\n\
                    Basic_A0,1,,1,,,,,,500 3,,,,,,\n";
        let tables = read(text).unwrap();
        assert_eq!(write(&tables), text);
        let row = &tables[0].rows[0];
        assert_eq!(
            (row.memory_mib, &row.cached, &row.uncached),
            (Some(8_192), &Some(vec![4_000]), &Some(vec![4_000, 115]))
        );
        assert_eq!(row.note.as_deref(), Some("a note, with a comma"));
    }

    #[test]
    fn a_wrong_line_is_named() {
        let head = "@2024-2026,Ddsv7,a,1,,,,1000000,,";
        let cases = [
            ("x,1,,1".to_string(), "line 1: a row stands before the first table (`@…`)"),
            ("@a,b".to_string(), "line 1: a table has 10 cells behind `@`, not 2"),
            ("@a,b,c,2,,,,1,,".to_string(), "line 1: `2` is not 1, 0 or nothing"),
            (format!("{head}\nx,,,1"), "line 2: vcpu is empty"),
            (format!("{head}\nx,1,2.5,1"), "line 2: `2.5` is not a whole number"),
            (format!("{head}\nx,1,,1,,,,1 2 3"), "line 2: `1 2 3` is not `IOPS MB/s`"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(&text).unwrap_err(), expected, "{text}");
        }
    }
}
