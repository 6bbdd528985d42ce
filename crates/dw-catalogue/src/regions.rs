//! Tables with a cell for each region, kept as their text: a hundred thousand prices are opened by reading the first line, a thing is
//! found by halving, and a cell is read when it is asked for.
//!
//! The first line names the columns, leading ones and then a region each; `#` begins a comment before it. The lines stand in the order
//! of their things' keys ([`lookup::key`]), which a test of the data checks, as it does that every line has every column.

use std::cmp::Ordering;

use crate::lookup;

/// One such table.
#[derive(Clone, Debug)]
pub(crate) struct RegionTable {
    text: String,
    /// Where the lines behind the names of the columns begin.
    start: usize,
    /// As their prices name them, in the order of the columns.
    regions: Vec<String>,
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
            return Ok(RegionTable { text: text.to_string(), start, regions });
        }
        Err("no line names the columns".into())
    }

    /// The regions, in the order of the columns.
    pub(crate) fn regions(&self) -> &[String] {
        &self.regions
    }
    /// The column of a region.
    pub(crate) fn column(&self, region: &str) -> Option<usize> {
        // Nearly always it is written as the table has it, which is seen without a look at each letter.
        let is_written_so = self.regions.iter().position(|own| own == region);
        is_written_so.or_else(|| self.regions.iter().position(|own| lookup::is_same_region(own, region)))
    }
    /// The lines about a thing.
    pub(crate) fn of<const N: usize>(&self, name: &str) -> impl Iterator<Item = Line<'_, N>> {
        let key = lookup::key(name);
        let lines = &self.text[self.start..];
        let lines = lines[first_not_before(lines, &key)..].lines();
        lines.take_while(move |line| lookup::order(name_in(line), &key).is_eq()).map(line)
    }
    /// All lines, by name.
    pub(crate) fn all<const N: usize>(&self) -> impl Iterator<Item = Line<'_, N>> {
        self.text[self.start..].lines().map(line)
    }
}

fn line<const N: usize>(text: &str) -> Line<'_, N> {
    let mut parts = text.splitn(N + 1, ',');
    let leading = std::array::from_fn(|_| parts.next().unwrap_or_default());
    Line { leading, cells: parts.next().unwrap_or_default() }
}

fn name_in(line: &str) -> &str {
    line.split(',').next().unwrap_or_default()
}

/// Where the first line begins whose thing does not come before `key`.
fn first_not_before(lines: &str, key: &str) -> usize {
    // Lines that begin before `low` are of things before the key; none that begins at `high` or later is.
    let (mut low, mut high) = (0, lines.len());
    while low < high {
        // Both ends of a line are looked for with what finds a byte among many: a plan asks for thousands of cells.
        let middle = lines.floor_char_boundary(low + (high - low) / 2);
        let start = lines[low..middle].rfind('\n').map_or(low, |at| low + at + 1);
        match lookup::order(name_in(&lines[start..]), key) {
            Ordering::Less => low = lines[start..].find('\n').map_or(lines.len(), |at| start + at + 1),
            Ordering::Equal | Ordering::Greater => high = start,
        }
    }
    low
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
    fn each_thing_is_found_among_any_number() {
        for count in 0..40 {
            let name = |n: usize| format!("{}{n:03}", if n.is_multiple_of(3) { "Standard_" } else { "" });
            let lines: String = (0..count).map(|n| format!("{},{}\n", name(2 * n), "x".repeat(n % 7))).collect();
            let table = RegionTable::read(&format!("name,eastus\n{lines}"), 1).unwrap();
            for n in 0..2 * count + 1 {
                let expected = usize::from(n.is_multiple_of(2) && n < 2 * count);
                assert_eq!(table.of::<1>(&name(n)).count(), expected, "{n} among {count}");
            }
        }
    }

    #[test]
    fn a_table_without_regions_is_refused() {
        for text in ["", "name,meter\n"] {
            assert_eq!(RegionTable::read(text, 2).unwrap_err(), "no line names the columns", "{text}");
        }
    }

    #[test]
    fn the_lines_of_the_data_are_whole_and_in_order() {
        let files = [
            ("vm-prices", include_str!("../data/azure/regions/vm-prices.csv")),
            ("disk-prices", include_str!("../data/azure/regions/disk-prices.csv")),
            ("sold", include_str!("../data/azure/regions/sold.csv")),
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
