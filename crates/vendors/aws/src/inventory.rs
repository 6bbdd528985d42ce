//! What inventories say of EC2's instances and EBS volumes.
//!
//! Four shapes: what `aws ec2 describe-instances` and `describe-volumes` print (`resource.rs`; whole answers, pages, or lists that a query
//! made of them), blocks of Terraform's and OpenTofu's provider aws (`block.rs`), resources of a CloudFormation template (`template.rs`), and nodes, volumes and
//! classes of a cluster (`object.rs`).
//!
//! A volume has no host cache, and its data are in one zone: both are said of each. What the interface repeats of a kind (`Iops` of gp2) is not
//! what was bought. A stopped instance is not paid for, its volumes are.
//!
//! Source: the shapes `Instance` and `Volume` of the interface of 2016-11-15 in botocore 1.40; blocks in the documentation of
//! `hashicorp/terraform-provider-aws` 6; `AWS::EC2::Instance`, `::Volume` and `::VolumeAttachment` of the CloudFormation reference, 2026.
//!
//! An instance of a template is completed by the launch template of the same files that it names, as far as that is literal.
//!
//! Ignores: launch templates elsewhere and their versions, groups that scale, spot fleets, images, snapshots; instance stores, which no list has.

use dw_estate::{Disk, Doubt, Gathered, Holds, Keyed, Records, Shape, SourceId, Told};
use dw_units::CacheMode;
use serde_json::{Map, Value};

use crate::gates::Weighting;
use crate::kinds::{self, Rule, Throughput};

mod block;
mod object;
mod resource;
mod template;

/// AWS's records.
pub struct Inventory;

impl Records for Inventory {
    fn vendor(&self) -> &'static str {
        "aws"
    }
    fn printed_by(&self) -> &'static str {
        "aws ec2 describe-instances > instances.json; aws ec2 describe-volumes > volumes.json"
    }
    fn lists(&self) -> &'static [&'static str] {
        &["Reservations", "Instances", "Volumes"]
    }
    fn take(&self, shape: Shape, record: &Value, into: &mut Gathered) -> bool {
        match shape {
            Shape::Resource => resource::take(record, into),
            Shape::Block => block::take(record, into),
            Shape::Configuration => block::refer(record, into),
            Shape::Template => template::take(record, into),
            Shape::Object => object::take(record, into),
        }
    }
    /// Names of the interface begin with a capital, those of a provider have an underscore or are needed by others, too: what only another vendor's
    /// list has is for that vendor to keep.
    fn needs(&self, name: &str, is_null: bool) -> bool {
        !is_null && (name.starts_with(|first: char| first.is_ascii_uppercase()) || name.contains('_'))
    }
}

/// A record of the interface, a block or a resource: keys are as they are written.
#[derive(Clone, Copy, Default)]
pub(crate) struct Fields<'a>(Option<&'a Map<String, Value>>);

impl<'a> Keyed<'a> for Fields<'a> {
    fn get(self, key: &str) -> Option<&'a Value> {
        self.0?.get(key).filter(|value| !value.is_null())
    }
    fn is_expression(text: &str) -> bool {
        text.starts_with('[') && text.ends_with(']')
    }
}

impl<'a> Fields<'a> {
    pub fn of(value: &'a Value) -> Fields<'a> {
        Fields(value.as_object())
    }
    pub fn is_there(self) -> bool {
        self.0.is_some()
    }
    pub fn keys(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }
    /// The record under a key; of a list the first.
    pub fn inner(self, key: &str) -> Fields<'a> {
        let found = self.get(key);
        let first = found.and_then(Value::as_array).and_then(|list| list.first());
        Fields(first.or(found).and_then(Value::as_object))
    }
    /// Tags as `[{Key, Value}]`, or as an object.
    pub fn tags(self, key: &str) -> Vec<(Box<str>, Box<str>)> {
        let pair = |tag: &Value| Some((Fields::of(tag).text("Key")?.into(), tag["Value"].as_str()?.into()));
        let of_list = self.list(key).iter().filter_map(pair);
        let of_object = self.get(key).and_then(Value::as_object).into_iter().flatten();
        let of_object = of_object.filter_map(|(key, value)| Some((key.as_str().into(), value.as_str()?.into())));
        let mut tags: Vec<(Box<str>, Box<str>)> = of_list.chain(of_object).collect();
        tags.sort();
        tags
    }
    /// Counts what is there and is neither read nor known to say nothing of disks.
    pub fn count_unread(self, of: &str, known: &str, into: &mut Gathered) {
        let is_empty = |value: &Value| match value {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            Value::Object(map) => map.is_empty(),
            Value::String(text) => text.is_empty(),
            _ => false,
        };
        for (field, _) in self.keys().filter(|(_, value)| !is_empty(value)) {
            if !known.contains(&format!(" {field} ")) {
                into.unread_field(of, field);
            }
        }
    }
}

