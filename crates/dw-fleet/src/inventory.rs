//! What each VM has: volumes with their devices, what they hold and are for; region, processors, memory.

use std::collections::HashMap;

use arrow_array::{Array, RecordBatch, StringArray};
use diskwright::Result;

use crate::columns::{lists, number, numbers, text, texts};

/// One volume.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Its name.
    pub name: String,
    /// Devices that carry it; none: a device of its name.
    pub devices: Vec<String>,
    /// What it must hold.
    pub capacity_bytes: Option<i64>,
    /// What it is for, as a word of `requirements.toml`.
    pub role: Option<String>,
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
    /// Memory.
    pub memory_bytes: Option<i64>,
    /// Rows of one VM that say different things of it: which column.
    pub contradiction: Option<&'static str>,
}

/// All VMs by name.
#[derive(Clone, Debug, Default)]
pub struct Inventory(HashMap<String, Machine>);

impl Inventory {
    /// From batches with a row for each volume.
    ///
    /// # Errors
    /// Of kind `Input` where a column is missing or of another type.
    pub fn of(batches: &[RecordBatch]) -> Result<Inventory> {
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

    fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let (vm, volume, devices) = (texts(batch, "vm")?, texts(batch, "volume")?, lists(batch, "devices")?);
        let (capacity, role, region) =
            (numbers(batch, "capacity_bytes")?, texts(batch, "role")?, texts(batch, "region")?);
        let (vcpu, memory) = (numbers(batch, "vcpu")?, numbers(batch, "memory_bytes")?);
        for row in 0..batch.num_rows() {
            let Some(name) = text(vm, row) else { continue };
            let machine = self.0.entry(name.to_string()).or_default();
            let agrees = [
                ("region", say(&mut machine.region, text(region, row).map(str::to_string))),
                ("vcpu", say(&mut machine.vcpu, number(vcpu, row))),
                ("memory_bytes", say(&mut machine.memory_bytes, number(memory, row))),
            ];
            let differs = agrees.into_iter().find(|(_, agrees)| !agrees).map(|(column, _)| column);
            machine.contradiction = machine.contradiction.or(differs);
            let Some(volume) = text(volume, row) else { continue };
            if machine.volumes.iter().any(|known| known.name == volume) {
                machine.contradiction = Some("volume");
            }
            let list = devices.is_valid(row).then(|| devices.value(row));
            let list = list.as_ref().and_then(|list| list.as_any().downcast_ref::<StringArray>());
            machine.volumes.push(Volume {
                name: volume.to_string(),
                devices: list.into_iter().flat_map(|list| list.iter().flatten().map(str::to_string)).collect(),
                capacity_bytes: number(capacity, row),
                role: text(role, row).map(str::to_string),
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
