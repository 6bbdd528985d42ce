//! The moves of a VM and of its disks, by the rows of [`dw_vendor::moves`].

use crate::catalogue::Catalogue;
use crate::resize::Obstacle;
use dw_azure::vm::VmSize;
use dw_vendor::moves::{DisksAt, MoveRow, What};

/// Whatever takes most comes first.
fn sorted(mut rows: Vec<&MoveRow>) -> Vec<&MoveRow> {
    rows.sort_by_key(|row| std::cmp::Reverse(row.effort));
    rows
}

impl Catalogue {
    /// What it takes to get a VM of one row to another size, whatever takes most first.
    pub fn vm_moves(&self, from: &VmSize, to: &VmSize) -> Vec<&MoveRow> {
        if from.name == to.name {
            return Vec::new();
        }
        let row = |what: What, word: &str| self.moves.iter().find(|row| row.change == what && fits(&row.to, word));
        let mut rows: Vec<&MoveRow> = Vec::new();
        for obstacle in self.resize_obstacles(from, to) {
            rows.extend(match obstacle {
                Obstacle::Processors => row(What::Processors, ""),
                Obstacle::Confidentiality => row(What::Confidentiality, ""),
                Obstacle::Controller(controller) => row(What::Controller, controller.word()),
                Obstacle::Images => row(What::Images, ""),
                Obstacle::LocalDisk => row(What::LocalDisk, ""),
            });
        }
        // What a vendor behind the door says itself.
        let said = self.goods().and_then(|goods| {
            let facts = goods.facts();
            facts.size(&from.name, "", None).map(|from| facts.size_moves(&from, &to.name))
        });
        if let Some(said) = said.filter(|_| rows.is_empty()) {
            rows.extend(said.iter().filter_map(|said| row(said.change, "")));
        }
        if rows.is_empty() {
            rows.extend(row(What::Size, ""));
            rows.extend(row(What::ImagesUnknown, "").filter(|_| self.needs_newer_image(from, to)));
        }
        sorted(rows)
    }

    /// The same of what is chosen of it ([`Catalogue::setting`]), its size being the same.
    pub fn setting_moves(&self) -> Vec<&MoveRow> {
        self.moves.iter().filter(|row| row.change == What::Setting).collect()
    }

    /// The same of the disks of a volume. Nothing is said of disks that the catalogue does not have.
    pub fn disk_moves(&self, from: &DisksAt, to: &DisksAt) -> Vec<&MoveRow> {
        let (own, other) = (from.kind.unwrap_or_default(), to.kind.unwrap_or_default());
        let fits = |row: &&MoveRow, what: What| {
            let is_of = |row: &MoveRow| (!row.os || from.os) && (!row.shared || from.shared);
            let is_far = row.beyond_gib.is_none_or(|most| from.gib <= most && to.gib > most);
            row.change == what && fits(&row.from, own) && fits(&row.to, other) && is_far && is_of(row)
        };
        // A row about all kinds is about those that the vendor sells.
        let is_known = |what: &What| *what != What::Kind || (from.kind.is_some() && to.kind.is_some());
        let changes = from.changes(to).into_iter().filter(is_known);
        let rows = changes.filter_map(|what| self.moves.iter().find(|row| fits(row, what)));
        sorted(rows.collect())
    }
}

/// Whether a row is about this, or about all.
fn fits(listed: &[String], own: &str) -> bool {
    listed.is_empty() || listed.iter().any(|one| one == own)
}

#[cfg(test)]
mod tests {
    use dw_units::CacheMode;

    use super::*;
    use dw_vendor::moves::Effort::{Detach, InPlace, Migrate, Redeploy, Refused, Restart};

    /// Moves of a VM as the vendor's pages have them. What is said of each: how much it takes, whether the vendor makes it itself, and the
    /// page.
    #[test]
    fn what_pages_say_of_a_move_from_size_to_size() {
        let catalogue = Catalogue::embedded();
        for (from, to, effort, direct, source) in [
            ("D8s_v5", "D16s_v5", Restart, true, "resize-vm-2025-11-06"),
            // No local disk to a local disk, and back.
            ("D8s_v5", "D8ds_v5", Redeploy, false, "resize-vm-2025-11-06"),
            ("D8ds_v5", "D8s_v5", Redeploy, false, "resize-vm-2025-11-06"),
            // SCSI to NVMe, and back.
            ("D8s_v5", "D8s_v6", Redeploy, false, "scsi-to-nvme-2026-07-03"),
            ("D8s_v6", "D8s_v5", Redeploy, false, "scsi-to-nvme-2026-07-03"),
            ("D8s_v6", "D8s_v7", Restart, true, "resize-vm-2025-11-06"),
            // Images of generation 1 to those of generation 2.
            ("D4_v2", "M208s_v2", Redeploy, false, "trusted-launch-gen-1-2026-03-09"),
            ("D8s_v5", "D8ps_v5", Redeploy, false, "trusted-launch-gen-1-2026-03-09"),
            ("D8s_v5", "DC8as_v5", Redeploy, false, "confidential-vm-faq-2022-07"),
        ] {
            let row = |name: &str| catalogue.vm(name, None).unwrap();
            let moves = catalogue.vm_moves(row(from), row(to));
            let found: Vec<_> = moves.iter().map(|row| (row.effort, row.direct, row.source.as_str())).collect();
            assert!(found.contains(&(effort, direct, source)), "{from} to {to}: {found:?}");
            assert!(found.iter().all(|(other, ..)| *other <= effort), "{from} to {to}: {found:?}");
        }
        let row = |name: &str| catalogue.vm(name, None).unwrap();
        assert!(catalogue.vm_moves(row("D8s_v5"), row("D8s_v5")).is_empty());
        let both = catalogue.vm_moves(row("D8ds_v5"), row("D8s_v6"));
        assert_eq!(both.len(), 2, "the controller and the local disk: {both:?}");
    }

