//! English made longer, to see where a text has no room: what fits then fits the languages that there are.

/// A catalogue, or a label, whose words are two fifths longer; what stands in braces stays.
///
/// ```
/// assert_eq!(dw_messages::longer("held = { $share } within limits"), "held = { $share } withinøøø limitsøøø");
/// ```
pub fn longer(text: &str) -> String {
    let mut depth = 0;
    let lines = text.lines().map(|line| {
        if line.starts_with('#') {
            return line.to_string();
        }
        match line.split_once(" =") {
            Some((key, text)) if is_key(key) => {
                depth = 0;
                format!("{key} ={}", longer_line(text, &mut depth))
            }
            _ => longer_line(line, &mut depth),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn is_key(head: &str) -> bool {
    !head.is_empty() && head.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn longer_line(text: &str, depth: &mut i32) -> String {
    let (mut out, mut letters) = (String::new(), 0usize);
    for c in text.chars().chain(['\0']) {
        if c.is_ascii_alphabetic() && *depth == 0 {
            letters += 1;
        } else if letters > 0 {
            out.extend(std::iter::repeat_n('ø', if letters > 2 { (letters * 2).div_ceil(5) } else { 0 }));
            letters = 0;
        }
        match c {
            '{' => *depth += 1,
            '}' => *depth -= 1,
            _ => {}
        }
        if c != '\0' {
            out.push(c);
        }
    }
    out
}
