//! What "can never be used" means, on the simulator: a rig is asked for all that it is bought for, and gets what its gate passes.

use dw_estate::StripeFile;
use serde_json::{Value, json};

use super::{AuditOptions, estate};
use crate::{Catalogue, LoadOptions, Session, Texts};

/// Kind, GiB, IOPS and MB/s where they are chosen, cache.
type Disk = (&'static str, u64, Option<(u64, u64)>, &'static str);

/// A machine with disks.
fn list(size: &str, disks: &[Disk]) -> String {
    let data = disks.iter().enumerate().map(|(lun, (sku, gib, rates, cache))| {
        json!({ "lun": lun, "name": format!("data{lun}"), "caching": cache, "diskSizeGB": gib, "diskIOPSReadWrite": rates.map(|rates| rates.0),
            "diskMBpsReadWrite": rates.map(|rates| rates.1), "managedDisk": { "storageAccountType": sku } })
    });
    let data: Vec<Value> = data.collect();
    json!([{ "id": "/x/providers/Microsoft.Compute/virtualMachines/m", "name": "m", "location": "eastus", "zones": ["1"],
        "hardwareProfile": { "vmSize": format!("Standard_{size}") }, "storageProfile": { "dataDisks": data } }])
    .to_string()
}

#[test]
fn what_can_never_be_used_is_not_used_by_the_simulator_either() {
    let session = Session::new(Catalogue::embedded().clone());
    let cases: [(&str, &str, &[Disk], &str); 6] = [
        ("DW101", "D8s_v5", &[("Premium_LRS", 1024, None, "None"); 5], "bs=8k"),
        ("DW102", "D8s_v5", &[("Premium_LRS", 512, None, "None"); 9], "bs=256k"),
        ("DW103", "D2s_v5", &[("Premium_LRS", 8192, None, "None")], "bs=4k"),
        ("DW201", "D8s_v5", &[("PremiumV2_LRS", 1024, Some((40_000, 300)), "None")], "bs=4k"),
        ("DW202", "D2s_v5", &[("PremiumV2_LRS", 1024, Some((8_000, 1_200)), "None"); 2], "bs=512k"),
        ("DW201", "D4s_v6", &[("UltraSSD_LRS", 1024, Some((80_000, 400)), "None")], "bs=4k"),
    ];
    for (code, size, disks, bs) in cases {
        let estate = estate([("vms.json".to_string(), list(size, disks).as_bytes())]).unwrap();
        let audit = session.audit(&estate, &AuditOptions::default());
        let finding = audit.findings.iter().find(|finding| finding.code == code);
        let finding = finding.unwrap_or_else(|| panic!("{code} of {size}: {:?}", audit.findings));
        let figure = |name: &str| serde_json::to_value(&finding.says).unwrap()["args"][name]["value"].as_f64().unwrap();
        let (bought, passed) = (figure("bought"), figure("passed"));
        let rig = session.rig_of_machine(&estate, "m", &StripeFile::default()).unwrap();
        let scenario = session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{e}\n{rig}"));
        let mut jobs =
            format!("[global]\nrw=randread\n{bs}\niodepth=256\nioengine=libaio\ndirect=1\nruntime=5\ntime_based\n");
        for volume in &scenario.volumes {
            jobs += &format!("[{0}]\nfilename=/dev/{0}\nsize=1g\n", volume.name);
        }
        let load = session.load(scenario, &Texts::single("all.fio", jobs), &LoadOptions::default()).unwrap();
        let total = session.simulate(load).unwrap().summary().total.all;
        let got = if ["DW102", "DW202"].contains(&code) { total.bytes_per_s } else { total.iops };
        assert!(got <= passed * 1.01, "{code} of {size}: {got} of {passed}, bought {bought}");
        assert!(got >= passed * 0.9, "{code} of {size}: {got} of {passed}: the gate is not what stops it");
    }
}

