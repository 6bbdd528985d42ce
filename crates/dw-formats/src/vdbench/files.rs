//! Files in folders: file system definitions (`fsd=`) and their workloads (`fwd=`), put as storage and workloads.
//!
//! All files of a file system definition lie behind each other, as one range that is as large as they are together: which file
//! is drawn and where in it comes to where in the range. A file system workload has its threads for itself, each with one
//! request, so it is a storage definition of its own on that range.
//!
//! Source: the user's guide of vdbench 5.04.07; nothing was run.
//!
//! Ignores: opening and closing of files, folders, and what the file system writes for itself; that a thread goes on with its
//! file (`fileselect`, `stopafter`); building the files (`format`): they are there and full.

use dw_messages::say;

use super::values::{self, SIZE_HINT};
use super::words::{Definition, Parameter};
use crate::assembly::{Assembly, Origin};
use crate::fio::report::WarningKind;

/// The storage and the workload that a file system workload on these file systems comes to.
pub(super) fn as_storage(
    work: &Definition,
    systems: &[Definition],
    out: &mut Assembly,
) -> Option<(Vec<Definition>, Definition)> {
    let chosen: Vec<&Definition> = match work.get("fsd") {
        Some(p) => systems.iter().filter(|s| p.values.iter().any(|v| means(v, &s.name))).collect(),
        None => Vec::new(),
    };
    if chosen.is_empty() {
        let origin = work.get("fsd").map_or(&work.origin, |p| &p.origin);
        out.fail(origin, "names no file system definition of this file", "write fsd=fsd1, or fsd=*");
        return None;
    }
    let reads = reads(work, out)?;
    let sequential = work.get("fileio").is_some_and(|p| p.values[0].to_ascii_lowercase().starts_with("seq"));
    let sequential = sequential || work.get("fileio").is_none();
    let storage: Option<Vec<Definition>> = chosen.iter().map(|system| storage(work, system, out)).collect();
    let storage = storage?;
    let parameter = |key, values: Vec<String>| Parameter { key, values, origin: work.origin.clone() };
    let mut parameters = vec![
        parameter("sd", storage.iter().map(named).collect()),
        parameter("rdpct", vec![reads.to_string()]),
        parameter("seekpct", vec![if sequential { "0" } else { "100" }.into()]),
    ];
    parameters.extend(["xfersize", "skew", "openflags"].into_iter().filter_map(|key| work.get(key).cloned()));
    let what = say!(JobFilesInFolders);
    out.warn(WarningKind::Approximated, &work.origin, what, "");
    Some((storage, Definition::new(work.name.clone(), work.origin.clone(), parameters)))
}

/// What names a storage definition in a list: all of it, where it counts.
fn named(storage: &Definition) -> String {
    if storage.get("count").is_some() { format!("{}*", storage.name) } else { storage.name.clone() }
}

/// Whether a value of a list means this name.
fn means(value: &str, name: &str) -> bool {
    value.strip_suffix('*').map_or(value == name, |stem| name.starts_with(stem))
}

/// Percent of reads; only reads and writes move data.
fn reads(work: &Definition, out: &mut Assembly) -> Option<u64> {
    if let Some(p) = work.get("rdpct") {
        let percent = p.one(out)?.parse::<u64>().ok().filter(|percent| *percent <= 100);
        if percent.is_none() {
            out.fail(&p.origin, "is not a percentage", "write 0 to 100");
        }
        return percent;
    }
    let Some(p) = work.get("operation") else { return Some(100) };
    match p.values.iter().map(|v| v.to_ascii_lowercase()).collect::<Vec<_>>().as_slice() {
        [one] if one == "read" => Some(100),
        [one] if one == "write" => Some(0),
        _ => {
            let what = "works on the names and directories of files: no data is moved, so no modelled disk I/O occurs";
            out.fail(&p.origin, what, "write operation=read, operation=write or rdpct=");
            None
        }
    }
}

