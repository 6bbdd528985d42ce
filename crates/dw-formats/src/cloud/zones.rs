//! Where VM sizes are offered: `locationInfo` of a record, less its `restrictions`.
//!
//! A restriction of type `Zone` takes zones away, one of type `Location` all of the region. A size without zones is offered in
//! the region, and in none of its zones.
//!
//! Ignores: zones of disks (premium SSD v2 and ultra are not in every one), what a subscription may have that did not ask.

use dw_catalogue::file::{ZoneRow, ZoneTable};
use serde_json::Value;

use super::{CloudError, ImportedRecords};

/// Adds the zones of a VM size.
pub(super) fn add(
    out: &mut ImportedRecords,
    place: &str,
    name: &str,
    record: &Value,
    source: &str,
) -> Result<(), CloudError> {
    let list = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|one| one.as_str().map(String::from)).collect()
    };
    for info in record["locationInfo"].as_array().into_iter().flatten() {
        let Some(location) = info["location"].as_str() else {
            return Err(CloudError {
                place: place.into(),
                what: "has a `locationInfo` without `location`".into(),
                hint: "give the complete output of `az vm list-skus -o json`, without `--query`".into(),
            });
        };
        let region = location.replace(' ', "").to_ascii_lowercase();
        let is_here = |text: &String| text.replace(' ', "").eq_ignore_ascii_case(&region);
        let mut zones = list(&info["zones"]);
        for restriction in record["restrictions"].as_array().into_iter().flatten() {
            let info = &restriction["restrictionInfo"];
            let locations = [list(&info["locations"]), list(&restriction["values"])].concat();
            match restriction["type"].as_str() {
                Some("Location") if locations.iter().any(is_here) => zones.clear(),
                Some("Zone") if locations.iter().any(is_here) => {
                    let gone = list(&info["zones"]);
                    zones.retain(|zone| !gone.contains(zone));
                }
                _ => {}
            }
        }
        zones.sort_unstable();
        zones.dedup();
        let at = out.zones.iter().position(|table| table.region == region).unwrap_or_else(|| {
            out.zones.push(ZoneTable { region, source: source.to_string(), rows: Vec::new() });
            out.zones.len() - 1
        });
        let rows = &mut out.zones[at].rows;
        rows.retain(|row| row.name != name);
        rows.push(ZoneRow { name: name.to_string(), zones });
    }
    Ok(())
}
