//! Files that are written by the program and committed: the schemas, what the examples print. Tests fail while they are stale.
//!
//! A package of its own, because it needs the whole program: the gate, which `xtask` is, must begin without compiling that.

use std::path::PathBuf;
use std::process::ExitCode;

use diskwright_cli::cli::SchemaName;

fn main() -> ExitCode {
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(PathBuf::from).unwrap_or_default()
}

fn write() -> Result<(), String> {
    let schemas = [
        ("scenario", SchemaName::Scenario),
        ("result", SchemaName::Result),
        ("sweep", SchemaName::Sweep),
        ("control", SchemaName::Control),
        ("checklist", SchemaName::Checklist),
        ("requirements", SchemaName::Requirements),
        ("plan", SchemaName::Plan),
        ("bench", SchemaName::Bench),
        ("verify", SchemaName::Verify),
        ("calibration", SchemaName::Calibration),
        ("measured", SchemaName::Measured),
        ("plan-diff", SchemaName::PlanDiff),
        ("explain", SchemaName::Explain),
        ("audit", SchemaName::Audit),
    ];
    for (name, which) in schemas {
        let path = root().join(format!("schemas/{name}.schema.json"));
        let temporary = path.with_extension("tmp");
        let written = std::fs::create_dir_all(root().join("schemas"))
            .and_then(|()| std::fs::write(&temporary, diskwright_cli::schema(which)))
            .and_then(|()| std::fs::rename(&temporary, &path));
        written.map_err(|e| format!("{}: {e}", path.display()))?;
        println!("wrote schemas/{name}.schema.json");
    }
    expectations()
}

/// What the examples print.
fn expectations() -> Result<(), String> {
    let fault = |e: std::io::Error| format!("examples: {e}");
    std::env::set_current_dir(root()).map_err(fault)?;
    let mut folders: Vec<PathBuf> = std::fs::read_dir("examples")
        .map_err(fault)?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.is_dir())
        .collect();
    folders.sort();
    for folder in folders {
        let shown = folder.display().to_string();
        let commands = diskwright_cli::examples::commands(&folder, &shown).map_err(fault)?;
        let text = diskwright_cli::examples::transcript(&commands, |arguments| {
            let mut out = Vec::new();
            let all = std::iter::once("diskwright".to_string()).chain(arguments.iter().cloned()).collect();
            diskwright_cli::run(all, &mut out);
            String::from_utf8_lossy(&out).into_owned()
        });
        std::fs::write(folder.join("expected.txt"), text).map_err(fault)?;
        println!("wrote {shown}/expected.txt");
    }
    Ok(())
}
