//! Changes of an estate in the words of the AWS CLI.

use dw_estate::{Attribute, BlockOf, Change, Orders};

/// Who writes them.
pub struct Commands;

impl Orders for Commands {
    fn commands(&self, _: &Change) -> Option<Vec<Vec<String>>> {
        None
    }
    fn attribute(&self, _: &Change) -> Option<Attribute> {
        None
    }
    fn refers_to_disk(&self) -> &'static str {
        "volume_id"
    }
    fn blocks(&self, _: BlockOf) -> &'static [&'static str] {
        &[]
    }
}
