//! Where the files of a job are: paths to volumes, and files to byte ranges of them.
//!
//! A path is the whole volume when it is its device (or `/dev/NAME`), else a file of the volume whose mount point is the
//! longest that the path lies under, component by component. Each distinct file gets a range of its own, in the order of
//! first use, as large as the largest need of any job; jobs that name the same file share it, without splitting.
//!
//! Ignores: where a file system really puts its blocks; files are contiguous and start at a multiple of 1 MiB where the
//! volume has room for that.

use std::collections::{BTreeMap, BTreeSet};

use dw_units::Bytes;

use super::VolumeMap;
use super::report::Place;

/// Bytes of a place of unknown size.
pub(crate) const UNKNOWN: u64 = 1 << 59;

/// Distances at which files start, the first that fits.
const ALIGNMENTS: [u64; 4] = [1 << 20, 4_096, 512, 1];

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A whole volume, by its position in the list.
    Device(usize),
    /// A file on a volume.
    File(usize, String),
}

/// Why a path names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// It is relative, so it depends on fio's working directory.
    Relative,
    /// It is on no volume.
    Elsewhere,
}

/// A file that some job uses.
#[derive(Clone, Debug)]
struct Need {
    volume: usize,
    path: String,
    bytes: u64,
    /// The line to name when it does not fit.
    place: Place,
    text: String,
}

/// All files of a run.
pub(crate) struct Targets<'a> {
    volumes: &'a [VolumeMap],
    needs: Vec<Need>,
    index: BTreeMap<(usize, String), usize>,
    /// Files whose size nobody says, and what they are taken to be.
    assumed: BTreeMap<(usize, String), u64>,
    /// Files whose size was asked for in vain.
    open: BTreeSet<(usize, String)>,
}

/// A file that is too much for its volume.
pub(crate) struct Overflow {
    pub place: Place,
    pub text: String,
    pub what: String,
}

impl<'a> Targets<'a> {
    pub fn new(volumes: &'a [VolumeMap]) -> Self {
        Targets { volumes, needs: Vec::new(), index: BTreeMap::new(), assumed: BTreeMap::new(), open: BTreeSet::new() }
    }

