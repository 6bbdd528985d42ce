//! What a recording makes of findings: certain, less, gone, or told and left.

use dw_audit::{Market, Recorded, RecordedPoint, RecordedVolume, Recordings, rules};
use dw_catalogue::Catalogue;
use dw_documents::audit::{Confidence, Finding, Setting};
use dw_estate::{Estate, StripeFile};

use crate::line::{TODAY, machine};

const HOUR: u64 = 3_600_000_000_000;

/// Volumes that were recorded: `data0 data1: 9000 for 300, 100 for 36` is 9,000 IOPS of 8 KiB for 300 hours, then 100 for 36; `r=0.5` says how many
/// of them are reads.
fn recorded(text: &str) -> Recorded {
    let volume = |part: &str| {
        let (names, load) = part.split_once(':').unwrap();
        let disks = names.split_whitespace().map(|name| format!("/d/{name}").into()).collect();
        let mut volume = RecordedVolume { disks, ..RecordedVolume::default() };
        for piece in load.split(',').map(str::trim) {
            if let Some(reads) = piece.strip_prefix("r=") {
                volume.reads = reads.parse().ok();
                continue;
            }
            let (iops, hours) = piece.split_once(" for ").unwrap();
            let iops: f32 = iops.parse().unwrap();
            for _ in 0..hours.parse::<u64>().unwrap() {
                let at = (volume.points.len() as u64 + 1) * HOUR;
                volume.points.push(RecordedPoint { at: at as i64, span: HOUR, rates: [iops, iops * 8192.0] });
            }
        }
        volume
    };
    Recorded { volumes: text.split('|').map(volume).collect() }
}

/// What is found, and what a recording ends.
fn audited(line: &str, text: &str) -> (Vec<Finding>, Vec<Finding>) {
    let estate = Estate { sources: vec!["vms.json".into()], machines: vec![machine(line)], ..Estate::default() };
    let recordings = Recordings::from([(Box::from("/m"), recorded(text))]);
    let mut market = Market::new(Catalogue::embedded(), Some(TODAY.into()), StripeFile::default());
    market.recordings = Some(&recordings);
    let audit = market.audit(&estate);
    (audit.findings, audit.let_go)
}

/// The finding of a rule as `warning certain: what is seen`; `gone: what is seen`; nothing.
fn check(code: &str, line: &str, text: &str, expected: &str) {
    let (found, gone) = audited(line, text);
    let of = |all: &[Finding]| all.iter().find(|one| one.code == code).cloned();
    let seen = |one: &Finding| one.seen.as_ref().map_or(String::new(), ToString::to_string);
    let shown = match (of(&found), of(&gone)) {
        (Some(one), _) => format!("{} {}: {}", one.level.word(), one.confidence.word(), seen(&one)),
        (None, Some(one)) => format!("gone: {}", seen(&one)),
        (None, None) => "nothing".to_string(),
    };
    assert_eq!(shown, expected, "{code} of `{line}` with `{text}`");
}

const FIVE: &str = "D8s_v5 | 5x data premium_ssd 1024";
const ALL_FIVE: &str = "data0 data1 data2 data3 data4";

#[test]
fn a_load_that_stands_at_the_gate_is_certain_and_one_that_never_comes_near_is_less() {
    // 25,000 IOPS are bought, 12,800 are sustained; a week is 168 hours, and a tenth of it may be missing.
    for (load, expected) in [
        ("3100 for 336", "note certain: recorded at most 3,100 IOPS of 12,800 IOPS in 14 d (means of 60 min)"),
        ("10240 for 152", "note certain: recorded at most 10,240 IOPS of 12,800 IOPS in 6 d (means of 60 min)"),
        ("10241 for 336", "warning certain: recorded at most 10,241 IOPS of 12,800 IOPS in 14 d (means of 60 min)"),
        (
            "3100 for 151",
            "warning certain: recorded at most 3,100 IOPS of 12,800 IOPS in 6 d (means of 60 min): a week of it would settle this",
        ),
        (
            "12160 for 36, 3100 for 300",
            "warning certain: recorded at 12,800 IOPS or above for 11 % of 14 d (means of 60 min)",
        ),
    ] {
        check("DW101", FIVE, &format!("{ALL_FIVE}: {load}"), expected);
    }
    // Of several volumes it is a note; at the gate it is a warning.
    let line = "D8s_v5 | 3x data premium_ssd 1024 | 2x log premium_ssd 1024";
    for (text, expected) in [
        (
            "data0 data1 data2: 9000 for 336 | log0 log1: 4000 for 336",
            "warning certain: recorded at 12,800 IOPS or above for 100 % of 14 d (means of 60 min)",
        ),
        // Their peaks are at other times.
        (
            "data0 data1 data2: 9000 for 168, 1 for 168 | log0 log1: 1 for 168, 9000 for 168",
            "note certain: recorded at most 9,001 IOPS of 12,800 IOPS in 14 d (means of 60 min)",
        ),
        (
            "data0 data1 data2: 3000 for 336",
            "note certain: recorded at most 3,000 IOPS of 12,800 IOPS in 14 d (means of 60 min), without log0, log1, of which nothing is recorded",
        ),
        ("x: 1 for 336", "note certain: nothing is recorded of data0, data1, data2, log0, log1"),
        ("data0 data1 data2: NaN for 336 | log0 log1: 5 for 336", "note certain: the recording lacks these figures"),
    ] {
        check("DW101", line, text, expected);
    }
    check(
        "DW103",
        "D2s_v5 | data premium_ssd 8192",
        "data: 100 for 336",
        "note certain: recorded at most 100 IOPS of 3,750 IOPS in 14 d (means of 60 min)",
    );
    check(
        "DW117",
        "D8s_v5 | 4x data premium_ssd 1024",
        "data0 data1 data2 data3: 100 for 336",
        "gone: recorded at most 100 IOPS of 12,800 IOPS in 14 d (means of 60 min)",
    );
}

