//! What the operating system refuses, in words.

use std::io::{Error, ErrorKind};

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
}
