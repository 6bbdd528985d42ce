//! The grammar of job files: text to sections of option lines, each with its place.
//!
//! A line is a section `[name]`, `include FILE`, or `option` or `option=value`. Everything from `;` or `#` on is a
//! comment, wherever it stands. A section whose name begins with `global` changes the defaults of those after it.
//!
//! Source: fio 3.33. Stricter than fio in three places where fio goes on with something else than was written: a section
//! line without `]`, a line of more than 8191 bytes, and templates (Jinja, shell), which are recognised and named.

use std::io;
use std::sync::Arc;

use super::report::{FioError, Place};

/// How deep files may include files.
const INCLUDE_DEPTH: usize = 8;
/// fio reads lines into a buffer of this size, and breaks longer ones.
const LINE_MAX: usize = 8_191;

/// `[name]` and its lines.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub name: String,
    pub place: Place,
    pub lines: Vec<Line>,
    /// Its first line or an `include` was refused: what it would do is not looked at.
    pub broken: bool,
}

impl Section {
    pub fn is_global(&self) -> bool {
        self.name.starts_with("global")
    }
}

/// `option` or `option=value`, comments and outer blanks removed.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub text: String,
    pub place: Place,
}

/// What [`sections`] needs from outside.
pub(crate) type Loader<'a> = &'a dyn Fn(&str) -> io::Result<String>;

/// Reads one file; errors are added to `errors`, and what could be read is returned.
pub(crate) fn sections(file: &str, text: &str, load: Loader, errors: &mut Vec<FioError>) -> Vec<Section> {
    let mut reader = Reader { load, errors, sections: Vec::new(), outside: false };
    if let Some(error) = template(file, text) {
        reader.errors.push(error);
        return Vec::new();
    }
    reader.file(&Arc::from(file), text, 0);
    reader.sections
}

struct Reader<'a> {
    load: Loader<'a>,
    errors: &'a mut Vec<FioError>,
    sections: Vec<Section>,
    /// An option before any section was reported already.
    outside: bool,
}

impl Reader<'_> {
    fn file(&mut self, file: &Arc<str>, text: &str, depth: usize) {
        for (i, raw) in text.lines().enumerate() {
            let place = Place { file: file.clone(), line: i + 1 };
            let raw = if i == 0 { raw.trim_start_matches('\u{feff}') } else { raw };
            let line = strip(raw);
            if line.is_empty() {
            } else if raw.len() > LINE_MAX {
                self.fail(
                    &place,
                    &shorten(line),
                    "is longer than 8191 bytes; fio breaks it in two",
                    "shorten the line",
                );
            } else if line.starts_with('[') {
                self.section(line, raw, place, depth);
            } else if let Some(included) = line.strip_prefix("include").filter(|f| f.starts_with([' ', '\t', '='])) {
                self.include(line, included[1..].trim(), &place, depth);
            } else if let Some(section) = self.sections.last_mut() {
                section.lines.push(Line { text: line.into(), place });
            } else if !self.outside {
                self.outside = true;
                let (what, hint) = outside(line);
                self.fail(&place, &shorten(line), what, hint);
            }
        }
    }

    fn section(&mut self, line: &str, raw: &str, place: Place, depth: usize) {
        if depth > 0 {
            return self.fail(
                &place,
                line,
                "is a section in an included file; fio allows options only",
                "move the section into the job file",
            );
        }
        // Whatever happens, the lines that follow belong to this section.
        let errors = self.errors.len();
        let name = match line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            Some("") => {
                self.fail(&place, line, "is a section without a name", "write a name, for example `[job1]`");
                ""
            }
            Some(name) if !name.starts_with("global") && name.eq_ignore_ascii_case("global") => {
                self.fail(
                    &place,
                    line,
                    "is a job of that name for fio, whose options reach no other section",
                    "did you mean `[global]`? Else give the job another name",
                );
                name
            }
            Some(name) => name,
            None => {
                let what = if raw.trim_end().ends_with(']') {
                    "is cut at the comment sign, so that the section has no `]`; fio drops the last letter of the name"
                } else {
                    "is a section without `]` at the end; fio drops the last letter of the name"
                };
                self.fail(&place, line, what, "write `[name]` and nothing else on the line");
                &line[1..]
            }
        };
        if name.len() > 255 {
            self.fail(&place, &shorten(line), "is a name of more than 255 bytes", "shorten the name");
        }
        let broken = self.errors.len() > errors;
        self.sections.push(Section { name: name.into(), place, lines: Vec::new(), broken });
    }

    fn include(&mut self, line: &str, name: &str, place: &Place, depth: usize) {
        if self.sections.is_empty() {
            return self.fail(place, line, "is before the first section; fio stops there", "write it below `[global]`");
        }
        if depth >= INCLUDE_DEPTH {
            return self.fail(place, line, "includes too deep: a file may include itself", "include each file once");
        }
        let errors = self.errors.len();
        // As fio: relative to the working directory, else next to the including file.
        let beside = place.file.rsplit_once('/').map(|(folder, _)| format!("{folder}/{name}"));
        let text = (self.load)(name).or_else(|e| beside.map_or(Err(e), |beside| (self.load)(&beside)));
        match text {
            Ok(text) => {
                if let Some(error) = template(name, &text) {
                    self.errors.push(error);
                } else {
                    self.file(&Arc::from(name), &text, depth + 1);
                }
            }
            Err(error) => {
                let hint = "the name is relative to the working directory, or to this file's directory";
                self.fail(place, line, &format!("cannot be read: {error}"), hint);
            }
        }
        if let Some(section) = self.sections.last_mut() {
            section.broken |= self.errors.len() > errors;
        }
    }

    fn fail(&mut self, place: &Place, text: &str, what: &str, hint: &str) {
        self.errors.push(FioError {
            file: place.file.to_string(),
            line: place.line,
            text: text.into(),
            what: what.into(),
            hint: hint.into(),
        });
    }
}

