//! An estate of 500 EC2 instances with 60 planted faults: all are found, none is invented, by the lists of the interface and by a state of
//! Terraform alike.

use std::collections::BTreeSet;

use dw_audit::audit;
use dw_catalogue::Catalogue;
use dw_estate::{Gathered, StripeFile};
use serde_json::{Value, json};

use crate::estate::found;

/// A volume as the generator has it.
#[derive(Clone)]
struct Volume {
    kind: &'static str,
    gib: u64,
    iops: Option<u64>,
    mib: Option<u64>,
    zone: &'static str,
}

struct Machine {
    name: String,
    size: &'static str,
    /// The first is the root.
    volumes: Vec<Volume>,
}

const ZONE: &str = "eu-central-1a";

fn volume(kind: &'static str, gib: u64, iops: Option<u64>, mib: Option<u64>) -> Volume {
    Volume { kind, gib, iops, mib, zone: ZONE }
}
fn gp3(gib: u64, iops: u64, mib: u64) -> Volume {
    volume("gp3", gib, Some(iops), Some(mib))
}

/// Findings that count: what is above a note, and the notes that are planted.
const NOTES: [&str; 5] = ["DW120", "DW206", "DW213", "DW214", "DW407"];

/// What makes a machine wrong, and by which codes that is found.
type Fault = fn(&mut Machine) -> &'static [&'static str];

static FAULTS: [Fault; 12] = [
    |machine| {
        machine.size = "m7i.large";
        machine.volumes.truncate(1);
        machine.volumes.push(gp3(1_000, 45_000, 125));
        &["DW201"]
    },
    |machine| {
        machine.size = "m7i.2xlarge";
        machine.volumes.truncate(1);
        machine.volumes.push(gp3(1_000, 5_200, 1_300));
        &["DW202"]
    },
    // Not on Nitro, and dearer than a gp3 that gives as much.
    |machine| {
        machine.size = "x1.32xlarge";
        machine.volumes.push(volume("io1", 1_000, Some(33_000), None));
        &["DW105", "DW214"]
    },
    |machine| {
        machine.volumes.push(gp3(10, 6_000, 125));
        &["DW109"]
    },
    |machine| {
        machine.volumes[0] = volume("st1", 2_048, None, None);
        &["DW115"]
    },
    |machine| {
        machine.volumes.push(volume("st1", 500, None, None));
        &["DW120"]
    },
    |machine| {
        machine.volumes.push(volume("gp2", 500, None, None));
        &["DW206"]
    },
    |machine| {
        machine.volumes.push(volume("io2", 500, Some(3_000), None));
        &["DW214"]
    },
    |machine| {
        machine.size = "m7i.large";
        machine.volumes.truncate(1);
        machine.volumes.push(gp3(100, 10_000, 125));
        &["DW213"]
    },
    |machine| {
        machine.size = "m5.2xlarge";
        &["DW407"]
    },
    |machine| {
        machine.size = "r6a.2xlarge";
        // Of two sizes by turns: none of them look like a stripe.
        machine.volumes.truncate(1);
        machine.volumes.extend((0..28).map(|place| gp3(10 + place % 2, 3_000, 125)));
        &["DW104"]
    },
    |machine| {
        machine.volumes.push(Volume { zone: "eu-central-1b", ..gp3(64, 3_000, 125) });
        &["DW304"]
    },
];

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

fn estate(seed: u64) -> (Vec<Machine>, BTreeSet<(String, String)>) {
    let mut chance = Chance(seed);
    let mut machines: Vec<Machine> = (0..500)
        .map(|number| {
            let size = ["m7i.2xlarge", "r7i.2xlarge", "m7i.8xlarge", "c7i.4xlarge"][chance.below(4)];
            let gib = [64, 128, 512][chance.below(3)];
            let data = chance.below(3);
            let volumes = std::iter::once(gp3(8, 3_000, 125)).chain((0..data).map(|_| gp3(gib, 3_000, 125)));
            Machine { name: format!("vm{number:03}"), size, volumes: volumes.collect() }
        })
        .collect();
    let mut expected = BTreeSet::new();
    for fault in 0..60 {
        let machine = &mut machines[fault * 8 + 3];
        let codes = FAULTS[fault % FAULTS.len()](machine);
        expected.extend(codes.iter().map(|code| (code.to_string(), machine.name.clone())));
    }
    (machines, expected)
}

