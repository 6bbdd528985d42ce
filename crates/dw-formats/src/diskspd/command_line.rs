//! DiskSpd's switches: one word each, `-` or `/` first, before the targets.
//!
//! Block size, times and the seed are read first, wherever they stand, as sizes may be in blocks. A word that begins with
//! `/` and is a path (`/mnt/x`) is a target, as in DiskSpd for Linux.
//!
//! Read next: `order.rs`, `opening.rs`, `without_effect.rs`.

mod opening;
mod order;
mod without_effect;

use std::io;

use dw_messages::say;

use self::without_effect::IGNORED;
use super::number::{SIZE_HINT, atoi, size};
use super::profile;
use super::spec::{BLOCK_DEFAULT, Cache, Origins, Profile, Span, Target};
use super::word_origin;
use super::words::{self, Word};
use crate::assembly::{Assembly, Origin};
use crate::fio::report::WarningKind;

/// The profile of a command line; `None` when it is wrong beyond use.
pub(crate) fn read(
    line: &str,
    read_profile: &dyn Fn(&str) -> io::Result<String>,
    out: &mut Assembly,
) -> Option<Profile> {
    let words = match words::split(line) {
        Ok(words) => words,
        Err(word) => {
            let origin = word_origin(word.number, &word.text);
            out.fail(&origin, "has an unclosed quote", "close it");
            return None;
        }
    };
    let (switches, targets) = part(&words, out)?;
    if let Some(word) = switches.iter().find(|w| letter(w) == Some('?')) {
        out.fail(&word_origin(word.number, &word.text), "asks for DiskSpd's help", "write a workload and its targets");
        return None;
    }
    let mut line = Line {
        out,
        span: Span::default(),
        target: Target::default(),
        block: BLOCK_DEFAULT,
        begun_random: false,
        aligned_random: false,
        aligned: false,
        based: false,
        ended: false,
        cached: None,
        given: Vec::new(),
    };
    for word in &switches {
        line.first(word);
    }
    if let Some(x) = switches.iter().find(|w| letter(w) == Some('X')) {
        return line.profile(x, &switches, &targets, read_profile);
    }
    line.target.block = line.block;
    for word in &switches {
        line.second(word);
    }
    line.close(&targets)
}

/// Switches and targets; `None` when a switch follows a target.
fn part<'w>(words: &'w [Word], out: &mut Assembly) -> Option<(Vec<&'w Word>, Vec<&'w Word>)> {
    let (mut switches, mut targets) = (Vec::new(), Vec::new());
    for (place, word) in words.iter().enumerate() {
        let origin = word_origin(word.number, &word.text);
        if matches!(word.text.as_str(), "&" | "&&" | "||") {
            out.ignore("other programs", "other commands of the script, including pauses, are not run", &origin);
            break;
        }
        if redirects(&word.text) {
            out.ignore(">", "redirecting DiskSpd's report has no effect here", &origin);
            break;
        }
        if word.text.starts_with(['\u{2013}', '\u{2014}', '\u{2212}', '\u{2012}']) {
            let what = "begins with a dash that is not a hyphen: DiskSpd takes it for the name of a target";
            let fixed: String = word.text.chars().skip(1).collect();
            out.fail(&origin, what, format!("write `-{fixed}`; word processors insert a longer dash"));
        } else if !is_switch(&word.text) {
            if let Some(whole) = targets.last().and_then(|before: &&Word| with_blanks(&before.text, &words[place..])) {
                let what = "names no location, after a target without an end: a space separates them";
                out.fail(&origin, what, format!("write the path in quotes: `\"{whole}\"`"));
            }
            targets.push(word);
        } else if targets.is_empty() {
            switches.push(word);
        } else {
            let hint = apart(words).unwrap_or_else(|| "write the switches first, then the targets".into());
            out.fail(&origin, "stands after a target", hint);
        }
    }
    (!out.failed()).then_some((switches, targets))
}

