//! Blocks of the provider azurerm, in a plan or a state.

use std::sync::LazyLock;

use dw_estate::{Attachment, Disk, Gathered, Holds, Keyed, Machine, Os, Shape, is_passed_on, key};
use serde_json::{Value, json};

use super::{Fields, Known, Teller, image, last_part, resource};

const LINUX: &str = "azurerm_linux_virtual_machine";
const WINDOWS: &str = "azurerm_windows_virtual_machine";
const LEGACY: &str = "azurerm_virtual_machine";
const DISK: &str = "azurerm_managed_disk";
const ATTACHMENT: &str = "azurerm_virtual_machine_data_disk_attachment";
const GROUPS: [&str; 3] = [
    "azurerm_linux_virtual_machine_scale_set",
    "azurerm_windows_virtual_machine_scale_set",
    "azurerm_orchestrated_virtual_machine_scale_set",
];
const CLUSTER: &str = "azurerm_kubernetes_cluster";
const POOL: &str = "azurerm_kubernetes_cluster_node_pool";
const RAW: &str = "azapi_resource";

/// What is read, and what says nothing of disks.
static OF_MACHINES: Known = Known(LazyLock::new(|| {
    "additional_capabilities admin_password admin_ssh_key admin_username allow_extension_operations availability_set_id boot_diagnostics \
    bypass_platform_safety_checks_on_user_schedule_enabled capacity_reservation_group_id computer_name custom_data dedicated_host_group_id \
    dedicated_host_id disable_password_authentication disk_controller_type edge_zone enable_automatic_updates automatic_updates_enabled \
    encryption_at_host_enabled eviction_policy extensions_time_budget gallery_application hotpatching_enabled id identity license_type location max_bid_price \
    name network_interface_ids os_disk os_image_notification os_managed_disk_id patch_assessment_mode patch_mode plan platform_fault_domain priority private_ip_address \
    private_ip_addresses provision_vm_agent proximity_placement_group_id public_ip_address public_ip_addresses reboot_setting resource_group_name secret \
    secure_boot_enabled size source_image_id source_image_reference tags termination_notification timeouts timezone user_data virtual_machine_id \
    virtual_machine_scale_set_id vm_agent_platform_updates_enabled vm_size vtpm_enabled winrm_listener zone zones additional_unattend_content \
    delete_data_disks_on_termination delete_os_disk_on_termination network_interface_ids os_profile os_profile_linux_config os_profile_secrets \
    os_profile_windows_config primary_network_interface_id storage_data_disk storage_image_reference storage_os_disk ".split_whitespace().collect()
}));
static OF_DISKS: Known = Known(LazyLock::new(|| {
    "create_option disk_access_id disk_encryption_set_id disk_iops_read_only disk_iops_read_write disk_mbps_read_only disk_mbps_read_write \
    disk_size_gb edge_zone encryption_settings gallery_image_reference_id hyper_v_generation id image_reference_id location logical_sector_size \
    max_shares name network_access_policy on_demand_bursting_enabled optimized_frequent_attach_enabled os_type performance_plus_enabled \
    public_network_access_enabled resource_group_name secure_vm_disk_encryption_set_id security_type source_resource_id source_uri storage_account_id \
    storage_account_type tags tier timeouts trusted_launch_enabled upload_size_bytes zone ".split_whitespace().collect()
}));

struct Block<'a> {
    address: &'a str,
    values: Fields<'a>,
    told: Teller,
}

pub fn take(record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    let Some(kind) = top.text("type") else { return false };
    let told = Teller(into.by());
    let block = Block { address: top.text("address").unwrap_or_default(), values: top.inner("values"), told };
    match kind {
        LINUX => block.machine(Some(Os::Linux), into),
        WINDOWS => block.machine(Some(Os::Windows), into),
        LEGACY => block.legacy(into),
        DISK => block.disk(into),
        ATTACHMENT => block.attachment(into),
        CLUSTER => block.pool(block.values.inner("default_node_pool"), into),
        POOL => block.pool(block.values, into),
        RAW => return block.raw(into),
        kind if GROUPS.contains(&kind) => block.group(kind, into),
        other => {
            into.unread_record(other);
            return false;
        }
    }
    true
}

/// What an attachment refers to, where its ids are known only when it is built.
pub fn refer(record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    let (Some(ATTACHMENT), Some(address)) = (top.text("type"), top.text("address")) else { return false };
    let of = |key: &str| {
        let list = top.inner("expressions").inner(key).list("references").iter().filter_map(Value::as_str);
        // `disk.data[0].id` and `disk.data` are both listed: an id is that of its thing.
        let plain = |text: &str| text.strip_suffix(".id").filter(|_| !is_passed_on(text)).unwrap_or(text).to_string();
        list.filter(|text| !text.starts_with("each.") && !text.starts_with("count."))
            .map(|text| plain(text).into_boxed_str())
            .collect::<Vec<_>>()
    };
    into.refers(address, of("virtual_machine_id"), of("managed_disk_id"));
    true
}

