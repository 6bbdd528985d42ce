//! Instances and volumes as the interface has them.

use dw_estate::{Disk, Doubt, Gathered, Keyed, Machine, Os, State, key};
use serde_json::Value;

use super::{Fields, Teller, holds, name_of, place_of, region_of};

/// What is read of an instance, and what says nothing of its disks.
const OF_INSTANCES: &str = " AmiLaunchIndex Architecture BlockDeviceMappings BootMode CapacityReservationId CapacityReservationSpecification ClientToken CpuOptions \
    CurrentInstanceBootMode EbsOptimized ElasticGpuAssociations ElasticInferenceAcceleratorAssociations EnaSupport EnclaveOptions HibernationOptions \
    Hypervisor IamInstanceProfile ImageId InstanceId InstanceLifecycle InstanceType Ipv6Address KernelId KeyName LaunchTime Licenses MaintenanceOptions \
    MetadataOptions Monitoring NetworkInterfaces NetworkPerformanceOptions Operator OutpostArn Placement Platform PlatformDetails PrivateDnsName PrivateDnsNameOptions \
    PrivateIpAddress ProductCodes PublicDnsName PublicIpAddress RamdiskId RootDeviceName RootDeviceType SecurityGroups SourceDestCheck \
    SpotInstanceRequestId SriovNetSupport State StateReason StateTransitionReason SubnetId Tags TpmSupport UsageOperation UsageOperationUpdateTime \
    VirtualizationType VpcId ";
const OF_VOLUMES: &str = " Attachments AvailabilityZone AvailabilityZoneId CreateTime Encrypted FastRestored Iops KmsKeyId MultiAttachEnabled Operator OutpostArn Size SnapshotId \
    SourceVolumeId SseType State Tags Throughput VolumeId VolumeInitializationRate VolumeType ";

/// Takes an instance, a volume, or a reservation with its instances.
pub fn take(record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    // What a query left of a reservation may lack its id.
    if top.get("Instances").is_some() && top.get("InstanceId").is_none() {
        for instance in top.list("Instances") {
            take(instance, into);
        }
        return true;
    }
    if top.text("InstanceId").is_some() && top.get("VolumeId").is_none() {
        instance(top, into);
    } else if top.text("VolumeId").is_some() && top.get("InstanceId").is_none() {
        volume(top, into);
    } else {
        return false;
    }
    true
}

fn instance(top: Fields, into: &mut Gathered) {
    let told = Teller(into.by());
    let id = top.text("InstanceId").unwrap_or_default();
    let state = match top.inner("State").text("Name") {
        // It is gone, and listed for another hour.
        Some("terminated" | "shutting-down") => return into.unread_record("terminated instance"),
        Some("running" | "pending") => Some(State::Running),
        // It is not paid for; its volumes are.
        Some("stopped" | "stopping") => Some(State::Released),
        _ => None,
    };
    let tags = top.tags("Tags");
    let tag = |wanted: &str| tags.iter().find(|(tag, _)| &**tag == wanted).map(|(_, value)| &**value);
    let zone = top.inner("Placement").text("AvailabilityZone");
    // A whole record has its type; of one without, a query made something else.
    let is_whole = top.text("InstanceType").is_some();
    let platform = top.text("Platform").or_else(|| top.text("PlatformDetails"));
    let os = match platform {
        Some(word) if word.to_ascii_lowercase().contains("windows") => Some(Os::Windows),
        Some(_) => Some(Os::Linux),
        // What is not Windows has no platform.
        None => is_whole.then_some(Os::Linux),
    };
    let is_node = tags.iter().any(|(tag, _)| tag.starts_with("kubernetes.io/cluster/") || &**tag == "eks:cluster-name");
    let root = top.text("RootDeviceName");
    let mut machine = Machine {
        id: key(id),
        name: name_of(&tags, id),
        size: told.text(top.text("InstanceType")),
        chosen: told.chosen(id, top, into),
        region: told.text(zone.and_then(region_of)),
        zone: told.text(zone),
        os: told.of(os),
        state: told.of(state),
        evictable: told.of(is_whole.then(|| top.text("InstanceLifecycle") == Some("spot"))),
        group: told.text(tag("aws:autoscaling:groupName")),
        is_node: told.of(is_node.then_some(true)),
        ..Machine::default()
    };
    for mapping in top.list("BlockDeviceMappings").iter().map(Fields::of) {
        let (device, of) = (mapping.text("DeviceName"), mapping.inner("Ebs"));
        let Some(volume) = of.text("VolumeId") else { continue };
        machine.disks.push(Disk {
            id: key(volume),
            name: volume.into(),
            holds: holds(device, root),
            lun: told.of(device.and_then(place_of)),
            chosen: told.card(of),
            dies_with_machine: told.of(of.flag("DeleteOnTermination")),
            ..Disk::default()
        });
    }
    machine.tags = tags;
    top.count_unread("instance", OF_INSTANCES, into);
    into.machine(machine);
}

fn volume(top: Fields, into: &mut Gathered) {
    let told = Teller(into.by());
    let id = top.text("VolumeId").unwrap_or_default();
    if matches!(top.text("State"), Some("deleting" | "deleted" | "error")) {
        return into.unread_record("deleted volume");
    }
    let kind = top.text("VolumeType");
    if let Some(kind) = kind.filter(|kind| crate::kinds::kind(kind, None).is_none()) {
        let what = format!("volume `{id}` is of kind `{kind}`, which is unknown");
        into.doubt(Doubt::Record { file: into.file().into(), what });
    }
    let zone = top.text("AvailabilityZone");
    let attached = top.list("Attachments").iter().map(Fields::of).filter(|of| of.text("State") != Some("detached"));
    let attached: Vec<Fields> = attached.filter(|of| of.text("InstanceId").is_some()).collect();
    let machine = match attached.first().and_then(|of| of.text("InstanceId")) {
        Some(instance) => Some(key(instance)),
        None if top.get("Attachments").is_some() || top.text("State") == Some("available") => Some("".into()),
        None => None,
    };
    let device = attached.first().and_then(|of| of.text("Device"));
    let shares = top.flag("MultiAttachEnabled");
    let of_kind = kind.and_then(|kind| crate::kinds::kind(kind, None)).map(|kind| kind.attached_most);
    let disk = Disk {
        id: key(id),
        name: name_of(&top.tags("Tags"), id),
        lun: told.of(device.and_then(place_of)),
        chosen: attached.first().map(|of| told.card(*of)).unwrap_or_default(),
        shares: told.of(shares.and_then(|shares| if shares { of_kind } else { Some(1) })),
        dies_with_machine: told.of(attached.first().and_then(|of| of.flag("DeleteOnTermination"))),
        region: told.text(zone.and_then(region_of)),
        zone: told.text(zone),
        machine: told.of(machine),
        ..told.volume(kind, top.number("Size"), top.number("Iops"), top.number("Throughput"))
    };
    top.count_unread("volume", OF_VOLUMES, into);
    into.disk(disk);
}