    pub fn volume(&self, at: usize) -> &'a VolumeMap {
        &self.volumes[at]
    }

    /// How many volumes there are.
    pub fn count(&self) -> usize {
        self.volumes.len()
    }

    /// The only volume, if there is only one.
    pub fn only_volume(&self) -> Option<usize> {
        (self.volumes.len() == 1).then_some(0)
    }

    /// What `path` names.
    pub fn locate(&self, path: &str) -> Result<Target, Lost> {
        let device = |path: &str| self.volumes.iter().position(|v| names_device(v, path));
        // A partition is taken for the whole of its disk: the disk's limits are its own.
        if let Some(at) = device(path).or_else(|| device(disk_of_partition(path)?)) {
            return Ok(Target::Device(at));
        }
        // A device node that is not a volume's is a device all the same, not a file under `/`.
        if path.starts_with("/dev/") {
            return Err(Lost::Elsewhere);
        }
        let mut best: Option<(usize, usize)> = None;
        for (at, volume) in self.volumes.iter().enumerate() {
            let Some(mount) = &volume.mount else { continue };
            let windows = is_windows(mount);
            let (mount_parts, path_parts) = (components(mount, windows), components(path, windows));
            let under = is_absolute(path, windows)
                && path_parts.len() > mount_parts.len()
                && path_parts
                    .iter()
                    .zip(&mount_parts)
                    .all(|(a, b)| if windows { a.eq_ignore_ascii_case(b) } else { a == b });
            if under && best.is_none_or(|(_, longest)| mount_parts.len() > longest) {
                best = Some((at, mount_parts.len()));
            }
        }
        match best {
            Some((at, skip)) => {
                let windows = self.volumes[at].mount.as_deref().is_some_and(is_windows);
                Ok(Target::File(at, components(path, windows)[skip..].join("/")))
            }
            None if is_absolute(path, false) || is_absolute(path, true) => Err(Lost::Elsewhere),
            // A volume at `.` takes what is relative, where it does not matter on which disk that is.
            None => match self.volumes.iter().position(|v| v.mount.as_deref() == Some(".")) {
                Some(at) => Ok(Target::File(at, path.to_string())),
                None => Err(Lost::Relative),
            },
        }
    }

    /// The volumes, as a hint.
    pub fn hint(&self) -> String {
        if self.volumes.is_empty() {
            return "the scenario has no volume; add one".into();
        }
        if self.is_anywhere() {
            return "write a device or a path, for example `filename=/dev/sdb` or `directory=/mnt/data`".into();
        }
        let shown = self.volumes.iter().map(|v| {
            let mount = v.mount.as_ref().map(|m| format!(", mounted at {m}")).unwrap_or_default();
            let device = v.device.as_ref().map(|d| format!(", device {d}")).unwrap_or_default();
            format!("`{}`{mount}{device}", v.name)
        });
        let shown: Vec<_> = shown.collect();
        let first = &self.volumes[0];
        let example = match &first.mount {
            Some(mount) => format!("directory={mount}"),
            None => format!("filename=/dev/{}", first.name),
        };
        format!("the volumes are {}; write for example `{example}`", shown.join("; "))
    }

    /// The volumes, with a path on the first, as a hint for other tools than fio.
    pub fn example_path(&self) -> String {
        let Some(first) = self.volumes.first().filter(|_| !self.is_anywhere()) else { return self.hint() };
        let list = self.hint();
        let list = list.split("; write for example").next().unwrap_or_default();
        let path = match &first.mount {
            Some(mount) if is_windows(mount) => format!(r"{}\test.dat", mount.trim_end_matches('\\')),
            Some(mount) => format!("{}/test.dat", mount.trim_end_matches('/')),
            None => format!("/dev/{}", first.name),
        };
        format!("{list}; name for example `{path}`")
    }

    /// How large the target is: a device's size, or what earlier jobs need of the file.
    pub fn real_size(&self, target: &Target) -> Option<u64> {
        match target {
            Target::Device(at) => Some(self.volumes[*at].size),
            Target::File(at, path) => {
                let at = (*at, path.clone());
                let assumed = self.assumed.get(&at).copied();
                assumed.or_else(|| self.index.get(&at).map(|i| self.needs[*i].bytes))
            }
        }
    }

    /// The size of a file that nobody says: remembered, and for now that of its volume.
    pub fn ask(&mut self, target: &Target) -> u64 {
        if let Target::File(at, path) = target {
            self.open.insert((*at, path.clone()));
        }
        match target {
            Target::Device(at) | Target::File(at, _) => self.volumes[*at].size,
        }
    }

    /// The size that a file is taken to have because nobody says it, and the name of its volume.
    pub fn assumption(&self, target: &Target) -> Option<(u64, &'a str)> {
        let Target::File(at, path) = target else { return None };
        let size = self.assumed.get(&(*at, path.clone()))?;
        Some((*size, &self.volumes[*at].name))
    }

    /// Whether sizes are of no matter, because no scenario says them.
    pub fn is_anywhere(&self) -> bool {
        self.volumes.first().is_some_and(|volume| volume.size == UNKNOWN)
    }

    /// Where sizes were asked for in vain: targets of which these files fill what the others leave of their volumes, in equal
    /// parts. `None` when none was asked for.
    pub fn filled(&self) -> Option<Targets<'a>> {
        let assumed = self.shares();
        (!assumed.is_empty()).then(|| Targets { assumed, ..Targets::new(self.volumes) })
    }

    /// As [`filled`](Self::filled), for readers that know all needs before they make jobs.
    pub fn fill(&mut self) {
        self.assumed = self.shares();
    }

    fn shares(&self) -> BTreeMap<(usize, String), u64> {
        let mut shares = BTreeMap::new();
        for (at, path) in &self.open {
            let volume = &self.volumes[*at];
            let is_open = |need: &&Need| self.open.contains(&(need.volume, need.path.clone()));
            let others = self.needs.iter().filter(|need| need.volume == *at && !is_open(need));
            let taken = others.map(|need| need.bytes.next_multiple_of(ALIGNMENTS[0])).fold(0, u64::saturating_add);
            let files = self.open.iter().filter(|open| open.0 == *at).count() as u64;
            let share = volume.size.saturating_sub(taken) / files;
            let unit = if share >= ALIGNMENTS[0] { ALIGNMENTS[0] } else { ALIGNMENTS[2] };
            let size = if volume.size == UNKNOWN { UNKNOWN } else { share - share % unit };
            shares.insert((*at, path.clone()), size);
        }
        shares
    }

    /// A job needs the first `bytes` of this file.
    pub fn need(&mut self, target: &Target, bytes: u64, place: &Place, text: &str) {
        let Target::File(volume, path) = target else { return };
        let at = *self.index.entry((*volume, path.clone())).or_insert(self.needs.len());
        if at == self.needs.len() {
            self.needs.push(Need {
                volume: *volume,
                path: path.clone(),
                bytes: 0,
                place: place.clone(),
                text: text.into(),
            });
        }
        let need = &mut self.needs[at];
        if bytes > need.bytes {
            (need.bytes, need.place, need.text) = (bytes, place.clone(), text.into());
        }
    }

    /// Gives every file its place; the files that do not fit come back.
    pub fn allocate(&self) -> Result<Placement, Vec<Overflow>> {
        let mut starts = BTreeMap::new();
        let mut overflows = Vec::new();
        for (at, volume) in self.volumes.iter().enumerate() {
            let needs: Vec<&Need> = self.needs.iter().filter(|need| need.volume == at).collect();
            // Where nobody knows how large a place is, everything fits.
            let anywhere = (volume.size == UNKNOWN).then(|| vec![0; needs.len()]);
            match ALIGNMENTS.iter().find_map(|align| lay_out(&needs, volume.size, *align)).or(anywhere) {
                Some(laid) => {
                    starts.extend(needs.iter().zip(laid).map(|(need, start)| ((at, need.path.clone()), start)))
                }
                None => overflows.extend(overflow(&needs, volume)),
            }
        }
        if overflows.is_empty() { Ok(Placement { starts }) } else { Err(overflows) }
    }
}

