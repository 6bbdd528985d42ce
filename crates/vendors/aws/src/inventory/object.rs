//! Nodes, volumes and classes of a cluster whose nodes are instances: EKS, or one that its owner runs.
//!
//! A node is its instance and a volume its EBS volume, by their ids: the lists of the interface join. What a class buys is what its volumes
//! had when they were made; what `describe-volumes` says counts before.
//!
//! Source: `docs/parameters.md` of `kubernetes-sigs/aws-ebs-csi-driver` for the parameters of classes and how their IOPS are bounded; the labels
//! of nodes in the guides of EKS and Karpenter.
//!
//! Ignores: the root volumes of nodes, which no object has; `blockExpress`, without which older drivers bound io2 at 64,000 IOPS;
//! `VolumeAttributesClass`, whose volumes have rates that are unknown here.

use dw_estate::{Class, Disk, Doubt, Gathered, Holds, IopsBySize, Keyed, Machine, Os, gib_of, key};
use serde_json::Value;

use super::{Fields, Teller, place_of, region_of};
use crate::kinds::{self, Rule};

/// Who provides volumes; the second one is that of EKS Auto Mode.
const DRIVERS: [&str; 2] = ["ebs.csi.aws.com", "ebs.csi.eks.amazonaws.com"];
/// Before that.
const IN_TREE: &str = "kubernetes.io/aws-ebs";

/// What is read, and what says nothing of disks.
const OF_NODES: &str = " configSource externalID podCIDR podCIDRs providerID taints unschedulable ";
const OF_VOLUMES: &str = " accessModes awsElasticBlockStore capacity claimRef csi mountOptions nodeAffinity persistentVolumeReclaimPolicy storageClassName volumeMode ";
/// In small letters: the driver takes them in any case.
const OF_CLASSES: &str = " allowautoiopspergbincrease blockexpress blocksize bytesperinode encrypted ext4bigalloc ext4clustersize \
    ext4encryptionsupport fstype inodesize iops iopspergb kmskeyid numberofinodes throughput type volumeinitializationrate zone zones ";

pub fn take(record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    let told = Teller(into.by());
    match top.text("kind") {
        Some("Node") => node(top, told, into),
        Some("PersistentVolume") => volume(top, told, into),
        Some("StorageClass") => class(top, told, into),
        _ => false,
    }
}

fn node(top: Fields, told: Teller, into: &mut Gathered) -> bool {
    let (meta, spec) = (top.inner("metadata"), top.inner("spec"));
    let Some(provider) = spec.text("providerID").and_then(|id| id.strip_prefix("aws://")) else { return false };
    let id = last_part(provider);
    if !id.starts_with("i-") {
        // Fargate: it is nobody's instance, and has no volumes.
        into.unread_record("Node without an instance");
        return true;
    }
    let labels = meta.inner("labels");
    let label = |names: [&str; 2]| names.into_iter().find_map(|name| labels.text(name));
    // `aws:///eu-central-1a/i-0f1e2d3c`
    let of_provider = provider.trim_matches('/').split_once('/').map(|(zone, _)| zone);
    let zone = label(["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"]).or(of_provider);
    let os = match labels.text("kubernetes.io/os") {
        Some("linux") => Some(Os::Linux),
        Some("windows") => Some(Os::Windows),
        _ => None,
    };
    let capacity = label(["eks.amazonaws.com/capacityType", "karpenter.sh/capacity-type"]);
    spec.count_unread("Node", OF_NODES, into);
    into.machine(Machine {
        id: key(id),
        name: meta.text("name").unwrap_or(id).into(),
        size: told.text(label(["node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type"])),
        region: told.text(zone.and_then(region_of)),
        zone: told.text(zone),
        os: told.of(os),
        evictable: told.of(capacity.map(|word| word.eq_ignore_ascii_case("spot"))),
        is_node: told.of(Some(true)),
        disks: top
            .inner("status")
            .list("volumesAttached")
            .iter()
            .filter_map(|of| attached(Fields::of(of), told))
            .collect(),
        ..Machine::default()
    });
    true
}

/// `kubernetes.io/csi/ebs.csi.aws.com^vol-0a1b`, `kubernetes.io/aws-ebs/aws://eu-central-1a/vol-0a1b`
fn attached(of: Fields, told: Teller) -> Option<Disk> {
    let id = of.text("name")?.rsplit(['^', '/']).next().filter(|id| id.starts_with("vol-"))?;
    let lun = told.of(of.text("devicePath").and_then(place_of));
    Some(Disk { id: key(id), name: id.into(), holds: Holds::Data, lun, ..Disk::default() })
}

