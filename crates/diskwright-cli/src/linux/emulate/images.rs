//! The disks' files in a folder: which were there and which were made, and what goes again when the emulation does not begin.

use std::path::{Path, PathBuf};

use dw_emulator::FileStore;
use dw_error::{Error, Result};
use dw_formats::scenario::Scenario;
use dw_stack::VolumeSpec;

/// Files that were opened for this run. Those that it made go when this is dropped, unless it began: nobody has written to them.
#[derive(Debug)]
pub struct Images {
    folder: PathBuf,
    made_folder: bool,
    made: Vec<PathBuf>,
    disks: usize,
    stay: bool,
}

impl Images {
    /// In a folder, which is made if there is none.
    pub fn within(folder: &Path) -> Result<Images> {
        let made_folder = match std::fs::create_dir(folder) {
            Err(e) if !folder.is_dir() => return Err(crate::system::cannot_make(folder, &e)),
            made => made.is_ok(),
        };
        Ok(Images { folder: folder.to_path_buf(), made_folder, made: Vec::new(), disks: 0, stay: false })
    }

    pub fn add(&mut self, store: &FileStore) {
        self.disks += 1;
        if store.is_new() {
            self.made.extend(store.files().map(Path::to_path_buf));
        }
    }

    /// For people: whether there is anything on them.
    pub fn told(&self) -> String {
        let new = self.made.len() / 2;
        let which = match (new, self.disks - new) {
            (_, 0) => "new and empty".to_string(),
            (0, _) => "found, with their data".to_string(),
            (new, found) => format!("{found} found, with their data, and {new} new and empty"),
        };
        format!("{}: {which}", self.folder.display())
    }

    /// The emulation begins.
    pub fn stay(&mut self) {
        self.stay = true;
    }
}

impl Drop for Images {
    fn drop(&mut self) {
        if self.stay {
            return;
        }
        for file in &self.made {
            let _ = std::fs::remove_file(file);
        }
        if self.made_folder {
            let _ = std::fs::remove_dir(&self.folder);
        }
    }
}

/// A disk that is not there can only be read as zeroes, which nobody asks for.
pub fn are_there(folder: &Path, scenario: &Scenario) -> Result<()> {
    let of = |volume: &VolumeSpec| (0..volume.disks.len()).map(|n| format!("{}.{n}", volume.name)).collect::<Vec<_>>();
    let mut disks = scenario.stack.volumes.iter().flat_map(of);
    match disks.find(|disk| !folder.join(format!("{disk}.json")).exists()) {
        None => Ok(()),
        Some(disk) => Err(Error::usage(format!("`--read-only`: there is no disk `{disk}` in {}", folder.display()))
            .hint("name the directory of an earlier run with `--dir`, or omit `--read-only` the first time")),
    }
}