/// Where every file begins.
pub(crate) struct Placement {
    starts: BTreeMap<(usize, String), u64>,
}

impl Placement {
    /// First byte on the volume; 0 for a whole device.
    pub fn start(&self, target: &Target) -> u64 {
        match target {
            Target::Device(_) => 0,
            Target::File(at, path) => self.starts.get(&(*at, path.clone())).copied().unwrap_or(0),
        }
    }
}

fn lay_out(needs: &[&Need], size: u64, align: u64) -> Option<Vec<u64>> {
    let mut end = 0u64;
    let mut starts = Vec::with_capacity(needs.len());
    for need in needs {
        let start = end.checked_next_multiple_of(align)?;
        end = start.checked_add(need.bytes).filter(|end| *end <= size)?;
        starts.push(start);
    }
    Some(starts)
}

fn overflow(needs: &[&Need], volume: &VolumeMap) -> Option<Overflow> {
    let total: u128 = needs.iter().map(|need| u128::from(need.bytes)).sum();
    let mut before = 0u128;
    let crossing = needs.iter().find(|need| {
        before += u128::from(need.bytes);
        before > u128::from(volume.size)
    })?;
    let files = if needs.len() == 1 { "1 file needs".into() } else { format!("{} files need", needs.len()) };
    Some(Overflow {
        place: crossing.place.clone(),
        text: crossing.text.clone(),
        what: format!(
            "does not fit: {files} {} in all, but volume `{}` has {}",
            show(total),
            volume.name,
            Bytes::new(volume.size)
        ),
    })
}

fn show(bytes: u128) -> String {
    u64::try_from(bytes).map_or_else(|_| format!("{bytes} B"), |bytes| Bytes::new(bytes).to_string())
}

