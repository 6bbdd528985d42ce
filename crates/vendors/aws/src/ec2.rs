//! What EC2 and EBS sell: types and prices as they are shipped, or with a person's own over them.

use std::sync::LazyLock;

use crate::instances::InstanceType;
use crate::prices::Prices;
use crate::types::Types;

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Ec2 {
    pub(crate) types: Types,
    pub(crate) prices: Prices,
}

/// As it is shipped.
pub fn shipped() -> &'static Ec2 {
    static SHIPPED: LazyLock<Ec2> = LazyLock::new(Ec2::default);
    &SHIPPED
}

impl Ec2 {
    /// Whether a type is sold in a region: as the records of what is offered have it; one that they do not have where it has a price.
    pub(crate) fn is_sold(&self, row: &InstanceType, region: Option<&str>) -> bool {
        region.is_none_or(|region| match row.places() {
            Some(places) => places.iter().any(|(own, _)| *own == region),
            None => self.prices.hour(region, &row.name).is_some(),
        })
    }
}
