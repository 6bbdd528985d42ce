//! What the operating system refuses, in words.

use std::io::{Error, ErrorKind};
use std::path::Path;

use crate::exit::Failure;

/// Why, for people: without the system's number, which says nothing to them.
pub fn reason(error: &Error) -> String {
    let text = match error.kind() {
        ErrorKind::NotFound => "no such file or directory",
        // Of a file system that lets nobody do it, as of one that does not let this user.
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::NotADirectory => "not a directory",
        ErrorKind::IsADirectory => "is a directory",
        ErrorKind::StorageFull => "no space left on the disk",
        ErrorKind::QuotaExceeded => "the quota is used up",
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            // What a library says begins with a small letter already; a name in capitals stays one.
            let mut chars = text.chars();
            let first = chars.next().map(|c| c.to_ascii_lowercase());
            let rest = chars.as_str();
            return match rest.starts_with(|c: char| c.is_ascii_uppercase()) {
                true => text.to_string(),
                false => first.into_iter().chain(rest.chars()).collect(),
            };
        }
    };
    text.to_string()
}

/// What is said of a file that cannot be read.
pub fn unreadable(path: &Path, error: &Error) -> Failure {
    let hint = match error.kind() {
        ErrorKind::NotFound => "\nhint: is the path right? It is taken from the current folder",
        ErrorKind::IsADirectory => "\nhint: name a file in this folder",
        _ => "",
    };
    Failure::input(format!("error: {}: cannot be read: {}{hint}\n", crate::input::name(path), reason(error)))
}

/// What is said of a file that cannot be written, and of the option that named it.
pub fn unwritable(path: &Path, option: &str, error: &Error) -> Failure {
    let hint = match error.kind() {
        ErrorKind::NotFound => "does its folder exist? The path is taken from the current folder".to_string(),
        ErrorKind::NotADirectory => "what stands before its last `/` must be a folder".into(),
        ErrorKind::IsADirectory => "this is a folder; name a file in it".into(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some room, or name a file on another disk".into(),
        _ => format!("give `{option}` a path in a folder of yours"),
    };
    Failure::unexpected(format!("error: {}: cannot be written: {}\nhint: {hint}\n", path.display(), reason(error)))
}

/// What is said of a folder that cannot be made.
pub fn cannot_make(folder: &Path, error: &Error) -> Failure {
    let hint = match error.kind() {
        ErrorKind::NotFound => "make the folder that it is to be in first",
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "a file is in the way; name another folder",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some room, or name a folder on another disk",
        _ => "name a folder that this user may write to",
    };
    Failure::unexpected(format!("error: {}: cannot be made: {}\nhint: {hint}\n", folder.display(), reason(error)))
}

/// A text without the system's numbers, which messages of libraries bring along: `(os error 2)`.
pub fn without_numbers(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once(')').filter(|(number, _)| number.parse::<u32>().is_ok()) {
            Some((_, rest)) => out += rest,
            None => out = out + " (os error " + part,
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_is_in_words() {
        for (number, expected) in [
            (1, "permission denied"),
            (2, "no such file or directory"),
            (13, "permission denied"),
            (20, "not a directory"),
            (21, "is a directory"),
            (28, "no space left on the disk"),
            (30, "the file system is read-only"),
            (98, "address already in use"),
        ] {
            assert_eq!(reason(&Error::from_raw_os_error(number)), expected, "{number}");
        }
        assert_eq!(reason(&Error::other("TLS is off")), "TLS is off");
    }

    #[test]
    fn numbers_are_left_out_wherever_they_stand() {
        for (text, expected) in [
            ("s: No such file (os error 2)\nhint: x (os error 13)\n", "s: No such file\nhint: x\n"),
            ("none", "none"),
            ("a (os error x) b", "a (os error x) b"),
            ("a (os error 2", "a (os error 2"),
        ] {
            assert_eq!(without_numbers(text), expected);
        }
    }
}