fn names_device(volume: &VolumeMap, path: &str) -> bool {
    volume.device.as_deref() == Some(path)
        || path.strip_prefix("/dev/").is_some_and(|name| name == volume.name)
        || volume.device.as_deref().is_some_and(|d| d.starts_with(r"\\.\") && d.eq_ignore_ascii_case(path))
}

/// The disk that a partition is of, by the names that Linux gives: `/dev/sdc1`, `/dev/nvme0n1p1`, `/dev/disk/azure/scsi1/lun0-part1`.
fn disk_of_partition(path: &str) -> Option<&str> {
    let disk = path.strip_prefix("/dev/").map(|_| path.trim_end_matches(|c: char| c.is_ascii_digit()))?;
    if disk.len() == path.len() {
        return None;
    }
    if let Some(disk) = disk.strip_suffix("-part") {
        return Some(disk);
    }
    // Of names that end with a figure themselves a `p` parts it from that of the partition.
    if let Some(disk) = disk.strip_suffix('p').filter(|disk| disk.ends_with(|c: char| c.is_ascii_digit())) {
        return Some(disk);
    }
    let name = disk.rsplit('/').next()?;
    let is_letters = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_lowercase());
    ["sd", "vd", "xvd", "hd"].iter().any(|kind| name.strip_prefix(kind).is_some_and(is_letters)).then_some(disk)
}

/// A mount such as `F:` or `F:\data`.
fn is_windows(mount: &str) -> bool {
    let bytes = mount.as_bytes();
    bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
}

fn is_absolute(path: &str, windows: bool) -> bool {
    if windows { is_windows(path) || path.starts_with('\\') } else { path.starts_with('/') }
}

fn components(path: &str, windows: bool) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in path.split(|c| c == '/' || (windows && c == '\\')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn volumes() -> Vec<VolumeMap> {
        let volume = |index, name: &str, mount: Option<&str>, device: Option<&str>, size| VolumeMap {
            index,
            name: name.into(),
            mount: mount.map(Into::into),
            device: device.map(Into::into),
            size,
        };
        vec![
            volume(0, "data", Some("/mnt"), Some("/dev/md0"), 10 << 30),
            volume(1, "logs", Some("/mnt/logs/"), None, 2 << 30),
            volume(2, "win", Some("F:"), Some(r"\\.\PhysicalDrive2"), 1 << 30),
        ]
    }

    #[test]
    fn a_path_belongs_to_the_longest_mount_by_component() {
        let volumes = volumes();
        let targets = Targets::new(&volumes);
        let file = |at, path: &str| Ok(Target::File(at, path.into()));
        let cases = [
            ("/mnt/x", file(0, "x")),
            ("/mnt/logs/x", file(1, "x")),
            ("/mnt/logs2/x", file(0, "logs2/x")),
            ("/mnt//logs/./a/../x", file(1, "x")),
            ("/mntx/x", Err(Lost::Elsewhere)),
            ("/mnt", Err(Lost::Elsewhere)),
            ("/dev/md0", Ok(Target::Device(0))),
            ("/dev/logs", Ok(Target::Device(1))),
            ("/dev/md1", Err(Lost::Elsewhere)),
            ("x", Err(Lost::Relative)),
            (r"F:\test.dat", file(2, "test.dat")),
            (r"f:\dir\test.dat", file(2, "dir/test.dat")),
            (r"G:\test.dat", Err(Lost::Elsewhere)),
            (r"\\.\PHYSICALDRIVE2", Ok(Target::Device(2))),
        ];
        for (path, expected) in cases {
            assert_eq!(targets.locate(path), expected, "{path}");
        }
    }

    #[test]
    fn a_device_that_is_no_volume_is_no_file_of_the_root() {
        let root = VolumeMap { mount: Some("/".into()), ..volumes().remove(0) };
        let volumes = [root];
        let targets = Targets::new(&volumes);
        assert_eq!(targets.locate("/dev/sdb"), Err(Lost::Elsewhere));
        assert_eq!(targets.locate("/dev/md0"), Ok(Target::Device(0)));
        assert_eq!(targets.locate("/var/x"), Ok(Target::File(0, "var/x".into())));
    }

    #[test]
    fn files_follow_each_other_and_are_as_large_as_the_largest_need() {
        let volumes = volumes();
        let mut targets = Targets::new(&volumes);
        let place = Place { file: Arc::from("t"), line: 1 };
        let (a, b) = (Target::File(0, "a".into()), Target::File(0, "b".into()));
        for (target, bytes) in [(&a, 1_000), (&b, 5), (&a, 3 << 20)] {
            targets.need(target, bytes, &place, "size");
        }
        let placed = targets.allocate().ok().unwrap();
        assert_eq!((placed.start(&a), placed.start(&b)), (0, 3 << 20));
        targets.need(&b, 9 << 30, &place, "size=9g");
        assert!(targets.allocate().is_ok(), "9 GiB and 3 MiB fit into 10 GiB");
        targets.need(&Target::File(0, "c".into()), 1 << 30, &place, "size=1g");
        let errors = targets.allocate().err().unwrap();
        assert_eq!(errors[0].what, "does not fit: 3 files need 10243 MiB in all, but volume `data` has 10 GiB");
    }
}
