//! Bytes as text, and the error for a file that cannot be read.

use std::io::{self, ErrorKind, Read};

use dw_error::{Error, Result, system};
use encoding_rs::{Encoding, UTF_8};

/// The longest file that is read as a whole. Recordings are read piece by piece and may have any length; of all others the longest are
/// price lists and results of fio, some ten times shorter.
pub const LARGEST: u64 = 256 << 20;

/// All of a file that is read as a whole: one that does not end is refused before it takes the machine's memory.
///
/// # Errors
/// Where it cannot be read, and of kind `FileTooLarge` where it is longer than [`LARGEST`].
pub fn whole(file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let what = format!("it is longer than {} MiB, the most that is read into memory", LARGEST >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// The text of a file of ours or of a tool's: UTF-8, with its byte-order mark or without, or UTF-16 with it, as PowerShell writes them;
/// the mark is no part of it. `name` is for the error.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String> {
    is_plain(name, &bytes)?;
    if let Some((encoding, _)) = Encoding::for_bom(&bytes).filter(|(encoding, _)| *encoding != UTF_8) {
        return decode_any(bytes).map_err(|_| {
            Error::input(format!("this is not valid {}, although its first two bytes announce it", encoding.name()))
                .hint("save the file as UTF-8")
                .of_file(name)
        });
    }
    String::from_utf8(bytes).map(without_mark).map_err(|e| {
        let line = dw_error::line_of(e.as_bytes(), e.utf8_error().valid_up_to());
        Error::input("this is not UTF-8 text").hint("save the file as UTF-8").at(name, line)
    })
}

/// Refuses a file that another program has made smaller: only that can be read again.
pub(crate) fn is_plain(name: &str, bytes: &[u8]) -> Result<()> {
    match dw_counters::compressed(bytes, name) {
        Some((what, hint)) => Err(Error::input(what).hint(hint).of_file(name)),
        None => Ok(()),
    }
}

/// What some editors put before the first character of UTF-8.
const MARK: char = '\u{feff}';

fn without_mark(mut text: String) -> String {
    if text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    text
}

/// The beginning of a text, to see what it is, in UTF-8 or as its byte-order mark says; what is not text is replaced.
pub fn decode_beginning(bytes: &[u8]) -> String {
    UTF_8.decode(bytes).0.into_owned()
}

/// The same as [`decode`] for a file that another file names, whose reader says where.
pub(crate) fn decode_any(bytes: Vec<u8>) -> io::Result<String> {
    let encoding = Encoding::for_bom(&bytes).map_or(UTF_8, |(encoding, _)| encoding);
    if encoding == UTF_8 {
        let text = String::from_utf8(bytes).map_err(|_| io::Error::other("this is not UTF-8 text"))?;
        return Ok(without_mark(text));
    }
    let (text, malformed) = encoding.decode_with_bom_removal(&bytes);
    if malformed {
        return Err(io::Error::other(format!("this is not {} text", encoding.name())));
    }
    Ok(text.into_owned())
}

/// The error for a file that cannot be read.
pub fn unreadable(name: &str, error: &io::Error) -> Error {
    let hint = match error.kind() {
        ErrorKind::NotFound => match unexpanded(name) {
            Some(hint) => hint,
            None if name.contains(',') => "separate file names with spaces, not commas",
            None if name.contains(['/', '\\']) => "check the path",
            None => "check the path; it is relative to the current directory",
        },
        ErrorKind::IsADirectory => "name a file in this directory",
        ErrorKind::FileTooLarge => {
            "is it a device, or a pipe that is still being written to? Only `observe` reads longer files: recordings"
        }
        _ => "",
    };
    Error::input(format!("cannot be read: {}", system::reason(error))).hint(hint).of_file(name)
}

/// What to do about a name that a shell would have made another of, or that is none of a file.
pub fn unexpanded(name: &str) -> Option<&'static str> {
    if name.contains("://") {
        Some("this is a URL; download it to a file first")
    } else if name.starts_with("~/") {
        Some("the shell did not expand `~`: put a space before it instead of `=`, or write the full path")
    } else if name.contains(['*', '?']) {
        Some("the shell did not expand `*` and `?`: no file matches, or you must write the full name")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{LARGEST, decode, decode_any, decode_beginning, unreadable, whole};
    use std::io::{Read as _, repeat};

    #[test]
    fn a_file_without_an_end_is_refused() {
        let error = whole(repeat(0)).expect_err("has no end");
        let shown = unreadable("/dev/zero", &error).to_string();
        assert!(shown.contains("/dev/zero: cannot be read: it is longer than 256 MiB"), "{shown}");
        assert_eq!(whole(repeat(b'x').take(LARGEST)).expect("just fits").len() as u64, LARGEST);
    }

    #[test]
    fn texts_of_powershell_are_read_without_their_mark() {
        let text = "bs=4k\n; gr\u{f6}\u{df}e";
        let units = || text.encode_utf16();
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
        let marked = ["\u{feff}", text].concat().into_bytes();
        for bytes in [little, big, marked, text.as_bytes().to_vec()] {
            assert_eq!(decode_beginning(&bytes), text);
            assert_eq!(decode_any(bytes.clone()).expect("is a text"), text);
            assert_eq!(decode("a.fio", bytes).expect("is a text"), text);
        }
        for (bytes, what) in [
            (&[0xff, 0xfe, 0x41][..], "error: a.fio: this is not valid UTF-16LE"),
            (b"bs=4k\n\xe4", "error: a.fio:2: this is not UTF-8 text"),
            (b"\x1f\x8b\x08\0", "error: a.fio: this file is compressed with gzip\nhint: gunzip -k a.fio"),
            (b"BZh91AY", "error: a.fio: this file is compressed with bzip2\nhint: bunzip2 -k a.fio"),
        ] {
            let failure = decode("a.fio", bytes.to_vec()).expect_err("half a character");
            assert!(failure.to_string().starts_with(what), "{failure}");
        }
    }
}
