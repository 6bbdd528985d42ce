//! What changes between two plans, or between what is there now and a plan.
//!
//! Lives here: two configurations side by side, what each costs, what is left of each limit.
//! Never here: files, tables.
//! Read next: `diff/side.rs` (a plan and a scenario as the same thing).

use dw_catalogue::moves::MoveRow;
use dw_catalogue::{Catalogue, Money, MoneyChange};
use dw_demand::wishes::Wishes;
pub use dw_documents::diff::{DiffDocument, DiffRow};
use dw_documents::plan::PlanDocument;
use dw_error::{Error, Result};
use dw_formats::scenario::Scenario;
use dw_messages::{Figure, Sentence, say};

use crate::document;
use crate::plan::bounds;
use crate::session::Session;

mod side;

use side::{Configuration, Terms, Volume};

/// What is compared, with the name that the document gives it.
#[derive(Clone, Debug)]
pub enum Side {
    /// A plan, which has its prices.
    Plan(String, Box<PlanDocument>),
    /// What is there now: its prices are the catalogue's.
    Scenario(String, Box<Scenario>),
}

impl Side {
    /// Whether it is a plan.
    pub fn is_plan(&self) -> bool {
        matches!(self, Side::Plan(..))
    }
}

/// A month of a scenario on these terms, in their currency; nothing where a price is not known. What is billed by use is not in it.
pub fn monthly(catalogue: &Catalogue, scenario: &Scenario, terms: &Wishes) -> Option<f64> {
    side::of_scenario(catalogue, "", scenario, terms).monthly
}

impl Session {
    /// A plan's JSON or the text of a scenario, by what is in it.
    ///
    /// # Errors
    /// Of kind `Input`, with name and line, where the text is neither, or is a document in which no plan was found.
    pub fn side(&self, name: &str, text: &str) -> Result<Side> {
        if !text.trim_start().starts_with('{') {
            return Ok(Side::Scenario(name.into(), Box::new(self.scenario(name, text)?)));
        }
        let document: PlanDocument = document::read(name, text)?;
        bounds::check(name, text, &document)?;
        if document.plan.is_none() {
            let what = "contains no plan: nothing met its demand";
            let hint = "write it with `diskwright plan ... --format json`";
            return Err(Error::input(what).hint(hint).of_file(name));
        }
        Ok(Side::Plan(name.into(), Box::new(document)))
    }

    /// What changes from `a` to `b`: VM, disks, how they are bought, cost a month of all nodes in the currency of the prices, percent that is
    /// left of each limit. `region` is that of scenarios. They are priced as the other plan is bought: for its nodes, with its licence, reservation and
    /// redundancy, and in its region where none is given; in the usual region of their own vendor where both are scenarios, or the plan is another
    /// vendor's. What cannot be priced has no cost, and the notes say why.
    ///
    /// ```
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let rig = "[vm]\nsize = 'Standard_E8ds_v5'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
    /// let now = session.side("now.toml", rig)?;
    /// let then = session.side("then.toml", &rig.replace("'P30'", "'4 x P30'"))?;
    /// let document = session.diff(&now, &then, None);
    /// let changed: Vec<&str> = document.rows.iter().filter(|row| row.differs).map(|row| row.what.as_str()).collect();
    /// assert_eq!(changed, ["data disks", "data stripe unit", "monthly cost"]);
    /// assert!(document.monthly_change.is_some_and(|dollars| dollars > 300.0), "three more P30");
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn diff(&self, a: &Side, b: &Side, region: Option<&str>) -> DiffDocument {
        let rules = self.of_both(a, b);
        let (mut a, mut b) = self.sides(a, b, region);
        side::share_loads(&mut a, &mut b);
        let mut document = compare(&a, &b);
        document.notes.extend(rules.iter().flat_map(|own| takes(own.catalogue(), &a, &b)));
        document
    }

