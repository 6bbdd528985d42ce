//! Prices of many regions: a table of cells, and what `rules.toml` says about it.

use crate::file::{PriceMark, RegionPriceRule};
use crate::packed::Text;
use crate::regions::{Line, RegionTable};
use dw_vendor::price::{Meter, Money, Price, Term};

/// The leading cells of a line: name, meter, term.
const LEADING: usize = 3;

/// The prices of one file.
#[derive(Clone, Debug)]
pub struct RegionPrices {
    table: RegionTable,
    rule: RegionPriceRule,
}

impl RegionPrices {
    /// The prices of a file. Each cell is looked at once by the tests, not at every start.
    pub fn read(text: &Text, rule: RegionPriceRule) -> Result<RegionPrices, String> {
        Ok(RegionPrices { table: RegionTable::read(text, LEADING)?, rule })
    }
    /// The price of a meter of a thing in a region.
    pub fn find(&self, name: &str, meter: Meter, region: &str) -> Option<Price> {
        let column = self.table.column(region)?;
        let line = self.table.of::<LEADING>(name).find(|line| line.leading[1] == meter.id())?;
        self.price(&line, column, line.cell(column)?)
    }
    /// All prices of a thing.
    pub fn of(&self, name: &str) -> Vec<Price> {
        self.table.of::<LEADING>(name).flat_map(|line| self.prices(line)).collect()
    }
    /// Whether its things are VM sizes.
    pub fn is_of_vm_sizes(&self) -> bool {
        self.rule.of_vm_sizes
    }
    /// All prices.
    pub fn all(&self) -> impl Iterator<Item = Price> {
        self.table.all::<LEADING>().flat_map(|line| self.prices(line))
    }
    pub fn regions(&self) -> &[String] {
        self.table.regions()
    }
    /// The ids of the sources.
    pub fn currency(&self) -> &str {
        &self.rule.currency
    }

    pub fn sources(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.rule.source).chain(self.rule.marks.iter().filter_map(|mark| mark.source.as_ref()))
    }

    fn prices<'a>(&'a self, line: Line<'a, LEADING>) -> impl Iterator<Item = Price> + 'a {
        line.cells().map(move |(column, cell)| {
            self.price(&line, column, cell).unwrap_or_else(|| panic!("{}: `{cell}` is no price", line.leading[0]))
        })
    }
    /// Nothing where the cell is not a price, which a test of the data excludes.
    fn price(&self, line: &Line<'_, LEADING>, column: usize, cell: &str) -> Option<Price> {
        let [name, meter, term] = line.leading;
        let amount = cell.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        let mark = self.mark(&cell[amount.len()..])?;
        let of_mark = |get: fn(&PriceMark) -> &Option<String>| mark.and_then(|mark| get(mark).clone());
        Some(Price {
            name: name.to_string(),
            meter: Meter::from_id(meter)?,
            amount: Money::parse(amount).ok().filter(|&amount| amount > Money::ZERO)?,
            term: Term::from_id(term)?,
            commitment: None,
            currency: self.rule.currency.clone(),
            region: self.table.regions()[column].clone(),
            edition: of_mark(|mark| &mark.edition).unwrap_or_else(|| self.rule.edition.clone()),
            source: of_mark(|mark| &mark.source).unwrap_or_else(|| self.rule.source.clone()),
            note: of_mark(|mark| &mark.note),
        })
    }
    /// What a mark says; nothing within for a cell without one, nothing at all for a letter that the rules do not have.
    fn mark(&self, letter: &str) -> Option<Option<&PriceMark>> {
        if letter.is_empty() {
            return Some(None);
        }
        self.rule.marks.iter().find(|mark| mark.letter == letter).map(Some)
    }
}
