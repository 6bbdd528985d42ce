//! Texts of any characters as literals, read back by the languages themselves.

use std::process::Command;

use dw_demand::volume_name;
use dw_provision::quote;
use proptest::prelude::*;

use super::scripts::faults;
use crate::e2e::support::run;

/// Names with many characters that mean something somewhere.
fn names() -> impl Strategy<Value = String> {
    let awkward = prop::sample::select(vec![
        "'", "\"", "\\", "$", "{", "}", "%", "`", "(", ")", "#", "!", "*", ";", "&", "|", "<", ">", "~", " ", "-", "@",
        "\u{2018}", "\u{2019}", "\u{201a}", "\u{201b}", "é", "数", "😀", "${", "%{", "$(", "''", "\\u{41}", "\\n",
    ]);
    let part = prop_oneof![awkward.prop_map(String::from), "[a-z]{1,3}", any::<char>().prop_map(String::from)];
    prop::collection::vec(part, 1..12)
        .prop_map(|parts| parts.concat())
        .prop_filter("a name that a volume may have", |name| volume_name::check(name).is_ok())
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
        prop_assert_eq!(bicep_means(&quote::bicep(&name)), Some(name.clone()));
        prop_assert_eq!(powershell_means(&quote::powershell(&name)), Some(name));
    }
}

/// What a literal of Bicep says by its specification ("Data types in Bicep"); nothing where it is not one literal without
/// anything to fill in.
fn bicep_means(literal: &str) -> Option<String> {
    let mut rest = literal.strip_prefix('\'')?.strip_suffix('\'')?.chars().peekable();
    let mut text = String::new();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('\'', _) | ('$', Some('{')) => return None,
            ('\\', Some('\\' | '\'' | '$')) => text.extend(rest.next()),
            ('\\', _) => return None,
            _ => text.push(c),
        }
    }
    Some(text)
}

/// What a verbatim string of PowerShell says by "about_Quoting_Rules": only its quotes mean something, and two are one.
fn powershell_means(literal: &str) -> Option<String> {
    let quote = |c: char| matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}');
    let mut rest = literal.strip_prefix('\'')?.strip_suffix('\'')?.chars();
    let mut text = String::new();
    while let Some(c) = rest.next() {
        if quote(c) && !rest.next().is_some_and(quote) {
            return None;
        }
        text.push(c);
    }
    Some(text)
}

/// What a dollar and a brace mean depends on the characters before them.
#[test]
fn bicep_fills_in_nothing_after_dollars_and_backslashes() {
    for (name, literal) in [
        ("${x}", r"'\${x}'"),
        ("$${x}", r"'$\${x}'"),
        ("$$${x}", r"'$$\${x}'"),
        (r"\${x}", r"'\\\${x}'"),
        (r"$\${x}", r"'$\\\${x}'"),
        ("'${x}'", r"'\'\${x}\''"),
        ("${", r"'\${'"),
    ] {
        assert_eq!(quote::bicep(name), literal);
        assert_eq!(bicep_means(literal).as_deref(), Some(name));
        let file = format!("var x = {literal}\nvar y = 1\n");
        assert_eq!(faults(tree_sitter_bicep::LANGUAGE.into(), &file), Vec::<String>::new(), "{name}");
    }
    // The reader does see what is filled in, and where a literal ends.
    for broken in ["'${x}'", "'$${x}'", r"'\\${x}'", "'a'b'", r"'\'", r"'\x'"] {
        assert_eq!(bicep_means(broken), None, "{broken}");
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