fn volume(top: Fields, told: Teller, into: &mut Gathered) -> bool {
    let (meta, spec) = (top.inner("metadata"), top.inner("spec"));
    let csi = spec.inner("csi");
    let handle = match csi.text("driver") {
        Some(driver) if DRIVERS.contains(&driver) => csi.text("volumeHandle"),
        _ => spec.inner("awsElasticBlockStore").text("volumeID"),
    };
    let Some(id) = handle.map(last_part) else { return false };
    let claim = spec.inner("claimRef");
    let claim = claim.text("namespace").zip(claim.text("name")).map(|(space, name)| format!("{space}/{name}"));
    let zone = zone_of(spec).or_else(|| {
        let labels = meta.inner("labels");
        labels.text("topology.kubernetes.io/zone").or_else(|| labels.text("failure-domain.beta.kubernetes.io/zone"))
    });
    // It has other rates since: those of a class that is not read.
    let is_changed = spec.text("volumeAttributesClassName").is_some();
    let class = spec.text("storageClassName").filter(|_| !is_changed);
    spec.count_unread("PersistentVolume", OF_VOLUMES, into);
    into.disk(Disk {
        id: key(id),
        name: meta.text("name").unwrap_or(id).into(),
        region: told.text(zone.and_then(region_of)),
        zone: told.text(zone),
        class: told.text(class),
        claim: told.text(claim.as_deref()),
        ..told.volume(None, spec.inner("capacity").text("storage").and_then(gib_of), None, None)
    });
    true
}

/// The zone that only nodes of may have the volume.
fn zone_of(spec: Fields<'_>) -> Option<&str> {
    let terms = spec.inner("nodeAffinity").inner("required").list("nodeSelectorTerms").iter();
    let expressions = terms.flat_map(|term| Fields::of(term).list("matchExpressions")).map(Fields::of);
    let of_zones = |of: &Fields| of.text("key").is_some_and(|key| key.ends_with("/zone"));
    expressions.filter(of_zones).find_map(|of| of.list("values").first()?.as_str())
}

fn class(top: Fields, told: Teller, into: &mut Gathered) -> bool {
    let provisioner = top.text("provisioner").unwrap_or_default();
    let is_in_tree = provisioner == IN_TREE;
    if !is_in_tree && !DRIVERS.contains(&provisioner) {
        return false;
    }
    let (name, of) = (top.inner("metadata").text("name").unwrap_or_default(), top.inner("parameters"));
    count_unread(of, into);
    // What the one before made without a type depends on the cluster's version: gp2, later gp3.
    let kind = parameter(of, "type").or(Some("gp3").filter(|_| !is_in_tree));
    if let Some(kind) = kind.filter(|kind| kinds::kind(kind, None).is_none()) {
        doubt(format!("class `{name}` makes volumes of kind `{kind}`, which is unknown"), into);
    }
    let asks = ["iops", "iopsPerGB"].map(|key| parameter(of, key));
    if let [Some(_), Some(_)] = asks {
        doubt(format!("class `{name}` has `iops` and `iopsPerGB`, and makes no volume so: one of them counts"), into);
    }
    let mib = parameter(of, "throughput").and_then(|text| text.parse().ok());
    let mut disk = told.asked_volume(kind, None, None, mib);
    if asks.iter().any(Option::is_some) {
        disk.iops = told.of(None);
    }
    let is_raised = parameter(of, "allowAutoIOPSPerGBIncrease").is_some_and(|word| word.eq_ignore_ascii_case("true"));
    into.class(name, Class { disk, iops: bought(told, kind, asks, is_raised || is_in_tree) });
    true
}

/// What a class buys of each volume; nothing where it buys none, or says it twice.
fn bought(told: Teller, kind: Option<&str>, asks: [Option<&str>; 2], is_raised: bool) -> Option<IopsBySize> {
    let (each, per_gib) = match asks {
        [Some(each), None] => (each.parse().ok()?, 0),
        [None, Some(per_gib)] => (0, per_gib.parse().ok()?),
        _ => return None,
    };
    let Rule::Bought(bought) = &kinds::kind(kind?, None)?.rule else { return None };
    let (bounds, per_gib_most) = (bought.iops, bought.iops_per_gib);
    Some(IopsBySize { by: told.0, each, per_gib, bounds, per_gib_most, is_raised })
}

fn parameter<'a>(of: Fields<'a>, name: &str) -> Option<&'a str> {
    let found = of.keys().find(|(key, _)| key.eq_ignore_ascii_case(name));
    found.and_then(|(_, value)| value.as_str()).filter(|text| !text.is_empty())
}

fn count_unread(of: Fields, into: &mut Gathered) {
    for (key, _) in of.keys() {
        let small = key.to_ascii_lowercase();
        let is_of_others = small.starts_with("csi.storage.k8s.io/") || small.starts_with("tagspecification_");
        if !is_of_others && !OF_CLASSES.contains(&format!(" {small} ")) {
            into.unread_field("StorageClass", key);
        }
    }
}

fn doubt(what: String, into: &mut Gathered) {
    into.doubt(Doubt::Record { file: into.file().into(), what });
}

/// `vol-0a1b` of `aws://eu-central-1a/vol-0a1b`.
fn last_part(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}
