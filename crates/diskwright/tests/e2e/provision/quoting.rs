//! Texts of any characters as literals, read back by the languages themselves.

use std::process::Command;

use dw_formats::provision::{check_name, quote};
use proptest::prelude::*;

use super::scripts::faults;
use crate::support::run;

/// Names with many characters that mean something somewhere.
fn names() -> impl Strategy<Value = String> {
    let awkward = prop::sample::select(vec![
        "'", "\"", "\\", "$", "{", "}", "%", "`", "(", ")", "#", "!", "*", ";", "&", "|", "<", ">", "~", " ", "-", "@",
        "\u{2018}", "\u{2019}", "\u{201a}", "\u{201b}", "é", "数", "😀", "${", "%{", "$(", "''", "\\u{41}", "\\n",
    ]);
    let part = prop_oneof![awkward.prop_map(String::from), "[a-z]{1,3}", any::<char>().prop_map(String::from)];
    prop::collection::vec(part, 1..12)
        .prop_map(|parts| parts.concat())
        .prop_filter("no control characters", |name| check_name(name).is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hcl_and_toml_read_what_was_quoted(name in names()) {
        let body: hcl::Body = hcl::from_str(&format!("x = {}\n", quote::hcl(&name))).unwrap();
        let value = body.attributes().next().unwrap().expr().clone();
        let evaluated = hcl::eval::Evaluate::evaluate(&value, &hcl::eval::Context::new()).unwrap();
        prop_assert_eq!(evaluated.as_str(), Some(name.as_str()));
        let value: toml::Table = toml::from_str(&format!("x = {}\n", quote::toml(&name))).unwrap();
        prop_assert_eq!(value["x"].as_str(), Some(name.as_str()));
    }

    #[test]
    fn bicep_and_powershell_see_one_literal(name in names()) {
        // This grammar takes `//` and `/*` for comments within a string as well, which Bicep does not.
        let readable = name.replace("//", "/ /").replace("/*", "/ *");
        let bicep = format!("var x = {}\nvar y = 1\n", quote::bicep(&readable));
        prop_assert_eq!(faults(tree_sitter_bicep::LANGUAGE.into(), &bicep), Vec::<String>::new());
        let windows = format!("$x = {}\n$y = 1\n", quote::powershell(&name));
        prop_assert_eq!(faults(tree_sitter_powershell::LANGUAGE.into(), &windows), Vec::<String>::new());
        let bicep_has_a_hole = quote::bicep(&name).replace(r"\$", "").contains("${");
        prop_assert!(!bicep_has_a_hole);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_shell_reads_what_was_quoted(name in names()) {
        for shell in ["sh", "bash"] {
            let ran = run(Command::new(shell).arg("-c").arg(format!("printf %s {}", quote::shell(&name))));
            prop_assert_eq!((ran.code, ran.stdout.as_str()), (0, name.as_str()));
        }
    }
}
