use dw_estate::{Disk, Doubt, Estate, Gathered, Machine};

use super::read;

/// What files become, in lines: `name size zone: disk kind gib cache lun`.
fn read_all(files: &[&str]) -> Estate {
    let mut gathered = Gathered::default();
    for (number, text) in files.iter().enumerate() {
        read(&format!("file{number}"), text.as_bytes(), &mut gathered).unwrap();
    }
    gathered.joined()
}

fn line(machine: &Machine) -> String {
    let disk = |disk: &Disk| {
        let number = |n: Option<u64>| n.map_or("?".to_string(), |n| n.to_string());
        let kind = disk.kind.text().unwrap_or("?");
        let rates = disk.iops.value().map_or(String::new(), |iops| format!(" {iops}/{}", number(disk.mb.value())));
        let cache = disk.cache.value().map_or("?", |mode| mode.name());
        format!(
            "{} {kind} {}{rates} {cache} {}",
            disk.name,
            number(disk.gib.value()),
            number(disk.lun.value().map(u64::from))
        )
    };
    let disks: Vec<String> = machine.disks.iter().map(disk).collect();
    let (size, zone) = (machine.size.text().unwrap_or("?"), machine.zone.text().unwrap_or("?"));
    format!("{} {size} {zone}: {}", machine.name, disks.join("; "))
}

fn check(files: &[&str], expected: &[&str]) -> Estate {
    let estate = read_all(files);
    assert_eq!(estate.machines.iter().map(line).collect::<Vec<_>>(), expected, "{:?}", estate.doubts);
    estate
}

