//! Each rule on both sides of its threshold, and at it.

use std::collections::BTreeMap;

use dw_audit::rules;

use crate::line::found;

/// The code, a machine that it finds and at which level, and one that it does not: of one that has a threshold the last before it.
const CASES: &[(&str, &str, &str, &str)] = &[
    // 4 x P30 sustain the 20,000 IOPS that a D8s_v5 bursts to.
    ("DW101", "D8s_v5 | 5x data premium_ssd 1024", "warning", "D8s_v5 | 4x data premium_ssd 1024"),
    (
        "DW101",
        "D8s_v5 | 3x data premium_ssd 1024 | 2x log premium_ssd 1024",
        "note",
        "D8s_v5 | 2x data premium_ssd 1024 | 2x log premium_ssd 1024",
    ),
    ("DW101", "D8s_v5 | 5x data premium_ssd 1024", "warning", "D8s_v5 | 3x data premium_ssd_v2 1024 iops=9000 mb=200"),
    ("DW102", "D8s_v5 | 9x data premium_ssd 512", "warning", "D8s_v5 | 8x data premium_ssd 512"),
    ("DW102", "D8s_v5 | 5x data premium_ssd 512 | 4x log premium_ssd 512", "note", "D8s_v5 | 6x data premium_ssd 1024"),
    ("DW103", "D2s_v5 | data premium_ssd 8192", "warning", "D2s_v5 | data premium_ssd 4096"),
    // A P80 sustains the 20,000 IOPS to which a D4s_v5 bursts.
    ("DW103", "D2s_v5 | data premium_ssd 32767", "warning", "D4s_v5 | data premium_ssd 32767"),
    ("DW104", "D2s_v5 | 5x data premium_ssd 4", "error", "D2s_v5 | 4x data premium_ssd 4"),
    ("DW105", "D8_v5 | data premium_ssd 128", "error", "D8_v5 | data standard_ssd 128"),
    ("DW105", "D8_v5 | os premium_ssd 128", "error", "D8s_v5 | data premium_ssd 128"),
    ("DW106", "D8s_v5 | data premium_ssd 4096 ReadOnly", "error", "D8s_v5 | data premium_ssd 4095 ReadOnly"),
    ("DW106", "D8s_v5 | data premium_ssd_v2 64 iops=3000 mb=125 ReadOnly", "error", "D8s_v5 | data premium_ssd 8192"),
    ("DW107", "D8s_v5 | data ultra 64 iops=5000 mb=200", "error", "D8s_v5 open | data ultra 64 iops=5000 mb=200"),
    ("DW107", "D8s_v5 | data ultra 64 iops=5000 mb=200", "error", "D8s_v5 | data premium_ssd_v2 64 iops=3000 mb=125"),
    ("DW108", "D8s_v5 | data0 premium_ssd 512 | data1 premium_ssd 1024", "note", "D8s_v5 | 2x data premium_ssd 512"),
    (
        "DW108",
        "D8s_v5 | data0 premium_ssd 512 | data1 premium_ssd 1024",
        "note",
        "D8s_v5 | data0 premium_ssd 512 lun=0 | data1 premium_ssd 1024 lun=2",
    ),
    (
        "DW108",
        "D8s_v5 | data0 premium_ssd 512 | data1 premium_ssd 1024",
        "note",
        "D8s_v5 | data premium_ssd 512 | logs premium_ssd 1024",
    ),
    // 500 IOPS for each GiB, 3,000 to each disk.
    (
        "DW109",
        "D64s_v5 | data premium_ssd_v2 100 iops=50001 mb=500",
        "error",
        "D64s_v5 | data premium_ssd_v2 100 iops=50000 mb=500",
    ),
    ("DW109", "D8s_v5 | data premium_ssd 1024 tier=P60", "error", "D8s_v5 | data premium_ssd 1024 tier=P50"),
    (
        "DW110",
        "D8s_v5 zone=1 region=westus | data premium_ssd_v2 64 iops=3000 mb=125",
        "error",
        "D8s_v5 zone= region=westus | data premium_ssd_v2 64 iops=3000 mb=125",
    ),
    (
        "DW110",
        "D8s_v5 zone= | data premium_ssd_v2 64 iops=3000 mb=125",
        "error",
        "D8s_v5 | data premium_ssd_v2 64 iops=3000 mb=125",
    ),
    ("DW111", "M416ms_v2 region=westcentralus zone=", "warning", "D8s_v5"),
    ("DW111", "M416ms_v2 region=westcentralus zone=", "warning", "D8s_v5 region=atlantis"),
    ("DW112", "D8ds_v5 node | os premium_ssd 128", "note", "D8ds_v5 node | os premium_ssd 128 local"),
    // Its local disk holds 300 GiB.
    ("DW112", "D8ds_v5 node | os premium_ssd 300", "note", "D8ds_v5 node | os premium_ssd 301"),
    ("DW112", "D8ds_v5 node | os premium_ssd 300", "note", "D8ds_v5 | os premium_ssd 128"),
    ("DW113", "D8s_v5 | sql-data premium_ssd 512", "note", "D8s_v5 | sql-data premium_ssd 1024"),
    ("DW113", "D8s_v5 | sql-data premium_ssd 512", "note", "D8s_v5 | files premium_ssd 512"),
    ("DW114", "L8s_v3 | data premium_ssd 1024 ReadOnly", "warning", "L8s_v3 | data premium_ssd 1024"),
    ("DW114", "L8s_v3 | data premium_ssd 1024 ReadOnly", "warning", "D8s_v5 | data premium_ssd 1024 ReadOnly"),
    ("DW115", "D8s_v5 | os premium_ssd_v2 64 iops=3000 mb=125", "error", "D8s_v5 | os premium_ssd 64"),
    ("DW115", "D8s_v5 | os premium_ssd 4096", "error", "D8s_v5 | os premium_ssd 4095"),
    ("DW116", "D8s_v99", "note", "D8s_v5"),
    (
        "DW117",
        "D8s_v5 | data premium_ssd_v2 512 iops=20000 mb=290",
        "note",
        "D8s_v5 | data premium_ssd_v2 512 iops=20001 mb=290",
    ),
    // 12,800 IOPS are sustained, and 290 MB/s.
    (
        "DW117",
        "D8s_v5 | data premium_ssd_v2 512 iops=12801 mb=290",
        "note",
        "D8s_v5 | data premium_ssd_v2 512 iops=12800 mb=290",
    ),
    (
        "DW201",
        "D8s_v5 | data premium_ssd_v2 512 iops=20001 mb=200",
        "warning",
        "D8s_v5 | data premium_ssd_v2 512 iops=20000 mb=200",
    ),
    (
        "DW201",
        "D8s_v5 | 2x data premium_ssd_v2 512 iops=12000 mb=200",
        "warning",
        "D8s_v5 | 2x data premium_ssd_v2 512 iops=10000 mb=200",
    ),
    (
        "DW201",
        "D8s_v5 | data premium_ssd_v2 512 iops=12000 mb=200 | log premium_ssd_v2 64 iops=9000 mb=200",
        "note",
        "D8s_v5 | data premium_ssd_v2 512 iops=12000 mb=200 | log premium_ssd_v2 64 iops=8000 mb=200",
    ),
    (
        "DW202",
        "D2s_v5 | 2x data premium_ssd_v2 512 iops=5000 mb=601",
        "warning",
        "D2s_v5 | 2x data premium_ssd_v2 512 iops=5000 mb=600",
    ),
    ("DW203", "- | data premium_ssd 1024 loose region=eastus", "warning", "- | data premium_ssd 1024 region=eastus"),
    ("DW204", "D8s_v5 released | data premium_ssd 128", "note", "D8s_v5 running | data premium_ssd 128"),
    ("DW204", "D8s_v5 released | data premium_ssd 128", "note", "D8s_v5 released"),
    ("DW205", "D8s_v5 stopped", "warning", "D8s_v5 released"),
    ("DW206", "D8s_v5 | data premium_ssd 1024", "note", "D8s_v5 | data premium_ssd 1024 ReadOnly"),
    ("DW206", "D8s_v5 | data premium_ssd 1024", "note", "D8s_v5 | data premium_ssd 1024 zrs"),
    // A D2s_v5 never passes more than 10,000 IOPS; a P80 has 20,000.
    ("DW207", "B2s | data premium_ssd 1024 tier=P50", "warning", "D8s_v5 | data premium_ssd 1024 tier=P50"),
    ("DW208", "B2s | data premium_ssd 1024 burst", "warning", "D8s_v5 | data premium_ssd 1024 burst"),
    ("DW210", "D16ds_v6", "note", "D16ads_v6"),
    ("DW210", "D16ds_v6", "note", "D8s_v5"),
    ("DW211", "D8s_v5 | data premium_ssd 1075", "note", "D8s_v5 | data premium_ssd 1076"),
    ("DW211", "D8s_v5 | data premium_ssd 1025", "note", "D8s_v5 | data premium_ssd 1024"),
    ("DW212", "D8s_v5 open", "warning", "D8s_v5 open | data ultra 64 iops=3000 mb=125"),
    ("DW212", "D8s_v5 open", "warning", "D8s_v5 open | data ? 64"),
    ("DW301", "D8s_v5 | data premium_ssd 128 ReadWrite", "warning", "D8s_v5 | os premium_ssd 128 ReadWrite"),
    ("DW301", "D8s_v5 | data premium_ssd 128 ReadWrite", "warning", "D8s_v5 | data premium_ssd 128 ReadOnly"),
    ("DW302", "D8s_v5 | sql-log premium_ssd 128 ReadOnly", "note", "D8s_v5 | catalog premium_ssd 128 ReadOnly"),
    ("DW302", "D8s_v5 | sql-log premium_ssd 128 ReadOnly", "note", "D8s_v5 | sql-log premium_ssd 128"),
    ("DW303", "D8ds_v5 | os premium_ssd 64 local", "note", "D8ds_v5 count=3 | os premium_ssd 64 local"),
    ("DW303", "D8ds_v5 | os premium_ssd 64 local", "note", "D8ds_v5 node | os premium_ssd 64 local"),
    ("DW304", "D8s_v5 zone=1 | data premium_ssd 128 zone=2", "error", "D8s_v5 zone=1 | data premium_ssd 128 zone=1"),
    ("DW304", "D8s_v5 zone= | data premium_ssd 128 zone=2", "error", "D8s_v5 zone=1 | data premium_ssd 128 zone=2 zrs"),
    ("DW305", "D8s_v5 plain", "note", "D8s_v5"),
    (
        "DW306",
        "D8s_v5 | data premium_ssd 1024 shares=2 ReadOnly",
        "error",
        "D8s_v5 | data premium_ssd 1024 shares=1 ReadOnly",
    ),
    ("DW306", "D8s_v5 | data premium_ssd 1024 shares=2 ReadOnly", "error", "D8s_v5 | data premium_ssd 1024 shares=2"),
    ("DW307", "D8s_v5 | data standard_ssd 128", "note", "D8s_v5 | data premium_ssd 128"),
    ("DW308", "D8s_v5 spot | data premium_ssd 128", "note", "D8s_v5 spot | os premium_ssd 128"),
    ("DW309", "D8s_v5 | data premium_ssd 128 dies", "note", "D8s_v5 | os premium_ssd 128 dies"),
    ("DW401", "D8s_v3", "note", "D8s_v5"),
    ("DW402", "D8s_v3", "note", "D8s_v5"),
    ("DW403", "M16bs_v4", "warning", "D8s_v5"),
    ("DW404", "D8s_v5 | os standard_hdd 128", "warning", "D8s_v5 | data standard_hdd 128"),
    ("DW404", "D8s_v5 | os standard_hdd 128", "warning", "D8s_v5 | os standard_ssd 128"),
    ("DW405", "F8s_v2", "note", "D8s_v5"),
    ("DW502", "D8s_v5 windows", "note", "D8s_v5 windows licence=Windows_Server"),
    ("DW502", "D8s_v5 windows", "note", "D8s_v5"),
    ("DW503", "D8s_v5 region=atlantis", "note", "D8s_v5"),
    ("DW504", "D8s_v3", "note", "D8s_v5"),
];

