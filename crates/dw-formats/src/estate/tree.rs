//! JSON, walked to its records without keeping what stands around them: lists of records and pages a record at a time, values and configuration of
//! a plan a document at a time.

use std::fmt;
use std::io::BufRead;

use dw_estate::{Doubt, Page, Shape};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};

use super::lean::Lean;
use super::pieces::{Cut, Pieces};
use super::{Sink, of_yaml, stack, template, yaml};

/// Documents one after the other.
pub fn read(from: &mut dyn BufRead, sink: &mut Sink) {
    let mut pieces = Pieces::new(from);
    if let Err(why) = documents(&mut pieces, sink) {
        sink.cut_short(why);
    }
}

fn documents(pieces: &mut Pieces, sink: &mut Sink) -> Result<(), Cut> {
    while let Some(first) = pieces.peek()? {
        match first {
            b'[' => pieces.elements(|pieces| {
                if let Some(element) = record(pieces, sink)? {
                    whole(element, sink);
                }
                Ok(())
            })?,
            _ => document(pieces, sink)?,
        }
    }
    Ok(())
}

/// The one value that there is to read.
fn whole_by<'de>(
    lean: Lean,
    mut from: serde_json::Deserializer<impl serde_json::de::Read<'de>>,
) -> serde_json::Result<Value> {
    let record = lean.deserialize(&mut from)?;
    from.end().map(|()| record)
}

/// A record of a list; one that cannot be parsed is left out, and those behind it are read.
fn record(pieces: &mut Pieces, sink: &mut Sink) -> Result<Option<Value>, Cut> {
    let lean = Lean(&sink.vendors);
    let piece = pieces.value()?;
    // Text that is known to be text is not looked at again value by value.
    let parsed = match std::str::from_utf8(piece) {
        Ok(piece) => whole_by(lean, serde_json::Deserializer::from_str(piece)),
        Err(_) => whole_by(lean, serde_json::Deserializer::from_slice(piece)),
    };
    match parsed {
        Ok(record) => Ok(Some(record)),
        Err(e) => {
            sink.damaged(&pieces.fault(&e));
            Ok(None)
        }
    }
}

/// What is done in a list, or an object; of anything else nothing.
trait Walk<'de>: Sized {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }
    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }
}

struct At<W>(W);

impl<'de, W: Walk<'de>> DeserializeSeed<'de> for At<W> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

macro_rules! nothing {
    ($($visit:ident $type:ty),*) => { $(fn $visit<E>(self, _: $type) -> Result<(), E> { Ok(()) })* };
}

impl<'de, W: Walk<'de>> Visitor<'de> for At<W> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    nothing! { visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<(), A::Error> {
        self.0.list(list)
    }
    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<(), A::Error> {
        self.0.object(object)
    }
}

/// Under these keys are lists of records.
const LISTS: [(&str, Shape); 6] = [
    ("value", Shape::Resource),
    ("data", Shape::Resource),
    ("items", Shape::Object),
    ("Reservations", Shape::Resource),
    ("Instances", Shape::Resource),
    ("Volumes", Shape::Resource),
];
/// Under these is where more of them are.
const MORE: [&str; 5] = ["NextToken", "nextLink", "skip_token", "skipToken", "$skipToken"];
/// Under these is how many records all pages have, and that some are in none.
const TOTAL: [&str; 2] = ["total_records", "totalRecords"];
const CUT: [&str; 2] = ["resultTruncated", "result_truncated"];
/// These are large, and repeat what is read elsewhere.
const OF_NO_USE: [&str; 7] =
    ["resource_changes", "resource_drift", "prior_state", "output_changes", "relevant_attributes", "checks", "outputs"];

