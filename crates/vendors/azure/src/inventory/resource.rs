//! Machines, groups of machines and disks as Azure's interface has them.

use std::sync::LazyLock;

use dw_estate::{Disk, Doubt, Gathered, Holds, Keyed, Machine, Os, Shape, State, key};
use serde_json::Value;

use super::{Fields, Known, Teller, image, is_kind, last_part};

const MACHINE: &str = "Microsoft.Compute/virtualMachines";
const GROUP: &str = "Microsoft.Compute/virtualMachineScaleSets";
const DISK: &str = "Microsoft.Compute/disks";

/// What is read of a machine, and what says nothing of its disks, in small letters.
static OF_MACHINES: Known = Known(LazyLock::new(|| {
    "additionalcapabilities apiversion availabilityset billingprofile capacityreservation comments condition copy datasources dependson \
    diagnosticsprofile etag evictionpolicy extendedlocation extended extensionstimebudget fqdns hardwareprofile host hostgroup id \
    identity instanceview kind licensetype location macaddresses managedby name networkprofile osprofile placement plan platformfaultdomain \
    powerstate priority privateips properties provisioningstate proximityplacementgroup publicips resourcegroup resources \
    scheduledeventsprofile scheduledeventspolicy securityprofile sku storageprofile subscriptionid systemdata tags tenantid timecreated type userdata \
    virtualmachineprofile virtualmachinescaleset vmid zones osname resourceguid applicationprofile".split_whitespace().collect()
}));
static OF_GROUPS: Known = Known(LazyLock::new(|| {
    "additionalcapabilities apiversion automaticrepairspolicy condition constrainedmaximumcapacity copy dependson donotrunextensionsonoverprovisionedvms \
    etag extendedlocation hostgroup id identity kind location managedby name orchestrationmode overprovision plan platformfaultdomaincount \
    prioritymixpolicy properties provisioningstate proximityplacementgroup resiliencypolicy resourcegroup scaleinpolicy scheduledeventspolicy singleplacementgroup \
    sku skuprofile spotrestorepolicy subscriptionid systemdata tags tenantid timecreated type uniqueid upgradepolicy virtualmachineprofile zonebalance zones".split_whitespace().collect()
}));
static OF_DISKS: Known = Known(LazyLock::new(|| {
    "apiversion availabilitypolicy burstingenabled burstingenabledtime completionpercent comments condition copy creationdata dataaccessauthmode dependson diskaccessid \
    diskiopsreadonly diskiopsreadwrite diskmbpsreadonly diskmbpsreadwrite disksizebytes disksizegb diskstate encryption \
    encryptionsettingscollection etag extendedlocation hypervgeneration id kind lastownershipupdatetime location managedby managedbyextended \
    maxshares name networkaccesspolicy optimizedforfrequentattach ostype plan properties propertyupdatesinprogress provisioningstate \
    publicnetworkaccess purchaseplan resourcegroup securityprofile shareinfo sku subscriptionid supportedcapabilities supportshibernation \
    systemdata tags tenantid tier timecreated type uniqueid zones identity".split_whitespace().collect()
}));

/// Takes a record; which kind it is says its type, or else its id.
pub fn take(shape: Shape, record: &Value, into: &mut Gathered) -> bool {
    let top = Fields::of(record);
    let of_id = top.text("id").map(kind_of_id).unwrap_or_default();
    let kind = top.text("type").map(str::to_string).filter(|kind| kind.contains('/')).unwrap_or(of_id);
    let within = top.inner("properties");
    let properties = if within.is_there() { within } else { top };
    let read = Read { top, properties, shape };
    if is_kind(&kind, MACHINE) {
        read.machine(into);
    } else if is_kind(&kind, GROUP) {
        read.group(into);
    } else if is_kind(&kind, DISK) {
        read.disk(into);
    } else {
        if !kind.is_empty() {
            into.unread_record(&kind.to_ascii_lowercase());
        }
        return false;
    }
    true
}

