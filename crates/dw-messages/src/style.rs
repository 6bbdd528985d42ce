//! How a language writes figures and lists.

/// Ways of writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// 3,802.5 and `a, b`, as all our tables and documents.
    English,
    /// 3 802,5, with a blank that does not break.
    Spaced,
    /// Figures as in English; 、 between names, ； between sentences.
    Chinese,
    /// Figures as in English; 、 between either.
    Japanese,
}

/// A blank at which no line breaks.
const NO_BREAK: char = '\u{a0}';

impl Style {
    /// A sentence whose arguments are put in: messages have a blank around names in Latin letters, which a word of the language has not.
    /// In Japanese the blanks between words of one kind of letters stay, as in ホスト キャッシュ.
    pub(crate) fn closed_up(self, text: String) -> String {
        let is_superfluous: fn(char, char) -> bool = match self {
            Style::English | Style::Spaced => return text,
            Style::Chinese => |before, after| is_han(before) && is_han(after),
            Style::Japanese => |before, after| {
                let is_word = |c: char| is_han(c) || is_katakana(c);
                is_hiragana(before) && is_word(after) || is_word(before) && is_hiragana(after)
            },
        };
        let all: Vec<char> = text.chars().collect();
        let stays = |at: &usize| {
            let (before, after) = (at.checked_sub(1).and_then(|at| all.get(at)), all.get(at + 1));
            all[*at] != ' ' || !before.zip(after).is_some_and(|(before, after)| is_superfluous(*before, *after))
        };
        (0..all.len()).filter(stays).map(|at| all[at]).collect()
    }

    /// That of a language by its name.
    pub(crate) fn for_language(name: &str) -> Style {
        match name.split('-').next() {
            Some("ru" | "sv") => Style::Spaced,
            Some("zh") => Style::Chinese,
            Some("ja") => Style::Japanese,
            _ => Style::English,
        }
    }

    /// A count.
    pub(crate) fn grouped(self, count: u64) -> String {
        dw_units::grouped(&count.to_string(), if self == Style::Spaced { NO_BREAK } else { ',' })
    }

    /// A figure that was written in English: the marks between its digits, nothing else.
    pub(crate) fn figure(self, text: &str) -> String {
        if self != Style::Spaced {
            return text.into();
        }
        let chars: Vec<char> = text.chars().collect();
        let is_digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
        let mark = |at: usize| {
            let within = at > 0 && is_digit(at - 1) && is_digit(at + 1);
            let group = is_digit(at + 2) && is_digit(at + 3) && !is_digit(at + 4);
            match chars[at] {
                ',' if within && group => NO_BREAK,
                '.' if within => ',',
                other => other,
            }
        };
        (0..chars.len()).map(mark).collect()
    }

    /// A limit with the place that it is of before it, and what else was said of it behind it: `data disk IOPS (2 x P30)`.
    pub(crate) fn limit_of(self, place: &str, limit: &str, more: &str) -> String {
        match (self, more.strip_prefix(" (")) {
            (Style::Spaced, Some(more)) => format!("{limit} ({place}, {more}"),
            (Style::Spaced, None) => format!("{limit} ({place}){more}"),
            _ => format!("{place} {limit}{more}"),
        }
    }

    pub(crate) const fn between_names(self) -> &'static str {
        match self {
            Style::English | Style::Spaced => ", ",
            Style::Chinese | Style::Japanese => "、",
        }
    }

    pub(crate) const fn between_sentences(self) -> &'static str {
        match self {
            Style::English | Style::Spaced => "; ",
            Style::Chinese => "；",
            Style::Japanese => "、",
        }
    }

    pub(crate) const fn stop(self) -> &'static str {
        match self {
            Style::English | Style::Spaced => ".",
            Style::Chinese | Style::Japanese => "。",
        }
    }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}')
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309f}')
}

fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a0}'..='\u{30ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_blank_stands_between_two_words_of_the_language() {
        for (style, text, expected) in [
            (Style::Chinese, "data 被 磁盘 IOPS 限流", "data 被磁盘 IOPS 限流"),
            (Style::Chinese, "data 被 vm IOPS 限流", "data 被 vm IOPS 限流"),
            (Style::Japanese, "data は ディスク IOPS によって", "data はディスク IOPS によって"),
            (Style::Japanese, "ホスト キャッシュ の制限", "ホスト キャッシュの制限"),
            (Style::English, "a b", "a b"),
            (Style::Spaced, "лимит диска", "лимит диска"),
            (Style::Chinese, " 被 ", " 被 "),
            (Style::Chinese, "", ""),
        ] {
            assert_eq!(style.closed_up(text.into()), expected);
        }
    }

    #[test]
    fn marks_stand_between_digits_and_nowhere_else() {
        for (english, spaced) in [
            ("3,802.5 IOPS", "3\u{a0}802,5 IOPS"),
            ("1,234,567", "1\u{a0}234\u{a0}567"),
            ("1.50 ms", "1,50 ms"),
            ("12 %, 1,5", "12 %, 1,5"),
            ("P30, 4,000 IOPS.", "P30, 4\u{a0}000 IOPS."),
            ("-", "-"),
            ("", ""),
        ] {
            assert_eq!(Style::Spaced.figure(english), spaced);
            assert_eq!(Style::Chinese.figure(english), english);
        }
        assert_eq!([Style::English, Style::Spaced].map(|style| style.grouped(12_000)), ["12,000", "12\u{a0}000"]);
    }
}
