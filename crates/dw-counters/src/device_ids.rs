//! Which device is which volume: `lsblk -o NAME,SERIAL`, `nvme list`, `nvme id-ctrl`, as text or JSON.
//!
//! NVMe devices are numbered in the order in which the kernel finds them, so that `nvme1n1` of one boot is `nvme2n1` of the next. EBS
//! puts the id of the volume into the serial number, without its hyphen (`vol0a1b2c3d4e5f60718`). No figures are in such a file: it names the
//! devices of the recordings beside it.
//!
//! Source: "Identify the EBS device" of the documentation of Amazon EBS, 2026; lsblk of util-linux 2.39; nvme-cli 1 and 2, whose JSON changed
//! with 2.11 (linux-nvme/nvme-cli, issue 2749).
//!
//! Ignores: serials that are no ids of volumes, as those of instance stores.

use std::io::BufRead;

use dw_observe::{Common, Fact, Stamp};
use serde_json::Value;

use super::CounterError;
use super::error::shown;
use super::input::Lines;
use super::out::Out;

/// Whether a line begins or belongs to such a listing.
pub(super) fn is_listing(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(12).collect();
    let has = |word: &str| words.iter().any(|own| own.eq_ignore_ascii_case(word.as_bytes()));
    let of_lsblk = words.first() == Some(&&b"NAME"[..]) && has("SERIAL");
    let of_list = words.first() == Some(&&b"Node"[..]) && has("SN");
    of_lsblk || of_list || line.starts_with(b"NVME Identify Controller")
}

/// Whether JSON is such a listing.
pub(super) fn is_json(head: &[u8]) -> bool {
    let has = |key: &str| memchr::memmem::find(head, key.as_bytes()).is_some();
    has("\"blockdevices\"") && has("\"serial\"")
        || (has("\"DevicePath\"") || has("\"Controllers\"")) && has("\"SerialNumber\"")
}

/// The id of a volume in a word: `vol0a1b2c3d4e5f60718`, with or without a hyphen.
fn volume(word: &str) -> Option<String> {
    let digits = word.strip_prefix("vol")?.trim_start_matches('-');
    let is_id = matches!(digits.len(), 8 | 17) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    is_id.then(|| format!("vol-{digits}"))
}

/// A device in a word: `/dev/nvme1n1`, `├─nvme1n1`; a controller stands for its first name space.
fn device(word: &str) -> Option<String> {
    let word = word.trim_end_matches(':').rsplit('/').next()?;
    let name = word.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let rest = name.strip_prefix("nvme")?;
    match rest.split_once('n') {
        Some((controller, space)) => (is_number(controller) && is_number(space)).then(|| name.to_string()),
        None => is_number(rest).then(|| format!("{name}n1")),
    }
}

/// What a line or an object says of a volume.
enum Found {
    Nothing,
    Volume(String),
    /// It should be the id of one.
    Damaged(String),
}

fn find<'a>(mut words: impl Iterator<Item = &'a str>) -> Found {
    let Some(word) = words.find(|word| word.contains("vol") && word.len() > 8) else { return Found::Nothing };
    volume(word).map_or_else(|| Found::Damaged(word.into()), Found::Volume)
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    if matches!(head.trim_ascii_start().first(), Some(b'{' | b'[')) {
        let file = out.options.name;
        let document: Value = serde_json::from_reader(input).map_err(|e| CounterError {
            file: file.into(),
            line: e.line().max(1) as u64,
            what: format!("this is not valid JSON: {e}"),
            hint: "copy the file again".into(),
        })?;
        return within(&document, None, out).map(|()| 1);
    }
    let mut lines = Lines::new(input, out.options.name, None);
    let mut last: Option<String> = device(out.options.name.rsplit_once('.').map_or(out.options.name, |(stem, _)| stem));
    while lines.advance()? {
        let text = String::from_utf8_lossy(lines.bytes()).into_owned();
        let first = text.split_whitespace().next().unwrap_or_default();
        let own = device(first);
        // `sn : vol0a1b2c3d` is of the controller that was named before.
        let device = if first == "sn" { last.clone() } else { own.clone() };
        last = own.or(last);
        said(lines.number(), device, find(text.split_whitespace()), out)?;
    }
    Ok(lines.number())
}

/// What an object and all within it say; `space` is the first name space of the subsystem that it is in.
///
/// Since nvme-cli 2.11 a serial number is a controller's, and its devices are among its `Namespaces`, or where several controllers
/// lead to one device among those of the subsystem.
fn within(value: &Value, space: Option<&str>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let text = |keys: &[&str]| keys.iter().find_map(|key| value.get(*key)).and_then(Value::as_str);
    let first_space = || value.pointer("/Namespaces/0/NameSpace").and_then(Value::as_str);
    let own = text(&["name", "DevicePath"]).or_else(first_space);
    let named = own.and_then(device).or_else(|| space.and_then(device)).or_else(|| device(text(&["Controller"])?));
    said(1, named, find(text(&["serial", "SerialNumber"]).map(str::trim).into_iter()), out)?;
    let space = if value.get("Controllers").is_some() { first_space() } else { space };
    let inner: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(list) => Box::new(list.iter()),
        Value::Object(map) => Box::new(map.values()),
        _ => return Ok(()),
    };
    inner.into_iter().try_for_each(|value| within(value, space, out))
}

fn said(line: u64, device: Option<String>, found: Found, out: &mut Out<'_>) -> Result<(), CounterError> {
    let volume = match found {
        Found::Nothing => return Ok(()),
        Found::Volume(volume) => volume,
        Found::Damaged(word) => {
            let what = format!("`{}` is not the id of a volume", shown(word.as_bytes()));
            return out.fault(
                line,
                what,
                "`vol` and 8 or 17 hexadecimal digits are expected; its device keeps its name".into(),
            );
        }
    };
    let Some(device) = device else {
        let what = format!("nothing says which device `{volume}` is");
        return out.fault(line, what, "record it as `lsblk -o NAME,SERIAL`, which has both on a line".into());
    };
    let [device, name] = [device, volume].map(|word| out.name(word.as_bytes()));
    out.fact(line, &Common::at(Stamp::Report { index: 0 }), Fact::Called { device, name });
    Ok(())
}
