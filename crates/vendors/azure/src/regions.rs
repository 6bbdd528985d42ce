//! Tables with a cell for each region, kept as their text: a hundred thousand prices are opened when one is first asked for, by reading the
//! first line and finding where the others begin; a thing is found by halving, and a cell is read when it is asked for.
//!
//! The first line names the columns, leading ones and then a region each; `#` begins a comment before it. The lines stand in the order
//! of their things' keys ([`lookup::key`]), which a test of the data checks, as it does that every line has every column.

use std::sync::OnceLock;

use crate::packed::{Packed, Text};
use dw_vendor::lookup;

/// One such table.
#[derive(Clone, Debug)]
pub struct RegionTable {
    text: Whole,
    /// How many columns lead.
    leading: usize,
    outline: OnceLock<Outline>,
}

/// All of its text.
#[derive(Clone, Debug)]
enum Whole {
    Given(String),
    Packed(Packed),
}

/// Where what is in the text.
#[derive(Clone, Debug)]
struct Outline {
    /// As their prices name them, in the order of the columns.
    regions: Vec<String>,
    /// Where the lines behind the names of the columns begin.
    lines: Vec<u32>,
}

impl Outline {
    fn read(text: &str, leading: usize) -> Result<Outline, String> {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            start += line.len();
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let regions: Vec<String> = line.trim_end().split(',').skip(leading).map(str::to_string).collect();
            if regions.is_empty() {
                break;
            }
            let ends = text[start..].match_indices('\n').map(|(at, _)| start + at + 1);
            let starts = std::iter::once(start).chain(ends).filter(|&start| start < text.len());
            return Ok(Outline { regions, lines: starts.map(|start| start as u32).collect() });
        }
        Err("no line names the columns".into())
    }
}

/// A line: its leading cells and where the regions' begin.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a, const N: usize> {
    pub leading: [&'a str; N],
    cells: &'a str,
}

impl<'a, const N: usize> Line<'a, N> {
    /// The cell of a column; nothing where it is empty.
    pub fn cell(&self, column: usize) -> Option<&'a str> {
        self.cells.split(',').nth(column).filter(|cell| !cell.is_empty())
    }
    /// All cells that are not empty, with their columns.
    pub fn cells(&self) -> impl Iterator<Item = (usize, &'a str)> + use<'a, N> {
        self.cells.split(',').enumerate().filter(|(_, cell)| !cell.is_empty())
    }
}

impl RegionTable {
    /// A table with so many leading columns, the first of them the name of a thing. One that is part of the program is looked at when it
    /// is first needed: the tests have read it.
    pub fn read(text: &Text, leading: usize) -> Result<RegionTable, String> {
        let (text, outline) = match text {
            Text::Given(text) => (Whole::Given(text.to_string()), OnceLock::from(Outline::read(text, leading)?)),
            Text::Packed(packed) => (Whole::Packed(packed.clone()), OnceLock::new()),
        };
        Ok(RegionTable { text, leading, outline })
    }

    fn text(&self) -> &str {
        match &self.text {
            Whole::Given(text) => text,
            Whole::Packed(packed) => packed.text(),
        }
    }
    fn outline(&self) -> &Outline {
        let read = || Outline::read(self.text(), self.leading).expect("the embedded tables are checked by the tests");
        self.outline.get_or_init(read)
    }
    /// The lines from one on.
    fn lines_from(&self, place: usize) -> std::str::Lines<'_> {
        let text = self.text();
        text[self.outline().lines.get(place).map_or(text.len(), |&start| start as usize)..].lines()
    }

    /// The regions, in the order of the columns.
    pub fn regions(&self) -> &[String] {
        &self.outline().regions
    }
    /// The column of a region.
    pub fn column(&self, region: &str) -> Option<usize> {
        // Nearly always it is written as the table has it, which is seen without a look at each letter.
        let regions = self.regions();
        let is_written_so = regions.iter().position(|own| own == region);
        is_written_so.or_else(|| regions.iter().position(|own| lookup::is_same_region(own, region)))
    }
    /// The lines about a thing.
    pub fn of<const N: usize>(&self, name: &str) -> impl Iterator<Item = Line<'_, N>> {
        let key = lookup::key(name);
        let text = self.text();
        let comes_before = |&start: &u32| lookup::order(name_in(&text[start as usize..]), &key).is_lt();
        let first = self.outline().lines.partition_point(comes_before);
        self.lines_from(first).take_while(move |line| lookup::order(name_in(line), &key).is_eq()).map(line)
    }
    /// All lines, by name.
    pub fn all<const N: usize>(&self) -> impl Iterator<Item = Line<'_, N>> {
        self.lines_from(0).map(line)
    }
}

