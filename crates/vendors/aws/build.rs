//! Packs each table into a compressed blob, opened when it is first read: a megabyte of text is a third of that in every program that has
//! it, and hardly a command needs all of it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = "data";

fn main() {
    println!("cargo::rerun-if-changed={ROOT}");
    let entries = fs::read_dir(Path::new(ROOT)).expect("the crate has its data");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be read").path()).collect();
    paths.sort();
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut list = String::from("[\n");
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ext| ext == "csv")) {
        let name = path.file_name().expect("it is a file").to_string_lossy().into_owned();
        let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let blob = out.join(format!("{name}.lz4"));
        fs::write(&blob, lz4_flex::compress_prepend_size(&text)).expect("cargo's folder takes it");
        writeln!(list, "    ({name:?}, include_bytes!({blob:?}) as &[u8]),").expect("a string takes all");
    }
    fs::write(out.join("tables.rs"), list + "]\n").expect("cargo's folder takes it");
}
