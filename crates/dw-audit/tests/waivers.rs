use dw_audit::Waivers;

use crate::line::{TODAY, judged, machine};

const FILE: &str = "[[waiver]]\ncode = 'dw301'\nmachine = 'm*'\nowner = 'dba'\nreason = 'scratch'\nuntil = 'DAY'\n";

#[test]
fn a_waiver_holds_to_its_last_day_and_is_a_finding_after_it() {
    for (day, waived, code) in
        [("2026-11-29", true, None), ("2027-01-01", true, None), ("2026-11-28", false, Some("DW001"))]
    {
        let mut audit = judged(vec![machine("D8s_v5 | data premium_ssd 128 ReadWrite")], Vec::new());
        Waivers::read("w.toml", &FILE.replace("DAY", day)).unwrap().apply(&mut audit.findings, Some(TODAY));
        let one = audit.findings.iter().find(|finding| finding.code == "DW301").unwrap();
        assert_eq!(one.waived.is_some(), waived, "{day}");
        let own: Vec<&str> =
            audit.findings.iter().map(|one| one.code.as_str()).filter(|code| code.starts_with("DW0")).collect();
        assert_eq!(own, Vec::from_iter(code), "{day}");
        let counts = audit.document(Vec::new(), Vec::new()).counts;
        assert_eq!((counts.warnings, counts.waived), (u64::from(!waived) * 2, u64::from(waived)), "{day}");
    }
    let mut audit = judged(vec![machine("D8s_v5")], Vec::new());
    Waivers::read("w.toml", &FILE.replace("DAY", "2027-01-01")).unwrap().apply(&mut audit.findings, Some(TODAY));
    assert!(audit.findings.iter().any(|one| one.code == "DW002"));
}

#[test]
fn a_waiver_says_who_why_and_until_when() {
    for (text, expected) in [
        (FILE.replace("DAY", "soon"), "w.toml:6"),
        (FILE.replace("DAY", "2027-02-29"), "`2027-02-29` is not a day"),
        (FILE.replace("DAY", "2027-13-01"), "`2027-13-01` is not a day"),
        (FILE.replace("DAY", "2027-1-01"), "`2027-1-01` is not a day"),
        (FILE.replace("'dba'", "''").replace("DAY", "2027-01-01"), "has no owner"),
        ("[[waiver]]\ncode = 'DW301'\n".to_string(), "missing field"),
        ("[[waver]]\n".to_string(), "w.toml:1"),
    ] {
        let refused = Waivers::read("w.toml", &text).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}
