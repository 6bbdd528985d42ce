//! Whoever finds a code in results finds it in the guide.

use std::collections::BTreeSet;

use dw_fleet::Code;

const GUIDE: &str = include_str!("../../../docs/guide/fleet.md");
/// What Python says of a VM that ended its process.
const OF_PROCESSES: [&str; 2] = ["out_of_memory", "died"];
const PROCESSES: &str = include_str!("../../../python/package/diskwright/fleet/_isolated.py");

#[test]
fn the_guide_lists_every_code_and_no_other() {
    let (_, table) = GUIDE.split_once("| code | what it means |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').nth(1).unwrap());
    let listed: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let known: BTreeSet<&str> = Code::ALL.iter().map(|code| code.word()).chain(OF_PROCESSES).collect();
    assert_eq!(listed.len(), known.len());
    assert_eq!(listed.into_iter().collect::<BTreeSet<&str>>(), known);
    for code in OF_PROCESSES {
        assert!(PROCESSES.contains(&format!("\"code\": \"{code}\"")), "{code}");
    }
}
