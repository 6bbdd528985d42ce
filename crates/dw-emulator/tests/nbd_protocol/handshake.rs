//! Every rule of the handshake, as a dialogue.

use super::dialogue::{check, check_stopping};
use dw_emulator::nbd::TlsMode::{Off, Optional, Required};

const DATA: &str = "export 1048576 flush+fua+trim+zeroes+multi+cache+fast-zero";
const DATA_DF: &str = "export 1048576 flush+fua+trim+zeroes+df+multi+cache+fast-zero";

#[test]
fn go_tells_the_size_and_enters_transmission() {
    check(Off, "flags 3 / go data", &format!("go {DATA}\n go ack\n transmission: data Simple"));
    check(
        Off,
        "flags 3 / go logs",
        "go export 2097152 ro+flush+fua+rotational+multi+cache\n go ack\n transmission: logs Simple",
    );
}

#[test]
fn the_empty_name_is_the_default_export_and_learns_its_name() {
    let told = format!("go {DATA}\n go name data\n go ack\n transmission: data Simple");
    check(Off, "flags 3 / go - name", &told);
}

#[test]
fn what_is_asked_is_told_and_unknown_questions_are_ignored() {
    let answers = [
        ("name", "name data"),
        ("description", "description 4 x P30"),
        ("sizes", "sizes 1 4096 33554432"),
        ("77", ""),
        ("0", ""),
        ("name 99 sizes sizes", "name data\n info sizes 1 4096 33554432"),
    ];
    for (asked, told) in answers {
        let told = if told.is_empty() { String::new() } else { format!("info {told}\n") };
        check(Off, &format!("flags 3 / info data {asked}"), &format!("info {DATA}\n {told} info ack"));
    }
}

#[test]
fn info_then_go_tell_the_same() {
    let told = |option: &str| format!("{option} {DATA_DF}\n {option} sizes 1 4096 33554432\n {option} ack\n");
    let expected = format!("structured ack\n {} {} transmission: data Structured", told("info"), told("go"));
    check(Off, "flags 3 / structured / info data sizes / go data sizes", &expected);
}

#[test]
fn coarse_sizes_must_be_asked_for() {
    let refused = "info sizes 4096 65536 33554432
        info BLOCK_SIZE_REQD: requests must be aligned to 4096 bytes: ask for the block size";
    check(Off, "flags 3 / info coarse", refused);
    let told = "go export 1048576 flush+fua+trim+zeroes+multi+cache+fast-zero
        go sizes 4096 65536 33554432
        go ack
        transmission: coarse Simple";
    check(Off, "flags 3 / go coarse sizes", told);
}

#[test]
fn lists_what_can_be_had() {
    let list = "list server `data` `4 x P30`
        list server `logs` ``
        list server `coarse` ``
        list ack";
    check(Off, "flags 3 / list", list);
    check(Off, "flags 3 / list x", "list INVALID: the option takes no data, but 1 bytes came with it");
}

#[test]
fn exports_that_cannot_be_had_are_refused_with_the_reason() {
    check(Off, "flags 3 / go nope", "go UNKNOWN: unknown export `nope`");
    check(Off, "flags 3 / go gone", "go UNKNOWN: `gone` is detached from the VM at the moment");
    check(Off, "flags 3 / info gone", "info UNKNOWN: `gone` is detached from the VM at the moment");
    let refused = "closed: EXPORT_NAME asked for an export that cannot be served:";
    check(Off, "flags 3 / export-name nope", &format!("{refused} there is no export of that name"));
    check(Off, "flags 3 / export-name gone", &format!("{refused} it is detached"));
}

#[test]
fn export_name_serves_old_clients() {
    let told = "1048576 flush+fua+trim+zeroes+multi+cache+fast-zero";
    check(Off, "flags 3 / export-name data", &format!("{told}, 0 zeroes\n transmission: data Simple"));
    check(Off, "flags 1 / export-name data", &format!("{told}, 124 zeroes\n transmission: data Simple"));
    check(Off, "flags 0 / export-name -", &format!("{told}, 124 zeroes\n transmission: data Simple"));
    let told = told.replace("zeroes+", "zeroes+df+");
    let after_structured = format!("structured ack\n {told}, 0 zeroes\n transmission: data Structured");
    check(Off, "flags 3 / structured / export-name data", &after_structured);
    let refused = "extended ack
        closed: EXPORT_NAME asked for an export that cannot be served: extended headers need GO";
    check(Off, "flags 3 / extended / export-name data", refused);
}

#[test]
fn abort_is_acknowledged_and_the_end() {
    check(Off, "flags 3 / abort / go data", "abort ack\n closed: the client has left");
    check(Required, "flags 3 / abort", "abort ack\n closed: the client has left");
}

