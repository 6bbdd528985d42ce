//! Texts as literals of the languages that scripts are written in: the one place where they are quoted.
//!
//! Whatever a volume is called, a script means that text and nothing else: no expansion, no end of the literal, no second
//! line. Names with control characters are refused before anything is written ([`dw_demand::volume_name`]).
//!
//! Source: POSIX Shell Command Language 2.2.2; "about_Quoting_Rules" of PowerShell; "Strings and Templates" of the HCL
//! syntax; TOML 1.0; XML 1.0.

use std::fmt::Write as _;

use dw_error::obeyed::is_obeyed;

/// A word of a POSIX shell.
pub fn shell(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A verbatim string of PowerShell, which ends at any of the five characters that it takes for a single quote.
pub fn powershell(text: &str) -> String {
    let mut out = String::from("'");
    for c in text.chars() {
        if matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}') {
            out.push(c);
        }
        out.push(c);
    }
    out + "'"
}

/// A template of HCL without anything to fill in.
pub fn hcl(text: &str) -> String {
    let plain = text.replace('\\', r"\\").replace('"', "\\\"");
    format!("\"{}\"", plain.replace("${", "$${").replace("%{", "%%{"))
}

/// A string of TOML.
pub fn toml(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Text between the tags of an XML element.
pub fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Text of an XML comment, in which two dashes together would be its end: a blank parts them.
pub fn xml_comment(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c == '-' && out.ends_with('-') {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// Lines of a comment that each begin with `mark`. What would end such a line, or show it in another order than it is run,
/// becomes a blank: a plan may have been changed by hand, and the rest of the line would be run.
pub fn comment(mark: &str, lines: &[String]) -> String {
    lines.iter().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "{}", format!("{mark} {}", line.replace(is_obeyed, " ")).trim_end());
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_one_line_in_the_order_in_which_it_is_read() {
        let lines = ["a\nreboot".to_string(), "b\u{2028}c\u{85}d".into(), "x\u{202e}y\u{1b}[2J".into()];
        assert_eq!(comment("#", &lines), "# a reboot\n# b c d\n# x y [2J\n");
    }

    #[test]
    fn a_string_of_toml_is_read_back() {
        for (text, written) in
            [("data", r#""data""#), (r#"da"ta"#, r#"'da"ta'"#), (r"F:\data", r"'F:\data'"), (r#"it's "F:\""#, "")]
        {
            let found = toml(text);
            assert!(written.is_empty() || found == written, "{found}");
            let table: toml::Table = format!("name = {found}").parse().unwrap();
            assert_eq!(table["name"].as_str(), Some(text));
        }
    }

    #[test]
    fn no_two_dashes_meet_in_an_xml_comment() {
        let cases = [("a-b", "a-b"), ("--apply", "- -apply"), ("---", "- - -"), ("a -- b", "a - - b"), ("", "")];
        for (text, expected) in cases {
            assert_eq!(xml_comment(text), expected);
        }
    }
}
