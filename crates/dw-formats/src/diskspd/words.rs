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

/// A command that runs DiskSpd, from its name on, also where another command starts it (`call`, `start /wait`, `&`, `for ... do`).
pub(crate) fn of_program(command: &str) -> Option<&str> {
    const STARTERS: [&str; 8] = ["call", "start", "cmd", "cmd.exe", "for", "if", "&", "time"];
    let mut rest = command.trim_start_matches('@').trim_start();
    let mut starts = true;
    while !rest.is_empty() {
        let (word, behind) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        if is_program(word) {
            return Some(rest);
        }
        if std::mem::take(&mut starts) && !STARTERS.iter().any(|starter| word.eq_ignore_ascii_case(starter)) {
            return None;
        }
        rest = behind.trim_start();
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
        ];
        for (line, expected) in cases {
            assert_eq!(of_program(line), expected, "{line}");
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
