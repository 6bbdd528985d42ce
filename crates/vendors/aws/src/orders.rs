//! Changes of instances and volumes as commands of the AWS CLI and as attributes of Terraform's provider aws.
//!
//! Source: `ec2 modify-volume`, `stop-instances`, `modify-instance-attribute`, `start-instances` and `delete-volume` of the AWS CLI 2, by whose
//! model of the interface the tests judge what is written here; of attributes the documentation of `hashicorp/terraform-provider-aws`
//! (instance, ebs_volume): those of which it does not say that a change builds something anew.
//!
//! Ignores: instances of groups that scale, which are made from a template; volumes that are written in `ebs_block_device`.

use dw_error::obeyed::is_obeyed;
use dw_estate::{Attribute, BlockOf, Change, Holds, Literal, Machine, Orders, Setting};

use crate::inventory::parent_of;

/// AWS's words for changes.
pub struct Commands;

/// `aws ec2 modify-volume --volume-id vol-1`, which options follow.
const MODIFIED: usize = 5;

/// An id of the interface: `i-`, `vol-` and hexadecimal digits.
fn id<'a>(id: &'a str, prefix: &str) -> Option<&'a str> {
    let digits = id.strip_prefix(prefix)?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(id)
}

fn words(region: Option<&str>, words: &[&str]) -> Vec<String> {
    let is_plain = |region: &&str| !region.is_empty() && !region.starts_with('-') && !region.contains(is_obeyed);
    // A local zone is its region's to change.
    let region = region.filter(is_plain).map(|region| ["--region", parent_of(region).unwrap_or(region)]);
    ["aws", "ec2"].iter().chain(words).chain(region.iter().flatten()).map(|word| word.to_string()).collect()
}

/// Whether it is changed by itself: a replica of a group or a node of a cluster is replaced by one of a template.
fn is_alone(machine: &Machine) -> bool {
    !machine.count.is_known() && !machine.group.is_known() && machine.is_node.value() != Some(true)
}

impl Orders for Commands {
    fn commands(&self, change: &Change) -> Option<Vec<Vec<String>>> {
        let machine = change.machine.filter(|own| is_alone(own));
        let of_disk = change.disk.and_then(|disk| disk.region.text());
        let region = of_disk.or_else(|| change.machine.and_then(|machine| machine.region.text()));
        let volume = || id(&change.disk?.id, "vol-");
        let modify =
            |more: &[&str]| Some(vec![words(region, &[&["modify-volume", "--volume-id", volume()?], more].concat())]);
        let instance = || id(&machine?.id, "i-");
        let off = |instance: &str| {
            let verb = |verb: &str| words(region, &[verb, "--instance-ids", instance]);
            let wait = words(region, &["wait", "instance-stopped", "--instance-ids", instance]);
            (verb("stop-instances"), wait, verb("start-instances"))
        };
        match &change.setting {
            Setting::Iops(iops) => modify(&["--iops", &iops.to_string()]),
            Setting::Mib(mib) => modify(&["--throughput", &mib.to_string()]),
            Setting::Kind { kind, iops, mib } => {
                let (iops, mib) = (iops.map(|iops| iops.to_string()), mib.map(|mib| mib.to_string()));
                let mut more = vec!["--volume-type", kind.as_str()];
                more.extend(iops.iter().flat_map(|iops| ["--iops", iops]));
                more.extend(mib.iter().flat_map(|mib| ["--throughput", mib]));
                modify(&more)
            }
            Setting::Size(size) => {
                let instance = instance()?;
                let (stop, wait, start) = off(instance);
                let value = format!("Value={size}");
                let set = ["modify-instance-attribute", "--instance-id", instance, "--instance-type", &value];
                Some(vec![stop, wait, words(region, &set), start])
            }
            Setting::Released => Some(vec![off(instance()?).0]),
            Setting::Deleted => Some(vec![words(region, &["delete-volume", "--volume-id", volume()?])]),
            Setting::Mb(_)
            | Setting::Cache(_)
            | Setting::Tier(_)
            | Setting::BurstsByUse(_)
            | Setting::SpecialDisks(_) => None,
        }
    }

    /// A volume takes no change while one is carried out: all of it is one call.
    fn joined(&self, earlier: &[String], later: &[String]) -> Option<Vec<String>> {
        let is_same = earlier.len() > MODIFIED && later.len() > MODIFIED && earlier[..MODIFIED] == later[..MODIFIED];
        if !is_same || earlier[2] != "modify-volume" {
            return None;
        }
        let mut all = earlier.to_vec();
        for option in later[MODIFIED..].chunks(2) {
            if !all.contains(&option[0]) {
                all.extend_from_slice(option);
            }
        }
        Some(all)
    }

    fn attributes(&self, change: &Change) -> Option<Vec<Attribute>> {
        let is_system = change.disk.is_some_and(|disk| disk.holds == Holds::System);
        let (of, within, kind_name) = match is_system {
            true => (BlockOf::Machine, Some("root_block_device"), "volume_type"),
            false => (BlockOf::Disk, None, "type"),
        };
        let one = |name, value| Attribute { of, within, name, value };
        let number = |name, number: u64| one(name, Literal::Number(number));
        Some(match &change.setting {
            Setting::Iops(iops) => vec![number("iops", *iops)],
            Setting::Mib(mib) => vec![number("throughput", *mib)],
            Setting::Kind { kind, iops, mib } => {
                let mut all = vec![one(kind_name, Literal::Text(kind.clone()))];
                all.extend(iops.map(|iops| number("iops", iops)));
                all.extend(mib.map(|mib| number("throughput", mib)));
                all
            }
            Setting::Size(size) => vec![Attribute {
                of: BlockOf::Machine,
                within: None,
                name: "instance_type",
                value: Literal::Text(size.clone()),
            }],
            _ => return None,
        })
    }

    fn refers_to_disk(&self) -> &'static str {
        "volume_id"
    }

    fn blocks(&self, of: BlockOf) -> &'static [&'static str] {
        match of {
            BlockOf::Machine => &["aws_instance"],
            BlockOf::Disk => &["aws_ebs_volume"],
            BlockOf::Attachment => &["aws_volume_attachment"],
        }
    }
}

#[cfg(test)]
mod tests {
    use dw_estate::Orders as _;

    use super::{Commands, id};

    #[test]
    fn changes_of_one_volume_are_one_call() {
        let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let iops = "aws ec2 modify-volume --volume-id vol-1 --iops 12000 --region eu-central-1";
        for (later, expected) in [
            (
                "aws ec2 modify-volume --volume-id vol-1 --throughput 274 --region eu-central-1",
                Some(" --throughput 274"),
            ),
            // The same again adds nothing.
            ("aws ec2 modify-volume --volume-id vol-1 --iops 12000 --region eu-central-1", Some("")),
            ("aws ec2 modify-volume --volume-id vol-2 --throughput 274", None),
            ("aws ec2 delete-volume --volume-id vol-1 --region eu-central-1", None),
        ] {
            let joined = Commands.joined(&words(iops), &words(later));
            assert_eq!(joined.map(|words| words.join(" ")), expected.map(|more| format!("{iops}{more}")), "{later}");
        }
    }

    #[test]
    fn an_id_is_no_option_and_no_file() {
        for (text, is_one) in [
            ("vol-049df61146c4d7901", true),
            ("vol-", false),
            ("-rf", false),
            ("vol-0$(x)", false),
            ("aws_ebs_volume.data", false),
            ("", false),
        ] {
            assert_eq!(id(text, "vol-").is_some(), is_one, "{text}");
        }
    }
}
