//! `--vhost-user VOLUME=PATH`: sockets for guests, each for one block device.

use std::path::Path;

use dw_emulator::command::nearest;
use dw_emulator::serve::Listener;
use dw_emulator::{Engine, ExportId};
use dw_error::{Error, Result};

/// A volume or disk, and where guests come for it.
pub fn named(text: &str) -> Result<(&str, &Path)> {
    let parts = text.split_once('=').filter(|(name, path)| !name.is_empty() && !path.is_empty());
    parts.map(|(name, path)| (name, Path::new(path))).ok_or_else(|| {
        Error::usage(format!("`--vhost-user {text}` is not a volume and a path"))
            .hint("write `--vhost-user VOLUME=PATH`, for example `--vhost-user data=/tmp/data.sock`")
    })
}

/// Listens for guests.
pub fn listeners(given: &[String], engine: &Engine) -> Result<Vec<(Listener, ExportId)>> {
    let listener = |text: &String| -> Result<(Listener, ExportId)> {
        let (name, path) = named(text)?;
        let export = engine.find(name).ok_or_else(|| {
            let names = engine.exports().iter().map(|export| export.name.as_str());
            Error::usage(format!("`--vhost-user {text}`: there is no volume or disk `{name}`"))
                .hint(nearest(name, names))
        })?;
        Ok((Listener::unix(path)?, export))
    };
    given.iter().map(listener).collect()
}
