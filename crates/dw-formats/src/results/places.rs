//! On which volume an entry of a result was measured: by what the user said, by its targets, by its name.
//!
//! A target is found as in the tool's own loads: a device, a drive, a file under a mount point; `directory` of fio counts. A
//! volume's name as a word of the path, or of the entry's name, is weaker: it counts for a volume whose place the caller does not
//! know, or where the result has no target. Entries that hold several volumes, or targets that nothing places next to others, are
//! taken apart, where the tool reports the parts. With one volume, what nothing places was measured there.
//!
//! An entry that did nothing and did not fail needs no volume.

use dw_error::{Error, Named, Result};

use super::{Entry, Figures, MeasuredRun, Scope, Setting, Tool};
use crate::fio::targets::{Target, Targets};
use crate::fio::{VolumeMap, split_names};
use crate::{diskspd, iometer};

/// What results are about.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// The volumes that may be meant; of each, what is known of its place.
    pub volumes: &'a [VolumeMap],
    /// What the user said of names.
    pub map: &'a [Map],
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
    /// Whether anything in a result is called so.
    pub fn matches(&self, run: &MeasuredRun) -> bool {
        run.entries.iter().any(|e| self.name == e.name || targets(run, e).iter().any(|t| self.is_of_target(t)))
    }

    fn is_of_target(&self, target: &str) -> bool {
        self.name == target || self.name == last_part(target)
    }
}

impl std::str::FromStr for Map {
    type Err = String;
    fn from_str(text: &str) -> Result<Map, String> {
        let parts = text.rsplit_once('=').filter(|(name, volume)| !name.is_empty() && !volume.is_empty());
        let (name, volume) =
            parts.ok_or("write NAME=VOLUME, for example `--map job1=data`; `--map job1=-` excludes it")?;
        Ok(Map { name: name.into(), volume: volume.into() })
    }
}

/// Where a target is; volumes by their place among those that may be meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Volume(usize),
    LeftOut,
    Unknown,
}

/// What an entry is about.
#[derive(Clone, Copy)]
enum Found {
    One(Place),
    Several,
}

/// What no volume was found for.
struct Lost<'a> {
    entry: &'a Entry,
    why: &'static str,
}

fn place(run: &MeasuredRun, about: &About, is_meant: impl Fn(&Entry) -> bool) -> Result<Vec<(usize, usize)>> {
    let (mut placed, mut lost) = (Vec::new(), Vec::new());
    let whole = run.entries.iter().enumerate().filter(|(_, e)| e.included_in.is_none() && is_meant(e));
    for (at, _) in whole {
        match place_one(run, at, about) {
            Ok(list) => placed.extend(list),
            Err(why) => lost.push(why),
        }
    }
    let wrong = about.map.iter().filter(|map| map.volume != "-" && about.position(&map.volume).is_none());
    let wrong: Vec<&Map> = wrong.collect();
    if lost.is_empty() && wrong.is_empty() { Ok(placed) } else { Err(refused(run, &lost, &wrong, about)) }
}

/// An entry, or its parts.
fn place_one<'r>(run: &'r MeasuredRun, at: usize, about: &About) -> Result<Vec<(usize, usize)>, Lost<'r>> {
    let entry = &run.entries[at];
    let found = found(run, entry, about);
    match found {
        Found::One(Place::Volume(volume)) => return Ok(vec![(at, volume)]),
        Found::One(Place::LeftOut) => return Ok(Vec::new()),
        Found::Several | Found::One(Place::Unknown) => {}
    }
    // Threads hold targets: as deep as it takes.
    let parts = parts_of(run, at);
    let taken: Result<Vec<_>, Lost> = parts.iter().map(|&part| place_one(run, part, about)).collect();
    match (parts.is_empty(), taken, found) {
        (false, Ok(list), _) => Ok(list.concat()),
        (false, Err(why), _) => Err(why),
        // Nothing says otherwise.
        (_, _, Found::One(_)) if about.volumes.len() == 1 => Ok(vec![(at, 0)]),
        _ if is_idle(entry) => Ok(Vec::new()),
        (_, _, Found::Several) => {
            let why = "its targets are not all on one volume, and the result does not show the share of each";
            Err(Lost { entry, why })
        }
        _ => Err(Lost { entry, why: "neither its name nor its targets name a volume" }),
    }
}

fn parts_of(run: &MeasuredRun, at: usize) -> Vec<usize> {
    (0..run.entries.len()).filter(|&part| run.entries[part].included_in == Some(at)).collect()
}

