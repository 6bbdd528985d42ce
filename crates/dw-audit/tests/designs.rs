//! Designs of the vendor's own guides have no finding above a note: whoever cries wolf is uninstalled.
//!
//! Source: "SAP HANA Azure virtual machine Premium SSD storage configurations", `MicrosoftDocs/azure-docs:articles/sap/workloads/hana-vm-premium-ssd-v1.md`
//! (commit 0a506643df6e): the recommended configurations for production. A row each: the size, disks of data and of log, then shared, root, `/usr/sap`.

use dw_documents::audit::Level;

use crate::line::{judged, machine};

/// Size, data, log, shared and root by the GiB of their disks: P6 64, P10 128, P15 256, P20 512, P30 1,024, P40 2,048, P50 4,096.
const PREMIUM_LOG: [(&str, u64, u64, u64, u64); 18] = [
    ("M32ts", 64, 128, 256, 64),
    ("M32ls", 64, 128, 256, 64),
    ("M64ls", 128, 128, 512, 64),
    ("M32ms_v2", 256, 256, 1024, 64),
    ("M32dms_v2", 256, 256, 1024, 64),
    ("M64s", 256, 256, 1024, 64),
    ("M64ds_v2", 256, 256, 1024, 64),
    ("M64s_v2", 256, 256, 1024, 64),
    ("M64ms", 512, 256, 1024, 64),
    ("M64ms_v2", 512, 256, 1024, 64),
    ("M128s", 512, 256, 1024, 128),
    ("M128s_v2", 512, 256, 1024, 128),
    ("M128ms", 1024, 256, 1024, 128),
    ("M128ms_v2", 1024, 256, 1024, 128),
    ("M208s_v2", 1024, 256, 1024, 128),
    ("M208ms_v2", 2048, 256, 1024, 128),
    ("M416s_v2", 2048, 256, 1024, 128),
    ("M416ms_v2", 4096, 256, 1024, 128),
];

/// Size, GiB of each of three disks of data, GiB of the ultra disk of the log (250 MB/s, 1,800 IOPS), shared.
const ULTRA_LOG: [(&str, u64, u64, u64); 8] = [
    ("E20ds_v4", 128, 128, 256),
    ("E20ds_v5", 128, 128, 256),
    ("E32ds_v4", 128, 128, 256),
    ("E32ds_v5", 128, 128, 256),
    ("E48ds_v4", 256, 256, 512),
    ("E64s_v3", 256, 256, 512),
    ("E64ds_v5", 256, 256, 512),
    ("E96ds_v5", 256, 256, 512),
];

#[test]
fn designs_of_the_vendors_guide_have_nothing_above_a_note() {
    let premium = PREMIUM_LOG.iter().map(|(size, data, log, shared, root)| {
        format!(
            "{size} region=? zone=? | os premium_ssd {root} ReadWrite | 4x hana-data premium_ssd {data} | 3x hana-log premium_ssd {log} \
             | hana-shared premium_ssd {shared} ReadOnly | usr-sap premium_ssd 64"
        )
    });
    let ultra = ULTRA_LOG.iter().map(|(size, data, log, shared)| {
        format!(
            "{size} region=? zone=? open | os premium_ssd 64 ReadWrite | 3x hana-data premium_ssd {data} | hana-log ultra {log} iops=1800 mb=250 \
             | hana-shared premium_ssd {shared} ReadOnly | usr-sap premium_ssd 64"
        )
    });
    let mut wrong = Vec::new();
    for line in premium.chain(ultra) {
        let audit = judged(vec![machine(&line)], Vec::new());
        let above = audit.findings.iter().filter(|finding| finding.level > Level::Note);
        wrong.extend(above.map(|finding| format!("{} {}: {} ({line})", finding.code, finding.disk, finding.says)));
        assert!(audit.findings.iter().all(|finding| finding.code != "DW116"), "the catalogue lacks the size: {line}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Types for 256 GiB of memory.
///
/// Source: SAP on AWS guide, "SAP HANA EBS Storage Reference", systems of 256 GiB (docs.amazonaws.cn/en_us/sap/latest/sap-hana/
/// hana-storage-config-reference-layout.html, 2026): for each of these types a volume for the operating system, the binaries, data, log and what is
/// shared, data and log as gp3 or io2.
const HANA_256: [&str; 7] =
    ["r8i.8xlarge", "r7i.8xlarge", "r6i.8xlarge", "r5.8xlarge", "r5b.8xlarge", "x2iedn.2xlarge", "r4.8xlarge"];

#[test]
fn designs_of_another_vendors_guide_have_nothing_above_a_note_either() {
    let mut wrong = Vec::new();
    for size in HANA_256 {
        for (data, log) in
            [("gp3 300 iops=7300 mib=500", "gp3 100 iops=3000 mib=300"), ("io2 300 iops=7300", "io2 100 iops=3000")]
        {
            let line = format!(
                "{size} running | os gp3 50 iops=3000 mib=125 | usr-sap gp3 50 iops=3000 mib=125 | hana-data {data} | hana-log {log} \
                 | hana-shared gp3 256 iops=3000 mib=125"
            );
            let audit = judged(vec![machine(&line)], Vec::new());
            let above = audit.findings.iter().filter(|finding| finding.level > Level::Note);
            wrong.extend(above.map(|finding| format!("{} {}: {} ({line})", finding.code, finding.disk, finding.says)));
            assert!(audit.findings.iter().all(|finding| finding.code != "DW116"), "nothing is known of {size}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
