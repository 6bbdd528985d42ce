//! How sure a finding is, what it rests on.

use dw_documents::audit::Confidence::{self, Certain, Likely};

use crate::line::{judged, machine};

#[test]
fn a_finding_is_no_surer_than_the_limit_that_it_rests_on() {
    // A machine, a rule, how sure, an id among its sources, words of its sentence; nothing where it is not found.
    type Case = (&'static str, &'static str, Option<(Confidence, &'static str, &'static str)>);
    let cases: [Case; 3] = [
        ("D8s_v5 | data premium_ssd_v2 512 iops=30000 mb=200", "DW201", Some((Certain, "dsv5", "20,000 IOPS"))),
        // No page of Dv3 prints it: it is that of its disks, by a page of 2017.
        (
            "D4_v3 | data standard_ssd 32767",
            "DW103",
            Some((Likely, "limits-vm-disks-managed-2017-02", "passes 4,000 IOPS")),
        ),
        ("D4_v3 | 9x data standard_ssd 128", "DW104", Some((Certain, "dv3-series-2024-07-29", "takes 8"))),
    ];
    for (line, code, expected) in cases {
        let audit = judged(vec![machine(line)], Vec::new());
        let one = audit.findings.iter().find(|finding| finding.code == code);
        let Some((confidence, source, words)) = expected else {
            assert!(one.is_none(), "{line}: {one:?}");
            continue;
        };
        let one = one.unwrap_or_else(|| panic!("{code} is not found of {line}: {:?}", audit.findings));
        assert_eq!(one.confidence, confidence, "{line}: {}", one.says);
        assert!(one.sources.iter().any(|own| own.contains(source)), "{line}: {:?}", one.sources);
        assert!(one.says.text.contains(words), "{line}: {}", one.says);
    }
}