    /// What it takes to get from `a` to `b`, as [`Session::diff`] says it: what changes, and the vendor's rule for it.
    pub fn moves(&self, a: &Side, b: &Side, region: Option<&str>) -> Vec<(String, MoveRow)> {
        let Some(rules) = self.of_both(a, b) else { return Vec::new() };
        let (a, b) = self.sides(a, b, region);
        rows(rules.catalogue(), &a, &b).into_iter().map(|(what, row)| (what, row.clone())).collect()
    }

    /// The same for the vendor of a side.
    fn of_side(&self, side: &Side) -> Session {
        match side {
            Side::Plan(_, document) => self.of_region(&document.region),
            Side::Scenario(_, scenario) => self.of_vendor(scenario.vendor),
        }
    }
    /// The same for the vendor of both sides; from one vendor to another nothing is changed in place.
    fn of_both(&self, a: &Side, b: &Side) -> Option<Session> {
        let [from, to] = [a, b].map(|side| self.of_side(side));
        (from.catalogue().vendor().id() == to.catalogue().vendor().id()).then_some(to)
    }

    fn sides(&self, a: &Side, b: &Side, region: Option<&str>) -> (Configuration, Configuration) {
        let bought = [a, b].into_iter().find_map(|side| match side {
            Side::Plan(_, document) => {
                let session = self.of_side(side);
                Some(side::terms(document, dw_demand::Offers::vendor(session.catalogue())))
            }
            Side::Scenario(..) => None,
        });
        let is_one_vendor = self.of_both(a, b).is_some();
        // A region of the other side's vendor has no prices of this one's.
        let is_of =
            |region: &str, vendor: &str| is_one_vendor || self.of_region(region).catalogue().vendor().id() == vendor;
        let of = |side: &Side| {
            let session = self.of_side(side);
            let catalogue = session.catalogue();
            match side {
                Side::Plan(name, document) => side::of_plan(catalogue, name, document),
                Side::Scenario(name, scenario) => {
                    let keys = dw_demand::Offers::vendor(catalogue);
                    let mut terms = match &bought {
                        None => keys.wishes(),
                        Some(terms) if terms.vendor.id == keys.id => terms.clone(),
                        Some(terms) => terms.moved_to(keys, keys.region, catalogue.has_host_caches()).0,
                    };
                    if let Some(region) = region.filter(|region| is_of(region, keys.id)) {
                        terms.region = region.into();
                    }
                    side::of_scenario(catalogue, name, scenario, &terms)
                }
            }
        };
        (of(a), of(b))
    }
}

