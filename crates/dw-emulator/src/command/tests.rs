//! The control channel's language as programs write it.

use super::*;

/// Reads a command and writes it again: the same text, or the error.
fn check(text: &str, expected: &str) {
    let said = match serde_json::from_str::<Command>(text) {
        Ok(command) => serde_json::to_string(&command).unwrap(),
        Err(e) => e.to_string().split(" at line").next().unwrap_or_default().to_string(),
    };
    assert_eq!(said, expected, "{text}");
}

#[test]
fn commands_read_as_they_are_written() {
    let same = [
        r#"{"cmd":"status"}"#,
        r#"{"cmd":"attach","volume":"data"}"#,
        r#"{"cmd":"detach","volume":"data"}"#,
        r#"{"cmd":"cache","volume":"data","mode":"ReadOnly"}"#,
        r#"{"cmd":"resize","volume":"data","disk":1,"size_bytes":1099511627776}"#,
        r#"{"cmd":"tier","volume":"data","iops":7500,"bytes_per_second":250000000}"#,
        r#"{"cmd":"reboot"}"#,
        r#"{"cmd":"crash","level":"host","survivors":"random-torn","seed":7}"#,
        r#"{"cmd":"pause"}"#,
        r#"{"cmd":"resume"}"#,
        r#"{"cmd":"inject","fault":{"export":"data.0","op":"read","seed":1,"effect":{"kind":"latency","min_ns":5,"max_ns":9}}}"#,
        r#"{"cmd":"faults"}"#,
        r#"{"cmd":"clear","id":3}"#,
        r#"{"cmd":"mark","name":"after-the-load"}"#,
        r#"{"cmd":"reset-counters"}"#,
        r#"{"cmd":"shutdown"}"#,
    ];
    let names: Vec<_> = same.iter().map(|text| text.split('"').nth(3).unwrap_or_default()).collect();
    assert_eq!(names, Command::NAMES, "each command has its line here");
    same.iter().for_each(|text| check(text, text));
}

#[test]
fn what_is_left_out_has_a_default() {
    check(r#"{"cmd":"crash","level":"guest"}"#, r#"{"cmd":"crash","level":"guest","survivors":"none","seed":1}"#);
    check(
        r#"{"cmd":"inject","fault":{"export":"d","effect":{"kind":"stuck"}}}"#,
        r#"{"cmd":"inject","fault":{"export":"d","op":"any","seed":1,"effect":{"kind":"stuck"}}}"#,
    );
}

#[test]
fn a_misspelt_field_or_value_is_refused() {
    check(
        r#"{"cmd":"crash","level":"host","survivor":"all"}"#,
        "unknown field `survivor`, expected one of `level`, `survivors`, `seed`",
    );
    check(
        r#"{"cmd":"cache","volume":"d","mode":"none"}"#,
        "unknown variant `none`, expected one of `None`, `ReadOnly`, `ReadWrite`",
    );
    check(
        r#"{"cmd":"inject","fault":{"export":"d","efect":{}}}"#,
        "unknown field `efect`, expected one of `export`, `op`, `range`, `per_million`, `seed`, `effect`",
    );
}

#[test]
fn an_unknown_volume_is_named_with_its_nearest() {
    let volumes = ["data", "log", "data.0"];
    let error = CommandError::unknown("dta", volumes.into_iter());
    assert_eq!((error.to_string().as_str(), error.hint.as_str()), ("unknown volume `dta`", "did you mean `data`?"));
    assert_eq!(CommandError::unknown("LGO", volumes.into_iter()).hint, "did you mean `log`?");
    assert_eq!(CommandError::unknown("zzz", volumes.into_iter()).hint, "there are: data, log, data.0");
}