/// The path that several targets were, before blanks in it: `F:\my` and `data\x.dat`.
fn with_blanks(before: &str, after: &[Word]) -> Option<String> {
    let has_place = |path: &str| path.starts_with(['/', '\\', '#']) || path.chars().nth(1) == Some(':');
    let is_file =
        |path: &str| path.rsplit(['/', '\\']).next().is_some_and(|name| name.contains('.') || name.is_empty());
    if !has_place(before) || is_file(before) {
        return None;
    }
    let parts = after.iter().map(|word| word.text.as_str()).take_while(|word| !has_place(word) && !is_switch(word));
    let whole = parts.fold(before.to_string(), |whole, part| format!("{whole} {part}"));
    (whole != before).then_some(whole)
}

/// What to write where the value of a switch stands behind a blank, and is taken for a target.
fn apart(words: &[Word]) -> Option<String> {
    let is_value = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains([':', '/', '\\']);
    let pair = words.windows(2).find(|pair| {
        is_switch(&pair[0].text)
            && pair[0].text.chars().count() == 2
            && !is_switch(&pair[1].text)
            && is_value(&pair[1].text)
    })?;
    Some(format!("write `{}{}`, without a blank", pair[0].text, pair[1].text))
}

/// Whether a word of a line that was copied from a script sends the report somewhere: `>x`, `>>`, `2>&1`, `|`.
fn redirects(word: &str) -> bool {
    word.trim_start_matches(['1', '2', '*', '&']).starts_with('>') || word == "|"
}

/// Whether a word is a switch, not a target.
fn is_switch(word: &str) -> bool {
    match word.strip_prefix('/') {
        // `/Z1M,/dev/x` is a switch, `/mnt/x` is none.
        Some(rest) => !rest.split(',').next().unwrap_or_default().contains('/'),
        None => word.starts_with('-'),
    }
}

fn letter(word: &Word) -> Option<char> {
    word.text.chars().nth(1)
}

/// What is after the letter.
fn value(word: &Word) -> &str {
    let mut chars = word.text.chars();
    chars.next();
    chars.next();
    chars.as_str()
}

struct Line<'o, 'a> {
    out: &'o mut Assembly<'a>,
    span: Span,
    target: Target,
    block: u64,
    /// `-r` or `-rs`; `-r`; `-r` or `-s`.
    begun_random: bool,
    aligned_random: bool,
    aligned: bool,
    based: bool,
    ended: bool,
    cached: Option<Cache>,
    given: Vec<(&'static str, Origin)>,
}

impl Line<'_, '_> {
    fn fail(&mut self, word: &Word, what: impl Into<String>, hint: impl Into<String>) {
        self.out.fail(&word_origin(word.number, &word.text), what, hint);
    }

    fn note(&mut self, switch: &'static str, word: &Word) {
        self.given.push((switch, word_origin(word.number, &word.text)));
    }

    /// A size and nothing else, after the first `skip` characters of the value.
    fn size(&mut self, word: &Word, text: &str) -> Option<u64> {
        match size(text, self.block) {
            Ok(bytes) => Some(bytes),
            Err(e) => {
                self.fail(word, e.0, SIZE_HINT);
                None
            }
        }
    }

    /// A whole number within limits, read as DiskSpd does; what it does not read is warned of.
    fn number(&mut self, word: &Word, text: &str, least: i64, most: i64, example: &str) -> Option<u32> {
        let (number, all) = atoi(text);
        if !(least..=most).contains(&number) {
            let upto = if most == i64::from(i32::MAX) { String::new() } else { format!(" and at most {most}") };
            let what = match text {
                "" => "has no number".to_string(),
                _ => format!("is {number} to DiskSpd; it must be at least {least}{upto}"),
            };
            self.fail(word, what, format!("write for example {example}"));
            return None;
        }
        if !all {
            let what = match text {
                "" => say!(JobNoNumber),
                _ => say!(JobNumberThenText { number: number.to_string() }),
            };
            let origin = word_origin(word.number, &word.text);
            self.out.warn(WarningKind::TrailingText, &origin, what, format!("write for example {example}"));
        }
        u32::try_from(number).ok()
    }

