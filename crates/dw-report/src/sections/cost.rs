//! What a month costs, and what it is made of.

use dw_documents::plan::PlanRow;

use dw_messages::text;

use super::words::money;
use crate::chart::{Bar, Bars};
use crate::content::{Block, Column, Table};
use crate::read::Read;

/// Offers that are shown next to the chosen one.
const OFFERS: usize = 5;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (_, plan) in &read.plans {
        let Some(best) = &plan.plan else { continue };
        let offers: Vec<&PlanRow> = std::iter::once(best).chain(plan.alternatives.iter().take(OFFERS)).collect();
        let mut names: Vec<String> = vec!["VM".into()];
        names.extend(best.volumes.iter().map(|v| v.name.clone()));
        let has_licences = best.licences_monthly().is_some();
        names.extend(has_licences.then(|| text!(read.lang, "licences")));
        let title = text!(read.lang, "A month in {currency}, by part", currency = plan.currency);
        let mut head = vec![Column::words(text!(read.lang, "VM size"))];
        head.extend(names.iter().map(Column::figures));
        head.push(Column::figures(text!(read.lang, "per month")));
        let mut table = Table::with_columns(&title, head);
        let mut bars = Vec::new();
        for (index, offer) in offers.into_iter().enumerate() {
            let disks = best
                .volumes
                .iter()
                .map(|v| offer.volumes.iter().find(|other| other.name == v.name).map_or(0.0, |other| other.monthly));
            let licences = has_licences.then(|| offer.licences_monthly().unwrap_or_default());
            let parts: Vec<f64> = std::iter::once(offer.vm_monthly).chain(disks).chain(licences).collect();
            let cells = parts.iter().map(|part| money(*part));
            table.row(std::iter::once(offer.vm.clone()).chain(cells).chain([money(offer.monthly)]));
            let text = money(offer.monthly);
            bars.push(Bar { name: offer.vm.clone(), parts, text, marked: index == 0 });
        }
        table.marked.push(0);
        blocks.push(Block::Bars(Bars { title, parts: names, bars }, table));
    }
    blocks
}
