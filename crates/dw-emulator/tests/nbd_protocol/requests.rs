//! Every rule about requests, a line each.

use dw_emulator::nbd::{
    ExportInfo, Parsed, Style, Terms,
    request::{header_len, parse},
};

/// `READ+df 4096 at 0 -> ...`: the command, its flags, length and offset; what is understood, or the error.
#[track_caller]
fn check(terms: &Terms, request: &str, expected: &str) {
    let bytes = spoken(terms.style, request);
    for short in 0..bytes.len() {
        assert_eq!(parse(terms, &bytes[..short]), Parsed::Incomplete, "{request}: {short} bytes");
    }
    assert_eq!(bytes.len(), header_len(terms.style));
    let more = [&bytes[..], b"more"].concat();
    assert_eq!(parse(terms, &bytes), parse(terms, &more), "what follows must not matter");
    let heard = match parse(terms, &bytes) {
        Parsed::Incomplete => "incomplete".to_string(),
        Parsed::HangUp(why) => format!("hang up: {why}"),
        Parsed::Request(header) => {
            assert_eq!(header.cookie, 0x1122_3344_5566_7788);
            let payload = if header.payload > 0 { format!(", {} bytes follow", header.payload) } else { String::new() };
            match header.command {
                Ok(command) => format!("{command:?}{payload}"),
                Err(refusal) => format!("{:?}: {}{payload}", refusal.errno, refusal.why),
            }
        }
    };
    assert_eq!(heard, expected, "{request}");
}

fn spoken(style: Style, request: &str) -> Vec<u8> {
    let words: Vec<&str> = request.split_whitespace().collect();
    let [command, len, "at", offset] = words[..] else { panic!("COMMAND+flags LENGTH at OFFSET") };
    let mut parts = command.split('+');
    let names = ["READ", "WRITE", "DISC", "FLUSH", "TRIM", "CACHE", "ZERO", "STATUS"];
    let name = parts.next().unwrap_or_default();
    let kind = names.iter().position(|known| *known == name).unwrap_or_else(|| name.parse().expect("a number")) as u16;
    let flags = parts.fold(0u16, |flags, flag| {
        let known = ["fua", "no-hole", "df", "one", "fast", "payload"].iter().position(|known| *known == flag);
        flags | 1 << known.unwrap_or_else(|| flag.parse().expect("a bit"))
    });
    let magic: u32 = if style == Style::Extended { 0x21e41c71 } else { 0x25609513 };
    let mut bytes = magic.to_be_bytes().to_vec();
    bytes.extend(flags.to_be_bytes());
    bytes.extend(kind.to_be_bytes());
    bytes.extend(0x1122_3344_5566_7788u64.to_be_bytes());
    bytes.extend(offset.parse::<u64>().expect("an offset").to_be_bytes());
    let len = len.parse::<u64>().expect("a length").to_be_bytes();
    bytes.extend(if style == Style::Extended { &len[..] } else { &len[4..] });
    bytes
}

fn terms(style: Style) -> Terms {
    Terms { base_allocation: style != Style::Simple, ..Terms::new(0, &ExportInfo::new("data", 1 << 20), style) }
}

#[test]
fn commands_are_understood_in_every_style() {
    let rows = [
        ("READ 4096 at 0", "Read { df: false }"),
        ("READ 1 at 1048575", "Read { df: false }"),
        ("READ 1048576 at 0", "Read { df: false }"),
        ("READ+fua 512 at 512", "Read { df: false }"),
        ("FLUSH 0 at 0", "Flush"),
        ("FLUSH+fua 0 at 0", "Flush"),
        ("TRIM 4096 at 0", "Trim { fua: false }"),
        ("TRIM+fua 4096 at 0", "Trim { fua: true }"),
        ("CACHE 4096 at 0", "Cache"),
        ("CACHE+fua 4096 at 0", "Cache"),
        ("ZERO 4096 at 0", "WriteZeroes { fua: false, no_hole: false }"),
        ("ZERO+fua+no-hole 4096 at 0", "WriteZeroes { fua: true, no_hole: true }"),
        ("DISC 0 at 0", "Disconnect"),
        ("DISC 7 at 9", "Disconnect"),
    ];
    for style in [Style::Simple, Style::Structured, Style::Extended] {
        for (request, expected) in rows {
            check(&terms(style), request, expected);
        }
    }
}

