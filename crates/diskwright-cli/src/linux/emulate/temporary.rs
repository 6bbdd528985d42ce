//! A folder for the disks of one run.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use dw_error::Result;

/// It goes when dropped, with what is in it.
#[derive(Debug)]
pub struct Temporary(PathBuf);

impl Temporary {
    /// An empty one, for its owner alone.
    pub fn new() -> Result<Temporary> {
        let path = std::env::temp_dir().join(format!("diskwright-disks-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::DirBuilder::new().mode(0o700).create(&path).map_err(|e| crate::system::cannot_make(&path, &e))?;
        Ok(Temporary(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