/// `/dev/sda1`, then `/dev/sdf` and on.
fn device(place: usize) -> String {
    let letter = |at: usize| char::from(b'a' + at as u8);
    match place {
        0 => "/dev/sda1".into(),
        place if place + 4 < 26 => format!("/dev/sd{}", letter(place + 4)),
        place => format!("/dev/sda{}", letter(place + 4 - 26)),
    }
}

fn ids(number: usize, place: usize) -> (String, String) {
    (format!("i-{number:017x}"), format!("vol-{:017x}", number * 100 + place))
}

/// What `describe-instances` and `describe-volumes` print.
fn lists(machines: &[Machine]) -> [Value; 2] {
    let (mut reservations, mut volumes) = (Vec::new(), Vec::new());
    for (number, machine) in machines.iter().enumerate() {
        let mut mappings = Vec::new();
        for (place, volume) in machine.volumes.iter().enumerate() {
            let (instance, id) = ids(number, place);
            mappings.push(json!({ "DeviceName": device(place), "Ebs": { "VolumeId": id, "Status": "attached", "DeleteOnTermination": place == 0 } }));
            volumes.push(json!({ "VolumeId": id, "Size": volume.gib, "VolumeType": volume.kind, "Iops": volume.iops, "Throughput": volume.mib,
                "AvailabilityZone": volume.zone, "State": "in-use", "MultiAttachEnabled": false,
                "Tags": [{ "Key": "Name", "Value": format!("{}-x{place}", machine.name) }],
                "Attachments": [{ "InstanceId": instance, "VolumeId": id, "Device": device(place), "State": "attached", "DeleteOnTermination": place == 0 }] }));
        }
        reservations.push(json!({ "ReservationId": format!("r-{number}"), "Instances": [{
            "InstanceId": ids(number, 0).0, "InstanceType": machine.size, "State": { "Code": 16, "Name": "running" },
            "Placement": { "AvailabilityZone": ZONE }, "RootDeviceName": "/dev/sda1", "RootDeviceType": "ebs", "PlatformDetails": "Linux/UNIX",
            "Tags": [{ "Key": "Name", "Value": machine.name }], "BlockDeviceMappings": mappings }] }));
    }
    [json!({ "Reservations": reservations }), json!({ "Volumes": volumes })]
}

/// What a state of Terraform has.
fn state(machines: &[Machine]) -> Value {
    let mut resources = Vec::new();
    let mut block = |kind: &str, name: String, values: Value| {
        resources.push(json!({ "address": format!("{kind}.{name}"), "mode": "managed", "type": kind, "name": name, "values": values }));
    };
    for (number, machine) in machines.iter().enumerate() {
        let own = ids(number, 0);
        let root = &machine.volumes[0];
        let values = json!({ "id": own.0, "instance_type": machine.size, "availability_zone": ZONE, "instance_state": "running", "tags": { "Name": machine.name },
            "root_block_device": [{ "volume_id": own.1, "device_name": device(0), "volume_type": root.kind, "volume_size": root.gib, "iops": root.iops,
                "throughput": root.mib, "delete_on_termination": true, "encrypted": true }] });
        block("aws_instance", machine.name.clone(), values);
        for (place, volume) in machine.volumes.iter().enumerate().skip(1) {
            let (instance, id) = ids(number, place);
            let name = format!("{}_x{place}", machine.name);
            let values = json!({ "id": id, "availability_zone": volume.zone, "type": volume.kind, "size": volume.gib, "iops": volume.iops,
                "throughput": volume.mib, "multi_attach_enabled": false, "tags": { "Name": name } });
            block("aws_ebs_volume", name.clone(), values);
            let values = json!({ "instance_id": instance, "volume_id": id, "device_name": device(place) });
            block("aws_volume_attachment", name, values);
        }
    }
    json!({ "format_version": "1.0", "values": { "root_module": { "resources": resources } } })
}

