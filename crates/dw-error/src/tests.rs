//! Messages as they are printed, down to the byte.

use super::*;

#[test]
fn a_message_says_where_what_and_what_to_do() {
    let missing = || Error::input("there is no VM size `DS41`");
    let hinted = || missing().hint("did you mean `DS14`?");
    let marked = "error: rig.toml:12: there is no VM size `DS41`\n   |\n12 | size = \"DS41\"\n   |        ^^^^^^\n\
                  hint: did you mean `DS14`?";
    for (error, shown) in [
        (missing(), "error: there is no VM size `DS41`"),
        (hinted(), "error: there is no VM size `DS41`\nhint: did you mean `DS14`?"),
        (missing().of_file("rig.toml"), "error: rig.toml: there is no VM size `DS41`"),
        (hinted().at("rig.toml", 12).excerpt("size = \"DS41\"", Some(7..13)), marked),
        (missing().at("a", 3).excerpt("x\ty", None), "error: a:3: there is no VM size `DS41`\n  |\n3 | x y"),
        (missing().at("p.json", 3).column(9), "error: p.json:3:9: there is no VM size `DS41`"),
        (missing().column(9).excerpt("nowhere", Some(0..7)), "error: there is no VM size `DS41`"),
        (Error::new(Kind::Interrupted, "nothing is finished"), "stopped: nothing is finished"),
    ] {
        assert_eq!(error.to_string(), shown);
    }
}

#[test]
fn several_problems_are_one_error_in_their_order() {
    let at = |line| Error::input(format!("problem {line}")).at("a", line);
    let all = Error::all([at(1), at(2).hint("do"), at(3)]).unwrap();
    assert_eq!(all.to_string(), "error: a:1: problem 1\nerror: a:2: problem 2\nhint: do\nerror: a:3: problem 3");
    assert!(Error::all([]).is_none());
}

#[test]
fn the_line_around_a_span_is_shown_with_the_span_marked() {
    let text = "one\ntwo = 2\nthree";
    for (span, shown) in [
        (10..11, "error: f:2: x\n  |\n2 | two = 2\n  |       ^"),
        (4..7, "error: f:2: x\n  |\n2 | two = 2\n  | ^^^"),
        (8..8, "error: f:2: x\n  |\n2 | two = 2\n  |     ^"),
    ] {
        assert_eq!(Error::input("x").at("f", 2).marked(text, span).to_string(), shown);
    }
    for span in [0..99, 17..17, 99..100] {
        let shown = Error::input("x").at("f", 1).marked(text, span).to_string();
        assert!(shown.starts_with("error: f:1: x"), "{shown}");
    }
    assert_eq!(Error::input("x").at("f", 1).marked("", 0..1).to_string(), "error: f:1: x");
}

#[test]
fn marks_beyond_the_line_or_inside_a_letter_do_no_harm() {
    let place = Place { line: Some(1), excerpt: Some("äö".into()), mark: Some(1..99), ..Place::file("a") };
    let notice = Notice { place: Some(Box::new(place)), ..Notice::new("x", "") };
    assert_eq!(notice.to_string(), "warning: a:1: x\n  |\n1 | äö\n  | ^");
}

#[test]
fn each_face_names_options_in_its_own_words() {
    let program = |option: Named| {
        let name = format!("--{}", option.name.replace('_', "-"));
        if option.value.is_empty() { name } else { format!("{name} {}", option.value) }
    };
    let options = [Named::new("every"), Named::with("utc_offset", "+HH:MM")];
    let error = || Error::usage("`{every}` is 2 s").hint("leave `{utc_offset}` out, and `{every}`").naming(&options);
    for (error, plain, told) in [
        (
            error(),
            "error: `every` is 2 s\nhint: leave `utc_offset` out, and `every`",
            "error: `--every` is 2 s\nhint: leave `--utc-offset +HH:MM` out, and `--every`",
        ),
        (
            error().hint("read the guide"),
            "error: `every` is 2 s\nhint: read the guide",
            "error: `--every` is 2 s\nhint: read the guide",
        ),
        (error().what("two clocks").hint(""), "error: two clocks", "error: two clocks"),
        (
            Error::all([Error::usage("`{every}`"), error()]).unwrap(),
            "error: `{every}`\nerror: `every` is 2 s\nhint: leave `utc_offset` out, and `every`",
            "error: `{every}`\nerror: `--every` is 2 s\nhint: leave `--utc-offset +HH:MM` out, and `--every`",
        ),
    ] {
        assert_eq!(error.to_string(), plain);
        assert_eq!(error.told(&program).to_string(), told);
    }
    let notice = Notice::new("one more", "see `{every}`").naming(&options);
    assert_eq!(notice.to_string(), "warning: one more\nhint: see `every`");
    assert_eq!(notice.told(&program).to_string(), "warning: one more\nhint: see `--every`");
}

#[test]
fn of_a_very_long_line_the_part_that_is_meant_is_shown() {
    let text = format!("{}x = 1,{}", "é = 0\r".repeat(100), "y = 2\r".repeat(1_000));
    let start = text.find('x').unwrap();
    let shown = Error::input("wrong").at("a.toml", 1).marked(&text, start..start + 5).to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(shown.chars().count() < 600, "{shown}");
    let at = lines[2].chars().take_while(|&c| c != 'x').count();
    assert_eq!(lines[3].find("^^^^^"), Some(at), "{shown}");
}

#[test]
fn the_cause_is_kept() {
    use std::error::Error as _;
    let cause = std::io::Error::from(std::io::ErrorKind::NotFound);
    assert!(Error::input("x").source().is_none());
    let error = Error::input("x").caused_by(cause).clone();
    assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("entity not found"));
}

#[test]
fn an_error_of_another_type_keeps_its_text_and_its_hint() {
    let of = |text: &str| Error::of(Kind::Tool, std::io::Error::other(text.to_string()));
    let error = of("fio is too old\nhint: take a newer one\n");
    assert_eq!(
        (error.kind, error.what.as_str(), error.hint.as_str()),
        (Kind::Tool, "fio is too old", "take a newer one")
    );
    assert_eq!(error.to_string(), "error: fio is too old\nhint: take a newer one");
    assert_eq!(of("fio is too old").hint, "");
}

#[test]
fn another_word_replaces_that_of_every_problem() {
    let error = Error::all([Error::input("x").at("a", 1), Error::input("y").hint("z")]).unwrap();
    assert_eq!(error.shown_as("note: left out"), "note: left out: a:1: x\nnote: left out: y\nhint: z");
}

/// A `Result` of it stays small enough to be returned everywhere.
#[test]
fn an_error_is_at_most_128_bytes() {
    assert!(size_of::<Error>() <= 128, "{}", size_of::<Error>());
}

#[test]
fn a_byte_is_in_the_line_whose_end_follows_it() {
    let text = "one\ntwo\n\nfour";
    for (byte, line) in [(0, 1), (3, 1), (4, 2), (7, 2), (8, 3), (9, 4), (12, 4), (99, 4)] {
        assert_eq!(line_of(text, byte), line, "{byte}");
    }
    assert_eq!(line_of([0xff, b'\n', 0xff], 2), 2, "a text in another encoding has lines, too");
}
