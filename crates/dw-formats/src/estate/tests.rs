use dw_estate::{Disk, Doubt, Estate, Gathered, Machine};

use super::read;

/// What files become, in lines: `name size zone: disk kind gib cache lun`.
fn read_all(files: &[&str]) -> Estate {
    let mut gathered = Gathered::default();
    for (number, text) in files.iter().enumerate() {
        read(&format!("file{number}"), &mut text.as_bytes(), &mut gathered).unwrap();
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

const ONE_INSTANCE: &str = r#"{"InstanceId": "i-1", "InstanceType": "m5.large", "Placement": {"AvailabilityZone": "eu-west-1a"}, "State": {"Name": "running"},
  "BlockDeviceMappings": [{"DeviceName": "/dev/sdf", "Ebs": {"VolumeId": "vol-1"}}], "Tags": [{"Key": "Name", "Value": "db"}]}"#;
const ONE_VOLUME: &str = r#"{"VolumeId": "vol-1", "VolumeType": "gp3", "Size": 500, "Iops": 6000, "Throughput": 250, "AvailabilityZone": "eu-west-1a"}"#;

/// Whole answers, what queries leave of them (`Reservations[].Instances`, `Reservations[].Instances[]`, `{i: ..., v: ...}`), and what programs
/// wrap around them.
#[test]
fn whatever_a_query_leaves_of_reservations_is_read() {
    let whole = format!("{{\"Volumes\": [{ONE_VOLUME}]}}");
    for instances in [
        format!(
            "{{\"Reservations\": [{{\"ReservationId\": \"r-1\", \"OwnerId\": \"1\", \"Instances\": [{ONE_INSTANCE}]}}]}}"
        ),
        format!("{{\"Reservations\": [{{\"OwnerId\": \"1\", \"Groups\": [], \"Instances\": [{ONE_INSTANCE}]}}]}}"),
        format!("{{\"Reservations\": [{{\"Instances\": [{ONE_INSTANCE}]}}]}}"),
        format!("{{\"Reservations\": [[{ONE_INSTANCE}]]}}"),
        format!("{{\"Instances\": [[{ONE_INSTANCE}]]}}"),
        format!("[{{\"Instances\": [{ONE_INSTANCE}]}}]"),
        format!("[{{\"ReservationId\": \"r-1\", \"Instances\": [{ONE_INSTANCE}]}}]"),
        format!("[{ONE_INSTANCE}]"),
        format!("[[{ONE_INSTANCE}], []]"),
        format!("[[[{ONE_INSTANCE}]]]"),
        format!("[{{\"Reservations\": [{{\"Instances\": [{ONE_INSTANCE}]}}]}}, {{\"Reservations\": []}}]"),
        format!("{{\"machines\": [{ONE_INSTANCE}]}}"),
        format!("{{\"eu\": {{\"found\": [[{ONE_INSTANCE}]]}}}}"),
        format!("{{\"answer\": {{\"Reservations\": [{{\"Instances\": [{ONE_INSTANCE}]}}]}}}}"),
        ONE_INSTANCE.to_string(),
    ] {
        let estate = check(&[&instances, &whole], &["db m5.large eu-west-1a: vol-1 gp3 500 6000/? None 5"]);
        assert!(estate.doubts.is_empty(), "{instances}: {:?}", estate.doubts);
    }
    let wrapped = format!("{{\"i\": [{ONE_INSTANCE}], \"v\": [{ONE_VOLUME}]}}");
    check(&[&wrapped], &["db m5.large eu-west-1a: vol-1 gp3 500 6000/? None 5"]);
    // Neither what lacks its names nor what is about a machine is one.
    for (text, doubts) in [
        (r#"[["i-1", "m5.large"], ["i-2", "m5.large"]]"#, 2),
        (r#"{"InstanceStatuses": [{"InstanceId": "i-1", "InstanceState": {"Name": "running"}}]}"#, 1),
    ] {
        let estate = check(&[text], &[]);
        assert_eq!(estate.doubts.len(), doubts, "{:?}", estate.doubts);
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

/// What Resource Graph prints around records, through its command and through its interface.
#[test]
fn a_part_of_a_list_is_told() {
    let page = |more: &str| format!("{{\"count\": 1, \"data\": [{VM}]{more}}}");
    let second = |more: &str| page(more).replace("db1", "db2");
    for (files, expected) in [
        (vec![page(", \"skip_token\": null, \"total_records\": 1")], vec![]),
        (vec![page(", \"skip_token\": \"x\", \"total_records\": 5000")], vec!["file0: 1 of Some(5000)"]),
        (
            vec![page(", \"totalRecords\": 5000, \"resultTruncated\": \"true\", \"$skipToken\": \"x\"")],
            vec!["file0: 1 of Some(5000)"],
        ),
        (vec![page(", \"resultTruncated\": \"true\"")], vec!["file0: 1 of None"]),
        (vec![page(", \"result_truncated\": true")], vec!["file0: 1 of None"]),
        (vec![page(", \"resultTruncated\": \"false\"")], vec![]),
        (vec![page(", \"skip_token\": \"x\"")], vec!["MorePages"]),
        // Both pages of two are all of it, in any order; two of three are not.
        (vec![page(", \"skip_token\": \"x\", \"total_records\": 2"), second(", \"total_records\": 2")], vec![]),
        (vec![second(", \"total_records\": 2"), page(", \"skip_token\": \"x\", \"total_records\": 2")], vec![]),
        (
            vec![page(", \"skip_token\": \"x\", \"total_records\": 3"), second(", \"total_records\": 3")],
            vec!["file0, file1: 2 of Some(3)"],
        ),
    ] {
        let estate = read_all(&files.iter().map(String::as_str).collect::<Vec<_>>());
        let doubts = estate.doubts.iter().map(|doubt| match doubt {
            Doubt::Part { files, records, total } => format!("{}: {records} of {total:?}", files.join(", ")),
            Doubt::MorePages { .. } => "MorePages".into(),
            other => format!("{other:?}"),
        });
        assert_eq!(doubts.collect::<Vec<_>>(), expected, "{files:?}");
        assert_eq!(estate.machines.len(), files.len());
    }
}

/// Sizes as templates choose them: the text of `vmSize`, and what it is, `?` where only who deploys knows.
#[test]
fn expressions_of_a_template_are_looked_up() {
    let parameters = serde_json::json!({
        "env": { "type": "string", "defaultValue": "dev", "allowedValues": ["dev", "prod"] },
        "tier": { "type": "string", "allowedValues": ["gold"] },
        "open": { "type": "string", "allowedValues": ["dev", "prod"] },
        "n": { "type": "int", "defaultValue": 1 },
        "vm": { "type": "object", "defaultValue": { "size": "Standard_D2s_v5", "per-env": { "dev": "Standard_D4s_v5" } } },
        "of": { "type": "string", "defaultValue": "[variables('sizes').dev]" },
    });
    let variables = serde_json::json!({
        "sizes": { "dev": "Standard_D2s_v5", "prod": "Standard_D8s_v5", "where": "[resourceGroup().location]" },
        "deep": { "a": { "b": { "dev": { "c": "Standard_E2s_v5" }, "prod": { "c": "Standard_E8s_v5" } } } },
        "list": ["Standard_F2s_v2", "Standard_F4s_v2"],
        "env": "[parameters('env')]",
        "copy": [{ "name": "made", "count": 2, "input": "[concat('Standard_D', add(copyIndex('made'), 2), 's_v5')]" }],
        "circle": "[variables('circle')]",
    });
    for (text, size) in [
        ("[variables('sizes')[parameters('env')]]", "Standard_D2s_v5"),
        ("[variables('sizes')[parameters('ENV')]]", "Standard_D2s_v5"),
        ("[variables('sizes')[variables('env')]]", "Standard_D2s_v5"),
        ("[variables('sizes')['PROD']]", "Standard_D8s_v5"),
        ("[variables('deep').a.b[parameters('env')].c]", "Standard_E2s_v5"),
        ("[variables('deep')['a'].b[ parameters('env') ]['c']]", "Standard_E2s_v5"),
        ("[variables('list')[parameters('n')]]", "Standard_F4s_v2"),
        ("[parameters('vm').size]", "Standard_D2s_v5"),
        ("[parameters('vm').?size]", "Standard_D2s_v5"),
        ("[parameters('vm')['per-env'][parameters('env')]]", "Standard_D4s_v5"),
        ("[parameters('of')]", "Standard_D2s_v5"),
        ("[variables('made')[1]]", "Standard_D3s_v5"),
        ("[if(equals(parameters('env'), 'dev'), 'Standard_D2s_v5', parameters('nobody'))]", "Standard_D2s_v5"),
        (
            "[if(or(equals(parameters('open'), 'x'), equals(parameters('tier'), 'gold')), 'Standard_D2s_v5', 'x')]",
            "Standard_D2s_v5",
        ),
        ("[if(contains(variables('sizes'), parameters('env')), first(variables('list')), '')]", "Standard_F2s_v2"),
        ("[coalesce(null(), variables('sizes').prod)]", "Standard_D8s_v5"),
        ("[format('Standard_D{0}s_{1}', mul(parameters('n'), 4), toLower('V5'))]", "Standard_D4s_v5"),
        ("[replace(variables('sizes').dev, 'D2', 'D16')]", "Standard_D16s_v5"),
        ("[union(variables('sizes'), createObject('dev', 'Standard_D32s_v5')).dev]", "Standard_D32s_v5"),
        // What nobody knows stays unknown.
        ("[variables('sizes')[parameters('open')]]", "?"),
        ("[variables('sizes').where]", "?"),
        ("[concat('Standard_', variables('sizes').where)]", "?"),
        ("[variables('sizes')[parameters('n')]]", "?"),
        ("[variables('list')[7]]", "?"),
        ("[if(equals(parameters('open'), 'dev'), 'a', 'b')]", "?"),
        ("[variables('circle')]", "?"),
        ("[div(1, 0)]", "?"),
    ] {
        let template = serde_json::json!({ "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
            "parameters": parameters, "variables": variables, "resources": [
                { "type": "Microsoft.Compute/virtualMachines", "name": "vm", "properties": { "hardwareProfile": { "vmSize": text } } }] });
        let estate = read_all(&[&template.to_string()]);
        let own = estate.machines[0].size.text().unwrap_or("?");
        let is_doubted = estate.doubts.iter().any(|doubt| matches!(doubt, Doubt::Expression { field: "size", .. }));
        assert!(own == size && is_doubted == (size == "?"), "{text}: {own} {:?}", estate.doubts);
    }
}

/// A plan of blocks (address, values) with a configuration.
fn plan(blocks: &[(&str, serde_json::Value)], configuration: serde_json::Value) -> String {
    let block = |(address, values): &(&str, serde_json::Value)| {
        let begin = ["azurerm_", "aws_"].into_iter().find_map(|provider| address.rfind(provider)).unwrap();
        let kind = address[begin..].split('.').next().unwrap();
        serde_json::json!({ "address": address, "mode": "managed", "type": kind, "values": values })
    };
    let resources: Vec<_> = blocks.iter().map(block).collect();
    serde_json::json!({ "format_version": "1.2", "planned_values": { "root_module": { "resources": resources } },
        "configuration": { "root_module": configuration } })
    .to_string()
}

/// Attachments whose ids come through outputs and variables of modules: a configuration of the root module, and which disks are where.
#[test]
fn a_plan_is_joined_through_modules() {
    use serde_json::{Value, json};
    let vm = |name: &str| json!({ "name": name, "size": "Standard_D8s_v5", "os_disk": [] });
    let disk = |name: &str| json!({ "name": name, "storage_account_type": "Premium_LRS", "disk_size_gb": 64 });
    let lun = |lun: u64| json!({ "lun": lun, "caching": "None" });
    let refers = |list: &[&str]| json!({ "references": list });
    let output = |list: &[&str]| json!({ "expression": refers(list) });
    let attach = |machine: &[&str], disk: &[&str]| {
        json!({ "address": "azurerm_virtual_machine_data_disk_attachment.a", "type": "azurerm_virtual_machine_data_disk_attachment",
            "expressions": { "virtual_machine_id": refers(machine), "managed_disk_id": refers(disk) } })
    };
    let outputs = json!({ "outputs": { "id": output(&["azurerm_linux_virtual_machine.v.id", "azurerm_linux_virtual_machine.v"]),
        "name": output(&["azurerm_linux_virtual_machine.v.name", "azurerm_linux_virtual_machine.v"]) } });
    let disks = json!({ "outputs": { "ids": output(&["azurerm_managed_disk.d"]) } });
    let call =
        |module: &Value, expressions: Value| json!({ "source": "./m", "expressions": expressions, "module": module });
    let mut each = attach(&["module.vm", "each.key"], &["each.value.id", "each.value"]);
    each["for_each_expression"] = refers(&["azurerm_managed_disk.d"]);
    let within = json!({ "resources": [attach(&["var.vm_id"], &["var.disks"])] });
    type Blocks<'a> = Vec<(&'a str, Value)>;
    let att = "azurerm_virtual_machine_data_disk_attachment.a";
    let cases: Vec<(&str, Blocks, Value, &[&str])> = vec![
        (
            "an output named id, disks of another module by number",
            vec![
                ("module.vm.azurerm_linux_virtual_machine.v", vm("v")),
                ("module.data.azurerm_managed_disk.d[0]", disk("d0")),
                ("module.data.azurerm_managed_disk.d[1]", disk("d1")),
                ("azurerm_virtual_machine_data_disk_attachment.a[0]", lun(0)),
                ("azurerm_virtual_machine_data_disk_attachment.a[1]", lun(1)),
            ],
            json!({ "resources": [attach(&["module.vm.id", "module.vm"], &["module.data.ids", "module.data", "count.index"])],
                "module_calls": { "vm": call(&outputs, json!({})), "data": call(&disks, json!({})) } }),
            &["v Standard_D8s_v5 : d0 premium_ssd 64 None 0; d1 premium_ssd 64 None 1"],
        ),
        (
            "a module for each, and each value of the disks",
            vec![
                ("module.vm[\"x.y\"].azurerm_linux_virtual_machine.v", vm("vx")),
                ("module.vm[\"z\"].azurerm_linux_virtual_machine.v", vm("vz")),
                ("azurerm_managed_disk.d[\"x.y\"]", disk("dx")),
                ("azurerm_managed_disk.d[\"z\"]", disk("dz")),
                ("azurerm_virtual_machine_data_disk_attachment.a[\"x.y\"]", lun(0)),
                ("azurerm_virtual_machine_data_disk_attachment.a[\"z\"]", lun(0)),
            ],
            json!({ "resources": [each], "module_calls": { "vm": call(&outputs, json!({})) } }),
            &["vx Standard_D8s_v5 : dx premium_ssd 64 None 0", "vz Standard_D8s_v5 : dz premium_ssd 64 None 0"],
        ),
        (
            "variables of the module that attaches, given the output of another and a thing of the root",
            vec![
                ("module.vm.azurerm_linux_virtual_machine.v", vm("v")),
                ("azurerm_managed_disk.d", disk("d")),
                ("module.join.azurerm_virtual_machine_data_disk_attachment.a", lun(3)),
            ],
            json!({ "module_calls": { "vm": call(&outputs, json!({})), "join": call(&within, json!({
                "vm_id": refers(&["module.vm.id", "module.vm"]), "disks": refers(&["azurerm_managed_disk.d.id", "azurerm_managed_disk.d"]) })) } }),
            &["v Standard_D8s_v5 : d premium_ssd 64 None 3"],
        ),
        (
            "a counted module that is given what bears its number",
            vec![
                ("azurerm_linux_virtual_machine.v[0]", vm("v0")),
                ("azurerm_linux_virtual_machine.v[1]", vm("v1")),
                ("azurerm_managed_disk.d[0]", disk("d0")),
                ("azurerm_managed_disk.d[1]", disk("d1")),
                ("module.join[0].azurerm_virtual_machine_data_disk_attachment.a", lun(0)),
                ("module.join[1].azurerm_virtual_machine_data_disk_attachment.a", lun(1)),
            ],
            json!({ "module_calls": { "join": call(&within, json!({ "vm_id": refers(&["azurerm_linux_virtual_machine.v", "count.index"]),
                "disks": refers(&["azurerm_managed_disk.d", "count.index"]) })) } }),
            &["v0 Standard_D8s_v5 : d0 premium_ssd 64 None 0", "v1 Standard_D8s_v5 : d1 premium_ssd 64 None 1"],
        ),
        (
            "outputs of modules within modules",
            vec![
                ("module.outer.module.vm.azurerm_linux_virtual_machine.v", vm("v")),
                ("azurerm_managed_disk.d", disk("d")),
                (att, lun(0)),
            ],
            json!({ "resources": [attach(&["module.outer.vm", "module.outer"], &["azurerm_managed_disk.d.id", "azurerm_managed_disk.d"])],
                "module_calls": { "outer": call(&json!({ "outputs": { "vm": output(&["module.vm.id", "module.vm"]) },
                    "module_calls": { "vm": call(&outputs, json!({})) } }), json!({})) } }),
            &["v Standard_D8s_v5 : d premium_ssd 64 None 0"],
        ),
    ];
    for (name, blocks, configuration, expected) in cases {
        let estate = read_all(&[&plan(&blocks, configuration)]);
        assert_eq!(estate.machines.iter().map(line).collect::<Vec<_>>(), expected, "{name}: {:?}", estate.doubts);
        assert!(estate.doubts.is_empty() && estate.loose.is_empty(), "{name}: {:?}", estate.doubts);
    }
    // Two machines that one output may be: nobody guesses.
    let two = json!({ "outputs": { "a": output(&["azurerm_linux_virtual_machine.v"]), "b": output(&["azurerm_linux_virtual_machine.w"]) } });
    let blocks = [
        ("module.vm.azurerm_linux_virtual_machine.v", vm("v")),
        ("module.vm.azurerm_linux_virtual_machine.w", vm("w")),
        ("azurerm_managed_disk.d", disk("d")),
        (att, lun(0)),
    ];
    for machine in [&["module.vm"][..], &["local.id"], &["var.id"], &["module.nobody.id", "module.nobody"]] {
        let configuration = json!({ "resources": [attach(machine, &["azurerm_managed_disk.d"])], "module_calls": { "vm": call(&two, json!({})) } });
        let estate = read_all(&[&plan(&blocks, configuration)]);
        assert!(
            matches!(&estate.doubts[..], [Doubt::Unresolved { .. }]) && estate.loose.len() == 1,
            "{machine:?}: {:?}",
            estate.doubts
        );
    }
}

/// The same of volumes and instances.
#[test]
fn a_plan_of_volumes_is_joined_through_modules() {
    use serde_json::json;
    let blocks = [
        (
            "module.db.aws_instance.i[0]",
            json!({ "instance_type": "m5.large", "availability_zone": "eu-west-1a", "tags": { "Name": "db" } }),
        ),
        (
            "module.data.aws_ebs_volume.v",
            json!({ "size": 500, "type": "gp3", "availability_zone": "eu-west-1a", "tags": { "Name": "data" } }),
        ),
        ("module.join.aws_volume_attachment.a", json!({ "device_name": "/dev/sdf" })),
    ];
    let output = |list: &[&str]| json!({ "expression": { "references": list } });
    let configuration = json!({ "module_calls": {
        "db": { "module": { "outputs": { "ids": output(&["aws_instance.i"]) } } },
        "data": { "module": { "outputs": { "volume": output(&["aws_ebs_volume.v.id", "aws_ebs_volume.v"]) } } },
        "join": { "expressions": { "instance": { "references": ["module.db.ids[0]", "module.db.ids", "module.db"] },
            "volume": { "references": ["module.data.volume", "module.data"] } },
          "module": { "resources": [{ "address": "aws_volume_attachment.a", "type": "aws_volume_attachment", "expressions": {
            "instance_id": { "references": ["var.instance"] }, "volume_id": { "references": ["var.volume"] } } }] } } } });
    let estate = check(&[&plan(&blocks, configuration)], &["db m5.large eu-west-1a: data gp3 500 3000/? None 5"]);
    assert!(estate.doubts.is_empty(), "{:?}", estate.doubts);
}

#[test]
fn a_wide_text_is_read() {
    let text = format!("[{VM}]");
    let bytes: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let mut gathered = Gathered::default();
    read("x", &mut bytes.as_slice(), &mut gathered).unwrap();
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

/// Public test plans are often cut down to what changes.
#[test]
fn a_plan_of_changes_alone_is_what_they_lead_to() {
    let block = |kind: &str, actions: &str, after: &str| {
        format!(
            r#"{{"address": "{kind}.x", "mode": "managed", "type": "{kind}", "name": "x", "change": {{"actions": ["{actions}"], "before": null, "after": {after}}}}}"#
        )
    };
    let machine = block(
        "azurerm_linux_virtual_machine",
        "create",
        r#"{"name": "v", "size": "Standard_B2s", "location": "East US"}"#,
    );
    let gone = block("azurerm_managed_disk", "delete", "null");
    let plan = format!(r#"{{"format_version": "1.2", "resource_changes": [{machine}, {gone}], "errored": false}}"#);
    check(&[&plan], &["v Standard_B2s : "]);
    // Beside the values they say nothing new.
    let whole = format!(r#"{{"planned_values": {{"root_module": {{}}}}, "resource_changes": [{machine}]}}"#);
    check(&[&whole], &[]);
}

#[test]
fn a_record_that_is_no_json_is_left_out_with_its_line() {
    let vm = |name: &str| {
        format!(
            r#"{{"id": "/s/providers/Microsoft.Compute/virtualMachines/{name}", "name": "{name}", "hardwareProfile": {{"vmSize": "Standard_B2s"}}}}"#
        )
    };
    let list = format!("[{},\n{{\"id\": oops}},\n{}]", vm("a"), vm("b"));
    let estate = check(&[&list], &["a Standard_B2s ?: ", "b Standard_B2s ?: "]);
    assert!(
        matches!(&estate.doubts[..], [Doubt::Record { what, .. }] if what.contains("line 2")),
        "{:?}",
        estate.doubts
    );
    let cut = format!("{{\"value\": [{}, {}", vm("a"), &vm("b")[..40]);
    let estate = check(&[&cut], &["a Standard_B2s ?: "]);
    assert!(matches!(&estate.doubts[..], [Doubt::CutShort { records: 1, .. }]), "{:?}", estate.doubts);
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

/// An instance as its interface has it.
const INSTANCE: &str = r#"{"InstanceId": "i-0F1e2d3c", "InstanceType": "m5.large", "State": {"Code": 16, "Name": "running"},
  "Placement": {"AvailabilityZone": "eu-central-1a", "Tenancy": "default"}, "RootDeviceName": "/dev/xvda", "Platform": "windows", "Surprise": 1,
  "Tags": [{"Key": "Name", "Value": "sql"}, {"Key": "env", "Value": "prod"}],
  "BlockDeviceMappings": [
    {"DeviceName": "/dev/xvda", "Ebs": {"VolumeId": "vol-01", "DeleteOnTermination": true, "Status": "attached"}},
    {"DeviceName": "/dev/sdf", "Ebs": {"VolumeId": "vol-02", "DeleteOnTermination": false, "Status": "attached"}},
    {"DeviceName": "/dev/sdg", "Ebs": {"VolumeId": "vol-03", "DeleteOnTermination": false, "Status": "attached"}}]}"#;
const VOLUMES: &str = r#"{"Volumes": [
  {"VolumeId": "vol-01", "VolumeType": "gp2", "Size": 50, "Iops": 150, "State": "in-use", "AvailabilityZone": "eu-central-1a",
   "Attachments": [{"InstanceId": "i-0f1e2d3c", "Device": "/dev/xvda", "State": "attached"}]},
  {"VolumeId": "vol-02", "VolumeType": "gp3", "Size": 500, "Iops": 6000, "Throughput": 250, "State": "in-use", "AvailabilityZone": "eu-central-1a",
   "MultiAttachEnabled": false, "Tags": [{"Key": "Name", "Value": "data"}], "Attachments": [{"InstanceId": "i-0f1e2d3c", "Device": "/dev/sdf", "State": "attached"}]},
  {"VolumeId": "vol-03", "VolumeType": "io2", "Size": 100, "Iops": 9000, "State": "in-use", "AvailabilityZone": "eu-central-1a",
   "MultiAttachEnabled": true, "Attachments": [{"InstanceId": "i-0f1e2d3c", "Device": "/dev/sdg", "State": "attached"}]},
  {"VolumeId": "vol-04", "VolumeType": "st1", "Size": 500, "State": "available", "AvailabilityZone": "eu-central-1b", "Attachments": []}]}"#;

#[test]
fn instances_and_volumes_are_joined_in_any_order_and_form() {
    let joined =
        "sql m5.large eu-central-1a: vol-01 gp2 50 None 0; data gp3 500 6000/? None 5; vol-03 io2 100 9000/? None 6";
    let reservation = format!(r#"{{"ReservationId": "r-1", "OwnerId": "1", "Groups": [], "Instances": [{INSTANCE}]}}"#);
    let answer = format!(r#"{{"Reservations": [{reservation}]}}"#);
    for instances in [
        answer.clone(),
        format!("[{answer}]"),
        format!("[{reservation}]"),
        format!("[[{INSTANCE}]]"),
        format!("[{INSTANCE}]"),
        INSTANCE.to_string(),
    ] {
        for files in [[&*instances, VOLUMES], [VOLUMES, &*instances]] {
            let estate = check(&files, &[joined]);
            assert_eq!(estate.loose.iter().map(|disk| &*disk.id).collect::<Vec<_>>(), ["vol-04"], "{instances}");
            assert!(estate.doubts.is_empty(), "{:?}", estate.doubts);
            let fields: Vec<_> = estate.unread.fields.iter().map(|(field, n)| (field.as_str(), *n)).collect();
            assert_eq!(fields, [("instance.Surprise", 1)]);
            assert!(estate.unread.records.is_empty(), "{:?}", estate.unread);
            let (machine, disks) = (&estate.machines[0], &estate.machines[0].disks);
            assert_eq!(
                (machine.region.text(), machine.os.value()),
                (Some("eu-central-1"), Some(dw_estate::Os::Windows))
            );
            assert_eq!(machine.tags.len(), 2);
            assert_eq!(disks.iter().map(|disk| disk.mib.value()).collect::<Vec<_>>(), [None, Some(250), None]);
            assert_eq!(disks.iter().map(|disk| disk.shares.value()).collect::<Vec<_>>(), [None, Some(1), Some(16)]);
            let dies: Vec<_> = disks.iter().map(|disk| disk.dies_with_machine.value()).collect();
            assert_eq!(dies, [Some(true), Some(false), Some(false)]);
        }
    }
}

/// A node, volumes of it, and classes, as `kubectl get nodes,pv,pvc,sc -o json` prints them.
const CLUSTER: &str = r#"{"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": [
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "ip-10-0-1-23.eu-central-1.compute.internal", "labels": {
    "node.kubernetes.io/instance-type": "m5.large", "topology.kubernetes.io/region": "eu-central-1", "topology.kubernetes.io/zone": "eu-central-1a",
    "kubernetes.io/os": "linux", "eks.amazonaws.com/capacityType": "SPOT", "eks.amazonaws.com/nodegroup": "db"}},
   "spec": {"providerID": "aws:///eu-central-1a/i-0F1e2d3c", "surprise": 1},
   "status": {"volumesAttached": [{"name": "kubernetes.io/csi/ebs.csi.aws.com^vol-02", "devicePath": ""}, {"name": "kubernetes.io/aws-ebs/aws://eu-central-1a/vol-05", "devicePath": "/dev/xvdbc"},
     {"name": "kubernetes.io/csi/efs.csi.aws.com^fs-1", "devicePath": ""}]}},
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "fargate-ip-10-0-2-7"}, "spec": {"providerID": "aws:///eu-central-1b/0a1b2c-3d/fargate-ip-10-0-2-7"}},
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "gke-1"}, "spec": {"providerID": "gce://p/europe-west3-a/gke-1"}},
  {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pvc-1"}, "spec": {"capacity": {"storage": "500Gi"}, "storageClassName": "fast", "accessModes": ["ReadWriteOnce"],
    "claimRef": {"namespace": "shop", "name": "pg"}, "csi": {"driver": "ebs.csi.aws.com", "volumeHandle": "vol-02", "fsType": "ext4"},
    "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "topology.ebs.csi.aws.com/zone", "operator": "In", "values": ["eu-central-1a"]}]}]}}}},
  {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pvc-2", "labels": {"topology.kubernetes.io/zone": "eu-central-1a"}},
   "spec": {"capacity": {"storage": "100Gi"}, "storageClassName": "old", "awsElasticBlockStore": {"volumeID": "aws://eu-central-1a/vol-05", "fsType": "ext4"}}},
  {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "files"}, "spec": {"csi": {"driver": "efs.csi.aws.com", "volumeHandle": "fs-1"}}},
  {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "pg", "namespace": "shop"}, "spec": {"volumeName": "pvc-1"}},
  {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast"}, "provisioner": "ebs.csi.aws.com", "parameters": {CLASS}},
  {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "old"}, "provisioner": "kubernetes.io/aws-ebs", "parameters": {"type": "io1", "iopsPerGB": "20", "fsType": "ext4"}}]}"#;