#[test]
fn unknown_client_flags_are_dropped() {
    check(Off, "flags 7 / go data", "closed: the client's flags 0x7 are not known");
    check(Off, "raw GET.", "closed: the client's flags 0x4745542e are not known");
}

#[test]
fn what_is_not_an_option_is_dropped_before_more_is_read() {
    check(Off, "flags 3 / raw GET./.HT", "closed: an option begins with 0x4745542e2f2e4854: this is not an NBD client");
}

#[test]
fn unknown_options_keep_the_framing() {
    let then_go = format!("\n go {DATA}\n go ack\n transmission: data Simple");
    check(Off, "flags 3 / peek / go data", &format!("peek UNSUP: option 4 is not known{then_go}"));
    check(Off, "flags 3 / option 99 17 / go data", &format!("option 99 UNSUP: option 99 is not known{then_go}"));
    check(Off, "flags 3 / option 99 70000 / go data", &format!("option 99 UNSUP: option 99 is not known{then_go}"));
    let too_big = format!("go TOO_BIG: the option has more than 32768 bytes of data{then_go}");
    check(Off, "flags 3 / option 7 32769 / go data", &too_big);
    let garbage = "go INVALID: the export name claims 2021161080 bytes, but 32764 follow";
    check(Off, "flags 3 / option 7 32768 / go data", &format!("{garbage}{then_go}"));
}

#[test]
fn a_claim_above_32_mib_is_hung_up_on_at_once() {
    check(Off, "flags 3 / claim 99 33554433", "closed: option 99 claims 33554433 bytes of data");
    check(Off, "flags 3 / claim 7 4294967295", "closed: option 7 claims 4294967295 bytes of data");
    check(Off, "flags 3 / claim 99 33554432", "");
}

#[test]
fn more_than_1024_options_are_hung_up_on() {
    let script = format!("flags 3{}", " / peek".repeat(1025));
    let expected = format!("{}closed: more than 1024 options", "peek UNSUP: option 4 is not known\n".repeat(1024));
    check(Off, &script, &expected);
}

#[test]
fn malformed_names_and_counts_are_refused() {
    let long = "x".repeat(4097);
    check(Off, &format!("flags 3 / go {long}"), "go INVALID: the export name has 4097 bytes; the most is 4096");
    let longest = "x".repeat(4096);
    check(Off, &format!("flags 3 / go {longest}"), &format!("go UNKNOWN: unknown export `{}", &longest[..4096 - 16]));
    check(Off, "flags 3 / go nul\0nul", "go INVALID: the export name contains a NUL");
    check(Off, "flags 3 / option 7 0", "go INVALID: the length of the export name is missing");
    let too_long = "go INVALID: the export name claims 2021161080 bytes, but 2 follow";
    check(Off, "flags 3 / option 7 6", too_long);
}

#[test]
fn structured_replies_are_negotiated() {
    let go = format!("structured ack\n go {DATA_DF}\n go ack\n transmission: data Structured");
    check(Off, "flags 3 / structured / go data", &go);
    check(Off, "flags 3 / structured / structured / go data", &format!("structured ack\n {go}"));
    check(Off, "flags 3 / structured x", "structured INVALID: the option takes no data, but 1 bytes came with it");
}

#[test]
fn extended_headers_are_negotiated_and_stay() {
    let go = format!("go {DATA_DF}\n go ack\n transmission: data Extended");
    check(Off, "flags 3 / extended / go data", &format!("extended ack\n {go}"));
    check(Off, "flags 3 / structured / extended / go data", &format!("structured ack\n extended ack\n {go}"));
    let refused = "structured EXT_HEADER_REQD: extended headers are already negotiated";
    check(Off, "flags 3 / extended / structured / go data", &format!("extended ack\n {refused}\n {go}"));
    check(Off, "flags 3 / extended x", "extended INVALID: the option takes no data, but 1 bytes came with it");
}

#[test]
fn metadata_contexts_are_listed() {
    let cases = [
        ("data", "list-meta context 0 base:allocation\n"),
        ("data base:", "list-meta context 0 base:allocation\n"),
        ("data base:allocation", "list-meta context 0 base:allocation\n"),
        ("data base: base:allocation x-us:", "list-meta context 0 base:allocation\n"),
        ("data base:other", ""),
        ("data qemu:dirty-bitmap:b", ""),
        ("data nonsense", ""),
    ];
    for (query, told) in cases {
        let script = format!("flags 3 / structured / list-meta {query}");
        check(Off, &script, &format!("structured ack\n {told} list-meta ack"));
    }
    let tail = "structured ack\n list-meta INVALID: 3 bytes follow the last query";
    check(Off, "flags 3 / structured / list-meta-and-more data base:", tail);
    let refused = "list-meta INVALID: metadata contexts need structured replies or extended headers";
    check(Off, "flags 3 / list-meta data", refused);
    check(Off, "flags 3 / extended / list-meta nope", "extended ack\n list-meta UNKNOWN: unknown export `nope`");
}

