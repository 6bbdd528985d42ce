//! What each VM has: volumes with their devices, what they hold and are for; region, processors, memory.

use std::collections::HashMap;

use arrow_array::{Array, Int64Array, ListArray, RecordBatch, StringArray};
use diskwright::dw_demand::volume_name;
use diskwright::{Catalogue, Result};

use crate::columns::{number, numbers, optional, text, texts};

/// One volume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    pub name: String,
    /// Devices that carry it; none: a device of its name.
    pub devices: Vec<String>,
    /// What it must hold.
    pub capacity_bytes: Option<i64>,
    /// What it is for, as a word of `requirements.toml`.
    pub role: Option<String>,
}

impl Volume {
    /// The devices that carry it.
    pub fn devices(&self) -> impl Iterator<Item = &str> {
        let own = self.devices.is_empty().then_some(self.name.as_str());
        self.devices.iter().map(String::as_str).chain(own)
    }
}

/// One VM.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// Its volumes, by name.
    pub volumes: Vec<Volume>,
    /// Where it runs.
    pub region: Option<String>,
    /// Processors.
    pub vcpu: Option<i64>,
    pub memory_bytes: Option<i64>,
    /// Its size of today.
    pub vm_size: Option<String>,
    /// Rows of a volume that has no name.
    pub unnamed: usize,
    /// Rows of one VM that say different things of it: which column.
    pub contradiction: Option<&'static str>,
}

impl Machine {
    /// What its volumes may be called, in their order: an inventory calls them as it likes.
    pub fn volume_names(&self) -> Vec<String> {
        volume_name::fitting(&self.volumes.iter().map(|volume| volume.name.as_str()).collect::<Vec<_>>())
    }
}

/// All VMs by name.
#[derive(Clone, Debug, Default)]
pub struct Inventory(HashMap<String, Machine>);

impl Inventory {
    /// From batches with a row for each volume.
    ///
    /// # Errors
    /// Of kind `Input` where a column is missing or of another type.
    pub fn from_batches(batches: &[RecordBatch]) -> Result<Inventory> {
        let mut inventory = Inventory::default();
        batches.iter().try_for_each(|batch| inventory.add(batch))?;
        // Rows of a table that was shuffled come in any order.
        inventory.0.values_mut().for_each(|machine| machine.volumes.sort_by(|a, b| a.name.cmp(&b.name)));
        Ok(inventory)
    }

    /// One VM.
    pub fn machine(&self, vm: &str) -> Option<&Machine> {
        self.0.get(vm)
    }

    /// What it does not say of a VM's processors and memory, but the catalogue of its size does.
    pub fn size(&mut self, vm: &str, catalogue: &Catalogue) {
        let Some(machine) = self.0.get_mut(vm) else { return };
        let Some(size) = machine.vm_size.as_ref().and_then(|size| catalogue.vm(size, None).ok()) else { return };
        let memory = size.memory_mib.and_then(|mib| i64::try_from(mib << 20).ok());
        machine.vcpu = machine.vcpu.or(Some(size.vcpu.into()));
        machine.memory_bytes = machine.memory_bytes.or(memory);
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let (vm, volume, capacity) = (texts(batch, "vm")?, texts(batch, "volume")?, numbers(batch, "capacity_bytes")?);
        let devices = optional::<ListArray>(batch, "devices", "list<string>")?;
        let words = |name| optional::<StringArray>(batch, name, "string");
        let (role, region, size) = (words("role")?, words("region")?, words("vm_size")?);
        let figures = |name| optional::<Int64Array>(batch, name, "int64");
        let (vcpu, memory) = (figures("vcpu")?, figures("memory_bytes")?);
        let word = |column: Option<&StringArray>, row| column.and_then(|column| text(column, row)).map(str::to_string);
        let figure = |column: Option<&Int64Array>, row| column.and_then(|column| number(column, row));
        for row in 0..batch.num_rows() {
            let Some(name) = text(vm, row) else { continue };
            let machine = self.0.entry(name.to_string()).or_default();
            let agrees = [
                ("region", say(&mut machine.region, word(region, row))),
                ("vcpu", say(&mut machine.vcpu, figure(vcpu, row))),
                ("memory_bytes", say(&mut machine.memory_bytes, figure(memory, row))),
                ("vm_size", say(&mut machine.vm_size, word(size, row))),
            ];
            let differs = agrees.into_iter().find(|(_, agrees)| !agrees).map(|(column, _)| column);
            machine.contradiction = machine.contradiction.or(differs);
            let list = devices.filter(|devices| devices.is_valid(row)).map(|devices| devices.value(row));
            let capacity_bytes = number(capacity, row);
            let Some(volume) = text(volume, row) else {
                machine.unnamed += usize::from(list.is_some() || capacity_bytes.is_some());
                continue;
            };
            if machine.volumes.iter().any(|known| known.name == volume) {
                machine.contradiction = Some("volume");
            }
            let list = list.as_ref().and_then(|list| list.as_any().downcast_ref::<StringArray>());
            machine.volumes.push(Volume {
                name: volume.to_string(),
                devices: list.into_iter().flat_map(|list| list.iter().flatten().map(str::to_string)).collect(),
                capacity_bytes,
                role: word(role, row),
            });
        }
        Ok(())
    }
}

/// Takes what a row says of its VM; whether it agrees with what others said.
fn say<T: PartialEq>(mine: &mut Option<T>, theirs: Option<T>) -> bool {
    let agrees = mine.is_none() || theirs.is_none() || *mine == theirs;
    *mine = theirs.or(mine.take());
    agrees
}
