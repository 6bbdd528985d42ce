//! Mounting, of a program without it.

use std::path::Path;

use dw_emulator::Engine;
use dw_emulator::control::Handle;
use dw_emulator::serve::ServeOptions;
use dw_error::Result;

use super::{Ended, MountArgs};
use crate::absent;

/// Never there.
#[derive(Debug)]
pub enum Prepared {}

/// Never there.
#[derive(Clone, Debug)]
pub enum Running {}

/// Refuses whatever was asked for.
pub fn prepare(args: &MountArgs, _: &Engine, _: Option<&Path>, _: &mut ServeOptions) -> Result<Option<Prepared>> {
    match args.mount.is_empty() && args.fuse.is_none() && args.command.is_empty() {
        true => Ok(None),
        false => Err(absent::refusal("mounting", "mount")),
    }
}

/// Refuses.
pub fn clean(_: &MountArgs) -> Result<Vec<String>> {
    Err(absent::refusal("mounting", "mount"))
}

impl Prepared {
    pub fn keep(self, _: &MountArgs, _: &Handle) -> Running {
        match self {}
    }

    pub fn control(&self) -> std::path::PathBuf {
        match *self {}
    }
}

impl Running {
    pub fn handle(&self) -> Handle {
        match *self {}
    }

    pub fn conduct<T>(
        &self,
        _: Option<std::process::Command>,
        _: impl FnOnce(&str) -> Result<T>,
    ) -> (Ended, Option<T>) {
        match *self {}
    }

    pub fn give_up(&self) {
        match *self {}
    }

    pub fn close(self) {
        match self {}
    }
}

/// There is none: [`prepare`] refused it.
pub fn command(_: &MountArgs, _: Option<&Path>, _: Option<&Path>) -> Option<std::process::Command> {
    None
}