/// The id of the machine that a record is of, or is about; nothing where it is of none.
pub fn machine_of(record: &Value) -> Option<Box<str>> {
    let top = Fields::of(record);
    let id = top.text("id")?;
    let kind = top.text("type").filter(|kind| kind.contains('/')).map_or_else(|| kind_of_id(id), str::to_string);
    let is_machine = is_kind(&kind, MACHINE) || is_kind(&kind, GROUP);
    let managed_by = || top.text("managedBy").or_else(|| top.inner("properties").text("managedBy"));
    Some(id).filter(|_| is_machine).or_else(managed_by).map(key)
}

/// `Microsoft.Compute/disks` of an id; of what is within something the whole chain.
fn kind_of_id(id: &str) -> String {
    let Some(at) = id.to_ascii_lowercase().rfind("/providers/") else { return String::new() };
    let mut parts = id[at + "/providers/".len()..].split('/');
    let provider = parts.next().unwrap_or_default();
    let kinds: Vec<&str> = parts.step_by(2).collect();
    format!("{provider}/{}", kinds.join("/"))
}

struct Read<'a> {
    top: Fields<'a>,
    properties: Fields<'a>,
    shape: Shape,
}

impl<'a> Read<'a> {
    /// What is within a profile; where a query made columns of it, the column.
    fn profile(&self, path: &[&str]) -> Fields<'a> {
        let within = path.iter().fold(self.properties, |fields, key| fields.inner(key));
        if within.is_there() {
            return within;
        }
        self.top.inner(&format!("properties_{}", path.join("_")))
    }
    fn text(&self, path: &[&str]) -> Option<&'a str> {
        let (last, before) = path.split_last()?;
        let within = self.profile(before).text(last);
        within.or_else(|| self.top.text(&format!("properties_{}", path.join("_")))).or_else(|| self.top.text(last))
    }
    fn id(&self, kind: &str) -> (Box<str>, Box<str>) {
        let name = self.top.text("name").or_else(|| self.top.get("name")?.as_str()).unwrap_or_default();
        match (self.shape, self.top.text("id")) {
            (Shape::Resource, Some(id)) => (key(id), if name.is_empty() { last_part(id).into() } else { name.into() }),
            _ => (key(&format!("/{kind}/{name}")), name.into()),
        }
    }
    fn zone(&self) -> Option<&'a str> {
        let zone = match self.top.get("zones") {
            Some(Value::Array(zones)) => zones.first().and_then(Value::as_str).unwrap_or(""),
            Some(Value::String(zone)) => zone.trim_matches(['[', ']', '"', ' ']),
            // A record that has the key without a value is of something in no zone; a projection may lack the key.
            _ if self.shape != Shape::Resource || self.has_key("zones") => "",
            _ => return None,
        };
        (!zone.starts_with('[')).then_some(zone)
    }
    fn has_key(&self, key: &str) -> bool {
        self.top.keys().any(|(own, _)| own.eq_ignore_ascii_case(key))
    }
    fn tags(&self) -> Vec<(Box<str>, Box<str>)> {
        let tags = self.top.inner("tags").keys();
        let mut tags: Vec<_> = tags.filter_map(|(key, value)| Some((key.into(), value.as_str()?.into()))).collect();
        tags.sort();
        tags
    }
    fn count_unread(&self, of: &str, known: &Known, into: &mut Gathered) {
        let own = self.properties.0.map(std::ptr::from_ref) != self.top.0.map(std::ptr::from_ref);
        let inner = own.then_some(self.properties).into_iter().flat_map(Fields::keys);
        for (field, _) in self.top.keys().chain(inner).filter(|(_, value)| !is_empty(value)) {
            if field.starts_with("properties_") || field.starts_with('$') {
                continue;
            }
            if !known.has(field) {
                into.unread_field(of, field);
            }
        }
    }
    fn doubt_expression(&self, fields: Fields, name: &str, at: &str, field: &'static str, into: &mut Gathered) {
        if let Some(text) = fields.expression(at) {
            into.doubt(Doubt::Expression { name: name.into(), field, text: text.into() });
        }
    }

    fn machine(&self, into: &mut Gathered) {
        let told = Teller(into.by());
        let (id, name) = self.id(MACHINE);
        let size = self.text(&["hardwareProfile", "vmSize"]);
        self.doubt_expression(self.profile(&["hardwareProfile"]), &name, "vmSize", "size", into);
        let group = [("availabilitySet", "id"), ("virtualMachineScaleSet", "id")];
        let group = group.into_iter().find_map(|(profile, id)| self.profile(&[profile]).text(id)).map(key);
        let mut machine = self.common(told, id, name, self.properties);
        machine.size = told.text(size);
        machine.group = told.text(group.as_deref());
        machine.state = told.of(self.state());
        self.count_unread("machine", &OF_MACHINES, into);
        disks_of(self.profile(&["storageProfile"]), told, &mut machine, into);
        into.machine(machine);
    }

    fn group(&self, into: &mut Gathered) {
        let told = Teller(into.by());
        let (id, name) = self.id(GROUP);
        let profile = self.profile(&["virtualMachineProfile"]);
        let sku = self.top.inner("sku");
        let mut machine = self.common(told, id, name, profile);
        machine.size = told.text(sku.text("name").or_else(|| self.top.text("sku_name")));
        self.doubt_expression(sku, &machine.name, "name", "size", into);
        machine.count = told.of(sku.number("capacity"));
        // What a cluster's own groups are marked by.
        let is_node = machine.tags.iter().any(|(tag, _)| tag.to_ascii_lowercase().starts_with("aks-managed"));
        machine.is_node = told.of(is_node.then_some(true));
        self.count_unread("group", &OF_GROUPS, into);
        disks_of(profile.inner("storageProfile"), told, &mut machine, into);
        into.machine(machine);
    }

    fn common(&self, told: Teller, id: Box<str>, name: Box<str>, profile: Fields) -> Machine {
        let licence = match profile.text("licenseType") {
            Some(licence) if !licence.eq_ignore_ascii_case("none") => Some(licence),
            // A whole record without it has none; a projection may have left it out.
            _ if profile.inner("storageProfile").is_there() => Some(""),
            _ => None,
        };
        let is_whole = profile.inner("storageProfile").is_there();
        let at_host = profile.inner("securityProfile").flag("encryptionAtHost");
        let priority = profile.text("priority").map(|word| !word.eq_ignore_ascii_case("Regular"));
        let more = [self.properties, profile]
            .into_iter()
            .find_map(|at| at.inner("additionalCapabilities").flag("ultraSSDEnabled"));
        let os = profile.inner("storageProfile").inner("osDisk").text("osType");
        let os = os.or_else(|| self.text(&["storageProfile", "osDisk", "osType"]));
        let configured = profile.inner("osProfile");
        let os = match os {
            Some(word) => os_of(word),
            None if configured.inner("windowsConfiguration").is_there() => Some(Os::Windows),
            None if configured.inner("linuxConfiguration").is_there() => Some(Os::Linux),
            None => None,
        };
        let images = [
            profile.inner("storageProfile").inner("imageReference"),
            self.profile(&["storageProfile", "imageReference"]),
        ];
        Machine {
            image_licence: told.text(image::paid(images, profile.text("licenseType"))),
            id,
            name,
            tags: self.tags(),
            region: told.region(self.top.text("location")),
            zone: told.text(self.zone()),
            os: told.of(os),
            licence: told.text(licence),
            encrypted_at_host: told.of(at_host.or_else(|| is_whole.then_some(false))),
            evictable: told.of(priority.or_else(|| is_whole.then_some(false))),
            special_disks: told.of(more.or_else(|| is_whole.then_some(false))),
            controller: told.text(
                [profile.inner("storageProfile"), self.profile(&["storageProfile"])]
                    .into_iter()
                    .find_map(|storage| storage.text("diskControllerType")),
            ),
            ..Machine::default()
        }
    }

    fn state(&self) -> Option<State> {
        let statuses = self.profile(&["instanceView"]).list("statuses").iter().map(Fields::of);
        let of_statuses =
            statuses.filter_map(|status| status.text("code")).find(|code| code.starts_with("PowerState/"));
        let extended = || self.profile(&["extended", "instanceView", "powerState"]).text("code");
        let word = self.top.text("powerState").or(of_statuses).or_else(extended);
        let word = word.or_else(|| self.top.text("properties_extended_instanceView_powerState_code"))?;
        let word = word.to_ascii_lowercase();
        Some(match word.rsplit(['/', ' ']).next().unwrap_or_default() {
            "running" => State::Running,
            "stopped" => State::Stopped,
            "deallocated" => State::Released,
            _ => return None,
        })
    }

    fn disk(&self, into: &mut Gathered) {
        let told = Teller(into.by());
        let (id, name) = self.id(DISK);
        let of = self.properties;
        let sku = self.top.inner("sku");
        let sku_name = sku.text("name").or_else(|| self.top.text("sku_name")).or_else(|| self.top.text("sku"));
        self.doubt_expression(sku, &name, "name", "kind", into);
        let (kind, zone_redundant) = told.kind(sku_name);
        let managed_by = self.top.text("managedBy");
        let state = of.text("diskState").or_else(|| self.top.text("properties_diskState"));
        let is_free = state.is_some_and(|state| state.eq_ignore_ascii_case("Unattached"));
        let machine = match managed_by {
            Some(id) => Some(key(id)),
            None if is_free => Some("".into()),
            None => None,
        };
        let number = |key: &str| of.number(key).or_else(|| self.top.number(&format!("properties_{key}")));
        let is_free_form =
            kind.text().is_some_and(|kind| crate::kinds::kinds().iter().any(|row| row.id == kind && row.second));
        let disk = Disk {
            id,
            name,
            holds: if of.text("osType").is_some() { Holds::System } else { Holds::Data },
            gib: told.of(number("diskSizeGB")),
            // Of other kinds the record repeats what comes with the size.
            iops: told.of(number("diskIOPSReadWrite").filter(|_| is_free_form)),
            mb: told.of(number("diskMBpsReadWrite").filter(|_| is_free_form)),
            tier: told.text(of.text("tier")),
            shares: told.of(number("maxShares").map(|shares| shares as u32)),
            bursts_by_use: told.of(of.flag("burstingEnabled")),
            plus: told.of(of.inner("creationData").flag("performancePlus")),
            region: told.region(self.top.text("location")),
            zone: told.text(self.zone()),
            machine: told.of(machine),
            kind,
            zone_redundant,
            ..Disk::default()
        };
        self.count_unread("disk", &OF_DISKS, into);
        into.disk(disk);
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

pub(super) fn os_of(word: &str) -> Option<Os> {
    match word.to_ascii_lowercase().as_str() {
        "linux" => Some(Os::Linux),
        "windows" => Some(Os::Windows),
        _ => None,
    }
}

/// What a machine says of its disks.
fn disks_of(profile: Fields, told: Teller, machine: &mut Machine, into: &mut Gathered) {
    let system = profile.inner("osDisk");
    let data = profile.list("dataDisks").iter().map(Fields::of);
    let all =
        system.is_there().then_some((system, Holds::System)).into_iter().chain(data.map(|disk| (disk, Holds::Data)));
    for (disk, holds) in all {
        let managed = disk.inner("managedDisk");
        let (kind, zone_redundant) = told.kind(managed.text("storageAccountType"));
        if let Some(text) = managed.expression("storageAccountType") {
            into.doubt(Doubt::Expression { name: machine.name.to_string(), field: "kind", text: text.into() });
        }
        let id = managed.text("id").map(key).unwrap_or_default();
        let deleted = disk.text("deleteOption").map(|word| word.eq_ignore_ascii_case("Delete"));
        let is_local = disk.inner("diffDiskSettings").text("option").map(|word| word.eq_ignore_ascii_case("Local"));
        let name = disk.text("name").unwrap_or_else(|| last_part(&id));
        let disk = Disk {
            name: name.into(),
            holds,
            gib: told.of(disk.number("diskSizeGB")),
            iops: told.of(disk.number("diskIOPSReadWrite")),
            mb: told.of(disk.number("diskMBpsReadWrite")),
            cache: told.cache(disk.text("caching")),
            lun: told.of(disk.number("lun").map(|lun| lun as u32)),
            write_accelerator: told.of(disk.flag("writeAcceleratorEnabled")),
            local: told.of(is_local.or(Some(false))),
            dies_with_machine: told.of(deleted),
            kind,
            zone_redundant,
            id,
            ..Disk::default()
        };
        machine.disks.push(disk);
    }
}
