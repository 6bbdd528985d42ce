//! A value as it was written, before anyone decides what it should have been.
//!
//! Reading every scalar as text keeps its place in the file, and lets one sentence say what is wrong with it
//! (`64` where a size is expected) instead of a type name.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_spanned::Spanned;

/// The text of a string, number or boolean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scalar(pub String);

/// A scalar that may be absent.
pub(super) type Field = Option<Spanned<Scalar>>;

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl Visitor<'_> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a single value")
    }
    fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }
    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar(value.to_string()))
    }
}

/// One value or a list of them: `disks = "10 x P30"` or `disks = [{ ... }, { ... }]`.
#[derive(Clone, Debug)]
pub(super) enum TextOr<T> {
    /// A shorthand.
    Text(String),
    /// Written out.
    Many(Vec<Spanned<T>>),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TextOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrMany<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMany<T> {
            type Value = TextOr<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string such as \"4 x P30\" or a list of tables such as [{ sku = \"P30\", count = 4 }]")
            }
            fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
                Ok(TextOr::Text(value.to_string()))
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(TextOr::Many(items))
            }
        }
        deserializer.deserialize_any(OneOrMany(std::marker::PhantomData))
    }
}
