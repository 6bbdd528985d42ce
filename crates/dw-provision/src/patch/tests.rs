use super::*;

const DISKS: &[&str] = &["t_disk"];

fn disk<'a>(name: &'a str, attribute: &'a str, value: Value) -> Wanted<'a> {
    let target = Target::Block { types: DISKS, address: None, name };
    Wanted { what: name.into(), target, within: None, attribute, value }
}

/// One file, one attribute of the disk `d`: the lines that change, or what is told.
fn check(text: &str, attribute: &str, value: Value) -> String {
    let files = [("main.tf".to_string(), text.to_string())];
    let patch = patch(&files, &[disk("d", attribute, value)]);
    let lines = patch
        .diff
        .lines()
        .filter(|line| line.starts_with(['-', '+']) && !line.starts_with("---") && !line.starts_with("+++"));
    lines.map(String::from).chain(patch.left).collect::<Vec<_>>().join("\n")
}

#[test]
fn literals_are_replaced_and_nothing_else() {
    let block = |rest: &str| format!("resource \"t_disk\" \"x\" {{\n  name = \"d\"\n{rest}\n}}\n");
    let number = |n| Value::Number(n);
    for (rest, attribute, value, expected) in [
        ("  iops   =   30000 # dear", "iops", number(20), "-  iops   =   30000 # dear\n+  iops   =   20 # dear"),
        ("  iops = \"30000\"", "iops", number(20), "-  iops = \"30000\"\n+  iops = \"20\""),
        ("  on = true", "on", Value::Flag(false), "-  on = true\n+  on = false"),
        (
            "  tier = \"P50\" // why",
            "tier",
            Value::Text("P\"30${x}".into()),
            "-  tier = \"P50\" // why\n+  tier = \"P\\\"30$${x}\" // why",
        ),
        ("  iops = 20", "iops", number(20), ""),
        ("  iops = var.iops", "iops", number(20), "d: main.tf:3: `iops` is no literal of its own"),
        ("  iops = 3 * 10", "iops", number(20), "d: main.tf:3: `iops` is no literal of its own"),
        (
            "  tier = \"${var.tier}\"",
            "tier",
            Value::Text("P30".into()),
            "d: main.tf:3: `tier` is no literal of its own",
        ),
        ("  tier = \"P50\"", "iops", number(20), "d: its block has no `iops`"),
        ("  count = 2\n  iops = 9", "iops", number(20), "d: its block has `count` and stands for several"),
        ("  for_each = var.all\n  iops = 9", "iops", number(20), "d: its block has `for_each` and stands for several"),
    ] {
        assert_eq!(check(&block(rest), attribute, value), expected, "{rest}");
    }
    let none = "d: no block of it is in these files by a literal name or its address";
    assert_eq!(check("resource \"t_disk\" \"x\" {\n  name = \"${var.p}-d\"\n  iops = 1\n}\n", "iops", number(2)), none);
    assert_eq!(check("resource \"other\" \"x\" {\n  name = \"d\"\n  iops = 1\n}\n", "iops", number(2)), none);
    assert_eq!(check(&block("  iops = 1").repeat(2), "iops", number(2)), "d: 2 blocks may be meant");
    let broken = check("resource \"t_disk\" {{{\n", "iops", number(2));
    assert!(broken.starts_with("main.tf:1: the file is not read: "), "{broken}");
    // What looks like an attribute within a comment or a text is none.
    let hidden = "  # iops = 1\n  note = <<E\n  iops = 2\nE\n  /* iops = 3 */ iops = 4";
    assert_eq!(check(&block(hidden), "iops", number(5)), "-  /* iops = 3 */ iops = 4\n+  /* iops = 3 */ iops = 5");
}

#[test]
fn blocks_are_found_by_address_by_what_refers_to_them_and_within() {
    let text = "resource \"t_disk\" \"x\" {\n  name = var.n\n  iops = 1\n}\nresource \"t_disk\" \"y\" {\n  name = \"y\"\n  iops = 1\n}\n\
                resource \"t_on\" \"a\" {\n  disk = t_disk.y.id\n  cache = \"None\"\n}\nresource \"t_on\" \"b\" {\n  disk = \"${t_disk.x.id}\"\n  cache = \"None\"\n}\n\
                resource \"t_vm\" \"v\" {\n  name = \"v\"\n  os {\n    cache = \"None\"\n  }\n}\n";
    let files = [("main.tf".to_string(), text.to_string())];
    let x = Target::Block { types: DISKS, address: Some("t_disk.x"), name: "" };
    let on = |to: &Target<'static>| Target::Referring { types: &["t_on"], by: "disk", to: Box::new(to.clone()) };
    let vm = Target::Block { types: &["t_vm"], address: None, name: "v" };
    let set = |target, within, attribute, value| Wanted { what: "w".into(), target, within, attribute, value };
    let cache = || Value::Text("ReadOnly".into());
    for (wanted, line) in [
        (set(x.clone(), None, "iops", Value::Number(2)), 3),
        (set(on(&x), None, "cache", cache()), 15),
        (set(on(&Target::Block { types: DISKS, address: None, name: "y" }), None, "cache", cache()), 11),
        (set(vm.clone(), Some("os"), "cache", cache()), 20),
    ] {
        let found = patch(&files, std::slice::from_ref(&wanted));
        assert!(found.left.is_empty(), "{:?}", found.left);
        let hunk = found.diff.lines().nth(2).unwrap();
        let begin: usize = hunk.trim_start_matches("@@ -").split(',').next().unwrap().parse().unwrap();
        let before = found.diff.lines().skip(3).take_while(|line| line.starts_with(' ')).count();
        assert_eq!(begin + before, line, "{}", found.diff);
    }
    let no_block = patch(&files, &[set(vm, Some("more"), "cache", cache())]);
    assert_eq!(no_block.left, ["w: its block has no `more`"]);
    let twice = [set(x.clone(), None, "iops", Value::Number(2)), set(x, None, "iops", Value::Number(3))];
    assert_eq!(patch(&files, &twice).left, ["w: another change sets `iops` to 2"]);
}

#[test]
fn names_of_files_are_written_as_git_reads_them() {
    for (name, expected) in [
        ("main.tf", "a/main.tf"),
        ("a b.tf", "a/a b.tf\t"),
        ("a\n+++ b/x.tf", "\"a/a\\012+++ b/x.tf\""),
        ("q\".tf", "\"a/q\\\".tf\""),
        ("é.tf", "a/é.tf"),
    ] {
        assert_eq!(file_name('a', name), expected);
    }
}
