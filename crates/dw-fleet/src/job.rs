//! What is asked of every VM.

use diskwright::dw_observe::Settings;
use diskwright::dw_observe::volumes::VolumeChoice;
use diskwright::dw_observe::windows::Window;
use diskwright::keys::Keys;
use diskwright::{Error, Result, Session};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::inventory::Machine;

/// What is asked of every VM, as JSON says it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// What results are known by.
    pub job_id: String,
    /// Windows besides the whole, as `observe --window` takes them.
    #[serde(default)]
    pub windows: Vec<String>,
    /// The window that is planned for; absent = the peak where there is one, else the whole.
    #[serde(default)]
    pub window: Option<String>,
    /// Demand of tomorrow over that of today.
    #[serde(default = "one")]
    pub growth: f64,
    /// Keys of `[plan]` of `requirements.toml`.
    #[serde(default)]
    pub plan: Map<String, Value>,
    /// Simulate each plan.
    #[serde(default)]
    pub simulate: bool,
    /// Say what there is to choose from beside each plan.
    #[serde(default)]
    pub choices: bool,
    /// Keep the documents of each VM.
    #[serde(default = "yes")]
    pub documents: bool,
    /// A fault on purpose in the VM of this name: that one ends nobody else is tested by it.
    #[serde(default, rename = "_panic")]
    pub panic: Option<String>,
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

impl Job {
    /// From JSON.
    ///
    /// # Errors
    /// Of kind `Usage` where a key or value is not one.
    pub fn from_json(json: &str) -> Result<Job> {
        let job: Job = serde_json::from_str(json).map_err(|e| Error::usage(format!("the job: {e}")))?;
        if !(job.growth > 0.0 && job.growth.is_finite()) {
            return Err(Error::usage(format!("`growth` is {}", job.growth)).hint("write for example 1.2 for 20 % more"));
        }
        let windows = job.parsed_windows()?;
        let names: Vec<&str> = std::iter::once("whole").chain(windows.iter().map(|w| w.name.as_str())).collect();
        match &job.window {
            Some(window) if !names.contains(&window.as_str()) => {
                let hint = format!("the windows of this job are {}", names.join(", "));
                Err(Error::usage(format!("unknown window `{window}` to plan for")).hint(hint))
            }
            _ => Ok(job),
        }
    }

    /// Refuses keys of `[plan]` that every VM would fail by.
    ///
    /// # Errors
    /// Of kind `Usage` where there is no such key, or its value is not one.
    pub fn check(&self, session: &Session) -> Result<()> {
        const ANY: &str = "schema_version = 1\n[[volume]]\nname = 'data'\ncapacity = '64 GiB'\nread_size = '8 KiB'\n\
            read_iops = { p50 = 1, p90 = 1, p99 = 1, max = 1 }\nwrite_iops = { p50 = 1, p90 = 1, p99 = 1, max = 1 }\n";
        let text = Keys::of_parts(self.plan.clone(), Map::new()).laid_over(ANY)?;
        session
            .requirements("plan", &text)
            .map(drop)
            .map_err(|error| Error::usage(format!("`plan`: {}", error.what)).hint(error.hint))
    }

    /// How a VM is observed.
    ///
    /// # Errors
    /// Of kind `Usage` where a window is not one.
    pub fn settings(&self, machine: &Machine) -> Result<Settings> {
        let volumes = machine
            .volumes
            .iter()
            .zip(machine.volume_names())
            .map(|(volume, name)| VolumeChoice { name, devices: volume.devices().map(str::to_string).collect() });
        Ok(Settings {
            volumes: volumes.collect(),
            windows: self.parsed_windows()?,
            growth: self.growth,
            ..Settings::default()
        })
    }

    fn parsed_windows(&self) -> Result<Vec<Window>> {
        let mut windows = Vec::new();
        for text in &self.windows {
            windows.extend(Window::parse(text).map_err(|what| Error::usage(format!("`windows`: {what}")))?);
        }
        Ok(windows)
    }
}
