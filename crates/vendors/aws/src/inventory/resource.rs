//! Instances and volumes as the interface has them.

use dw_estate::{Disk, Doubt, Gathered, Holds, Keyed, Machine, Os, State, key};
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
    let operation = top.text("UsageOperation");
    let is_own_windows = operation == Some("RunInstances:0800") || platform_of(top) == Some("Windows BYOL");
    let is_node = tags.iter().any(|(tag, _)| tag.starts_with("kubernetes.io/cluster/") || &**tag == "eks:cluster-name");
    let root = top.text("RootDeviceName");
    let interfaces = u32::try_from(top.list("NetworkInterfaces").len()).ok();
    let mut machine = Machine {
        id: key(id),
        name: name_of(&tags, id),
        size: told.text(top.text("InstanceType")),
        chosen: told.chosen(id, top, into),
        region: told.text(zone.and_then(region_of)),
        zone: told.text(zone),
        os: told.of(os),
        licence: told.text(is_own_windows.then_some("BYOL")),
        image_licence: told.text(image_licence(platform_of(top), operation)),
        state: told.of(state),
        interfaces: told.of(interfaces.filter(|count| *count > 0)),
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

fn platform_of(top: Fields<'_>) -> Option<&str> {
    top.text("PlatformDetails")
}

/// What an image is sold with by the hour beside the machine, Windows apart, whose price is its own; empty where that is nothing.
fn image_licence(platform: Option<&str>, operation: Option<&str>) -> Option<&'static str> {
    let of_platform = platform.and_then(|own| PLATFORMS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(own)));
    let of_operation =
        operation.and_then(|own| PLATFORMS.iter().find(|(_, code, _)| own.strip_prefix("RunInstances") == Some(*code)));
    of_platform.or(of_operation).map(|(.., licence)| *licence)
}

/// Platforms with the ends of their usage operations, and what is paid beside Linux or Windows.
///
/// Source: "AMI billing information fields" of the EC2 User Guide.
const PLATFORMS: [(&str, &str, &str); 20] = [
    ("Linux/UNIX", "", ""),
    ("Red Hat BYOL Linux", ":00g0", ""),
    ("Red Hat Enterprise Linux", ":0010", RED_HAT),
    ("Red Hat Enterprise Linux with HA", ":1010", RED_HAT_HA),
    ("Red Hat Enterprise Linux with SQL Server Standard and HA", ":1014", RED_HAT_SQL),
    ("Red Hat Enterprise Linux with SQL Server Enterprise and HA", ":1110", RED_HAT_SQL),
    ("Red Hat Enterprise Linux with SQL Server Standard", ":0014", RED_HAT_SQL),
    ("Red Hat Enterprise Linux with SQL Server Web", ":0210", RED_HAT_SQL),
    ("Red Hat Enterprise Linux with SQL Server Enterprise", ":0110", RED_HAT_SQL),
    ("SQL Server Enterprise", ":0100", "SQL Server Enterprise"),
    ("SQL Server Standard", ":0004", "SQL Server Standard"),
    ("SQL Server Web", ":0200", "SQL Server Web"),
    ("SUSE Linux", ":000g", "SUSE Linux Enterprise Server"),
    ("Ubuntu Pro", ":0g00", "Ubuntu Pro"),
    ("Windows", ":0002", ""),
    ("Windows BYOL", ":0800", ""),
    ("Windows with SQL Server Enterprise", ":0102", "SQL Server Enterprise"),
    ("Windows with SQL Server Standard", ":0006", "SQL Server Standard"),
    ("Windows with SQL Server Web", ":0202", "SQL Server Web"),
    // Before its editions were told apart.
    ("Windows with SQL Server", "", "SQL Server"),
];
const RED_HAT: &str = "Red Hat Enterprise Linux";
const RED_HAT_HA: &str = "Red Hat Enterprise Linux with high availability";
const RED_HAT_SQL: &str = "Red Hat Enterprise Linux with SQL Server";

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
        // What its instance says of its root device counts before: where that is not read, the first device is the root's.
        holds: if device.and_then(place_of) == Some(0) { Holds::System } else { Holds::Data },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_platform_says_what_its_image_is_sold_with() {
        for (platform, operation, licence) in [
            (Some("Linux/UNIX"), Some("RunInstances"), Some("")),
            (Some("Red Hat Enterprise Linux"), None, Some(RED_HAT)),
            (Some("Red Hat BYOL Linux"), None, Some("")),
            (Some("SUSE Linux"), None, Some("SUSE Linux Enterprise Server")),
            (Some("Windows with SQL Server Standard"), None, Some("SQL Server Standard")),
            (Some("Windows"), None, Some("")),
            (None, Some("RunInstances:0010"), Some(RED_HAT)),
            (None, Some("RunInstances:0102"), Some("SQL Server Enterprise")),
            (None, Some("RunInstances"), Some("")),
            (Some("Something else"), None, None),
            (None, None, None),
        ] {
            assert_eq!(image_licence(platform, operation), licence, "{platform:?} {operation:?}");
        }
    }
}
