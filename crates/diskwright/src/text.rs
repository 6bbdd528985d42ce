//! Bytes as text, and what is said of a file that cannot be read.

use std::io::{self, ErrorKind};

use dw_error::{Error, Result, system};
use encoding_rs::{Encoding, UTF_8};

/// The text of a file of ours or of a tool's: UTF-8, or UTF-16 with its mark, as PowerShell writes it. `name` is for the error.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String> {
    if let Some((encoding, _)) = Encoding::for_bom(&bytes).filter(|(encoding, _)| *encoding != UTF_8) {
        return decode_any(bytes).map_err(|_| {
            Error::input(format!("this is not a text in {}, as its first two bytes say", encoding.name()))
                .hint("save the file as UTF-8")
                .of_file(name)
        });
    }
    String::from_utf8(bytes).map_err(|e| {
        let line = 1 + e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        Error::input("this is not a text in UTF-8").hint("save the file as UTF-8").at(name, line)
    })
}

/// The same for a file that another file names, whose reader says where.
pub(crate) fn decode_any(bytes: Vec<u8>) -> io::Result<String> {
    let encoding = Encoding::for_bom(&bytes).map_or(UTF_8, |(encoding, _)| encoding);
    if encoding == UTF_8 {
        return String::from_utf8(bytes).map_err(|_| io::Error::other("this is not a text in UTF-8"));
    }
    let (text, malformed) = encoding.decode_with_bom_removal(&bytes);
    if malformed {
        return Err(io::Error::other(format!("this is not a text in {}", encoding.name())));
    }
    Ok(text.into_owned())
}

/// What is said of a file that cannot be read.
pub fn unreadable(name: &str, error: &io::Error) -> Error {
    let hint = match error.kind() {
        ErrorKind::NotFound => "is the path right? It is taken from the current folder",
        ErrorKind::IsADirectory => "name a file in this folder",
        _ => "",
    };
    Error::input(format!("cannot be read: {}", system::reason(error))).hint(hint).of_file(name)
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn texts_of_powershell_are_read() {
        let text = "bs=4k\n; gr\u{f6}\u{df}e";
        let units = || text.encode_utf16();
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect();
        for bytes in [little, big, text.as_bytes().to_vec()] {
            assert_eq!(decode("a.fio", bytes).expect("is a text"), text);
        }
        for (bytes, what) in [
            (&[0xff, 0xfe, 0x41][..], "error: a.fio: this is not a text in UTF-16LE"),
            (b"bs=4k\n\xe4", "error: a.fio:2: this is not a text in UTF-8"),
        ] {
            let failure = decode("a.fio", bytes.to_vec()).expect_err("half a character");
            assert!(failure.to_string().starts_with(what), "{failure}");
        }
    }
}