#[test]
fn metadata_contexts_are_selected_for_one_export() {
    let plain = "data Structured";
    let with = "data Structured, base:allocation";
    let cases = [
        ("set-meta data base:allocation", "set-meta context 1 base:allocation\n set-meta ack", with),
        ("set-meta - base:allocation", "set-meta context 1 base:allocation\n set-meta ack", with),
        ("set-meta data base:", "set-meta ack", plain),
        ("set-meta data", "set-meta ack", plain),
        ("set-meta data x-us:all", "set-meta ack", plain),
        ("set-meta logs base:allocation", "set-meta context 1 base:allocation\n set-meta ack", plain),
        ("set-meta nope base:allocation", "set-meta UNKNOWN: unknown export `nope`", plain),
    ];
    for (line, told, end) in cases {
        let script = format!("flags 3 / structured / {line} / go data");
        check(Off, &script, &format!("structured ack\n {told}\n go {DATA_DF}\n go ack\n transmission: {end}"));
    }
}

#[test]
fn a_selection_replaces_the_last_even_when_it_fails() {
    let selected = "structured ack\n set-meta context 1 base:allocation\n set-meta ack";
    let end = format!("go {DATA_DF}\n go ack\n transmission: data Structured");
    let failures = [
        ("set-meta data", "set-meta ack"),
        ("set-meta nope", "set-meta UNKNOWN: unknown export `nope`"),
        ("option 10 3", "set-meta INVALID: the length of the export name is missing"),
        ("option 10 40000", "set-meta TOO_BIG: the option has more than 32768 bytes of data"),
    ];
    for (line, told) in failures {
        let script = format!("flags 3 / structured / set-meta data base:allocation / {line} / go data");
        check(Off, &script, &format!("{selected}\n {told}\n {end}"));
    }
}

#[test]
fn a_go_that_fails_keeps_what_was_agreed() {
    let told = format!(
        "structured ack\n set-meta context 1 base:allocation\n set-meta ack\n go UNKNOWN: unknown export `nope`
        go {DATA_DF}\n go ack\n transmission: data Structured, base:allocation"
    );
    check(Off, "flags 3 / structured / set-meta data base:allocation / go nope / go data", &told);
}

#[test]
fn without_tls_starttls_is_a_matter_of_policy() {
    check(Off, "flags 3 / starttls", "starttls POLICY: this server was started without TLS");
}

#[test]
fn tls_that_is_required_comes_before_everything() {
    let refused = "TLS_REQD: this server wants STARTTLS first";
    for (line, option) in [
        ("list", "list"),
        ("info data", "info"),
        ("go data", "go"),
        ("structured", "structured"),
        ("extended", "extended"),
        ("option 99 3", "option 99"),
        ("option 99 40000", "option 99"),
        ("list-meta data", "list-meta"),
    ] {
        check(Required, &format!("flags 3 / {line}"), &format!("{option} {refused}"));
    }
    let dropped = "closed: EXPORT_NAME asked for an export that cannot be served: TLS comes first";
    check(Required, "flags 3 / export-name data", dropped);
    let served = format!("starttls ack\n TLS begins\n go {DATA}\n go ack\n transmission: data Simple");
    check(Required, "flags 3 / starttls / go data", &served);
}

#[test]
fn tls_forgets_what_was_agreed_in_the_clear() {
    let script = "flags 3 / structured / set-meta data base:allocation / starttls / go data";
    let told = format!(
        "structured ack\n set-meta context 1 base:allocation\n set-meta ack\n starttls ack\n TLS begins
        go {DATA}\n go ack\n transmission: data Simple"
    );
    check(Optional, script, &told);
    let again = "flags 3 / structured / set-meta data base:allocation / starttls / structured / go data";
    let told = format!(
        "structured ack\n set-meta context 1 base:allocation\n set-meta ack\n starttls ack\n TLS begins
        structured ack\n go {DATA_DF}\n go ack\n transmission: data Structured"
    );
    check(Optional, again, &told);
    let twice = "starttls ack\n TLS begins\n starttls INVALID: TLS is already active";
    check(Optional, "flags 3 / starttls / starttls", twice);
    check(Optional, "flags 3 / starttls x", "starttls INVALID: the option takes no data, but 1 bytes came with it");
    check(Optional, "flags 3 / go data", &format!("go {DATA}\n go ack\n transmission: data Simple"));
}

#[test]
fn a_server_that_stops_says_so() {
    let refused = "SHUTDOWN: the server is shutting down";
    for (line, option) in [("list", "list"), ("go data", "go"), ("structured", "structured"), ("starttls", "starttls")]
    {
        check_stopping(&format!("flags 3 / {line}"), &format!("{option} {refused}"));
    }
}
