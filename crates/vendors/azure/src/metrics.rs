//! What this vendor's monitor calls figures of disks and VMs: metric of the emulator, what of it, the vendor's name.
//!
//! In names of spent credits, local is what the host cache serves and remote is what goes to the disks. Gates that share a budget are
//! measured as one; a gate for local disks, or one that a scenario describes itself, is not measured.
//!
//! Source: "Disk performance metrics", Azure virtual machines documentation, 2026.

/// The names.
pub const NAMES: &[(&str, &str, &str)] = &[
    ("limit_consumed_percent", "vm cached iops", "VM Cached IOPS Consumed Percentage"),
    ("limit_consumed_percent", "vm cached throughput", "VM Cached Bandwidth Consumed Percentage"),
    ("limit_consumed_percent", "vm uncached iops", "VM Uncached IOPS Consumed Percentage"),
    ("limit_consumed_percent", "vm uncached throughput", "VM Uncached Bandwidth Consumed Percentage"),
    ("limit_consumed_percent", "vm uncached-v2 iops", "VM Uncached IOPS Consumed Percentage"),
    ("limit_consumed_percent", "vm uncached-v2 throughput", "VM Uncached Bandwidth Consumed Percentage"),
    ("limit_consumed_percent", "vm uncached-all iops", "VM Uncached IOPS Consumed Percentage"),
    ("limit_consumed_percent", "vm uncached-all throughput", "VM Uncached Bandwidth Consumed Percentage"),
    ("limit_consumed_percent", "disk iops", "Data Disk IOPS Consumed Percentage"),
    ("limit_consumed_percent", "disk throughput", "Data Disk Bandwidth Consumed Percentage"),
    ("burst_credits_used_percent", "vm cached iops", "VM Local Used Burst IO Credits Percentage"),
    ("burst_credits_used_percent", "vm cached throughput", "VM Local Used Burst BPS Credits Percentage"),
    ("burst_credits_used_percent", "vm uncached iops", "VM Remote Used Burst IO Credits Percentage"),
    ("burst_credits_used_percent", "vm uncached throughput", "VM Remote Used Burst BPS Credits Percentage"),
    ("burst_credits_used_percent", "vm uncached-v2 iops", "VM Remote Used Burst IO Credits Percentage"),
    ("burst_credits_used_percent", "vm uncached-v2 throughput", "VM Remote Used Burst BPS Credits Percentage"),
    ("burst_credits_used_percent", "vm uncached-all iops", "VM Remote Used Burst IO Credits Percentage"),
    ("burst_credits_used_percent", "vm uncached-all throughput", "VM Remote Used Burst BPS Credits Percentage"),
    ("burst_credits_used_percent", "disk iops", "Data Disk Used Burst IO Credits Percentage"),
    ("burst_credits_used_percent", "disk throughput", "Data Disk Used Burst BPS Credits Percentage"),
    ("volume_queue_depth", "", "Data Disk Queue Depth"),
    ("volume_operations_per_second", "read", "Data Disk Read Operations/Sec"),
    ("volume_operations_per_second", "write", "Data Disk Write Operations/Sec"),
    ("volume_bytes_per_second", "read", "Data Disk Read Bytes/sec"),
    ("volume_bytes_per_second", "write", "Data Disk Write Bytes/sec"),
    ("cache_read_percent", "hit", "Premium Data Disk Cache Read Hit"),
    ("cache_read_percent", "miss", "Premium Data Disk Cache Read Miss"),
];