#[test]
fn nodes_of_a_cluster_of_instances_have_the_volumes_of_their_classes() {
    // (parameters of the class, kind and rates of its volume of 500 GiB, its MiB/s, what is doubted)
    for (class, volume, mib, doubt) in [
        ("", "gp3 500 3000/?", Some(125), None),
        (
            r#""type": "gp3", "iops": "6000", "throughput": "250", "encrypted": "true""#,
            "gp3 500 6000/?",
            Some(250),
            None,
        ),
        (r#""Type": "io2", "iopsPerGB": "10", "csi.storage.k8s.io/fstype": "xfs""#, "io2 500 5000/?", None, None),
        (r#""type": "gp3", "iopsPerGB": "2""#, "gp3 500", Some(125), None),
        (r#""type": "gp3", "iopsPerGB": "2", "allowAutoIOPSPerGBIncrease": "true""#, "gp3 500 3000/?", Some(125), None),
        (r#""type": "io1", "iopsPerGB": "200""#, "io1 500 25000/?", None, None),
        (r#""type": "gp2""#, "gp2 500", None, None),
        (r#""type": "gp3", "iops": "many""#, "gp3 500", Some(125), None),
        (r#""type": "gp3", "iops": "6000", "iopsPerGB": "10""#, "gp3 500", Some(125), Some("`iops` and `iopsPerGB`")),
        (r#""type": "gp9""#, "? 500", None, Some("kind `gp9`")),
    ] {
        let list = CLUSTER.replace("{CLASS}", &format!("{{{class}}}"));
        let node = format!(
            "ip-10-0-1-23.eu-central-1.compute.internal m5.large eu-central-1a: pvc-1 {volume} None ?; pvc-2 io1 100 2000/? None 54"
        );
        let estate = check(&[&list], &[&node]);
        let machine = &estate.machines[0];
        // Without a place it is behind nothing.
        let disk = machine.disks.iter().find(|disk| &*disk.id == "vol-02").unwrap();
        assert_eq!((disk.mib.value(), disk.claim.text()), (mib, Some("shop/pg")), "{class}");
        assert_eq!(
            (&*machine.id, machine.region.text(), machine.evictable.value()),
            ("i-0f1e2d3c", Some("eu-central-1"), Some(true))
        );
        assert_eq!((disk.region.text(), disk.zone.text()), (Some("eu-central-1"), Some("eu-central-1a")));
        let doubts = format!("{:?}", estate.doubts);
        assert_eq!(
            (estate.doubts.len(), doubts.contains(doubt.unwrap_or_default())),
            (usize::from(doubt.is_some()), true),
            "{doubts}"
        );
        let unread: Vec<_> = estate.unread.records.keys().map(String::as_str).collect();
        assert_eq!(unread, ["Node of gce", "Node without an instance", "PersistentVolume of efs.csi.aws.com"]);
        assert_eq!(estate.unread.fields.keys().collect::<Vec<_>>(), ["Node.surprise"]);
    }
}

#[test]
fn nodes_and_volumes_of_a_cluster_join_what_the_interface_lists() {
    let list = CLUSTER.replace("{CLASS}", r#"{"type": "gp2", "Surprise": "1"}"#);
    // The volume was changed to gp3 since its class made it; the one before is in no list of the interface.
    let old = "pvc-2 io1 100 2000/? None 54";
    for (files, name, data) in [
        ([INSTANCE, VOLUMES, &*list], "sql", "data"),
        ([&*list, VOLUMES, INSTANCE], "ip-10-0-1-23.eu-central-1.compute.internal", "pvc-1"),
    ] {
        let estate = check(
            &files,
            &[&format!(
                "{name} m5.large eu-central-1a: vol-01 gp2 50 None 0; {data} gp3 500 6000/? None 5; vol-03 io2 100 9000/? None 6; {old}"
            )],
        );
        assert_eq!(estate.machines[0].disks[1].claim.text(), Some("shop/pg"));
        assert_eq!((estate.machines[0].is_node.value(), estate.loose.len()), (Some(true), 1));
        let differ: Vec<_> = estate.doubts.iter().map(|doubt| format!("{doubt:?}")).collect();
        // The instance is of Windows and bought as such, its node says otherwise.
        let is_told = |doubt: &String| {
            doubt.contains("\"os\"")
                || doubt.contains("\"evictable\"")
                || doubt.starts_with("Again { machines: 1, members: 0")
        };
        assert!(differ.iter().all(is_told), "{differ:?}");
        assert!(estate.unread.fields.contains_key("StorageClass.Surprise"), "{:?}", estate.unread);
    }
}

#[test]
fn what_is_gone_is_no_machine_and_more_pages_are_said() {
    let gone = INSTANCE.replace("running", "terminated");
    let estate = read_all(&[&format!(r#"{{"Reservations": [], "Instances": [{gone}], "NextToken": "x"}}"#)]);
    assert!(estate.machines.is_empty() && estate.unread.records.contains_key("terminated instance"), "{estate:?}");
    assert!(matches!(&estate.doubts[..], [Doubt::MorePages { .. }, ..]), "{:?}", estate.doubts);
    let stopped = read_all(&[&INSTANCE.replace("running", "stopped")]);
    assert_eq!(stopped.machines[0].state.value(), Some(dw_estate::State::Released));
    let unknown = read_all(&[&VOLUMES.replace("\"st1\"", "\"gp9\"")]);
    assert!(format!("{:?}", unknown.doubts).contains("`vol-04` is of kind `gp9`"), "{:?}", unknown.doubts);
    let yaml = read_all(&["Resources:\n  Db: {}\n"]);
    assert!(format!("{:?}", yaml.doubts).contains("YAML that is no template"), "{:?}", yaml.doubts);
}

#[test]
fn blocks_of_two_providers_stand_in_one_plan() {
    let plan = r#"{"format_version": "1.2", "planned_values": {"root_module": {"resources": [
      {"address": "aws_instance.db", "mode": "managed", "type": "aws_instance", "values": {"instance_type": "r6i.xlarge", "availability_zone": "eu-west-1a", "tags": {"Name": "db"},
        "root_block_device": [{"volume_type": "gp3", "volume_size": 30, "iops": null}], "ebs_block_device": [{"device_name": "/dev/sdh", "volume_type": "io1", "volume_size": 100, "iops": 2000}]}},
      {"address": "aws_ebs_volume.data[0]", "mode": "managed", "type": "aws_ebs_volume", "values": {"size": 500, "type": "gp3", "iops": 6000, "throughput": 250, "availability_zone": "eu-west-1a"}},
      {"address": "aws_ebs_volume.data[1]", "mode": "managed", "type": "aws_ebs_volume", "values": {"size": 500, "availability_zone": "eu-west-1a"}},
      {"address": "aws_volume_attachment.data[0]", "mode": "managed", "type": "aws_volume_attachment", "values": {"device_name": "/dev/sdf"}},
      {"address": "aws_volume_attachment.data[1]", "mode": "managed", "type": "aws_volume_attachment", "values": {"device_name": "/dev/sdg"}},
      {"address": "aws_vpc.main", "mode": "managed", "type": "aws_vpc", "values": {}},
      {"address": "azurerm_linux_virtual_machine.w", "mode": "managed", "type": "azurerm_linux_virtual_machine", "values": {"name": "w", "size": "Standard_D2s_v5"}}]}},
     "configuration": {"root_module": {"resources": [{"address": "aws_volume_attachment.data", "type": "aws_volume_attachment", "expressions": {
       "volume_id": {"references": ["aws_ebs_volume.data", "count.index"]}, "instance_id": {"references": ["aws_instance.db.id", "aws_instance.db"]}}}]}}}"#;
    let estate = check(
        &[plan],
        &[
            "db r6i.xlarge eu-west-1a: root gp3 30 3000/? None ?; aws_ebs_volume.data[0] gp3 500 6000/? None 5; aws_ebs_volume.data[1] gp2 500 None 6; \
             /dev/sdh io1 100 2000/? None 7",
            "w Standard_D2s_v5 : ",
        ],
    );
    assert_eq!(estate.unread.records.iter().collect::<Vec<_>>(), [(&"aws_vpc".to_string(), &1)]);
    assert!(estate.loose.is_empty() && estate.doubts.is_empty(), "{:?}", estate.doubts);
}

#[test]
fn a_stack_is_read_with_its_defaults_and_references() {
    let stack = r#"{"AWSTemplateFormatVersion": "2010-09-09", "Parameters": {"Type": {"Type": "String", "Default": "m5.large"}, "Open": {"Type": "String"}},
      "Mappings": {"Sizes": {"prod": {"gib": 500}}},
      "Resources": {
       "Db": {"Type": "AWS::EC2::Instance", "Properties": {"InstanceType": {"Ref": "Type"}, "AvailabilityZone": "eu-west-1a",
         "Tags": [{"Key": "Name", "Value": {"Fn::Sub": "${Type}-db"}}],
         "BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": {"VolumeType": "gp3", "VolumeSize": "20"}}, {"DeviceName": "/dev/sdb", "NoDevice": {}}]}},
       "Data": {"Type": "AWS::EC2::Volume", "Properties": {"Size": {"Fn::FindInMap": ["Sizes", "prod", "gib"]}, "VolumeType": "gp3", "Iops": 6000, "Throughput": 300,
         "AvailabilityZone": {"Fn::GetAtt": ["Db", "AvailabilityZone"]}}},
       "Att": {"Type": "AWS::EC2::VolumeAttachment", "Properties": {"InstanceId": {"Ref": "Db"}, "VolumeId": {"Fn::GetAtt": "Data.VolumeId"}, "Device": "/dev/sdf"}},
       "Other": {"Type": "AWS::EC2::Instance", "Properties": {"InstanceType": {"Ref": "Open"}}},
       "Net": {"Type": "AWS::EC2::VPC", "Properties": {}}}}"#;
    let expected =
        ["m5.large-db m5.large eu-west-1a: /dev/xvda gp3 20 3000/? None 0; Data gp3 500 6000/? None 5", "Other ? ?: "];
    for text in [stack.to_string(), format!(r#"{{"StagesAvailable": ["Original"], "TemplateBody": {stack}}}"#)] {
        let estate = check(&[&text], &expected);
        assert_eq!(estate.machines[0].disks[1].mib.value(), Some(300));
        assert!(matches!(&estate.doubts[..], [Doubt::Expression { field: "size", .. }]), "{:?}", estate.doubts);
        assert_eq!(estate.unread.records.iter().collect::<Vec<_>>(), [(&"AWS::EC2::VPC".to_string(), &1)]);
    }
}

/// An instance has of its launch template what it does not say itself, whichever of both comes first.
#[test]
fn an_instance_of_a_stack_is_completed_by_its_launch_template() {
    let data = r#"{"InstanceType": "m8g.large", "NetworkPerformanceOptions": {"BandwidthWeighting": "ebs-1"}, "InstanceMarketOptions": {"MarketType": "spot"},
        "BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": {"VolumeType": "gp3", "VolumeSize": 20, "Iops": 4000}},
                                {"DeviceName": "/dev/sdf", "Ebs": {"VolumeType": "gp2", "VolumeSize": 50}}]}"#;
    let root =
        r#", "BlockDeviceMappings": [{"DeviceName": "/dev/xvda", "Ebs": {"VolumeType": "gp3", "VolumeSize": 30}}]"#;
    for (launch, instance) in [("A", "Z"), ("Z", "A")] {
        for (by, more, expected, chosen) in [
            (
                r#""LaunchTemplateId": {"Ref": "L"}"#,
                "",
                "X m8g.large ?: /dev/xvda gp3 20 4000/? None 0; /dev/sdf gp2 50 None 5",
                Some("bandwidth = \"ebs-1\""),
            ),
            (
                r#""LaunchTemplateName": "ours""#,
                r#", "InstanceType": "m8g.xlarge""#,
                "X m8g.xlarge ?: /dev/xvda gp3 20 4000/? None 0; /dev/sdf gp2 50 None 5",
                Some("bandwidth = \"ebs-1\""),
            ),
            (
                r#""LaunchTemplateId": {"Ref": "L"}"#,
                root,
                "X m8g.large ?: /dev/xvda gp3 30 3000/? None 0; /dev/sdf gp2 50 None 5",
                Some("bandwidth = \"ebs-1\""),
            ),
            // One that is elsewhere says nothing here, and nobody knows whether it asks for Spot.
            (r#""LaunchTemplateId": "lt-0abc""#, "", "X ? ?: ", None),
        ] {
            let by = by.replace("\"L\"", &format!("\"{launch}\""));
            let stack = format!(
                r#"{{"Resources": {{
                "{launch}": {{"Type": "AWS::EC2::LaunchTemplate", "Properties": {{"LaunchTemplateName": "ours", "LaunchTemplateData": {data}}}}},
                "{instance}": {{"Type": "AWS::EC2::Instance", "Properties": {{"Tags": [{{"Key": "Name", "Value": "X"}}], "LaunchTemplate": {{{by}, "Version": "1"}}{more}}}}}}}}}"#
            );
            let estate = check(&[&stack], &[expected]);
            let machine = &estate.machines[0];
            assert_eq!((machine.chosen.text(), machine.evictable.value()), (chosen, chosen.map(|_| true)), "{stack}");
            assert!(estate.unread.records.is_empty() && estate.doubts.is_empty(), "{:?}", estate.doubts);
        }
    }
}

