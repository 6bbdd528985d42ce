//! VM sizes that no plan has unless it is asked for them: those that retire soon, and those of kinds that need more than a price.
//!
//! A key of the demand allows them, and so does a list of sizes that names them. A pattern names a kind where most of what it fits in the
//! region is of the kind: `DS*` asks for sizes that retire, `B*s_v2` for burstable sizes, `D*` for none of the Arm sizes that it also fits.

use dw_catalogue::{Catalogue, Flag, Sold, fits, flags};
use dw_demand::wishes::Wishes;

/// Why a VM size is not chosen though it could be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSold {
    /// It retires on this day, before the plan ends.
    Retires(String),
    /// It retired on this day: nobody can have it any more.
    Retired(String),
    /// It is something that nobody is given unasked.
    OnRequest(&'static Flag),
    /// It is not sold in this region.
    Region(String),
    /// It is not offered in this zone.
    Zone {
        zone: String,
        /// The zone's region.
        region: String,
    },
}

impl NotSold {
    /// Whether it is for want of this key.
    pub fn is_for_want_of(&self, key: &str) -> bool {
        matches!(self, NotSold::OnRequest(flag) if flag.key == key)
    }
}

impl std::fmt::Display for NotSold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotSold::Retires(date) => write!(f, "it retires on {date}"),
            NotSold::Retired(date) => write!(f, "it retired on {date}"),
            NotSold::OnRequest(flag) => f.write_str(flag.why),
            NotSold::Region(region) => write!(f, "it is not sold in {region}"),
            NotSold::Zone { zone, region } => write!(f, "it is not offered in zone {zone} of {region}"),
        }
    }
}

/// A policy of VM sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// None that retires before the plan ends.
    Horizon,
    /// None that is so.
    OnRequest(&'static Flag),
}

impl Policy {
    /// All of them, in the order in which they are told.
    pub fn all() -> impl Iterator<Item = Policy> {
        std::iter::once(Policy::Horizon).chain(flags().iter().map(Policy::OnRequest))
    }

    /// The key of the demand that sets it.
    pub fn key(self) -> &'static str {
        match self {
            Policy::Horizon => "horizon_years",
            Policy::OnRequest(flag) => flag.key,
        }
    }
    fn is_lifted_by(self, wishes: &Wishes) -> bool {
        match self {
            Policy::Horizon => wishes.horizon_years == 0,
            Policy::OnRequest(flag) => flag.is_allowed_by(wishes),
        }
    }
}

/// The policies as one demand has them.
pub struct Policies<'a> {
    catalogue: &'a Catalogue,
    wishes: &'a Wishes,
    /// The day on which the plan begins, where that or the month of the records is known: what retired before is sold to nobody.
    begin: Option<String>,
    /// The month before which no size may retire, likewise.
    end: Option<String>,
    /// The patterns of the list that ask for what a policy leaves out.
    asked: Vec<(Policy, &'a str)>,
}

