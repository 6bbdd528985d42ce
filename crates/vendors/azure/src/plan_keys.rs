//! What this vendor brings to the keys of `[plan]`, and what they mean here.

use dw_demand::wishes::{Role, Wishes};
use dw_demand::{Key, KeyTexts, TRUE, VendorKey, VendorKeys};
use dw_units::CacheMode;

/// The rates of a larger disk, at its price.
pub const TIER: &str = "tier";
/// Higher rates that are chosen when the disk is made.
pub const PLUS: &str = "performance-plus";
/// Bursts that are paid by use.
pub const PAID_BURSTS: &str = "on-demand-bursting";

/// Whether the second uncached limit of a VM is a budget of its own.
const UNCACHED_SHARING: &str = "uncached_sharing";
/// Whether standard HDD may be chosen for every volume.
pub const STANDARD_HDD: &str = "standard_hdd";

/// What this vendor brings to the keys of `[plan]`.
pub static PLAN_KEYS: VendorKeys = VendorKeys {
    id: "azure",
    is_usual: true,
    // Its prices are the most complete.
    region: "eastus",
    ways: &[TIER, PLUS, PAID_BURSTS],
    keys: &[
        VendorKey {
            key: Key {
                name: STANDARD_HDD,
                doc: &[
                    "Standard HDD may be chosen for every volume; otherwise only for backups, or if `disks` names it.",
                ],
                guide: "A [policy](#policies).",
                python: "bool",
                examples: ["true", "false"],
                idle: |_, _| None,
            },
            behind: "disk_options",
            words: &[],
        },
        VendorKey {
            key: Key {
                name: UNCACHED_SHARING,
                doc: &[
                    "Whether the two uncached limits of a VM, one of them for premium SSD v2 and ultra disks, share one budget or add up: shared,",
                    "separate; shared when absent.",
                ],
                guide: "A shared budget is the larger value. Microsoft does not publish this; the plan notes the assumption.",
                python: "str",
                examples: ["\"shared\"", "\"separate\""],
                idle: |_, _| None,
            },
            behind: "bursting",
            words: &["shared", "separate"],
        },
    ],
    texts: &[
        KeyTexts {
            doc: &["Region for prices and offers; eastus when absent."],
            ..KeyTexts::examples("region", ["\"eastus\"", "\"westeurope\""])
        },
        KeyTexts {
            guide: "Billed for all hours. Eight series in four regions have such a price, others are [imported](catalogue.md#importing-your-own); a size without one counts as pay as you go, and the answer notes it.",
            ..KeyTexts::examples("reservation", ["", ""])
        },
        KeyTexts {
            guide: "Billed for all hours. Three sizes in two regions have such a price, others are [imported](catalogue.md#importing-your-own); a size without one counts as pay as you go, and the answer notes it.",
            ..KeyTexts::examples("savings_plan", ["", ""])
        },
        KeyTexts {
            doc: &[
                "Safety factor for rates, CPU and memory in use: 1.3 for the margin of Azure Migrate; 1 when absent.",
            ],
            ..KeyTexts::examples("comfort_factor", ["", ""])
        },
        KeyTexts {
            doc: &[
                "Redundancy of disks: local, zone; local when absent. Premium SSD and standard SSD can be zone-redundant.",
            ],
            ..KeyTexts::examples("redundancy", ["", ""])
        },
        KeyTexts {
            doc: &[
                "Disk options besides the size: tier, performance-plus, on-demand-bursting; all of them when absent.",
            ],
            ..KeyTexts::examples("disk_options", ["[\"tier\", \"performance-plus\", \"on-demand-bursting\"]", "[]"])
        },
        KeyTexts {
            guide: "`[\"E*ds_v5\", \"D*ds_v5\"]`",
            ..KeyTexts::examples("vms", ["[\"Standard_E*\"]", "[\"D8s_v3\"]"])
        },
        KeyTexts::examples("not_vms", ["[\"Standard_E*_v4\"]", "[\"D4s_v3\", \"D2s_v3\"]"]),
        KeyTexts {
            guide: "`[\"P*\"]` is premium SSD, not `PremiumV2`.",
            ..KeyTexts::examples("disks", ["[\"P20\", \"P30\", \"PremiumV2\"]", "[\"P15\"]"])
        },
        KeyTexts::examples("cpu_recorded_on", ["\"D16s_v3\"", "\"D16as_v4\""]),
        KeyTexts::examples("os_disk", ["\"P10\"", "\"E10\""]),
        KeyTexts::examples("not_disks", ["[\"Ultra\"]", "[\"P*\"]"]),
        KeyTexts {
            guide: "Each is a table `[[plan.price]]`: `name = \"P40\"`, `monthly = 259.05`; of disks sized freely with `meter = \"gib\"`, `\"iops\"`, `\"mb_per_s\"`.",
            ..KeyTexts::examples(
                "price",
                ["[{ name = \"Standard_E8bds_v5\", monthly = 500.0 }]", "[{ name = \"D2s_v3\", monthly = 1000.0 }]"],
            )
        },
    ],
    roles: "logs and backups are not cached, os is one disk",
};

/// Whether the two uncached limits of a VM add up.
pub fn has_two_budgets(wishes: &Wishes) -> bool {
    wishes.chosen.contains_key(UNCACHED_SHARING)
}

/// The word for how the two uncached limits are taken, where somebody chose one.
pub fn uncached_sharing(wishes: &Wishes) -> Option<&'static str> {
    wishes.chosen.get(UNCACHED_SHARING).copied()
}

/// Whether standard HDD may be chosen for every volume.
pub fn takes_slow_disks(wishes: &Wishes) -> bool {
    wishes.chosen.contains_key(STANDARD_HDD)
}

/// Lets standard HDD be chosen for every volume.
pub fn take_slow_disks(wishes: &mut Wishes) {
    wishes.chosen.insert(STANDARD_HDD, TRUE);
}

/// Why a volume of this role must not have such a host cache, where it must not, and what to do.
pub fn refuses_cache(role: Role, mode: CacheMode) -> Option<[&'static str; 2]> {
    let what = "a log must not be cached ReadWrite: unflushed data is lost if the host fails";
    (role == Role::Log && mode == CacheMode::ReadWrite).then_some([what, "write `None`, or another role"])
}

/// How to find out about zones of which nothing is known.
pub fn zones_hint(region: &str) -> String {
    let region = region.replace(' ', "").to_lowercase();
    format!(
        "`az vm list-skus --location {region} --all -o json > skus.json`, then `diskwright catalogue import skus.json`"
    )
}
