//! Resources of a CloudFormation template: `{type, name, properties}`, references to other resources being their logical names.
//!
//! A volume of an instance and one of its launch template are one where they have one device name: what the instance says of it counts, and the
//! template says the rest.
//!
//! Source: the API reference of EC2 says so of fleets (`FleetBlockDeviceMappingRequest`, 2026); that it is so of one instance is taken from that,
//! for `RunInstances` says only that its parameters override those of the template.

use dw_estate::{Attachment, Disk, Doubt, Gathered, Holds, Keyed, Machine, key};
use serde_json::Value;

use super::{Fields, Teller, name_of, place_of, region_of};

/// How kinds of all of its resources begin.
const PROVIDER: &str = "AWS::";

pub fn take(record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    let Some(kind) = top.text("type").filter(|kind| kind.starts_with(PROVIDER)) else { return false };
    let (told, name, of) = (Teller(into.by()), top.text("name").unwrap_or_default(), top.inner("properties"));
    match kind {
        "AWS::EC2::Instance" => instance(told, name, of, into),
        "AWS::EC2::LaunchTemplate" => launch_template(told, name, of, into),
        "AWS::EC2::Volume" => volume(told, name, of, into),
        "AWS::EC2::VolumeAttachment" => into.attachment(Attachment {
            address: name.into(),
            machine: of.text("InstanceId").map(key),
            disk: of.text("VolumeId").map(key),
            lun: told.of(of.text("Device").and_then(place_of)),
            chosen: told.card(of),
            ..Attachment::default()
        }),
        other => into.unread_record(other),
    }
    true
}

fn doubt_expression(of: Fields, name: &str, at: &str, field: &'static str, into: &mut Gathered) {
    if let Some(text) = of.expression(at) {
        into.doubt(Doubt::Expression { name: name.into(), field, text: text.into() });
    }
}

/// What of a volume is for whoever deploys it to know.
fn doubt_volume(of: Fields, name: &str, [kind, size]: [&str; 2], into: &mut Gathered) {
    for (at, field) in [(kind, "kind"), (size, "size"), ("Iops", "IOPS"), ("Throughput", "throughput")] {
        doubt_expression(of, name, at, field, into);
    }
}

/// A launch template, by its logical name and by its own.
fn launch_template(told: Teller, name: &str, of: Fields, into: &mut Gathered) {
    let data = of.inner("LaunchTemplateData");
    let zone = data.inner("Placement").text("AvailabilityZone");
    let model = Machine {
        chosen: told.chosen(name, data, into),
        evictable: told.of(Some(data.inner("InstanceMarketOptions").text("MarketType") == Some("spot"))),
        region: told.text(zone.and_then(region_of)),
        zone: told.text(zone),
        ..sized(told, name, data, into)
    };
    if let Some(own) = of.text("LaunchTemplateName") {
        into.model(&key(own), model.clone());
    }
    into.model(&key(name), model);
}

fn instance(told: Teller, name: &str, of: Fields, into: &mut Gathered) {
    let zone = of.text("AvailabilityZone");
    let tags = of.tags("Tags");
    let launch = of.inner("LaunchTemplate");
    let model = launch.text("LaunchTemplateId").or_else(|| launch.text("LaunchTemplateName"));
    let machine = Machine {
        id: key(name),
        name: name_of(&tags, name),
        region: told.text(zone.and_then(region_of)),
        zone: told.text(zone),
        // Only a launch template asks for a Spot instance.
        evictable: told.of((!launch.is_there()).then_some(false)),
        model: told.of(model.map(key)),
        tags,
        ..sized(told, name, of, into)
    };
    for attached in of.list("Volumes").iter().map(Fields::of) {
        into.attachment(Attachment {
            address: format!("{name}.Volumes").into(),
            machine: Some(key(name)),
            disk: attached.text("VolumeId").map(key),
            lun: told.of(attached.text("Device").and_then(place_of)),
            ..Attachment::default()
        });
    }
    into.machine(machine);
}

/// Type and volumes, as an instance and a launch template have them alike.
fn sized(told: Teller, name: &str, of: Fields, into: &mut Gathered) -> Machine {
    doubt_expression(of, name, "InstanceType", "size", into);
    let mut machine = Machine { size: told.text(of.text("InstanceType")), ..Machine::default() };
    for mapping in of.list("BlockDeviceMappings").iter().map(Fields::of) {
        let (device, ebs) = (mapping.text("DeviceName"), mapping.inner("Ebs"));
        if !ebs.is_there() {
            continue;
        }
        // Which device is the root is known to the image; these are the names that images use.
        let is_root = matches!(device, Some("/dev/sda1" | "/dev/xvda"));
        doubt_volume(ebs, name, ["VolumeType", "VolumeSize"], into);
        machine.disks.push(Disk {
            name: device.unwrap_or_default().into(),
            holds: if is_root { Holds::System } else { Holds::Data },
            lun: told.of(device.and_then(place_of)),
            chosen: told.card(ebs),
            dies_with_machine: told.of(ebs.flag("DeleteOnTermination")),
            ..told.asked_volume(
                ebs.text("VolumeType"),
                ebs.number("VolumeSize"),
                ebs.number("Iops"),
                ebs.number("Throughput"),
            )
        });
    }
    machine
}

fn volume(told: Teller, name: &str, of: Fields, into: &mut Gathered) {
    let zone = of.text("AvailabilityZone");
    doubt_volume(of, name, ["VolumeType", "Size"], into);
    // Without a type it is gp2.
    let kind = if of.get("VolumeType").is_some() { of.text("VolumeType") } else { Some("gp2") };
    let of_kind = kind.and_then(|kind| crate::kinds::kind(kind, None)).map(|kind| kind.attached_most);
    let shares = of.flag("MultiAttachEnabled").unwrap_or(false);
    into.disk(Disk {
        id: key(name),
        name: name_of(&of.tags("Tags"), name),
        shares: told.of(if shares { of_kind } else { Some(1) }),
        region: told.text(zone.and_then(region_of)),
        zone: told.text(zone),
        ..told.asked_volume(kind, of.number("Size"), of.number("Iops"), of.number("Throughput"))
    });
}