/// What a host cache may serve does not stand at the gate behind it for certain.
#[test]
fn reads_that_a_cache_may_serve_are_not_certain() {
    let line = "D8s_v5 | 5x data premium_ssd 1024 ReadOnly";
    check(
        "DW101",
        line,
        &format!("{ALL_FIVE}: 15000 for 336"),
        "warning certain: recorded at most 15,000 IOPS of 12,800 IOPS in 14 d (means of 60 min)",
    );
}

#[test]
fn a_disk_that_lives_on_credits_is_certain_or_goes() {
    // 500 IOPS, 3,500 for half an hour.
    let line = "D8s_v5 | sql-data premium_ssd 128";
    for (load, expected) in [
        ("450 for 336", "gone: recorded with never less than 100 % of its credits left in 14 d (means of 60 min)"),
        (
            "900 for 1, 100 for 335",
            "gone: recorded with never less than 73 % of its credits left in 14 d (means of 60 min)",
        ),
        (
            "1800 for 1, 100 for 335",
            "note needs_recording: recorded with never less than 13 % of its credits left in 14 d (means of 60 min)",
        ),
        (
            "3500 for 1, 500 for 335",
            "warning certain: recorded with its credits spent for 100 % of 14 d (means of 60 min)",
        ),
        (
            "3500 for 1, 100 for 335",
            "note needs_recording: recorded with its credits spent for 0.3 % of 14 d (means of 60 min)",
        ),
        (
            "450 for 10",
            "note needs_recording: recorded with never less than 100 % of its credits left in 10 h (means of 60 min): a week of it would settle this",
        ),
    ] {
        check("DW113", line, &format!("sql-data: {load}"), expected);
    }
    check(
        "DW112",
        "D8ds_v5 node | os premium_ssd 128",
        "os: 100 for 336",
        "gone: recorded with never less than 100 % of its credits left in 14 d (means of 60 min)",
    );
}

#[test]
fn a_log_that_is_read_is_none() {
    let line = "D8s_v5 | sql-log premium_ssd 1024 ReadOnly";
    for (reads, expected) in [
        ("0.02", "note certain: recorded: reads are 2.0 % of its I/Os in 14 d"),
        ("0.3", "note likely: recorded: reads are 30 % of its I/Os in 14 d"),
        ("0.7", "gone: recorded: reads are 70 % of its I/Os in 14 d"),
    ] {
        check("DW302", line, &format!("sql-log: 100 for 336, r={reads}"), expected);
    }
}

