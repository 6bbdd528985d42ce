//! Instance types together: those that are shipped, and those that a person imported over them.
//!
//! Rule: of one name the newest import counts, else what is shipped; both stay known by their editions.

use std::collections::BTreeMap;
use std::sync::Arc;

use dw_vendor::edition::sort_key;

use crate::instances::{self, EDITION, InstanceType};

/// All types.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// Of each name the oldest import first.
    own: Arc<BTreeMap<String, Vec<InstanceType>>>,
}

fn key(name: &str) -> String {
    name.trim().to_ascii_lowercase()
}

impl Types {
    /// With another that was imported, in place of one of the same edition.
    pub(crate) fn add(&mut self, row: InstanceType) {
        let rows = Arc::make_mut(&mut self.own).entry(key(&row.name)).or_default();
        rows.retain(|other| other.edition != row.edition);
        let at = rows.partition_point(|other| sort_key(&other.edition) <= sort_key(&row.edition));
        rows.insert(at, row);
    }

    fn own(&self, name: &str) -> &[InstanceType] {
        // Nothing is looked up where nothing was imported, and no text made of a name as it is sold: an estate asks for thousands.
        if self.own.is_empty() {
            return &[];
        }
        self.own.get(name).or_else(|| self.own.get(&key(name))).map_or(&[], Vec::as_slice)
    }

    /// The type of that name, as it is known newest.
    pub fn get(&self, name: &str) -> Option<&InstanceType> {
        self.own(name).last().or_else(|| instances::instance(name))
    }

    /// The same in an edition.
    pub fn of_edition(&self, name: &str, edition: &str) -> Option<&InstanceType> {
        let shipped = || instances::instance(name).filter(|_| edition == EDITION);
        self.own(name).iter().find(|row| row.edition == edition).or_else(shipped)
    }

    /// The editions that have a type, oldest first.
    pub fn editions(&self, name: &str) -> Vec<&str> {
        let shipped = instances::instance(name).map(|row| &*row.edition);
        shipped.into_iter().chain(self.own(name).iter().map(|row| &*row.edition)).collect()
    }

    /// All types, as they are known newest.
    pub fn all(&self) -> impl Iterator<Item = &InstanceType> {
        let newest = |row: &'static InstanceType| self.own.get(&*row.name).and_then(|rows| rows.last()).unwrap_or(row);
        let shipped = instances::all().iter().map(newest);
        shipped.chain(self.own.values().filter_map(|rows| rows.last()).filter(|row| !row.is_shipped()))
    }

    /// All in every edition.
    pub fn rows(&self) -> impl Iterator<Item = &InstanceType> {
        instances::all().iter().chain(self.own.values().flatten())
    }
}
