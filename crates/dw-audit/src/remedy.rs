//! Remedies of several rules: another size, with what it costs more or less and what it loses.

use dw_catalogue::facts::{Named, SizeFacts, Successor};
use dw_documents::audit::Setting;
use dw_messages::{Figure, Sentence, say};
use dw_units::{Bytes, Money};

use crate::case::Case;
use crate::figures::{gib, money};
use crate::finding::Draft;

/// Ended by another size, with what that costs more or less, and what it loses.
pub(crate) fn resize(case: &Case, size: &SizeFacts, other: &Successor, one: &mut Draft) {
    let name = &other.named;
    let mut what = differing(case, size, &name.name, say!(RemedySize { size: &name.short }));
    if let Some(own) = size.volatile {
        what = match other.local.filter(|other| *other < own) {
            Some(local) => say!(RemedyLocalSmaller { what, own: held(own), local: held(local) }),
            None => say!(RemedyLocalLost { what }),
        };
    }
    if let Some((own, cache)) = size.cache.zip(other.cache).filter(|(own, other)| other < own) {
        what = say!(RemedyCacheSmaller { what, own: held(own), cache: held(cache) });
    }
    let rows = case.vendor().size_moves(size, &name.name);
    one.ends_by(what, &rows).sets_machine(Setting::Size(name.name.clone()));
}

/// Ended by another size, with what that costs more or less.
pub(crate) fn resize_to(case: &Case, size: &SizeFacts, other: Named, one: &mut Draft) {
    let rows = case.vendor().size_moves(size, &other.name);
    let what = differing(case, size, &other.name, say!(RemedySize { size: other.short }));
    one.ends_by(what, &rows).sets_machine(Setting::Size(other.name));
}

/// With what a month of the other size costs more or less, as the machine is paid, where prices of one date are known.
fn differing(case: &Case, size: &SizeFacts, other: &str, what: Sentence) -> Sentence {
    let other = case.market.size(case.machine.vendor, (other, ""), case.machine.region.text());
    let paid = |facts: &SizeFacts| case.paid_for(facts, size.vcpu);
    priced(what, paid(size), other.filter(|other| other.priced_on == size.priced_on).and_then(|other| paid(&other)))
}

fn priced(what: Sentence, own: Option<Money>, other: Option<Money>) -> Sentence {
    match own.zip(other) {
        Some((own, other)) if other > own => say!(RemedyDearer { what, more: money(other.saturating_sub(own)) }),
        Some((own, other)) if other < own => say!(RemedyCheaper { what, less: money(own.saturating_sub(other)) }),
        Some(_) => what,
        None => say!(RemedyUnpriced { what }),
    }
}

fn held(bytes: Bytes) -> Figure {
    gib(bytes.get() >> 30)
}
