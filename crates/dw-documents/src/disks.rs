//! Disks alike as they are bought, in words: a plan and a rig say the same of the same disks.

use std::fmt;

/// Disks alike, and what was chosen for each of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskSet<'a> {
    /// How many.
    pub count: u32,
    /// Their SKU: `P30`.
    pub sku: &'a str,
    /// GiB, IOPS and MB/s of each, for a kind that is sized freely.
    pub sized: Option<[u64; 3]>,
    /// The last of them is in MiB/s.
    pub in_mib: bool,
    /// The performance tier, where it is not the disk's own.
    pub tier: Option<&'a str>,
    /// Performance plus is enabled.
    pub performance_plus: bool,
    /// On-demand bursting is enabled.
    pub on_demand_bursting: bool,
}

/// `2 x P30`, `P30 at tier P40`, `P30 with performance plus`, `Ultra of 100 GiB, 4000 IOPS, 50 MB/s`.
impl fmt::Display for DiskSet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.count > 1 {
            write!(f, "{} x ", self.count)?;
        }
        f.write_str(self.sku)?;
        if let Some([gib, iops, mb]) = self.sized {
            let unit = if self.in_mib { "MiB/s" } else { "MB/s" };
            write!(f, " of {gib} GiB, {iops} IOPS, {mb} {unit}")?;
        }
        if let Some(tier) = self.tier {
            write!(f, " at tier {tier}")?;
        }
        for (chosen, said) in
            [(self.performance_plus, " with performance plus"), (self.on_demand_bursting, " with on-demand bursting")]
        {
            if chosen {
                f.write_str(said)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_said() {
        let p30 = DiskSet { count: 1, sku: "P30", ..DiskSet::default() };
        for (bought, said) in [
            (p30, "P30"),
            (DiskSet { count: 4, ..p30 }, "4 x P30"),
            (DiskSet { tier: Some("P40"), on_demand_bursting: true, ..p30 }, "P30 at tier P40 with on-demand bursting"),
            (DiskSet { performance_plus: true, ..p30 }, "P30 with performance plus"),
            (
                DiskSet { count: 2, sku: "Ultra", sized: Some([100, 4_000, 50]), ..p30 },
                "2 x Ultra of 100 GiB, 4000 IOPS, 50 MB/s",
            ),
        ] {
            assert_eq!(bought.to_string(), said);
        }
    }
}
