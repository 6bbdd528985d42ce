//! What is said of files that the operating system refuses.

use std::io::{Error, ErrorKind};
use std::path::Path;
#[cfg(unix)]
use std::sync::Arc;

pub use dw_error::system::reason;

/// A write beyond `ulimit -f` fails with an error, which is told, instead of ending the program, and an emulation with all its clients.
/// Programs that this one starts have the system's own way.
pub fn take_file_limit_as_error() {
    // Without a handler it is as it always was: worse, but no reason not to run.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// What is said of a file that cannot be read.
pub fn unreadable(path: &Path, error: &Error) -> dw_error::Error {
    let told = diskwright::text::unreadable(&crate::input::name(path), error);
    match path.to_str().filter(|_| error.kind() == ErrorKind::NotFound).and_then(offered) {
        Some(what) => {
            told.hint(format!("{what}, and a file belongs here: `diskwright init --help` lists those to begin with"))
        }
        None => told,
    }
}

/// What a name is that no file has and the catalogue has.
pub fn offered(name: &str) -> Option<String> {
    let catalogue = crate::in_use::catalogue();
    let what = match (catalogue.disk(name, None), catalogue.vm(name, None)) {
        (Ok(_), _) => "a disk",
        (_, Ok(_)) => "a VM size",
        _ => return None,
    };
    Some(format!("`{name}` is {what} of the catalogue"))
}

/// What is said of a file that cannot be written, and of the option that named it.
pub fn unwritable(path: &Path, option: &str, error: &Error) -> dw_error::Error {
    let unexpanded = path.to_str().and_then(diskwright::text::unexpanded);
    let hint = match error.kind() {
        ErrorKind::NotFound => {
            unexpanded.unwrap_or("does its directory exist? The path is relative to the current directory").into()
        }
        ErrorKind::NotADirectory => "the part before its last `/` must be a directory".into(),
        ErrorKind::IsADirectory => "this is a directory; name a file in it".into(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space, or name a file on another disk".into(),
        ErrorKind::FileTooLarge => "the file is too large for `ulimit -f` or this file system".into(),
        _ => format!("give `{option}` a path in a directory of yours"),
    };
    dw_error::Error::unexpected(format!("cannot be written: {}", reason(error)))
        .hint(hint)
        .of_file(path.display().to_string())
}

/// What is said of a folder that cannot be made.
pub fn cannot_make(folder: &Path, error: &Error) -> dw_error::Error {
    let unexpanded = folder.to_str().and_then(diskwright::text::unexpanded);
    let hint = match error.kind() {
        ErrorKind::NotFound => unexpanded.unwrap_or("create its parent directory first"),
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "a file of that name exists; name another directory",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space, or name a directory on another disk",
        _ => "name a directory that you can write to",
    };
    dw_error::Error::unexpected(format!("cannot be made: {}", reason(error)))
        .hint(hint)
        .of_file(folder.display().to_string())
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
