//! What is wished of a plan in the keys of `requirements.toml`, for callers that have values instead of its text: a page's form,
//! Python's arguments. The reader of that file judges them, so there is one set of rules.

use dw_demand::wishes::{Role, VolumeWishes, Wishes};
use dw_demand::{Requirements, VendorKeys};
use dw_error::{Error, Result};
use dw_units::Bytes;
use serde_json::{Map, Value};
use toml::Table;

use crate::observe::ObservationOutcome;
use crate::plan::Demand;
use crate::session::Session;

/// `{"plan": {...}, "volumes": {"data": {...}}}`: keys of `[plan]`, and of each `[[volume]]` by its name. Null takes a key away.
///
/// ```
/// use diskwright::keys::Keys;
/// let mut table = "[plan]\nregion = 'eastus'\n[[volume]]\nname = 'data'\n".parse()?;
/// let keys = serde_json::json!({ "plan": { "headroom": 10 }, "volumes": { "data": { "capacity": "750 GiB" } } });
/// Keys::from_json(keys)?.lay_over(&mut table)?;
/// assert_eq!(table["plan"]["headroom"].as_integer(), Some(10));
/// assert_eq!(table["volume"][0]["capacity"].as_str(), Some("750 GiB"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct Keys(#[serde(default)] Map<String, Value>);

impl Keys {
    /// From an object.
    ///
    /// # Errors
    /// Of kind `Usage` where it is none.
    pub fn from_json(value: Value) -> Result<Keys> {
        match value {
            Value::Object(keys) => Ok(Keys(keys)),
            other => Err(Error::usage(format!("keys of requirements are an object, not `{other}`"))),
        }
    }

    /// From keys of `[plan]`, and volumes with objects of theirs.
    pub fn of_parts(plan: Map<String, Value>, volumes: Map<String, Value>) -> Keys {
        Keys(Map::from_iter([("plan".into(), Value::Object(plan)), ("volumes".into(), Value::Object(volumes))]))
    }

    /// The word that a key of `[plan]` is set to; nothing where it is not set, taken away, or no word.
    pub fn word_of_plan(&self, key: &str) -> Option<&str> {
        self.0.get("plan")?.get(key)?.as_str()
    }

    /// The text of a `requirements.toml` with them.
    ///
    /// # Errors
    /// As [`Keys::lay_over`].
    pub fn laid_over(&self, text: &str) -> Result<String> {
        let unexpected = |what: String| Error::unexpected(what);
        let mut table: Table = toml::from_str(text).map_err(|e| unexpected(e.to_string()))?;
        self.lay_over(&mut table)?;
        toml::to_string(&table).map_err(|e| unexpected(e.to_string()))
    }

    /// Sets them in the values of a `requirements.toml`.
    ///
    /// # Errors
    /// Of kind `Usage` where there is no such volume, or a value that TOML has no word for.
    pub fn lay_over(&self, table: &mut Table) -> Result<()> {
        for (key, value) in &self.0 {
            let Value::Object(keys) = value else { return Err(unknown(key)) };
            match key.as_str() {
                "plan" => {
                    let plan = table.entry("plan").or_insert_with(|| toml::Value::Table(Table::new()));
                    set(plan.as_table_mut().ok_or_else(|| unknown(key))?, keys)?;
                }
                "volumes" => {
                    for (name, keys) in keys {
                        let Value::Object(keys) = keys else { return Err(unknown(name)) };
                        set(volume(table, name)?, keys)?;
                    }
                }
                _ => return Err(unknown(key)),
            }
        }
        Ok(())
    }
}

impl Session {
    /// What a plan must meet, of a window of a recording, with keys for what no recording says.
    ///
    /// # Errors
    /// Of kind `Usage` where there is no such window or volume, `Input` where the value of a key is not one.
    pub fn demand_of(&self, observed: &ObservationOutcome, window: &str, keys: &Keys) -> Result<Demand> {
        let load = observed.requirements(window)?;
        // Keys that say where to plan stand above what the recording was made with.
        let is_placed =
            ["vendor", "region"].iter().any(|key| keys.0.get("plan").is_some_and(|plan| plan.get(key).is_some()));
        let vendor = if is_placed { &dw_catalogue::PLAN_KEYS } else { observed.vendor_keys() };
        let wishes = unknown_wishes(&load, vendor);
        let text = keys.laid_over(&Demand::new(load, wishes).text(""))?;
        self.requirements("requirements.toml", &text)
    }
}

