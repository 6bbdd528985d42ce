//! Every chore of the project: `cargo xtask ci` is the whole gate, the others are its parts.

mod arrows;
mod catalogue;
mod ci;
mod generate;
mod python;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <chore>
  ci [--install-tools] [--all] [--keep-times]
              format, clippy, arrows, all tests, generated files, documents: the whole gate; with --all also tests of databases,
              guests, Spark and Ray that no change affects; with --keep-times it records the times of this run
  gen         rewrite schemas/, the expected.txt of every example, docs/accuracy.md, what README.md and docs/guide show
  arrows      check that crates use only those of lower layers, modules those of lower rows, and what none ever does
  python      build the wheel of the Python package, install it beside target/, run its tests
  catalogue   rewrite the catalogue's data from CSV files
  bench       run the benchmarks (package dw-bench) as what ships is built";

/// The folder of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map(PathBuf::from).unwrap_or_default()
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let done = match args.first().map(String::as_str) {
        Some("ci") => ci::run(rest),
        Some("gen") => generate::write(),
        Some("arrows") => arrows::check(),
        Some("python") => python::alone(),
        Some("catalogue") => catalogue::run(rest),
        Some("bench") => ci::bench(rest),
        _ => Err(USAGE.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            if !message.is_empty() {
                eprintln!("{message}");
            }
            ExitCode::FAILURE
        }
    }
}