fn compare(a: &Configuration, b: &Configuration) -> DiffDocument {
    let mut rows = Vec::new();
    let mut changes = Vec::new();
    let mut text = |what: &str, a: Option<String>, b: Option<String>, differs: bool| {
        if differs {
            changes.push(what.to_string());
        }
        rows.push(DiffRow { what: what.to_string(), differs, a, b, change: None });
    };
    let is_other_vm = (&a.vm, &a.vm_options) != (&b.vm, &b.vm_options);
    text("VM size", Some(a.vm_said()), Some(b.vm_said()), is_other_vm);
    for (what, take) in Terms::ALL {
        let (a, b) = (take(&a.terms), take(&b.terms));
        if a != b {
            text(what, Some(a), Some(b), true);
        }
    }
    let names = |side: &Configuration| side.volumes.iter().map(|volume| volume.name.clone()).collect::<Vec<_>>();
    let mut volumes = names(a);
    volumes.extend(names(b).into_iter().filter(|name| !a.volumes.iter().any(|volume| volume.name == *name)));
    for name in &volumes {
        let of = |side: &Configuration, take: fn(&Volume) -> Option<String>| {
            side.volumes.iter().find(|volume| volume.name == *name).and_then(take)
        };
        for (what, take) in Volume::FIELDS {
            let (a, b) = (of(a, take), of(b, take));
            if a.is_some() || b.is_some() {
                let differs = a != b;
                text(&format!("{name} {what}"), a, b, differs);
            }
        }
        // A scenario says no queue depth: the application has it.
        let (a, b) = (of(a, Volume::queue_depth), of(b, Volume::queue_depth));
        if a.is_some() || b.is_some() {
            let differs = a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| a != b);
            text(&format!("{name} queue depth"), a, b, differs);
        }
    }
    let mut figure = |what: String, [a, b]: [Option<String>; 2], change: Option<f64>, differs: bool| {
        rows.push(DiffRow { what, differs, a, b, change });
    };
    let change = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| ((b - a) * 1e6).round() / 1e6);
    let apart = apart(a, b);
    let costs = [
        ("VM cost a month", a.vm_monthly, b.vm_monthly),
        ("licences a month", a.licences, b.licences),
        ("monthly cost", a.monthly, b.monthly),
    ];
    let is_there = |(what, a, b): &(&str, Option<f64>, Option<f64>)| *what != "licences a month" || a.or(*b).is_some();
    for (what, of_a, of_b) in costs.into_iter().filter(is_there) {
        let shown = [(a, of_a), (b, of_b)].map(|(side, value)| value.map(|value| said(side, Money::of_amount(value))));
        let (of_a, of_b) = (of_a.map(|one| of_all(a, one)), of_b.map(|one| of_all(b, one)));
        // What is priced in two regions is not subtracted.
        let change = change(of_a, of_b).filter(|_| apart.is_none());
        let differs = apart.is_none() && (of_a.is_some() || of_b.is_some()) && change != Some(0.0);
        figure(what.into(), shown, change, differs);
    }
    let mut limits: Vec<&String> = a.headroom.keys().chain(b.headroom.keys()).collect();
    limits.sort_unstable();
    limits.dedup();
    for limit in limits {
        let of = |side: &Configuration| side.headroom.get(limit).copied();
        let change = change(of(a), of(b));
        let shown = [of(a), of(b)].map(|value| value.map(dw_documents::format::headroom));
        figure(format!("headroom of {limit}"), shown, change, change != Some(0.0));
    }
    let mut notes: Vec<Sentence> = a.notes.iter().chain(&b.notes).cloned().collect();
    notes.dedup();
    let exact = |(one_a, one_b): (f64, f64)| {
        Money::of_amount(of_all(b, one_b)).change_from(Money::of_amount(of_all(a, one_a))).amount()
    };
    let monthly_change = a.monthly.zip(b.monthly).map(exact);
    let monthly_change = monthly_change.filter(|_| apart.is_none());
    if apart.is_some() {
        notes.push(say!(DiffRegionOption));
    }
    DiffDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        a: a.label.clone(),
        b: b.label.clone(),
        summary: summary(changes, monthly_change.map(|change| (change, &*a.currency)), apart),
        monthly_change,
        rows,
        notes,
    }
}

/// An amount of one node for all of them.
fn of_all(side: &Configuration, one: f64) -> f64 {
    (Money::of_amount(one) * u64::from(side.terms.nodes)).amount()
}

/// The amount of all nodes, with that of each where there are several: `1,161.50 USD = 25 x 46.46`.
fn said(side: &Configuration, one: Money) -> String {
    let (nodes, currency) = (side.terms.nodes, &side.currency);
    match nodes {
        1 => format!("{one} {currency}"),
        _ => format!("{} {currency} = {nodes} x {one}", one * u64::from(nodes)),
    }
}

/// What it takes to get from one side to the other: a line for each rule that the vendor has for it.
fn takes(catalogue: &Catalogue, a: &Configuration, b: &Configuration) -> Vec<Sentence> {
    let line = |what: &str, row: &MoveRow| {
        let page = catalogue.source(&row.source).map_or("", |source| source.date.as_str());
        say!(MoveTakes { what, takes: row.said(), page })
    };
    rows(catalogue, a, b).into_iter().map(|(what, row)| line(&what, row)).collect()
}