/// What `kubectl get nodes,pv,sc -o json` prints of a cluster whose nodes they are: a class for each kind with its rates, and no root volumes.
fn cluster(machines: &[Machine]) -> Value {
    let mut items = Vec::new();
    let mut classes = BTreeSet::new();
    for (number, machine) in machines.iter().enumerate() {
        let mut attached = Vec::new();
        for (place, volume) in machine.volumes.iter().enumerate().skip(1) {
            let (_, id) = ids(number, place);
            let class = format!("{}-{:?}-{:?}", volume.kind, volume.iops, volume.mib);
            let text = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
            if classes.insert(class.clone()) {
                items.push(json!({ "kind": "StorageClass", "metadata": { "name": class }, "provisioner": "ebs.csi.aws.com", "parameters":
                    { "type": volume.kind, "iops": text(volume.iops), "throughput": text(volume.mib), "encrypted": "true" } }));
            }
            let zone = json!({ "key": "topology.kubernetes.io/zone", "operator": "In", "values": [volume.zone] });
            items.push(json!({ "kind": "PersistentVolume", "metadata": { "name": format!("{}-x{place}", machine.name) }, "spec": {
                "capacity": { "storage": format!("{}Gi", volume.gib) }, "storageClassName": class, "csi": { "driver": "ebs.csi.aws.com", "volumeHandle": id },
                "nodeAffinity": { "required": { "nodeSelectorTerms": [{ "matchExpressions": [zone] }] } } } }));
            attached.push(json!({ "name": format!("kubernetes.io/csi/ebs.csi.aws.com^{id}"), "devicePath": "" }));
        }
        items.push(json!({ "kind": "Node", "metadata": { "name": machine.name, "labels": { "node.kubernetes.io/instance-type": machine.size,
            "topology.kubernetes.io/zone": ZONE, "kubernetes.io/os": "linux" } },
            "spec": { "providerID": format!("aws:///{ZONE}/{}", ids(number, 0).0) }, "status": { "volumesAttached": attached } }));
    }
    json!({ "apiVersion": "v1", "kind": "List", "items": items })
}

/// No cluster shows a root volume, and the driver makes no volume with more IOPS for each GiB than it may have.
const NOT_OF_CLUSTERS: [&str; 2] = ["DW109", "DW115"];

#[test]
fn planted_faults_of_a_cluster_are_found_and_none_is_invented() {
    let (machines, mut expected) = estate(1);
    expected.retain(|(code, _)| !NOT_OF_CLUSTERS.contains(&code.as_str()));
    let found = found(&[cluster(&machines)], &NOTES);
    let missed: Vec<_> = expected.difference(&found).collect();
    let invented: Vec<_> = found.difference(&expected).collect();
    assert!(missed.is_empty() && invented.is_empty(), "missed {missed:?}, invented {invented:?}");
}

#[test]
fn sixty_planted_faults_of_ec2_are_found_and_none_is_invented() {
    for seed in [1, 8_817] {
        let (machines, expected) = estate(seed);
        assert_eq!(expected.iter().map(|(_, machine)| machine).collect::<BTreeSet<_>>().len(), 60);
        for (name, files) in [("lists", &lists(&machines)[..]), ("Terraform", &[state(&machines)][..])] {
            let found = found(files, &NOTES);
            let (missed, invented): (Vec<_>, Vec<_>) =
                (expected.difference(&found).collect(), found.difference(&expected).collect());
            assert!(
                missed.is_empty() && invented.is_empty(),
                "seed {seed}, {name}: missed {missed:?}, invented {invented:?}"
            );
        }
    }
}

/// A month of all of it.
fn bill(files: &[Value]) -> f64 {
    let mut gathered = Gathered::default();
    for file in files {
        dw_formats::estate::read("inventory.json", &mut file.to_string().as_bytes(), &mut gathered).unwrap();
    }
    let audit = audit(&gathered.joined(), Catalogue::embedded(), &StripeFile::default(), None);
    audit.document(Vec::new(), Vec::new()).cost.monthly
}

