//! What a vendor brings to the keys of `[plan]`: passed in by the catalogue, so that no vendor is named here.

use std::collections::BTreeMap;

use schemars::SchemaGenerator;
use serde::Deserialize;
use serde_json::Value;
use serde_spanned::Spanned;

use crate::kind::{Flag, Kind, Text};
use crate::plan::{self, Key};
use crate::wishes::Wishes;

/// What a vendor brings, or several of them together.
#[derive(Debug)]
pub struct VendorKeys {
    /// The vendor's word.
    pub id: &'static str,
    /// Requirements that name neither a vendor nor a region are its own.
    pub is_usual: bool,
    /// The default region.
    pub region: &'static str,
    /// The words for ways to buy a disk, beyond its size.
    pub ways: &'static [&'static str],
    /// Keys that only this vendor has.
    pub keys: &'static [VendorKey],
    /// Texts of common keys that name what this vendor sells.
    pub texts: &'static [KeyTexts],
    /// What a form says of the roles of volumes.
    pub roles: &'static str,
}

/// A key that only one vendor has.
#[derive(Clone, Copy, Debug)]
pub struct VendorKey {
    /// What people read of it.
    pub key: Key,
    /// The key that it stands behind.
    pub behind: &'static str,
    /// What it may be, the usual one first; nothing where it is true or false, which is usual.
    pub words: &'static [&'static str],
}

/// A vendor's texts of a common key, in place of the neutral ones.
#[derive(Clone, Copy, Debug)]
pub struct KeyTexts {
    pub key: &'static str,
    /// What it says; as without a vendor where there are no lines.
    pub doc: &'static [&'static str],
    /// What else the guide says of it.
    pub guide: &'static str,
    /// Two values that differ, as TOML.
    pub examples: [&'static str; 2],
}

impl KeyTexts {
    /// Examples of values, where nothing else depends on the vendor.
    pub const fn examples(key: &'static str, examples: [&'static str; 2]) -> KeyTexts {
        KeyTexts { key, doc: &[], guide: "", examples }
    }

    fn put_into(&self, key: &mut Key) {
        if !self.doc.is_empty() {
            key.doc = self.doc;
        }
        if !self.guide.is_empty() {
            key.guide = self.guide;
        }
        if self.examples != ["", ""] {
            key.examples = self.examples;
        }
    }
}

/// Two of them are one where they are at the same place: each stands once in the program.
impl PartialEq for VendorKeys {
    fn eq(&self, other: &VendorKeys) -> bool {
        std::ptr::eq(self, other)
    }
}

impl VendorKeys {
    /// Every key of `[plan]`, in the order of the schema.
    pub fn all(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = plan::KEYS.to_vec();
        for own in self.keys {
            let place = keys.iter().position(|key| key.name == own.behind).map_or(keys.len(), |place| place + 1);
            keys.insert(place, own.key);
        }
        for texts in self.texts {
            keys.iter_mut().filter(|key| key.name == texts.key).for_each(|key| texts.put_into(key));
        }
        keys
    }

    /// What requirements without a word allow.
    pub fn wishes(&'static self) -> Wishes {
        self.wishes_in(self.region)
    }

    /// The same at the prices of a region.
    pub fn wishes_in(&'static self, region: &str) -> Wishes {
        Wishes { region: region.into(), ..Wishes::usual(self) }
    }

    pub(crate) fn find(&self, key: &str) -> Option<&'static VendorKey>
    where
        Self: 'static,
    {
        let keys: &'static [VendorKey] = self.keys;
        keys.iter().find(|own| own.key.name == key)
    }
}

/// The words that keys of a vendor have, where these are not the usual ones.
pub type VendorChoices = BTreeMap<&'static str, &'static str>;

/// What stands in a file for a key that may be true.
pub const TRUE: &str = "true";

/// A key of a vendor, as the file has it.
pub(crate) enum OwnFile {
    Flag(bool),
    Word(Spanned<String>),
}

impl VendorKey {
    /// What the file may have, and what it has where it says nothing.
    pub(crate) fn schema(&self) -> Value {
        let generator = &mut SchemaGenerator::default();
        let (schema, usual) = if self.words.is_empty() { Flag::schema(generator) } else { Text::schema(generator) };
        let mut schema = schema.to_value();
        schema["description"] = self.key.doc().into();
        if let Some(usual) = usual {
            schema["default"] = usual;
        }
        schema
    }

    /// What was written, or what belongs there.
    pub(crate) fn of_file(&self, written: &Spanned<toml::Value>) -> Result<OwnFile, toml::de::Error> {
        let value = written.get_ref().clone();
        Ok(match self.words {
            [] => OwnFile::Flag(bool::deserialize(value)?),
            _ => OwnFile::Word(Spanned::new(written.span(), String::deserialize(value)?)),
        })
    }
}