const VM: &str = r#"{"id": "/subscriptions/s/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/db1", "name": "db1",
  "location": "East US", "zones": ["1"], "type": "Microsoft.Compute/virtualMachines", "powerState": "VM running", "surprise": 1,
  "hardwareProfile": {"vmSize": "Standard_D8s_v5"},
  "storageProfile": {"osDisk": {"osType": "Linux", "name": "db1-os", "caching": "ReadWrite", "diskSizeGb": 30,
     "managedDisk": {"id": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/disks/db1-os", "storageAccountType": "Premium_LRS"}},
   "dataDisks": [{"lun": 0, "name": "data", "caching": "None",
     "managedDisk": {"id": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/disks/data"}}]}}"#;
const DISK: &str = r#"{"id": "/subscriptions/s/resourceGroups/RG/providers/Microsoft.Compute/disks/DATA", "name": "data", "location": "eastus",
  "zones": ["1"], "sku": {"name": "PremiumV2_LRS"}, "diskSizeGb": 512, "diskIopsReadWrite": 9000, "diskMBpsReadWrite": 300,
  "diskState": "Attached", "managedBy": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/DB1"}"#;
const JOINED: &str =
    "db1 Standard_D8s_v5 1: db1-os premium_ssd 30 ReadWrite ?; data premium_ssd_v2 512 9000/300 None 0";

#[test]
fn lists_are_joined_by_id_in_any_order_and_pages_are_read() {
    let list = |record: &str| format!("[{record}]");
    for files in [
        [list(VM), list(DISK)],
        [list(DISK), list(VM)],
        [
            format!("{{\"value\": [{VM}], \"nextLink\": null}}"),
            format!("{{\"count\": 1, \"data\": [{DISK}], \"skip_token\": null}}"),
        ],
        [format!("[{{\"value\": [{VM}]}}]"), DISK.to_string()],
        [format!("\u{feff}[{VM}]\n[{DISK}]"), "[]".to_string()],
    ] {
        let estate = check(&[&files[0], &files[1]], &[JOINED]);
        assert!(estate.loose.is_empty());
        assert_eq!(
            estate.unread.fields.iter().map(|(field, n)| (field.as_str(), *n)).collect::<Vec<_>>(),
            [("machine.surprise", 1)]
        );
    }
}

#[test]
fn a_row_of_a_table_is_a_record() {
    let cells = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let properties = r#"{"hardwareProfile":{"vmSize":"Standard_E4s_v5"},"storageProfile":{"osDisk":{"osType":"Windows","diskSizeGB":127},"dataDisks":[{"lun":3,"name":"d","diskSizeGB":64,"caching":"ReadOnly","managedDisk":{"storageAccountType":"StandardSSD_LRS"}}]}}"#;
    let id = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/w";
    let table = format!(
        "ID,NAME,TYPE,LOCATION,PROPERTIES,ZONES\n{id},w,microsoft.compute/virtualmachines,westeurope,{},\"[\"\"2\"\"]\"\n",
        cells(properties)
    );
    check(&[&table], &["w Standard_E4s_v5 2:  ? 127 ? ?; d standard_ssd 64 ReadOnly 3"]);
}

#[test]
fn what_is_cut_short_gives_what_came_before() {
    let whole = format!("[{VM}, {DISK}]");
    let cut = &whole[..whole.len() - 40];
    let estate = check(&[cut], &["db1 Standard_D8s_v5 1: db1-os premium_ssd 30 ReadWrite ?; data ? ? None 0"]);
    assert!(matches!(&estate.doubts[..], [Doubt::CutShort { records: 1, .. }]), "{:?}", estate.doubts);
    for (text, expected) in [
        ("", "Nothing"),
        ("[]", "Nothing"),
        ("{}", "Nothing"),
        ("hello", "Nothing"),
        ("[", "CutShort"),
        ("[1]", "Record"),
    ] {
        let doubts = format!("{:?}", read_all(&[text]).doubts);
        assert!(doubts.contains(expected), "{text}: {doubts}");
    }
    let more = read_all(&[&format!("{{\"value\": [{VM}], \"nextLink\": \"https://x\"}}")]);
    assert!(matches!(&more.doubts[..], [Doubt::MorePages { .. }]), "{:?}", more.doubts);
}

#[test]
fn a_wide_text_is_read() {
    let text = format!("[{VM}]");
    let bytes: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let mut gathered = Gathered::default();
    read("x", bytes.as_slice(), &mut gathered).unwrap();
    assert_eq!(gathered.joined().machines.len(), 1);
}

const PLAN: &str = r#"{"format_version": "1.2", "terraform_version": "1.9.0",
 "planned_values": {"root_module": {"resources": [
   {"address": "azurerm_linux_virtual_machine.db", "mode": "managed", "type": "azurerm_linux_virtual_machine", "name": "db",
    "values": {"name": "db1", "size": "Standard_D8s_v5", "location": "eastus", "zone": "1",
      "os_disk": [{"caching": "ReadWrite", "storage_account_type": "Premium_LRS", "disk_size_gb": 30, "name": "db1-os"}]}},
   {"address": "azurerm_managed_disk.data[0]", "mode": "managed", "type": "azurerm_managed_disk", "name": "data", "index": 0,
    "values": {"name": "a", "storage_account_type": "Premium_LRS", "disk_size_gb": 1024, "location": "eastus", "zone": "1"}},
   {"address": "azurerm_managed_disk.data[1]", "mode": "managed", "type": "azurerm_managed_disk", "name": "data", "index": 1,
    "values": {"name": "b", "storage_account_type": "Premium_LRS", "disk_size_gb": 1024, "location": "eastus", "zone": "1"}},
   {"address": "azurerm_virtual_machine_data_disk_attachment.data[0]", "mode": "managed", "type": "azurerm_virtual_machine_data_disk_attachment",
    "name": "data", "index": 0, "values": {"lun": 0, "caching": "ReadOnly"}},
   {"address": "azurerm_virtual_machine_data_disk_attachment.data[1]", "mode": "managed", "type": "azurerm_virtual_machine_data_disk_attachment",
    "name": "data", "index": 1, "values": {"lun": 1, "caching": "ReadOnly"}}],
  "child_modules": [{"address": "module.m[0]", "resources": [
   {"address": "module.m[0].azurerm_windows_virtual_machine.w", "mode": "managed", "type": "azurerm_windows_virtual_machine",
    "values": {"name": "w", "size": "Standard_D2s_v5", "os_disk": [{"caching": "ReadWrite", "storage_account_type": "StandardSSD_LRS"}]}},
   {"address": "module.m[0].azurerm_managed_disk.d", "mode": "managed", "type": "azurerm_managed_disk",
    "values": {"name": "d", "storage_account_type": "UltraSSD_LRS", "disk_size_gb": 64, "disk_iops_read_write": 5000, "disk_mbps_read_write": 200}},
   {"address": "module.m[0].azurerm_virtual_machine_data_disk_attachment.d", "mode": "managed", "type": "azurerm_virtual_machine_data_disk_attachment",
    "values": {"lun": 4, "caching": "None"}}]}]}},
 "resource_changes": [{"address": "x"}],
 "configuration": {"root_module": {"resources": [
   {"address": "azurerm_virtual_machine_data_disk_attachment.data", "type": "azurerm_virtual_machine_data_disk_attachment", "expressions": {
     "managed_disk_id": {"references": ["azurerm_managed_disk.data", "count.index"]},
     "virtual_machine_id": {"references": ["azurerm_linux_virtual_machine.db.id", "azurerm_linux_virtual_machine.db"]}}}],
  "module_calls": {"m": {"source": "./m", "module": {"resources": [
   {"address": "azurerm_virtual_machine_data_disk_attachment.d", "type": "azurerm_virtual_machine_data_disk_attachment", "expressions": {
     "managed_disk_id": {"references": ["azurerm_managed_disk.d.id", "azurerm_managed_disk.d"]},
     "virtual_machine_id": {"references": ["azurerm_windows_virtual_machine.w.id", "azurerm_windows_virtual_machine.w"]}}}]}}}}}}"#;

#[test]
fn a_plan_whose_ids_are_not_known_yet_is_joined_by_what_refers_to_what() {
    let estate = check(
        &[PLAN],
        &[
            "db1 Standard_D8s_v5 1: db1-os premium_ssd 30 ReadWrite ?; a premium_ssd 1024 ReadOnly 0; b premium_ssd 1024 ReadOnly 1",
            "w Standard_D2s_v5 :  standard_ssd ? ReadWrite ?; d ultra 64 5000/200 None 4",
        ],
    );
    assert!(estate.loose.is_empty() && estate.doubts.is_empty(), "{estate:?}");
}

#[test]
fn a_state_is_read_as_it_is_stored_and_as_it_is_shown() {
    let values = |of: &str| {
        format!(r#"{{"id": "/subscriptions/s/x/{of}", "name": "{of}", "size": "Standard_D2s_v5", "vm_size": null}}"#)
    };
    let stored = format!(
        r#"{{"version": 4, "terraform_version": "1.9.0", "resources": [{{"mode": "managed", "type": "azurerm_linux_virtual_machine", "name": "v",
        "provider": "p", "instances": [{{"index_key": 0, "attributes": {}}}, {{"index_key": "k", "attributes": {}}}]}}]}}"#,
        values("a"),
        values("b")
    );
    check(&[&stored], &["a Standard_D2s_v5 : ", "b Standard_D2s_v5 : "]);
    let shown = format!(
        r#"{{"values": {{"root_module": {{"resources": [{{"address": "azurerm_linux_virtual_machine.v", "mode": "managed",
        "type": "azurerm_linux_virtual_machine", "values": {}}}]}}}}}}"#,
        values("a")
    );
    check(&[&shown], &["a Standard_D2s_v5 : "]);
}

