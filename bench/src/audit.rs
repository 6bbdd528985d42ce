//! An inventory of 10,000 machines with 40,000 disks to its findings, from JSON as the cloud's commands print it.
//!
//! Time begins at the bytes and ends at the findings. The machines differ in size, region and zone, and every fifth has a fault.
//!
//! Ignores: reading files; tables and pages.

use diskwright::audit::{AuditOptions, estate};
use diskwright::{Catalogue, Session};
use serde_json::{Value, json};

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::clock;

const SIZES: [&str; 6] = ["D8s_v5", "D16s_v5", "E8s_v5", "D4s_v5", "E16ds_v5", "D8s_v3"];
const REGIONS: [&str; 4] = ["eastus", "westeurope", "northeurope", "westus2"];

pub fn bench() -> Bench {
    let row = |name, target, run| Row { name, unit: Unit::Seconds, target, peer: None, run };
    Bench {
        name: "audit",
        is_for: "an estate from JSON to findings: 10,000 machines, 40,000 disks",
        not_for: "reading files, rendering",
        rows: vec![row(
            "10,000 machines from JSON to findings",
            Some(Target::Figure { goal: 2.0, floor: 4.0 }),
            audited,
        )],
    }
}

fn id(kind: &str, name: &str) -> String {
    format!(
        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/RG/providers/Microsoft.Compute/{kind}/{name}"
    )
}

/// The lists of machines and of disks.
fn lists(machines: usize) -> [String; 2] {
    let (mut vms, mut disks): (Vec<Value>, Vec<Value>) = Default::default();
    for number in 0..machines {
        let name = format!("vm{number:05}");
        let (region, zone) = (REGIONS[number % 4], (number % 3 + 1).to_string());
        let mut disk = |lun: usize| {
            let own = format!("{name}-{lun}");
            disks.push(json!({ "id": id("disks", &own), "name": own, "location": region, "zones": [zone], "type": "Microsoft.Compute/disks",
                "sku": { "name": "Premium_LRS", "tier": "Premium" }, "diskSizeGB": (128_u64 << lun), "diskState": "Attached",
                "managedBy": id("virtualMachines", &name), "provisioningState": "Succeeded", "timeCreated": "2024-01-01T00:00:00+00:00",
                "encryption": { "type": "EncryptionAtRestWithPlatformKey" }, "creationData": { "createOption": "Empty" }, "uniqueId": "0" }));
            json!({ "id": id("disks", &own), "storageAccountType": "Premium_LRS" })
        };
        let os = disk(0);
        let cache = if number % 5 == 0 { "ReadWrite" } else { "None" };
        let data: Vec<Value> = (1..4)
            .map(|lun| json!({ "lun": lun, "name": format!("{name}-{lun}"), "caching": cache, "createOption": "Attach", "managedDisk": disk(lun) }))
            .collect();
        vms.push(json!({ "id": id("virtualMachines", &name), "name": name, "location": region, "zones": [zone],
            "type": "Microsoft.Compute/virtualMachines", "powerState": "VM running", "provisioningState": "Succeeded",
            "hardwareProfile": { "vmSize": format!("Standard_{}", SIZES[number % 6]) }, "tags": { "env": "prod" },
            "osProfile": { "computerName": name, "adminUsername": "admin", "linuxConfiguration": { "ssh": { "publicKeys": [{ "keyData": "A".repeat(380) }] } } },
            "storageProfile": { "osDisk": { "osType": "Linux", "name": format!("{name}-0"), "caching": "ReadWrite", "managedDisk": os }, "dataDisks": data } }));
    }
    [Value::Array(vms), Value::Array(disks)].map(|list| serde_json::to_string_pretty(&list).expect("JSON of ours"))
}

fn audited(size: Size) -> Result<Sample, String> {
    let machines = size.pick(100, 10_000);
    let files = lists(machines);
    let session = Session::new(Catalogue::embedded().clone());
    let (audit, time) = clock::timed(|| {
        let named = files.iter().enumerate().map(|(place, text)| (format!("file{place}.json"), text.as_bytes()));
        let estate = estate(named).map_err(|error| error.what)?;
        Ok::<_, String>(session.audit(&estate, &AuditOptions::default()))
    });
    let audit = audit?;
    let risky = audit.findings.iter().filter(|finding| finding.code == "DW301").count();
    if (audit.machines, risky) != (machines as u64, machines.div_ceil(5) * 3) {
        return Err(format!("{} machines and {risky} disks at risk", audit.machines));
    }
    Ok(Sample::timed(1, time))
}
