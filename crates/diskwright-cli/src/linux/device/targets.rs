//! Files and devices that the user names, each looked at before anything is written.

use std::path::{Path, PathBuf};

use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_measure::Fio;
use dw_measure::target::{self, Facts, Kind};

use crate::bench::BenchArgs;
use crate::bench::document::Target;

/// `VOLUME=PATH`.
fn named<'a>(rig: &Rig, text: &'a str) -> Result<(usize, &'a Path)> {
    let Some((volume, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err(
            Error::usage(format!("`--target {text}` is not a volume and a path")).hint("write `--target VOLUME=PATH`")
        );
    };
    match rig.volumes.iter().position(|v| v.name == volume) {
        Some(place) => Ok((place, Path::new(path))),
        None => {
            let names: Vec<&str> = rig.volumes.iter().map(|v| v.name.as_str()).collect();
            Err(Error::usage(format!("`--target {text}`: the rig has no volume `{volume}`"))
                .hint(format!("its volumes: {}", names.join(", "))))
        }
    }
}

/// Where each of these volumes is, as the user says.
pub fn given<'a>(args: &'a BenchArgs, rig: &Rig, used: &[usize]) -> Result<Vec<(usize, &'a Path)>> {
    let named = args.target.iter().map(|text| named(rig, text)).collect::<Result<Vec<_>, _>>()?;
    for volume in used {
        let count = named.iter().filter(|(v, _)| v == volume).count();
        let name = &rig.volumes[*volume].name;
        if count != 1 {
            let what = if count == 0 { "has no target" } else { "has several targets" };
            let hint = format!("add `--target {name}=PATH`, or select other volumes with `--volume`");
            return Err(Error::usage(format!("volume `{name}` {what}")).hint(hint));
        }
    }
    Ok(named.into_iter().filter(|(v, _)| used.contains(v)).collect())
}

/// What the user asked for about files and devices.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Volumes and where they are.
    pub targets: &'a [(usize, &'a Path)],
    /// Targets whose contents may be lost.
    pub destroy: &'a [PathBuf],
    /// Paths that an earlier part of this benchmark made.
    pub ours: &'a [String],
    /// Bytes needed on each volume of the rig.
    pub bytes: &'a [u64],
    /// Whether somebody said how large the test files are to be.
    pub is_sized: bool,
    /// fio runs on other hosts, where nothing can be looked at.
    pub remote: bool,
}

/// Files and devices, each looked at before anything is written.
pub fn on_disks(rig: &Rig, fio: &Fio, asked: &Asked) -> Result<Vec<Target>> {
    let engine = fio.native_engine();
    let mut targets = Vec::new();
    for (volume, path) in asked.targets {
        let name = &rig.volumes[*volume].name;
        if asked.remote {
            if !asked.destroy.iter().any(|d| d == path) {
                let shown = path.display();
                let what = format!("{shown} is on another host and cannot be checked for data before it is written");
                let hint = format!("add `--destroy {shown}` if all data there may be destroyed");
                return Err(Error::new(dw_error::Kind::Protected, what).hint(hint));
            }
            targets.push(Target {
                volume: name.clone(),
                facts: None,
                path: path.display().to_string(),
                engine: engine.into(),
            });
            continue;
        }
        let (path, facts) = target::facts(path, &format!("{name}.diskwright-bench"))?;
        let ours = asked.ours.iter().any(|known| Path::new(known) == path);
        let expendable = asked.destroy.iter().any(|d| d.canonicalize().is_ok_and(|d| d == path));
        target::may_write(&path, &facts, ours, expendable)?;
        room(&facts, asked.bytes[*volume], asked.is_sized)?;
        if targets.iter().any(|t: &Target| t.path == facts.path) {
            return Err(Error::usage(format!("{} is the target of two volumes", facts.path))
                .hint("give each volume its own target"));
        }
        targets.push(Target {
            volume: name.clone(),
            path: facts.path.clone(),
            facts: Some(facts),
            engine: engine.into(),
        });
    }
    for path in asked.destroy {
        let known = |t: &Target| Path::new(&t.path) == path.canonicalize().unwrap_or_else(|_| path.clone());
        if !targets.iter().any(known) {
            return Err(Error::usage(format!("`--destroy {}` names no target", path.display()))
                .hint("it must be a path given with `--target`"));
        }
    }
    Ok(targets)
}

/// Bytes of a test file that says anything: one request of the largest size.
const SMALLEST_FILE: u64 = 1 << 20;

/// The share of what is free that is written without being asked for.
const UNASKED: u64 = 10;

/// Whether the test file fits, and is not so large that somebody must want it so.
fn room(facts: &Facts, bytes: u64, is_sized: bool) -> Result<()> {
    let shown = |n: u64| crate::report::format::bytes(n as f64);
    let free = match facts.kind {
        Kind::Device => facts.bytes,
        _ => facts.free_bytes.unwrap_or(u64::MAX).saturating_add(facts.bytes),
    };
    let is_much = facts.kind != Kind::Device && bytes > facts.bytes && bytes > free / UNASKED;
    if free >= bytes && is_much && !is_sized {
        let what =
            format!("the default test file size, {}, is more than a tenth of the {} free", shown(bytes), shown(free));
        let size = dw_units::Bytes::new(bytes).to_string().replace(' ', "");
        return Err(Error::usage(what)
            .hint(format!("confirm with `--file-size {size}`, or give a smaller size"))
            .of_file(&facts.path));
    }
    if free >= bytes {
        return Ok(());
    }
    // Half of nothing is not a size to write.
    let smaller = match free / 2 {
        half if half >= SMALLEST_FILE => format!("use `--file-size {}` or less, or ", shown(half).replace(' ', "")),
        _ => String::new(),
    };
    let what = format!("the test file is {}, but only {} is free", shown(bytes), shown(free));
    Err(Error::new(dw_error::Kind::Bench, what).hint(format!("{smaller}name another target")).of_file(&facts.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_test_file_is_written_where_somebody_said_how_large() {
        const GIB: u64 = 1 << 30;
        let facts = |kind: Kind, bytes: u64, free_bytes: u64| Facts {
            path: "/mnt/data/x".into(),
            kind,
            bytes,
            file_system: None,
            mount_options: None,
            free_bytes: Some(free_bytes),
            device: None,
            scheduler: None,
            write_cache: None,
            direct_io: true,
        };
        let cases = [
            // A tenth of what is free is nobody's loss.
            (facts(Kind::File, 0, 3000 * GIB), false, None),
            (facts(Kind::File, 0, 500 * GIB), false, Some("`--file-size 200GiB`")),
            (facts(Kind::File, 0, 500 * GIB), true, None),
            // It is there already, or takes no room from anybody.
            (facts(Kind::File, 200 * GIB, 500 * GIB), false, None),
            (facts(Kind::Device, 300 * GIB, 0), false, None),
            (facts(Kind::File, 0, 100 * GIB), false, Some("but only ")),
        ];
        for (facts, is_sized, hint) in cases {
            let said = room(&facts, 200 * GIB, is_sized).err().map(|error| error.to_string());
            assert_eq!(said.is_some(), hint.is_some(), "{facts:?} {is_sized}: {said:?}");
            assert!(said.unwrap_or_default().contains(hint.unwrap_or_default()), "{facts:?}");
        }
    }
}
