//! A command line cut into words.
//!
//! Blanks separate; double or single quotes keep them and are dropped; a backslash is a backslash, as in `F:\test.dat`.

/// A word and its number, from 1, not counting the program's name.
pub(crate) struct Word {
    pub number: usize,
    pub text: String,
}

/// The words of a line; `Err` is the word whose quote stays open.
pub(crate) fn split(line: &str) -> Result<Vec<Word>, Word> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    let skipped = usize::from(words.first().is_some_and(|first| is_program(first)));
    let mut words: Vec<Word> =
        words.into_iter().skip(skipped).zip(1..).map(|(text, number)| Word { number, text }).collect();
    match (quote, words.pop()) {
        (Some(_), last) => Err(last.unwrap_or(Word { number: 1, text: line.into() })),
        (None, last) => {
            words.extend(last);
            Ok(words)
        }
    }
}

/// `diskspd`, `diskspd.exe`, `DiskSpd64.exe`, with or without a folder.
pub(crate) fn is_program(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    matches!(name, "diskspd" | "diskspd32" | "diskspd64")
}

/// The commands of a line of a script: a shell parts them at `&`, `&&`, `|`, `||`, and PowerShell at `;`, outside quotes.
pub(crate) fn commands(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut quote, mut before) = (0, None, ' ');
    for (at, c) in line.char_indices() {
        let behind = line[at + c.len_utf8()..].chars().next();
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            // `2>&1` is one word, and `^&` a letter.
            None if matches!(c, '&' | '|') && !matches!(before, '>' | '^')
                || c == ';' && behind.is_none_or(char::is_whitespace) =>
            {
                found.push(&line[start..at]);
                start = at + c.len_utf8();
            }
            None => {}
        }
        before = c;
    }
    found.push(&line[start..]);
    found.into_iter().map(str::trim).filter(|command| !command.is_empty()).collect()
}