impl<'a> Policies<'a> {
    /// Those of a demand.
    pub fn of(catalogue: &'a Catalogue, wishes: &'a Wishes) -> Policies<'a> {
        let (begin, end) = (begin(catalogue, wishes), end(catalogue, wishes));
        let mut policies = Policies { catalogue, wishes, begin, end, asked: Vec::new() };
        if wishes.vms.is_empty() {
            return policies;
        }
        let mut sizes = catalogue.vm_sizes_as_of(None);
        sizes.retain(|size| wishes.vms.iter().any(|pattern| fits(pattern, &size.name)));
        let is_here = |name: &str| matches!(catalogue.sold(name, &wishes.region), Sold::Here { .. });
        // Where nothing is known of a region, all that there is.
        if sizes.iter().any(|size| is_here(&size.name)) {
            sizes.retain(|size| is_here(&size.name));
        }
        for pattern in &wishes.vms {
            let mut fitting = sizes.clone();
            fitting.retain(|size| fits(pattern, &size.name));
            let is_most = |policy: &Policy| {
                fitting.iter().filter(|size| policies.is_about(*policy, &size.name)).count() * 2 > fitting.len()
            };
            let asked: Vec<Policy> = Policy::all().filter(is_most).collect();
            policies.asked.extend(asked.into_iter().map(|policy| (policy, pattern.as_str())));
        }
        policies
    }
    /// The month before which no size may retire; nothing where any will do.
    pub fn horizon(&self) -> Option<&str> {
        self.end.as_deref().filter(|_| self.applies(Policy::Horizon) && self.catalogue.knows_retirements())
    }
    /// Whether a policy is in force, and leaves out any size that may be chosen otherwise.
    pub fn applies(&self, policy: Policy) -> bool {
        !policy.is_lifted_by(self.wishes) && self.leaves_out(policy)
    }
    /// Whether a policy, as it is without its key, leaves out any size that may be chosen otherwise.
    pub fn leaves_out(&self, policy: Policy) -> bool {
        if let Policy::OnRequest(flag) = policy
            && !flag.concerns(self.catalogue)
        {
            return false;
        }
        let listed = |name: &str| self.wishes.vms.iter().any(|pattern| fits(pattern, name));
        self.wishes.edition.is_none()
            && (self.wishes.vms.is_empty()
                || self.catalogue.vm_sizes_as_of(None).iter().any(|size| {
                    listed(&size.name) && self.is_about(policy, &size.name) && !self.asks_for(policy, &size.name)
                }))
    }
    /// Why a size may not be chosen, if so. Of offers of years ago all may.
    pub(crate) fn against(&self, vm: &str) -> Option<NotSold> {
        if self.wishes.edition.is_some() {
            return None;
        }
        let is_over = |date: &&str| self.begin.as_deref().is_some_and(|begin| *date < begin);
        if let Some(date) = self.catalogue.retires(vm).filter(is_over) {
            return Some(NotSold::Retired(date.into()));
        }
        let is_against = |policy: &Policy| {
            !policy.is_lifted_by(self.wishes) && self.is_about(*policy, vm) && !self.asks_for(*policy, vm)
        };
        Some(match Policy::all().find(is_against)? {
            Policy::Horizon => NotSold::Retires(self.catalogue.retires(vm)?.to_string()),
            Policy::OnRequest(flag) => NotSold::OnRequest(flag),
        })
    }

    fn is_about(&self, policy: Policy, vm: &str) -> bool {
        match policy {
            Policy::Horizon => {
                self.end.as_deref().is_some_and(|end| self.catalogue.retires(vm).is_some_and(|date| date < end))
            }
            Policy::OnRequest(flag) => flag.is_of(self.catalogue, vm),
        }
    }
    fn asks_for(&self, policy: Policy, vm: &str) -> bool {
        self.asked.iter().any(|(asked, pattern)| *asked == policy && fits(pattern, vm))
    }
}

/// When a plan begins: today, or with the records where nobody tells a later day.
pub(crate) fn begin(catalogue: &Catalogue, wishes: &Wishes) -> Option<String> {
    let today = wishes.today.map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"));
    today.max(catalogue.sold_as_of().map(String::from))
}

/// The month in which a reservation ends that is bought when a plan begins; nothing without one.
pub fn reserved_until(catalogue: &Catalogue, wishes: &Wishes) -> Option<String> {
    after(&begin(catalogue, wishes)?, wishes.reserved_years?)
}

/// The month so many years after a day.
fn after(day: &str, years: u32) -> Option<String> {
    let (year, month) = day.split_once('-')?;
    let (year, month): (u32, u32) = (year.parse().ok()?, month.get(..2)?.parse().ok()?);
    Some(format!("{}-{month:02}", year + years))
}

