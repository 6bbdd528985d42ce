//! On which volume an entry of a result was measured.
//!
//! A target is found as in the tool's own loads: a device, a drive, a file under a mount point. fio's JSON says which file or
//! folder a job had; its text and terse lines do not: there a job that is called like a volume was measured on it.
//!
//! Ignores: two targets of one entry that lie on different volumes (an error: nothing says how its I/Os are divided).

use super::model::{Entry, MeasuredRun, Tool};
use super::text::shown;
use crate::fio::targets::{Target, Targets};
use crate::fio::{VolumeMap, split_names};
use crate::{diskspd, iometer};

impl MeasuredRun {
    /// The volume, by its place among `volumes`, that an entry was measured on; the error says what is not known.
    pub fn volume_of(&self, entry: &Entry, volumes: &[VolumeMap]) -> Result<usize, String> {
        if volumes.len() == 1 {
            return Ok(0);
        }
        let folder = self.option_of(entry, "directory").map(split_names).unwrap_or_default().into_iter().next();
        let mut paths: Vec<String> = entry.load.targets.clone();
        if let Some(folder) = folder {
            let is_absolute = |path: &String| path.starts_with(['/', '\\']) || path.get(1..2) == Some(":");
            if !paths.iter().any(is_absolute) {
                // A file of the folder, whatever its name.
                paths = vec![format!("{folder}/file")];
            }
        }
        if paths.is_empty() {
            let called = volumes.iter().position(|volume| volume.name == entry.name);
            return called.ok_or_else(|| "it names no file, and there are several volumes".into());
        }
        let targets = Targets::new(volumes);
        let mut found: Option<usize> = None;
        for path in &paths {
            let path = match self.tool {
                Tool::Diskspd => diskspd::spelled(path),
                Tool::Iometer => iometer::spelled_file(path),
                Tool::Fio | Tool::Diskwright => path.clone(),
            };
            let at = match targets.locate(&path) {
                Ok(Target::Device(at) | Target::File(at, _)) => at,
                Err(_) => volumes
                    .iter()
                    .position(|volume| volume.name == path || is_mount(volume, &path))
                    .ok_or_else(|| format!("`{}` lies on no volume of the configuration", shown(&path)))?,
            };
            if found.is_some_and(|other| other != at) {
                return Err(format!("its targets `{}` lie on several volumes", shown(&paths.join("`, `"))));
            }
            found = Some(at);
        }
        found.ok_or_else(|| "it names no file, and there are several volumes".into())
    }

    /// An option of an entry, its own before those of all.
    pub fn option_of<'a>(&'a self, entry: &'a Entry, name: &str) -> Option<&'a str> {
        let of = |settings: &'_ [super::model::Setting]| settings.iter().rposition(|s| s.name == name);
        let found = of(&entry.options).map(|at| &entry.options[at]);
        found.or_else(|| of(&self.options).map(|at| &self.options[at])).map(|setting| setting.value.as_str())
    }
}

/// A whole volume by its mount point, as DiskSpd takes `F:`.
fn is_mount(volume: &VolumeMap, path: &str) -> bool {
    let bare = |text: &str| text.trim_end_matches(['/', '\\']).to_ascii_lowercase();
    volume.mount.as_deref().is_some_and(|mount| bare(mount) == bare(path))
}