    #[test]
    fn what_pages_say_of_a_move_from_disks_to_disks() {
        let catalogue = Catalogue::embedded();
        let at = |kind: &'static str, gib: u64| DisksAt {
            kind: Some(kind),
            gib,
            count: 1,
            rates: None,
            tier: None,
            cache: CacheMode::None,
            local: false,
            os: false,
            shared: false,
        };
        let (p, s, e) = ("premium_ssd", "standard_hdd", "standard_ssd");
        let (v2, ultra) = ("premium_ssd_v2", "ultra");
        let rates = |disks: DisksAt, iops| DisksAt { rates: Some((iops, 125)), ..disks };
        let os = |disks: DisksAt| DisksAt { os: true, ..disks };
        let shared = |disks: DisksAt| DisksAt { shared: true, ..disks };
        let (expand, convert) = ("expand-without-downtime-2025-05-28", "convert-types-2025-04-17");
        for (from, to, effort, limit, source) in [
            (at(p, 1_024), at(p, 2_048), InPlace, "", expand),
            (at(p, 4_096), at(p, 8_192), Restart, "", expand),
            (at(p, 8_192), at(p, 16_384), InPlace, "", expand),
            (at(v2, 4_096), at(v2, 8_192), InPlace, "", expand),
            (os(at(p, 128)), os(at(p, 256)), Restart, "", expand),
            (shared(at(p, 128)), shared(at(p, 256)), Restart, "", "disks-shared-limitations-2023-04-14"),
            (shared(at(v2, 128)), shared(at(v2, 256)), Restart, "", "disks-shared-limitations-2023-04-14"),
            (at(p, 2_048), at(p, 1_024), Migrate, "", "expand-disks-2024-09-10"),
            (at(p, 1_024), at(e, 1_024), Restart, "twice a day", convert),
            (at(s, 1_024), at(p, 1_024), Restart, "twice a day", convert),
            (at(p, 1_024), at(v2, 1_024), Restart, "twice a day, 50 at a time in a subscription and region", convert),
            (at(v2, 1_024), at(p, 1_024), Migrate, "", convert),
            (at(p, 1_024), at(ultra, 1_024), Migrate, "", convert),
            (os(at(p, 128)), os(at(v2, 128)), Refused, "", "premium-v2-limitations-2026-06-05"),
            (
                rates(at(v2, 512), 3_000),
                rates(at(v2, 512), 9_000),
                InPlace,
                "four times in 24 hours, its creation among them",
                "premium-v2-deploy-2025-05-19",
            ),
            (
                rates(at(ultra, 512), 3_000),
                rates(at(ultra, 512), 9_000),
                InPlace,
                "four times in 24 hours",
                "ultra-adjust-2024-10-21",
            ),
            (
                at(p, 512),
                DisksAt { tier: Some("P40".into()), ..at(p, 512) },
                InPlace,
                "down only once in 12 hours",
                "performance-tiers-2024-03-04",
            ),
            (
                at(p, 512),
                DisksAt { cache: CacheMode::ReadOnly, ..at(p, 512) },
                Detach,
                "",
                "premium-storage-performance-2021-06-29",
            ),
            (at(p, 512), DisksAt { count: 2, ..at(p, 512) }, Migrate, "", "expand-disks-2024-09-10"),
            (DisksAt { count: 2, ..at(p, 512) }, DisksAt { count: 2, ..at(p, 1_024) }, InPlace, "", expand),
            (at(p, 512), DisksAt { local: true, ..at(p, 512) }, Migrate, "", "no-temp-disk-faq-2020-06-15"),
        ] {
            let first = catalogue.disk_moves(&from, &to).into_iter().next();
            let found = first.map(|row| (row.effort, row.limit.as_deref().unwrap_or_default(), row.source.as_str()));
            assert_eq!(found, Some((effort, limit, source)), "{from:?} to {to:?}");
            assert!(catalogue.disk_moves(&from, &from).is_empty(), "{from:?}");
        }
    }
}
