//! Machines with their disks, as inventories tell of them.
//!
//! An inventory is what a cloud lists, what a plan of infrastructure says will be, or what a cluster has. Each source tells some of a
//! machine; several are joined by id. What none tells stays unknown ([`Told::Unknown`]) and keeps no default.
//!
//! Lives here: the one type that every source becomes, how records are joined, which disks look like a stripe, changes as values.
//! Never here: shapes of any vendor's records (`crates/vendors/`), files and their syntax (`dw-formats`), what is wrong with an estate
//! (`dw-audit`), what disks can do.
//! Read next: `machine.rs`, then `gathered.rs`.

#![forbid(unsafe_code)]

mod change;
mod class;
mod gathered;
mod keyed;
mod machine;
mod members;
mod quantity;
mod stripes;
mod told;

pub use change::{Attribute, BlockOf, Change, Literal, Orders, Setting};
pub use class::{Class, IopsBySize};
pub use gathered::{Attachment, Doubt, Estate, Gathered, Page, Unread, key};
pub use keyed::{Keyed, is_passed_on};
pub use machine::{Disk, Holds, Machine, Os, State};
pub use quantity::gib_of;
pub use stripes::{Misnamed, Stripe, StripeFile, proposed};
pub use told::{SourceId, Told};

use serde_json::Value;

/// How a record lies in its file: what stands around it, not whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One thing of a cloud, as its interface, its query language or a table of its portal has it.
    Resource,
    /// A block of an infrastructure's plan or state: `type`, `address`, `values`.
    Block,
    /// The same of its configuration: `type`, `address`, `expressions` with what refers to what.
    Configuration,
    /// A thing of a template, its expressions replaced as far as they can be; what is left begins with `[`.
    Template,
    /// An object of a cluster: `kind`, `metadata`, `spec`.
    Object,
}

/// Who understands records: one for each vendor.
pub trait Records: Sync {
    /// The vendor's word.
    fn vendor(&self) -> &'static str;
    /// Takes what a record tells. `false`: nothing was read of it, and it may be another vendor's.
    fn take(&self, shape: Shape, record: &Value, into: &mut Gathered) -> bool;
    /// Whether what stands under a name anywhere in a record of a list may tell something, and where it is null whether that does.
    fn needs(&self, _name: &str, _is_null: bool) -> bool {
        true
    }
    /// What prints its inventories, as a hint shows it to people.
    fn printed_by(&self) -> &'static str;
    /// Keys of an answer under which its lists, and nobody else's, stand: they tell whose one is that has no record.
    fn lists(&self) -> &'static [&'static str];
    /// The id of the machine that a [`Shape::Resource`] is, or is attached to; nothing where it is of none, or nobody's.
    fn machine_of(&self, _record: &Value) -> Option<Box<str>> {
        None
    }
}
