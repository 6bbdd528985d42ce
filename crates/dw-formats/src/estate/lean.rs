//! A record without what nobody asks it for.
//!
//! Most of what a cloud's command prints of a machine says nothing of its disks, and half of it is null: neither is kept. What is of no use is
//! for vendors to say, by the names of fields; within tags every name is somebody's own.

use std::fmt;

use dw_estate::Records;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Under this key names are what people chose.
const TAGS: &str = "tags";

/// Reads a record, and keeps what one of these needs.
#[derive(Clone, Copy)]
pub struct Lean<'a>(pub &'a [&'static dyn Records]);

impl Lean<'_> {
    fn needs(self, key: &str, is_null: bool) -> bool {
        self.0.iter().any(|vendor| vendor.needs(key, is_null))
    }
}

impl<'de> DeserializeSeed<'de> for Lean<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Lean<'_> {
    type Value = Value;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(element) = list.next_element_seed(self)? {
            all.push(element);
        }
        Ok(Value::Array(all))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = object.next_key_seed(Key(self))? {
            let Some(key) = key else {
                object.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = if key == TAGS { object.next_value()? } else { object.next_value_seed(self)? };
            if !value.is_null() || self.needs(&key, true) {
                all.insert(key, value);
            }
        }
        Ok(Value::Object(all))
    }
}

/// A key, where somebody needs what stands under it.
struct Key<'a>(Lean<'a>);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<String>;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<String>, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<String>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }
    fn visit_str<E: Error>(self, key: &str) -> Result<Option<String>, E> {
        Ok(self.0.needs(key, false).then(|| key.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// One vendor that needs all of every list would keep all of everybody's.
    #[test]
    fn what_nobody_asks_for_is_not_kept() {
        let vendors = dw_catalogue::inventories();
        for (record, kept) in [
            (
                json!({ "vmId": "x", "plan": null, "zones": null, "tags": { "vmId": null }, "osProfile": { "computerName": "x", "n": 1 } }),
                json!({ "zones": null, "tags": { "vmId": null }, "osProfile": { "n": 1 } }),
            ),
            (
                json!({ "VolumeId": "vol-1", "Iops": null, "Size": 8, "Tags": [{ "Key": "a", "Value": "b" }] }),
                json!({ "VolumeId": "vol-1", "Size": 8, "Tags": [{ "Key": "a", "Value": "b" }] }),
            ),
        ] {
            let text = record.to_string();
            let read = Lean(&vendors).deserialize(&mut serde_json::Deserializer::from_str(&text)).unwrap();
            assert_eq!(read, kept, "{record}");
        }
    }
}
