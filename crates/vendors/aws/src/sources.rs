//! Where figures came from: every table and every rule names one of these.

use dw_vendor::source::Source;

/// `(id, page, date, note)`.
const SOURCES: [(&str, &str, &str, &str); 25] = [
    (
        INSTANCE_TYPES,
        "getmoto/moto (Apache-2.0): answers of DescribeInstanceTypes and DescribeInstanceTypeOfferings, 30 regions",
        "2026-08-02",
        "EBS figures against a copy of the vendor's page of 2026-04: 1,155 equal, 6 differ (the page has one of two cards), 193 newer than the page, 19 without figures",
    ),
    (
        STORE_IOPS,
        "Amazon EC2 user guide: instance store volumes, IOPS of 4 KiB by type; copies of the page of 2023 to 2026, the guide of 2024-06",
        "2023-2026",
        "107 types have the figures of a sibling with the same disks",
    ),
    (
        STORE_MEASURED,
        "scylladb/scylla-machine-image (Apache-2.0): common/aws_io_params.yaml, iotune on raw instance stores",
        "2026-06-11",
        "random 4 KiB, 128 KiB sequential; of i7i, i7ie, i8g, i8ge with several disks the figures are the instance's",
    ),
    (
        VOLUME_TYPES,
        "Amazon EBS volume types: awsdocs/amazon-ec2-user-guide 2023-05, page copies of 2026, awslabs/aws-support-tools EBS/VolumeLimitCalculator 2026-07",
        "2023-05 to 2026-07",
        "",
    ),
    (GP3_2025, "gp3 limits of 2025-09: SpareCores 2026-01, aws-cdk 2026, four copies of the vendor's page", "2026", ""),
    (
        EBS_OPTIMIZED,
        "Amazon EBS-optimized instances: awsdocs/amazon-ec2-user-guide 2023-06, page copy of 2026-04",
        "2023-06 to 2026-04",
        "that the maximum is held for 30 minutes at least once in 24 hours; how the balances fill is not published",
    ),
    (
        EBS_REFILL,
        "an article on EBS burst at ldaws.com: a database above its baseline for days burst once every 24 hours",
        "",
        "one article: the daily refill rests on it alone",
    ),
    (
        EBS_MERGE,
        "gist cdolan/7d049ffe27ecbd93792e7b7e67259efb: sequential 4 KiB reads at 107,215 per second on an r5.2xlarge with 18,750 IOPS at most",
        "",
        "that the instance's limit counts what was merged follows from it, where the guest did not merge itself",
    ),
    (
        WEIGHTING,
        "Amazon EBS user guide: configurable instance bandwidth weighting; Amazon EC2 user guide: instance bandwidth weighting configuration",
        "2026",
        "the favoured baseline grows by 25 %, the other falls by the same amount and its burst with it; IOPS stay",
    ),
    (ATTACHMENTS, "Amazon EC2 user guide: volume limits, page copy of 2026-04", "2026-04", ""),
    (
        VM_PRICES_K,
        "aws/karpenter-provider-aws (Apache-2.0): generated price tables, Linux, on demand",
        "2026-07-20",
        "",
    ),
    (
        VM_PRICES_E,
        "yeo/ec2.shop (MIT): the vendor's price list, Linux, on demand and reserved without upfront payment",
        "2025-04-04",
        "",
    ),
    (
        VOLUME_PRICES,
        "yeo/ec2.shop (MIT): the vendor's price list of EBS",
        "2024-07-18",
        "161 of 163 equal to a table of 2021; us-east-1 equal to statements of 2026",
    ),
    (
        MODIFY_2026,
        "awslabs/data-on-eks change 1106; AWS Compute Optimizer guide, page copy of 2026-01",
        "2026-01",
        "second-hand",
    ),
    (
        FIRST_TOUCH,
        "Project-OSRM/osrm-backend issue 3407; github-aws-runners issue 5163: first reads of volumes from snapshots",
        "2016-2026",
        "measured, one thread",
    ),
    (
        INITIALIZATION,
        "Amazon EBS user guide: Initialize Amazon EBS volumes; CreateVolume, VolumeInitializationRate: 100 to 300 MiB/s",
        "2026",
        "read in an index of pages",
    ),
    (
        SNAPSHOT_BLOCK,
        "Amazon EBS direct APIs, concepts: blocks of a snapshot are of 512 KiB",
        "2026",
        "that first reads fetch such blocks is assumed",
    ),
    (
        SNAPSHOT_RESTORE,
        "Amazon EBS fast snapshot restore: price of a snapshot and zone by the hour, us-east-1",
        "2026",
        "",
    ),
    (
        LATENCY_STATEMENTS,
        "Amazon EBS volume types: single-digit milliseconds (gp2, gp3, io1), below one millisecond on average (io2)",
        "2023-05",
        "",
    ),
    (DEVICE_NAMES, "Device names for volumes on Amazon EC2 instances (AWSEC2 device_naming.html)", "2026", ""),
    (
        EBS_NVME,
        "Amazon EBS volumes and NVMe: the serial number of a device is the id of its volume (AWSEC2 nvme-ebs-volumes.html)",
        "2026",
        "",
    ),
    (
        IMAGE_PARAMETERS,
        "Public parameters of images: Canonical's of Ubuntu 24.04, Amazon's of Windows Server 2022 (Systems Manager)",
        "2026",
        "recalled; no call of the service was made",
    ),
    (
        CHANGE_TYPE,
        "Amazon EC2 API reference: ModifyInstanceAttribute; user guide: change the instance type",
        "2024 to 2026",
        "an instance is stopped for it; that its store is lost and that Nitro needs drivers for NVMe and ENA is recalled",
    ),
    (
        MODIFY_VOLUME,
        "Amazon EBS user guide: ModifyVolume, requirements and limitations",
        "2024",
        "recalled: kind, IOPS and throughput change in use; size only grows; root volumes do not become st1 or sc1",
    ),
    (HDD_PAGE, "Amazon EBS hard disk volumes: awsdocs/amazon-ec2-user-guide 2023-06 hdd-vols.md", "2023-06", ""),
];