#[test]
fn a_compiled_template_is_read_with_its_defaults_and_copies() {
    let template = r#"{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0",
     "parameters": {"size": {"type": "string", "defaultValue": "Standard_D8s_v5"}, "name": {"type": "string", "defaultValue": "db"}, "open": {"type": "string"}},
     "variables": {"disk": "[concat(parameters('name'), '-data')]"},
     "resources": [
      {"type": "Microsoft.Compute/virtualMachines", "name": "[format('{0}-{1}', parameters('name'), copyIndex(1))]", "location": "[resourceGroup().location]",
       "copy": {"name": "vms", "count": 2}, "zones": ["1"],
       "properties": {"hardwareProfile": {"vmSize": "[parameters('size')]"}, "storageProfile": {
         "osDisk": {"osType": "Linux", "caching": "ReadWrite", "managedDisk": {"storageAccountType": "Premium_LRS"}},
         "copy": [{"name": "dataDisks", "count": 2, "input": {"lun": "[copyIndex('dataDisks')]", "diskSizeGB": 128, "caching": "None", "managedDisk": {"storageAccountType": "Premium_LRS"}}}]}}},
      {"type": "Microsoft.Compute/disks", "name": "[variables('disk')]", "sku": {"name": "Premium_LRS"}, "properties": {"diskSizeGB": 64}},
      {"type": "Microsoft.Resources/deployments", "name": "inner", "properties": {"expressionEvaluationOptions": {"scope": "inner"},
        "parameters": {"vm": {"value": "[parameters('name')]"}},
        "template": {"parameters": {"vm": {"type": "string"}, "sku": {"type": "string"}}, "resources": [
          {"type": "Microsoft.Compute/virtualMachines", "name": "[parameters('vm')]", "properties": {"hardwareProfile": {"vmSize": "[parameters('sku')]"},
            "storageProfile": {"dataDisks": [{"lun": 0, "managedDisk": {"id": "[resourceId('Microsoft.Compute/disks', 'db-data')]"}}]}}}]}}}]}"#;
    let estate = check(
        &[template],
        &[
            "db ? : db-data premium_ssd 64 ? 0",
            "db-1 Standard_D8s_v5 1:  premium_ssd ? ReadWrite ?;  premium_ssd 128 None 0;  premium_ssd 128 None 1",
            "db-2 Standard_D8s_v5 1:  premium_ssd ? ReadWrite ?;  premium_ssd 128 None 0;  premium_ssd 128 None 1",
        ],
    );
    assert!(matches!(&estate.doubts[..], [Doubt::Expression { field: "size", .. }]), "{:?}", estate.doubts);
}

