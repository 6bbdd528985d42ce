//! Which volume an entry of a raw result is about: by what the user said, by its targets, by its name.
//!
//! A tool knows paths and names of its own. A target is on the volume whose device it is, whose mount point it lies under, or
//! whose name is a part of its path; an entry without such a target is about the volume that its name names. Entries that hold
//! several volumes, or targets that nothing places next to others, are taken apart, where the tool reports the parts.

use std::path::Path;

use dw_error::{Error, Result};
use dw_formats::results::{Entry, MeasuredRun};

use super::About;

/// A volume that may be meant.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// Where it is mounted.
    pub mount: Option<String>,
    /// Its device.
    pub device: Option<String>,
}

/// `--map NAME=VOLUME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// A job, worker or target of a result.
    pub name: String,
    /// The volume; `-` leaves it out.
    pub volume: String,
}

impl Map {
    /// Whether it is what this is called.
    fn is_of_entry(&self, entry: &Entry) -> bool {
        self.name == entry.name
    }

    fn is_of_target(&self, target: &str) -> bool {
        self.name == target || self.name == last_part(target)
    }

    /// Whether anything in a result is called so.
    pub fn matches(&self, run: &MeasuredRun) -> bool {
        run.entries.iter().any(|e| self.is_of_entry(e) || e.load.targets.iter().any(|t| self.is_of_target(t)))
    }

    fn place(&self) -> Place<'_> {
        if self.volume == "-" { Place::LeftOut } else { Place::Volume(&self.volume) }
    }
}

impl std::str::FromStr for Map {
    type Err = String;
    fn from_str(text: &str) -> Result<Map, String> {
        let parts = text.rsplit_once('=').filter(|(name, volume)| !name.is_empty() && !volume.is_empty());
        let (name, volume) =
            parts.ok_or("write NAME=VOLUME, for example `--map job1=data`; `--map job1=-` leaves it out")?;
        Ok(Map { name: name.into(), volume: volume.into() })
    }
}

/// What no volume was found for.
#[derive(Debug)]
pub struct Lost {
    entry: String,
    line: u64,
    targets: Vec<String>,
    why: String,
}

/// Where a target is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place<'a> {
    Volume(&'a str),
    LeftOut,
    Unknown,
}

/// What an entry is about.
enum Found<'a> {
    One(Place<'a>),
    Several,
}

/// Every entry that counts, each I/O once, with its volume; all that fit nowhere when there are any.
pub fn all<'a>(run: &'a MeasuredRun, about: &'a About) -> Result<Vec<(&'a Entry, &'a str)>, Vec<Lost>> {
    let (mut placed, mut lost) = (Vec::new(), Vec::new());
    for (at, _) in run.entries.iter().enumerate().filter(|(_, e)| e.included_in.is_none()) {
        match one(run, at, about) {
            Ok(list) => placed.extend(list),
            Err(why) => lost.push(why),
        }
    }
    for map in about.map.iter().filter(|m| m.volume != "-" && !about.volumes.iter().any(|v| v.name == m.volume)) {
        let why = format!("`--map {}={}` names no volume", map.name, map.volume);
        lost.push(Lost { entry: map.name.clone(), line: 1, targets: Vec::new(), why });
    }
    if lost.is_empty() { Ok(placed) } else { Err(lost) }
}

/// An entry, or its parts.
fn one<'a>(run: &'a MeasuredRun, at: usize, about: &'a About) -> Result<Vec<(&'a Entry, &'a str)>, Lost> {
    let entry = &run.entries[at];
    let found = found(entry, about);
    match found {
        Found::One(Place::Volume(volume)) => return Ok(vec![(entry, volume)]),
        Found::One(Place::LeftOut) => return Ok(Vec::new()),
        Found::Several | Found::One(Place::Unknown) => {}
    }
    // Threads hold targets: as deep as it takes.
    let parts: Vec<usize> = (0..run.entries.len()).filter(|&n| run.entries[n].included_in == Some(at)).collect();
    let taken: Result<Vec<_>, Lost> = parts.iter().map(|&part| one(run, part, about)).collect();
    match (parts.is_empty(), taken) {
        (false, Ok(list)) => return Ok(list.concat()),
        // One volume and nothing that says otherwise: it is that one.
        (_, _)
            if about.volumes.len() == 1
                && matches!(found, Found::One(Place::Unknown))
                && entry.load.targets.len() <= 1 =>
        {
            return Ok(vec![(entry, &about.volumes[0].name)]);
        }
        (false, Err(why)) => return Err(why),
        (true, _) => {}
    }
    let why = match found {
        Found::Several => "its targets are not all on one volume, and the result does not say what each got",
        Found::One(_) => "neither its name nor its targets name a volume",
    };
    Err(Lost { entry: entry.name.clone(), line: entry.line, targets: entry.load.targets.clone(), why: why.into() })
}