#[test]
fn a_write_says_how_much_follows() {
    for style in [Style::Simple, Style::Structured] {
        check(&terms(style), "WRITE 4096 at 0", "Write { fua: false }, 4096 bytes follow");
        check(&terms(style), "WRITE+fua 4096 at 0", "Write { fua: true }, 4096 bytes follow");
        let flag = "Inval: flags 0x0020 do not belong to command 1, 4096 bytes follow";
        check(&terms(style), "WRITE+payload 4096 at 0", flag);
    }
    let extended = terms(Style::Extended);
    check(&extended, "WRITE+payload 4096 at 0", "Write { fua: false }, 4096 bytes follow");
    check(&extended, "WRITE+payload+fua 4096 at 0", "Write { fua: true }, 4096 bytes follow");
    check(&extended, "WRITE 4096 at 0", "Inval: a write with extended headers needs the payload flag");
}

#[test]
fn what_crosses_the_end_is_refused() {
    let all = [("READ", "Inval", ""), ("TRIM", "Inval", ""), ("CACHE", "Inval", ""), ("STATUS", "Inval", "")];
    let writes = [("ZERO", "NoSpc", ""), ("WRITE", "NoSpc", ", 4096 bytes follow")];
    for (command, errno, follows) in all.into_iter().chain(writes) {
        for offset in ["1044481", "1048576", "1099511627776", "18446744073709551615"] {
            let expected = format!("{errno}: 4096 bytes at {offset} end beyond the export's 1048576 bytes{follows}");
            check(&terms(Style::Structured), &format!("{command} 4096 at {offset}"), &expected);
        }
    }
    let all = "Inval: 18446744073709551615 bytes at 18446744073709551615 end beyond the export's 1048576 bytes";
    check(&terms(Style::Extended), "TRIM 18446744073709551615 at 18446744073709551615", all);
}

#[test]
fn unknown_commands_and_flags_are_refused_and_the_connection_lives() {
    for style in [Style::Simple, Style::Structured, Style::Extended] {
        check(&terms(style), "8 0 at 0", "Inval: command 8 is not known");
        check(&terms(style), "4711 4096 at 0", "Inval: command 4711 is not known");
        check(&terms(style), "READ+14 512 at 0", "Inval: flags 0x4000 do not belong to command 0");
        check(&terms(style), "READ+one 512 at 0", "Inval: flags 0x0008 do not belong to command 0");
        check(&terms(style), "READ+no-hole 512 at 0", "Inval: flags 0x0002 do not belong to command 0");
        check(&terms(style), "TRIM+fast 512 at 0", "Inval: flags 0x0010 do not belong to command 4");
        check(&terms(style), "CACHE+df 512 at 0", "Inval: flags 0x0004 do not belong to command 5");
        check(&terms(style), "FLUSH+one 0 at 0", "Inval: flags 0x0008 do not belong to command 3");
    }
    check(
        &terms(Style::Simple),
        "WRITE+df 512 at 0",
        "Inval: flags 0x0004 do not belong to command 1, 512 bytes follow",
    );
    let discarded = "Inval: flags 0x0020 do not belong to command 4, 512 bytes follow";
    check(&terms(Style::Extended), "TRIM+payload 512 at 0", discarded);
    check(&terms(Style::Extended), "99+payload 512 at 0", "Inval: command 99 is not known, 512 bytes follow");
}

#[test]
fn df_belongs_to_reads_with_chunks() {
    check(&terms(Style::Simple), "READ+df 512 at 0", "Inval: flags 0x0004 do not belong to command 0");
    check(&terms(Style::Structured), "READ+df 512 at 0", "Read { df: true }");
    check(&terms(Style::Extended), "READ+df+fua 1048576 at 0", "Read { df: true }");
}

#[test]
fn lengths_of_zero_and_flushes_with_a_range_are_refused() {
    for command in ["READ", "WRITE", "TRIM", "CACHE", "ZERO", "STATUS"] {
        check(&terms(Style::Structured), &format!("{command} 0 at 0"), "Inval: the length is zero");
    }
    check(&terms(Style::Simple), "FLUSH 512 at 0", "Inval: a flush has no offset and no length");
    check(&terms(Style::Simple), "FLUSH 0 at 512", "Inval: a flush has no offset and no length");
}

#[test]
fn a_read_only_export_refuses_what_writes() {
    let export = ExportInfo { read_only: true, ..ExportInfo::new("data", 1 << 20) };
    let terms = Terms::new(0, &export, Style::Simple);
    check(&terms, "WRITE 512 at 0", "Perm: the export is read-only, 512 bytes follow");
    check(&terms, "WRITE 512 at 1048576", "Perm: the export is read-only, 512 bytes follow");
    check(&terms, "TRIM 512 at 0", "Perm: the export is read-only");
    check(&terms, "ZERO 512 at 0", "Perm: the export is read-only");
    check(&terms, "READ 512 at 0", "Read { df: false }");
    check(&terms, "FLUSH 0 at 0", "Flush");
}

