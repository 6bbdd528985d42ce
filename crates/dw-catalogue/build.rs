//! Packs the data files into one compressed blob: two megabytes of text are a third of that in every program that has them, and open in
//! a millisecond.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = "data/azure";
/// What is for people and for the generator, not for the program.
const LEFT_OUT: [&str; 2] = ["conflicts.toml", "pages"];

fn main() {
    println!("cargo::rerun-if-changed={ROOT}");
    let (mut text, mut list) = (String::new(), String::from("&[\n"));
    for path in files(Path::new(ROOT)) {
        let start = text.len();
        text += &fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let name = path.strip_prefix(ROOT).expect("it is below").to_string_lossy().replace('\\', "/");
        writeln!(list, "    ({name:?}, {start}..{}),", text.len()).expect("a string takes all");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("azure.lz4"), lz4_flex::compress_prepend_size(text.as_bytes()))
        .expect("cargo's folder takes it");
    fs::write(out.join("azure.rs"), list + "]\n").expect("cargo's folder takes it");
}

/// The files below a folder, in order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be read").path()).collect();
    paths.retain(|path| !LEFT_OUT.iter().any(|name| path.ends_with(name)));
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
