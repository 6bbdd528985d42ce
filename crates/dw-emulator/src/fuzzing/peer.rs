//! The other end of an NBD connection, as small as it can be: takes apart what a server sends.
//!
//! Written from the protocol text and without the encoder's code, so that tests compare two readings of it.

/// A reply to an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionReply {
    /// The option that it answers.
    pub option: u32,
    /// Its type.
    pub kind: u32,
    /// What it carries.
    pub payload: Vec<u8>,
}

/// A message of the transmission phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A simple reply.
    Simple {
        /// Zero, or what went wrong.
        error: u32,
        /// The request's name.
        cookie: u64,
        /// A read's bytes.
        data: Vec<u8>,
    },
    /// A chunk of a structured or extended reply.
    Chunk {
        /// The request's offset, in extended replies.
        offset: Option<u64>,
        /// The last one of the reply.
        done: bool,
        /// Its type.
        kind: u16,
        /// The request's name.
        cookie: u64,
        /// What it carries.
        payload: Vec<u8>,
    },
}

/// Fields off the front of some bytes.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn number(&mut self, bytes: usize) -> Result<u64, String> {
        Ok(self.take(bytes)?.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }
    fn take(&mut self, bytes: usize) -> Result<Vec<u8>, String> {
        if bytes > self.0.len() {
            return Err(format!("{bytes} bytes wanted, {} left", self.0.len()));
        }
        let (taken, rest) = self.0.split_at(bytes);
        self.0 = rest;
        Ok(taken.to_vec())
    }
}

/// Replies to options, up to the end of the bytes.
///
/// # Errors
/// When they are no such thing.
pub fn option_replies(bytes: &[u8]) -> Result<Vec<OptionReply>, String> {
    let mut from = Cursor(bytes);
    let mut replies = Vec::new();
    while !from.0.is_empty() {
        if from.number(8)? != 0x3e889045565a9 {
            return Err("wrong magic of an option reply".into());
        }
        let (option, kind, len) = (from.number(4)? as u32, from.number(4)? as u32, from.number(4)?);
        replies.push(OptionReply { option, kind, payload: from.take(len as usize)? });
    }
    Ok(replies)
}

/// Messages of the transmission phase, up to the end of the bytes. `data_len` says how many bytes follow a simple
/// reply that reports success.
///
/// # Errors
/// When they are no such thing.
pub fn messages(bytes: &[u8], data_len: impl Fn(u64) -> usize) -> Result<Vec<Message>, String> {
    let mut from = Cursor(bytes);
    let mut list = Vec::new();
    while !from.0.is_empty() {
        list.push(match from.number(4)? {
            0x67446698 => {
                let (error, cookie) = (from.number(4)? as u32, from.number(8)?);
                let data = from.take(if error == 0 { data_len(cookie) } else { 0 })?;
                Message::Simple { error, cookie, data }
            }
            0x668e33ef => chunk(&mut from, false)?,
            0x6e8a278c => chunk(&mut from, true)?,
            other => return Err(format!("{other:#x} begins no reply")),
        });
    }
    Ok(list)
}

fn chunk(from: &mut Cursor<'_>, extended: bool) -> Result<Message, String> {
    let (flags, kind, cookie) = (from.number(2)?, from.number(2)? as u16, from.number(8)?);
    if flags > 1 {
        return Err(format!("reply flags {flags:#x}"));
    }
    let offset = if extended { Some(from.number(8)?) } else { None };
    let len = from.number(if extended { 8 } else { 4 })?;
    let payload = from.take(len as usize)?;
    check_chunk(kind, flags == 1, &payload)?;
    Ok(Message::Chunk { offset, done: flags == 1, kind, cookie, payload })
}

/// The lengths that the protocol demands of each type.
fn check_chunk(kind: u16, done: bool, payload: &[u8]) -> Result<(), String> {
    let mut from = Cursor(payload);
    let len = payload.len();
    let good = match kind {
        0 => len == 0 && done,
        1 => len >= 9,
        2 => len == 12 && payload[8..] != [0; 4],
        5 => len > 4 && (len - 4).is_multiple_of(8),
        6 => from.number(4).is_ok() && from.number(4)? * 16 + 8 == len as u64 && len > 8,
        0x8001 => from.number(4)? != 0 && from.number(2)? + 6 == len as u64,
        0x8002 => from.number(4)? != 0 && from.number(2)? + 14 == len as u64,
        _ => false,
    };
    if good { Ok(()) } else { Err(format!("chunk of type {kind:#x} with {len} bytes")) }
}
