//! What keeps a VM of one size from being resized to another.
//!
//! A VM that is stopped takes a size whose processors are of the same kind, which is as confidential, has a local disk where the VM has
//! one, takes the disk controller that the VM uses, and starts images of its generation. To any other size leads a new VM; between disk controllers also a conversion of
//! the deallocated VM, for which its image must be of generation 2 and its operating system must have NVMe drivers.
//!
//! Source: the documentation of Azure's VM sizes: "FAQ for VM sizes with no local temporary disk" (no resize between sizes with and
//! without one), "FAQ about NVMe" and "NVMe overview" (v5 and older sizes of the D, E and F families are SCSI, v6 and later ones NVMe;
//! what a change of the controller needs), "DC family" and "EC family" (security type and image), and which processors each size has.
//!
//! Ignores: the generation of the image and the drivers of the guest, which no table has; clusters that do not have a size at the moment.

use dw_azure::vm::VmSize;

use crate::{Catalogue, Controller};

/// Why a VM is not resized, but built anew or converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// One has Arm CPUs, the other has not.
    Processors,
    /// One is confidential, the other is not.
    Confidentiality,
    /// The other size does not take the controller of its disks; which it does take.
    Controller(Controller),
    /// No image starts on both.
    Images,
    /// One has a local disk, the other has not.
    LocalDisk,
}

impl Catalogue {
    /// What keeps a VM of a row from being resized to another size: what needs most comes first.
    pub fn resize_obstacle(&self, from: &VmSize, to: &VmSize) -> Option<Obstacle> {
        self.resize_obstacles(from, to).into_iter().next()
    }
    /// All of it.
    pub fn resize_obstacles(&self, from: &VmSize, to: &VmSize) -> Vec<Obstacle> {
        let differ = |of: fn(&Catalogue, &str) -> bool| of(self, &from.name) != of(self, &to.name);
        // A row that has no local disk may be of an edition that says nothing of it.
        let newest = |vm: &VmSize| self.vm(&vm.name, None).is_ok_and(|newest| newest.temp.is_some());
        let has_local = |vm: &VmSize| vm.temp.is_some() || newest(vm);
        let generations = |vm: &VmSize| self.image_generations(vm).map(|(words, ..)| words);
        let no_image = matches!((generations(from), generations(to)), (Some("1"), Some("2")) | (Some("2"), Some("1")));
        let found = [
            (differ(Catalogue::is_arm), Obstacle::Processors),
            (differ(Catalogue::is_confidential), Obstacle::Confidentiality),
            (!to.takes(from.controller()), Obstacle::Controller(to.controller())),
            (no_image, Obstacle::Images),
            (has_local(from) != has_local(to), Obstacle::LocalDisk),
        ];
        found.into_iter().filter(|(is, _)| *is).map(|(_, obstacle)| obstacle).collect()
    }
    /// Whether the images of the first size are of both generations, and the second starts those of the newer one alone.
    pub(crate) fn needs_newer_image(&self, from: &VmSize, to: &VmSize) -> bool {
        let generations = |vm: &VmSize| self.image_generations(vm).map(|(words, ..)| words);
        generations(from) == Some("1 and 2") && generations(to) == Some("2")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Obstacle::{Confidentiality, LocalDisk, Processors};

    #[test]
    fn a_size_is_resized_to_what_has_its_processors_controller_and_local_disk() {
        let (to_nvme, to_scsi) = (Obstacle::Controller(Controller::Nvme), Obstacle::Controller(Controller::Scsi));
        let catalogue = Catalogue::embedded();
        for (from, edition, to, obstacle) in [
            ("D8s_v5", None, "D16s_v5", None),
            ("D8s_v3", None, "E16ds_v5", None),
            ("DS14", Some("2017-03"), "E16ds_v5", None),
            // Pages of 2020 do not list the controllers of every series.
            ("D8ds_v4", None, "D8ds_v5", None),
            ("D8s_v5", None, "D8s_v6", Some(to_nvme)),
            ("D8ds_v5", None, "D8ads_v7", Some(to_nvme)),
            // No local disk, either: the controller needs more.
            ("D8ds_v5", None, "D8s_v6", Some(to_nvme)),
            ("D8s_v6", None, "D8s_v7", None),
            ("D8s_v6", None, "D8s_v5", Some(to_scsi)),
            ("E8bs_v5", None, "E16bs_v5", None),
            ("E8bs_v5", None, "E8s_v6", Some(to_nvme)),
            ("E8bs_v5", Some("2024-2026-nvme"), "E8s_v6", None),
            ("E8s_v6", None, "E8bs_v5", None),
            ("E8s_v5", None, "E8bs_v5", None),
            ("D8s_v5", None, "D8ds_v5", Some(LocalDisk)),
            ("D8ds_v5", None, "D8s_v5", Some(LocalDisk)),
            ("D8s_v5", None, "D8ps_v5", Some(Processors)),
            ("D8s_v5", None, "DC8as_v5", Some(Confidentiality)),
            // No page lists its controllers, and everything of v6 that one lists has NVMe.
            ("DC8as_v5", None, "DC8as_v6", Some(to_nvme)),
        ] {
            let row = |name: &str, edition| catalogue.vm(&format!("Standard_{name}"), edition).unwrap();
            assert_eq!(catalogue.resize_obstacle(row(from, edition), row(to, None)), obstacle, "{from} to {to}");
        }
    }
}
