//! Where results go: standard output, or a file that is complete or not there.

use std::io::Write;
use std::path::Path;

use crate::exit::Failure;

/// Writes `text` to `file`, or to standard output without one.
pub fn write(text: &str, file: Option<&Path>, out: &mut dyn Write) -> Result<(), Failure> {
    match file {
        Some(path) => write_file(path, text),
        None => match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // Whoever reads us has read enough, as in `diskwright ... | head`.
            Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            Err(e) => Err(Failure::unexpected(format!("error: cannot write to standard output: {e}"))),
            Ok(()) => Ok(()),
        },
    }
}

/// Records as CSV, each with as many fields as the header. A field is quoted where it must be.
pub fn csv(head: &[&str], records: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = writer.write_record(head);
    for record in records {
        let _ = writer.write_record(record);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The word that stands for a value in our documents; empty for what is not one word.
pub fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_string)).unwrap_or_default()
}

/// Writes beside the file and renames, so that a crash leaves the old file or the new one.
fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let failure = |e: std::io::Error| {
        let hint = match e.kind() {
            std::io::ErrorKind::NotFound => "\nhint: does its folder exist? The path is taken from the current folder",
            std::io::ErrorKind::PermissionDenied => "\nhint: write `--output` with a path in a folder of yours",
            std::io::ErrorKind::IsADirectory => "\nhint: this is a folder; name a file in it",
            _ => "",
        };
        // The operating system's number says nothing to a person.
        let reason = e.to_string();
        let reason = reason.split(" (os error").next().unwrap_or_default().to_lowercase();
        Failure::unexpected(format!("error: {}: cannot be written: {reason}{hint}", path.display()))
    };
    let mut name = path.file_name().map(std::ffi::OsStr::to_os_string).unwrap_or_default();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = std::fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| std::fs::rename(&temporary, path));
    renamed.map_err(|e| {
        let _ = std::fs::remove_file(&temporary);
        failure(e)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.json");
        std::fs::write(&path, "old").unwrap();
        write("new", Some(&path), &mut Vec::new()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let failure = write("x", Some(Path::new("/does/not/exist/x")), &mut Vec::new()).unwrap_err();
        let (first, hint) = failure.message.split_once('\n').unwrap();
        assert_eq!(first, "error: /does/not/exist/x: cannot be written: no such file or directory");
        assert!(hint.starts_with("hint: does its folder exist?"), "{hint}");
    }
}