/// Short forms, defaults, and conditions that they decide, and do not.
const STACK_IN_YAML: &str = r"# ours
---
AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Type: {Type: String, Default: m5.large}
  Env: {Type: String, Default: prod}
  Gib: {Type: Number, Default: 500}
  Open: {Type: String}
Mappings:
  Kinds:
    prod: {kind: gp3}
Conditions:
  IsProd: !Equals [!Ref Env, prod]
  IsTest: !Not [!Condition IsProd]
  IsOpen: !Equals [!Ref Open, 'yes']
  Both: !And [!Condition IsOpen, !Condition IsTest]
Resources:
  Db:
    Type: AWS::EC2::Instance
    Properties:
      InstanceType: !Ref Type
      AvailabilityZone: eu-west-1a
      Tags:
        - {Key: Name, Value: !Sub '${Type}-db'}
      BlockDeviceMappings:
        - DeviceName: /dev/xvda
          Ebs: {VolumeType: !FindInMap [Kinds, !Ref Env, kind], VolumeSize: 20}
  Data:
    Type: AWS::EC2::Volume
    Properties:
      Size: !If [IsProd, !Ref Gib, 10]
      VolumeType: gp3
      Iops: 6000
      Throughput: !If [IsTest, 125, 300]
      AvailabilityZone: !GetAtt Db.AvailabilityZone
  Att:
    Type: AWS::EC2::VolumeAttachment
    Properties: {InstanceId: !Ref Db, VolumeId: !GetAtt Data.VolumeId, Device: /dev/sdf}
  Spare:
    Type: AWS::EC2::Volume
    Condition: IsOpen
    Properties: {Size: !If [IsOpen, 1, 2], VolumeType: gp3}
  Never:
    Type: AWS::EC2::Volume
    Condition: IsTest
    Properties: {Size: 10}
  Neither:
    Type: AWS::EC2::Volume
    Condition: Both
    Properties: {Size: 10}