#[test]
fn each_rule_finds_on_one_side_of_its_threshold_alone() {
    let mut wrong = Vec::new();
    for (code, positive, level, negative) in CASES {
        let (yes, no) = (found(positive), found(negative));
        if !yes.contains(&format!("{code} {level}")) {
            wrong.push(format!("{code} is not found as {level} of `{positive}`: {yes:?}"));
        }
        if no.iter().any(|one| one.starts_with(code)) {
            wrong.push(format!("{code} is found of `{negative}`: {no:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A disk that is too much for its gate is not saved as a whole by whoever takes a larger size.
#[test]
fn nothing_is_saved_where_no_price_after_it_is_known() {
    for (line, code, saves) in [
        ("D2s_v5 | data premium_ssd 8192", "DW103", false),
        ("D8s_v5 | 5x data premium_ssd 1024", "DW101", false),
        ("D8s_v5 | data premium_ssd_v2 512 iops=20001 mb=200", "DW201", true),
    ] {
        let audit = crate::line::judged(vec![crate::line::machine(line)], Vec::new());
        let finding = audit.findings.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{line}"));
        assert!(finding.monthly.is_some() && finding.monthly_after.is_some() == saves, "{finding:?}");
        assert_eq!(finding.saves() > 0.0, saves, "{finding:?}");
    }
}

#[test]
fn codes_are_sorted_told_apart_and_have_cases() {
    let codes: Vec<&str> = rules().map(|rule| rule.code).collect();
    assert!(codes.is_sorted() && codes.windows(2).all(|pair| pair[0] != pair[1]), "{codes:?}");
    assert!(codes.len() >= 30, "{}", codes.len());
    let mut cases: BTreeMap<&str, usize> = BTreeMap::new();
    CASES.iter().for_each(|case| *cases.entry(case.0).or_default() += 1);
    // What depends on prices that the shipped catalogue has for few sizes alone is tested by itself.
    let without: Vec<&str> = codes.into_iter().filter(|code| !cases.contains_key(code)).collect();
    assert_eq!(without, ["DW406", "DW501"]);
}

#[test]
fn what_is_not_known_is_not_judged_and_is_counted() {
    let audit =
        crate::line::judged(vec![crate::line::machine("D8s_v5 zone=? | data premium_ssd 1024 cache")], Vec::new());
    assert!(
        audit.findings.iter().all(|finding| !["DW110", "DW206", "DW301"].contains(&finding.code.as_str())),
        "{:?}",
        audit.findings
    );
    let not_judged = audit.document(Vec::new(), Vec::new()).not_judged;
    let lacks = |code: &str| -> Vec<(&str, u64)> {
        let of_rule = not_judged.iter().filter(|one| one.rules.iter().any(|rule| rule == code));
        of_rule.map(|one| (one.lacks.as_str(), one.machines)).collect()
    };
    assert_eq!(lacks("DW301"), [("the host cache of each disk", 1)]);
    assert_eq!(lacks("DW110"), [("the zone", 1)]);
}
