//! All integration tests: one binary links once.

mod keys;
mod read;
mod write;

use dw_demand::wishes::Role;
use dw_demand::{Key, KeyTexts, Offers, VendorKey, VendorKeys};
use dw_units::{Bytes, CacheMode};

/// A small shop: enough to name things in a file.
struct Shelf;

const VMS: [&str; 9] = ["D2s_v3", "D4s_v3", "D8s_v3", "E2s_v3", "E4s_v3", "E4s_v4", "E8ds_v5", "E8bds_v5", "E16ds_v5"];
const DISKS: [&str; 7] = ["P15", "P20", "P30", "P80", "S10", "PremiumV2", "Ultra"];

/// What the shop brings to the keys of `[plan]`.
static SHELF: VendorKeys = VendorKeys {
    id: "shop",
    is_usual: true,
    region: "eastus",
    ways: &["tall", "quick"],
    keys: &[
        VendorKey {
            key: Key {
                name: "second_hand",
                doc: &["Disks may be used ones."],
                guide: "",
                python: "bool",
                examples: ["true", "false"],
                idle: |_, _| None,
            },
            behind: "disk_options",
            words: &[],
        },
        VendorKey {
            key: Key {
                name: "delivery",
                doc: &["Who brings them."],
                guide: "",
                python: "str",
                examples: ["\"cart\"", "\"boat\""],
                idle: |_, _| None,
            },
            behind: "bursting",
            words: &["boat", "cart", "mule"],
        },
    ],
    texts: &[
        KeyTexts::examples("region", ["\"eastus\"", "\"westeurope\""]),
        KeyTexts::examples("disk_options", ["[\"quick\"]", "[]"]),
        KeyTexts::examples("vms", ["[\"E*\"]", "[\"D8s_v3\"]"]),
        KeyTexts::examples("not_vms", ["[\"E*_v4\"]", "[\"D4s_v3\", \"D2s_v3\"]"]),
        KeyTexts::examples("disks", ["[\"P20\", \"P30\"]", "[\"P15\"]"]),
        KeyTexts::examples("not_disks", ["[\"S10\"]", "[\"P*\"]"]),
        KeyTexts::examples("os_disk", ["\"S10\"", "\"P80\""]),
        KeyTexts::examples("cpu_recorded_on", ["\"D8s_v3\"", "\"E4s_v4\""]),
        KeyTexts::examples(
            "price",
            ["[{ name = \"E8bds_v5\", monthly = 500.0 }]", "[{ name = \"D2s_v3\", monthly = 1000.0 }]"],
        ),
    ],
    roles: "logs are on paper",
};

impl Offers for Shelf {
    fn vendor(&self) -> &'static VendorKeys {
        &SHELF
    }
    fn regions(&self) -> Vec<&str> {
        vec!["eastus", "westeurope"]
    }
    fn region_hint(&self, _: &str) -> String {
        "write `eastus` or `westeurope`".into()
    }
    fn refuses_zone(&self, zone: &str, region: &str) -> Option<[String; 2]> {
        let is_known = region == "eastus" && ["1", "2"].contains(&zone);
        (!is_known).then(|| ["there is no such shelf".into(), "ask the shop".into()])
    }
    fn currencies(&self) -> Vec<&str> {
        vec!["USD"]
    }
    fn editions(&self) -> Vec<&str> {
        vec!["2017-03", "2026-08"]
    }
    fn prices_begin_after(&self, edition: &str, _: &str) -> Option<&str> {
        (edition < "2017").then_some("2017-article")
    }
    fn vms(&self) -> Vec<&str> {
        VMS.to_vec()
    }
    fn vm_hint(&self, _: &str) -> Option<String> {
        Some("did you mean `E8ds_v5`?".into())
    }
    fn disks(&self) -> Vec<&str> {
        DISKS.to_vec()
    }
    fn disk_hint(&self, _: &str) -> Option<String> {
        None
    }
    fn fits(&self, pattern: &str, name: &str) -> bool {
        let pattern = pattern.trim_start_matches("Standard_");
        match pattern.split_once('*') {
            Some((first, last)) => name.starts_with(first) && name.ends_with(last),
            None => pattern == name,
        }
    }
    fn has(&self, name: &str) -> bool {
        VMS.iter().chain(&DISKS).any(|known| self.fits(name, known))
    }
    fn meters(&self) -> Vec<&'static str> {
        vec!["whole", "gib"]
    }
    fn refuses_cache(&self, role: Role, mode: CacheMode) -> Option<[&'static str; 2]> {
        (role == Role::Log && mode == CacheMode::ReadWrite).then_some(["a log is on paper", "write `None`"])
    }
    fn is_stripe_unit(&self, unit: Bytes) -> bool {
        unit.get().is_power_of_two() && unit >= Bytes::kib(4)
    }
}

/// Line, what is wrong and what to do, of each fault of a file.
fn faults(error: dw_error::Error) -> Vec<(u64, String, String)> {
    let one = |e: &dw_error::Error| {
        let line = e.place.as_ref().and_then(|place| place.line);
        (line.expect("a fault has a line"), e.what.clone(), e.hint.clone())
    };
    std::iter::once(one(&error)).chain(error.also.iter().map(one)).collect()
}
