//! What is declared once stands everywhere: pages that list the keys of `[plan]` are those of the table. `DISKWRIGHT_WRITE_GUIDE=1`, as `cargo xtask gen` sets it, writes the pages in place of comparing them.

use std::fmt::Write as _;
use std::path::Path;

use dw_catalogue::all_keys;
use dw_demand::schema;

#[test]
fn every_key_has_two_examples() {
    for key in all_keys().all() {
        assert!(key.examples.iter().all(|example| !example.is_empty()), "{}", key.name);
    }
}

#[test]
fn the_committed_schema_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/requirements.schema.json");
    let committed = std::fs::read_to_string(path).expect("it is there");
    let now = serde_json::to_string_pretty(&schema(all_keys()).to_value()).expect("it is JSON");
    assert_eq!(committed.trim_end(), now, "schemas/requirements.schema.json is stale: `cargo xtask gen` writes it");
}

/// Compares what stands between two lines of a file with what belongs there, or writes it.
fn check_part(path: &str, begin: &str, end: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let from = text.find(begin).expect("it begins") + begin.len();
    let to = from + text[from..].find(end).expect("it ends");
    if std::env::var_os("DISKWRIGHT_WRITE_GUIDE").is_some() {
        std::fs::write(&path, format!("{}{expected}{}", &text[..from], &text[to..])).expect("it is written");
    } else {
        assert_eq!(&text[from..to], expected, "{}: `cargo xtask gen` writes it", path.display());
    }
}

#[test]
fn the_guide_has_the_keys_of_the_table() {
    let mut rows = String::from("\n| key of `[plan]` | |\n|---|---|\n");
    for key in all_keys().all() {
        let text = [key.doc().replace('\n', " "), key.guide.to_string()].join(" ");
        let _ = writeln!(rows, "| `{}` | {} |", key.name, text.trim_end());
    }
    let begin =
        "<!-- The keys of [plan], as crates/dw-demand/src/plan.rs declares them: written by `cargo xtask gen`. -->\n";
    check_part("docs/guide/plan.md", begin, "\n<!-- End of the keys. -->\n", &rows);
}

#[test]
fn the_stubs_of_python_have_the_keys_of_the_table() {
    let mut class = String::from("class _PlanKeys(TypedDict, total=False):\n");
    for key in all_keys().all() {
        let _ = writeln!(class, "    {}: {} | None", key.name, key.python);
    }
    let begin = "# The keys of [plan], as crates/dw-demand/src/plan.rs declares them: written by `cargo xtask gen`.\n";
    check_part("python/package/diskwright/_native.pyi", begin, "\n# End of the keys.\n", &class);
}
