//! What ends a finding, as settings.

use dw_audit::proposals;
use dw_catalogue::Catalogue;
use dw_estate::{Change, Estate, Setting, StripeFile};

use crate::line::{TODAY, machine};

fn said(change: &Change) -> String {
    let name = change.disk.map_or("", |disk| &*disk.name);
    match &change.setting {
        Setting::Iops(iops) => format!("{name} iops={iops}"),
        Setting::Mb(mb) => format!("{name} mb={mb}"),
        Setting::Cache(mode) => format!("{name} cache={}", mode.name()),
        Setting::Tier(tier) => format!("{name} tier={tier}"),
        Setting::Kind(kind) => format!("{name} kind={kind}"),
        Setting::BurstsByUse(is) => format!("{name} burst={is}"),
        Setting::SpecialDisks(is) => format!("open={is}"),
        Setting::Size(size) => format!("size={size}"),
        Setting::Released => "released".into(),
        Setting::Deleted => format!("{name} deleted"),
    }
}

/// The settings that end the findings of this code, and what they contradict.
fn check(line: &str, code: &str) -> String {
    let estate = Estate { machines: vec![machine(line)], ..Estate::default() };
    let audit = dw_audit::audit(&estate, Catalogue::embedded(), &StripeFile::default(), Some(TODAY));
    let findings: Vec<_> =
        audit.findings.iter().filter(|finding| code.split('+').any(|one| finding.code == one)).collect();
    assert!(!findings.is_empty(), "{line}: no {code}");
    let all = proposals(&estate, findings);
    let one = |proposal: &dw_audit::Proposal| {
        let changes: Vec<String> = proposal.changes.iter().map(said).collect();
        let contradicts = proposal.contradicts.map_or(String::new(), |code| format!(" against {code}"));
        format!("{}{contradicts}", changes.join(", "))
    };
    all.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[test]
fn findings_are_ended_by_settings() {
    for (line, code, expected) in [
        ("D8s_v5 | data premium_ssd_v2 512 iops=30000 mb=200", "DW201", "data iops=12800"),
        // The last is cut first, each to its least, and all together to what the VM sustains.
        (
            "D8s_v5 | data premium_ssd_v2 512 iops=15000 mb=200 | log premium_ssd_v2 512 iops=15000 mb=200",
            "DW201",
            "log iops=3000, data iops=9800",
        ),
        (
            "D8s_v5 | 3x data premium_ssd_v2 512 iops=12000 mb=200",
            "DW201",
            "data2 iops=3000, data1 iops=3000, data0 iops=6800",
        ),
        ("D8s_v5 | data premium_ssd_v2 512 iops=8000 mb=1500", "DW202", "data mb=290"),
        // The VM sustains 3,750 IOPS, and 1,000 MB/s take 4,000.
        ("D2s_v5 | data premium_ssd_v2 512 iops=20000 mb=1000", "DW201", "data iops=4000"),
        ("D8s_v5 | data premium_ssd 128 ReadWrite", "DW301", "data cache=ReadOnly"),
        ("D8s_v5 | data premium_ssd_v2 128 iops=3000 mb=125 ReadOnly", "DW106", "data cache=None"),
        ("D8s_v5 | os standard_hdd 128", "DW404", "os kind=standard_ssd"),
        ("B2s | data premium_ssd 1024 tier=P50", "DW207", "data tier=P30"),
        ("B2s | data premium_ssd 1024 burst", "DW208", "data burst=false"),
        ("D8s_v5 open", "DW212", "open=false"),
        ("D8s_v5 | data ultra 64 iops=3000 mb=125", "DW107", "open=true"),
        ("D8s_v5 stopped", "DW205", "released"),
        ("D16ds_v6", "DW210", "size=Standard_D16ads_v7"),
        ("D8s_v5 | 5x data premium_ssd 1024", "DW101", "size=Standard_D16s_v5"),
        // One size is not two: the first counts.
        (
            "D16ds_v6 | 4x data premium_ssd 32767",
            "DW101+DW210",
            "size=Standard_D64ds_v6; size=Standard_D16ads_v7 against DW101",
        ),
        ("D8s_v5 running", "DW501", ""),
        ("D8s_v5 windows", "DW502", ""),
    ] {
        assert_eq!(check(line, code), expected, "{line}");
    }
}