/// What the user said of the entry's name goes before everything; what was said of a target holds for that target alone.
fn found<'a>(entry: &Entry, about: &'a About) -> Found<'a> {
    if let Some(map) = about.map.iter().find(|map| map.is_of_entry(entry)) {
        return Found::One(map.place());
    }
    let mut places: Vec<Place> = entry.load.targets.iter().map(|target| of_target(target, about)).collect();
    places.sort_unstable();
    places.dedup();
    match places[..] {
        [] | [Place::Unknown] => Found::One(of_words(&entry.name, about).map_or(Place::Unknown, Place::Volume)),
        [only] => Found::One(only),
        _ => Found::Several,
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Where a target is: as the user said, else on the volume that its path tells.
fn of_target<'a>(target: &str, about: &'a About) -> Place<'a> {
    match about.map.iter().find(|map| map.is_of_target(target)) {
        Some(map) => map.place(),
        None => of_path(target, about).map_or(Place::Unknown, Place::Volume),
    }
}

/// The volume that a path is on: its device, the longest mount point above it, else a part of it that is a volume's name.
fn of_path<'a>(target: &str, about: &'a About) -> Option<&'a str> {
    let same = |a: &str, b: &str| a.trim_end_matches(['/', '\\']).eq_ignore_ascii_case(b);
    if let Some(volume) = about.volumes.iter().find(|v| v.device.as_deref().is_some_and(|d| same(d, target))) {
        return Some(&volume.name);
    }
    let above = |mount: &str| {
        let mount = mount.trim_end_matches(['/', '\\']);
        let rest = target.get(..mount.len()).filter(|start| start.eq_ignore_ascii_case(mount)).map(|_| mount.len());
        rest.is_some_and(|n| target[n..].starts_with(['/', '\\', ':']) || target.len() == n)
    };
    let mounted = about.volumes.iter().filter(|v| v.mount.as_deref().is_some_and(above));
    if let Some(volume) = mounted.max_by_key(|v| v.mount.as_ref().map_or(0, String::len)) {
        return Some(&volume.name);
    }
    let parts: Vec<&str> = target.split(['/', '\\']).rev().collect();
    parts.into_iter().find_map(|part| of_words(part, about))
}

/// The volume whose name stands in a text as a word; of several the longest.
fn of_words<'a>(text: &str, about: &'a About) -> Option<&'a str> {
    let text = text.to_ascii_lowercase();
    let stands = |name: &str| {
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        let ends =
            |at: usize| is_edge(text[..at].chars().next_back()) && is_edge(text[at + name.len()..].chars().next());
        !name.is_empty() && text.match_indices(name).any(|(at, _)| ends(at))
    };
    let named = about.volumes.iter().filter(|v| stands(&v.name.to_ascii_lowercase()));
    named.max_by_key(|v| v.name.len()).map(|v| v.name.as_str())
}

/// What the user said of names that no result has.
pub fn unmatched(unmatched: &[&Map]) -> Error {
    let one = |map: &&Map| {
        let map = format!("`--map {}={}`", map.name, map.volume);
        Error::input(format!("{map}: no job, worker or target of the results is called so"))
    };
    let hint = "write the name as the result has it, or the last part of a target's path";
    hinted(unmatched.iter().map(one).collect(), hint)
}

/// What cannot be matched, all of it.
pub fn failure(path: &Path, lost: &[Lost], about: &About) -> Error {
    let volumes: Vec<&str> = about.volumes.iter().map(|v| v.name.as_str()).collect();
    let one = |one: &Lost| {
        let targets = match &one.targets[..] {
            [] => String::new(),
            targets => format!(" (on {})", targets.join(", ")),
        };
        Error::input(format!("`{}`{targets}: {}", one.entry, one.why)).at(crate::input::name(path), one.line)
    };
    let example = lost.first().map_or("job1", |l| l.targets.first().map_or(l.entry.as_str(), String::as_str));
    let volume = volumes.first().copied().unwrap_or("data");
    let hint = format!(
        "the volumes are {}; say which is meant, for example `--map '{example}={volume}'`, or `--map '{example}=-'` to leave it out",
        volumes.join(", ")
    );
    hinted(lost.iter().map(one).collect(), &hint)
}

/// Several problems with one remedy, which is said once, after the last.
fn hinted(mut errors: Vec<Error>, hint: &str) -> Error {
    if let Some(last) = errors.pop() {
        errors.push(last.hint(hint));
    }
    Error::all(errors).unwrap_or_else(|| Error::unexpected("nothing is wrong"))
}