/// The range of all files of a file system, with the threads of a workload.
fn storage(work: &Definition, system: &Definition, out: &mut Assembly) -> Option<Definition> {
    let Some(anchor) = system.get("anchor") else {
        out.fail(&system.origin, "has no anchor", "write anchor=/mnt/data/folder");
        return None;
    };
    let bytes = bytes(system, out)?;
    let origin = &system.origin;
    let parameter =
        |key, value: String, origin: &Origin| Parameter { key, values: vec![value], origin: origin.clone() };
    let folder = anchor.one(out)?.trim_end_matches(['/', '\\']);
    let numbered = if system.get("count").is_some() { "%d" } else { "" };
    let sign = if folder.contains('\\') { '\\' } else { '/' };
    let mut parameters = vec![
        parameter("lun", format!("{folder}{numbered}{sign}vdb.files"), &anchor.origin),
        parameter("size", bytes.to_string(), origin),
        parameter("threads", work.get("threads").map_or(Some("1"), |p| p.one(out))?.to_string(), origin),
    ];
    parameters.extend(["openflags", "count"].into_iter().filter_map(|key| system.get(key).cloned()));
    Some(Definition::new(format!("{}.{}", work.name, system.name), origin.clone(), parameters))
}

/// Bytes of all files that are used.
fn bytes(system: &Definition, out: &mut Assembly) -> Option<u64> {
    let number = |key: &str, out: &mut Assembly| {
        let Some(p) = system.get(key) else { return Some(1) };
        let number = p.one(out)?.parse::<u64>().ok().filter(|n| *n > 0);
        if number.is_none() {
            out.fail(&p.origin, "is not a count", "write a whole number from 1 on");
        }
        number
    };
    let (depth, width, files) = (number("depth", out)?, number("width", out)?, number("files", out)?);
    let everywhere = system.get("distribution").is_some_and(|p| p.values[0].to_ascii_lowercase().starts_with('a'));
    let level = |at: u64| u32::try_from(at).ok().and_then(|at| width.checked_pow(at));
    // More levels than bits are more folders than anybody has, but of one folder a level.
    let folders = match everywhere {
        true if width == 1 => Some(depth),
        true => (1..=depth.min(64)).try_fold(0u64, |sum, at| sum.checked_add(level(at)?)),
        false => level(depth),
    };
    let size = file_bytes(system, out)?;
    let all = folders.and_then(|n| n.checked_mul(files)).and_then(|n| n.checked_mul(size)).filter(|n| *n < 1 << 60);
    let Some(mut all) = all else {
        out.fail(&system.origin, "has files of more than an exbibyte", "write fewer or smaller files");
        return None;
    };
    for key in ["totalsize", "workingsetsize", "wss"] {
        if let Some(p) = system.get(key) {
            let most = values::size(p.one(out)?).map_err(|what| out.fail(&p.origin, what, SIZE_HINT)).ok()?;
            all = if most > 0 { all.min(most) } else { all };
        }
    }
    Some(all)
}

/// Bytes of a file: of several sizes the mean.
fn file_bytes(system: &Definition, out: &mut Assembly) -> Option<u64> {
    let Some(p) = system.get("size").or_else(|| system.get("sizes")) else {
        out.fail(&system.origin, "gives no size of its files", "write size=1m, for example");
        return None;
    };
    let sizes = match p.values.as_slice() {
        [one] => values::size(one),
        pairs if pairs.len() % 2 == 0 => pairs.chunks_exact(2).try_fold(0u64, |sum, pair| {
            let share =
                pair[1].parse::<u64>().ok().filter(|s| *s <= 100).ok_or("has no whole percentages".to_string())?;
            Ok(sum.saturating_add((u128::from(values::size(&pair[0])?) * u128::from(share) / 100) as u64))
        }),
        _ => Err("is not a size, and no pairs of sizes and percentages".into()),
    };
    match sizes {
        Ok(size) if size > 0 => Some(size),
        Ok(_) => {
            out.fail(&p.origin, "is nothing", SIZE_HINT);
            None
        }
        Err(what) => {
            out.fail(&p.origin, what, SIZE_HINT);
            None
        }
    }
}