/// What the user said of the entry's name goes before everything; what was said of a target holds for that target alone.
fn found(run: &MeasuredRun, entry: &Entry, about: &About) -> Found {
    if let Some(map) = about.map.iter().find(|map| map.name == entry.name) {
        return Found::One(about.said(map));
    }
    let targets = targets(run, entry);
    let mut places: Vec<Place> = targets.iter().map(|target| about.of_target(run.tool, target)).collect();
    places.sort_unstable();
    places.dedup();
    match places[..] {
        [] | [Place::Unknown] => {
            let may_be = |volume: &VolumeMap| targets.iter().all(|target| may_hold(volume, target));
            Found::One(about.of_words(&entry.name, may_be).map_or(Place::Unknown, Place::Volume))
        }
        [only] => Found::One(only),
        _ => Found::Several,
    }
}

/// The targets with their folders, where fio was given those apart; of a folder alone, some file of it.
fn targets(run: &MeasuredRun, entry: &Entry) -> Vec<String> {
    let targets = &entry.load.targets;
    // What holds all jobs has no options of its own.
    let folder = if entry.scope == Scope::Total { None } else { option_of(run, entry, "directory") };
    let folders = folder.map(split_names).unwrap_or_default();
    let is_absolute = |path: &String| path.starts_with(['/', '\\']) || path.get(1..2) == Some(":");
    if folders.is_empty() || targets.iter().any(is_absolute) {
        return targets.clone();
    }
    let names = if targets.is_empty() { vec!["file".to_string()] } else { targets.clone() };
    folders.iter().flat_map(|folder| names.iter().map(move |name| format!("{folder}/{name}"))).collect()
}

/// An option of an entry, its own before those of all.
fn option_of<'a>(run: &'a MeasuredRun, entry: &'a Entry, name: &str) -> Option<&'a str> {
    let value = |settings: &[Setting]| settings.iter().rposition(|setting| setting.name == name);
    let own = value(&entry.options).map(|at| entry.options[at].value.as_str());
    own.or_else(|| value(&run.options).map(|at| run.options[at].value.as_str()))
}

/// What cannot be matched, all of it.
fn refused(run: &MeasuredRun, lost: &[Lost], wrong: &[&Map], about: &About) -> Error {
    let one = |one: &Lost| {
        let targets = match &one.entry.load.targets[..] {
            [] => String::new(),
            targets => format!(" (on {})", targets.join(", ")),
        };
        let what = format!("`{}`{targets}: {}", one.entry.name, one.why);
        Error::input(what).at(run.file.as_str(), one.entry.line)
    };
    let of_map = |map: &&Map| {
        let what = format!("`{}`: `{{map}} {}={}` names no volume", map.name, map.name, map.volume);
        Error::input(what).at(run.file.as_str(), 1)
    };
    let first = lost.first().map(|l| l.entry.load.targets.first().unwrap_or(&l.entry.name).as_str());
    let example = first.or(wrong.first().map(|map| map.name.as_str())).unwrap_or("job1");
    let names: Vec<&str> = about.volumes.iter().map(|volume| volume.name.as_str()).collect();
    let volume = names.first().copied().unwrap_or("data");
    let hint = format!(
        "the volumes are {}; choose one, for example `{{map}} '{example}={volume}'`, or `{{map}} '{example}=-'` to exclude it",
        names.join(", ")
    );
    hinted(lost.iter().map(one).chain(wrong.iter().map(of_map)).collect(), &hint)
}