fn line<const N: usize>(text: &str) -> Line<'_, N> {
    let mut parts = text.splitn(N + 1, ',');
    let leading = std::array::from_fn(|_| parts.next().unwrap_or_default());
    Line { leading, cells: parts.next().unwrap_or_default() }
}

fn name_in(line: &str) -> &str {
    // Names are short: what looks for a byte among many is slower here.
    let end = line.bytes().position(|byte| byte == b',' || byte == b'\n').unwrap_or(line.len());
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_found_by_name_and_region() {
        let text = "# a comment\nname,meter,eastus,westeurope\nStandard_A1,whole,0.05,\nStandard_A1,spot,,0.01\nP30,whole,1,2\n";
        let table = RegionTable::read(&Text::Given(text), 2).unwrap();
        let cells = |name: &str, region: &str| -> Vec<(&str, Option<&str>)> {
            let column = table.column(region).unwrap();
            table.of::<2>(name).map(|line| (line.leading[1], line.cell(column))).collect()
        };
        assert_eq!(cells("a1", "East US"), [("whole", Some("0.05")), ("spot", None)]);
        assert_eq!(cells("Standard_A1", "westeurope"), [("whole", None), ("spot", Some("0.01"))]);
        assert_eq!(cells("p30", "westeurope"), [("whole", Some("2"))]);
        assert_eq!(cells("P31", "eastus"), []);
        assert_eq!(table.column("mars"), None);
        assert_eq!(table.all::<2>().count(), 3);
    }

    #[test]
    fn each_thing_is_found_among_any_number() {
        for count in 0..40 {
            let name = |n: usize| format!("{}{n:03}", if n.is_multiple_of(3) { "Standard_" } else { "" });
            let lines: String = (0..count).map(|n| format!("{},{}\n", name(2 * n), "x".repeat(n % 7))).collect();
            let table = RegionTable::read(&Text::Given(&format!("name,eastus\n{lines}")), 1).unwrap();
            for n in 0..2 * count + 1 {
                let expected = usize::from(n.is_multiple_of(2) && n < 2 * count);
                assert_eq!(table.of::<1>(&name(n)).count(), expected, "{n} among {count}");
            }
        }
    }

    #[test]
    fn a_table_without_regions_is_refused() {
        for text in ["", "name,meter\n"] {
            assert_eq!(RegionTable::read(&Text::Given(text), 2).unwrap_err(), "no line names the columns", "{text}");
        }
    }

    #[test]
    fn the_lines_of_the_data_are_whole_and_in_order() {
        let files = [
            ("vm-prices", include_str!("../data/regions/vm-prices.csv")),
            ("disk-prices", include_str!("../data/regions/disk-prices.csv")),
            ("sold", include_str!("../data/regions/sold.csv")),
        ];
        for (file, text) in files {
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            let columns = |line: &str| line.split(',').count();
            for pair in lines[1..].windows(2) {
                assert_eq!(columns(pair[1]), columns(lines[0]), "{file}: {}", pair[1]);
                assert!(lookup::key(name_in(pair[0])) <= lookup::key(name_in(pair[1])), "{file}: {}", pair[1]);
            }
        }
    }
}