#[test]
fn what_is_bought_and_never_asked_for_is_money() {
    let line = "D8s_v5 | data premium_ssd_v2 512 iops=12000 mb=200";
    let (found, _) = audited(line, "data: 3200 for 336");
    let one = found.iter().find(|one| one.code == "DW221").unwrap();
    assert_eq!(
        one.says.to_string(),
        "12,000 IOPS are bought; recorded are 3,200 IOPS at most in 14 d (means of 60 min)"
    );
    let remedy = one.remedy.as_ref().unwrap();
    assert_eq!(remedy.changes.iter().map(|change| &change.set).collect::<Vec<_>>(), [&Setting::Iops(4000)]);
    assert!(one.saves() > 30.0 && one.confidence == Confidence::Certain, "{one:?}");
    // 8,000 IOPS dearer than what comes for nothing, at 0.0050 USD each, of which 1,000 stay.
    assert!((one.saves() - 8000.0 * 0.0052).abs() < 5.0, "{}", one.saves());
    for (load, expected) in [
        ("9600 for 336", "nothing"),
        ("8000 for 336", "warning certain: "),
        // Three thousand come for nothing.
        ("100 for 150", "nothing"),
    ] {
        check("DW221", line, &format!("data: {load}"), expected);
    }
    // What no route delivers is less than what nobody asks for.
    let beyond = "D8s_v5 | data premium_ssd_v2 512 iops=30000 mb=200";
    check(
        "DW201",
        beyond,
        "data: 3200 for 336",
        "gone: recorded at most 3,200 IOPS of 12,800 IOPS in 14 d (means of 60 min)",
    );
    check("DW221", beyond, "data: 3200 for 336", "warning certain: ");
    check(
        "DW201",
        beyond,
        "data: 12700 for 336",
        "warning certain: recorded at 12,800 IOPS or above for 100 % of 14 d (means of 60 min)",
    );
    check("DW222", "D8s_v5 | data premium_ssd_v2 512 iops=4000 mb=600", "data: 3200 for 336", "warning certain: ");
    check("DW223", "D8s_v5 | data premium_ssd 512 tier=P40", "data: 1500 for 336", "warning certain: ");
    check("DW223", "D8s_v5 | data premium_ssd 512 tier=P40", "data: 2500 for 336", "nothing");
    check("DW224", "D8s_v5 | data premium_ssd 1024 burst", "data: 1500 for 336", "warning certain: ");
    check("DW224", "D8s_v5 | data premium_ssd 1024 burst", "data: 4500 for 336", "nothing");
}

/// What is both more than the gate passes and never asked for is money once: together it saves what the disks cost less with the lower of both rates.
#[test]
fn what_two_findings_save_of_one_rate_is_counted_once() {
    for (line, load) in [
        (
            "D8s_v5 | data premium_ssd_v2 512 iops=80000 mb=200 | log premium_ssd_v2 512 iops=12000 mb=200",
            "data: 20000 for 336 | log: 310 for 336",
        ),
        ("D8s_v5 | data premium_ssd_v2 512 iops=80000 mb=200", "data: 12700 for 336"),
        ("D2s_v5 | data premium_ssd_v2 512 iops=30000 mb=200", "data: 3700 for 336"),
    ] {
        let (found, _) = audited(line, load);
        let of = |code: &str| found.iter().filter(|one| one.code == code).collect::<Vec<_>>();
        let (beyond, unasked) = (of("DW201"), of("DW221"));
        assert!(beyond.len() == 1 && !unasked.is_empty(), "{line}: {found:?}");
        assert!(beyond[0].says.to_string().ends_with("is counted in a finding of its own)"), "{}", beyond[0].says);
        // Of each disk the lowest rate that a remedy sets.
        let mut kept = std::collections::BTreeMap::new();
        for change in beyond.iter().chain(&unasked).filter_map(|one| one.remedy.as_ref()).flat_map(|one| &one.changes) {
            let Setting::Iops(iops) = change.set else { panic!("{change:?}") };
            kept.entry(change.disk.clone()).and_modify(|own: &mut u64| *own = iops.min(*own)).or_insert(iops);
        }
        let disks = |lowered: bool| -> f64 {
            let mut own = machine(line);
            for disk in own.disks.iter_mut().filter(|_| lowered) {
                if let Some(iops) = kept.get(&*disk.name) {
                    disk.iops = dw_estate::Told::By(dw_estate::SourceId(0), *iops);
                }
            }
            let estate = Estate { machines: vec![own], ..Estate::default() };
            let audit = dw_audit::audit(&estate, Catalogue::embedded(), &StripeFile::default(), None);
            audit.document(Vec::new(), Vec::new()).cost.monthly
        };
        let saved: f64 = beyond.iter().chain(&unasked).map(|one| one.saves()).sum();
        assert!((saved - (disks(false) - disks(true))).abs() < 0.01, "{line}: {saved}, {}", disks(false) - disks(true));
    }
}

/// Who has no recording misses none.
#[test]
fn without_recordings_nothing_is_missed() {
    let mut market = Market::new(Catalogue::embedded(), Some(TODAY.into()), StripeFile::default());
    let estate = Estate { machines: vec![machine(FIVE)], ..Estate::default() };
    let lacks = |market: &Market| {
        let document = market.audit(&estate).document(Vec::new(), Vec::new());
        document.not_judged.iter().any(|one| one.lacks == "a recording")
    };
    assert!(!lacks(&market));
    let none = Recordings::new();
    market.recordings = Some(&none);
    assert!(lacks(&market));
    let hang = rules().filter(|rule| rule.settles.is_some());
    assert_eq!(
        hang.map(|rule| rule.code).collect::<Vec<_>>(),
        ["DW101", "DW102", "DW103", "DW112", "DW113", "DW117", "DW201", "DW202", "DW302"]
    );
}