/// A size with other limits by NVMe is simulated by those of the controller that the inventory tells.
#[test]
fn a_rig_has_the_limits_of_the_controller_of_its_machine() {
    let session = Session::new(Catalogue::embedded().clone());
    let plain = list("E8bds_v5", &[("PremiumV2_LRS", 1024, Some((60_000, 300)), "None")]);
    for (controller, edition, note, iops) in [
        (Some("NVMe"), Some("2024-2026-nvme"), false, 44_200.0),
        (Some("SCSI"), None, false, 32_400.0),
        (None, None, true, 32_400.0),
    ] {
        let mut records: Value = serde_json::from_str(&plain).unwrap();
        records[0]["storageProfile"]["diskControllerType"] = json!(controller);
        let estate = estate([("vms.json".to_string(), records.to_string().as_bytes())]).unwrap();
        let rig = session.rig_of_machine(&estate, "m", &StripeFile::default()).unwrap();
        assert_eq!(rig.contains("SCSI is taken"), note, "{rig}");
        let scenario = session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{e}\n{rig}"));
        assert_eq!(
            rig.lines().find_map(|line| line.strip_prefix("edition = ")),
            edition.map(|e| format!("\"{e}\"")).as_deref()
        );
        let gate = scenario.limits.uncached_premium2.and_then(|limit| limit.iops).map(|limit| limit.rate as f64);
        assert_eq!(gate, Some(iops), "{controller:?}");
    }
}

