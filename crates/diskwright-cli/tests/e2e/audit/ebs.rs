//! EC2 instances: findings in their vendor's words, commands that the real AWS CLI takes, a patch of Terraform's files, and a scenario out.

use std::process::Command;

use serde_json::{Value, json};

use crate::e2e::support::{diskwright_at, folder, run, test_tool};

const ZONE: &str = "eu-central-1a";

/// Kind, GiB, IOPS, MiB/s of volumes beside the root.
type Volume = (&'static str, u64, Option<u64>, Option<u64>);

/// An instance for each change that ends a finding, and a volume on nothing.
const MACHINES: [(&str, &str, &[Volume]); 5] = [
    ("iops", "m7i.large", &[("gp3", 1_000, Some(45_000), Some(125))]),
    ("mib", "m7i.2xlarge", &[("gp3", 1_000, Some(5_200), Some(1_300))]),
    ("old", "m7i.2xlarge", &[("gp2", 500, None, None)]),
    ("dear", "m7i.2xlarge", &[("io2", 500, Some(3_000), None)]),
    ("former", "m5.2xlarge", &[]),
];

fn lists() -> [String; 2] {
    let (mut reservations, mut volumes) = (Vec::new(), Vec::new());
    let volume = |id: &str, name: &str, of: &Volume, attachments: Value| {
        let &(kind, gib, iops, mib) = of;
        json!({ "VolumeId": id, "Size": gib, "VolumeType": kind, "Iops": iops, "Throughput": mib, "AvailabilityZone": ZONE, "State": "in-use",
            "Tags": [{ "Key": "Name", "Value": name }], "Attachments": attachments })
    };
    for (number, (name, size, own)) in MACHINES.iter().enumerate() {
        let instance = format!("i-{number:017x}");
        for (place, one) in own.iter().enumerate() {
            let device = format!("/dev/sd{}", char::from(b'f' + place as u8));
            let attached = json!([{ "InstanceId": instance, "Device": device, "State": "attached" }]);
            volumes.push(volume(&format!("vol-{number:016x}{place}"), &format!("{name}-data"), one, attached));
        }
        reservations.push(json!({ "ReservationId": format!("r-{number}"), "Instances": [{ "InstanceId": instance, "InstanceType": size,
            "State": { "Name": "running" }, "Placement": { "AvailabilityZone": ZONE }, "RootDeviceName": "/dev/xvda", "PlatformDetails": "Linux/UNIX",
            "Tags": [{ "Key": "Name", "Value": name }] }] }));
    }
    volumes.push(volume("vol-0ff", "lost", &("gp2", 100, None, None), json!([])));
    [json!({ "Reservations": reservations }).to_string(), json!({ "Volumes": volumes }).to_string()]
}

/// What is paid for, by code and place, and what is set.
fn findings(document: &Value) -> Vec<(String, String, Value)> {
    let all = document["findings"].as_array().unwrap().iter();
    all.map(|one| {
        let place =
            format!("{}/{}", one["machine"].as_str().unwrap_or_default(), one["disk"].as_str().unwrap_or_default());
        (one["code"].as_str().unwrap().to_string(), place, one.clone())
    })
    .collect()
}

#[test]
fn instances_are_judged_in_the_words_of_their_vendor() {
    let [instances, volumes] = lists();
    let at = folder(&[("i.json", &instances), ("v.json", &volumes)]);
    let ran = diskwright_at(at.path(), &["audit", "i.json", "v.json", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let all = findings(&document);
    let one = |code: &str, place: &str| {
        let found = all.iter().find(|(own, at, _)| own == code && at == place);
        &found.unwrap_or_else(|| panic!("{code} {place}: {}", ran.stdout)).2
    };
    for (code, place, set) in [
        ("DW201", "iops/iops-data", json!([{ "iops": 3_600 }])),
        ("DW202", "mib/mib-data", json!([{ "mib_per_s": 298 }])),
        ("DW203", "/lost", json!(["deleted"])),
        // What comes with the kind needs no word.
        (
            "DW206",
            "old/old-data",
            json!([{ "kind": { "kind": "gp3", "iops": null, "mb_per_s": null, "mib_per_s": 250 } }]),
        ),
        (
            "DW214",
            "dear/dear-data",
            json!([{ "kind": { "kind": "gp3", "iops": 3_072, "mb_per_s": null, "mib_per_s": 768 } }]),
        ),
    ] {
        let found = one(code, place);
        let changes = found["remedy"]["changes"].as_array().unwrap().iter().map(|change| change["set"].clone());
        assert_eq!(json!(changes.collect::<Vec<_>>()), set, "{code}");
        assert_eq!(found["prices_of"], "2024-07", "{code}");
        assert!(found["monthly"].as_f64() > found["monthly_after"].as_f64(), "{found}");
    }
    assert_eq!(one("DW407", "former/")["remedy"]["effort"], "restart");
    assert_eq!(one("DW206", "old/old-data")["remedy"]["effort"], "in_place");
    assert_eq!(document["cost"]["unpriced"], 0, "{}", document["cost"]);
    // What the vendor has not got is nothing that the inventory lacks.
    let lacks = document["not_judged"].to_string();
    assert!(!lacks.contains("licence") && !lacks.contains("encryption"), "{lacks}");
    let says = document["findings"].to_string();
    for foreign in ["Azure", "az ", "tier", "allocat", "Premium", "subscription", "VM "] {
        assert!(!says.contains(foreign), "`{foreign}` is not AWS's: {says}");
    }
    // A table says how old prices are.
    let table = diskwright_at(at.path(), &["audit", "i.json", "v.json"]);
    assert!(table.stdout.contains("(prices of 2024-07)"), "{}", table.stdout);
}

#[test]
fn every_command_is_one_of_the_aws_cli() {
    let [instances, volumes] = lists();
    let at = folder(&[("i.json", &instances), ("v.json", &volumes)]);
    let ran =
        diskwright_at(at.path(), &["audit", "i.json", "v.json", "--commands", "--only", "DW2*", "--only", "DW407"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let commands: Vec<&str> =
        ran.stdout.lines().filter_map(|line| line.trim_start_matches("# ").strip_prefix("run aws ")).collect();
    let id = |number: usize| format!("vol-{number:016x}0");
    for expected in [
        format!("ec2 modify-volume --volume-id {} --iops 3600 --region eu-central-1", id(0)),
        format!("ec2 modify-volume --volume-id {} --throughput 298 --region eu-central-1", id(1)),
        format!("ec2 modify-volume --volume-id {} --volume-type gp3 --throughput 250 --region eu-central-1", id(2)),
        format!(
            "ec2 modify-volume --volume-id {} --volume-type gp3 --iops 3072 --throughput 768 --region eu-central-1",
            id(3)
        ),
        format!("ec2 stop-instances --instance-ids i-{:017x} --region eu-central-1", 4),
        "ec2 delete-volume --volume-id vol-0ff --region eu-central-1".to_string(),
    ] {
        assert!(commands.contains(&expected.as_str()), "{expected}\n{}", ran.stdout);
    }
    // What deletes data is a comment.
    assert!(ran.stdout.contains("\n# run aws ec2 delete-volume"), "{}", ran.stdout);
    let Some(aws) = test_tool("aws-cli/bin/aws") else { return };
    let wrong = "ec2 modify-volume --volume-id vol-0ff --iopss 3000";
    for line in commands.iter().copied().filter(|line| !line.starts_with("ec2 wait ")).chain([wrong]) {
        // It judges what it is given, and calls nobody.
        let mut command = Command::new(&aws);
        command.args(line.split(' ')).args(["--generate-cli-skeleton", "output"]).current_dir(at.path());
        for (name, value) in [
            ("AWS_CONFIG_FILE", "/dev/null"),
            ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
            ("AWS_DEFAULT_REGION", "eu-central-1"),
        ] {
            command.env(name, value);
        }
        let judged = run(&mut command);
        assert_eq!(judged.code == 0, line != wrong, "{line}: {}", judged.stderr);
    }
}

/// A plan of an instance with a volume whose rates are too high, and one whose kind is older and that lacks what it then needs.
fn plan() -> String {
    let volume = |name: &str, values: Value| json!({ "address": format!("aws_ebs_volume.{name}"), "mode": "managed", "type": "aws_ebs_volume", "values": values });
    let attached = |name: &str, device: &str| json!({ "address": format!("aws_volume_attachment.{name}"), "mode": "managed", "type": "aws_volume_attachment", "values": { "device_name": device } });
    let refers = |name: &str, of: &str| {
        let (volume, instance) = (format!("aws_ebs_volume.{name}"), format!("aws_instance.{of}"));
        json!({ "address": format!("aws_volume_attachment.{name}"), "type": "aws_volume_attachment", "expressions": {
            "instance_id": { "references": [format!("{instance}.id"), instance] }, "volume_id": { "references": [format!("{volume}.id"), volume] } } })
    };
    let instance = |name: &str| {
        json!({ "address": format!("aws_instance.{name}"), "mode": "managed", "type": "aws_instance",
        "values": { "instance_type": "m7i.large", "availability_zone": ZONE, "tags": { "Name": name } } })
    };
    json!({ "format_version": "1.2", "planned_values": { "root_module": { "resources": [instance("db"), instance("web"),
            volume("data", json!({ "availability_zone": ZONE, "type": "gp3", "size": 1_000, "iops": 45_000, "throughput": 125 })),
            volume("old", json!({ "availability_zone": ZONE, "type": "gp2", "size": 500 })),
            volume("whole", json!({ "availability_zone": ZONE, "type": "io2", "size": 100, "iops": 5_000, "throughput": 0 })),
            attached("data", "/dev/sdf"), attached("old", "/dev/sdg"), attached("whole", "/dev/sdh")] } },
        "configuration": { "root_module": { "resources": [refers("data", "db"), refers("old", "db"), refers("whole", "web")] } } })
    .to_string()
}

const MAIN: &str = "resource \"aws_ebs_volume\" \"data\" {\n  type       = \"gp3\"\n  iops       = 45000 # as before\n  throughput = 125\n}\n\n\
    resource \"aws_ebs_volume\" \"old\" {\n  type = \"gp2\"\n}\n\n\
    resource \"aws_ebs_volume\" \"whole\" {\n  type       = \"io2\"\n  iops       = 5000\n  throughput = 0\n}\n";

#[test]
fn a_patch_sets_all_attributes_of_a_change_or_none() {
    let at = folder(&[("plan.json", &plan()), ("main.tf", MAIN)]);
    let ran = diskwright_at(at.path(), &["audit", "plan.json", "--patch", ".", "--only", "DW2*"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for line in [
        "-  iops       = 45000 # as before\n",
        "+  iops       = 3600 # as before\n",
        "-  type       = \"io2\"\n",
        "+  type       = \"gp3\"\n",
        // 5,000 IOPS of io2 bring 1,280 MiB/s, of which the machine passes 1,193.
        "+  throughput = 1193\n",
        "# not in it: DW206 db/aws_ebs_volume.old: its block has no `throughput`\n",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("gp2\"\n+"), "{}", ran.stdout);
}

#[test]
fn the_rig_of_an_instance_is_simulated() {
    let [instances, volumes] = lists();
    let at = folder(&[
        ("i.json", &instances),
        ("v.json", &volumes),
        ("job.fio", "[a]\nfilename=/dev/dear-data\nrw=randread\nbs=4k\niodepth=64\nruntime=5\ntime_based\nsize=1g\n"),
    ]);
    let rig = diskwright_at(at.path(), &["rig", "i.json", "v.json", "--machine", "dear", "-o", "rig.toml"]);
    assert_eq!(rig.code, 0, "{}", rig.stderr);
    let ran = diskwright_at(at.path(), &["simulate", "rig.toml", "job.fio", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("io2"), "{}", ran.stdout);
}
