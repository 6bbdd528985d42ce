//! What else carries a demand: pooled and file services, by what their pages print. None is searched, none is simulated.

use dw_catalogue::services::{Bought, Need, Service, named};
use dw_demand::wishes::Role;
use dw_documents::plan::ServiceRow;
use dw_messages::say;
use dw_planner::problem::{ONE, Sample, Volume};
use dw_units::Bytes;

use super::PlanInput;
use super::words::currency;
use crate::figures::money_in;

/// The services whose printed limits carry all volumes but that of the operating system. They are none of years ago, and no page says how
/// they are kept in several zones.
pub fn rows(input: &PlanInput) -> Vec<ServiceRow> {
    let (wishes, problem) = (input.wishes, &input.built.problem);
    if wishes.edition.is_some() || wishes.zone_redundant {
        return Vec::new();
    }
    let volumes = problem.volumes.iter().zip(&wishes.volumes).filter(|(_, wished)| wished.role != Role::Os);
    let needs: Vec<Need> = volumes.map(|(volume, _)| need(input, volume)).collect();
    let found = named(input.catalogue.services(), &wishes.region, &needs);
    found.iter().map(|(service, bought)| row(input, service, bought)).collect()
}

/// What a volume needs in every interval but those that may be missed, with the room that a plan leaves.
fn need(input: &PlanInput, volume: &Volume) -> Need {
    let problem = &input.built.problem;
    let most = |of: fn(&Sample) -> u64| {
        let mut all: Vec<u64> = volume.samples.iter().map(of).collect();
        let place = problem.violations_allowed.min(all.len().saturating_sub(1));
        let load = if all.is_empty() { 0 } else { *all.select_nth_unstable_by(place, |a, b| b.cmp(a)).1 };
        (u128::from(load) * u128::from(ONE)).div_ceil(u128::from(problem.utilisation.max(1))) as u64
    };
    Need {
        gib: volume.capacity_gib,
        iops: most(|sample| sample.reads + sample.writes),
        bytes_per_second: most(|sample| sample.read_bytes + sample.write_bytes),
    }
}

fn row(input: &PlanInput, service: &Service, bought: &Bought) -> ServiceRow {
    let (region, money) = (&input.wishes.region, currency(input));
    let date = |source: &str| input.catalogue.source(source).map_or("", |source| source.date.as_str());
    let priced = service.monthly(bought, region, &money);
    let price = match priced {
        Some((monthly, source)) => say!(PlanServicePrice { monthly: money_in(monthly, &money), date: date(source) }),
        None => say!(PlanServiceUnpriced { region }),
    };
    let name = service.label();
    let said = say!(PlanService {
        name: &name,
        bought: said(bought),
        price,
        access: &service.access,
        page: date(&service.source)
    });
    ServiceRow { name, monthly: priced.map(|(monthly, _)| monthly.amount()), service: said }
}

/// `1 TiB`, `500 GiB + 2 TiB`, `12 TiB of base and 8 TiB of capacity alone`.
fn said(bought: &Bought) -> String {
    let gib = |gib: &u64| Bytes::gib(*gib).to_string();
    let own = bought.gib.iter().map(gib).collect::<Vec<_>>().join(" + ");
    match bought.further_gib {
        0 => own,
        further => format!("{own} with rates and {} of capacity alone", gib(&further)),
    }
}

#[cfg(test)]
mod tests {
    use dw_catalogue::Catalogue;

    use crate::{PlanOptions, Session};

    #[test]
    fn what_else_carries_it_is_named_with_its_price_or_without() {
        let session = Session::new(Catalogue::embedded().clone());
        let options = PlanOptions { simulate: false, ..PlanOptions::default() };
        let named = |keys: &str, iops: u32| -> Vec<String> {
            let text = format!(
                "schema_version = 1\n[plan]\n{keys}\n[[volume]]\nname = 'data'\ncapacity = '1600 GiB'\nread_size = '8 KiB'\n\
                 read_iops = {{ p50 = {iops}, p90 = {iops}, p99 = {iops}, max = {iops} }}\n"
            );
            let demand = session.requirements("r.toml", &text).unwrap();
            let document = session.plan_with(&demand, &options).unwrap().document;
            document.services.iter().map(|row| row.service.to_string()).collect()
        };
        for (keys, iops, expected) in [
            (
                "region = 'eastus'",
                4_000,
                &[
                    "Elastic SAN: 1 TiB with rates and 1 TiB of capacity alone, 143.36 USD per month (price of 2025-03-17)",
                ][..],
            ),
            (
                "region = 'westus'",
                4_000,
                &[
                    "Elastic SAN: 1 TiB with rates and 1 TiB of capacity alone, price unknown in westus",
                    "NetApp Files",
                    "Azure Files premium: 2000 GiB, 352.00 USD",
                ],
            ),
            ("region = 'eastus'\nredundancy = 'zone'", 4_000, &[]),
        ] {
            let found = named(keys, iops);
            for (place, begins) in expected.iter().enumerate() {
                assert!(found.iter().any(|line| line.starts_with(begins)), "{place}: {begins}: {found:#?}");
            }
            assert_eq!(expected.is_empty(), found.is_empty(), "{found:#?}");
            assert!(found.iter().all(|line| line.contains("are unknown here (page of 202")), "{found:#?}");
        }
    }
}
