//! A machine and its disks.

use dw_units::CacheMode;

use crate::told::Told;

/// What runs on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Os {
    Linux,
    Windows,
}

/// Whether a machine runs, and what is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    /// It is off, and its size is paid for.
    Stopped,
    /// It is off, and only its disks are paid for.
    Released,
}

/// What a disk holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holds {
    #[default]
    Data,
    /// The operating system.
    System,
}

macro_rules! joined {
    ($(#[$of:meta])* $name:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)* } with { $($(#[$own_doc:meta])* $own:ident: $own_type:ty,)* }) => {
        $(#[$of])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$own_doc])* pub $own: $own_type,)*
            $($(#[$doc])* pub $field: Told<$type>,)*
        }
        impl $name {
            /// Adds what another source tells; the fields of which it says otherwise.
            pub(crate) fn join_fields(&mut self, other: &mut $name) -> Vec<&'static str> {
                let mut differ = Vec::new();
                $(if !self.$field.join(std::mem::take(&mut other.$field)) { differ.push(stringify!($field)); })*
                differ
            }
        }
    };
}

joined! {
    /// A disk, on a machine or on nothing.
    Disk {
        /// The id of its kind, as the vendor's kinds have it.
        kind: Box<str>,
        /// Its data are in several zones at once.
        zone_redundant: bool,
        gib: u64,
        /// I/Os per second bought, where they are chosen freely.
        iops: u64,
        /// MB/s bought, likewise.
        mb: u64,
        /// MiB/s bought, of a vendor that sells those.
        mib: u64,
        /// The performance tier it is set to.
        tier: Box<str>,
        cache: CacheMode,
        lun: u32,
        /// What is chosen of its place on the machine, as the options of a scenario write it; empty: nothing.
        chosen: Box<str>,
        /// How many machines may share it.
        shares: u32,
        /// Bursts that are paid by use are switched on.
        bursts_by_use: bool,
        /// Higher rates without a price are switched on.
        plus: bool,
        write_accelerator: bool,
        /// On the machine's own host: lost when the machine moves.
        local: bool,
        /// It goes when the machine is deleted.
        dies_with_machine: bool,
        region: Box<str>,
        /// Empty: in no zone.
        zone: Box<str>,
        /// The id of the machine that it is attached to; empty: of none.
        machine: Box<str>,
        /// What a cluster calls what is on it.
        claim: Box<str>,
        /// The class that it was made by: what it does not say, that does.
        class: Box<str>,
    } with {
        /// What sources call it; unique in its estate, in small letters. Empty where a source gives none.
        id: Box<str>,
        name: Box<str>,
        holds: Holds,
        /// Whose records tell of it: the vendor's word; empty where nobody's do.
        vendor: &'static str,
        /// Several machines of the estate have it.
        on_several: bool,
        /// So it is, and another one of them counts it.
        counted_elsewhere: bool,
    }
}

joined! {
    /// A machine, or a group of such.
    Machine {
        /// The vendor's name of its size.
        size: Box<str>,
        /// What is chosen of the size, as the options of a scenario write it; empty: nothing.
        chosen: Box<str>,
        region: Box<str>,
        /// Empty: in no zone.
        zone: Box<str>,
        os: Os,
        /// Licences that its owner brings along; empty: none.
        licence: Box<str>,
        /// What its image is sold with and paid for by the hour, as people call it; empty: nothing.
        image_licence: Box<str>,
        state: State,
        /// The vendor may take it back.
        evictable: bool,
        encrypted_at_host: bool,
        /// It may take disks that not every machine of its size takes.
        special_disks: bool,
        /// The controller of its disks, as the vendor calls it.
        controller: Box<str>,
        /// So many network interfaces, which take places of disks at some vendors.
        interfaces: u32,
        /// The group that it is a replica in.
        group: Box<str>,
        /// So many alike.
        count: u64,
        /// It runs containers.
        is_node: bool,
        /// The model that it is made after: what it does not say, that does.
        model: Box<str>,
    } with {
        id: Box<str>,
        name: Box<str>,
        /// Whose records tell of it, as of a disk.
        vendor: &'static str,
        tags: Vec<(Box<str>, Box<str>)>,
        disks: Vec<Disk>,
    }
}

impl Machine {
    /// So many alike, one where no source says it.
    pub fn copies(&self) -> u64 {
        self.count.value().unwrap_or(1)
    }
    /// The disks that take a place of the machine's.
    pub fn data_disks(&self) -> impl Iterator<Item = &Disk> {
        self.disks.iter().filter(|disk| disk.holds == Holds::Data)
    }
}