pub const INSTANCE_TYPES: &str = "ec2-instance-types-2026-08";
pub const STORE_IOPS: &str = "instance-store-iops";
pub const STORE_MEASURED: &str = "instance-store-scylla-2026-06";
pub const VOLUME_TYPES: &str = "ebs-volume-types";
pub const GP3_2025: &str = "ebs-gp3-2025-09";
pub const EBS_OPTIMIZED: &str = "ebs-optimized";
pub const EBS_REFILL: &str = "ebs-burst-article";
pub const EBS_MERGE: &str = "ebs-sequential-gist";
pub const WEIGHTING: &str = "bandwidth-weighting";
pub const ATTACHMENTS: &str = "ebs-volume-limits";
pub const VM_PRICES_K: &str = "ec2-prices-2026-07";
pub const VM_PRICES_E: &str = "ec2-prices-2025-04";
pub const VOLUME_PRICES: &str = "ebs-prices-2024-07";
pub const MODIFY_2026: &str = "ebs-modify-2026-01";
pub const FIRST_TOUCH: &str = "ebs-first-touch";
pub const INITIALIZATION: &str = "ebs-initialization-rate";
pub const SNAPSHOT_BLOCK: &str = "ebs-snapshot-block";
pub const SNAPSHOT_RESTORE: &str = "ebs-fast-snapshot-restore";
pub const LATENCY_STATEMENTS: &str = "ebs-latency-statements";
pub const CHANGE_TYPE: &str = "ec2-change-type";
pub const MODIFY_VOLUME: &str = "ebs-modify-volume";
pub const HDD_PAGE: &str = "ebs-hdd-volumes";
pub const DEVICE_NAMES: &str = "ec2-device-names";
pub const EBS_NVME: &str = "ebs-nvme";
pub const IMAGE_PARAMETERS: &str = "ec2-image-parameters";

/// All of them.
pub fn sources() -> Vec<Source> {
    let text = |text: &str| Some(text.to_string()).filter(|text| !text.is_empty());
    let of = |&(id, page, date, note): &(&str, &str, &str, &str)| Source {
        id: id.to_string(),
        page: page.to_string(),
        date: date.to_string(),
        revision: None,
        note: text(note),
    };
    SOURCES.iter().map(of).collect()
}

/// The source of that id.
pub fn source(id: &str) -> Option<Source> {
    sources().into_iter().find(|source| source.id == id)
}