/// When a plan ends: a month, counted from when it begins. Without its key a horizon is the usual one; a plan for more years, or a longer
/// reservation, lasts as long.
fn end(catalogue: &Catalogue, wishes: &Wishes) -> Option<String> {
    let years = if wishes.horizon_years == 0 { Wishes::HORIZON_YEARS } else { wishes.horizon_years };
    after(&begin(catalogue, wishes)?, years.max(wishes.years).max(wishes.reserved_years.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Retiring sizes, Arm, burstable and confidential ones are there for who names them, and for nobody who names a family that also
    /// has them.
    #[test]
    fn a_pattern_allows_a_kind_that_most_of_what_it_fits_is_of() {
        let on_request = |key: &str| flags().iter().find(|flag| flag.key == key).map(NotSold::OnRequest);
        let catalogue = Catalogue::embedded();
        let retiring = |size: &str| NotSold::Retires(catalogue.retires(size).expect("it retires").into());
        for (list, size, expected) in [
            (&[][..], "Standard_D4ps_v6", on_request("arm")),
            (&["D4ps_v6"], "Standard_D4ps_v6", None),
            (&["D*ps_v6"], "Standard_D4ps_v6", None),
            (&["D*s_v6"], "Standard_D4ps_v6", on_request("arm")),
            (&["D*s_v6", "D4ps*"], "Standard_D4ps_v6", None),
            (&["D*s_v6"], "Standard_D4ds_v6", None),
            (&["B*"], "Standard_B4s_v2", None),
            (&["B*"], "Standard_B4ps_v2", on_request("arm")),
            (&["*"], "Standard_B4s_v2", on_request("burstable")),
            (&["B*"], "Standard_B4ms", Some(retiring("Standard_B4ms"))),
            (&["DC*"], "Standard_DC4as_v5", None),
            (&["D*as_v5"], "Standard_DC4as_v5", on_request("confidential")),
            (&[], "Standard_D32nds_v6", on_request("preview")),
            (&[], "Standard_E8s_v4", on_request("closed_to_new")),
            (&["E*s_v4"], "Standard_E8s_v4", None),
            (&["E8*"], "Standard_E8s_v4", on_request("closed_to_new")),
            (&["F8s"], "Standard_F8s", None),
            (&["E*s_v6", "DS*_v2"], "Standard_DS13_v2", None),
            (&["DS*"], "Standard_DS13_v2", None),
            (&["F8*"], "Standard_F8s", Some(retiring("Standard_F8s"))),
        ] {
            let wishes =
                Wishes { vms: list.iter().map(|&s| s.into()).collect(), ..dw_catalogue::PLAN_KEYS.wishes_in("eastus") };
            assert_eq!(Policies::of(catalogue, &wishes).against(size), expected, "{size} of {list:?}");
        }
    }

    /// A plan begins today, however old the records are, and lasts for what is longest: the horizon, its years, its reservation.
    #[test]
    fn a_plan_ends_so_many_years_from_today() {
        let catalogue = Catalogue::embedded();
        let records = catalogue.sold_as_of().expect("they have a month");
        let (year, month) = records.split_once('-').expect("a month");
        let year: u32 = year.parse().expect("a year");
        for (today, horizon_years, years, reserved_years, expected) in [
            (None, 3, 0, None, format!("{}-{month}", year + 3)),
            (Some((1970, 1, 1)), 3, 0, None, format!("{}-{month}", year + 3)),
            (Some((2031, 11, 30)), 3, 0, None, "2034-11".into()),
            (Some((2031, 2, 1)), 1, 5, None, "2036-02".into()),
            (Some((2031, 2, 1)), 1, 0, Some(3), "2034-02".into()),
            (Some((2031, 2, 1)), 0, 0, Some(1), "2034-02".into()),
        ] {
            let usual = dw_catalogue::PLAN_KEYS.wishes_in("eastus");
            let wishes = Wishes { today, horizon_years, years, reserved_years, ..usual };
            assert_eq!(end(catalogue, &wishes), Some(expected), "{today:?} {horizon_years} {years} {reserved_years:?}");
        }
    }

    /// Neither a horizon nor a name brings back what has retired.
    #[test]
    fn what_has_retired_is_offered_to_nobody() {
        let catalogue = Catalogue::embedded();
        let size = "Standard_NV4as_v4";
        assert_eq!(catalogue.retires(size), Some("2026-09-30"));
        for (today, horizon_years, named, is_over) in [
            (None, 0, false, false),
            (Some((2026, 9, 30)), 0, false, false),
            (Some((2026, 9, 30)), 3, true, false),
            (Some((2026, 10, 1)), 0, false, true),
            (Some((2026, 10, 1)), 0, true, true),
            (Some((2031, 1, 1)), 3, false, true),
        ] {
            let vms = if named { vec![size.into()] } else { Vec::new() };
            let wishes = Wishes { today, horizon_years, vms, ..dw_catalogue::PLAN_KEYS.wishes_in("eastus") };
            let against = Policies::of(catalogue, &wishes).against(size);
            let found = against == Some(NotSold::Retired("2026-09-30".into()));
            assert_eq!(found, is_over, "{today:?} {horizon_years} {named}: {against:?}");
        }
    }
}