    /// What DiskSpd reads first, wherever it stands.
    fn first(&mut self, word: &Word) {
        let (text, any) = (value(word), i64::from(i32::MAX));
        match letter(word) {
            Some('b') => {
                if let Some(block) = self.size(word, text) {
                    if block >= u64::from(u32::MAX) {
                        self.fail(word, "is 4 GiB or more", "write a smaller size");
                    }
                    self.block = block;
                }
                self.note("-b", word);
            }
            Some('C') => {
                let seconds = self.number(word, text, 0, any, "-C10");
                self.span.cooldown_s = seconds.unwrap_or_default();
                self.note("-C", word);
            }
            Some('d') => {
                let seconds = self.number(word, text, 0, any, "-d30");
                self.span.duration_s = seconds.unwrap_or(1);
                self.note("-d", word);
            }
            Some('W') => {
                let seconds = self.number(word, text, 0, any, "-W30");
                self.span.warmup_s = seconds.unwrap_or_default();
                self.note("-W", word);
            }
            Some('z') if text.is_empty() => {
                let origin = word_origin(word.number, &word.text);
                self.out.ignore("-z", "a seed from the clock would repeat nothing; --seed is used", &origin);
            }
            Some('z') => match text.parse::<u32>() {
                Ok(seed) => self.span.seed = u64::from(seed),
                Err(_) => self.fail(word, "is not a whole number of 32 bits", "write for example -z1"),
            },
            Some('R') if !matches!(text, "text" | "xml" | "p" | "ptext" | "pxml") => {
                self.fail(word, "names no form of a report", "write -Rtext or -Rxml");
            }
            Some('v') if !matches!(text, "" | "s") => self.fail(word, "is not a verbosity", "write -v or -vs"),
            _ => {}
        }
    }

    /// `-X` with the few switches that go with it.
    fn profile(
        mut self,
        x: &Word,
        switches: &[&Word],
        targets: &[&Word],
        read_profile: &dyn Fn(&str) -> io::Result<String>,
    ) -> Option<Profile> {
        for word in switches {
            match letter(word) {
                Some('X') if word.number == x.number => {}
                Some('X') => self.fail(word, "names a second profile", "name one"),
                Some(':' | 'v' | 'z' | 'R' | 'W' | 'd' | 'C') => {}
                _ => self.fail(word, "cannot be used with -X", "write it into the profile, or remove -X"),
            }
        }
        let name = value(x);
        let text = match read_profile(name) {
            Ok(text) => text,
            Err(e) => {
                self.fail(x, format!("cannot be read: {e}"), "check the path");
                return None;
            }
        };
        let origins: Vec<Origin> = targets.iter().map(|w| word_origin(w.number, &w.text)).collect();
        let mut profile = profile::read(name, &text, &origins, self.out)?;
        let given = |switch| self.given.iter().any(|(name, _)| *name == switch);
        for span in &mut profile.spans {
            for (switch, from, to) in [
                ("-W", self.span.warmup_s, &mut span.warmup_s),
                ("-d", self.span.duration_s, &mut span.duration_s),
                ("-C", self.span.cooldown_s, &mut span.cooldown_s),
            ] {
                if given(switch) {
                    *to = from;
                }
            }
            if self.span.seed != 0 {
                span.seed = self.span.seed;
            }
        }
        Some(profile)
    }

    /// A switch that is a count from 1.
    fn count(&mut self, word: &Word, letter: char, text: &str) {
        let (switch, example) = match letter {
            'F' => ("-F", "-F4"),
            'i' => ("-i", "-i100 -j10"),
            'j' => ("-j", "-i100 -j10"),
            'o' => ("-o", "-o32"),
            'O' => ("-O", "-F4 -O32"),
            _ => ("-t", "-t4"),
        };
        let count = self.number(word, text, 1, i64::from(i32::MAX), example).unwrap_or(1);
        let field = match letter {
            'F' => &mut self.span.threads,
            'i' => &mut self.target.burst,
            'j' => &mut self.target.think_ms,
            'o' => &mut self.target.requests,
            'O' => &mut self.span.requests,
            _ => &mut self.target.threads,
        };
        *field = count;
        self.note(switch, word);
    }

