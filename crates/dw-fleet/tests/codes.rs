//! Whoever finds a code in results finds it in the guide.

use std::collections::BTreeSet;

use dw_fleet::Code;

const GUIDE: &str = include_str!("../../../docs/guide/fleet.md");
/// What Python says of a VM that ended its process, and of one whose file is damaged.
const OF_PYTHON: [(&str, &str); 3] = [
    ("out_of_memory", PROCESSES),
    ("died", PROCESSES),
    ("unreadable", include_str!("../../../python/package/diskwright/fleet/_kernel.py")),
];
const PROCESSES: &str = include_str!("../../../python/package/diskwright/fleet/_isolated.py");

#[test]
fn the_guide_lists_every_code_and_no_other() {
    let (_, table) = GUIDE.split_once("| code | meaning |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').nth(1).unwrap());
    let listed: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let known: BTreeSet<&str> =
        Code::ALL.iter().map(|code| code.word()).chain(OF_PYTHON.map(|(code, _)| code)).collect();
    assert_eq!(listed.len(), known.len());
    assert_eq!(listed.into_iter().collect::<BTreeSet<&str>>(), known);
    for (code, source) in OF_PYTHON {
        assert!(source.contains(&format!("\"{code}\"")), "{code}");
    }
}
