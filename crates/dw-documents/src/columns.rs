//! How a text fits columns: what a line may hold, and where it may end.
//!
//! A figure is never broken and stays with its unit; characters of East Asian scripts take two columns.

/// A word that follows a figure and is no longer than this is its unit.
const UNIT_MOST: usize = 10;

/// The columns of a terminal that a text takes.
pub fn length(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// Characters of two columns: Han, kana, full-width forms and marks.
const fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}')
}

/// Where a line may end although no blank stands there: about a wide character, but not before what closes or after what opens.
pub fn pieces(word: &str) -> Vec<String> {
    const CLOSE: &str = "，。、；：！？）】」』》〉”’ー・";
    const OPEN: &str = "（【「『《〈“‘";
    // A word of nothing is a blank more.
    let mut pieces = vec![String::new()];
    let mut before: Option<char> = None;
    for c in word.chars() {
        let breaks = before
            .is_some_and(|before| (is_wide(before) || is_wide(c)) && !CLOSE.contains(c) && !OPEN.contains(before));
        match pieces.last_mut() {
            Some(last) if !breaks => last.push(c),
            _ => pieces.push(c.into()),
        }
        before = Some(c);
    }
    pieces
}

/// What is never broken: words, and figures with their units.
pub fn words(text: &str) -> Vec<String> {
    let is_figure = |word: &str| {
        word.trim_start_matches(['+', '-', '±', '~', '(', '<', '>']).starts_with(|c: char| c.is_ascii_digit())
    };
    let mut words: Vec<String> = Vec::new();
    let mut waits = false;
    for word in text.split(' ') {
        match words.last_mut() {
            Some(figure) if waits && !word.is_empty() && length(word) <= UNIT_MOST => {
                *figure = format!("{figure} {word}");
                waits = false;
            }
            _ => {
                waits = is_figure(word);
                words.push(word.to_string());
            }
        }
    }
    words
}

/// The columns of the longest of them.
pub fn longest_word(text: &str) -> usize {
    let longest = |word: &String| pieces(word).iter().map(|piece| length(piece)).max();
    words(text).iter().filter_map(longest).max().unwrap_or(0)
}

/// A text in lines of at most `width`, as far as its words allow; what leads it leads each line.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    if length(text) <= width {
        return vec![text.to_string()];
    }
    let lead = length(text) - length(text.trim_start());
    let room = width.saturating_sub(lead);
    broken(words(text.trim_start()), room, room).into_iter().map(|line| " ".repeat(lead) + &line).collect()
}

/// Words in lines, of which the first has another width.
pub fn broken(words: Vec<String>, first: usize, other: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line: Option<String> = None;
    for word in words {
        for (place, piece) in pieces(&word).into_iter().enumerate() {
            let width = if lines.is_empty() { first } else { other };
            let blank = if place == 0 { " " } else { "" };
            line = match line {
                Some(line) if length(&line) + blank.len() + length(&piece) <= width => Some(line + blank + &piece),
                Some(line) => {
                    lines.push(line);
                    Some(piece)
                }
                None => Some(piece),
            };
        }
    }
    lines.extend(line);
    lines
}
