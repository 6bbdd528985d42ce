//! Messages about a line of a file: where, what, the line itself with the place marked, and what to do.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::cli::ColorWhen;

/// How serious it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The input is refused.
    Error,
    /// The input is taken, with a doubt.
    Warning,
}

/// A message about a place.
#[derive(Clone, Debug)]
pub struct Diagnostic<'a> {
    /// How serious.
    pub level: Level,
    /// The file as the user named it.
    pub file: &'a str,
    /// Line from 1.
    pub line: usize,
    /// What is wrong.
    pub what: &'a str,
    /// What to do; may be empty.
    pub hint: &'a str,
    /// The line itself, when it is known.
    pub excerpt: Option<&'a str>,
    /// The bytes of the line to mark.
    pub mark: Option<Range<usize>>,
}

impl Diagnostic<'_> {
    /// As text, in colour or not.
    pub fn render(&self, colour: bool) -> String {
        let word = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        let code = colour_of(word);
        let mut out = format!("{}: {}:{}: {}\n", paint(word, code, colour), self.file, self.line, self.what);
        if let Some(excerpt) = self.excerpt {
            let excerpt = excerpt.replace('\t', " ");
            let number = self.line.to_string();
            let margin = " ".repeat(number.len());
            let _ = writeln!(out, "{margin} |");
            let _ = writeln!(out, "{number} | {excerpt}");
            if let Some(mark) = &self.mark {
                let from = mark.start.min(excerpt.len());
                let before = excerpt.get(..from).map_or(0, |t| t.chars().count());
                let marked = excerpt.get(from..mark.end.min(excerpt.len())).map_or(1, |t| t.chars().count()).max(1);
                let carets = paint(&"^".repeat(marked), code, colour);
                let _ = writeln!(out, "{margin} | {}{carets}", " ".repeat(before));
            }
        }
        if !self.hint.is_empty() {
            let _ = writeln!(out, "{}: {}", paint("hint", colour_of("hint"), colour), self.hint);
        }
        out
    }
}

fn paint(text: &str, code: &str, colour: bool) -> String {
    if colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
}

/// Words that a message begins with.
const WORDS: [&str; 4] = ["error", "warning", "hint", "note"];

fn colour_of(word: &str) -> &'static str {
    match word {
        "error" => "1;31",
        "warning" => "1;33",
        _ => "1;36",
    }
}

/// Messages with their first words in colour.
pub fn painted(text: &str, colour: bool) -> String {
    if !colour {
        return text.to_string();
    }
    let line = |line: &str| {
        let word = WORDS.into_iter().find(|word| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(": ")));
        word.map_or(line.to_string(), |word| format!("{}{}", paint(word, colour_of(word), true), &line[word.len()..]))
    };
    text.split_inclusive('\n').map(line).collect()
}

/// What `--color` says.
static ASKED: AtomicU8 = AtomicU8::new(ColorWhen::Auto as u8);

/// Takes what `--color` says.
pub fn set_color(when: ColorWhen) {
    ASKED.store(when as u8, Ordering::Relaxed);
}

/// Whether messages are in colour: as `--color` says, else on a terminal that did not ask for none.
pub fn colour() -> bool {
    let asked = ASKED.load(Ordering::Relaxed);
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if asked != ColorWhen::Auto as u8 {
        return asked == ColorWhen::Always as u8;
    }
    variable("NO_COLOR").is_none() && (variable("CLICOLOR_FORCE").is_some() || std::io::stderr().is_terminal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_marked() {
        let text = Diagnostic {
            level: Level::Error,
            file: "rig.toml",
            line: 12,
            what: "there is no VM size `DS41`",
            hint: "did you mean `DS14`?",
            excerpt: Some("size = \"DS41\""),
            mark: Some(7..13),
        };
        let expected = "error: rig.toml:12: there is no VM size `DS41`\n   |\n12 | size = \"DS41\"\n   |        ^^^^^^\n\
                        hint: did you mean `DS14`?\n";
        assert_eq!(text.render(false), expected);
        assert!(text.render(true).contains("\x1b[1;31merror\x1b[0m"));
    }

    #[test]
    fn the_first_word_of_a_message_is_in_colour_and_no_other() {
        let text = "error: a: hint: b\nhint: c\n  note: d\nnotes: e\n";
        let painted = super::painted(text, true);
        assert_eq!(painted, "\x1b[1;31merror\x1b[0m: a: hint: b\n\x1b[1;36mhint\x1b[0m: c\n  note: d\nnotes: e\n");
        assert_eq!(super::painted(&painted, true), painted, "what is painted stays as it is");
        assert_eq!(super::painted(text, false), text);
    }

    #[test]
    fn marks_beyond_the_line_do_no_harm() {
        let text = Diagnostic {
            level: Level::Warning,
            file: "a",
            line: 1,
            what: "x",
            hint: "",
            excerpt: Some("äö"),
            mark: Some(1..99),
        };
        assert!(text.render(false).contains('^'));
    }
}
