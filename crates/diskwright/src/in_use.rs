//! The catalogue in use: the one that is part of the program, with what the user imported laid over it.
//!
//! The layer is one file: that of `DISKWRIGHT_CATALOGUE`, or `diskwright/imported.toml` in the user's data folder
//! (`XDG_DATA_HOME`, `~/.local/share` without it). `DISKWRIGHT_CATALOGUE=none` uses the shipped catalogue alone.

use std::path::PathBuf;
use std::sync::OnceLock;

use dw_catalogue::Catalogue;

use crate::exit::Failure;

/// The variable that names the layer.
pub const VARIABLE: &str = "DISKWRIGHT_CATALOGUE";

static IN_USE: OnceLock<Catalogue> = OnceLock::new();

/// Where the layer is, or would be written; nothing when there is to be none.
pub fn layer() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    match set(VARIABLE) {
        Some(value) if value == "none" => None,
        Some(value) => Some(PathBuf::from(value)),
        None => {
            let home = || set("HOME").map(|home| PathBuf::from(home).join(".local/share"));
            let data = set("XDG_DATA_HOME").map(PathBuf::from).or_else(home)?;
            Some(data.join("diskwright/imported.toml"))
        }
    }
}

/// Reads the layer, once, before anything asks for the catalogue.
pub fn read_layer() -> Result<(), Failure> {
    let Some(path) = layer() else { return Ok(()) };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        // Nothing was imported yet, or whoever names the file is about to.
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(broken(&path, &e.to_string().to_lowercase())),
    };
    let catalogue = Catalogue::with_imported(&text).map_err(|e| broken(&path, e.what.trim_end()))?;
    // Whoever came first read the same.
    let _ = IN_USE.set(catalogue);
    Ok(())
}

fn broken(path: &std::path::Path, what: &str) -> Failure {
    Failure::input(format!(
        "error: {}: the imported layer of the catalogue cannot be read: {what}\n\
         hint: import again, remove the file, or set {VARIABLE}=none to use the shipped catalogue alone\n",
        path.display()
    ))
}

/// The catalogue in use.
pub fn catalogue() -> &'static Catalogue {
    IN_USE.get().unwrap_or_else(|| Catalogue::embedded())
}