/// Cuts the comment and the blanks around the line.
fn strip(line: &str) -> &str {
    let line = line.find([';', '#']).map_or(line, |at| &line[..at]);
    line.trim_matches(|c: char| c.is_ascii_whitespace() || c.is_ascii_control())
}

/// A line that fits into a message.
fn shorten(line: &str) -> String {
    if line.chars().count() <= 80 { line.into() } else { line.chars().take(77).chain("...".chars()).collect() }
}

fn outside(line: &str) -> (&'static str, &'static str) {
    if line.starts_with("fio ") || line.starts_with("sudo ") || line.contains("/fio ") {
        (
            "is a command, not part of a job file",
            "give the options after `--` of the command line as lines, below a line `[job1]`",
        )
    } else if line.starts_with(['{', '"']) {
        (
            "is not part of a job file; it looks like JSON or YAML",
            "give a fio job file, whose first line is a section such as `[global]`",
        )
    } else {
        ("is before the first section; fio stops there", "write a section first, for example `[global]` or `[job1]`")
    }
}

/// The first line that shows that this file is to be rendered before fio can read it.
fn template(file: &str, text: &str) -> Option<FioError> {
    let fail = |line: usize, text: &str, what: &str, hint: &str| {
        Some(FioError { file: file.into(), line, text: shorten(text.trim()), what: what.into(), hint: hint.into() })
    };
    for (i, raw) in text.lines().enumerate() {
        let line = raw.trim();
        if line.starts_with(['#', ';']) && !line.starts_with("#!") {
            continue;
        }
        if line.contains("{{") || line.starts_with("{%") || line.starts_with("{#") {
            return fail(
                i + 1,
                raw,
                "belongs to a template (Jinja or the like), not to a job file",
                "render the template first, then give the result",
            );
        }
        if line.starts_with("<%") {
            return fail(
                i + 1,
                raw,
                "belongs to a template (ERB or the like), not to a job file",
                "render the template first, then give the result",
            );
        }
        if i == 0 && line.starts_with("#!") && !line.contains("fio") {
            return fail(
                1,
                raw,
                "starts a script, not a job file",
                "run the script yourself, and give the job file that it writes",
            );
        }
    }
    None
}
