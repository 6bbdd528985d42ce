//! Which device is which volume, in the layouts that the tools had over time.

use dw_counters::{Options, read};
use dw_observe::{CollectedReadings, Fact, Reading};

/// `device=volume` of all that a listing says, and its faults.
fn called(text: &str) -> String {
    let mut kept = CollectedReadings::default();
    read(text.as_bytes(), &Options { name: "nvme.json", ..Options::default() }, &mut kept)
        .unwrap_or_else(|error| panic!("{error}: {text}"));
    let names = kept.readings.iter().filter_map(|(.., reading)| match reading {
        Reading::Fact(Fact::Called { device, name }) => Some(format!("{device}={name}")),
        _ => None,
    });
    names.chain(kept.faults.iter().map(|(_, fault)| fault.what.clone())).collect::<Vec<_>>().join(" ")
}

/// A controller as nvme-cli prints it since 2.11.
fn controller(name: &str, serial: &str, spaces: &str) -> String {
    format!(
        r#"{{"Controller":"{name}","Cntlid":"0","SerialNumber":"{serial}","ModelNumber":"Amazon Elastic Block Store","Transport":"pcie","Namespaces":[{spaces}],"Paths":[]}}"#
    )
}

fn space(name: &str) -> String {
    format!(r#"{{"NameSpace":"{name}","Generic":"ng1n1","NSID":1,"SectorSize":512}}"#)
}

fn devices(subsystems: &[(&[String], &str)]) -> String {
    let subsystem = |(controllers, spaces): &(&[String], &str)| {
        let controllers = controllers.join(",");
        format!(r#"{{"Subsystem":"nvme-subsys1","Controllers":[{controllers}],"Namespaces":[{spaces}]}}"#)
    };
    let all: Vec<String> = subsystems.iter().map(subsystem).collect();
    format!(r#"{{"Devices":[{{"HostNQN":"nqn","HostID":"x","Subsystems":[{}]}}]}}"#, all.join(","))
}

#[test]
fn a_serial_number_is_of_the_devices_of_its_controller() {
    let (root, data) = ("vol0aaaaaaaaaaaaaaa1", "vol0bbbbbbbbbbbbbbb2");
    let both = "nvme0n1=vol-0aaaaaaaaaaaaaaa1 nvme1n1=vol-0bbbbbbbbbbbbbbb2";
    let old = |device: &str, serial: &str| {
        format!(r#"{{"NameSpace":1,"DevicePath":"/dev/{device}","SerialNumber":"{serial}","ModelNumber":"x"}}"#)
    };
    let old = format!(r#"{{"Devices":[{},{}]}}"#, old("nvme0n1", root), old("nvme1n1", data));
    let new = |device: &str, serial| [controller(device, serial, &space(&format!("{device}n1")))];
    let new = devices(&[(&new("nvme0", root), ""), (&new("nvme1", data), "")]);
    // Several controllers of one device: it is the subsystem's.
    let shared = |first: &str| devices(&[(&["nvme3", "nvme4"].map(|name| controller(name, root, "")), &space(first))]);
    let alone = |serial| devices(&[(&[controller("nvme2", serial, "")], "")]);
    let cases = [
        (old, both),
        (new, both),
        (shared("nvme3n1"), "nvme3n1=vol-0aaaaaaaaaaaaaaa1 nvme3n1=vol-0aaaaaaaaaaaaaaa1"),
        (alone(root), "nvme2n1=vol-0aaaaaaaaaaaaaaa1"),
        (alone("AWS1234567890ABCDEF0"), ""),
        (alone("vol0aaa"), ""),
    ];
    for (text, expected) in cases {
        assert_eq!(called(&text), expected, "{text}");
    }
}
