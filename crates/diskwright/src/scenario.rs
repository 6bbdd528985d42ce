//! A scenario from its text, with the latency models that it names.

use std::path::Path;

use dw_catalogue::{Catalogue, LatencySetting};
use dw_error::{Error, Result};
use dw_formats::scenario::{self, Scenario};

use crate::session::Session;

impl Session {
    /// The VM, its disks and volumes that the text of a scenario file describes. Latency models that it names are opened next to
    /// `name`.
    ///
    /// ```
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let text = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
    /// assert_eq!(session.scenario("rig.toml", text).unwrap().volumes.len(), 1);
    /// let refused = session.scenario("rig.toml", &text.replace("P30", "P31")).unwrap_err();
    /// assert!(refused.to_string().starts_with("error: rig.toml:5"), "{refused}");
    /// ```
    pub fn scenario(&self, name: &str, text: &str) -> Result<Scenario> {
        self.scenario_with(name, text, None)
    }

    /// The same; `latency` replaces the setting that the text has.
    pub fn scenario_with(&self, name: &str, text: &str, latency: Option<LatencySetting>) -> Result<Scenario> {
        read(self.catalogue_of_scenarios(), name, text, &self.model_texts(name, text)?, latency)
    }

    /// The files with latency models that a scenario names, by name and text; their paths are from its folder.
    pub fn model_texts(&self, name: &str, text: &str) -> Result<Vec<(String, String)>> {
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let read = |model: String| {
            let file = folder.join(model).display().to_string();
            self.text_of(&file).map(|text| (file, text))
        };
        scenario::latency_models(text).into_iter().map(read).collect()
    }
}

/// A scenario from its text, with the latency models next to it and what replaces its latency setting.
pub fn read(
    catalogue: &Catalogue,
    name: &str,
    text: &str,
    models: &[(String, String)],
    latency: Option<LatencySetting>,
) -> Result<Scenario> {
    let mut list = Vec::new();
    for (file, text) in models {
        let hint = "use a file written by `diskwright calibrate --save`";
        let failed = |e: String| Error::input(e).hint(hint).of_file(file);
        list.extend(dw_catalogue::latency::read(text).map_err(failed)?);
    }
    let with = scenario::With { models: &list, latency };
    scenario::read_with(name, text, catalogue, &with).map_err(|errors| errors.within(text))
}
