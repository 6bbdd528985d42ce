//! Nodes, volumes and classes of a cluster of AKS.

use dw_estate::{Attachment, Disk, Gathered, Holds, Keyed, Machine, gib_of, key};
use serde_json::Value;

use super::{Fields, Teller, last_part};

/// Who provides volumes on managed disks.
const DRIVER: &str = "disk.csi.azure.com";
/// Before that.
const IN_TREE: &str = "kubernetes.io/azure-disk";

pub fn take(record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    let told = Teller(into.by());
    match top.text("kind") {
        Some("Node") => node(top, told, into),
        Some("PersistentVolume") => volume(top, told, into),
        Some("StorageClass") => class(top, told, into),
        // It names the volume, which names it.
        Some("PersistentVolumeClaim") => true,
        Some(other) => {
            into.unread_record(other);
            false
        }
        None => false,
    }
}

fn node(top: Fields, told: Teller, into: &mut Gathered) -> bool {
    let (meta, spec, status) = (top.inner("metadata"), top.inner("spec"), top.inner("status"));
    let labels = meta.inner("labels");
    let name = meta.text("name").unwrap_or_default();
    let provider = match spec.text("providerID").and_then(|id| id.split_once("://")) {
        Some(("azure", id)) => Some(id),
        None => None,
        // A cluster of another cloud, or of nobody's.
        Some((other, _)) => {
            into.unread_record(&format!("Node of {other}"));
            return false;
        }
    };
    let id = provider.map_or_else(|| key(&format!("node/{name}")), key);
    let size =
        labels.text("node.kubernetes.io/instance-type").or_else(|| labels.text("beta.kubernetes.io/instance-type"));
    let region = labels
        .text("topology.kubernetes.io/region")
        .or_else(|| labels.text("failure-domain.beta.kubernetes.io/region"));
    let zone =
        labels.text("topology.kubernetes.io/zone").or_else(|| labels.text("failure-domain.beta.kubernetes.io/zone"));
    // `eastus-1`; of a node in no zone it is the number of its fault domain alone.
    let zone = zone.map(|zone| zone.rsplit_once('-').map_or("", |(_, zone)| zone));
    let os = labels.text("kubernetes.io/os").and_then(super::resource::os_of);
    let profile = labels.text("kubernetes.azure.com/storageprofile").or_else(|| labels.text("storageprofile"));
    let is_local = profile.map(|word| word.eq_ignore_ascii_case("ephemeral"));
    let spot = labels.text("kubernetes.azure.com/scalesetpriority").map(|word| word.eq_ignore_ascii_case("spot"));
    for attached in status.list("volumesAttached").iter().map(Fields::of) {
        let Some((_, disk)) = attached.text("name").and_then(|name| name.split_once('^')) else { continue };
        if !disk.to_ascii_lowercase().contains("/microsoft.compute/disks/") {
            continue;
        }
        let lun = attached.text("devicePath").and_then(|path| path.rsplit_once("lun")?.1.parse().ok());
        into.attachment(Attachment {
            address: format!("{name}/{}", last_part(disk)).into(),
            machine: Some(id.clone()),
            disk: Some(key(disk)),
            lun: told.of(lun),
            ..Attachment::default()
        });
    }
    into.machine(Machine {
        name: name.into(),
        size: told.text(size),
        region: told.region(region),
        zone: told.text(zone),
        os: told.of(os),
        evictable: told.of(spot),
        is_node: told.of(Some(true)),
        group: told.text(labels.text("kubernetes.azure.com/agentpool").or_else(|| labels.text("agentpool"))),
        disks: vec![Disk { name: "os".into(), holds: Holds::System, local: told.of(is_local), ..Disk::default() }],
        id,
        ..Machine::default()
    });
    true
}

fn volume(top: Fields, told: Teller, into: &mut Gathered) -> bool {
    let (meta, spec) = (top.inner("metadata"), top.inner("spec"));
    let csi = spec.inner("csi");
    let (handle, of) = match csi.text("driver") {
        Some(DRIVER) => (csi.text("volumeHandle"), csi.inner("volumeAttributes")),
        _ => (spec.inner("azureDisk").text("diskURI"), spec.inner("azureDisk")),
    };
    let Some(handle) = handle else {
        into.unread_record(&format!("PersistentVolume of {}", csi.text("driver").unwrap_or("another kind")));
        return false;
    };
    let claim = spec.inner("claimRef");
    let claim = claim.text("namespace").zip(claim.text("name")).map(|(space, name)| format!("{space}/{name}"));
    let mut disk = parameters(of, told);
    disk.id = key(handle);
    disk.name = meta.text("name").unwrap_or_else(|| last_part(handle)).into();
    disk.gib = told.of(spec.inner("capacity").text("storage").and_then(gib_of));
    disk.class = told.text(spec.text("storageClassName"));
    disk.claim = told.text(claim.as_deref());
    into.disk(disk);
    true
}

fn class(top: Fields, told: Teller, into: &mut Gathered) -> bool {
    if !top.text("provisioner").is_some_and(|name| name == DRIVER || name == IN_TREE) {
        return false;
    }
    let name = top.inner("metadata").text("name").unwrap_or_default();
    into.class(name, parameters(top.inner("parameters"), told).into());
    true
}

/// What a class asks for, and what a volume keeps of it.
fn parameters(of: Fields, told: Teller) -> Disk {
    let sku = of.text("skuName").or_else(|| of.text("storageaccounttype"));
    let (kind, zone_redundant) = told.kind(sku);
    Disk {
        iops: told.of(of.number("DiskIOPSReadWrite")),
        mb: told.of(of.number("DiskMBpsReadWrite")),
        cache: told.cache(of.text("cachingMode")),
        bursts_by_use: told.of(of.flag("enableBursting")),
        plus: told.of(of.flag("enablePerformancePlus")),
        kind,
        zone_redundant,
        ..Disk::default()
    }
}