/// An object: a page of records, a plan, a state, a template, or a record.
fn document(pieces: &mut Pieces, sink: &mut Sink) -> Result<(), Cut> {
    let mut rest = Map::new();
    let mut resources = Vec::new();
    let mut has_values = false;
    let mut listed = 0;
    let read = pieces.entries(|pieces, key| {
        if let Some(command) = printed_by(&key, sink) {
            sink.into.is_printed_by(command);
        }
        let is_list = pieces.peek()? == Some(b'[');
        if let Some((_, shape)) = LISTS.iter().find(|(list, _)| *list == key) {
            return match is_list {
                true => pieces.elements(|pieces| {
                    let record = record(pieces, sink)?;
                    listed += 1;
                    record.into_iter().for_each(|record| sink.record(*shape, &record));
                    Ok(())
                }),
                false => pieces.skip(),
            };
        }
        match key.as_str() {
            "values" | "planned_values" => {
                has_values = true;
                walk(pieces, Root(sink))
            }
            "configuration" => walk(pieces, Configured(String::new(), sink)),
            "resources" => walk(pieces, Resources(&mut resources, sink)),
            // Of a plan that was cut down to its changes: what comes of them.
            "resource_changes" if !has_values && is_list => pieces.elements(|pieces| {
                let change = record(pieces, sink)?;
                change.into_iter().for_each(|change| changed(change, sink));
                Ok(())
            }),
            key if OF_NO_USE.contains(&key) => pieces.skip(),
            key if MORE.contains(&key) => {
                if pieces.parsed::<Value>()?.as_str().is_some_and(|link| !link.is_empty()) {
                    sink.more_pages(key);
                }
                Ok(())
            }
            _ => {
                rest.insert(key, pieces.parsed()?);
                Ok(())
            }
        }
    });
    if let Some(page) = page(&rest, listed) {
        sink.into.page(page);
    }
    // What is cut short is what came before.
    finish(rest, resources, sink);
    read
}

/// What prints a document with this key.
fn printed_by(key: &str, sink: &Sink) -> Option<&'static str> {
    let of_vendor =
        || sink.vendors.iter().find(|vendor| vendor.lists().contains(&key)).map(|vendor| vendor.printed_by());
    match key {
        "items" => Some("kubectl get nodes,pv,pvc,sc -o json > cluster.json"),
        "planned_values" | "values" => Some("terraform show -json plan.out > plan.json"),
        _ => of_vendor(),
    }
}

/// What a page with so many records says of the whole list, if anything.
fn page(rest: &Map<String, Value>, records: u64) -> Option<Page> {
    let total = TOTAL.iter().find_map(|key| rest.get(*key)?.as_u64());
    let is_true = |value: &Value| {
        value == &Value::Bool(true) || value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("true"))
    };
    let is_cut = CUT.iter().any(|key| rest.get(*key).is_some_and(is_true));
    (total.is_some() || is_cut).then_some(Page { records, total, is_cut })
}

/// Walks the value that comes next.
fn walk<W: for<'de> Walk<'de>>(pieces: &mut Pieces, with: W) -> Result<(), Cut> {
    let walked = At(with).deserialize(&mut serde_json::Deserializer::from_slice(pieces.value()?));
    walked.map_err(|e| pieces.fault(&e))
}

/// What a change of a plan leads to.
fn changed(mut change: Value, sink: &mut Sink) {
    let after = change["change"]["after"].take();
    if change["mode"] != "data" && after.is_object() {
        change["values"] = after;
        sink.record(Shape::Block, &change);
    }
}

/// What is known of an object once all of it is read.
fn finish(rest: Map<String, Value>, resources: Vec<Value>, sink: &mut Sink) {
    let text = |key: &str| rest.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("$schema").to_ascii_lowercase().contains("deploymenttemplate") {
        return template::read(&rest, resources, sink);
    }
    if stack::is_stack(&rest) {
        return stack::read(&rest, sink);
    }
    // What `get-template` prints around one.
    match rest.get("TemplateBody") {
        Some(Value::Object(body)) => return stack::read(body, sink),
        // One that was written in YAML is a text there.
        Some(Value::String(text)) if yaml::is_template(text.as_bytes()) => {
            let name = format!("TemplateBody of {}", sink.into.file());
            match yaml::read(&name, text) {
                Ok(documents) => documents.into_iter().for_each(|document| of_yaml(document, sink)),
                Err(e) => {
                    let line = e.place.and_then(|place| place.line).unwrap_or_default();
                    let what = format!("a template with a fault in its line {line}: {}", e.what);
                    sink.into.doubt(Doubt::Record { file: sink.into.file().into(), what });
                }
            }
            return;
        }
        _ => {}
    }
    let further =
        rest.get("metadata").and_then(|meta| meta["continue"].as_str()).is_some_and(|token| !token.is_empty());
    if further {
        sink.more_pages("continue");
    }
    if !text("apiVersion").is_empty() && !text("kind").is_empty() && !text("kind").ends_with("List") {
        sink.record(Shape::Object, &Value::Object(rest));
    } else if text("id").starts_with('/') || !text("InstanceId").is_empty() || !text("VolumeId").is_empty() {
        sink.record(Shape::Resource, &Value::Object(rest));
    } else {
        rest.values().for_each(|value| wrapped(value, 0, sink));
    }
}