/// Nothing is known of what volumes must hold, but what their names say they are for.
fn unknown_wishes(load: &Requirements, vendor: &'static VendorKeys) -> Wishes {
    let of_name = |name: &str| Role::ALL.into_iter().find(|role| role.word() == name).unwrap_or_default();
    let volumes = load.volumes.iter().map(|v| VolumeWishes::of(of_name(&v.name), Bytes::ZERO)).collect();
    Wishes { volumes, ..vendor.wishes() }
}

/// The volume of a name, or the one on the one device of that name: a recording may call it by another name than a volume may have.
fn volume<'a>(table: &'a mut Table, name: &str) -> Result<&'a mut Table> {
    let name_of =
        |volume: &toml::Value| volume.get("name").and_then(toml::Value::as_str).unwrap_or_default().to_string();
    let is_on = |volume: &toml::Value| {
        let devices = volume.get("devices").and_then(toml::Value::as_array);
        devices.is_some_and(|devices| matches!(devices.as_slice(), [only] if only.as_str() == Some(name)))
    };
    let volumes = table.get_mut("volume").and_then(toml::Value::as_array_mut).map_or(&mut [][..], Vec::as_mut_slice);
    let place = volumes.iter().position(|volume| name_of(volume) == name).or_else(|| volumes.iter().position(is_on));
    let known: Vec<String> = volumes.iter().map(|volume| format!("`{}`", name_of(volume))).collect();
    let found = place.and_then(|place| volumes.get_mut(place)?.as_table_mut());
    found.ok_or_else(|| {
        Error::usage(format!("unknown volume `{name}`")).hint(format!("its volumes are {}", known.join(", ")))
    })
}

fn unknown(key: &str) -> Error {
    Error::usage(format!("unknown key `{key}`")).hint("the keys are `plan` and `volumes`, each an object")
}

fn set(table: &mut Table, keys: &Map<String, Value>) -> Result<()> {
    for (key, value) in keys {
        if value.is_null() {
            table.remove(key);
        } else {
            let value = toml::Value::try_from(value).map_err(|e| Error::usage(format!("`{key}`: {e}")))?;
            table.insert(key.clone(), value);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_set_taken_away_and_refused() {
        let table = || -> Table {
            "[plan]\nregion = 'eastus'\n[[volume]]\nname = 'data'\ndevices = ['/data']\nrole = 'data'\n"
                .parse()
                .unwrap()
        };
        let laid = |keys: Value| {
            let mut table = table();
            Keys::from_json(keys).and_then(|keys| keys.lay_over(&mut table)).map(|()| toml::to_string(&table).unwrap())
        };
        for (keys, has, has_not) in [
            (json!({}), "region = \"eastus\"", "headroom"),
            (json!({ "plan": { "headroom": 10 } }), "headroom = 10", "years"),
            (json!({ "plan": { "region": null } }), "name = \"data\"", "region"),
            (json!({ "volumes": { "data": { "capacity": "1 TiB", "role": null } } }), "capacity = \"1 TiB\"", "role"),
            (json!({ "volumes": { "/data": { "capacity": "1 TiB" } } }), "capacity = \"1 TiB\"", "/data = "),
        ] {
            let text = laid(keys).unwrap();
            assert!(text.contains(has) && !text.contains(has_not), "{text}");
        }
        for (keys, what) in [
            (json!([1]), "keys of requirements are an object, not `[1]`"),
            (json!({ "plans": {} }), "unknown key `plans`"),
            (json!({ "plan": 1 }), "unknown key `plan`"),
            (json!({ "volumes": { "log": {} } }), "unknown volume `log`"),
        ] {
            assert_eq!(laid(keys).unwrap_err().what, what);
        }
    }
}
