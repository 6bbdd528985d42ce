//! A word to the emulation that the studio was started with. The page names no socket, and says none but these words.

use std::time::Duration;

use diskwright::{Error, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{App, JSON, Text};

/// Until a volume is flushed and its cache is empty.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a page may say.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Word {
    /// Stop the model's time.
    Pause {},
    /// Let it go on.
    Resume {},
    /// Another host-cache mode of a volume.
    Cache { volume: String, mode: String },
    /// Other limits of all disks of a volume: those of a disk of the catalogue, or figures.
    Tier { volume: String, to: Option<String>, iops: Option<u64>, mb_per_s: Option<u64> },
}

pub(super) fn answer(app: &App, word: Word) -> Result<Text> {
    let emulation = app.live.emulation.as_ref();
    let emulation = emulation.ok_or_else(|| Error::usage("no emulation is set"))?;
    let command = match word {
        Word::Pause {} => json!({ "cmd": "pause" }),
        Word::Resume {} => json!({ "cmd": "resume" }),
        Word::Cache { volume, mode } => json!({ "cmd": "cache", "volume": volume, "mode": mode }),
        Word::Tier { volume, to, iops, mb_per_s } => {
            let (of_iops, of_bytes) = to.as_deref().map_or(Ok((None, None)), |to| limits(app, to))?;
            let (iops, bytes) = (iops.or(of_iops), mb_per_s.map(|mb| mb.saturating_mul(1_000_000)).or(of_bytes));
            if iops.is_none() && bytes.is_none() {
                return Err(Error::usage("no limit is named"));
            }
            tier(&volume, iops, bytes)
        }
    };
    (emulation.connect)(PATIENCE)?(&command)?;
    Ok((JSON, json!({}).to_string()))
}

fn tier(volume: &str, iops: Option<u64>, bytes_per_second: Option<u64>) -> Value {
    let mut command = json!({ "cmd": "tier", "volume": volume });
    for (key, value) in [("iops", iops), ("bytes_per_second", bytes_per_second)] {
        if let Some(value) = value {
            command[key] = json!(value);
        }
    }
    command
}

/// I/Os and bytes a second of a disk of the catalogue.
fn limits(app: &App, sku: &str) -> Result<(Option<u64>, Option<u64>)> {
    let offer = app.session.catalogue().disk(sku, None).map_err(|e| Error::input(e.to_string()).hint(e.hint()))?;
    let spec = offer.disk_spec(&offer.sku, &Default::default()).map_err(|e| Error::input(e.what))?;
    Ok((spec.limits.iops.map(|rate| rate.rate), spec.limits.throughput.map(|rate| rate.rate)))
}
