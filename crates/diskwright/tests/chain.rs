//! The example of the crate's page runs, and what it says stands.

#[path = "../examples/chain.rs"]
#[allow(dead_code)]
mod example;

#[test]
fn a_recording_becomes_a_page_without_a_file_or_a_process() {
    let page = example::page().expect("a page");
    let report = diskwright::dw_report::Report::open(&page).expect("opens again");
    let names: Vec<&str> = report.pieces.iter().map(|piece| piece.name.as_str()).collect();
    assert_eq!(names, ["checklist", "plan", "simulation"]);
    assert!(page.contains("no cheaper option"));
}
