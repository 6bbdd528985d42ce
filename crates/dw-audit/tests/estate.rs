//! An estate of 500 machines with 60 planted faults: all are found, none is invented, whichever inventory tells of it.

use std::collections::BTreeSet;

use dw_audit::audit;
use dw_catalogue::Catalogue;
use dw_documents::audit::Level;
use dw_estate::{Gathered, StripeFile};
use serde_json::{Value, json};

use crate::line::TODAY;

/// A disk as the generator has it.
#[derive(Clone)]
struct Disk {
    name: String,
    sku: &'static str,
    gib: u64,
    rates: Option<(u64, u64)>,
    cache: &'static str,
    zone: &'static str,
    shares: Option<u64>,
}

struct Machine {
    name: String,
    size: &'static str,
    os: Disk,
    data: Vec<Disk>,
    open: bool,
}

/// Draws of a seed: xorshift.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most) as usize
    }
}

fn disk(name: String, sku: &'static str, gib: u64, cache: &'static str) -> Disk {
    Disk { name, sku, gib, rates: None, cache, zone: "1", shares: None }
}

/// Machines without fault, and the planted ones with their codes.
fn estate(seed: u64) -> (Vec<Machine>, BTreeSet<(String, String)>) {
    let mut chance = Chance(seed);
    let mut machines: Vec<Machine> = (0..500)
        .map(|number| {
            let name = format!("vm{number:03}");
            let size = ["Standard_D8s_v5", "Standard_D16s_v5", "Standard_E8s_v5", "Standard_D4s_v5"][chance.below(4)];
            let count = chance.below(4);
            let gib = [128, 256, 512][chance.below(3)];
            let data = (0..count)
                .map(|lun| disk(format!("{name}-data{lun}"), "Premium_LRS", gib, ["None", "ReadOnly"][lun % 2]));
            Machine {
                size,
                os: disk(format!("{name}-os"), "Premium_LRS", 64, "ReadWrite"),
                data: data.collect(),
                open: false,
                name,
            }
        })
        .collect();
    let mut expected = BTreeSet::new();
    for fault in 0..60 {
        let machine = &mut machines[fault * 8 + 3];
        let name = machine.name.clone();
        let one = |sku, gib, cache| disk(format!("{name}-x"), sku, gib, cache);
        let code = match fault % 12 {
            0 => {
                machine.size = "Standard_D2s_v5";
                machine.data = vec![one("Premium_LRS", 8192, "None")];
                "DW103"
            }
            1 => {
                machine.data = vec![Disk { rates: Some((3000, 125)), ..one("PremiumV2_LRS", 64, "ReadOnly") }];
                "DW106"
            }
            2 => {
                machine.size = "Standard_D8_v5";
                machine.os.sku = "StandardSSD_LRS";
                machine.data = vec![one("Premium_LRS", 128, "None")];
                "DW105"
            }
            3 => {
                machine.data = vec![Disk { rates: Some((3000, 125)), ..one("UltraSSD_LRS", 64, "None") }];
                "DW107"
            }
            4 => {
                machine.os.sku = "PremiumV2_LRS";
                machine.os.cache = "None";
                machine.os.rates = Some((3000, 125));
                "DW115"
            }
            5 => {
                machine.size = "Standard_D8s_v5";
                machine.data = vec![Disk { rates: Some((30_000, 200)), ..one("PremiumV2_LRS", 512, "None") }];
                "DW201"
            }
            6 => {
                machine.data = vec![one("Premium_LRS", 128, "ReadWrite")];
                "DW301"
            }
            7 => {
                machine.data = vec![Disk { zone: "2", ..one("Premium_LRS", 128, "None") }];
                "DW304"
            }
            8 => {
                machine.data = vec![Disk { shares: Some(2), ..one("Premium_LRS", 256, "ReadOnly") }];
                "DW306"
            }
            9 => {
                machine.os.sku = "Standard_LRS";
                "DW404"
            }
            10 => {
                machine.open = true;
                machine.data.clear();
                "DW212"
            }
            _ => {
                machine.size = "Standard_D2s_v5";
                machine.data = (0..5).map(|n| disk(format!("{name}-d{n}"), "Premium_LRS", 8, "None")).collect();
                "DW104"
            }
        };
        expected.insert((code.to_string(), name));
    }
    (machines, expected)
}

fn id(kind: &str, name: &str) -> String {
    format!("/subscriptions/s/resourceGroups/RG/providers/Microsoft.Compute/{kind}/{name}")
}

/// As the interface has it: what stands under `properties` there lies beside it in what a command prints.
fn of_machine(machine: &Machine) -> (Value, Value) {
    let managed = |disk: &Disk| json!({ "id": id("disks", &disk.name), "storageAccountType": disk.sku });
    let data = machine.data.iter().enumerate();
    let data: Vec<Value> = data
        .map(
            |(lun, disk)| json!({ "lun": lun, "name": disk.name, "caching": disk.cache, "managedDisk": managed(disk) }),
        )
        .collect();
    let own = json!({ "id": id("virtualMachines", &machine.name), "name": machine.name, "type": "Microsoft.Compute/virtualMachines",
        "location": "eastus", "zones": ["1"] });
    let properties = json!({
        "hardwareProfile": { "vmSize": machine.size },
        "securityProfile": { "encryptionAtHost": true },
        "additionalCapabilities": { "ultraSSDEnabled": machine.open },
        "storageProfile": {
            "osDisk": { "osType": "Linux", "name": machine.os.name, "caching": machine.os.cache, "managedDisk": managed(&machine.os) },
            "dataDisks": data,
        },
    });
    (own, properties)
}