/// What changes, with the vendor's rules for it.
fn rows<'c>(catalogue: &'c Catalogue, a: &Configuration, b: &Configuration) -> Vec<(String, &'c MoveRow)> {
    let vm = |side: &Configuration| catalogue.vm(&side.vm, None).ok();
    let of_vm = match a.vm == b.vm && a.vm_options != b.vm_options {
        true => catalogue.setting_moves(),
        false => vm(a).zip(vm(b)).map_or_else(Vec::new, |(from, to)| catalogue.vm_moves(from, to)),
    };
    let mut all: Vec<_> = of_vm.into_iter().map(|row| ("VM size".to_string(), row)).collect();
    for before in &a.volumes {
        let after = b.volumes.iter().find(|volume| volume.name == before.name);
        let both = before.at.as_ref().zip(after.and_then(|volume| volume.at.as_ref()));
        let rows = both.map_or_else(Vec::new, |(from, to)| catalogue.disk_moves(from, to));
        all.extend(rows.into_iter().map(|row| (before.name.clone(), row)));
    }
    all
}

/// Why costs are not subtracted: prices of two regions, or amounts in two currencies.
fn apart(a: &Configuration, b: &Configuration) -> Option<Sentence> {
    let regions = a.region.as_ref().zip(b.region.as_ref()).filter(|(a, b)| a != b);
    match regions {
        Some((a, b)) => Some(say!(DiffRegions { a, b })),
        None if a.currency != b.currency => Some(say!(DiffCurrencies { a: &a.currency, b: &b.currency })),
        None => None,
    }
}

