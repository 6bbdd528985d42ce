//! DW5xx: what the same costs otherwise.

use dw_demand::{CommitTo, Commitment};
use dw_documents::audit::Confidence::*;
use dw_documents::audit::Level::*;
use dw_documents::audit::Setting;
use dw_estate::{Os, State};
use dw_messages::say;

use crate::case::Case;
use crate::figures::money;
use crate::limits::rule;
use crate::rule::{Family, Found, Need, Rule};

const FAMILY: Family = Family::Price;

pub static RULES: &[Rule] = &[
    rule!("DW501" "always on, at pay-as-you-go prices", "a machine that runs, and a commitment for it is known that costs less", Note Likely [Size Region State] committed),
    rule!("DW502" "a Windows licence paid by the hour", "Windows, and no licence of its owner's", Note Certain [Size Region Licence] licence),
    rule!("DW503" "no price", "no price of the size, as it is paid for and with what its image is sold with, or of a disk is known in the region", Note Certain [Size Region] no_price),
    rule!("DW504" "a size that nobody can reserve any more", "a page says since when", Note Certain [Size] no_reservation),
];

fn committed(case: &Case, found: &mut Found) {
    let (Some(size), Some(region)) = (&case.size, case.machine.region.text()) else { return };
    let is_usual = case.machine.state.value() == Some(State::Running) && case.is_paid_as_listed();
    let Some(own) = size.monthly.filter(|_| is_usual) else { return };
    let ended = |to: &Commitment| case.vendor().commitment_ended(&size.name, *to).is_some();
    let prices = Commitment::ALL.into_iter().filter(|to| to.years == 1 && !ended(to));
    let priced = prices.filter_map(|to| Some((to, case.vendor().committed(&size.name, to, region)?)));
    if let Some((to, monthly)) = priced.min_by_key(|(_, monthly)| *monthly).filter(|(_, monthly)| *monthly < own) {
        let says = say!(EstateCommitted { commitment: to.to_string(), monthly: money(monthly), own: money(own) });
        found
            .machine(case.without_licence(says))
            .costs(Some(own), Some(monthly))
            .priced_on(size.priced_on)
            .ends(say!(RemedyCommit { commitment: to.to_string() }));
    }
}

fn licence(case: &Case, found: &mut Found) {
    let Some(size) = &case.size else { return };
    if case.machine.os.value() != Some(Os::Windows) || case.machine.licence.text() != Some("") {
        return;
    }
    if let Some((whole, own)) = size.windows.zip(size.monthly).filter(|(whole, own)| whole > own) {
        let monthly = whole.saturating_sub(own);
        found
            .machine(say!(EstateLicence { monthly: money(monthly) }))
            .costs(Some(whole), Some(own))
            .ends(say!(RemedyLicence))
            .sets_machine(Setting::OwnLicence(true));
    }
}

fn no_price(case: &Case, found: &mut Found) {
    let Some(region) = case.machine.region.text() else { return };
    let mut missing: Vec<String> = Vec::new();
    // Of a size that is unknown there is no price in any case.
    let licence = case.image_licence().filter(|_| case.size.is_some() && case.monthly().is_none());
    match licence {
        Some(licence) => drop(found.machine(say!(EstateImageLicence { licence, size: case.size_name(), region }))),
        None => missing.extend(case.monthly().is_none().then(|| case.priced_as())),
    }
    let unpriced =
        case.disks.iter().filter(|disk| disk.sustains().is_some() && disk.monthly.is_none() && !disk.is_local());
    missing.extend(unpriced.filter_map(|disk| disk.facts.as_ref()).map(|facts| facts.sku.clone()));
    missing.dedup();
    if !missing.is_empty() {
        found.machine(say!(EstateNoPrice { what: missing, region }));
    }
}

fn no_reservation(case: &Case, found: &mut Found) {
    let Some(size) = &case.size else { return };
    let to = Commitment { to: CommitTo::Machine, years: 1 };
    if let Some((since, page)) = case.vendor().commitment_ended(&size.name, to) {
        found.machine(say!(EstateNoReservation { size: case.size_name(), since, page }));
    }
}
