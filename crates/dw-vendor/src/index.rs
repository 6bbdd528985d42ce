//! Rows by name, as nobody minds the case, `Standard_` or blanks; each name's rows from the oldest edition to the newest.

use crate::edition;
use crate::lookup;

/// Where the rows of each name are.
#[derive(Clone, Debug)]
pub struct Index {
    /// Places of rows, those of one name together.
    places: Vec<usize>,
    /// The key of each name and where its places end, by key.
    names: Vec<(String, usize)>,
}

impl Index {
    /// Of rows, by their names and editions.
    pub fn new<T>(rows: &[T], name_and_edition: impl Fn(&T) -> (&str, &str)) -> Index {
        let keyed = rows.iter().enumerate().map(|(place, row)| {
            let (name, edition) = name_and_edition(row);
            (lookup::key(name), edition::sort_key(edition), place)
        });
        let mut keyed: Vec<_> = keyed.collect();
        // Stable, because it makes use of the order that each file has.
        keyed.sort();
        let mut index = Index { places: Vec::with_capacity(rows.len()), names: Vec::new() };
        for (key, _, place) in keyed {
            index.places.push(place);
            match index.names.last_mut().filter(|(last, _)| *last == key) {
                Some((_, end)) => *end += 1,
                None => index.names.push((key, index.places.len())),
            }
        }
        index
    }

    /// The places of a name's rows.
    pub fn of(&self, name: &str) -> &[usize] {
        let key = lookup::key(name);
        self.names.binary_search_by(|(own, _)| own.cmp(&key)).map_or(&[], |at| self.group(at))
    }
    /// The places of each name's rows, by name.
    pub fn groups(&self) -> impl Iterator<Item = &[usize]> {
        (0..self.names.len()).map(|at| self.group(at))
    }
    /// All places, by name and then edition.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    fn group(&self, at: usize) -> &[usize] {
        let start = if at == 0 { 0 } else { self.names[at - 1].1 };
        &self.places[start..self.names[at].1]
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn rows_are_found_by_name_oldest_first() {
        let rows = [("Standard_B", "2024"), ("a", "2023"), ("b", "2019-2021"), ("standard b 2", "2020"), ("B", "2020")];
        let index = Index::new(&rows, |row| *row);
        let cases: [(&str, &[usize]); 4] = [("b", &[4, 2, 0]), ("Standard_A", &[1]), ("B 2", &[3]), ("c", &[])];
        for (name, expected) in cases {
            assert_eq!(index.of(name), expected, "{name}");
        }
        assert_eq!(index.places(), [1, 4, 2, 0, 3]);
        assert_eq!(index.groups().map(<[usize]>::len).collect::<Vec<_>>(), [1, 3, 1]);
    }
}