    /// Everything else.
    fn second(&mut self, word: &Word) {
        let text = value(word);
        let Some(letter) = letter(word) else {
            return self.fail(word, "is not a switch", "remove it");
        };
        if let Some((_, switch, reason)) = IGNORED.iter().find(|i| i.0 == letter) {
            self.note(switch, word);
            self.out.ignore(switch, reason, &word_origin(word.number, &word.text));
        }
        match letter {
            'b' | 'C' | 'd' | 'W' | 'z' | 'R' | 'v' | 'D' | 'l' | 'P' => {}
            ':' => self.out.ignore("-:", "experiments are not modelled", &word_origin(word.number, &word.text)),
            'F' | 'i' | 'j' | 'o' | 'O' | 't' => self.count(word, letter, text),
            'a' => self.affinity(word, text),
            'n' => self.span.no_affinity = true,
            'B' => self.base(word, text),
            'c' => {
                self.target.size = self.size(word, text);
                self.note("-c", word);
            }
            'e' => self.tracing(word, text),
            'f' => self.end_or_hint(word, text),
            'g' => self.throughput(word, text),
            'h' => self.cache(word, "h"),
            'I' => {
                self.number(word, text, 1, 3, "-I3");
                self.out.ignore("-I", "priorities are not modelled", &word_origin(word.number, &word.text));
            }
            'L' => self.span.latency = true,
            'N' => {
                if !matches!(text.to_ascii_lowercase().as_str(), "v" | "n" | "i") {
                    self.fail(word, "is not a kind of flush", "write -Nv, -Nn or -Ni");
                }
                self.target.flush = true;
                self.note("-N", word);
            }
            'p' => {
                self.target.parallel = true;
                self.note("-p", word);
            }
            'r' => self.random(word, text),
            's' => self.sequential(word, text),
            'S' => self.cache(word, text),
            'T' => {
                self.target.thread_stride = self.size(word, text).unwrap_or(1);
                if self.target.thread_stride == 0 {
                    self.fail(word, "parts the threads by 0 bytes", "write a distance, for example -T1G");
                }
                self.note("-T", word);
            }
            'w' => {
                let percent = self.number(word, text, 0, 100, "-w30").unwrap_or(0);
                if text.is_empty() {
                    self.fail(word, "has no percentage of writes", "write for example -w30; without -w all are reads");
                }
                self.target.write_percent = percent as u8;
            }
            // In DiskSpd for Linux it names the engine.
            'x' if matches!(text, "k" | "p") => {
                let origin = word_origin(word.number, &word.text);
                self.out.ignore("-x", "how completions are fetched has no effect here", &origin);
            }
            'x' => {
                self.span.completion_routines = true;
                self.note("-x", word);
            }
            'y' if !text.starts_with(['s', 'f', 'r', 'p', 'e']) => {
                self.fail(word, "names no event", "write -ys, -yf, -yr, -yp or -ye with a name");
            }
            'y' => {}
            'Z' => self.buffer(word, text),
            _ => {
                let hint = "DiskSpd's help lists its switches; one word each, the value right after the letter";
                self.fail(word, "is not a switch of DiskSpd", hint);
            }
        }
    }

    fn close(mut self, targets: &[&Word]) -> Option<Profile> {
        if targets.is_empty() {
            let last = self.given.last().map_or_else(|| word_origin(1, "diskspd"), |(_, origin)| origin.clone());
            self.out.fail(
                &last,
                "is not followed by a target",
                "name a file, #<physical drive> or <drive letter>: at the end",
            );
            return None;
        }
        let origins = Origins(self.given.into_iter().collect());
        self.target.cache = self.cached;
        self.span.origins = origins.clone();
        self.span.targets = targets
            .iter()
            .map(|word| {
                let mut target = Target { path: word.text.clone(), origins: origins.clone(), ..self.target.clone() };
                target.origins.0.insert("", word_origin(word.number, &word.text));
                target
            })
            .collect();
        self.span.origins.0.insert("", word_origin(targets[0].number, &targets[0].text));
        Some(Profile { spans: vec![self.span] })
    }
}
