//! What VM sizes are that nobody is given unasked, as data: each with the key that allows it and what is said of it.

use dw_demand::wishes::Wishes;

use crate::catalogue::Catalogue;

/// Something that a VM size is and nobody is given unasked.
#[derive(Debug)]
pub struct Flag {
    /// The key of the demand that allows it.
    pub key: &'static str,
    /// Why such a size is not chosen.
    pub why: &'static str,
    is: fn(&Catalogue, &str) -> bool,
    is_allowed: fn(&Wishes) -> bool,
    allow: fn(&mut Wishes),
}

static FLAGS: [Flag; 3] = [
    Flag {
        key: "arm",
        why: "it has Arm processors; `arm = true` allows them",
        is: Catalogue::is_arm,
        is_allowed: |wishes| wishes.arm,
        allow: |wishes| wishes.arm = true,
    },
    Flag {
        key: "burstable",
        why: "it is burstable; `burstable = true` allows it",
        is: Catalogue::is_burstable,
        is_allowed: |wishes| wishes.burstable,
        allow: |wishes| wishes.burstable = true,
    },
    Flag {
        key: "confidential",
        why: "it is a confidential VM; `confidential = true` allows it",
        is: Catalogue::is_confidential,
        is_allowed: |wishes| wishes.confidential,
        allow: |wishes| wishes.confidential = true,
    },
];

/// All of them, in the order in which they are told.
pub fn flags() -> &'static [Flag] {
    &FLAGS
}

/// A key has one flag.
impl PartialEq for Flag {
    fn eq(&self, other: &Flag) -> bool {
        self.key == other.key
    }
}

impl Eq for Flag {}

impl Flag {
    /// Whether a VM size is so.
    pub fn is_of(&self, catalogue: &Catalogue, vm: &str) -> bool {
        (self.is)(catalogue, vm)
    }
    /// Whether such sizes may be chosen.
    pub fn is_allowed_by(&self, wishes: &Wishes) -> bool {
        (self.is_allowed)(wishes)
    }
    /// The same demand with such sizes.
    pub fn allow(&self, wishes: &mut Wishes) {
        (self.allow)(wishes);
    }
}