";

#[test]
fn a_stack_in_yaml_is_the_stack_in_json() {
    // With its short forms written out, too.
    let json = super::yaml::read("t.yaml", STACK_IN_YAML).unwrap()[0].to_string();
    // As the interface gives it back.
    let body = serde_json::json!({ "StagesAvailable": ["Original"], "TemplateBody": STACK_IN_YAML }).to_string();
    for text in [STACK_IN_YAML, &json, &body] {
        let expected = "m5.large-db m5.large eu-west-1a: /dev/xvda gp3 20 3000/? None 0; Data gp3 500 6000/? None 5";
        let estate = check(&[text], &[expected]);
        assert_eq!(estate.machines[0].disks[1].mib.value(), Some(300));
        let loose: Vec<_> = estate.loose.iter().map(|disk| (&*disk.name, disk.gib.value())).collect();
        assert_eq!(loose, [("Spare", None)]);
        let doubts = estate.doubts.iter().map(|doubt| match doubt {
            Doubt::Expression { name, field, .. } => format!("{name} {field}"),
            other => format!("{other:?}"),
        });
        assert_eq!(doubts.collect::<Vec<_>>(), ["Spare condition", "Spare size"]);
        let unread: Vec<_> = estate.unread.records.iter().map(|(kind, n)| (kind.as_str(), *n)).collect();
        assert_eq!(unread, [("resource whose condition does not hold", 2)]);
    }
}

