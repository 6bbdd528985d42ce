//! Where a benchmark's I/O goes: nowhere but the model, or the targets that `device` has.

use dw_formats::scenario::Scenario as Rig;

use super::document::Target;
use super::job::Place;

/// Where everything goes.
#[derive(Debug)]
pub struct Places {
    /// One a volume that is used.
    pub targets: Vec<Target>,
}

impl Places {
    /// The model's volumes: nothing is written anywhere.
    pub fn model() -> Places {
        Places { targets: Vec::new() }
    }

    /// The place of a volume, for a job.
    pub fn of(&self, rig: &Rig, volume: usize) -> Place {
        let name = &rig.volumes[volume].name;
        match self.targets.iter().find(|t| t.volume == *name) {
            Some(target) if target.engine == "nbd" => Place::Export(target.path.clone()),
            Some(target) => Place::Path {
                path: target.path.clone(),
                engine: target.engine.clone(),
                direct: target.facts.as_ref().is_none_or(|f| f.direct_io),
            },
            None => Place::Model(name.clone()),
        }
    }
}