#[test]
fn a_volume_of_several_instances_is_paid_once() {
    let machine = |name: &str| Machine { name: name.into(), size: "m7i.2xlarge", volumes: vec![gp3(8, 3_000, 125)] };
    let with_volume_on = |instances: std::ops::Range<usize>| {
        let [mut machines, mut volumes] = lists(&[machine("a"), machine("b")]);
        let attached = instances.clone().map(|number| {
            json!({ "InstanceId": ids(number, 0).0, "VolumeId": "vol-1", "Device": "/dev/sdf", "State": "attached" })
        });
        let volume = json!({ "VolumeId": "vol-1", "Size": 100, "VolumeType": "io2", "Iops": 3_000, "AvailabilityZone": ZONE, "State": "in-use",
            "MultiAttachEnabled": instances.len() > 1, "Attachments": attached.collect::<Vec<_>>() });
        if !instances.is_empty() {
            volumes["Volumes"].as_array_mut().unwrap().push(volume);
        }
        for number in instances {
            let mappings = &mut machines["Reservations"][number]["Instances"][0]["BlockDeviceMappings"];
            let mapping = json!({ "DeviceName": "/dev/sdf", "Ebs": { "VolumeId": "vol-1", "Status": "attached" } });
            mappings.as_array_mut().unwrap().push(mapping);
        }
        bill(&[machines, volumes])
    };
    let [without, of_one, of_both] = [0..0, 0..1, 0..2].map(with_volume_on);
    assert!(of_one > without + 100.0 && (of_both - of_one).abs() < 1e-6, "{without}, {of_one}, {of_both}");
}

/// Each of two instances passes less than a volume of both has, and both together no less.
#[test]
fn a_volume_of_several_instances_is_not_set_to_what_one_of_them_passes() {
    for (instances, expected) in [(0..1, 1), (0..2, 0)] {
        let machine = |name: &str| Machine { name: name.into(), size: "m5.8xlarge", volumes: vec![gp3(8, 3_000, 125)] };
        let [mut machines, mut volumes] = lists(&[machine("a"), machine("b")]);
        for number in instances.clone() {
            let mappings = &mut machines["Reservations"][number]["Instances"][0]["BlockDeviceMappings"];
            let mapping = json!({ "DeviceName": "/dev/sdf", "Ebs": { "VolumeId": "vol-1", "Status": "attached" } });
            mappings.as_array_mut().unwrap().push(mapping);
        }
        // A cluster does not say that it may be shared: that two have it says as much.
        let volume = json!({ "VolumeId": "vol-1", "Size": 500, "VolumeType": "io2", "Iops": 50_000, "AvailabilityZone": ZONE, "State": "in-use" });
        volumes["Volumes"].as_array_mut().unwrap().push(volume);
        let mut gathered = Gathered::default();
        for file in [machines, volumes] {
            dw_formats::estate::read("inventory.json", &mut file.to_string().as_bytes(), &mut gathered).unwrap();
        }
        let audit = audit(&gathered.joined(), Catalogue::embedded(), &StripeFile::default(), None);
        let cut = audit.findings.iter().filter(|one| one.code == "DW201").count();
        assert_eq!(cut, expected, "{instances:?}: {:?}", audit.findings);
    }
}

/// Of volumes without their instances the first device is the root's.
#[test]
fn a_root_volume_is_known_by_its_device() {
    for (device, is_data) in
        [("/dev/xvda", false), ("/dev/sda1", false), ("/dev/sdf", true), ("/dev/nvme1n1", true), ("/dev/xvdb", true)]
    {
        let volume = json!({ "VolumeId": "vol-1", "VolumeType": "gp3", "Size": 8, "Iops": 3000, "Throughput": 125, "AvailabilityZone": ZONE,
            "State": "in-use", "Attachments": [{ "InstanceId": "i-1", "Device": device, "DeleteOnTermination": true, "State": "attached" }] });
        let file = json!({ "Volumes": [volume] });
        let mut gathered = Gathered::default();
        dw_formats::estate::read("volumes.json", &mut file.to_string().as_bytes(), &mut gathered).unwrap();
        let audit = audit(&gathered.joined(), Catalogue::embedded(), &StripeFile::default(), None);
        assert_eq!(audit.findings.iter().any(|finding| finding.code == "DW309"), is_data, "{device}");
    }
}