#[test]
fn fast_zero_is_answered_honestly() {
    let slow = terms(Style::Simple);
    let no = "NotSup: zeroing would take as long as writing";
    check(&slow, "ZERO+fast 512 at 0", no);
    let fast = Terms { fast_zero: true, ..slow };
    check(&fast, "ZERO+fast 512 at 0", "WriteZeroes { fua: false, no_hole: false }");
    check(&fast, "ZERO+fast+no-hole 512 at 0", no);
}

#[test]
fn block_status_needs_a_context() {
    check(&terms(Style::Structured), "STATUS 4096 at 0", "BlockStatus { one: false }");
    check(&terms(Style::Extended), "STATUS+one 4096 at 0", "BlockStatus { one: true }");
    let without = Terms { base_allocation: false, ..terms(Style::Structured) };
    check(&without, "STATUS 4096 at 0", "Inval: no metadata context was negotiated");
}

#[test]
fn what_is_misaligned_is_refused() {
    let export = ExportInfo { min_block: 4096, ..ExportInfo::new("data", 1 << 20) };
    let terms = Terms::new(0, &export, Style::Simple);
    check(&terms, "READ 4096 at 512", "Inval: 4096 bytes at 512 are not aligned to 4096 bytes");
    check(&terms, "WRITE 512 at 0", "Inval: 512 bytes at 0 are not aligned to 4096 bytes, 512 bytes follow");
    check(&terms, "TRIM 8192 at 4096", "Trim { fua: false }");
}

#[test]
fn payloads_are_bounded_and_only_the_absurd_is_hung_up_on() {
    let export = ExportInfo { max_payload: 1 << 20, ..ExportInfo::new("data", 1 << 40) };
    let terms = |style| Terms::new(0, &export, style);
    let simple = terms(Style::Simple);
    check(&simple, "READ 1048577 at 0", "Overflow: a read of 1048577 bytes is above the maximum of 1048576");
    let discarded = "Inval: a write of 33554432 bytes is above the maximum of 1048576, 33554432 bytes follow";
    check(&simple, "WRITE 33554432 at 0", discarded);
    check(&terms(Style::Extended), "WRITE+payload 33554432 at 0", discarded);
    let absurd = |len: u64| format!("hang up: a request claims {len} bytes of payload; the most is 33554432");
    check(&simple, "WRITE 33554433 at 0", &absurd(33554433));
    check(&terms(Style::Extended), "WRITE+payload 33554433 at 0", &absurd(33554433));
    check(&terms(Style::Extended), "99+payload 18446744073709551615 at 0", &absurd(u64::MAX));
}

#[test]
fn ranges_without_a_payload_may_be_long() {
    let export = ExportInfo::new("data", 1 << 41);
    let compact = Terms::new(0, &export, Style::Simple);
    check(&compact, "TRIM 4294963200 at 0", "Trim { fua: false }");
    check(&compact, "ZERO 4294967295 at 1", "WriteZeroes { fua: false, no_hole: false }");
    let extended = Terms { base_allocation: true, ..Terms::new(0, &export, Style::Extended) };
    check(&extended, "TRIM 2199023255552 at 0", "Trim { fua: false }");
    check(&extended, "ZERO+no-hole 2199023255552 at 0", "WriteZeroes { fua: false, no_hole: true }");
    check(&extended, "STATUS 2199023255552 at 0", "BlockStatus { one: false }");
    check(&extended, "CACHE 2199023255552 at 0", "Cache");
    let read = "Overflow: a read of 2199023255552 bytes is above the maximum of 33554432";
    check(&extended, "READ 2199023255552 at 0", read);
}

#[test]
fn a_wrong_magic_is_hung_up_on() {
    let mut bytes = spoken(Style::Simple, "READ 512 at 0");
    let parsed = parse(&terms(Style::Extended), &[&bytes[..], &[0; 4]].concat());
    assert!(matches!(parsed, Parsed::HangUp(_)), "a compact request among extended ones");
    bytes[0] = 0;
    let Parsed::HangUp(why) = parse(&terms(Style::Simple), &bytes) else { panic!("it was taken") };
    assert_eq!(why.to_string(), "a request begins with 0x00609513, which is not a request of this connection");
    assert!(matches!(parse(&terms(Style::Simple), b"GET "), Parsed::HangUp(_)), "four bytes are enough to know");
}
