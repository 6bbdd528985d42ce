//! What a plan costs in other ways to pay for it.
//!
//! Who commits pays the whole term, whether or not the machine is kept: a month `r` of a term of `n` months pays off against a month
//! `p` of pay as you go once the machine is kept for `n r / p` months.
//!
//! Ignores: what is paid back of a term that is broken off, reservations that cover other machines later, interest.

use dw_catalogue::Money;
use dw_demand::{CommitTo, Commitment};
use dw_documents::plan::CommitmentRow;
use dw_planner::{Plan, market};

use super::Asked;

/// What the VM of a plan costs pay as you go and under each commitment.
pub(super) fn commitments(asked: &Asked, plan: &Plan) -> Vec<CommitmentRow> {
    let vm = &asked.built.problem.vms[plan.vm];
    let disks = plan.cost.saturating_sub(vm.price);
    let price = |to| market::monthly_under(asked.catalogue, asked.wishes, &vm.name, to);
    let as_you_go = price(None);
    let row = |to: Option<Commitment>| {
        let price = price(to);
        let years = |of: CommitTo| to.filter(|to| to.to == of).map(|to| to.years);
        CommitmentRow {
            reserved_years: years(CommitTo::Machine),
            savings_plan_years: years(CommitTo::Spending),
            vm_monthly: price.map(Money::amount),
            monthly: price.map(|price| (price + disks).amount()),
            break_even_month: to.zip(price.zip(as_you_go)).and_then(|(to, (price, as_you_go))| breaks_even(to, price, as_you_go)),
        }
    };
    std::iter::once(None).chain(Commitment::ALL.map(Some)).map(row).collect()
}

/// The first month by whose end pay as you go has cost the whole term.
fn breaks_even(to: Commitment, price: Money, as_you_go: Money) -> Option<u32> {
    let months = (price * u64::from(to.months())).get().checked_div(as_you_go.get())? as u32;
    let months = months + u32::from(as_you_go * u64::from(months) < price * u64::from(to.months()));
    (months < to.months()).then_some(months)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_pays_off_once_pay_as_you_go_has_cost_it() {
        let cases = [
            ("1y at 0.6 of the price", Commitment::reservation(1), 60, 100, Some(8)),
            ("1y, three quarters exactly", Commitment::reservation(1), 75, 100, Some(9)),
            ("3y at 0.4", Commitment::savings_plan(3), 40, 100, Some(15)),
            ("no cheaper", Commitment::reservation(1), 100, 100, None),
            ("dearer, as the machine runs little", Commitment::reservation(3), 60, 30, None),
            ("nothing to compare with", Commitment::reservation(3), 60, 0, None),
        ];
        for (name, to, price, as_you_go, expected) in cases {
            let of = |amount: u64| Money::micros(amount * 1_000_000);
            assert_eq!(breaks_even(to, of(price), of(as_you_go)), expected, "{name}");
        }
    }
}