impl About<'_> {
    /// The entries that `is_meant`, each I/O once, with their volumes by place; the error names all that fit nowhere.
    pub fn placed<'r>(
        &self,
        run: &'r MeasuredRun,
        is_meant: impl Fn(&Entry) -> bool,
    ) -> Result<Vec<(&'r Entry, usize)>> {
        let placed = place(run, self, is_meant)?;
        Ok(placed.into_iter().map(|(at, volume)| (&run.entries[at], volume)).collect())
    }

    /// The same as the smallest entries that the tool reports, in the order of the file.
    pub fn placed_parts<'r>(
        &self,
        run: &'r MeasuredRun,
        is_meant: impl Fn(&Entry) -> bool,
    ) -> Result<Vec<(&'r Entry, usize)>> {
        let (mut open, mut parts) = (place(run, self, &is_meant)?, Vec::new());
        while let Some((at, volume)) = open.pop() {
            let inner = parts_of(run, at);
            // What holds all hosts of fio holds all their tests.
            if inner.is_empty() && is_meant(&run.entries[at]) {
                parts.push((at, volume));
            }
            open.extend(inner.into_iter().map(|part| (part, volume)));
        }
        parts.sort_unstable();
        Ok(parts.into_iter().map(|(at, volume)| (&run.entries[at], volume)).collect())
    }

    /// What the user said of names that no result has.
    pub fn unmatched<'r>(&self, runs: impl IntoIterator<Item = &'r [bool]>) -> Result<()> {
        let twice = |(at, map): &(usize, &Map)| self.map[..*at].iter().any(|other| other.name == map.name);
        if let Some((at, map)) = self.map.iter().enumerate().find(twice) {
            let first =
                self.map[..at].iter().find(|other| other.name == map.name).map_or("", |first| first.volume.as_str());
            return Err(Error::usage(format!(
                "`--map {0}={first}` and `--map {0}={1}` contradict each other",
                map.name, map.volume
            ))
            .hint("keep one of the two"));
        }
        let mut is_named = vec![false; self.map.len()];
        for named in runs {
            is_named.iter_mut().zip(named).for_each(|(known, now)| *known |= now);
        }
        let one = |map: &Map| {
            let map = format!("`{{map}} {}={}`", map.name, map.volume);
            Error::input(format!("{map}: no job, worker or target of the results has that name"))
        };
        let wrong: Vec<Error> = self.map.iter().zip(is_named).filter(|(_, is)| !is).map(|(map, _)| one(map)).collect();
        let hint = "write the name as in the result, or the last part of a target's path";
        if wrong.is_empty() { Ok(()) } else { Err(hinted(wrong, hint)) }
    }

    /// Which of the names that the user spoke of a result has, in order.
    pub fn named(&self, run: &MeasuredRun) -> Vec<bool> {
        self.map.iter().map(|map| map.matches(run)).collect()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.volumes.iter().position(|volume| volume.name == name)
    }

    /// A map to no volume places nothing; it is refused by itself.
    fn said(&self, map: &Map) -> Place {
        if map.volume == "-" {
            Place::LeftOut
        } else {
            self.position(&map.volume).map_or(Place::LeftOut, Place::Volume)
        }
    }

    /// Where a target is: as the user said, else on the volume that its path tells.
    fn of_target(&self, tool: Tool, target: &str) -> Place {
        match self.map.iter().find(|map| map.is_of_target(target)) {
            Some(map) => self.said(map),
            None => self.of_path(tool, target).map_or(Place::Unknown, Place::Volume),
        }
    }

    fn of_path(&self, tool: Tool, target: &str) -> Option<usize> {
        let path = match tool {
            Tool::Diskspd => diskspd::spelled(target),
            Tool::Iometer => iometer::spelled_file(target),
            Tool::Fio | Tool::Diskwright => target.to_string(),
        };
        if let Ok(Target::Device(at) | Target::File(at, _)) = Targets::new(self.volumes).locate(&path) {
            return Some(at);
        }
        let is_whole = |volume: &VolumeMap| volume.name == target || is_mount(volume, target);
        let whole = self.volumes.iter().position(is_whole);
        // The last part first: a file is called after its volume more often than the folders above it.
        let mut parts = target.split(['/', '\\']).rev();
        whole.or_else(|| parts.find_map(|part| self.of_words(part, |volume| may_hold(volume, target))))
    }

    /// The volume whose name stands in a text as a word; of several the longest.
    fn of_words(&self, text: &str, may_be: impl Fn(&VolumeMap) -> bool) -> Option<usize> {
        let text = text.to_ascii_lowercase();
        let stands = |name: &str| {
            let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            let ends =
                |at: usize| is_edge(text[..at].chars().next_back()) && is_edge(text[at + name.len()..].chars().next());
            !name.is_empty() && text.match_indices(name).any(|(at, _)| ends(at))
        };
        let all = self.volumes.iter().enumerate();
        let named = all.filter(|(_, v)| stands(&v.name.to_ascii_lowercase()) && may_be(v));
        named.max_by_key(|(_, v)| v.name.len()).map(|(at, _)| at)
    }
}

/// Whether a target that was found nowhere may be on a volume all the same: where that has its device or its files is not known.
fn may_hold(volume: &VolumeMap, target: &str) -> bool {
    let is_device = target.starts_with("/dev/") || target.starts_with(r"\\.\");
    if is_device { volume.device.is_none() } else { volume.mount.is_none() }
}

/// A whole volume by its mount point, as DiskSpd takes `F:`.
fn is_mount(volume: &VolumeMap, path: &str) -> bool {
    let bare = |text: &str| text.trim_end_matches(['/', '\\']).to_ascii_lowercase();
    volume.mount.as_deref().is_some_and(|mount| bare(mount) == bare(path))
}

fn is_idle(entry: &Entry) -> bool {
    let is_some = |figures: &Option<Figures>| figures.as_ref().is_some_and(|f| f.iops.unwrap_or(0.0) > 0.0);
    entry.failure.is_none() && ![&entry.read, &entry.write, &entry.mixed].into_iter().any(is_some)
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Several problems with one remedy, which is said once, after the last.
fn hinted(mut errors: Vec<Error>, hint: &str) -> Error {
    if let Some(last) = errors.pop() {
        errors.push(last.hint(hint));
    }
    let named = errors.into_iter().map(|error| error.naming(&[Named::new("map")]));
    Error::all(named).unwrap_or_else(|| Error::unexpected("nothing is wrong"))
}
