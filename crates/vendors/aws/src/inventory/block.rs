//! Blocks of the provider aws, in a plan or a state.

use dw_estate::{Attachment, Disk, Gathered, Holds, Keyed, Machine, Os, State, is_passed_on, key};
use serde_json::Value;

use super::{Fields, Teller, name_of, place_of, region_of};

const INSTANCE: &str = "aws_instance";
const SPOT: &str = "aws_spot_instance_request";
const VOLUME: &str = "aws_ebs_volume";
const ATTACHMENT: &str = "aws_volume_attachment";
/// How names of all of its blocks begin.
const PROVIDER: &str = "aws_";

const OF_INSTANCES: &str = " ami arn associate_public_ip_address availability_zone block_duration_minutes capacity_reservation_specification cpu_core_count cpu_options cpu_threads_per_core credit_specification \
    disable_api_stop disable_api_termination ebs_block_device ebs_optimized enable_primary_ipv6 enclave_options ephemeral_block_device force_destroy get_password_data hibernation host_id \
    host_resource_group_arn iam_instance_profile id instance_initiated_shutdown_behavior instance_lifecycle instance_market_options instance_state instance_type \
    ipv6_address_count ipv6_addresses key_name launch_template maintenance_options metadata_options monitoring network_interface outpost_arn \
    password_data placement_group placement_group_id placement_partition_number primary_network_interface primary_network_interface_id private_dns private_dns_name_options private_ip public_dns \
    public_ip region root_block_device secondary_network_interface secondary_private_ips security_groups source_dest_check spot_bid_status spot_instance_id spot_instance_request_id spot_price spot_request_state \
    spot_type subnet_id tags tags_all tenancy timeouts user_data user_data_base64 user_data_replace_on_change valid_from valid_until volume_tags vpc_security_group_ids \
    wait_for_fulfillment instance_interruption_behavior launch_group ";
const OF_VOLUMES: &str = " arn availability_zone create_time encrypted final_snapshot id iops kms_key_id multi_attach_enabled outpost_arn region size snapshot_id tags tags_all \
    throughput timeouts type volume_initialization_rate ";

struct Block<'a> {
    address: &'a str,
    values: Fields<'a>,
    told: Teller,
}

pub fn take(record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    let Some(kind) = top.text("type").filter(|kind| kind.starts_with(PROVIDER)) else { return false };
    let told = Teller(into.by());
    let block = Block { address: top.text("address").unwrap_or_default(), values: top.inner("values"), told };
    match kind {
        INSTANCE | SPOT => block.instance(kind == SPOT, into),
        VOLUME => block.volume(into),
        ATTACHMENT => block.attachment(into),
        other => into.unread_record(other),
    }
    true
}

/// What an attachment refers to, where its ids are known only when it is built.
pub fn refer(record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    let (Some(ATTACHMENT), Some(address)) = (top.text("type"), top.get("address").and_then(Value::as_str)) else {
        return false;
    };
    let of = |key: &str| {
        let list = top.inner("expressions").inner(key).list("references").iter().filter_map(Value::as_str);
        // `aws_ebs_volume.data[0].id` and `aws_ebs_volume.data` are both listed: an id is that of its thing.
        let plain = |text: &str| {
            if is_passed_on(text) {
                return text.into();
            }
            text.strip_suffix(".id").or_else(|| text.strip_suffix(".spot_instance_id")).unwrap_or(text).into()
        };
        list.filter(|text| !text.starts_with("each.") && !text.starts_with("count."))
            .map(plain)
            .collect::<Vec<Box<str>>>()
    };
    into.refers(address, of("instance_id"), of("volume_id"));
    true
}

impl Block<'_> {
    /// Its id: its own, or where there is none yet its address. References find it by its address.
    fn id(&self, into: &mut Gathered) -> Box<str> {
        let own = self.values.text("spot_instance_id").or_else(|| self.values.text("id"));
        let id = own.map_or_else(|| self.address.into(), key);
        into.address(self.address, &id);
        id
    }
    fn tags(&self) -> Vec<(Box<str>, Box<str>)> {
        let tags = self.values.tags("tags");
        if tags.is_empty() { self.values.tags("tags_all") } else { tags }
    }

    fn instance(&self, is_spot: bool, into: &mut Gathered) {
        let (told, of) = (self.told, self.values);
        let zone = of.text("availability_zone");
        let state = match of.text("instance_state") {
            Some("running" | "pending") => Some(State::Running),
            Some("stopped" | "stopping") => Some(State::Released),
            _ => None,
        };
        let is_spot = is_spot || of.inner("instance_market_options").text("market_type") == Some("spot");
        let is_windows = of.flag("get_password_data") == Some(true);
        let tags = self.tags();
        let mut machine = Machine {
            id: self.id(into),
            name: name_of(&tags, self.address),
            size: told.text(of.text("instance_type")),
            region: told.text(zone.and_then(region_of).or_else(|| of.text("region"))),
            zone: told.text(zone),
            // A block says which image it starts, and nothing of what is in that; only Windows has a password to get.
            os: told.of(is_windows.then_some(Os::Windows)),
            state: told.of(state),
            evictable: told.of(Some(is_spot)),
            ..Machine::default()
        };
        let root = of.inner("root_block_device");
        if root.is_there() {
            machine.disks.push(self.inline(root, Holds::System));
        }
        machine.disks.extend(of.list("ebs_block_device").iter().map(|disk| self.inline(Fields::of(disk), Holds::Data)));
        machine.tags = tags;
        of.count_unread("instance", OF_INSTANCES, into);
        into.machine(machine);
    }

    /// A volume that is written within its instance.
    fn inline(&self, of: Fields, holds: Holds) -> Disk {
        let told = self.told;
        let id = of.text("volume_id").map(key).unwrap_or_default();
        let device = of.text("device_name");
        let name = name_of(&of.tags("tags"), if id.is_empty() { device.unwrap_or("root") } else { &id });
        Disk {
            name,
            holds,
            lun: told.of(device.and_then(place_of)),
            dies_with_machine: told.of(of.flag("delete_on_termination")),
            id,
            ..told.asked_volume(
                of.text("volume_type"),
                of.number("volume_size"),
                of.number("iops"),
                of.number("throughput"),
            )
        }
    }

    fn volume(&self, into: &mut Gathered) {
        let (told, of) = (self.told, self.values);
        let zone = of.text("availability_zone");
        // Without a type it is what the interface makes: gp2.
        let kind = of.text("type").or(Some("gp2"));
        let of_kind = kind.and_then(|kind| crate::kinds::kind(kind, None)).map(|kind| kind.attached_most);
        let shares = of.flag("multi_attach_enabled");
        let disk = Disk {
            id: self.id(into),
            name: name_of(&self.tags(), self.address),
            shares: told.of(shares.and_then(|shares| if shares { of_kind } else { Some(1) })),
            region: told.text(zone.and_then(region_of).or_else(|| of.text("region"))),
            zone: told.text(zone),
            ..told.asked_volume(kind, of.number("size"), of.number("iops"), of.number("throughput"))
        };
        of.count_unread("volume", OF_VOLUMES, into);
        into.disk(disk);
    }

    fn attachment(&self, into: &mut Gathered) {
        let (told, of) = (self.told, self.values);
        into.attachment(Attachment {
            address: self.address.into(),
            machine: of.text("instance_id").map(key),
            disk: of.text("volume_id").map(key),
            lun: told.of(of.text("device_name").and_then(place_of)),
            ..Attachment::default()
        });
    }
}