/// Names within names that a query may give to lists of records.
const WRAPPED_MOST: usize = 3;

/// What stands under a key that nobody knows, such as a query gives to its lists: pages, and what is a record without doubt.
fn wrapped(value: &Value, depth: usize, sink: &mut Sink) {
    match value {
        Value::Array(list) => list.iter().for_each(|one| wrapped(one, depth, sink)),
        Value::Object(object) if is_whole_record(object) => sink.record(Shape::Resource, value),
        Value::Object(object) if is_page(object) => {
            let lists = LISTS.iter().filter_map(|(list, shape)| Some((object.get(*list)?.as_array()?, *shape)));
            lists.for_each(|(list, shape)| list.iter().for_each(|one| sink.record(shape, one)));
        }
        Value::Object(object) if depth < WRAPPED_MOST => {
            object.values().for_each(|value| wrapped(value, depth + 1, sink));
        }
        _ => {}
    }
}

/// An id alone makes no record: answers about something name its id, too.
fn is_whole_record(object: &Map<String, Value>) -> bool {
    let has = |key: &str| object.get(key).is_some_and(|value| !value.is_null());
    has("InstanceId") && has("InstanceType") || has("VolumeId") && has("VolumeType")
}

/// Whether lists of records stand in it.
fn is_page(object: &Map<String, Value>) -> bool {
    let has = |key: &str| object.get(key).is_some_and(|value| value.is_array() || value.is_object());
    let lists = LISTS.iter().map(|(list, _)| *list);
    // A reservation is a record, whose instances its vendor knows.
    !object.contains_key("id")
        && !object.contains_key("ReservationId")
        && lists.chain(["planned_values", "values", "Resources"]).any(has)
}

/// An element of a list that may be a page of its own.
fn whole(element: Value, sink: &mut Sink) {
    match element {
        Value::Object(object) if is_page(&object) => read(&mut Value::Object(object).to_string().as_bytes(), sink),
        Value::Array(list) => match list.iter().any(|one| one.is_array() || one.is_object()) {
            true => list.into_iter().for_each(|one| whole(one, sink)),
            false => sink.list(Shape::Resource, &list),
        },
        Value::Object(object)
            if object.contains_key("apiVersion") && object.contains_key("kind") && object.contains_key("metadata") =>
        {
            sink.record(Shape::Object, &Value::Object(object));
        }
        other => sink.record(Shape::Resource, &other),
    }
}

/// Values of a plan or a state.
struct Root<'a, 'b>(&'a mut Sink<'b>);