/// Kind, GiB, IOPS and MiB/s where they are bought.
type Volume = (&'static str, u64, Option<u64>, Option<u64>);

/// What `describe-instances` and `describe-volumes` print of an instance with volumes beside its root.
fn instance(size: &str, volumes: &[Volume]) -> [(String, String); 2] {
    let zone = "eu-central-1a";
    let of = |place: usize, &(kind, gib, iops, mib): &Volume| {
        json!({ "VolumeId": format!("vol-0{place}"), "Size": gib, "VolumeType": kind, "Iops": iops, "Throughput": mib, "AvailabilityZone": zone,
            "State": "in-use", "Tags": [{ "Key": "Name", "Value": format!("data{place}") }],
            "Attachments": [{ "InstanceId": "i-01", "Device": format!("/dev/sd{}", char::from(b'f' + place as u8)), "State": "attached" }] })
    };
    let volumes: Vec<Value> = volumes.iter().enumerate().map(|(place, volume)| of(place, volume)).collect();
    let instance = json!({ "InstanceId": "i-01", "InstanceType": size, "State": { "Name": "running" }, "Placement": { "AvailabilityZone": zone },
        "RootDeviceName": "/dev/xvda", "Tags": [{ "Key": "Name", "Value": "m" }] });
    [
        ("i.json".into(), json!({ "Reservations": [{ "ReservationId": "r-1", "Instances": [instance] }] }).to_string()),
        ("v.json".into(), json!({ "Volumes": volumes }).to_string()),
    ]
}

fn read(files: &[(String, String)]) -> dw_estate::Estate {
    estate(files.iter().map(|(name, text)| (name.clone(), text.as_bytes()))).unwrap()
}

/// The scenario of the machine, asked for all that it has by random reads: I/Os and bytes a second from `warm` seconds on.
fn asked_for_all(session: &Session, estate: &dw_estate::Estate, bs: &str, seconds: u64, warm: u64) -> (f64, f64) {
    let rig = session.rig_of_machine(estate, "m", &StripeFile::default()).unwrap();
    let scenario = session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{e}\n{rig}"));
    let mut jobs = format!(
        "[global]\nrw=randread\nbs={bs}\niodepth=256\nioengine=libaio\ndirect=1\nruntime={seconds}\nramp_time={warm}\ntime_based\n"
    );
    for volume in &scenario.volumes {
        jobs += &format!("[{0}]\nfilename=/dev/{0}\nsize=1g\n", volume.name);
    }
    let load = session.load(scenario, &Texts::single("all.fio", jobs), &LoadOptions::default()).unwrap();
    let total = session.simulate(load).unwrap().summary().total.all;
    (total.iops, total.bytes_per_s)
}

/// EC2's gates pass what the finding says, at once after the start: their balances are full.
#[test]
fn what_an_instance_never_passes_is_not_used_by_the_simulator_either() {
    let session = Session::new(Catalogue::embedded().clone());
    let cases: [(&str, &str, &[Volume], &str, usize); 6] = [
        ("DW101", "m5.large", &[("gp2", 3_200, None, None); 2], "16k", 0),
        ("DW102", "m5.large", &[("gp2", 400, None, None); 3], "256k", 1),
        ("DW103", "t3.micro", &[("gp2", 5_334, None, None)], "4k", 0),
        ("DW201", "m5.large", &[("gp3", 1_000, Some(30_000), Some(125))], "4k", 0),
        ("DW202", "m5.large", &[("gp3", 1_000, Some(4_000), Some(1_000))], "256k", 1),
        ("DW201", "m5.large", &[("io2", 500, Some(40_000), None)], "4k", 0),
    ];
    for (code, size, volumes, bs, quantity) in cases {
        let estate = read(&instance(size, volumes));
        let audit = session.audit(&estate, &AuditOptions::default());
        let finding = audit.findings.iter().find(|finding| finding.code == code);
        let finding = finding.unwrap_or_else(|| panic!("{code} of {size}: {:?}", audit.findings));
        let passed = serde_json::to_value(&finding.says).unwrap()["args"]["passed"]["value"].as_f64().unwrap();
        let both = asked_for_all(&session, &estate, bs, 5, 0);
        let got = [both.0, both.1][quantity];
        assert!((0.9 * passed..=1.01 * passed).contains(&got), "{code} of {size}: {got} of {passed}");
    }
}

/// What is bought for the burst is there for half an hour, and after it the machine gives what the finding says.
#[test]
fn what_lasts_for_minutes_a_day_is_over_after_them() {
    let session = Session::new(Catalogue::embedded().clone());
    let estate = read(&instance("m5.large", &[("gp3", 1_000, Some(3_000), Some(566))]));
    let audit = session.audit(&estate, &AuditOptions::default());
    let finding = audit.findings.iter().find(|finding| finding.code == "DW213").expect("it is found");
    let args = serde_json::to_value(&finding.says).unwrap()["args"].clone();
    let figure = |name: &str| args[name]["value"].as_f64().unwrap();
    assert_eq!(args["minutes"], json!(30));
    // It is bought for all that the machine ever passes: the balance lasts for half an hour.
    for (warm, expected) in [(0, figure("bought")), (1_700, figure("bought")), (1_900, figure("base"))] {
        let (_, got) = asked_for_all(&session, &estate, "1m", 20, warm);
        assert!((got / expected - 1.0).abs() < 0.02, "after {warm} s: {got}, not {expected}");
    }
}

/// The scenario of an instance names what the inventory does, in the words that scenarios of its vendor have.
#[test]
fn a_rig_of_an_instance_is_a_scenario() {
    let session = Session::new(Catalogue::embedded().clone());
    let volumes = [("gp3", 500, Some(6_000), Some(250)), ("io2", 100, Some(5_000), None), ("st1", 500, None, None)];
    let rig = session.rig_of_machine(&read(&instance("m5.large", &volumes)), "m", &StripeFile::default()).unwrap();
    for line in [
        "size = \"m5.large\"",
        "{ sku = \"gp3\", size = \"500 GiB\", iops = 6000, throughput = \"250 MiB/s\" }",
        "{ sku = \"io2\", size = \"100 GiB\", iops = 5000 }",
        "{ sku = \"st1\", size = \"500 GiB\" }",
    ] {
        assert!(rig.contains(line), "{line}\n{rig}");
    }
    let scenario = session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{e}\n{rig}"));
    assert_eq!(scenario.volumes.len(), 3);
}

/// Volumes on two EBS cards are behind two gates, whichever list says it, and no stripe is proposed over both.
#[test]
fn a_rig_has_the_card_of_each_volume() {
    let session = Session::new(Catalogue::embedded().clone());
    let four = [("gp3", 100, None, None); 4];
    for (cards, gates) in
        [([0, 0, 0, 0], &[0][..]), ([0, 0, 1, 1], &[0, 1]), ([1, 1, 1, 1], &[1]), ([0, 1, 0, 1], &[0, 1, 0, 1])]
    {
        for is_of_instance in [true, false] {
            let mut files = instance("r8in.96xlarge", &four);
            if is_of_instance {
                let mapping = |(place, card): (usize, &u8)| {
                    let device = format!("/dev/sd{}", char::from(b'f' + place as u8));
                    json!({ "DeviceName": device, "Ebs": { "VolumeId": format!("vol-0{place}"), "Status": "attached", "EbsCardIndex": card } })
                };
                let mappings: Vec<Value> = cards.iter().enumerate().map(mapping).collect();
                let with = format!("\"BlockDeviceMappings\":{},\"RootDeviceName\"", json!(mappings));
                files[0].1 = files[0].1.replace("\"RootDeviceName\"", &with);
            } else {
                let mut lists: Value = serde_json::from_str(&files[1].1).unwrap();
                for (volume, card) in lists["Volumes"].as_array_mut().unwrap().iter_mut().zip(cards) {
                    volume["Attachments"][0]["EbsCardIndex"] = json!(card);
                }
                files[1].1 = lists.to_string();
            }
            let rig = session.rig_of_machine(&read(&files), "m", &StripeFile::default()).unwrap();
            let scenario = session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{e}\n{rig}"));
            let found: Vec<u8> =
                scenario.stack.volumes.iter().flat_map(|v| &v.path.remote).map(|gate| gate.0).collect();
            assert_eq!(found, gates, "{cards:?}\n{rig}");
        }
    }
}

/// A node of a cluster with volumes of the EBS CSI driver, from what `kubectl` prints alone: sizes and rates are those of the class.
#[test]
fn a_rig_of_a_node_has_the_volumes_of_its_class() {
    let session = Session::new(Catalogue::embedded().clone());
    let volume = |id: &str, gib: u32| {
        json!({ "kind": "PersistentVolume", "metadata": { "name": format!("pvc-{id}") }, "spec": { "capacity": { "storage": format!("{gib}Gi") },
            "storageClassName": "fast", "csi": { "driver": "ebs.csi.aws.com", "volumeHandle": format!("vol-0{id}") } } })
    };
    let attached =
        |id: &str| json!({ "name": format!("kubernetes.io/csi/ebs.csi.aws.com^vol-0{id}"), "devicePath": "" });
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": [
        { "kind": "Node", "metadata": { "name": "m", "labels": { "node.kubernetes.io/instance-type": "m5.large", "kubernetes.io/os": "linux" } },
          "spec": { "providerID": "aws:///eu-central-1a/i-01" }, "status": { "volumesAttached": [attached("a"), attached("b")] } },
        volume("a", 500), volume("b", 20),
        { "kind": "StorageClass", "metadata": { "name": "fast" }, "provisioner": "ebs.csi.aws.com",
          "parameters": { "type": "gp3", "iops": "6000", "throughput": "250" } }] });
    let estate = read(&[("nodes.json".into(), list.to_string())]);
    for name in ["m", "i-01"] {
        let rig = session.rig_of_machine(&estate, name, &StripeFile::default()).unwrap();
        for line in [
            "size = \"m5.large\"",
            "{ sku = \"gp3\", size = \"500 GiB\", iops = 6000, throughput = \"250 MiB/s\" }",
            "{ sku = \"gp3\", size = \"20 GiB\", iops = 6000, throughput = \"250 MiB/s\" }",
        ] {
            assert!(rig.contains(line), "{line}\n{rig}");
        }
        let scenario = session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{e}\n{rig}"));
        assert_eq!(scenario.volumes.iter().map(|volume| &*volume.name).collect::<Vec<_>>(), ["pvc-a", "pvc-b"]);
    }
}