#[test]
fn the_controller_of_disks_is_read_wherever_it_stands() {
    let profile = r#"{"diskControllerType": "NVMe", "osDisk": {"osType": "Linux"}}"#;
    let list =
        format!(r#"[{{"id": "/x/providers/Microsoft.Compute/virtualMachines/a", "storageProfile": {profile}}}]"#);
    let graph = format!(
        r#"{{"data": [{{"id": "/x/providers/Microsoft.Compute/virtualMachines/a", "properties": {{"storageProfile": {profile}}}}}]}}"#
    );
    let column = format!(
        r#"[{{"id": "/x/providers/Microsoft.Compute/virtualMachines/a", "properties_storageProfile": {profile}}}]"#
    );
    let template = format!(
        r#"{{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "resources": [
          {{"type": "Microsoft.Compute/virtualMachines", "name": "a", "properties": {{"storageProfile": {profile}}}}}]}}"#
    );
    let plan = r#"{"format_version": "1.2", "planned_values": {"root_module": {"resources": [{"address": "azurerm_linux_virtual_machine.a",
        "type": "azurerm_linux_virtual_machine", "values": {"name": "a", "disk_controller_type": "NVMe"}}]}}}"#;
    for text in [&*list, &graph, &column, &template, plan] {
        let estate = read_all(&[text]);
        assert_eq!(estate.machines[0].controller.text(), Some("NVMe"), "{text}");
    }
}

