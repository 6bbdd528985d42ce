//! How sure a finding is, what it rests on, and what it takes for granted.

use dw_documents::audit::Confidence::{self, Certain, Likely};

use crate::line::{judged, machine};

#[test]
fn a_finding_is_no_surer_than_the_limit_that_it_rests_on() {
    // A machine, a rule, how sure, an id among its sources, words of its sentence; nothing where it is not found.
    type Case = (&'static str, &'static str, Option<(Confidence, &'static str, &'static str)>);
    const PAGE: &str = "ebdsv5-ebsv5-series-76e3d22";
    let cases: [Case; 10] = [
        ("D8s_v5 | data premium_ssd_v2 512 iops=30000 mb=200", "DW201", Some((Certain, "dsv5", "20,000 IOPS"))),
        // No page of Dv3 prints it: it is that of its disks, by a page of 2017.
        (
            "D4_v3 | data standard_ssd 32767",
            "DW103",
            Some((Likely, "limits-vm-disks-managed-2017-02", "passes 4,000 IOPS")),
        ),
        ("D4_v3 | 9x data standard_ssd 128", "DW104", Some((Certain, "dv3-series-2024-07-29", "takes 8"))),
        // 180,000 with SCSI, 390,000 with NVMe.
        (
            "E96bds_v5 open | data ultra 2048 iops=250000 mb=6000",
            "DW201",
            Some((Likely, PAGE, "passes 180,000 IOPS: 70,000 IOPS can never be used at once (with SCSI, ")),
        ),
        (
            "E96bds_v5 open controller=SCSI | data ultra 2048 iops=250000 mb=6000",
            "DW201",
            Some((Certain, PAGE, "passes 180,000 IOPS: 70,000 IOPS can never be used at once")),
        ),
        ("E96bds_v5 open controller=NVMe | data ultra 2048 iops=250000 mb=6000", "DW201", None),
        (
            "E96bds_v5 open controller=nvme | data ultra 2048 iops=400000 mb=6000",
            "DW201",
            Some((Certain, PAGE, "390,000 IOPS")),
        ),
        // The controller is no matter where the size has one set of limits.
        (
            "D8s_v5 controller=NVMe | data premium_ssd_v2 512 iops=30000 mb=200",
            "DW201",
            Some((Certain, "dsv5", "20,000 IOPS")),
        ),
        // It has NVMe alone.
        ("E112ibds_v5 open | 2x data ultra 2048 iops=300000 mb=3000", "DW201", Some((Certain, PAGE, "400,000 IOPS"))),
        ("E96bds_v5 | data premium_ssd 128 ReadWrite", "DW301", Some((Certain, PAGE, "ReadWrite on a data disk"))),
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
        assert_eq!(one.says.text.contains("(with "), words.contains("(with "), "{line}: {}", one.says);
    }
}

/// What is taken for granted hides nothing of a figure that became worse.
#[test]
fn what_is_taken_for_granted_is_compared_with_a_baseline_too() {
    let of =
        |iops: u32| judged(vec![machine(&format!("E96bds_v5 open | data ultra 2048 iops={iops} mb=6000"))], Vec::new());
    let mut audit = of(300_000);
    audit.without(&of(250_000));
    let one = audit.findings.iter().find(|finding| finding.code == "DW201").unwrap();
    assert!(one.says.text.ends_with("120,000 IOPS in place of 70,000 IOPS"), "{}", one.says);
}
