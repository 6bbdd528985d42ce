//! Azure as every other vendor is seen.

use std::sync::Arc;

use dw_demand::wishes::Wishes;
use dw_estate::{Orders, Records};
use dw_stack::sharing::Sharing;
use dw_vendor::Vendor;
use dw_vendor::gate::{GATES_MOST, Gate, ROUTES_MOST, Route};
use dw_vendor::kind::{Kind, Promise};
use dw_vendor::rate::Rates;

use crate::{inventory, kinds, metrics, orders, plan_keys, routes};

/// The vendor.
#[derive(Debug)]
pub struct Azure;

impl Vendor for Azure {
    fn id(&self) -> &'static str {
        "azure"
    }
    fn name(&self) -> &'static str {
        "Azure"
    }
    fn gates(&self) -> Arc<[Gate]> {
        routes::gates()
    }
    fn routes(&self) -> Arc<[Route]> {
        routes::routes()
    }
    fn kinds(&self) -> &'static [Kind] {
        kinds::kinds()
    }
    fn metrics(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        metrics::NAMES
    }
    fn monitors(&self) -> &'static [&'static str] {
        &["Azure Monitor"]
    }
    fn tags_limit(&self) -> &'static str {
        "premium disks"
    }
    fn no_os(&self) -> &'static str {
        "premium SSD v2 and ultra disks cannot"
    }
    fn promised_together(&self) -> &'static [Promise] {
        &kinds::PROMISED_TOGETHER
    }
    fn records(&self) -> &'static dyn Records {
        &inventory::Inventory
    }
    fn orders(&self) -> &'static dyn Orders {
        &orders::Commands
    }
    fn takes_all_kinds(&self, wishes: &Wishes) -> bool {
        plan_keys::takes_slow_disks(wishes)
    }
    fn take_all_kinds(&self, wishes: &mut Wishes) {
        plan_keys::take_slow_disks(wishes);
    }
    fn read_as(&self, sharing: Sharing, given: &mut [Rates; GATES_MOST], own: &mut [Option<Route>; ROUTES_MOST]) {
        routes::read_as(sharing, given, own);
    }
}