#[test]
fn nodes_of_a_cluster_have_the_disks_of_their_volumes() {
    let list = r#"{"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": [
      {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "aks-np-1", "labels": {"node.kubernetes.io/instance-type": "Standard_D4s_v5",
        "topology.kubernetes.io/region": "eastus", "topology.kubernetes.io/zone": "eastus-2", "kubernetes.io/os": "linux", "kubernetes.azure.com/storageprofile": "managed"}},
       "spec": {"providerID": "azure:///subscriptions/s/resourceGroups/mc/providers/Microsoft.Compute/virtualMachineScaleSets/np/virtualMachines/0"},
       "status": {"volumesAttached": [{"name": "kubernetes.io/csi/disk.csi.azure.com^/subscriptions/s/resourceGroups/mc/providers/Microsoft.Compute/disks/pvc-1", "devicePath": ""}]}},
      {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pvc-1"}, "spec": {"capacity": {"storage": "100Gi"}, "storageClassName": "fast",
        "claimRef": {"namespace": "shop", "name": "pg"}, "csi": {"driver": "disk.csi.azure.com", "volumeHandle": "/subscriptions/s/resourceGroups/mc/providers/Microsoft.Compute/disks/pvc-1"}}},
      {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "files"}, "spec": {"csi": {"driver": "file.csi.azure.com", "volumeHandle": "x"}}},
      {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "disk.csi.azure.com", "parameters": {"skuName": "Premium_LRS", "cachingMode": "ReadOnly"}}]}"#;
    let estate = check(&[list], &["aks-np-1 Standard_D4s_v5 2: os ? ? ? ?; pvc-1 premium_ssd 100 ReadOnly ?"]);
    assert_eq!(estate.machines[0].disks[1].claim.text(), Some("shop/pg"));
    assert_eq!(estate.unread.records.len(), 1);
}
