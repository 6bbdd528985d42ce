//! A document of the vendor's interfaces, read a record at a time.
//!
//! Of an offer file the products come first, by number, and then their terms: the products that a price is wanted of are kept until then,
//! some thousands of a hundred thousand.

use std::collections::HashMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::offers::{self, Paid, Product};
use super::{Records, types};

/// Between what is wrong and what to do, where that is something else than to fetch it again.
pub(super) const INSTEAD: &str = "\u{0}";

/// Keys that say nothing of machines or prices.
const OF_THE_FILE: [&str; 6] =
    ["FormatVersion", "formatVersion", "disclaimer", "offerCode", "version", "attributesList"];
const UNREAD: &str = "fields beside the records that nothing here reads";
const NEITHER: &str = "is neither a list of instance types nor a page of the price list";

/// A whole document.
pub(super) struct Document<'a> {
    pub(super) records: &'a mut Records,
    pub(super) file: &'a str,
}

impl<'de> DeserializeSeed<'de> for Document<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Document<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the output of a call, or an offer file")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<(), A::Error> {
        Err(A::Error::custom(NEITHER))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Document { records, file } = self;
        let first = records.prices.len();
        let (mut products, mut published, mut is_known) = (None, None, false);
        while let Some(key) = map.next_key::<String>()? {
            is_known |= matches!(key.as_str(), "InstanceTypes" | "PriceList" | "products" | "terms");
            match key.as_str() {
                "InstanceTypes" => map.next_value_seed(each(|number, record| {
                    let record =
                        types::read(&record).map_err(|what| format!("instance type {}: {what}", number + 1))?;
                    records.types.push(record);
                    Ok(())
                }))?,
                "PriceList" => map.next_value_seed(each(|number, offer| {
                    let read = offers::read(&offer).map_err(|what| format!("offer {}: {what}", number + 1))?;
                    take(records, read);
                    Ok(())
                }))?,
                "products" => products = Some(map.next_value_seed(Products { records: &mut *records })?),
                "terms" => {
                    let products = products.as_ref().ok_or_else(|| {
                        A::Error::custom("its `terms` stand before its `products`, so it is not as it was fetched")
                    })?;
                    map.next_value_seed(Terms { records: &mut *records, products, paid: None })?;
                }
                "publicationDate" => published = map.next_value::<Option<String>>()?,
                "NextToken" => {
                    if map.next_value::<Option<String>>()?.is_some() {
                        let what = format!(
                            "{file} has further pages, which its `NextToken` leads to: fetch and import those, too"
                        );
                        records.notes.push(what);
                    }
                }
                "Volumes" | "Reservations" => {
                    let what = "holds volumes or instances of an estate, no prices";
                    return Err(A::Error::custom(format!("{what}{INSTEAD}`diskwright audit {file}` judges them")));
                }
                "InstanceTypeOfferings" => {
                    let what = "lists which types are offered where, no limits and no prices";
                    let hint = "import `aws ec2 describe-instance-types --region REGION` for types that are new there; `zone` in `[plan]` is \
                                checked against the offerings that are shipped";
                    return Err(A::Error::custom(format!("{what}{INSTEAD}{hint}")));
                }
                other => {
                    if !OF_THE_FILE.contains(&other) {
                        *records.left_out.entry(UNREAD).or_default() += 1;
                    }
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if !is_known {
            return Err(A::Error::custom(NEITHER));
        }
        if let Some(day) = published.as_deref().and_then(|date| date.get(..10)) {
            records.prices[first..].iter_mut().for_each(|price| price.published = Some(day.into()));
        }
        Ok(())
    }
}

fn take(records: &mut Records, read: Result<Vec<offers::OfferPrice>, &'static str>) {
    match read {
        Ok(prices) => records.prices.extend(prices),
        Err(why) => *records.left_out.entry(why).or_default() += 1,
    }
}

/// Hands each element of a list on, with its number.
struct Each<F>(F);

fn each<F: FnMut(usize, Value) -> Result<(), String>>(take: F) -> Each<F> {
    Each(take)
}

impl<'de, F: FnMut(usize, Value) -> Result<(), String>> DeserializeSeed<'de> for Each<F> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(usize, Value) -> Result<(), String>> Visitor<'de> for Each<F> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of records")
    }
    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        let mut number = 0;
        while let Some(record) = list.next_element()? {
            (self.0)(number, record).map_err(A::Error::custom)?;
            number += 1;
        }
        Ok(())
    }
}

/// Products by their numbers, of which those stay that a price is wanted of.
struct Products<'a> {
    records: &'a mut Records,
}

type Wanted = HashMap<String, Product>;

impl<'de> DeserializeSeed<'de> for Products<'_> {
    type Value = Wanted;
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Wanted, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Products<'_> {
    type Value = Wanted;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("products by their numbers")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Wanted, A::Error> {
        let mut wanted = Wanted::new();
        while let Some((sku, product)) = map.next_entry::<String, Value>()? {
            match offers::product(&product).map_err(|what| A::Error::custom(format!("product {sku}: {what}")))? {
                Ok(product) => {
                    wanted.insert(sku, product);
                }
                Err(why) => *self.records.left_out.entry(why).or_default() += 1,
            }
        }
        Ok(wanted)
    }
}

/// How products are paid for, and below that by their numbers.
struct Terms<'a> {
    records: &'a mut Records,
    products: &'a Wanted,
    /// How: absent for the table of both ways.
    paid: Option<Paid>,
}

impl<'de> DeserializeSeed<'de> for Terms<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Terms<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("terms by the numbers of products")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Terms { records, products, paid } = self;
        while let Some(key) = map.next_key::<String>()? {
            match paid {
                None => match Paid::from_id(&key) {
                    Some(paid) => map.next_value_seed(Terms { records: &mut *records, products, paid: Some(paid) })?,
                    None => {
                        map.next_value::<IgnoredAny>()?;
                    }
                },
                Some(paid) => match products.get(&key) {
                    Some(product) => {
                        let terms = map.next_value::<Value>()?;
                        let read = offers::prices(product, paid, &terms);
                        records.prices.extend(read.map_err(|what| A::Error::custom(format!("product {key}: {what}")))?);
                    }
                    None => {
                        map.next_value::<IgnoredAny>()?;
                    }
                },
            }
        }
        Ok(())
    }
}
