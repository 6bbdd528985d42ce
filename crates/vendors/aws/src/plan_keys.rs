//! What this vendor brings to the keys of `[plan]`.

use dw_demand::{Key, KeyTexts, VendorKey, VendorKeys};

use crate::planned::HDD;

/// Types of previous generations may be chosen.
pub const PREVIOUS: &str = "previous_generation";
/// Types without a hypervisor may be chosen.
pub const METAL: &str = "metal";

const fn flag(name: &'static str, doc: &'static [&'static str], behind: &'static str) -> VendorKey {
    VendorKey {
        key: Key {
            name,
            doc,
            guide: "AWS alone. A [policy](#policies).",
            python: "bool",
            examples: ["true", "false"],
            idle: |_, _| None,
        },
        behind,
        words: &[],
    }
}

/// The vendor's word.
pub const ID: &str = "aws";

/// Whose machines and disks are wanted: read before all other keys, which are the vendor's.
pub const WHOSE: VendorKey = VendorKey {
    key: Key {
        name: "vendor",
        doc: &["Whose machines and disks: azure, aws; whoever has the `region` when absent, else azure."],
        guide: "No two have a region of the same name, so that `region` says it, too.",
        python: "str",
        examples: ["\"azure\"", "\"aws\""],
        idle: |_, _| None,
    },
    behind: "region",
    words: &["azure", "aws"],
};

/// The keys.
pub static PLAN_KEYS: VendorKeys = VendorKeys {
    id: ID,
    is_usual: false,
    // Its prices are the newest and the most complete.
    region: "us-east-1",
    ways: &[],
    keys: &[
        flag(
            HDD,
            &[
                "st1 and sc1 volumes may be chosen for every volume that is read and written from front to back (role log or backup, or",
                "`random_percent = 0`) in requests of 1 MiB and more; otherwise only for backups, or if `disks` names them.",
            ],
            "disk_options",
        ),
        flag(
            PREVIOUS,
            &["Instance types of previous generations may be chosen; otherwise only if `vms` names them."],
            "capacity_limited",
        ),
        flag(
            METAL,
            &["Bare-metal instance types may be chosen; otherwise only if `vms` names them."],
            "capacity_limited",
        ),
    ],
    texts: &[
        KeyTexts {
            doc: &["Region for prices and offers; us-east-1 when absent."],
            ..KeyTexts::examples("region", ["\"us-east-1\"", "\"eu-central-1\""])
        },
        KeyTexts::examples("vms", ["[\"m7i.*\"]", "[\"r7i.2xlarge\"]"]),
        KeyTexts::examples("not_vms", ["[\"m5.*\"]", "[\"m5.large\"]"]),
        KeyTexts::examples("disks", ["[\"gp3\", \"io2\"]", "[\"gp3\"]"]),
        KeyTexts::examples("not_disks", ["[\"io2\"]", "[\"gp3\"]"]),
    ],
    roles: "os is one volume",
};
