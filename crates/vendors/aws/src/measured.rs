//! What iotune measured of raw instance stores, by type or by all of a family.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::numbers::number;
use crate::packed::Table;

static TABLE: Table = Table::named("stores-measured.csv");
static BY_NAME: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| TABLE.rows().map(|row| (row[0], row)).collect());

/// What one disk gave; each of several disks its part of what the instance gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    pub read_iops: u64,
    pub read_bytes_s: u64,
    pub write_iops: u64,
    pub write_bytes_s: u64,
}

/// What was measured of a type with so many disks: of the type itself, else of its whole family.
pub(crate) fn measured(name: &str, family: &str, disks: u32) -> Option<Measured> {
    let row = BY_NAME.get(name).or_else(|| BY_NAME.get(format!("{family}.ALL").as_str()))?;
    let parts = if row[1] == "instance" { u64::from(disks.max(1)) } else { 1 };
    let figure = |column: usize| number::<u64>(row[column]).map(|all| all / parts);
    Some(Measured {
        read_iops: figure(2)?,
        read_bytes_s: figure(3)?,
        write_iops: figure(4)?,
        write_bytes_s: figure(5)?,
    })
}
