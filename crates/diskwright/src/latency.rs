//! Where the latencies of a result come from, as every output says it: which medium, which setting, how well it is known.
//!
//! ```text
//! latency of data: Premium SSD, typical, grade B, not measured on your disks (mean read 3.11 ms: optimistic 2.17, cautious 5.28; write ...)
//! ```

use dw_catalogue::latency::{self, LatencySetting};
use dw_formats::scenario::LatencyUse;
use dw_messages::{Figure, List, Sentence, say};
use dw_planner::model_ns;

use crate::figures::ms;
use dw_documents::format::milliseconds;

/// One sentence for each model in use, with the places that use it, in their order.
pub fn sentences(uses: &[LatencyUse]) -> Vec<Sentence> {
    let mut places: Vec<(&LatencyUse, Vec<&str>)> = Vec::new();
    for used in uses {
        let same = |other: &&mut (&LatencyUse, Vec<&str>)| {
            (&other.0.model, other.0.setting, &other.0.grade) == (&used.model, used.setting, &used.grade)
        };
        match places.iter_mut().find(same) {
            Some((_, list)) => list.push(&used.place),
            None => places.push((used, vec![&used.place])),
        }
    }
    places.iter().map(|(used, places)| sentence(used, places)).collect()
}

fn sentence(used: &LatencyUse, places: &[&str]) -> Sentence {
    let places: List = places.iter().copied().collect();
    match used.setting {
        Some(setting) => default(places, &used.model, &used.title, setting, &used.grade),
        None if used.model == "scenario" => say!(LatencyGiven { places }),
        None => say!(LatencyOwn { places, model: &used.model, grade: &used.grade }),
    }
}

/// The sentence about a default model; `None` when the catalogue has none of that name.
pub fn of_model(places: &[&str], name: &str, setting: LatencySetting) -> Option<Sentence> {
    let places: List = places.iter().copied().collect();
    latency::model(name).map(|model| default(places, name, &model.title, setting, &model.grade))
}

fn default(places: List, name: &str, title: &str, setting: LatencySetting, grade: &str) -> Sentence {
    type Of = fn((u64, u64)) -> u64;
    let mean = |of: Of, setting| of(model_ns(name, setting)) as f64;
    let chosen = |of: Of| ms(mean(of, setting));
    let others = |of: Of| {
        let mut others = LatencySetting::ALL.into_iter().filter(|other| *other != setting);
        let mut next = || {
            let other = others.next().unwrap_or(setting);
            let ns = mean(of, other);
            (other.to_string(), Figure::new(ns / 1e6, "ms", milliseconds(ns)))
        };
        let ((setting, latency), (other, otherwise)) = (next(), next());
        say!(LatencyElse { setting, latency, other, otherwise })
    };
    let (reads, writes): (Of, Of) = (|ns| ns.0, |ns| ns.1);
    let setting = setting.to_string();
    match name == "cache-miss-penalty" {
        true => {
            say!(LatencyOfMiss { places, medium: title, setting, grade, mean: chosen(reads), mean_else: others(reads) })
        }
        false => say!(LatencyDefault {
            places,
            medium: title,
            setting,
            grade,
            read: chosen(reads),
            read_else: others(reads),
            write: chosen(writes),
            write_else: others(writes)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(place: &str, model: &str, setting: Option<LatencySetting>) -> LatencyUse {
        let (title, grade) = latency::model(model).map_or((model, "A"), |m| (m.title.as_str(), m.grade.as_str()));
        LatencyUse {
            place: place.into(),
            model: model.into(),
            title: title.into(),
            setting,
            grade: grade.into(),
            reason: "because".into(),
        }
    }

    #[test]
    fn places_with_the_same_model_share_a_sentence() {
        let typical = Some(LatencySetting::Typical);
        let uses = [
            used("data", "premium-ssd", typical),
            used("tempdb", "temp-disk", typical),
            used("log", "premium-ssd", typical),
            used("old", "mine", None),
            used("own", "scenario", None),
        ];
        let said = sentences(&uses);
        assert_eq!(said.len(), 4);
        let of = "latency of data, log: Premium SSD, typical, grade B, not measured on your disks: mean read 3.";
        assert!(said[0].text.starts_with(of), "{}", said[0]);
        assert!(said[0].text.contains("optimistic 2.") && said[0].text.contains("cautious 5."), "{}", said[0]);
        assert_eq!(said[2].text, "latency of old: mine, your own model, grade A");
        assert_eq!(said[3].text, "latency of own: from the scenario");
    }
}