impl Block<'_> {
    /// Its id: its own, or where there is none yet its address. References find it by its address.
    fn id(&self, into: &mut Gathered) -> Box<str> {
        let id = self.values.text("id").map_or_else(|| self.address.into(), key);
        into.address(self.address, &id);
        id
    }
    fn name(&self) -> Box<str> {
        self.values.text("name").unwrap_or(self.address).into()
    }
    fn tags(&self) -> Vec<(Box<str>, Box<str>)> {
        let mut tags: Vec<(Box<str>, Box<str>)> = self
            .values
            .inner("tags")
            .keys()
            .filter_map(|(key, value)| Some((key.into(), value.as_str()?.into())))
            .collect();
        tags.sort();
        tags
    }
    fn zone(&self) -> Option<&str> {
        let of_list = self.values.list("zones").first().and_then(Value::as_str);
        Some(self.values.text("zone").or(of_list).unwrap_or(""))
    }
    fn count_unread(&self, of: &str, known: &Known, into: &mut Gathered) {
        let is_empty = |value: &Value| {
            value.is_null() || value.as_array().is_some_and(Vec::is_empty) || value.as_str() == Some("")
        };
        for (field, _) in self.values.keys().filter(|(_, value)| !is_empty(value)) {
            if !known.has(field) {
                into.unread_field(of, field);
            }
        }
    }

    fn common(&self, os: Option<Os>, into: &mut Gathered) -> Machine {
        let (told, of) = (self.told, self.values);
        let licence = of.text("license_type").filter(|word| !word.eq_ignore_ascii_case("none")).unwrap_or("");
        let group = of.text("availability_set_id").or_else(|| of.text("virtual_machine_scale_set_id")).map(key);
        let images = ["source_image_reference", "storage_image_reference"].map(|key| of.inner(key));
        Machine {
            image_licence: told.text(image::paid(images, of.text("license_type"))),
            id: self.id(into),
            name: self.name(),
            tags: self.tags(),
            size: told.text(of.text("size").or_else(|| of.text("vm_size"))),
            region: told.region(of.text("location")),
            zone: told.text(self.zone()),
            os: told.of(os),
            licence: told.text(Some(licence)),
            evictable: told.of(Some(of.text("priority").is_some_and(|word| !word.eq_ignore_ascii_case("Regular")))),
            encrypted_at_host: told.of(Some(of.flag("encryption_at_host_enabled").unwrap_or(false))),
            special_disks: told
                .of(Some(of.inner("additional_capabilities").flag("ultra_ssd_enabled").unwrap_or(false))),
            controller: told.text(of.text("disk_controller_type")),
            group: told.text(group.as_deref()),
            ..Machine::default()
        }
    }

    fn machine(&self, os: Option<Os>, into: &mut Gathered) {
        let mut machine = self.common(os, into);
        machine.disks.extend(self.inline(self.values.inner("os_disk"), Holds::System));
        self.count_unread("machine", &OF_MACHINES, into);
        into.machine(machine);
    }

    fn legacy(&self, into: &mut Gathered) {
        let of = self.values;
        let system = of.inner("storage_os_disk");
        let os = match system.text("os_type") {
            Some(word) => resource::os_of(word),
            None if of.inner("os_profile_windows_config").is_there() => Some(Os::Windows),
            None if of.inner("os_profile_linux_config").is_there() => Some(Os::Linux),
            None => None,
        };
        let mut machine = self.common(os, into);
        machine.disks.extend(self.inline(system, Holds::System));
        let data = of.list("storage_data_disk").iter();
        machine.disks.extend(data.filter_map(|disk| self.inline(Fields::of(disk), Holds::Data)));
        self.count_unread("machine", &OF_MACHINES, into);
        into.machine(machine);
    }

    fn group(&self, kind: &str, into: &mut Gathered) {
        let of = self.values;
        let os = match kind {
            kind if kind.contains("linux") => Some(Os::Linux),
            kind if kind.contains("windows") => Some(Os::Windows),
            _ => None,
        };
        let mut machine = self.common(os, into);
        machine.size = self.told.text(of.text("sku").or_else(|| of.text("sku_name")));
        machine.count = self.told.of(of.number("instances"));
        machine.disks.extend(self.inline(of.inner("os_disk"), Holds::System));
        let data = of.list("data_disk").iter();
        machine.disks.extend(data.filter_map(|disk| self.inline(Fields::of(disk), Holds::Data)));
        into.machine(machine);
    }

    /// Machines of a cluster.
    fn pool(&self, of: Fields, into: &mut Gathered) {
        let told = self.told;
        let mut machine = self.common(None, into);
        machine.size = told.text(of.text("vm_size"));
        machine.count = told.of(of.number("node_count").or_else(|| of.number("min_count")));
        machine.is_node = told.of(Some(true));
        machine.special_disks = told.of(Some(of.flag("ultra_ssd_enabled").unwrap_or(false)));
        let at_host = of.flag("host_encryption_enabled").or_else(|| of.flag("enable_host_encryption"));
        machine.encrypted_at_host = told.of(Some(at_host.unwrap_or(false)));
        let zones = of.list("zones");
        // One zone is that of all; of several each machine is in one.
        machine.zone = told.text(match zones {
            [] => Some(""),
            [only] => only.as_str(),
            _ => None,
        });
        let is_local = of.text("os_disk_type").map(|word| word.eq_ignore_ascii_case("Ephemeral"));
        machine.disks.push(Disk {
            name: "os".into(),
            holds: Holds::System,
            gib: told.of(of.number("os_disk_size_gb").filter(|gib| *gib > 0)),
            local: told.of(is_local),
            ..Disk::default()
        });
        into.machine(machine);
    }

    /// A disk that is written within its machine.
    fn inline(&self, of: Fields, holds: Holds) -> Option<Disk> {
        if !of.is_there() {
            return None;
        }
        let told = self.told;
        let (kind, zone_redundant) =
            told.kind(of.text("storage_account_type").or_else(|| of.text("managed_disk_type")));
        let id = of.text("managed_disk_id").or_else(|| of.text("id")).map(key).unwrap_or_default();
        let is_local =
            of.inner("diff_disk_settings").text("option").is_some_and(|word| word.eq_ignore_ascii_case("Local"));
        let number = |names: [&str; 2]| names.into_iter().find_map(|name| of.number(name));
        Some(Disk {
            name: of.text("name").unwrap_or_else(|| last_part(&id)).into(),
            holds,
            gib: told.of(of.number("disk_size_gb")),
            iops: told.of(number(["ultra_ssd_disk_iops_read_write", "disk_iops_read_write"]).filter(|n| *n > 0)),
            mb: told.of(number(["ultra_ssd_disk_mbps_read_write", "disk_mbps_read_write"]).filter(|n| *n > 0)),
            cache: told.cache(of.text("caching")),
            lun: told.of(of.number("lun").map(|lun| lun as u32)),
            write_accelerator: told.of(Some(of.flag("write_accelerator_enabled").unwrap_or(false))),
            local: told.of(Some(is_local)),
            kind,
            zone_redundant,
            id,
            ..Disk::default()
        })
    }

    fn disk(&self, into: &mut Gathered) {
        let (told, of) = (self.told, self.values);
        let (kind, zone_redundant) = told.kind(of.text("storage_account_type"));
        let disk = Disk {
            id: self.id(into),
            name: self.name(),
            holds: if of.text("os_type").is_some() { Holds::System } else { Holds::Data },
            gib: told.of(of.number("disk_size_gb")),
            iops: told.of(of.number("disk_iops_read_write").filter(|_| is_sized_freely(kind.text()))),
            mb: told.of(of.number("disk_mbps_read_write").filter(|_| is_sized_freely(kind.text()))),
            tier: told.text(of.text("tier")),
            shares: told.of(of.number("max_shares").filter(|shares| *shares > 0).map(|shares| shares as u32)),
            bursts_by_use: told.of(Some(of.flag("on_demand_bursting_enabled").unwrap_or(false))),
            plus: told.of(Some(of.flag("performance_plus_enabled").unwrap_or(false))),
            region: told.region(of.text("location")),
            zone: told.text(self.zone()),
            kind,
            zone_redundant,
            ..Disk::default()
        };
        self.count_unread("disk", &OF_DISKS, into);
        into.disk(disk);
    }

    fn attachment(&self, into: &mut Gathered) {
        let (told, of) = (self.told, self.values);
        into.attachment(Attachment {
            address: self.address.into(),
            machine: of.text("virtual_machine_id").map(key),
            disk: of.text("managed_disk_id").map(key),
            lun: told.of(of.number("lun").map(|lun| lun as u32)),
            cache: told.cache(of.text("caching")),
            write_accelerator: told.of(of.flag("write_accelerator_enabled")),
            ..Attachment::default()
        });
    }

    /// A resource as the interface has it, in a provider that passes it on.
    fn raw(&self, into: &mut Gathered) -> bool {
        let of = self.values;
        let Some(kind) = of.text("type").and_then(|kind| kind.split('@').next()) else { return false };
        let body = match of.get("body") {
            Some(Value::String(text)) => serde_json::from_str(text).unwrap_or_default(),
            Some(body) => body.clone(),
            None => json!({}),
        };
        let mut record = json!({ "type": kind, "id": of.text("id"), "name": of.text("name"), "location": of.text("location"), "tags": of.get("tags") });
        if let (Some(record), Value::Object(body)) = (record.as_object_mut(), body) {
            record.extend(body);
        }
        let shape = if of.text("id").is_some() { Shape::Resource } else { Shape::Template };
        resource::take(shape, &record, into)
    }
}

fn is_sized_freely(kind: Option<&str>) -> bool {
    kind.is_some_and(|kind| crate::kinds::kinds().iter().any(|row| row.id == kind && row.second))
}