/// What is chosen of an instance is in its limits and in its rig: 5,000 MB/s as it comes, of a network of 50 Gb/s.
#[test]
fn a_weighting_of_an_instance_is_in_its_limits_and_its_rig() {
    let session = Session::new(Catalogue::embedded().clone());
    let three = [("gp3", 1_000, Some(8_000), Some(1_900)); 3];
    for (word, passed, option) in [
        ("default", Some("passes 5,000.0 MB/s"), ""),
        ("ebs-1", None, "options = { bandwidth = \"ebs-1\" }\n"),
        ("vpc-1", Some("passes 3,437.5 MB/s"), "options = { bandwidth = \"vpc-1\" }\n"),
        // What nobody knows changes nothing, and is told.
        ("ebs-9", Some("passes 5,000.0 MB/s"), ""),
    ] {
        let mut files = instance("m8g.48xlarge", &three);
        let weighted =
            format!("\"NetworkPerformanceOptions\":{{\"BandwidthWeighting\":\"{word}\"}},\"RootDeviceName\"");
        files[0].1 = files[0].1.replace("\"RootDeviceName\"", &weighted);
        let estate = read(&files);
        let audit = session.audit(&estate, &AuditOptions::default());
        let found =
            audit.findings.iter().find(|finding| finding.code == "DW202").map(|finding| finding.says.to_string());
        assert_eq!(found.is_some(), passed.is_some(), "{word}: {found:?}");
        if let Some((found, passed)) = found.zip(passed) {
            assert!(found.contains(passed), "{word}: {found}");
        }
        let rig = session.rig_of_machine(&estate, "m", &StripeFile::default()).unwrap();
        assert_eq!(rig.contains("options = "), !option.is_empty(), "{rig}");
        assert!(rig.contains(option), "{rig}");
        session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{e}\n{rig}"));
        let doubts = format!("{:?}", estate.doubts);
        assert_eq!(
            doubts.contains("has the bandwidth weighting `ebs-9`, which is unknown"),
            word == "ebs-9",
            "{doubts}"
        );
    }
}
