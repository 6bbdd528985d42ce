//! What is inside the options that carry data.
//!
//! Source: `doc/proto.md`, "Option types".
//!
//! Invariant: nothing is believed about a length before the bytes are there.

use super::wire::{MAX_STRING, Reader, info};

/// The data of INFO and GO.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct InfoRequest<'a> {
    pub export: &'a str,
    pub name: bool,
    pub description: bool,
    pub block_size: bool,
}

/// The data of LIST_META_CONTEXT and SET_META_CONTEXT, as far as it concerns the one namespace there is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MetaRequest<'a> {
    pub export: &'a str,
    /// No query at all.
    pub nothing: bool,
    /// `base:`
    pub wildcard: bool,
    /// `base:allocation`
    pub allocation: bool,
}

pub(super) fn info_request(data: &[u8]) -> Result<InfoRequest<'_>, String> {
    let mut from = Reader(data);
    let export = string(&mut from, "export name")?;
    let count = from.u16().ok_or("the number of information requests is missing")?;
    if from.0.len() != usize::from(count) * 2 {
        return Err(format!("{count} information requests are announced, but {} bytes follow", from.0.len()));
    }
    let mut request = InfoRequest { export, name: false, description: false, block_size: false };
    while let Some(kind) = from.u16() {
        match kind {
            info::NAME => request.name = true,
            info::DESCRIPTION => request.description = true,
            info::BLOCK_SIZE => request.block_size = true,
            _ => {} // to be ignored, says the protocol
        }
    }
    Ok(request)
}

pub(super) fn meta_request(data: &[u8]) -> Result<MetaRequest<'_>, String> {
    let mut from = Reader(data);
    let export = string(&mut from, "export name")?;
    let count = from.u32().ok_or("the number of queries is missing")?;
    let mut request = MetaRequest { export, nothing: count == 0, wildcard: false, allocation: false };
    // A query takes at least four bytes, so a large count soon runs out of data.
    for _ in 0..count {
        match string(&mut from, "query")? {
            "base:" => request.wildcard = true,
            "base:allocation" => request.allocation = true,
            _ => {} // other names and namespaces are to be ignored
        }
    }
    if !from.is_empty() {
        return Err(format!("{} bytes follow the last query", from.0.len()));
    }
    Ok(request)
}

/// A string behind its 32-bit length.
fn string<'a>(from: &mut Reader<'a>, what: &str) -> Result<&'a str, String> {
    let len = from.u32().ok_or_else(|| format!("the length of the {what} is missing"))?;
    let rest = from.0.len();
    let taken = usize::try_from(len).ok().and_then(|len| from.bytes(len));
    let bytes = taken.ok_or_else(|| format!("the {what} claims {len} bytes, but {rest} follow"))?;
    text(bytes, what)
}

/// Bytes that must be a string of the protocol: UTF-8 without NUL, at most 4096 bytes.
pub(super) fn text<'a>(bytes: &'a [u8], what: &str) -> Result<&'a str, String> {
    if bytes.len() > MAX_STRING {
        return Err(format!("the {what} has {} bytes; the most is {MAX_STRING}", bytes.len()));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        Ok(_) => Err(format!("the {what} contains a NUL")),
        Err(_) => Err(format!("the {what} is not UTF-8")),
    }
}
