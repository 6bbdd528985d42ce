//! An inventory of 10,000 machines with 40,000 disks to its findings, from JSON as the cloud's commands print it.
//!
//! Time begins at the bytes and ends at the findings; memory is that of the whole command, its table printed to nowhere. The machines differ in size,
//! region and zone, and every fifth has a fault.
//!
//! Ignores: of time, reading files, tables and pages.

use std::process::Command;

use diskwright::audit::{AuditOptions, estate};
use diskwright::{Catalogue, Session};
use serde_json::{Value, json};

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::clock;
use crate::parsers::peak;

const SIZES: [&str; 6] = ["D8s_v5", "D16s_v5", "E8s_v5", "D4s_v5", "E16ds_v5", "D8s_v3"];
const REGIONS: [&str; 4] = ["eastus", "westeurope", "northeurope", "westus2"];

pub fn bench() -> Bench {
    let row = |name, unit, target, run| Row { name, unit, target, peer: None, run };
    Bench {
        name: "audit",
        is_for: "an estate from JSON to findings: 10,000 machines, 40,000 disks",
        not_for: "reading files, rendering",
        rows: vec![
            row(
                "10,000 machines from JSON to findings",
                Unit::Seconds,
                Some(Target::Figure { goal: 2.0, floor: 4.0 }),
                audited,
            ),
            row(
                "peak memory of the command",
                Unit::Megabytes,
                Some(Target::Figure { goal: 300.0, floor: 400.0 }),
                memory,
            ),
        ],
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

/// The command on these files, its table to nowhere.
pub fn run(files: &[String]) -> Result<(), String> {
    let args = ["diskwright", "audit"].map(String::from).into_iter().chain(files.iter().cloned()).collect();
    match diskwright_cli::run(args, &mut std::io::sink()) {
        diskwright_cli::exit::Exit::Ok => Ok(()),
        _ => Err("the audit failed".into()),
    }
}

/// The largest memory of a process of its own.
fn memory(size: Size) -> Result<Sample, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut files = Vec::new();
    for (name, text) in ["vms.json", "disks.json"].into_iter().zip(lists(size.pick(100, 10_000))) {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(|e| e.to_string())?;
        files.push(path.display().to_string());
    }
    // Under test this is the test's binary, which knows no such option: it measures itself.
    let amount = if cfg!(test) {
        run(&files)?;
        peak()?
    } else {
        let this = std::env::current_exe().map_err(|e| e.to_string())?;
        let output = Command::new(this).arg("--audit").args(&files).output().map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim().parse().map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?
    };
    Ok(Sample { amount, ..Sample::timed(1, std::time::Duration::ZERO) })
}