/// What is to be changed, and what that costs a month, in a currency.
fn summary(changes: Vec<String>, monthly: Option<(f64, &str)>, apart: Option<Sentence>) -> Sentence {
    let money = |value: f64, currency| {
        Figure::new(value.abs(), currency, format!("{} {currency}", MoneyChange::of_amount(value).size()))
    };
    let cost = match monthly {
        None => apart.unwrap_or_else(|| say!(DiffCostsUnknown)),
        Some((change, currency)) if change > 0.0 => say!(DiffCostsMore { more: money(change, currency) }),
        Some((change, currency)) if change < 0.0 => say!(DiffCostsLess { less: money(change, currency) }),
        Some(_) => say!(DiffCostsSame),
    };
    if changes.is_empty() { say!(DiffNothing { cost }) } else { say!(DiffChanges { changes, cost }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_said_and_nothing_else() {
        let session = Session::new(Catalogue::embedded().clone());
        let sized = |gib: u32, iops: u32| {
            format!("[[volume.disks]]\nsku = 'PremiumV2'\ncount = 4\nsize = '{gib} GiB'\niops = {iops}\n")
        };
        let rig =
            |vm: &str, name: &str, disks: &str| format!("[vm]\nsize = '{vm}'\n[[volume]]\nname = '{name}'\n{disks}");
        let (small, large) = ("disks = 'P30'\n", "disks = '4 x P30'\n");
        let e8 = "Standard_E8ds_v5";
        for (a, b, changed) in [
            (rig(e8, "data", &sized(148, 3_000)), rig(e8, "data", &sized(500, 9_000)), &["data disks"][..]),
            (rig(e8, "costdb", small), rig(e8, "costdb", large), &["costdb disks", "costdb stripe unit"]),
            (
                rig(e8, "headroom-x", small),
                rig(e8, "headroom-x", large),
                &["headroom-x disks", "headroom-x stripe unit"],
            ),
            (rig(e8, "data", small), rig(e8, "data", small), &[]),
        ] {
            let [a, b] = [("a.toml", &a), ("b.toml", &b)].map(|(name, text)| session.side(name, text).unwrap());
            let document = session.diff(&a, &b, None);
            let said = document.summary.to_string();
            let expected = match changed {
                [] => "nothing to change".to_string(),
                changed => format!("to change: {}", changed.join(", ")),
            };
            assert!(said.starts_with(&expected), "{said}");
        }
    }

    #[test]
    fn what_a_change_takes_is_said_with_its_page() {
        let session = Session::new(Catalogue::embedded().clone());
        let rig =
            |vm: &str, disks: &str| format!("[vm]\nsize = '{vm}'\n[[volume]]\nname = 'data'\ndisks = '{disks}'\n");
        for (a, b, expected) in [
            (rig("Standard_D8s_v5", "P30"), rig("Standard_D16s_v5", "P30"), "VM size: the VM restarts in its new size"),
            (rig("Standard_D8s_v5", "P30"), rig("Standard_D8s_v6", "P30"), "VM size: a new VM: a VM on SCSI"),
            (rig("Standard_D8s_v5", "P30"), rig("Standard_D8s_v5", "P40"), "data: the disk grows while it is attached"),
            (rig("Standard_D8s_v5", "P30"), rig("Standard_D8s_v5", "2 x P30"), "data: data are copied to a stripe"),
            (rig("Standard_D8s_v5", "P30"), rig("Standard_D8s_v5", "P30"), ""),
        ] {
            let [a, b] = [("a.toml", &a), ("b.toml", &b)].map(|(name, text)| session.side(name, text).unwrap());
            let notes: Vec<String> = session.diff(&a, &b, None).notes.iter().map(ToString::to_string).collect();
            let found = notes.iter().filter(|note| note.contains("(page of 20")).collect::<Vec<_>>();
            match expected {
                "" => assert!(found.is_empty(), "{found:?}"),
                expected => assert!(found.iter().any(|note| note.starts_with(expected)), "{expected}: {found:?}"),
            }
        }
    }

    /// What one node costs less may cost more on all of them.
    #[test]
    fn costs_are_compared_for_all_nodes_and_terms_that_differ_have_a_row() {
        let session = Session::new(Catalogue::embedded().clone());
        let options = crate::PlanOptions { simulate: false, choices: false, ..Default::default() };
        let plan = |name: &str, terms: &str| {
            let demand = format!(
                "schema_version = 1\n[plan]\nregion = 'eastus'\n{terms}\n[[volume]]\nname = 'data'\ncapacity = '200 GiB'\n\
                read_iops = {{ p50 = 200, p90 = 600, p99 = 900, max = 950 }}\nread_size = '8 KiB'\n"
            );
            let demand = session.requirements("demand.toml", &demand).unwrap();
            Side::Plan(name.into(), Box::new(session.plan_with(&demand, &options).unwrap().document))
        };
        let many = plan("many.json", "vms = ['D4s_v5']\nnodes = 25");
        let one = plan("one.json", "vms = ['D32s_v5']\nos = 'windows'");
        let [Side::Plan(_, of_many), Side::Plan(_, of_one)] = [&many, &one] else { unreachable!() };
        let each = |document: &PlanDocument| document.plan.as_ref().unwrap().monthly;
        let (each_of_many, of_one) = (each(of_many), each(of_one));
        assert!(each_of_many < of_one && of_one < 25.0 * each_of_many, "{each_of_many} {of_one}");
        let document = session.diff(&many, &one, None);
        let change = document.monthly_change.unwrap();
        assert!((change - (of_one - 25.0 * each_of_many)).abs() < 0.01, "{change}");
        assert!(document.summary.text.ends_with("USD per month less"), "{}", document.summary);
        let row = |what: &str| document.rows.iter().find(|row| row.what == what).unwrap_or_else(|| panic!("{what}"));
        let of_many = row("monthly cost").a.as_deref().unwrap();
        assert!(of_many.contains("USD = 25 x "), "{of_many}");
        assert!((row("monthly cost").change.unwrap() - change).abs() < 0.01);

        let cases = [
            ("nodes = 2", "", "nodes", "2", "1"),
            ("os = 'windows'", "", "operating system", "Windows", "Linux"),
            ("schedule = 'mon-fri 08:00-18:00'", "", "hours a month", "217.3 h", "730 h"),
            ("", "reservation = '3y'", "commitment", "pay as you go", "reservation = \"3y\""),
        ];
        for (a, b, what, of_a, of_b) in cases {
            let [a, b] = [a, b].map(|terms| plan("plan.json", &format!("vms = ['D8s_v5']\n{terms}")));
            let document = session.diff(&a, &b, None);
            let rows: Vec<_> =
                document.rows.iter().filter(|row| Terms::ALL.iter().any(|(of, _)| *of == row.what)).collect();
            let found: Vec<_> = rows.iter().map(|row| (&*row.what, row.a.as_deref(), row.b.as_deref())).collect();
            assert_eq!(found, [(what, Some(of_a), Some(of_b))]);
            assert!(rows[0].differs && document.summary.text.contains(what), "{}", document.summary);
        }
    }

    /// However it is bought.
    #[test]
    fn a_plan_does_not_differ_from_the_rig_of_its_own() {
        let session = Session::new(Catalogue::embedded().clone());
        for (terms, noted) in [
            ("region = 'westeurope'\ndisks = ['PremiumV2']", &[][..]),
            ("region = 'westeurope'\nos = 'windows'", &["rig.toml: with a Windows licence, as in the plan"]),
            ("region = 'westeurope'\nredundancy = 'zone'", &["rig.toml: with zone-redundant disks, as in the plan"]),
            ("region = 'westeurope'\nnodes = 3", &["rig.toml: 3 nodes of it, as in the plan"]),
            (
                "region = 'eastus'\nos = 'windows'\nreservation = '1y'\nvms = ['E8bds_v5']",
                &[
                    "rig.toml: with a Windows licence, as in the plan",
                    "rig.toml: its VM reserved for 1 year, as in the plan",
                ],
            ),
            (
                "region = 'eastus'\nsavings_plan = '3y'\nvms = ['E8bds_v5']",
                &["rig.toml: its VM in a savings plan of 3 years, as in the plan"],
            ),
            (
                "region = 'westeurope'\nsavings_plan = '3y'\nschedule = 'mon-fri 07:00-19:00'",
                &[
                    "rig.toml: its VM paid for 260.7 h per month, as in the plan",
                    "rig.toml: its VM pay as you go, because its price under `savings_plan = \"3y\"` is unknown",
                ],
            ),
        ] {
            let demand = format!(
                "schema_version = 1\n[plan]\n{terms}\n[[volume]]\nname = 'data'\ncapacity = '300 GiB'\n\
                read_iops = {{ p50 = 2000, p90 = 6000, p99 = 9000, max = 9500 }}\nread_size = '8 KiB'\n"
            );
            let demand = session.requirements("demand.toml", &demand).unwrap();
            let planned = session.plan(&demand).unwrap();
            let a = Side::Plan("plan.json".into(), Box::new(planned.document.clone()));
            let b = session.side("rig.toml", &session.rig(&planned).unwrap()).unwrap();
            let document = session.diff(&a, &b, None);
            let changed: Vec<&DiffRow> = document.rows.iter().filter(|row| row.differs).collect();
            assert!(changed.is_empty(), "{terms}: {changed:#?}");
            assert_eq!(document.monthly_change, Some(0.0), "{terms}");
            assert!(document.rows.iter().any(|row| row.what.starts_with("headroom of")), "{:#?}", document.rows);
            let notes: Vec<String> = document.notes.iter().map(ToString::to_string).collect();
            assert_eq!(notes, noted, "{terms}");
        }
    }

    /// Of EC2 by the same rows as an audit's remedies: an image of Xen lacks what Nitro asks for, and disks that are listed one by one are a stripe.
    #[test]
    fn what_a_change_of_instances_takes_is_said() {
        let session = Session::new(Catalogue::embedded().clone()).of_vendor("aws");
        let rig = |vm: &str, disks: &str| {
            format!("vendor = 'aws'\n[vm]\nsize = '{vm}'\n[[volume]]\nname = 'data'\ndisks = [{disks}]\n")
        };
        let (one, small) = ("{ sku = 'gp3', size = '100 GiB' }", "{ sku = 'gp3', size = '50 GiB' }");
        let (two, counted) = (format!("{small}, {small}"), "{ sku = 'gp3', size = '50 GiB', count = 2 }");
        let (drivers, copied) =
            ("needs the drivers for NVMe and ENA", "data: the stripe is built anew: data are copied");
        for (a, b, said, not) in [
            (rig("m4.xlarge", one), rig("m7i.xlarge", one), Some(drivers), None),
            (rig("m5.xlarge", one), rig("m7i.xlarge", one), Some("VM size: the instance is stopped"), Some(drivers)),
            (rig("m7i.xlarge", one), rig("m4.xlarge", one), Some("VM size: the instance is stopped"), Some(drivers)),
            (rig("m5.xlarge", one), rig("m5.xlarge", &two), Some(copied), None),
            (rig("m5.xlarge", &two), rig("m5.xlarge", one), Some(copied), None),
            (rig("m5.xlarge", one), rig("m5.xlarge", counted), Some(copied), None),
            (rig("m5.xlarge", &two), rig("m5.xlarge", counted), None, Some("data:")),
        ] {
            let [a, b] = [("a.toml", &a), ("b.toml", &b)].map(|(name, text)| session.side(name, text).unwrap());
            let notes: Vec<String> = session.diff(&a, &b, None).notes.iter().map(ToString::to_string).collect();
            let has = |what: &str| notes.iter().any(|note| note.contains(what));
            assert!(said.is_none_or(has) && !not.is_some_and(has), "{said:?}, not {not:?}: {notes:?}");
        }
    }

    /// What is chosen of an instance is told apart from its type, and takes a stop.
    #[test]
    fn what_is_chosen_of_a_vm_is_a_change_of_it() {
        let session = Session::new(Catalogue::embedded().clone()).of_vendor("aws");
        let rig = |option: &str| {
            format!(
                "vendor = 'aws'\n[vm]\nsize = 'm8g.large'\noptions = {{ {option} }}\n[[volume]]\nname = 'data'\n\
                 [[volume.disks]]\nsku = 'gp3'\nsize = '100 GiB'\niops = 3000\nthroughput = '125 MiB/s'\n"
            )
        };
        let set = "bandwidth = 'ebs-1'";
        for (a, b, expected) in [
            ("", set, Some(("m8g.large", "m8g.large (bandwidth ebs-1)"))),
            (set, "", Some(("m8g.large (bandwidth ebs-1)", "m8g.large"))),
            // What no plan chooses is in the limits alone.
            ("refill = 'daily'", "", None),
            (set, set, None),
        ] {
            let [a, b] = [("a.toml", a), ("b.toml", b)].map(|(name, option)| session.side(name, &rig(option)).unwrap());
            let document = session.diff(&a, &b, None);
            let changed = document.rows.iter().find(|row| row.what == "VM size" && row.differs);
            assert_eq!(changed.map(|row| (row.a.as_deref().unwrap(), row.b.as_deref().unwrap())), expected);
            let takes = session.moves(&a, &b, None);
            assert_eq!(
                takes.iter().any(|(_, row)| row.takes.contains("its bandwidth weighting set")),
                expected.is_some()
            );
        }
    }

    /// Of its own vendor where none is given, or the one that is given is the other side's.
    #[test]
    fn a_scenario_is_priced_in_a_region_of_its_vendor() {
        let session = Session::new(Catalogue::embedded().clone());
        let side = |text: &str| session.side("rig.toml", text).unwrap();
        let data = "\n[[volume]]\nname = 'data'\ndisks = [{ sku = ";
        let azure = side(&format!("[vm]\nsize = 'Standard_E8ds_v5'{data}'P30' }}]\n"));
        let aws = side(&format!("vendor = 'aws'\n[vm]\nsize = 'm7i.large'{data}'gp3', size = '100 GiB' }}]\n"));
        let demand = "schema_version = 1\n[plan]\nregion = 'westeurope'\n[[volume]]\nname = 'data'\ncapacity = '100 GiB'\n\
            read_iops = { p50 = 2000, p90 = 2000, p99 = 2000, max = 2000 }\nread_size = '8 KiB'\n";
        let options = crate::PlanOptions { simulate: false, choices: false, ..Default::default() };
        let planned = session.plan_with(&session.requirements("demand.toml", demand).unwrap(), &options).unwrap();
        let plan = Side::Plan("plan.json".into(), Box::new(planned.document));
        for (a, b, region, expected) in [
            (&aws, &aws, None, ["us-east-1", "us-east-1"]),
            (&aws, &aws, Some("eu-central-1"), ["eu-central-1", "eu-central-1"]),
            (&azure, &aws, None, ["eastus", "us-east-1"]),
            (&azure, &aws, Some("eu-central-1"), ["eastus", "eu-central-1"]),
            (&azure, &aws, Some("westeurope"), ["westeurope", "us-east-1"]),
            (&plan, &azure, None, ["westeurope", "westeurope"]),
            (&plan, &aws, None, ["westeurope", "us-east-1"]),
        ] {
            let (a, b) = session.sides(a, b, region);
            assert_eq!([&a, &b].map(|side| side.region.as_deref().unwrap()), expected, "{region:?}");
            for side in [&a, &b] {
                assert!(side.monthly.is_some(), "{}: {:?}", side.label, side.notes);
            }
        }
        // Where both sides are of one vendor, a region of another has no price, and that is said.
        let (a, _) = session.sides(&aws, &aws, Some("westeurope"));
        assert!(a.monthly.is_none() && !a.notes.is_empty());
    }

    /// Of a kind that is sized freely, in the unit that it is sold in.
    #[test]
    fn disks_of_a_scenario_have_their_rates() {
        let session = Session::new(Catalogue::embedded().clone());
        for (vendor, size, disk, expected) in [
            ("aws", "m5.xlarge", "sku = 'gp3', size = '500 GiB', iops = 4000", "gp3 of 500 GiB, 4000 IOPS, 125 MiB/s"),
            ("aws", "m5.xlarge", "sku = 'gp2', size = '500 GiB'", "gp2 of 500 GiB, 1500 IOPS, 250 MiB/s"),
            ("aws", "m5.xlarge", "sku = 'io2', size = '500 GiB', iops = 40000", "io2 of 500 GiB, 40000 IOPS, "),
            (
                "azure",
                "Standard_E8ds_v5",
                "sku = 'PremiumV2', size = '500 GiB', iops = 4000",
                "PremiumV2 of 500 GiB, 4000 IOPS, 125 MB/s",
            ),
        ] {
            let rig = format!(
                "vendor = '{vendor}'\n[vm]\nsize = '{size}'\n[[volume]]\nname = 'data'\ndisks = [{{ {disk} }}]\n"
            );
            let side = session.side("rig.toml", &rig).unwrap();
            let document = session.diff(&side, &side, None);
            let row = document.rows.iter().find(|row| row.what == "data disks").unwrap();
            assert!(row.a.as_deref().unwrap().starts_with(expected), "{row:?}");
        }
    }

    #[test]
    fn what_a_change_takes_is_its_vendors_rule() {
        let session = Session::new(Catalogue::embedded().clone());
        let side = |vm: &str, disks: &str| {
            let rig = format!("{vm}\n[[volume]]\nname = 'data'\ndisks = [{{ {disks} }}]\n");
            session.side("rig.toml", &rig).unwrap()
        };
        let (gp2, gp3) = ("sku = 'gp2', size = '100 GiB'", "sku = 'gp3', size = '100 GiB'");
        let small = side("vendor = 'aws'\n[vm]\nsize = 'm7i.large'", gp2);
        let large = side("vendor = 'aws'\n[vm]\nsize = 'm7i.xlarge'", gp3);
        let of = |a: &Side, b: &Side| session.moves(a, b, None).into_iter().map(|(what, _)| what).collect::<Vec<_>>();
        assert_eq!(of(&small, &large), ["VM size", "data"]);
        let azure = side("[vm]\nsize = 'Standard_E8ds_v5'", "sku = 'P30'");
        assert_eq!(of(&small, &azure), Vec::<String>::new());
    }
}
