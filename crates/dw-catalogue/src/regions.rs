//! Tables with a cell for each region, kept as their text: a hundred thousand prices are opened by an index of their lines, and
//! a cell is read when it is asked for.
//!
//! The first line names the columns, leading ones and then a region each; `#` begins a comment. The lines of one thing stand
//! together.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::lookup;

/// One such table.
#[derive(Clone, Debug)]
pub(crate) struct RegionTable {
    text: String,
    /// As their prices name them, in the order of the columns.
    regions: Vec<String>,
    /// Lines by the key of the thing they are about.
    lines: BTreeMap<String, Vec<Range<usize>>>,
}

/// A line: its leading cells and where the regions' begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a, const N: usize> {
    pub(crate) leading: [&'a str; N],
    cells: &'a str,
}

impl<'a, const N: usize> Line<'a, N> {
    /// The cell of a column; nothing where it is empty.
    pub(crate) fn cell(&self, column: usize) -> Option<&'a str> {
        self.cells.split(',').nth(column).filter(|cell| !cell.is_empty())
    }
    /// All cells that are not empty, with their columns.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, &'a str)> + use<'a, N> {
        self.cells.split(',').enumerate().filter(|(_, cell)| !cell.is_empty())
    }
}

impl RegionTable {
    /// A table with so many leading columns, the first of them the name of a thing.
    pub(crate) fn read(text: &str, leading: usize) -> Result<RegionTable, String> {
        let mut lines: BTreeMap<String, Vec<Range<usize>>> = BTreeMap::new();
        let mut regions = None;
        let (mut start, mut columns) = (0, 0);
        // The lines of one thing stand together: its key is made once.
        let mut thing: (&str, Vec<Range<usize>>) = ("", Vec::new());
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let range = start..start + line.trim_end_matches('\n').len();
            start += line.len();
            let line = &text[range.clone()];
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let commas = line.bytes().filter(|&byte| byte == b',').count();
            if regions.is_none() {
                columns = commas;
                regions = Some(line.split(',').skip(leading).map(str::to_string).collect::<Vec<_>>());
                continue;
            }
            if commas != columns {
                return Err(format!(
                    "line {}: {} cells where the first line has {}",
                    index + 1,
                    commas + 1,
                    columns + 1
                ));
            }
            let name = line.split(',').next().unwrap_or_default();
            if name != thing.0 {
                let (before, ranges) = std::mem::replace(&mut thing, (name, Vec::new()));
                add(&mut lines, before, ranges);
            }
            thing.1.push(range);
        }
        add(&mut lines, thing.0, thing.1);
        let regions = regions.filter(|regions| !regions.is_empty()).ok_or("no line names the columns")?;
        Ok(RegionTable { text: text.to_string(), regions, lines })
    }

    /// The regions, in the order of the columns.
    pub(crate) fn regions(&self) -> &[String] {
        &self.regions
    }
    /// The column of a region.
    pub(crate) fn column(&self, region: &str) -> Option<usize> {
        self.regions.iter().position(|own| lookup::is_same_region(own, region))
    }
    /// The lines about a thing.
    pub(crate) fn of<const N: usize>(&self, name: &str) -> impl Iterator<Item = Line<'_, N>> {
        self.lines.get(&lookup::key(name)).into_iter().flatten().map(|range| self.line(range))
    }
    /// All lines, by name.
    pub(crate) fn all<const N: usize>(&self) -> impl Iterator<Item = Line<'_, N>> {
        self.lines.values().flatten().map(|range| self.line(range))
    }
    fn line<const N: usize>(&self, range: &Range<usize>) -> Line<'_, N> {
        let mut parts = self.text[range.clone()].splitn(N + 1, ',');
        let leading = std::array::from_fn(|_| parts.next().unwrap_or_default());
        Line { leading, cells: parts.next().unwrap_or_default() }
    }
}

fn add(lines: &mut BTreeMap<String, Vec<Range<usize>>>, name: &str, ranges: Vec<Range<usize>>) {
    if !ranges.is_empty() {
        lines.entry(lookup::key(name)).or_default().extend(ranges);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_found_by_name_and_region() {
        let text = "# a comment\nname,meter,eastus,westeurope\nStandard_A1,whole,0.05,\nStandard_A1,spot,,0.01\nP30,whole,1,2\n";
        let table = RegionTable::read(text, 2).unwrap();
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
    fn a_line_that_does_not_fit_is_named() {
        let cases = [
            ("", "no line names the columns"),
            ("name,meter\n", "no line names the columns"),
            ("name,meter,eastus\nA1,whole\n", "line 2: 2 cells where the first line has 3"),
        ];
        for (text, expected) in cases {
            assert_eq!(RegionTable::read(text, 2).unwrap_err(), expected, "{text}");
        }
    }
}
