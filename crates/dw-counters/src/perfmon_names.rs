//! Windows performance counters by name, in the languages that Windows translates them to.
//!
//! Names are compared without case, accents, blanks, quotes and full stops, so that a code page that lost an accent and a
//! release that moved a full stop still match. The table is `perfmon_names.tsv`; a user's own names come first.

use std::collections::HashMap;
use std::sync::OnceLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const TABLE: &str = include_str!("perfmon_names.tsv");

/// Names of a user: each stands for an English one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CounterMap {
    english: HashMap<String, String>,
}

impl CounterMap {
    /// Reads lines of `local name = English name`; `#` begins a comment. The error is the line, and what is wrong with it.
    pub fn parse(text: &str) -> Result<CounterMap, (u64, String)> {
        let mut english = HashMap::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let pair = line.rsplit_once('=').or_else(|| line.split_once('\t'));
            let Some((theirs, ours)) = pair.filter(|(a, b)| !a.trim().is_empty() && !b.trim().is_empty()) else {
                return Err((index as u64 + 1, format!("`{line}` is not `local name = English name`")));
            };
            english.insert(folded(theirs), folded(ours));
        }
        Ok(CounterMap { english })
    }
}

/// A name as it is compared.
pub(super) fn folded(name: &str) -> String {
    name.nfkd()
        .filter(|&c| !is_combining_mark(c) && !c.is_whitespace() && !matches!(c, '.' | '"' | '\'' | '\u{2019}'))
        .map(|c| match c {
            '\u{142}' | '\u{141}' => 'l',
            '\u{131}' => 'i',
            '\u{2013}' | '\u{2014}' => '-',
            other => other,
        })
        .flat_map(char::to_lowercase)
        .filter(|&c| !is_combining_mark(c))
        .collect()
}

/// English names of the table, folded, by kind and folded name.
struct Table {
    objects: HashMap<String, String>,
    counters: HashMap<String, String>,
}

fn table() -> &'static Table {
    static READ: OnceLock<Table> = OnceLock::new();
    READ.get_or_init(|| {
        let mut table = Table { objects: HashMap::new(), counters: HashMap::new() };
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let mut parts = line.split('\t');
            if let (Some(kind), Some(english), Some(_), Some(name)) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            {
                let names = if kind == "object" { &mut table.objects } else { &mut table.counters };
                names.entry(folded(name)).or_insert_with(|| folded(english));
            }
        }
        table
    })
}

/// The English name of an object, folded; unknown ones are returned as they are.
pub(super) fn object(name: &str, map: Option<&CounterMap>) -> String {
    english(name, map, &table().objects)
}

/// The English name of a counter, folded.
pub(super) fn counter(name: &str, map: Option<&CounterMap>) -> String {
    english(name, map, &table().counters)
}

fn english(name: &str, map: Option<&CounterMap>, table: &HashMap<String, String>) -> String {
    let name = folded(name);
    let own = map.and_then(|map| map.english.get(&name)).or_else(|| table.get(&name));
    own.cloned().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_names_the_disks_and_their_rates() {
        let cases = [
            ("Physikalischer Datentr\u{e4}ger", "Lesevorg\u{e4}nge/s", "Mittlere Sek./Schreibvorg\u{e4}nge"),
            ("Disque physique", "Lectures disque/s", "Moyenne disque s/\u{e9}criture"),
            ("Disco f\u{ed}sico", "Lecturas de disco/s", "Promedio de segundos de disco/escritura"),
            ("Disco fisico", "Letture disco/sec", "Media scritture disco/sec"),
            ("Физический диск", "Обращений чтения с диска/с", "Среднее время записи на диск (с)"),
            ("Fysisk disk", "Diskl\u{e4}sningar/s", "Medel s/diskskrivning"),
            ("物理磁盘", "磁盘读取次数/秒", "平均磁盘秒数/写入"),
            ("物理ディスク", "ディスク読み取り/秒", "平均ディスク 秒/書き込み"),
            ("Dysk fizyczny", "Odczyty dysku/s", "\u{15a}redni czas dysku w s/Zapis"),
            ("PhysicalDisk", "Disk Reads/sec", "Avg. Disk sec/Write"),
        ];
        for (disk, reads, write_time) in cases {
            assert_eq!(object(disk, None), "physicaldisk", "{disk}");
            assert_eq!(counter(reads, None), "diskreads/sec", "{reads}");
            assert_eq!(counter(write_time, None), "avgdisksec/write", "{write_time}");
        }
    }

    #[test]
    fn a_name_means_one_thing() {
        let mut known: HashMap<(String, String), String> = HashMap::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let parts: Vec<&str> = line.split('\t').collect();
            assert_eq!(parts.len(), 4, "{line}");
            let before = known.insert((parts[0].into(), folded(parts[3])), parts[1].into());
            assert!(before.is_none_or(|before| before == parts[1]), "{line}");
        }
    }

    #[test]
    fn a_users_names_come_first() {
        let map = CounterMap::parse("# klingon\nQulDoj = PhysicalDisk\nlaD/lup\tDisk Reads/sec\n").expect("is a map");
        assert_eq!(object("QulDoj", Some(&map)), "physicaldisk");
        assert_eq!(counter("laD/lup", Some(&map)), "diskreads/sec");
        assert_eq!(CounterMap::parse("\nx\n"), Err((2, "`x` is not `local name = English name`".into())));
    }
}
