//! Colour of messages: their first words, and the carets under what is meant.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::cli::ColorWhen;

fn paint(text: &str, code: &str) -> String {
    format!("\x1b[{code}m{text}\x1b[0m")
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

/// Messages with their first words in colour, and carets in that of the message they belong to.
pub fn painted(text: &str, colour: bool) -> String {
    if !colour {
        return text.to_string();
    }
    let mut of_message = colour_of("error");
    let line = |line: &str| {
        if let Some(word) =
            WORDS.into_iter().find(|word| line.strip_prefix(word).is_some_and(|rest| rest.starts_with(": ")))
        {
            of_message = colour_of(word);
            return format!("{}{}", paint(word, of_message), &line[word.len()..]);
        }
        carets(line).map_or(line.to_string(), |at| {
            let end = line.trim_end().len();
            format!("{}{}{}", &line[..at], paint(&line[at..end], of_message), &line[end..])
        })
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Where the carets of a line begin that consists of a margin and of them.
fn carets(line: &str) -> Option<usize> {
    let marks = line.trim_start_matches(' ').strip_prefix("| ")?.trim_start_matches(' ').trim_end();
    let all = !marks.is_empty() && marks.bytes().all(|byte| byte == b'^');
    all.then(|| line.trim_end().len() - marks.len())
}

/// What `--color` says.
static ASKED: AtomicU8 = AtomicU8::new(ColorWhen::Auto as u8);

/// Takes what `--color` says.
pub fn set_color(when: ColorWhen) {
    ASKED.store(when as u8, Ordering::Relaxed);
}

/// Whether messages are in colour: as `--color` says, else on a terminal that did not ask for none.
pub fn wanted() -> bool {
    wanted_on(std::io::stderr().is_terminal())
}

/// The same of a picture, on what it is drawn on.
pub fn wanted_on(is_terminal: bool) -> bool {
    let asked = ASKED.load(Ordering::Relaxed);
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if asked != ColorWhen::Auto as u8 {
        return asked == ColorWhen::Always as u8;
    }
    variable("NO_COLOR").is_none() && (variable("CLICOLOR_FORCE").is_some() || is_terminal)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_word_of_a_message_is_in_colour_and_no_other() {
        let text = "error: a: hint: b\nhint: c\n  note: d\nnotes: e\n";
        let painted = super::painted(text, true);
        assert_eq!(painted, "\x1b[1;31merror\x1b[0m: a: hint: b\n\x1b[1;36mhint\x1b[0m: c\n  note: d\nnotes: e\n");
        assert_eq!(super::painted(&painted, true), painted, "what is painted stays as it is");
        assert_eq!(super::painted(text, false), text);
    }

    #[test]
    fn carets_have_the_colour_of_their_message() {
        for (word, code) in [("error", "1;31"), ("warning", "1;33")] {
            let text = format!("{word}: a:12: x\n   |\n12 | size = ^\n   |        ^^^\nhint: y\n");
            let expected = format!(
                "\x1b[{code}m{word}\x1b[0m: a:12: x\n   |\n12 | size = ^\n   |        \x1b[{code}m^^^\x1b[0m\n\x1b[1;36mhint\x1b[0m: y\n"
            );
            assert_eq!(super::painted(&text, true), expected);
        }
    }
}
