//! Packs the data files into compressed blobs: two megabytes of text are a third of that in every program that has them, and open in
//! a millisecond. What commands need apart is packed apart: each table of regions, VM sizes, all the rest.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = "data";
/// What is for people and for the generator, not for the program.
const LEFT_OUT: [&str; 2] = ["conflicts.toml", "pages"];

fn main() {
    println!("cargo::rerun-if-changed={ROOT}");
    let mut packs: Vec<(String, String)> = Vec::new();
    let mut list = String::from("&[\n");
    for path in files(Path::new(ROOT)) {
        let name = path.strip_prefix(ROOT).expect("it is below").to_string_lossy().replace('\\', "/");
        let pack = match name.split_once('/') {
            Some(("regions", _)) => name.as_str(),
            Some((folder, _)) => folder,
            None => "",
        };
        let place = packs.iter().position(|(own, _)| own == pack).unwrap_or_else(|| {
            packs.push((pack.to_string(), String::new()));
            packs.len() - 1
        });
        let text = &mut packs[place].1;
        let start = text.len();
        *text += &fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        writeln!(list, "    ({name:?}, {place}, {start}..{}),", text.len()).expect("a string takes all");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut blobs = String::from("&[\n");
    for (place, (_, text)) in packs.iter().enumerate() {
        let file = out.join(format!("{place}.lz4"));
        fs::write(&file, lz4_flex::compress_prepend_size(text.as_bytes())).expect("cargo's folder takes it");
        writeln!(blobs, "    include_bytes!({file:?}),").expect("a string takes all");
    }
    fs::write(out.join("files.rs"), list + "]\n").expect("cargo's folder takes it");
    fs::write(out.join("packs.rs"), blobs + "]\n").expect("cargo's folder takes it");
}

/// The files below a folder, in order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be read").path()).collect();
    paths.retain(|path| !LEFT_OUT.iter().any(|name| path.ends_with(name)));
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
