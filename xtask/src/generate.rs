//! Files that are written by the program and committed: the schemas. Tests fail while they are stale.

use std::path::PathBuf;

use diskwright::cli::SchemaName;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default()
}

/// Writes them all.
pub fn write() -> Result<(), String> {
    for (name, which) in [("scenario", SchemaName::Scenario), ("result", SchemaName::Result)] {
        let path = root().join(format!("schemas/{name}.schema.json"));
        let temporary = path.with_extension("tmp");
        let written = std::fs::create_dir_all(root().join("schemas"))
            .and_then(|()| std::fs::write(&temporary, diskwright::schema(which)))
            .and_then(|()| std::fs::rename(&temporary, &path));
        written.map_err(|e| format!("{}: {e}", path.display()))?;
        println!("wrote schemas/{name}.schema.json");
    }
    Ok(())
}