/// The name that a tag gives, or else the id.
pub(crate) fn name_of(tags: &[(Box<str>, Box<str>)], id: &str) -> Box<str> {
    let named = tags.iter().find(|(key, value)| &**key == "Name" && !value.is_empty());
    named.map_or_else(|| id.into(), |(_, name)| name.clone())
}

/// Values as one source tells them.
#[derive(Clone, Copy)]
pub(crate) struct Teller(pub SourceId);

impl Teller {
    pub fn text(self, value: Option<&str>) -> Told<Box<str>> {
        Told::of(self.0, value.map(Into::into))
    }
    pub fn of<T>(self, value: Option<T>) -> Told<T> {
        Told::of(self.0, value)
    }

    /// What is chosen of the type of an instance with these fields.
    pub fn chosen(self, instance: &str, of: Fields, into: &mut Gathered) -> Told<Box<str>> {
        let word = of.inner("NetworkPerformanceOptions").text("BandwidthWeighting");
        let found = word.and_then(Weighting::find);
        if let Some(word) = word.filter(|_| found.is_none()) {
            let what = format!(
                "instance `{instance}` has the bandwidth weighting `{word}`, which is unknown: its limits count without"
            );
            into.doubt(Doubt::Record { file: into.file().into(), what });
        }
        self.of(found.map(|weighting| weighting.chosen().into_boxed_str()))
    }

    /// The EBS card of an attachment with these fields, as the options of a scenario write it.
    pub fn card(self, of: Fields) -> Told<Box<str>> {
        self.of(of.number("EbsCardIndex").map(crate::gates::on_card))
    }

    /// The same where it is yet to be made, or was made so: what is not asked for is what comes with the kind.
    pub fn asked_volume(self, kind: Option<&str>, gib: Option<u64>, iops: Option<u64>, mib: Option<u64>) -> Disk {
        let included = kind.and_then(|kind| kinds::kind(kind, None)).and_then(|kind| match &kind.rule {
            Rule::Bought(bought) => bought.included,
            _ => None,
        });
        let of_kind = |part: fn(kinds::Included) -> u64| included.map(part);
        let iops = iops.filter(|iops| *iops > 0).or(of_kind(|own| own.iops));
        self.volume(kind, gib, iops, mib.filter(|mib| *mib > 0).or(of_kind(|own| own.mib)))
    }

    /// A disk that is an EBS volume of this kind, with what was bought of it.
    pub fn volume(self, kind: Option<&str>, gib: Option<u64>, iops: Option<u64>, mib: Option<u64>) -> Disk {
        let known = kind.and_then(|kind| kinds::kind(kind, None));
        let bought = known.and_then(|kind| match &kind.rule {
            Rule::Bought(bought) => Some(bought),
            _ => None,
        });
        let mib_is_bought = bought.is_some_and(|bought| matches!(bought.mib, Throughput::Bought { .. }));
        Disk {
            kind: self.text(known.map(|kind| kind.id)),
            zone_redundant: self.of(Some(false)),
            gib: self.of(gib.filter(|gib| *gib > 0)),
            iops: self.of(iops.filter(|iops| *iops > 0 && bought.is_some())),
            mib: self.of(mib.filter(|mib| *mib > 0 && mib_is_bought)),
            cache: self.of(Some(CacheMode::None)),
            local: self.of(Some(false)),
            ..Disk::default()
        }
    }
}

