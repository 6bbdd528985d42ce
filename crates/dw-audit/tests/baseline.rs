//! What of an estate is left beside a baseline of it.

use dw_messages::Sentence;

use crate::line::{judged, machine};

/// What is left of `line` beside `baseline`: each finding of these rules, with what it was.
fn left(baseline: &str, line: &str, rules: &[&str]) -> Vec<String> {
    let mut audit = judged(vec![machine(line)], Vec::new());
    audit.without(&judged(vec![machine(baseline)], Vec::new()));
    let was = |says: &Sentence| match says.text.split_once("; worse than in the baseline: ") {
        Some((_, was)) => was.to_string(),
        None => "new".to_string(),
    };
    let own = audit.findings.iter().filter(|finding| rules.contains(&finding.code.as_str()));
    let mut left: Vec<String> = own.map(|finding| format!("{}: {}", finding.code, was(&finding.says))).collect();
    left.sort();
    left
}

#[test]
fn a_finding_is_known_while_it_is_no_worse() {
    // The baseline, what is judged, rules, what is left.
    type Case = (&'static str, &'static str, &'static [&'static str], &'static [&'static str]);
    const V2: &str = "D8s_v5 | data premium_ssd_v2 512 iops=30000 mb=200";
    let cases: [Case; 16] = [
        (V2, V2, &["DW201"], &[]),
        ("D8s_v5", V2, &["DW201"], &["DW201: new"]),
        // 10,000 IOPS beyond its gate become 40,000; better, and more by less than a hundredth of what is too much.
        (
            V2,
            "D8s_v5 | data premium_ssd_v2 512 iops=60000 mb=200",
            &["DW201"],
            &["DW201: 40,000 IOPS in place of 10,000 IOPS"],
        ),
        (V2, "D8s_v5 | data premium_ssd_v2 512 iops=25000 mb=200", &["DW201"], &[]),
        (V2, "D8s_v5 | data premium_ssd_v2 512 iops=30100 mb=200", &["DW201"], &[]),
        (
            V2,
            "D8s_v5 | data premium_ssd_v2 512 iops=30101 mb=200",
            &["DW201"],
            &["DW201: 10,101 IOPS in place of 10,000 IOPS"],
        ),
        // The disk stays, and its machine passes less.
        (
            "D8s_v5 | data premium_ssd_v2 512 iops=18000 mb=200",
            "D8s_v5 | data premium_ssd_v2 512 iops=19000 mb=200",
            &["DW117"],
            &["DW117: 6,200 IOPS in place of 5,200 IOPS"],
        ),
        // I/Os and bytes are two findings of one rule.
        (
            "D2s_v5 | data premium_ssd 16384",
            "D2s_v5 | data premium_ssd 32767",
            &["DW103"],
            &["DW103: 10,000 IOPS in place of 8,000 IOPS"],
        ),
        ("D2s_v5 | 5x data premium_ssd 4", "D2s_v5 | 7x data premium_ssd 4", &["DW104"], &["DW104: 3 in place of 1"]),
        ("D2s_v5 | 7x data premium_ssd 4", "D2s_v5 | 5x data premium_ssd 4", &["DW104"], &[]),
        // Less of what a disk gives for good is worse.
        (
            "D8s_v5 | pgdata premium_ssd 512",
            "D8s_v5 | pgdata premium_ssd 128",
            &["DW113"],
            &["DW113: 500 IOPS in place of 2,300 IOPS"],
        ),
        ("D8s_v5 | pgdata premium_ssd 128", "D8s_v5 | pgdata premium_ssd 512", &["DW113"], &[]),
        // Of a larger disk in a stripe more is never used.
        (
            "D8s_v5 | data-0 premium_ssd 256 | data-1 premium_ssd 512",
            "D8s_v5 | data-0 premium_ssd 256 | data-1 premium_ssd 1024",
            &["DW108"],
            &["DW108: 768 GiB in place of 256 GiB"],
        ),
        // Machines that are alike, and money.
        (
            "D8s_v5 count=3 | data premium_ssd 128 ReadWrite",
            "D8s_v5 count=30 | data premium_ssd 128 ReadWrite",
            &["DW301"],
            &["DW301: machines: 30 in place of 3"],
        ),
        (
            "D8s_v5 count=30 | data premium_ssd 128 ReadWrite",
            "D8s_v5 | data premium_ssd 128 ReadWrite",
            &["DW301"],
            &[],
        ),
        (
            "D8s_v5 released | data premium_ssd 128",
            "D8s_v5 released | data premium_ssd 1024",
            &["DW204"],
            &["DW204: 135.17 USD a month in place of 19.71 USD"],
        ),
    ];
    for (baseline, line, rules, expected) in cases {
        assert_eq!(left(baseline, line, rules), expected, "{line} beside {baseline}");
    }
}

#[test]
fn what_is_worse_counts() {
    let of = |line: &str| judged(vec![machine(line)], Vec::new());
    let (was, now) = ("D8s_v5 | data premium_ssd_v2 512 iops=30000", "D8s_v5 | data premium_ssd_v2 512 iops=60000");
    for (baseline, warnings) in [(was, 1), (now, 0)] {
        let mut audit = of(&format!("{now} mb=200"));
        audit.without(&of(&format!("{baseline} mb=200")));
        assert_eq!(audit.document(Vec::new(), Vec::new()).counts.warnings, warnings, "{baseline}");
    }
}
