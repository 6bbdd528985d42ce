//! The version with the commit that it was built from, where there is a repository; without one, the version alone.
//!
//! git itself is not asked: it may not be there, or not trust the folder. Nothing here can fail a build.

use std::fs;
use std::path::{Path, PathBuf};

/// Digits of a commit that tell it from all others.
const DIGITS: usize = 9;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // Only the repository of this workspace: sources that were copied into another one have their own history.
    let commit = folder.ancestors().nth(2).and_then(commit).filter(|commit| is_commit(commit));
    let shown = commit.map_or(version.clone(), |commit| format!("{version} ({})", &commit[..DIGITS]));
    println!("cargo:rustc-env=DISKWRIGHT_VERSION={shown}");
}

fn is_commit(text: &str) -> bool {
    text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The commit that is checked out. What it depends on is watched, and only what is there: a file that is missing would make
/// every build run this again.
fn commit(root: &Path) -> Option<String> {
    let git = git_folder(&root.join(".git"))?;
    let head = watched(&git.join("HEAD"))?;
    let Some(reference) = head.strip_prefix("ref: ") else { return Some(head) };
    // A second working tree has its references with the first.
    let common = fs::read_to_string(git.join("commondir")).map_or(git.clone(), |path| git.join(path.trim()));
    let packed = watched(&common.join("packed-refs"));
    let loose = common.join(reference);
    if let Some(commit) = watched(&loose) {
        return Some(commit);
    }
    // A commit makes the file, which changes the folder that it will be in.
    if let Some(folder) = loose.parent().filter(|folder| folder.is_dir()) {
        println!("cargo:rerun-if-changed={}", folder.display());
    }
    let line = packed.as_deref()?.lines().find_map(|line| line.strip_suffix(reference).map(str::to_string))?;
    Some(line.trim().to_string())
}

/// `.git` itself, or where it says that the folder is.
fn git_folder(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_path_buf());
    }
    let text = fs::read_to_string(git).ok()?;
    Some(git.parent()?.join(text.strip_prefix("gitdir: ")?.trim()))
}

fn watched(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    println!("cargo:rerun-if-changed={}", path.display());
    Some(text.trim().to_string())
}
