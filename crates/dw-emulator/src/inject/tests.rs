//! Faults as a user writes them, and what becomes of requests.

use super::*;

/// Puts `faults` (JSON, one a line) in force on export 0 and says what becomes of `OP OFFSET LEN` requests.
fn check(faults: &str, requests: &str, expected: &str) {
    let mut rules = Rules::default();
    for line in faults.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let fault: Fault = serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        if let Err(refused) = rules.add(fault, 0) {
            assert_eq!(refused, expected, "{line}");
            return;
        }
    }
    let said: Vec<_> =
        requests.lines().map(str::trim).filter(|line| !line.is_empty()).map(|l| said(&mut rules, l)).collect();
    assert_eq!(said.join("; "), expected, "{faults}");
}

fn said(rules: &mut Rules, request: &str) -> String {
    let words: Vec<&str> = request.split(' ').collect();
    let op: FaultOp = serde_json::from_str(&format!("\"{}\"", words[0])).unwrap();
    let verdict = rules.verdict(0, op, words[1].parse().unwrap(), words[2].parse().unwrap());
    let mut said = Vec::new();
    if verdict.delay > Duration::ZERO {
        said.push(format!("+{}", verdict.delay));
    }
    said.extend(verdict.error.map(|error| format!("{error:?}")));
    said.extend(verdict.stuck.map(|id| format!("stuck on {id}")));
    said.extend(verdict.torn.then(|| "may tear".to_string()));
    if said.is_empty() { "pass".into() } else { said.join(", ") }
}

const EIO: &str = r#"{"export":"d","effect":{"kind":"error","errno":"EIO"}}"#;
const FIVE_MS: &str = r#"{"export":"d","op":"read","effect":{"kind":"latency","min_ns":5000000,"max_ns":5000000}}"#;

#[test]
fn a_fault_strikes_the_requests_that_it_names() {
    let range = |offset, len| {
        format!(
            r#"{{"export":"d","op":"write","range":{{"offset":{offset},"len":{len}}},"effect":{{"kind":"error","errno":"ENOSPC"}}}}"#
        )
    };
    check("", "read 0 4096", "pass");
    check(EIO, "read 0 4096\nflush 0 0", "Io; Io");
    check(FIVE_MS, "read 0 4096\nwrite 0 4096", "+5 ms; pass");
    check(&range(4096, 4096), "write 0 4096\nwrite 4095 2\nwrite 8191 1\nwrite 8192 1", "pass; NoSpace; NoSpace; pass");
    check(&range(0, u64::MAX), "write 18446744073709551615 1\nwrite 18446744073709551614 1", "pass; NoSpace");
    check(r#"{"export":"d","effect":{"kind":"torn-write"}}"#, "write 0 4096\nread 0 4096", "may tear; pass");
}

#[test]
fn faults_of_one_disk_add_up() {
    check(&[FIVE_MS, FIVE_MS].join("\n"), "read 0 1", "+10 ms");
    check(
        &[EIO, FIVE_MS, r#"{"export":"d","effect":{"kind":"stuck"}}"#].join("\n"),
        "read 0 1",
        "+5 ms, Io, stuck on 3",
    );
}

#[test]
fn what_could_never_happen_is_refused() {
    let latency = |min, max| format!(r#"{{"export":"d","effect":{{"kind":"latency","min_ns":{min},"max_ns":{max}}}}}"#);
    check(&latency(2, 1), "", "the latency begins at 2 ns and ends at 1 ns: write the smaller one first");
    check(&latency(0, 0), "", "a latency of 0 adds nothing");
    check(
        &EIO.replace("\"effect\"", "\"per_million\":0,\"effect\""),
        "",
        "`per_million` is 0: it must be 1 to 1000000",
    );
    let empty = EIO.replace("\"effect\"", "\"range\":{\"offset\":1,\"len\":0},\"effect\"");
    check(&empty, "", "the range is empty: give it a length, or omit it for the whole disk");
    let torn = r#"{"export":"d","op":"read","effect":{"kind":"torn-write"}}"#;
    check(torn, "", "only writes can be torn: omit the operation, or use `write`");
}

#[test]
fn a_range_of_latencies_is_even_and_repeats_with_its_seed() {
    let drawn = |seed: u64| -> Vec<u64> {
        let fault = Fault {
            export: "d".into(),
            op: FaultOp::Any,
            range: None,
            per_million: MILLION,
            seed,
            effect: Effect::Latency { min_ns: 1_000, max_ns: 1_999 },
        };
        let mut rules = Rules::default();
        rules.add(fault, 0).unwrap();
        (0..10_000).map(|_| rules.verdict(0, FaultOp::Read, 0, 1).delay.ns()).collect()
    };
    let times = drawn(7);
    assert_eq!(times, drawn(7));
    assert_ne!(times, drawn(8));
    assert_eq!((times.iter().min(), times.iter().max()), (Some(&1_000), Some(&1_999)));
    let low = times.iter().filter(|&&ns| ns < 1_500).count();
    assert!((4_800..5_200).contains(&low), "{low} of 10,000 in the lower half");
}

#[test]
fn a_share_strikes_that_share() {
    let fault: Fault = serde_json::from_str(&EIO.replace("\"effect\"", "\"per_million\":10000,\"effect\"")).unwrap();
    let mut rules = Rules::default();
    rules.add(fault, 0).unwrap();
    let struck = (0..100_000).filter(|_| rules.verdict(0, FaultOp::Read, 0, 1) != Verdict::PASS).count();
    assert!((900..1_100).contains(&struck), "{struck} of 100,000 where 1 % was asked for");
    assert_eq!(rules.list()[0].struck, struck as u64);
}

#[test]
fn a_cleared_fault_has_no_effect_and_others_stay() {
    let mut rules = Rules::default();
    let fault = |text: &str| serde_json::from_str::<Fault>(text).unwrap();
    assert_eq!(rules.add(fault(EIO), 0), Ok(1));
    assert_eq!(rules.add(fault(FIVE_MS), 0), Ok(2));
    assert!(rules.concerns(0) && !rules.concerns(1));
    assert_eq!(rules.verdict(1, FaultOp::Read, 0, 1), Verdict::PASS, "a fault is for its export only");
    assert_eq!((rules.clear(Some(1)), rules.clear(Some(1))), (1, 0));
    assert!(!rules.holds(1) && rules.holds(2));
    assert_eq!(said(&mut rules, "read 0 1"), "+5 ms");
    assert_eq!(rules.add(fault(EIO), 0), Ok(3), "numbers are not given twice");
    assert_eq!(rules.add(fault(EIO), 1), Ok(4));
    assert_eq!((rules.clear_export(1), rules.concerns(1)), (1, false));
    assert_eq!((rules.clear(None), rules.is_empty()), (2, true));
}

#[test]
fn parts_of_a_request_are_served_side_by_side() {
    let slow = |ms| Verdict { delay: Duration::from_ms(ms), ..Verdict::PASS };
    let failed = Verdict { error: Some(FaultErrno::Io), ..Verdict::PASS };
    assert_eq!(slow(2).and(slow(5)).and(failed), Verdict { error: Some(FaultErrno::Io), ..slow(5) });
    assert_eq!(Verdict::PASS.and(Verdict::PASS), Verdict::PASS);
}
