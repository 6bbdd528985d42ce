//! Who is asked about which machine: of each vendor one, with what was looked up.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use dw_catalogue::Catalogue;
use dw_catalogue::facts::{Facts, SizeFacts};
use dw_catalogue::kind::Kind;
use dw_estate::StripeFile;

use crate::catalogued::Catalogued;
use crate::recorded::Recordings;

/// By its vendor, its name, what is chosen of it, and a region.
type Sizes = HashMap<(&'static str, [String; 3]), Option<Rc<SizeFacts>>>;

/// What can be bought, with what was looked up.
pub struct Market<'a> {
    catalogue: &'a Catalogue,
    catalogued: Catalogued<'a>,
    /// The day of the audit, as `2026-11-29`; without it nothing is late.
    pub today: Option<String>,
    /// What a person says of stripes.
    pub stripes: StripeFile,
    /// What recordings show of machines, where there are any.
    pub recordings: Option<&'a Recordings>,
    sizes: RefCell<Sizes>,
}

impl<'a> Market<'a> {
    pub fn new(catalogue: &'a Catalogue, today: Option<String>, stripes: StripeFile) -> Market<'a> {
        let catalogued = Catalogued::new(catalogue);
        Market { catalogue, catalogued, today, stripes, recordings: None, sizes: RefCell::default() }
    }

    /// Who knows what this vendor sells: of one that nobody named the catalogue.
    pub fn of(&self, vendor: &str) -> &dyn Facts {
        self.catalogue.other(vendor).and_then(|other| other.facts()).unwrap_or(&self.catalogued)
    }
    pub fn kind(&self, vendor: &str, id: &str) -> Option<&'static Kind> {
        self.of(vendor).kinds().iter().find(|kind| kind.id == id)
    }
    /// A size in a region with what is chosen of it, or nothing.
    pub fn size(
        &self,
        vendor: &'static str,
        (name, chosen): (&str, &str),
        region: Option<&str>,
    ) -> Option<Rc<SizeFacts>> {
        let key = (vendor, [name, chosen, region.unwrap_or_default()].map(String::from));
        if let Some(found) = self.sizes.borrow().get(&key) {
            return found.clone();
        }
        let found = self.of(vendor).size(name, chosen, region).map(Rc::new);
        self.sizes.borrow_mut().insert(key, found.clone());
        found
    }
}
