//! Each rule on both sides of its threshold, and at it.

use std::collections::BTreeMap;

use dw_audit::{Need, rules};
use dw_catalogue::Catalogue;
use dw_documents::audit::{Level, Setting};
use dw_estate::{Estate, StripeFile};

use crate::line::{TODAY, found, judged, machine};

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
    ("DW103", "DS1_v2 | os standard_hdd 32", "note", "D2s_v5 | os standard_hdd 32"),
    // A P80 sustains the 20,000 IOPS to which a D4s_v5 bursts.
    ("DW103", "D2s_v5 | data premium_ssd 32767", "warning", "D4s_v5 | data premium_ssd 32767"),
    ("DW104", "D2s_v5 | 5x data premium_ssd 4", "error", "D2s_v5 | 4x data premium_ssd 4"),
    ("DW105", "D8_v5 | data premium_ssd 128", "error", "D8_v5 | data standard_ssd 128"),
    ("DW105", "D8_v5 | os premium_ssd 128", "error", "D8s_v5 | data premium_ssd 128"),
    ("DW106", "D8s_v5 | data premium_ssd 4096 ReadOnly", "error", "D8s_v5 | data premium_ssd 4095 ReadOnly"),
    ("DW106", "D8s_v5 | data premium_ssd_v2 64 iops=3000 mb=125 ReadOnly", "error", "D8s_v5 | data premium_ssd 8192"),
    ("DW107", "D8s_v5 | data ultra 64 iops=5000 mb=200", "error", "D8s_v5 open | data ultra 64 iops=5000 mb=200"),
    ("DW107", "D8s_v5 | data ultra 64 iops=5000 mb=200", "error", "D8s_v5 | data premium_ssd_v2 64 iops=3000 mb=125"),
    (
        "DW108",
        "D8s_v5 | data0 premium_ssd 512 tier=P30 | data1 premium_ssd 512",
        "note",
        "D8s_v5 | vm_DataDisk_0 premium_ssd 512 | vm_DataDisk_1 premium_ssd 1024",
    ),
    // Sizes that differ, of equal rates too.
    (
        "DW108",
        "D8s_v5 | data-0 premium_ssd 1024 | data-1 premium_ssd 1024 | data-2 premium_ssd 512",
        "note",
        "D8s_v5 | data-0 premium_ssd 1024 | data-1 premium_ssd 512 ReadOnly",
    ),
    (
        "DW108",
        "D8s_v5 | d-pg0 premium_ssd_v2 512 iops=3000 mb=125 | d-pg1 premium_ssd_v2 600 iops=3000 mb=125",
        "note",
        "D8s_v5 | d-pg0 premium_ssd_v2 512 iops=3000 mb=125 | d-wal1 premium_ssd_v2 600 iops=3000 mb=125",
    ),
    (
        "DW108",
        "D8s_v5 | data0 premium_ssd_v2 64 iops=3000 mb=125 | data1 premium_ssd_v2 64 iops=4000 mb=125",
        "note",
        "D8s_v5 | data0 premium_ssd 512 tier=P30 lun=0 | data1 premium_ssd 512 lun=2",
    ),
    (
        "DW108",
        "D8s_v5 | data0 premium_ssd 512 tier=P30 | data1 premium_ssd 512",
        "note",
        "D8s_v5 | data premium_ssd 512 tier=P30 | logs premium_ssd 512",
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
    (
        "DW110",
        "D8s_v5 zone= open | data ultra 64 iops=3000 mb=125",
        "error",
        "D8s_v5 zone= region=germanywestcentral | data premium_ssd_v2 64 iops=3000 mb=125",
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
    ("DW117", "D4s_v3 | data premium_ssd 128", "note", "D4s_v3 | os premium_ssd 128"),
    // 12,800 IOPS are sustained, and 290 MB/s.
    (
        "DW117",
        "D8s_v5 | data premium_ssd_v2 512 iops=12801 mb=290",
        "note",
        "D8s_v5 | data premium_ssd_v2 512 iops=12800 mb=290",
    ),
    ("DW118", "D8s_v5 | data premium_ssd 64 region=westus", "error", "D8s_v5 | data premium_ssd 64 region=eastus"),
    (
        "DW118",
        "D8s_v5 | data premium_ssd 64 region=westus",
        "error",
        "D8s_v5 region=? | data premium_ssd 64 region=westus",
    ),
    ("DW119", "D8s_v5 | data Premium_GRS 64", "note", "D8s_v5 | data ? 64"),
    ("DW122", "D8s_v5 | log premium_ssd 512 wa", "error", "M64s | log premium_ssd 512 wa"),
    ("DW122", "M64s | log premium_ssd 512 ReadWrite wa", "error", "M64s | log premium_ssd 512 ReadOnly wa"),
    ("DW122", "M64s | log standard_ssd 512 wa", "error", "M64s | log standard_ssd 512"),
    // A size of the series that the page does not list.
    ("DW122", "E96s_v5 | log premium_ssd 512 wa", "error", "M16bs_v3 | 3x log premium_ssd 512 wa"),
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
    ("DW206", "M64s | data premium_ssd 1024", "note", "M64s | data premium_ssd 1024 wa"),
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
    ("DW406", "B1s", "note", "D8s_v5"),
    ("DW501", "E96s_v5 running", "note", "E96s_v5 released"),
    ("DW502", "D8s_v5 windows", "note", "D8s_v5 windows licence=Windows_Server"),
    ("DW502", "D8s_v5 windows", "note", "D8s_v5"),
    ("DW503", "D8s_v5 region=atlantis", "note", "D8s_v5"),
    ("DW504", "D8s_v3", "note", "D8s_v5"),
    // EC2: an m5.large sustains 3,600 IOPS and 81.25 MB/s, and passes 18,750 and 593.75 for 30 minutes a day.
    ("DW101", "m5.large | 2x data gp2 3200", "warning", "m5.large | 2x data gp2 3125"),
    ("DW101", "m5.large | data gp2 3334 | x gp2 2917", "note", "m5.large | data gp2 3334 | x gp2 2916"),
    ("DW102", "m5.large | 3x data gp2 400", "warning", "m5.large | 2x data gp2 400"),
    // What only comes with bought IOPS is nobody's throughput.
    ("DW103", "t3.micro | data gp2 5000", "warning", "t3.micro | data io2 100 iops=10000"),
    // The operating system's volume takes one of 27 places.
    (
        "DW104",
        "m5.large | os gp3 8 iops=3000 mib=125 | 27x data gp3 8 iops=3000 mib=125",
        "error",
        "m5.large | os gp3 8 iops=3000 mib=125 | 26x data gp3 8 iops=3000 mib=125",
    ),
    // Each network interface takes one, too, where they share the places.
    (
        "DW104",
        "m5.large nics=3 | os gp3 8 iops=3000 mib=125 | 25x data gp3 8 iops=3000 mib=125",
        "error",
        "m5.large nics=3 | os gp3 8 iops=3000 mib=125 | 24x data gp3 8 iops=3000 mib=125",
    ),
    // Azure's take none.
    ("DW104", "D2s_v5 nics=2 | 5x data premium_ssd 4", "error", "D2s_v5 nics=2 | 4x data premium_ssd 4"),
    ("DW105", "m4.large | data io1 1000 iops=32001", "error", "m4.large | data io1 1000 iops=32000"),
    ("DW105", "m4.large | data io1 1000 iops=32001", "error", "m5.large | data io1 1000 iops=32001"),
    ("DW109", "m5.large | data gp3 10 iops=5001 mib=125", "error", "m5.large | data gp3 10 iops=5000 mib=125"),
    ("DW109", "m5.large | data gp3 100 iops=3000 mib=751", "error", "m5.large | data gp3 100 iops=3000 mib=750"),
    ("DW109", "m5.large | data st1 124", "error", "m5.large | data st1 125"),
    // A disk on no machine is checked, too: a template attaches it later.
    ("DW109", "- | data st1 100 ebs", "error", "- | data st1 125 ebs"),
    ("DW109", "- | data gp3 10 iops=16000 mib=125 ebs", "error", "- | data gp3 10 iops=5000 mib=125 ebs"),
    ("DW109", "- | data gp3 100 iops=3000 mib=1000 ebs", "error", "- | data gp3 100 iops=4000 mib=1000 ebs"),
    ("DW111", "m8a.large region=af-south-1", "warning", "m8a.large"),
    // It is there, whatever the records have.
    ("DW111", "m8a.large region=af-south-1 running", "note", "m8a.large running"),
    ("DW111", "D8s_v5 zone=4 running", "note", "D8s_v5 zone=3 running"),
    ("DW113", "m5.large | sql-data gp2 999", "note", "m5.large | sql-data gp2 1000"),
    ("DW113", "m5.large | pgdata2 gp2 999", "note", "m5.large | catalog gp2 999"),
    ("DW113", "m5.large | db1-sqllog gp2 999", "note", "m5.large | datadisk gp2 999"),
    ("DW113", "m5.large | log st1 500", "note", "m5.large | log gp3 500 iops=3000 mib=125"),
    ("DW115", "m5.large | os st1 500", "error", "m5.large | os gp3 500 iops=3000 mib=125"),
    ("DW116", "m5.gigantic", "note", "m5.large"),
    ("DW117", "m5.large | data gp3 100 iops=3000 mib=125", "note", "m5.2xlarge | data gp3 100 iops=3000 mib=125"),
    ("DW118", "m5.large | data gp2 8 region=us-east-2", "error", "m5.large | data gp2 8 region=us-east-1"),
    ("DW119", "m5.large | data gp9 8", "note", "m5.large | data gp2 8"),
    ("DW120", "m5.large | data st1 2047", "note", "m5.large | data st1 2048"),
    ("DW120", "m5.large | data sc1 3199", "note", "m5.large | data sc1 3200"),
    (
        "DW121",
        "m5.large | sql-data gp3 100 iops=3000 mib=125",
        "note",
        "m5.2xlarge | sql-data gp3 100 iops=3000 mib=125",
    ),
    ("DW121", "m5.large | sql-data gp3 100 iops=3000 mib=125", "note", "m5.large | files gp3 100 iops=3000 mib=125"),
    ("DW201", "m5.large | data gp3 1000 iops=18751 mib=125", "warning", "m5.large | data gp3 1000 iops=18750 mib=125"),
    ("DW201", "m5.large | data io2 1000 iops=18751", "warning", "m5.large | data io2 1000 iops=18750"),
    // Another instance may use what this one does not pass.
    ("DW103", "t3.micro | data gp2 5000", "warning", "t3.micro | data gp2 5000 shares=2"),
    ("DW201", "m5.large | data io2 1000 iops=18751", "warning", "m5.large | data io2 1000 iops=18751 shares=16"),
    ("DW207", "B2s | data premium_ssd 1024 tier=P40", "warning", "B2s | data premium_ssd 1024 tier=P40 shares=2"),
    // What comes with each volume is not paid: 3,000 IOPS, 125 MiB/s.
    ("DW201", "m5.large | 2x data gp3 64 iops=9376 mib=125", "warning", "m5.large | 8x data gp3 64 iops=3000 mib=125"),
    ("DW202", "m5.large | data gp3 1000 iops=3000 mib=567", "warning", "m5.large | data gp3 1000 iops=3000 mib=566"),
    ("DW203", "- | data gp2 100 loose region=us-east-1 ebs", "warning", "- | data gp2 100 region=us-east-1 ebs"),
    ("DW204", "m5.large released | data gp2 100", "note", "m5.large running | data gp2 100"),
    // 250 MiB/s, of which 125 are paid: from 334 GiB on that is a twentieth less.
    ("DW206", "m5.large | data gp2 334", "note", "m5.large | data gp2 333"),
    ("DW206", "m5.large | os gp2 100", "note", "m5.large | os gp3 100 iops=3000 mib=128"),
    ("DW210", "m5.large", "note", "u-6tb1.56xlarge"),
    ("DW213", "m5.large | data gp3 1000 iops=3601 mib=125", "note", "m5.large | data gp3 1000 iops=3600 mib=125"),
    ("DW213", "m5.large | data gp3 1000 iops=3000 mib=566", "note", "m5.large | data gp3 1000 iops=3000 mib=567"),
    ("DW213", "m5.large | data gp3 1000 iops=3601 mib=125", "note", "m6i.8xlarge | data gp3 1000 iops=40000 mib=125"),
    ("DW214", "m5.2xlarge | data io2 100 iops=3000", "note", "m5.2xlarge | data gp2 1000"),
    ("DW214", "m5.2xlarge | data io1 100 iops=3000", "note", "m5.2xlarge | data gp3 100 iops=3000 mib=125"),
    ("DW304", "m5.large | data gp2 8 zone=us-east-1b", "error", "m5.large | data gp2 8 zone=us-east-1a"),
    ("DW308", "m5.large spot | data gp2 8", "note", "m5.large spot | os gp2 8"),
    ("DW309", "m5.large | data gp2 8 dies", "note", "m5.large | os gp2 8 dies"),
    ("DW407", "m4.large", "note", "m7i.large"),
    ("DW501", "m5.large running region=eu-central-1", "note", "m5.large released region=eu-central-1"),
    ("DW503", "m5.large region=atlantis", "note", "m5.large"),
    // A Spot instance has no listed price, and no price of Windows is shipped. A stopped one is not paid for.
    ("DW503", "m5.large spot", "note", "m5.large"),
    ("DW503", "m5.large windows", "note", "m5.large windows released"),
    ("DW503", "D8s_v5 spot", "note", "D8s_v5 windows"),
    ("DW503", "D8s_v5 image=RHEL", "note", "D8s_v5 image="),
    ("DW503", "D8s_v5 windows image=SQL", "note", "D8s_v5 windows"),
    ("DW503", "m5.large image=RHEL", "note", "m5.large image=RHEL released"),
    // Of a dearer machine the same: what two sizes differ by is known where licences are paid by the processor.
    ("DW210", "D16ds_v6 image=RHEL", "note", "m5.large image=RHEL"),
    // Local zones have prices of their own.
    ("DW503", "m5.large region=us-west-2-lax-1", "note", "m5.large region=us-west-2"),
    ("DW210", "m5.large", "note", "m5.large spot"),
    ("DW210", "m5.large", "note", "m5.large windows"),
    ("DW210", "m5.large", "note", "m5.large released"),
    ("DW501", "m5.large running region=eu-central-1", "note", "m5.large running windows region=eu-central-1"),
];

/// The code, the first that it finds, and the last that it does not: the two differ by the least that a source can tell.
const EDGES: &[(&str, &str, &str)] = &[
    ("DW101", "D8s_v5 | 4x data premium_ssd 1024 | x premium_ssd 4", "D8s_v5 | 4x data premium_ssd 1024"),
    ("DW102", "D8s_v5 | 6x data premium_ssd 1024 | x premium_ssd 4", "D8s_v5 | 6x data premium_ssd 1024"),
    ("DW103", "D2s_v5 | data premium_ssd 32767", "D4s_v5 | data premium_ssd 32767"),
    ("DW104", "D4s_v5 | 9x data premium_ssd 4", "D4s_v5 | 8x data premium_ssd 4"),
    ("DW105", "D8_v5 | data premium_ssd 4", "D8_v5 | data standard_ssd 4"),
    ("DW106", "D8s_v5 | data premium_ssd 4096 ReadOnly", "D8s_v5 | data premium_ssd 4095 ReadOnly"),
    ("DW107", "D8s_v5 | data ultra 4 iops=1200 mb=100", "D8s_v5 open | data ultra 4 iops=1200 mb=100"),
    (
        "DW108",
        "D8s_v5 | d0 premium_ssd_v2 64 iops=3000 mb=125 | d1 premium_ssd_v2 64 iops=3001 mb=125",
        "D8s_v5 | d0 premium_ssd_v2 64 iops=3000 mb=125 | d1 premium_ssd_v2 64 iops=3000 mb=125",
    ),
    (
        "DW109",
        "D64s_v5 | data premium_ssd_v2 100 iops=50001 mb=500",
        "D64s_v5 | data premium_ssd_v2 100 iops=50000 mb=500",
    ),
    (
        "DW110",
        "D8s_v5 zone= | data premium_ssd_v2 64 iops=3000 mb=125",
        "D8s_v5 zone=1 | data premium_ssd_v2 64 iops=3000 mb=125",
    ),
    ("DW111", "D8s_v5 zone=4", "D8s_v5 zone=3"),
    ("DW112", "D8ds_v5 node | os premium_ssd 300", "D8ds_v5 node | os premium_ssd 301"),
    ("DW113", "D8s_v5 | sql-data premium_ssd 512", "D8s_v5 | sql-data premium_ssd 513"),
    ("DW114", "L8s_v3 | data premium_ssd 64 ReadOnly", "L8s_v3 | os premium_ssd 64 ReadOnly"),
    ("DW115", "D8s_v5 | os premium_ssd 4096", "D8s_v5 | os premium_ssd 4095"),
    ("DW116", "D9s_v5", "D8s_v5"),
    (
        "DW117",
        "D8s_v5 | data premium_ssd_v2 512 iops=12801 mb=290",
        "D8s_v5 | data premium_ssd_v2 512 iops=12800 mb=290",
    ),
    ("DW118", "D8s_v5 | data premium_ssd 64 region=eastus2", "D8s_v5 | data premium_ssd 64 region=eastus"),
    ("DW119", "D8s_v5 | data premium_ssd_v3 64", "D8s_v5 | data premium_ssd_v2 64"),
    // An M8ms accelerates one, an M64s eight.
    ("DW122", "M8ms | 2x log premium_ssd 64 wa", "M8ms | log premium_ssd 64 wa"),
    (
        "DW201",
        "D8s_v5 | data premium_ssd_v2 512 iops=20001 mb=200",
        "D8s_v5 | data premium_ssd_v2 512 iops=20000 mb=200",
    ),
    (
        "DW202",
        "D8s_v5 | data premium_ssd_v2 512 iops=5000 mb=1200 | x premium_ssd_v2 4 iops=3000 mb=125",
        "D8s_v5 | data premium_ssd_v2 512 iops=5000 mb=1075 | x premium_ssd_v2 4 iops=3000 mb=125",
    ),
    ("DW203", "- | data premium_ssd 4 loose region=eastus", "- | data premium_ssd 4 region=eastus"),
    ("DW204", "D8s_v5 released | data premium_ssd 4", "D8s_v5 stopped | data premium_ssd 4"),
    // Another machine may be using it.
    ("DW204", "D8s_v5 released | data premium_ssd 4", "D8s_v5 released | data premium_ssd 256 shares=2"),
    ("DW205", "D8s_v5 stopped", "D8s_v5 running"),
    // The other kind is sold there in zones alone.
    ("DW206", "D8s_v5 zone=1 | data premium_ssd 1024", "D8s_v5 zone= | data premium_ssd 1024"),
    ("DW207", "B2s | data premium_ssd 1024 tier=P40", "B2s | data premium_ssd 1024 tier=P30"),
    ("DW208", "B2s | data premium_ssd 1024 burst", "B2s | data premium_ssd 1024"),
    ("DW210", "D16ds_v6", "D16ads_v6"),
    ("DW211", "D8s_v5 | data premium_ssd 1075", "D8s_v5 | data premium_ssd 1076"),
    ("DW212", "D8s_v5 open | data premium_ssd 4", "D8s_v5 open | data ultra 4 iops=1200 mb=100"),
    ("DW301", "D8s_v5 | data premium_ssd 4 ReadWrite", "D8s_v5 | data premium_ssd 4 ReadOnly"),
    ("DW302", "D8s_v5 | sql-log premium_ssd 4 ReadOnly", "D8s_v5 | sql-logo premium_ssd 4 ReadOnly"),
    ("DW303", "D8ds_v5 | os premium_ssd 64 local", "D8ds_v5 | os premium_ssd 64"),
    ("DW304", "D8s_v5 | data premium_ssd 4 zone=2", "D8s_v5 | data premium_ssd 4 zone=1"),
    ("DW305", "D8s_v5 plain", "D8s_v5"),
    ("DW306", "D8s_v5 | data premium_ssd 256 shares=2 ReadOnly", "D8s_v5 | data premium_ssd 256 shares=1 ReadOnly"),
    ("DW307", "D8s_v5 | data standard_ssd 4", "D8s_v5 | data premium_ssd 4"),
    ("DW308", "D8s_v5 spot | data premium_ssd 4", "D8s_v5 spot | os premium_ssd 4"),
    ("DW309", "D8s_v5 | data premium_ssd 4 dies", "D8s_v5 | os premium_ssd 4 dies"),
    ("DW401", "D8s_v3", "D8s_v4"),
    ("DW402", "D8s_v3", "D8s_v5"),
    ("DW403", "M16bs_v4", "M16bs_v3"),
    ("DW404", "D8s_v5 | os standard_hdd 32", "D8s_v5 | os standard_ssd 32"),
    ("DW405", "F8s_v2", "D8s_v5"),
    // Both retire; of the second a size that stays is taken in place.
    ("DW406", "B1s", "M192is_v2"),
    ("DW501", "E96s_v5 running", "E96s_v5 running spot"),
    ("DW502", "D8s_v5 windows", "D8s_v5 windows licence=Windows_Server"),
    ("DW503", "D8s_v5 region=atlantis", "D8s_v5 region=eastus"),
    ("DW504", "D8s_v3", "D8s_v5"),
    // A t3.micro passes 11,800 IOPS at most: 12,390 are a twentieth more.
    ("DW103", "t3.micro | data gp2 4131", "t3.micro | data gp2 4130"),
    ("DW120", "m5.large | data st1 2047", "m5.large | data st1 2048"),
    ("DW121", "m5.large | sql-data gp2 107", "m5.large | sql-data gp2 103"),
    ("DW213", "m5.large | data gp3 8 iops=3601 mib=125", "m5.large | data gp3 8 iops=3600 mib=125"),
    // gp3 has 500 IOPS a GiB, io2 1,000.
    ("DW214", "m6i.8xlarge | data io2 100 iops=50000", "m6i.8xlarge | data io2 100 iops=50001"),
    // gp3 has no Multi-Attach.
    ("DW214", "m5.2xlarge | data io2 100 iops=3000", "m5.2xlarge | data io2 100 iops=3000 shares=2"),
    ("DW407", "m6i.large", "m6a.large"),
];

#[test]
fn each_rule_ends_where_its_threshold_is() {
    let is_found = |line: &str, code: &str| found(line).iter().any(|one| one.starts_with(code));
    let mut wrong = Vec::new();
    for (code, first, last) in EDGES {
        if !is_found(first, code) {
            wrong.push(format!("{code} is not found of `{first}`: {:?}", found(first)));
        }
        if is_found(last, code) {
            wrong.push(format!("{code} is found of `{last}`"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A year before the date it is a note, a day later a warning; once it is over, the sentence is of the past.
#[test]
fn a_size_that_retires_within_a_year_is_a_warning() {
    let date = Catalogue::embedded().retires("Standard_D8s_v3").unwrap();
    let (year, day) = date.split_at(4);
    let year: u32 = year.parse().unwrap();
    for (today, level, word) in [
        (format!("{}{day}", year - 2), Level::Note, "retires on"),
        (format!("{}{day}", year - 1), Level::Note, "retires on"),
        (format!("{}-12-31", year - 1), Level::Warning, "retires on"),
        (format!("{year}{day}"), Level::Warning, "retires on"),
        (format!("{}{day}", year + 1), Level::Warning, "retired on"),
    ] {
        let estate = Estate { machines: vec![machine("D8s_v3")], ..Estate::default() };
        let audit = dw_audit::audit(&estate, Catalogue::embedded(), &StripeFile::default(), Some(&today));
        let one = audit.findings.iter().find(|finding| finding.code == "DW401").unwrap();
        assert!(one.level == level && one.says.text.contains(word), "{today}, {date}: {}", one.says);
    }
}

/// Of those that a person writes as one stripe sizes may not differ either.
#[test]
fn a_written_stripe_has_equal_members() {
    let file = "[[stripe]]\nmachine = 'm'\nvolume = 'data'\ndisks = ['a', 'b']\n";
    for (line, is_found) in [
        ("D8s_v5 | a premium_ssd 512 | b premium_ssd 1024", true),
        ("D8s_v5 | a premium_ssd 512 | b premium_ssd 512", false),
    ] {
        let estate = Estate { machines: vec![machine(line)], ..Estate::default() };
        let stripes = StripeFile::read("stripes.toml", file).unwrap();
        let audit = dw_audit::audit(&estate, Catalogue::embedded(), &stripes, Some(TODAY));
        assert_eq!(audit.findings.iter().any(|finding| finding.code == "DW108"), is_found, "{line}");
    }
}

/// Of a stripe the part of larger members that it cannot use is told once, of all of them.
#[test]
fn what_unequal_members_waste_is_told() {
    let line = "D16s_v5 | data-0 premium_ssd 1024 | data-1 premium_ssd 1024 | data-2 premium_ssd 1024 | data-3 premium_ssd 512";
    let audit = judged(vec![machine(line)], Vec::new());
    let says: Vec<String> =
        audit.findings.iter().filter(|one| one.code == "DW108").map(|one| one.says.to_string()).collect();
    let [says] = &says[..] else { panic!("{says:?}") };
    let has = |part: &str| says.contains(part);
    assert!(
        has("data-0, data-1, data-2, data-3") && has("512 GiB of each") && has("1,536 GiB") && has("2,300 IOPS"),
        "{says}"
    );
}

/// What is bought is cut to what the gate sustains, not to what it bursts to, and the sentence has both.
#[test]
fn what_to_buy_is_what_the_gate_sustains() {
    let audit = judged(vec![machine("D8s_v5 | data premium_ssd_v2 512 iops=30000 mb=200")], Vec::new());
    let one = audit.findings.iter().find(|finding| finding.code == "DW201").unwrap();
    let says = one.says.to_string();
    assert!(
        ["30,000 IOPS", "12,800 IOPS", "20,000 IOPS", "10,000 IOPS"].iter().all(|part| says.contains(part)),
        "{says}"
    );
    let remedy = one.remedy.as_ref().unwrap();
    assert!(remedy.what.to_string().contains("12,800 IOPS"), "{remedy:?}");
    assert_eq!(remedy.changes.iter().map(|change| &change.set).collect::<Vec<_>>(), [&Setting::Iops(12_800)]);
}

/// Of several volumes none is starved: what goes is spread over all, in proportion.
#[test]
fn what_is_too_much_is_taken_from_each_by_its_share() {
    let line = "r5.2xlarge | redo io1 200 iops=6000 | data gp3 1000 iops=16000 mib=125";
    let audit = judged(vec![machine(line)], Vec::new());
    let one = audit.findings.iter().find(|finding| finding.code == "DW201").unwrap();
    let remedy = one.remedy.as_ref().unwrap();
    assert!(remedy.what.to_string().contains("12,000 IOPS"), "{remedy:?}");
    let set: Vec<(&str, &Setting)> = remedy.changes.iter().map(|change| (&*change.disk, &change.set)).collect();
    assert_eq!(set, [("redo", &Setting::Iops(3_272)), ("data", &Setting::Iops(8_728))]);
}

/// What is counted of a machine is what is paid for it.
#[test]
fn a_machine_is_counted_as_it_is_paid() {
    let cost = |line: &str| {
        let cost = judged(vec![machine(line)], Vec::new()).document(Vec::new(), Vec::new()).cost;
        (cost.monthly, cost.unpriced)
    };
    for size in ["m5.large", "D8s_v5"] {
        let (whole, unpriced) = cost(size);
        assert!(whole > 0.0 && unpriced == 0, "{size}");
        assert_eq!(cost(&format!("{size} stopped")), (whole, 0), "{size}");
        assert_eq!(cost(&format!("{size} released")), (0.0, 0), "{size}");
        assert_eq!(cost(&format!("{size} spot")), (0.0, 1), "{size}");
        assert_eq!(cost(&format!("{size} windows licence=own")), (whole, 0), "{size}");
    }
    assert_eq!(cost("m5.large windows"), (0.0, 1));
    assert!(cost("D8s_v5 windows").0 > cost("D8s_v5").0);
}

/// Whoever must leave a size is told of one that is current, what it costs more or less, and what is lost; where there is none, of no made-up one.
#[test]
fn a_size_that_ends_is_followed_by_a_current_one_of_its_class() {
    for (line, code, begins, has) in [
        // A GPU is no other GPU: neither NV6s_v2, which is as old, nor a size without one.
        ("NC6s_v3", "DW401", "no current size of its class", &["migration guide"][..]),
        ("D8s_v3", "DW401", "resize to D8", &["a month", "what is on its local disks is lost"]),
        // Without a region no price is known.
        ("D8s_v3 region=?", "DW401", "resize to D8", &["what it costs more or less is not known"]),
        // Not one whose processors are cut, which costs as the whole: one with twice as many passes as much.
        ("DS3_v2", "DW401", "resize to D8", &["a month more"]),
        // With licences by the processor that nobody has a price of it is not known.
        ("DS3_v2 image=RHEL", "DW401", "resize to D8", &["what it costs more or less is not known"]),
        ("m4.large", "DW407", "resize to ", &["a month"]),
    ] {
        let audit = judged(vec![machine(line)], Vec::new());
        let one = audit.findings.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{line}"));
        let remedy = one.remedy.as_ref().unwrap();
        let what = remedy.what.to_string();
        assert!(what.starts_with(begins) && has.iter().all(|part| what.contains(part)), "{line}: {what}");
        for change in &remedy.changes {
            let Setting::Size(size) = &change.set else { panic!("{line}: {change:?}") };
            let catalogue = Catalogue::embedded();
            assert!(catalogue.retires(size).is_none() && catalogue.stages(size).next().is_none(), "{line}: {size}");
            assert!(!size.contains("_v2") && !size.contains('-'), "{line}: {size}");
        }
    }
}

/// The same of all sizes that retire.
#[test]
fn whatever_takes_the_place_of_a_size_says_what_it_holds_less() {
    let catalogue = Catalogue::embedded();
    let ending = catalogue.vm_sizes_as_of(None).into_iter().filter(|size| catalogue.retires(&size.name).is_some());
    let mut followed = 0;
    for own in ending.filter(|size| size.name.starts_with("Standard_")) {
        let audit = judged(vec![machine(own.short_name())], Vec::new());
        let one = audit.findings.iter().find(|finding| finding.code == "DW401").unwrap_or_else(|| panic!("{own:?}"));
        let remedy = one.remedy.as_ref().unwrap();
        let what = remedy.what.to_string();
        let Some(Setting::Size(size)) = remedy.changes.first().map(|change| &change.set) else {
            assert!(what.contains("migration guide"), "{}: {what}", own.name);
            continue;
        };
        followed += 1;
        let other = catalogue.vm(size, None).unwrap();
        let loses = own.local_capacity().is_some();
        let (local, cache) = (other.local_capacity(), other.host_cache_capacity());
        assert_eq!(what.contains("what is on its local disks is lost"), loses, "{}: {what}", own.name);
        assert_eq!(what.contains("and the new ones hold"), local < own.local_capacity(), "{}: {what}", own.name);
        let has_less = cache.is_some_and(|cache| Some(cache) < own.host_cache_capacity());
        assert_eq!(what.contains("its host cache holds"), has_less, "{}: {what}", own.name);
        assert!(other.class() == own.class() && catalogue.retires(size).is_none(), "{}: {what}", own.name);
        assert!(catalogue.stages(size).next().is_none() && other.passes(own), "{}: {what}", own.name);
    }
    assert!(followed > 20, "{followed}");
}

/// A machine that has a GPU is not made cheaper by taking it away.
#[test]
fn no_size_of_another_class_is_advised() {
    for line in ["NC4as_T4_v3", "NV12s_v3", "L8s_v3", "M64s"] {
        let audit = judged(vec![machine(line)], Vec::new());
        let of_size = audit.findings.iter().filter_map(|finding| finding.remedy.as_ref()).flat_map(|one| &one.changes);
        for change in of_size {
            let Setting::Size(size) = &change.set else { continue };
            let begins = line.chars().take_while(char::is_ascii_alphabetic).count();
            assert!(size.starts_with(&format!("Standard_{}", &line[..begins])), "{line}: {size}");
        }
    }
}

/// What ends a gate that is too narrow is the cheapest that does, with its price.
#[test]
fn the_cheapest_change_that_is_wide_enough_is_advised() {
    for (line, code, remedy, saves) in [
        // As many processors with more for disks cost less than twice the processors.
        ("D8s_v5 | 4x data premium_ssd 1024 | x premium_ssd 32", "DW101", "resize to E8bs_v5, for ", false),
        ("D2s_v5 | data premium_ssd 8192", "DW103", "resize to ", false),
        // A B2s passes 4,000 IOPS, a P30 gives 5,000.
        ("B2s | data premium_ssd 64 tier=P50", "DW103", "set the tier back to P30", true),
    ] {
        let audit = judged(vec![machine(line)], Vec::new());
        let one = audit.findings.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{line}"));
        let what = one.remedy.as_ref().unwrap().what.to_string();
        assert!(what.starts_with(remedy) && (saves || what.contains(" USD a month more")), "{line}: {what}");
        assert_eq!(one.saves() > 0.0, saves, "{line}");
    }
}

/// What an image is sold with is neither counted as nothing nor silently left out.
#[test]
fn a_licence_of_the_image_is_no_plain_linux() {
    let audit = judged(vec![machine("D16ds_v6 image=RHEL")], Vec::new());
    let says = |code: &str| audit.findings.iter().find(|finding| finding.code == code).unwrap().says.to_string();
    assert!(says("DW503").contains("RHEL") && says("DW503").contains("D16ds_v6"), "{}", says("DW503"));
    assert!(says("DW210").ends_with("both without RHEL, which its image adds to either"), "{}", says("DW210"));
    let cost = audit.document(Vec::new(), Vec::new()).cost;
    assert_eq!((cost.monthly, cost.unpriced), (0.0, 1));
}

/// Nobody bought what comes with a kind, and nobody can buy less of it: a note, and no larger machine.
#[test]
fn what_comes_with_a_kind_is_no_fault() {
    for (line, code, says) in [
        ("m5.xlarge | 26x data gp3 10 iops=3000 mib=125", "DW101", "78,000 IOPS"),
        ("m5.xlarge | 26x data gp3 10 iops=3000 mib=125", "DW102", "3,407.9 MB/s"),
        // 500 MiB/s of it are bought, which it passes.
        ("m5.xlarge | os gp3 8 iops=3000 mib=125 | data gp3 100 iops=3000 mib=500", "DW102", "655.4 MB/s"),
        ("m4.xlarge | data gp3 8 iops=3000 mib=125", "DW103", "131.1 MB/s"),
        ("m5.large | data gp3 8 iops=3000 mib=125", "DW117", "131.1 MB/s"),
    ] {
        let audit = judged(vec![machine(line)], Vec::new());
        let one =
            audit.findings.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{code}: {line}"));
        let text = one.says.to_string();
        assert_eq!((one.level, &one.remedy, one.monthly), (Level::Note, &None, None), "{line}: {text}");
        assert!(text.contains(says) && !text.contains("bought"), "{line}: {text}");
    }
}

/// What cannot be built so has a way out.
#[test]
fn errors_have_remedies() {
    for (code, line, remedy) in [
        ("DW105", "D8_v5 | data premium_ssd 128", "resize to D8s_v5"),
        ("DW110", "D8s_v5 zone=1 region=westus | data premium_ssd_v2 64 iops=3000 mb=125", "in no zone"),
        ("DW110", "D8s_v5 zone= | data premium_ssd_v2 64 iops=3000 mb=125", "in a zone"),
        ("DW304", "D8s_v5 zone=1 | data premium_ssd 128 zone=2", "make the disk anew in zone 1"),
        ("DW304", "D8s_v5 zone= | data premium_ssd 128 zone=2", "make the machine anew in zone 2"),
    ] {
        let audit = judged(vec![machine(line)], Vec::new());
        let one = audit.findings.iter().find(|finding| finding.code == code).unwrap_or_else(|| panic!("{line}"));
        let what = one.remedy.as_ref().map(|remedy| remedy.what.to_string()).unwrap_or_default();
        assert!(what.contains(remedy), "{code}: {what}");
    }
}

/// Rates that are chosen and not told are not the ones that come for nothing: neither judged nor priced.
#[test]
fn rates_that_no_source_tells_are_not_judged() {
    let audit = judged(vec![machine("D8s_v5 | data premium_ssd_v2 512")], Vec::new());
    let document = audit.document(Vec::new(), Vec::new());
    assert_eq!(document.cost.unpriced, 1);
    let one = document.not_judged.iter().find(|one| one.lacks.starts_with("IOPS and MB/s")).unwrap();
    assert_eq!(one.rules, ["DW101", "DW102", "DW117", "DW121", "DW201", "DW202", "DW213"]);
}

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
        let audit = judged(vec![machine(line)], Vec::new());
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
    let edges: std::collections::BTreeSet<&str> = EDGES.iter().map(|edge| edge.0).collect();
    assert!(cases.keys().copied().eq(edges), "each has an edge");
    // What only a recording shows has its cases there.
    let recorded: Vec<&str> =
        rules().filter(|rule| rule.needs.contains(&Need::Recording)).map(|rule| rule.code).collect();
    assert_eq!(recorded, ["DW221", "DW222", "DW223", "DW224"]);
    let of_inventories = codes.into_iter().filter(|code| !recorded.contains(code));
    assert!(of_inventories.eq(cases.into_keys()), "each has a case");
}

#[test]
fn what_is_not_known_is_not_judged_and_is_counted() {
    let audit = judged(vec![machine("D8s_v5 zone=? | data premium_ssd 1024 cache")], Vec::new());
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

/// An OS disk of unknown kind, as of most plans and of all nodes of a cluster, hides nothing of a data disk; what is about all disks stays unjudged.
#[test]
fn what_is_not_known_of_one_disk_does_not_hide_another() {
    let os = "os ? 64 cache";
    for (data, expected) in [
        ("data premium_ssd_v2 1024 iops=30000 mb=200", "DW201 warning"),
        ("data premium_ssd 4096 ReadOnly", "DW106 error"),
        ("data premium_ssd 1024 ReadWrite", "DW301 warning"),
        ("data premium_ssd_v2 10 iops=80000 mb=200", "DW109 error"),
        ("data ultra 64 iops=5000 mb=200", "DW107 error"),
    ] {
        let line = format!("D8s_v5 | {os} | {data}");
        assert!(found(&line).contains(&expected.to_string()), "{line}: {:?}", found(&line));
        let all = judged(vec![machine(&line)], Vec::new()).document(Vec::new(), Vec::new());
        let codes: Vec<&String> = all.not_judged.iter().flat_map(|row| &row.rules).collect();
        assert!(codes.iter().any(|code| *code == "DW101") && codes.iter().any(|code| *code == "DW201"), "{codes:?}");
        // What was found of one disk is not said to be unjudged.
        let in_part = |code: &str| {
            let rows = all.not_judged.iter().filter(|row| row.rules.iter().any(|rule| rule == code));
            rows.map(|row| row.in_part).collect::<Vec<_>>()
        };
        assert_eq!((in_part("DW101"), in_part("DW106"), in_part("DW201")), (vec![false], vec![true], vec![true]));
    }
    // Of a machine without another disk nothing was judged.
    let alone = judged(vec![machine("D8s_v5 | data premium_ssd 1024 cache")], Vec::new());
    let alone = alone.document(Vec::new(), Vec::new()).not_judged;
    assert!(alone.iter().any(|row| row.rules.contains(&"DW301".to_string()) && !row.in_part), "{alone:?}");
    let both = format!("D8s_v5 | {os} | 5x data premium_ssd 1024");
    assert!(!found(&both).iter().any(|code| code.starts_with("DW101")), "{:?}", found(&both));
}

/// It is paid with its machine, and of no kind that is sold.
#[test]
fn a_local_disk_of_an_operating_system_has_no_price_and_no_end() {
    for (os, ends, unpriced) in [("os standard_hdd 64", true, 0), ("os standard_hdd 64 local", false, 0)] {
        let line = format!("D8s_v5 node | {os}");
        assert_eq!(found(&line).iter().any(|code| code.starts_with("DW404")), ends, "{line}");
        let cost = judged(vec![machine(&line)], Vec::new()).document(Vec::new(), Vec::new()).cost;
        assert_eq!(cost.unpriced, unpriced, "{line}");
    }
}