/// Whether a command begins a loop.
pub(crate) fn repeats(command: &str) -> bool {
    let (word, _) = keyword(opened(command));
    ["for", "foreach", "foreach-object", "while", "%"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// Without what opens or closes a block before the first word.
fn opened(command: &str) -> &str {
    command.trim_start_matches(|c: char| matches!(c, '@' | '(' | ')' | '{' | '}') || c.is_whitespace())
}

/// Without brackets at the end that close what an earlier command opened.
fn closed(command: &str) -> &str {
    let mut rest = command.trim_end();
    let more = |rest: &str, open: char, close: char| {
        rest.ends_with(close) && rest.matches(close).count() > rest.matches(open).count()
    };
    while more(rest, '(', ')') || more(rest, '{', '}') {
        rest = rest[..rest.len() - 1].trim_end();
    }
    rest
}

/// The first word without its quotes, and what is behind it.
fn first_word(text: &str) -> (&str, &str) {
    let (word, behind) = match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => text.split_once(char::is_whitespace).unwrap_or((text, "")),
    };
    (word, behind.trim_start())
}

/// The first word, where a bracket may follow without a blank, as in PowerShell's `if(`.
fn keyword(text: &str) -> (&str, &str) {
    let name = text.split('(').next().unwrap_or_default();
    let brackets = ["if", "for", "foreach", "while"].iter().any(|word| name.eq_ignore_ascii_case(word));
    if brackets { (name, &text[name.len()..]) } else { first_word(text) }
}

/// What is behind the condition of an `if`.
fn behind_condition(text: &str) -> &str {
    let (word, behind) = first_word(text);
    match word.to_ascii_lowercase().as_str() {
        "/i" | "not" => behind_condition(behind),
        "exist" | "defined" | "errorlevel" | "cmdextversion" => first_word(behind).1,
        // PowerShell has a bracket around it.
        _ if text.starts_with('(') => {
            let mut depth = 0_usize;
            let end = text.char_indices().find(|(_, c)| {
                depth = match c {
                    '(' => depth + 1,
                    ')' => depth - 1,
                    _ => depth,
                };
                depth == 0
            });
            end.map_or("", |(at, _)| &text[at + 1..])
        }
        // `a==b` is one word where neither has quotes.
        _ => match behind.strip_prefix("==") {
            Some(operand) => first_word(operand.trim_start()).1,
            None => {
                let (operator, operand) = first_word(behind);
                let compares = ["equ", "neq", "lss", "leq", "gtr", "geq"];
                if compares.iter().any(|name| operator.eq_ignore_ascii_case(name)) {
                    first_word(operand).1
                } else {
                    behind
                }
            }
        },
    }
}

/// What a loop does, behind its `do` or its `{`.
fn body(text: &str) -> &str {
    let mut rest = text;
    while !rest.is_empty() {
        let (word, behind) = first_word(rest);
        if word.eq_ignore_ascii_case("do") || word.ends_with('{') {
            return behind;
        }
        rest = behind;
    }
    ""
}

/// A command that runs DiskSpd, from its name on, also where another command starts it (`call`, `start /wait`, `&`, `for ... do`,
/// `if exist X`).
pub(crate) fn of_program(command: &str) -> Option<&str> {
    let mut rest = opened(command);
    let mut started = false;
    while !rest.is_empty() {
        let (word, behind) = keyword(rest);
        if is_program(word) {
            return Some(closed(rest));
        }
        rest = match word.to_ascii_lowercase().as_str() {
            // Their options come first.
            _ if started => behind,
            "call" | "start" | "cmd" | "cmd.exe" | "time" => {
                started = true;
                behind
            }
            "if" => behind_condition(behind),
            "for" | "foreach" | "while" => body(behind),
            "else" | "do" | "&" | "%" | "foreach-object" => behind,
            _ => return None,
        };
        rest = opened(rest);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_runs_it_in_many_ways() {
        let cases = [
            ("diskspd -b8K x", Some("diskspd -b8K x")),
            ("@\"C:\\tools\\diskspd.exe\" -b8K x", Some("\"C:\\tools\\diskspd.exe\" -b8K x")),
            ("call .\\diskspd.exe -b8K x", Some(".\\diskspd.exe -b8K x")),
            ("start /wait \"\" diskspd64 -b8K x", Some("diskspd64 -b8K x")),
            ("& \"C:\\my tools\\diskspd.exe\" x", Some("\"C:\\my tools\\diskspd.exe\" x")),
            ("timeout /t 15 /nobreak", None),
            ("echo diskspd begins", None),
            ("set RUNS=3", None),
            ("", None),
            ("if not exist diskspd.exe exit /b 1", None),
            ("if exist diskspd.exe del diskspd.exe", None),
            ("if exist \"C:\\my tools\\diskspd.exe\" echo there", None),
            ("if (-not (Test-Path .\\diskspd.exe)) { throw 'no diskspd' }", None),
            ("if(Test-Path F:\\x) { diskspd -b4K F:\\x }", Some("diskspd -b4K F:\\x")),
            ("for %%f in (diskspd.exe) do copy %%f D:\\", None),
            ("if exist F:\\x (diskspd -b4K F:\\x)", Some("diskspd -b4K F:\\x")),
            ("if /i not \"%1\"==\"x\" diskspd -b4K F:\\x", Some("diskspd -b4K F:\\x")),
            ("if %N% GTR 1 (call diskspd -b4K F:\\x(1).dat)", Some("diskspd -b4K F:\\x(1).dat")),
            (") else (diskspd -b4K F:\\x)", Some("diskspd -b4K F:\\x")),
            ("for /l %%i in (1,1,3) do (diskspd -b4K F:\\x)", Some("diskspd -b4K F:\\x")),
            ("foreach ($n in 1..3) { .\\diskspd.exe -b4K F:\\x }", Some(".\\diskspd.exe -b4K F:\\x")),
        ];
        for (line, expected) in cases {
            assert_eq!(of_program(line), expected, "{line}");
        }
    }

    #[test]
    fn a_shell_parts_commands() {
        let cases: [(&str, &[&str]); 8] = [
            ("diskspd x & timeout 5", &["diskspd x", "timeout 5"]),
            ("diskspd x || exit /b 1", &["diskspd x", "exit /b 1"]),
            ("cd t && diskspd x | more", &["cd t", "diskspd x", "more"]),
            ("diskspd x > out.txt 2>&1", &["diskspd x > out.txt 2>&1"]),
            ("diskspd \"F:\\a & b\"", &["diskspd \"F:\\a & b\""]),
            ("diskspd F:\\a^&b", &["diskspd F:\\a^&b"]),
            ("& \"C:\\t\\diskspd.exe\" x; sleep 5", &["\"C:\\t\\diskspd.exe\" x", "sleep 5"]),
            ("&", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(commands(line), expected, "{line}");
        }
    }

    #[test]
    fn words_are_what_windows_makes_of_them() {
        let cases: [(&str, &[&str]); 7] = [
            ("-b8K  -r F:\\x.dat", &["-b8K", "-r", "F:\\x.dat"]),
            ("diskspd.exe -b8K x", &["-b8K", "x"]),
            ("C:\\tools\\DiskSpd.EXE -b8K", &["-b8K"]),
            ("tools/DiskSpd64.exe -b8K", &["-b8K"]),
            ("-b8K \"F:\\my files\\x\"", &["-b8K", "F:\\my files\\x"]),
            ("-Z1M,'a b' x", &["-Z1M,a b", "x"]),
            ("", &[]),
        ];
        for (line, expected) in cases {
            let words: Vec<String> = split(line).ok().unwrap().into_iter().map(|w| w.text).collect();
            assert_eq!(words, expected, "{line}");
        }
        assert_eq!(split("-b8K \"F:\\x").err().unwrap().number, 2);
    }
}
