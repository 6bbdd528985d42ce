//! What the user wants to see of a recording.

use dw_units::Bytes;

use super::volumes::VolumeChoice;
use super::windows::{EXCLUDE, Window};

/// What the user wants to see.
#[derive(Clone, Debug)]
pub struct Settings {
    /// One machine of several.
    pub machine: Option<String>,
    /// Volumes and their devices; none: by the devices' names.
    pub volumes: Vec<VolumeChoice>,
    /// Windows besides the whole; one called `exclude` is left out of everything.
    pub windows: Vec<Window>,
    /// Demand is multiplied by this for the plan.
    pub growth: f64,
    /// Percent of random requests, as the user says.
    pub random_percent: Option<f64>,
    /// Memory of the machine, where no file has it.
    pub memory_total: Option<Bytes>,
    /// The command that measures random and sequential.
    pub trace_command: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            machine: None,
            volumes: Vec::new(),
            windows: Vec::new(),
            growth: 1.0,
            random_percent: None,
            memory_total: None,
            trace_command: "sudo diskwright observe --every 1s --for 60s --trace".into(),
        }
    }
}

impl Settings {
    /// The windows: the whole and those by name, and those that are left out.
    pub(crate) fn windows(&self) -> (Vec<Window>, Vec<Window>) {
        let (out, named): (Vec<Window>, Vec<Window>) = self.windows.iter().cloned().partition(|w| w.name == EXCLUDE);
        ([Window::whole()].into_iter().chain(named).collect(), out)
    }
}