impl<'de> Walk<'de> for Root<'_, '_> {
    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key::<String>()? {
            match key.as_str() {
                "root_module" => object.next_value_seed(At(Module(self.0)))?,
                _ => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// A module, with those within it.
struct Module<'a, 'b>(&'a mut Sink<'b>);

impl<'de> Walk<'de> for Module<'_, '_> {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(At(Module(self.0)))?.is_some() {}
        Ok(())
    }
    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key::<String>()? {
            match key.as_str() {
                "resources" => object.next_value_seed(At(Blocks(self.0)))?,
                "child_modules" => object.next_value_seed(At(Module(self.0)))?,
                _ => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

struct Blocks<'a, 'b>(&'a mut Sink<'b>);

impl<'de> Walk<'de> for Blocks<'_, '_> {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(block) = list.next_element::<Value>()? {
            // What is only looked up is somebody else's.
            if block["mode"] != "data" {
                self.0.record(Shape::Block, &block);
            }
        }
        Ok(())
    }
}

/// The configuration of a plan: a module with its address, or the call of one.
struct Configured<'a, 'b>(String, &'a mut Sink<'b>);

impl<'de> Walk<'de> for Configured<'_, '_> {
    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let Configured(prefix, sink) = self;
        let (mut given, mut each) = (Value::Null, Value::Null);
        while let Some(key) = object.next_key::<String>()? {
            match key.as_str() {
                "root_module" | "module" => object.next_value_seed(At(Configured(prefix.clone(), sink)))?,
                "resources" => object.next_value_seed(At(References(&prefix, sink)))?,
                "module_calls" => object.next_value_seed(At(Calls(&prefix, sink)))?,
                "outputs" => passed(&prefix, &object.next_value()?, |of| &of["expression"], sink),
                // Of a call what its variables are given.
                "expressions" => given = object.next_value()?,
                "for_each_expression" => each = object.next_value()?,
                _ => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        each_value(&each, &mut given);
        passed(&format!("{prefix}var."), &given, |of| of, sink);
        Ok(())
    }
}

/// What outputs or variables of a module pass on, by their names.
fn passed(prefix: &str, all: &Value, expression: impl Fn(&Value) -> &Value, sink: &mut Sink) {
    for (name, of) in all.as_object().into_iter().flatten() {
        let references = expression(of)["references"].as_array().into_iter().flatten();
        let references: Vec<Box<str>> = references.filter_map(|one| Some(one.as_str()?.into())).collect();
        if !references.is_empty() {
            sink.into.passes(&format!("{prefix}{name}"), references);
        }
    }
}

/// Replaces `each.value` in references by what is gone through, where that is one thing.
fn each_value(each: &Value, within: &mut Value) {
    let all: Vec<&str> = each["references"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    // A thing is told with what it is a part of.
    let Some(first) = all.first().filter(|first| all.iter().all(|one| first.starts_with(one))) else { return };
    replace_each(first, within);
}

fn replace_each(by: &str, within: &mut Value) {
    match within {
        Value::String(text) => {
            let rest = text.strip_prefix("each.value").filter(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
            if let Some(rest) = rest {
                *text = format!("{by}{rest}");
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|one| replace_each(by, one)),
        Value::Object(map) => map.values_mut().for_each(|one| replace_each(by, one)),
        _ => {}
    }
}

struct Calls<'a, 'b>(&'a str, &'a mut Sink<'b>);

impl<'de> Walk<'de> for Calls<'_, '_> {
    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(name) = object.next_key::<String>()? {
            object.next_value_seed(At(Configured(format!("{}module.{name}.", self.0), self.1)))?;
        }
        Ok(())
    }
}

struct References<'a, 'b>(&'a str, &'a mut Sink<'b>);

impl<'de> Walk<'de> for References<'_, '_> {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(mut record) = list.next_element::<Value>()? {
            if let Some(address) = record["address"].as_str().map(|address| format!("{}{address}", self.0)) {
                record["address"] = address.into();
                let each = record["for_each_expression"].take();
                each_value(&each, &mut record["expressions"]);
                self.1.record(Shape::Configuration, &record);
            }
        }
        Ok(())
    }
}

/// Of a state as it is stored, its blocks; of a template, its resources, which wait for its parameters.
struct Resources<'a, 'b>(&'a mut Vec<Value>, &'a mut Sink<'b>);

impl<'de> Walk<'de> for Resources<'_, '_> {
    fn list<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(record) = list.next_element::<Value>()? {
            match record["instances"].as_array() {
                Some(instances) if record["mode"] == "managed" => {
                    for instance in instances {
                        self.1.record(Shape::Block, &stored(&record, instance));
                    }
                }
                Some(_) => {}
                None => self.0.push(record),
            }
        }
        Ok(())
    }
    fn object<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some((_, record)) = object.next_entry::<IgnoredAny, Value>()? {
            self.0.push(record);
        }
        Ok(())
    }
}

/// An instance of a stored state as a block.
fn stored(record: &Value, instance: &Value) -> Value {
    let text = |key: &str| record[key].as_str().unwrap_or_default();
    let module = if text("module").is_empty() { String::new() } else { format!("{}.", text("module")) };
    let index = match &instance["index_key"] {
        Value::Null => String::new(),
        key => format!("[{key}]"),
    };
    let address = format!("{module}{}.{}{index}", text("type"), text("name"));
    json!({ "type": text("type"), "address": address, "values": instance["attributes"] })
}
