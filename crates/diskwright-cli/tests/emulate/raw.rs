//! A client of our own, for what no good client does: it says anything, and leaves whenever it likes.
//!
//! It speaks compact requests and simple replies.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

pub const READ: u16 = 0;
pub const WRITE: u16 = 1;
pub const DISCONNECT: u16 = 2;
pub const FLUSH: u16 = 3;

/// A connection.
pub struct Client {
    pub stream: UnixStream,
}

/// An option of the handshake as bytes.
pub fn option(number: u32, data: &[u8]) -> Vec<u8> {
    [b"IHAVEOPT", &number.to_be_bytes()[..], &(data.len() as u32).to_be_bytes(), data].concat()
}

/// A request's header as bytes.
pub fn request(kind: u16, cookie: u64, offset: u64, len: u32) -> Vec<u8> {
    let mut bytes = 0x2560_9513u32.to_be_bytes().to_vec();
    bytes.extend([0, 0]);
    bytes.extend(kind.to_be_bytes());
    bytes.extend(cookie.to_be_bytes());
    bytes.extend(offset.to_be_bytes());
    bytes.extend(len.to_be_bytes());
    bytes
}

impl Client {
    /// Connects, and no more. Nothing that it reads may take longer than a test's patience.
    pub fn connect(socket: &Path) -> io::Result<Client> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.set_write_timeout(Some(Duration::from_secs(60)))?;
        Ok(Client { stream })
    }

    /// Connects and chooses an export, by the old way in, which has the shortest answer.
    pub fn open(socket: &Path, export: &str) -> io::Result<Client> {
        let mut client = Client::connect(socket)?;
        client.read(18)?;
        client.write(&[&[0, 0, 0, 3], &option(1, export.as_bytes())[..]].concat())?;
        client.read(10)?;
        Ok(client)
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    pub fn read(&mut self, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads to the end of the stream.
    pub fn read_to_end(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.stream.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// A reply's error and cookie.
    pub fn reply(&mut self) -> io::Result<(u32, u64)> {
        let bytes = self.read(16)?;
        assert_eq!(bytes[..4], 0x6744_6698u32.to_be_bytes(), "a simple reply");
        let number =
            |range: std::ops::Range<usize>| bytes[range].iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        Ok((number(4..8) as u32, number(8..16)))
    }

    /// Asks for what is answered by yes or no; the error, 0 for none.
    pub fn ask(&mut self, kind: u16, fua: bool, offset: u64, data: &[u8]) -> io::Result<u32> {
        let mut bytes = request(kind, 9, offset, data.len() as u32);
        bytes[5] = u8::from(fua);
        self.write(&[&bytes, data].concat())?;
        Ok(self.reply()?.0)
    }

    /// Reads from the export.
    pub fn pread(&mut self, offset: u64, len: u32) -> io::Result<Vec<u8>> {
        self.write(&request(READ, 1, offset, len))?;
        assert_eq!(self.reply()?, (0, 1));
        self.read(len as usize)
    }

    /// Writes to the export.
    pub fn pwrite(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.write(&[&request(WRITE, 2, offset, data.len() as u32), data].concat())?;
        assert_eq!(self.reply()?, (0, 2));
        Ok(())
    }
}