/// Machines and disks as they are counted, disks on nothing, and what was told of more than once: machines, members of groups, disks.
type Counts = (u64, u64, usize, [u64; 3]);

fn counts(files: &[&str]) -> Counts {
    let estate = read_all(files);
    let machines = estate.machines.iter().map(Machine::copies).sum();
    let disks = estate.machines.iter().map(|machine| machine.copies() * machine.disks.len() as u64).sum();
    let again = estate.doubts.iter().find_map(|doubt| match doubt {
        Doubt::Again { machines, members, disks } => Some([*machines, *members, *disks]),
        _ => None,
    });
    (machines, disks, estate.loose.len(), again.unwrap_or_default())
}

#[test]
fn what_two_files_tell_of_is_counted_once() {
    const RG: &str = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute";
    let os = |with: &str| {
        format!(
            r#""osDisk": {{"osType": "Linux", "diskSizeGb": 64, "caching": "ReadWrite"{with}, "managedDisk": {{"storageAccountType": "Premium_LRS"}}}}"#
        )
    };
    // Of `az vm list`: a machine with an OS disk and two data disks, none with an id; the second as another file names it.
    let vm = |name: &str, more: &str, data: &str| {
        format!(
            r#"{{"id": "{RG}/virtualMachines/{name}", "name": "{name}", {more} "hardwareProfile": {{"vmSize": "Standard_D4s_v5"}},
              "storageProfile": {{{}, "dataDisks": [{{"lun": 0, "name": "data"}}, {{"lun": 1, "name": "{data}"}}]}}}}"#,
            os("")
        )
    };
    let disk = |name: &str, of: &str, more: &str| {
        format!(
            r#"{{"id": "{RG}/disks/{name}", "name": "{name}", "sku": {{"name": "Premium_LRS"}}, "diskSizeGb": 64, {more} "diskState": "Attached",
              "managedBy": "{RG}/{of}"}}"#
        )
    };
    let group = |name: &str, count: u64, data: &str| {
        format!(
            r#"{{"id": "{RG}/virtualMachineScaleSets/{name}", "name": "{name}", "zones": ["1", "2"], "sku": {{"name": "Standard_D4s_v5", "capacity": {count}}},
              "virtualMachineProfile": {{"storageProfile": {{{}, "dataDisks": [{data}]}}}}}}"#,
            os("")
        )
    };
    let member = |name: &str| {
        vm(name, &format!(r#""virtualMachineScaleSet": {{"id": "{RG}/virtualMachineScaleSets/flex"}},"#), "log")
    };
    let node = |number: u64| {
        format!(
            r#"{{"apiVersion": "v1", "kind": "Node", "metadata": {{"name": "aks-{number}", "labels": {{"node.kubernetes.io/instance-type": "Standard_D4s_v5",
              "agentpool": "np"}}}}, "spec": {{"providerID": "azure://{RG}/virtualMachineScaleSets/aks/virtualMachines/{number}"}}, "status": {{}}}}"#
        )
    };
    let list = |records: &[String]| format!("[{}]", records.join(","));
    let nodes = |records: &[String]| format!(r#"{{"apiVersion": "v1", "kind": "List", "items": {}}}"#, list(records));
    let plain = list(&[vm("a", "", "log")]);
    let os_disk = |name: &str, of: &str| disk(name, of, r#""osType": "Linux","#);
    let instances = |number: u64| format!("virtualMachineScaleSets/uni/virtualMachines/{number}");
    // Files; machines, disks, disks on nothing, what was told again.
    let cases: Vec<(&str, Vec<String>, Counts)> = vec![
        ("the same list", vec![plain.clone(), plain.clone()], (1, 3, 0, [1, 0, 3])),
        (
            "one list with states, another name on the same LUN",
            vec![plain.clone(), list(&[vm("A", r#""powerState": "VM running","#, "log-2026")])],
            (1, 3, 0, [1, 0, 3]),
        ),
        (
            "disks without an id, and their records",
            vec![
                plain.clone(),
                list(&[
                    os_disk("a-os", "virtualMachines/a"),
                    disk("DATA", "virtualMachines/a", ""),
                    disk("log", "virtualMachines/A", ""),
                ]),
            ],
            (1, 3, 0, [0, 0, 3]),
        ),
        ("a further disk", vec![plain.clone(), list(&[disk("more", "virtualMachines/a", "")])], (1, 4, 0, [0, 0, 0])),
        (
            "a group and all its machines",
            vec![list(&[group("flex", 2, "")]), list(&[member("f0"), member("f1")])],
            (2, 6, 0, [0, 2, 0]),
        ),
        (
            "a group and some of its machines",
            vec![list(&[member("f0")]), list(&[group("flex", 3, "")])],
            (3, 5, 0, [0, 1, 0]),
        ),
        ("a group alone", vec![list(&[group("flex", 3, "")])], (3, 3, 0, [0, 0, 0])),
        ("another group's machines", vec![list(&[member("f0")]), list(&[group("other", 3, "")])], (4, 6, 0, [0, 0, 0])),
        (
            "nodes and their groups",
            vec![nodes(&[node(0), node(1)]), list(&[group("aks", 2, "")])],
            (2, 2, 0, [0, 2, 0]),
        ),
        (
            "nodes, their groups and disks",
            vec![
                nodes(&[node(0)]),
                list(&[group("aks", 1, "")]),
                list(&[os_disk("aks-os", "virtualMachineScaleSets/aks/virtualMachines/0")]),
            ],
            (1, 1, 0, [0, 1, 1]),
        ),
        (
            "a group, and the disks of its machines, one of which has one more than the group gives",
            vec![
                list(&[group(
                    "uni",
                    2,
                    r#"{"lun": 0, "diskSizeGB": 128, "managedDisk": {"storageAccountType": "Premium_LRS"}}"#,
                )]),
                list(&[
                    os_disk("os0", &instances(0)),
                    os_disk("os1", &instances(1)),
                    disk("d0", &instances(0), ""),
                    disk("d1", &instances(1), ""),
                    disk("pvc", &instances(1), ""),
                ]),
            ],
            (2, 4, 1, [0, 0, 4]),
        ),
    ];
    for (name, files, expected) in &cases {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        assert_eq!(counts(&files), *expected, "{name}");
        let reversed: Vec<&str> = files.into_iter().rev().collect();
        assert_eq!(counts(&reversed), *expected, "{name}, the last file first");
    }
    // A member has what its group says of each, and none of what is its own.
    let estate = read_all(&[&nodes(&[node(0)]), &list(&[group("aks", 1, "")])]);
    let os = &estate.machines[0].disks[0];
    assert_eq!(
        (os.kind.text(), os.gib.value(), estate.machines[0].zone.is_known()),
        (Some("premium_ssd"), Some(64), false)
    );
}

#[test]
fn instances_that_are_listed_twice_are_counted_once() {
    assert_eq!(counts(&[INSTANCE, VOLUMES, INSTANCE, VOLUMES]).0, 1);
    assert_eq!(counts(&[INSTANCE, VOLUMES, INSTANCE, VOLUMES]).1, counts(&[INSTANCE, VOLUMES]).1);
}