/// The place of a zone that has prices and types of its own: the region `eu-central-1` of `eu-central-1a`, the group `us-west-2-lax-1` of the local
/// zone `us-west-2-lax-1a`, of which the data here know neither.
pub(crate) fn region_of(zone: &str) -> Option<&str> {
    let region = parent_of(zone)?;
    if zone.len() <= region.len() || !zone[region.len()..].contains('-') {
        return Some(region);
    }
    let group = zone.strip_suffix(|c: char| c.is_ascii_lowercase());
    Some(group.filter(|group| group.ends_with(|c: char| c.is_ascii_digit())).unwrap_or(zone))
}

/// The region that a zone is in and that commands are given to: `us-west-2` of `us-west-2-lax-1a`, too.
pub(crate) fn parent_of(zone: &str) -> Option<&str> {
    let parts: Vec<&str> = zone.split('-').collect();
    // The number of a region is the first part that begins with a digit.
    let at = parts.iter().position(|part| part.starts_with(|c: char| c.is_ascii_digit()))?;
    let digits = parts[at].find(|c: char| !c.is_ascii_digit()).unwrap_or(parts[at].len());
    let before: usize = parts[..at].iter().map(|part| part.len() + 1).sum();
    (at > 0).then(|| &zone[..before + digits])
}

/// Where a device name puts a volume among the others: `/dev/sdf` and `xvdf` are the sixth place. A partition of a root device is its place.
pub(crate) fn place_of(device: &str) -> Option<u32> {
    let name = device.rsplit('/').next()?;
    let letters = ["xvd", "sd", "hd"].iter().find_map(|prefix| name.strip_prefix(prefix))?;
    let letters = letters.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_plain = !letters.is_empty() && letters.len() <= 2 && letters.bytes().all(|b| b.is_ascii_lowercase());
    // `sda` to `sdz`, then `sdaa`.
    is_plain.then(|| letters.bytes().fold(0, |place, letter| place * 26 + u32::from(letter - b'a') + 1) - 1)
}

/// What is on a device of an instance with this root device.
pub(crate) fn holds(device: Option<&str>, root: Option<&str>) -> Holds {
    if device.is_some() && device == root { Holds::System } else { Holds::Data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_says_its_region() {
        for (zone, region, parent) in [
            ("eu-central-1a", Some("eu-central-1"), Some("eu-central-1")),
            ("us-west-2-lax-1a", Some("us-west-2-lax-1"), Some("us-west-2")),
            ("us-gov-east-1b", Some("us-gov-east-1"), Some("us-gov-east-1")),
            ("ap-southeast-4", Some("ap-southeast-4"), Some("ap-southeast-4")),
            ("us-east-1-wl1-bos-wlz-1", Some("us-east-1-wl1-bos-wlz-1"), Some("us-east-1")),
            ("1a", None, None),
            ("", None, None),
        ] {
            assert_eq!((region_of(zone), parent_of(zone)), (region, parent), "{zone}");
        }
    }

    #[test]
    fn a_device_name_says_a_place() {
        for (device, place) in [
            ("/dev/sda1", Some(0)),
            ("/dev/sdf", Some(5)),
            ("xvdb", Some(1)),
            ("/dev/xvdba", Some(52)),
            ("/dev/nvme1n1", None),
            ("/dev/sd1", None),
        ] {
            assert_eq!(place_of(device), place, "{device}");
        }
    }

    #[test]
    fn what_a_kind_brings_is_not_bought() {
        // (kind, IOPS and MiB/s as they are told, what was bought)
        for (kind, iops, mib) in [
            ("gp2", None, None),
            ("gp3", Some(6000), Some(250)),
            ("io1", Some(6000), None),
            ("io2", Some(6000), None),
            ("st1", None, None),
            ("standard", None, None),
        ] {
            let disk = Teller(SourceId(0)).volume(Some(kind), Some(500), Some(6000), Some(250));
            assert_eq!((disk.kind.text(), disk.iops.value(), disk.mib.value()), (Some(kind), iops, mib), "{kind}");
        }
        let unknown = Teller(SourceId(0)).volume(Some("gp9"), Some(500), Some(6000), None);
        assert_eq!((unknown.kind.text(), unknown.iops.value()), (None, None));
    }
}
