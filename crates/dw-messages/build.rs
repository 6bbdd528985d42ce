//! Lists the languages: every file of `messages/` with its labels, so that a language is added by adding its files.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is")).join("messages");
    println!("cargo::rerun-if-changed={}", folder.display());
    let files = fs::read_dir(&folder).expect("messages/ is part of the crate");
    let mut files: Vec<_> = files.map(|file| file.expect("a readable folder").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ftl"));
    files.sort();
    let mut list = "&[".to_string();
    for file in files {
        let language = file.file_stem().expect("a file has a name").to_string_lossy();
        let labels = folder.join("labels").join(format!("{language}.txt"));
        let labels = if labels.is_file() { format!("include_str!({labels:?})") } else { "\"\"".into() };
        let _ = write!(list, "({language:?}, include_str!({file:?}), {labels}),");
    }
    let out = Path::new(&env::var("OUT_DIR").expect("cargo says where to write")).join("languages.rs");
    fs::write(out, list + "]").expect("OUT_DIR can be written");
}
