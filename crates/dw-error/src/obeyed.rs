//! Foreign text on its way to a terminal: what a terminal would obey is shown as a sign in its place.
//!
//! Names, keys and lines of files are written by others. A control character among them moves the cursor, sets the title or clears the
//! screen; a mark of direction makes a line read as another one. Each becomes one sign of one column, so that columns and carets
//! stay where they are: a control character of ASCII its picture (U+2400 and on), any other U+FFFD.
//!
//! Source: ECMA-48 (C0, C1), "Control Pictures" and "Explicit Directional Formatting Characters" of Unicode.
//!
//! Ignores: letters that look alike, and marks that combine.

use std::borrow::Cow;

/// Whether a terminal, an editor or a script obeys a character instead of showing it: control characters, ends of lines, marks of
/// direction.
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

/// A text of one line as a terminal may have it.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, |_| false)
}

/// A text of several lines as a terminal may have it: ends of lines and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, |rest| rest.starts_with(['\n', '\t']) || rest.starts_with("\r\n"))
}

/// `stays` sees the text from each such character on.
fn replaced(text: &str, stays: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let is_harmful = |(at, c): (usize, char)| is_obeyed(c) && !stays(&text[at..]);
    if !text.char_indices().any(is_harmful) {
        return Cow::Borrowed(text);
    }
    text.char_indices().map(|(at, c)| if is_harmful((at, c)) { sign(c) } else { c }).collect::<String>().into()
}

/// What stands for a character that is obeyed.
fn sign(c: char) -> char {
    match u32::from(c) {
        c0 @ 0..=0x1f => char::from_u32(0x2400 + c0).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_one_sign_each() {
        let cases = [
            ("plain, été, 数据, 😀", "plain, été, 数据, 😀"),
            ("\u{1b}]0;title\u{7}x", "␛]0;title␇x"),
            ("a\u{9b}2J", "a\u{fffd}2J"),
            ("a\u{7f}\0", "a␡␀"),
            ("\u{202e}moc\u{2066}x\u{200f}", "\u{fffd}moc\u{fffd}x\u{fffd}"),
            ("a\nb\tc\r\nd\re", "a␊b␉c␍␊d␍e"),
        ];
        for (text, shown) in cases {
            assert_eq!(line(text), shown, "{text:?}");
            assert_eq!(line(text).chars().count(), text.chars().count(), "{text:?}");
        }
        assert_eq!(lines("a\nb\tc\r\nd\re\u{1b}"), "a\nb\tc\r\nd␍e␛");
        assert_eq!(lines(&lines("\u{1b}\n")), lines("\u{1b}\n"), "what is shown stays as it is");
    }
}