fn of_disk(disk: &Disk, machine: &Machine, is_os: bool) -> (Value, Value) {
    let own = json!({ "id": id("disks", &disk.name), "name": disk.name, "type": "Microsoft.Compute/disks", "location": "eastus",
        "zones": [disk.zone], "sku": { "name": disk.sku }, "managedBy": id("virtualMachines", &machine.name) });
    let mut properties = json!({ "diskSizeGB": disk.gib, "diskState": "Attached", "maxShares": disk.shares,
        "osType": is_os.then_some("Linux") });
    if let Some((iops, mb)) = disk.rates {
        properties["diskIOPSReadWrite"] = iops.into();
        properties["diskMBpsReadWrite"] = mb.into();
    }
    (own, properties)
}

fn all_disks(machine: &Machine) -> impl Iterator<Item = (&Disk, bool)> {
    machine.data.iter().map(|disk| (disk, false)).chain([(&machine.os, true)])
}

fn flat((mut own, properties): (Value, Value)) -> Value {
    own.as_object_mut().unwrap().extend(properties.as_object().unwrap().clone());
    own
}

fn nested((mut own, properties): (Value, Value)) -> Value {
    own["properties"] = properties;
    own
}

/// What a state of Terraform has.
fn state(machines: &[Machine]) -> Value {
    let mut resources = Vec::new();
    let mut block = |kind: &str, name: &str, values: Value| {
        resources.push(json!({ "address": format!("{kind}.{name}"), "mode": "managed", "type": kind, "name": name, "values": values }));
    };
    for machine in machines {
        let own = id("virtualMachines", &machine.name);
        block(
            "azurerm_linux_virtual_machine",
            &machine.name,
            json!({ "id": own, "name": machine.name, "size": machine.size, "location": "eastus", "zone": "1", "encryption_at_host_enabled": true,
                "additional_capabilities": [{ "ultra_ssd_enabled": machine.open }],
                "os_disk": [{ "name": machine.os.name, "caching": machine.os.cache, "storage_account_type": machine.os.sku,
                    "disk_size_gb": machine.os.gib, "disk_iops_read_write": machine.os.rates.map(|rates| rates.0),
                    "disk_mbps_read_write": machine.os.rates.map(|rates| rates.1) }] }),
        );
        for (lun, disk) in machine.data.iter().enumerate() {
            block(
                "azurerm_managed_disk",
                &disk.name,
                json!({ "id": id("disks", &disk.name), "name": disk.name, "location": "eastus", "zone": disk.zone, "storage_account_type": disk.sku,
                    "disk_size_gb": disk.gib, "disk_iops_read_write": disk.rates.map(|rates| rates.0),
                    "disk_mbps_read_write": disk.rates.map(|rates| rates.1), "max_shares": disk.shares }),
            );
            let values = json!({ "virtual_machine_id": own, "managed_disk_id": id("disks", &disk.name), "lun": lun, "caching": disk.cache });
            block("azurerm_virtual_machine_data_disk_attachment", &disk.name, values);
        }
    }
    json!({ "format_version": "1.0", "values": { "root_module": { "resources": resources } } })
}

/// Codes and machines of what an audit of 500 machines finds above a note, and of these notes.
pub fn found(files: &[Value], notes: &[&str]) -> BTreeSet<(String, String)> {
    let mut gathered = Gathered::default();
    for file in files {
        dw_formats::estate::read("inventory.json", &mut file.to_string().as_bytes(), &mut gathered).unwrap();
    }
    let estate = gathered.joined();
    assert_eq!(estate.machines.len(), 500);
    assert!(estate.loose.is_empty() && estate.doubts.is_empty(), "{:?}", estate.doubts);
    let audit = audit(&estate, Catalogue::embedded(), &StripeFile::default(), Some(TODAY));
    let counts = audit.findings.iter().filter(|one| one.level > Level::Note || notes.contains(&one.code.as_str()));
    counts.map(|finding| (finding.code.clone(), finding.machine.clone())).collect()
}

#[test]
fn sixty_planted_faults_are_found_and_none_is_invented() {
    for seed in [1, 8817] {
        let (machines, expected) = estate(seed);
        assert_eq!(expected.len(), 60);
        let records = |shape: fn((Value, Value)) -> Value| -> (Vec<Value>, Vec<Value>) {
            let disks = machines
                .iter()
                .flat_map(|machine| all_disks(machine).map(move |(disk, is_os)| shape(of_disk(disk, machine, is_os))));
            (machines.iter().map(|machine| shape(of_machine(machine))).collect(), disks.collect())
        };
        let (vms, disks) = records(flat);
        let listed = [json!(vms), json!(disks)];
        let (vms, disks) = records(nested);
        let all = [vms, disks].concat();
        let graph = [json!({ "count": all.len(), "data": all, "skip_token": null })];
        for (name, files) in
            [("lists", &listed[..]), ("Resource Graph", &graph[..]), ("Terraform", &[state(&machines)][..])]
        {
            let found = found(files, &[]);
            let (missed, invented): (Vec<_>, Vec<_>) =
                (expected.difference(&found).collect(), found.difference(&expected).collect());
            assert!(
                missed.is_empty() && invented.is_empty(),
                "seed {seed}, {name}: missed {missed:?}, invented {invented:?}"
            );
        }
    }
}
