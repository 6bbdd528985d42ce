//! DiskSpd's switches: one word each, `-` or `/` first, before the targets.
//!
//! Block size, times and the seed are read first, wherever they stand, as sizes may be in blocks. A word that begins with
//! `/` and is a path (`/mnt/x`) is a target, as in DiskSpd for Linux.

use std::io;

use super::distribution;
use super::number::{SIZE_HINT, atoi, size, size_and_rest};
use super::profile;
use super::spec::{BLOCK_DEFAULT, Cache, Origins, Profile, Span, Target, Throughput};
use super::word_origin;
use super::words::{self, Word};
use crate::assembly::{Assembly, Origin};
use crate::fio::report::WarningKind;

/// Switches that change nothing here, with the reason.
const IGNORED: [(char, &str, &str); 10] = [
    ('a', "-a", "processors are not modelled"),
    ('n', "-n", "processors are not modelled"),
    ('D', "-D", "it is about the report; write --series"),
    ('e', "-e", "tracing changes nothing here"),
    ('l', "-l", "the kind of memory changes nothing here"),
    ('P', "-P", "it is about the report"),
    ('R', "-R", "it is about the report; write --output-format"),
    ('v', "-v", "it is about the report"),
    ('y', "-y", "nothing is synchronised with"),
    ('Z', "-Z", "what is written changes nothing here"),
];

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
            out.fail(&origin, "has a quote that stays open", "close it");
            return None;
        }
    };
    let (switches, targets) = part(&words, out)?;
    if let Some(word) = switches.iter().find(|w| letter(w) == Some('?')) {
        out.fail(&word_origin(word.number, &word.text), "asks for DiskSpd's help", "write a load and its targets");
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
    for word in words {
        let origin = word_origin(word.number, &word.text);
        if word.text.starts_with(['\u{2013}', '\u{2014}', '\u{2212}', '\u{2012}']) {
            let what = "begins with a dash that is no hyphen: DiskSpd takes it for the name of a target";
            let fixed: String = word.text.chars().skip(1).collect();
            out.fail(&origin, what, format!("write `-{fixed}`; word processors put the longer dash"));
        } else if !is_switch(&word.text) {
            targets.push(word);
        } else if targets.is_empty() {
            switches.push(word);
        } else {
            out.fail(&origin, "stands after a target", "write the switches first, then the targets");
        }
    }
    (!out.failed()).then_some((switches, targets))
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
                "" => "has no number: DiskSpd takes 0".to_string(),
                _ => format!("is {number} to DiskSpd, which reads no further than the digits"),
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
                Err(_) => self.fail(word, "is no whole number of 32 bits", "write for example -z1"),
            },
            Some('R') if !matches!(text, "text" | "xml" | "p" | "ptext" | "pxml") => {
                self.fail(word, "names no form of a report", "write -Rtext or -Rxml");
            }
            Some('v') if !matches!(text, "" | "s") => self.fail(word, "is no verbosity", "write -v or -vs"),
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
                self.fail(x, format!("cannot be read: {e}"), "is the path right?");
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

    /// Everything else.
    fn second(&mut self, word: &Word) {
        let text = value(word);
        let any = i64::from(i32::MAX);
        let Some(letter) = letter(word) else {
            return self.fail(word, "is no switch", "remove it");
        };
        if let Some((_, switch, reason)) = IGNORED.iter().find(|i| i.0 == letter) {
            self.note(switch, word);
            self.out.ignore(switch, reason, &word_origin(word.number, &word.text));
        }
        match letter {
            'b' | 'C' | 'd' | 'W' | 'z' | 'R' | 'v' | 'D' | 'l' | 'P' => {}
            ':' => self.out.ignore("-:", "experiments are not modelled", &word_origin(word.number, &word.text)),
            'a' => self.affinity(word, text),
            'n' => self.span.no_affinity = true,
            'B' => self.base(word, text),
            'c' => {
                self.target.size = self.size(word, text);
                self.note("-c", word);
            }
            'e' => self.tracing(word, text),
            'f' => self.end_or_hint(word, text),
            'F' => {
                self.span.threads = self.number(word, text, 1, any, "-F4").unwrap_or(1);
                self.note("-F", word);
            }
            'g' => self.throughput(word, text),
            'h' => self.cache(word, "h"),
            'i' => {
                self.target.burst = self.number(word, text, 1, any, "-i100 -j10").unwrap_or(1);
                self.note("-i", word);
            }
            'j' => {
                self.target.think_ms = self.number(word, text, 1, any, "-i100 -j10").unwrap_or(1);
                self.note("-j", word);
            }
            'I' => {
                self.number(word, text, 1, 3, "-I3");
                self.out.ignore("-I", "priorities are not modelled", &word_origin(word.number, &word.text));
            }
            'L' => self.span.latency = true,
            'N' => {
                if !matches!(text.to_ascii_lowercase().as_str(), "v" | "n" | "i") {
                    self.fail(word, "is no kind of flush", "write -Nv, -Nn or -Ni");
                }
                self.target.flush = true;
                self.note("-N", word);
            }
            'o' => {
                self.target.requests = self.number(word, text, 1, any, "-o32").unwrap_or(1);
                self.note("-o", word);
            }
            'O' => {
                self.span.requests = self.number(word, text, 1, any, "-F4 -O32").unwrap_or(1);
                self.note("-O", word);
            }
            'p' => {
                self.target.parallel = true;
                self.note("-p", word);
            }
            'r' => self.random(word, text),
            's' => self.sequential(word, text),
            'S' => self.cache(word, text),
            't' => {
                self.target.threads = self.number(word, text, 1, any, "-t4").unwrap_or(1);
                self.note("-t", word);
            }
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
                self.fail(word, "is no switch of DiskSpd", hint);
            }
        }
    }

    fn affinity(&mut self, word: &Word, text: &str) {
        if matches!(text, "" | "g") {
            return;
        }
        self.span.affinity = true;
        let number = |text: &str, most: u32| text.parse::<u32>().is_ok_and(|n| n <= most);
        let right = text.split(',').all(|part| match part.strip_prefix('g') {
            Some(group) => number(group, 65_535),
            None => number(part, 255),
        });
        if !right || text.split(',').next_back().is_some_and(|last| last.starts_with('g')) {
            self.fail(word, "is no list of processors", "write for example -a0,1,2 or -ag0,0,1,g1,0,1");
        }
    }

    fn base(&mut self, word: &Word, text: &str) {
        if self.based {
            return self.fail(word, "gives the base a second time", "write -B once");
        }
        self.based = true;
        self.note("-B", word);
        let (base, rest) = match size_and_rest(text, self.block) {
            Ok(read) => read,
            Err(e) => return self.fail(word, e.0, SIZE_HINT),
        };
        self.target.base = base;
        let Some(length) = rest.strip_prefix(':') else {
            if !rest.is_empty() {
                self.fail(word, format!("has `{rest}` after the base"), "write -B<base>:<length>");
            }
            return;
        };
        let Some(length) = self.size(word, length) else { return };
        match base.checked_add(length) {
            Some(end) => self.end(word, end),
            None => self.fail(word, "ends beyond 64 bits", "write a smaller length"),
        }
    }

    fn end(&mut self, word: &Word, end: u64) {
        if self.ended {
            self.fail(word, "gives the end a second time", "write -f<end> or -B<base>:<length>, once");
        }
        self.ended = true;
        self.target.end = end;
    }

    fn end_or_hint(&mut self, word: &Word, text: &str) {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            self.note("-f", word);
            if let Some(end) = self.size(word, text) {
                self.end(word, end);
            }
        } else if text.is_empty() || !text.chars().all(|c| matches!(c, 'r' | 's' | 't')) {
            self.fail(word, "is neither an end nor hints", "write -f<size>, or -f with r, s and t");
        } else {
            self.out.ignore(
                "-frst",
                "hints to the file cache change nothing here",
                &word_origin(word.number, &word.text),
            );
        }
    }

    fn throughput(&mut self, word: &Word, text: &str) {
        self.note("-g", word);
        let hint = "-g<bytes a millisecond> or -g<IOPS>i";
        let (digits, iops) = match text.strip_suffix('i') {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        if !iops && !text.ends_with(|c: char| c.is_ascii_digit()) {
            return self.fail(
                word,
                "ends in no unit of DiskSpd: a number is bytes a millisecond, `i` makes it IOPS",
                format!("write {hint}"),
            );
        }
        let Some(rate) = self.number(word, digits, 1, i64::from(i32::MAX), "-g500i") else { return };
        self.target.throughput = Some(if iops { Throughput::Iops(rate) } else { Throughput::BytesPerMs(rate) });
    }

    fn random(&mut self, word: &Word, text: &str) {
        if let Some(percent) = text.strip_prefix('s') {
            self.note("-rs", word);
            let Some(percent) = self.number(word, percent, 1, 100, "-rs80") else { return };
            if !self.begun_random && self.aligned {
                self.fail(word, "mixes in sequential I/O, whose alignment -r gives, not -s", "write -r in place of -s");
            } else if self.begun_random && self.target.random != 100 {
                self.fail(word, "gives the share of random I/O a second time", "write -rs once");
            }
            (self.target.random, self.begun_random) = (percent as u8, true);
        } else if let Some(ranges) = text.strip_prefix('d') {
            self.note("-rd", word);
            match distribution::parse(ranges, self.block) {
                Ok(ranges) => self.target.distribution = Some(ranges),
                Err((what, hint)) => self.fail(word, what, hint),
            }
        } else {
            self.note("-r", word);
            let align = if text.is_empty() { Some(self.block) } else { self.size(word, text) };
            if align == Some(0) {
                self.fail(word, "aligns to 0 bytes", "write a size, for example -r4K");
            } else if self.aligned_random {
                self.fail(word, "gives random I/O a second time", "write -r once");
            } else if self.aligned {
                self.fail(word, "contradicts -s", "write -r for random or -s for sequential I/O");
            }
            if !self.begun_random {
                self.target.random = 100;
            }
            (self.begun_random, self.aligned_random, self.aligned) = (true, true, true);
            self.target.align = align;
        }
    }

    fn sequential(&mut self, word: &Word, text: &str) {
        let text = match text.strip_prefix('i') {
            Some(rest) => {
                self.target.interlocked = true;
                self.note("-si", word);
                rest
            }
            None => text,
        };
        self.note("-s", word);
        if self.begun_random {
            self.fail(word, "contradicts -r", "write -r for random or -s for sequential I/O; -r aligns for -rs, too");
        } else if self.aligned {
            self.fail(word, "gives sequential I/O a second time", "write -s once");
        }
        self.aligned = true;
        self.target.align = if text.is_empty() { Some(self.block) } else { self.size(word, text) };
    }

    fn cache(&mut self, word: &Word, flags: &str) {
        self.note("-S", word);
        let flags = if flags.is_empty() { "u" } else { flags };
        for flag in flags.chars() {
            let conflict = match flag {
                'b' => self.take_cache(Cache::Cached),
                'r' => self.take_cache(Cache::Remote),
                'u' => self.target.mapped || self.take_cache(Cache::Unbuffered),
                'h' => self.target.write_through || self.target.mapped || self.take_cache(Cache::Unbuffered),
                'w' => self.target.write_through,
                'm' => self.target.mapped || self.cached == Some(Cache::Unbuffered),
                _ => {
                    self.fail(
                        word,
                        format!("has the flag `{flag}`, which -S does not know"),
                        "write -S with some of b, h, m, r, u, w",
                    );
                    return;
                }
            };
            if conflict {
                return self.fail(
                    word,
                    format!("contradicts with `{flag}` what was said before about caching"),
                    "write one -S, for example -Sh",
                );
            }
            self.target.write_through |= matches!(flag, 'h' | 'w');
            self.target.mapped |= flag == 'm';
        }
    }

    /// Sets how to cache; true when that had been said.
    fn take_cache(&mut self, cache: Cache) -> bool {
        let said = self.cached.is_some();
        self.cached = Some(cache);
        said
    }

    fn tracing(&mut self, word: &Word, text: &str) {
        const KINDS: [&str; 8] = [
            "PROCESS",
            "THREAD",
            "IMAGE_LOAD",
            "DISK_IO",
            "MEMORY_PAGE_FAULTS",
            "MEMORY_HARD_FAULTS",
            "NETWORK",
            "REGISTRY",
        ];
        if !matches!(text, "q" | "c" | "s" | "p") && !KINDS.contains(&text) {
            self.fail(word, "names nothing to trace", "remove it");
        }
    }

    fn buffer(&mut self, word: &Word, text: &str) {
        if matches!(text, "" | "r") {
            return;
        }
        let size = text.split(',').next().unwrap_or_default();
        if let Some(bytes) = self.size(word, size) {
            self.target.buffer = bytes;
            if bytes == 0 {
                self.fail(word, "is a buffer of 0 bytes", "write a size of at least -b");
            }
        }
    }

    fn close(mut self, targets: &[&Word]) -> Option<Profile> {
        if targets.is_empty() {
            let last = self.given.last().map_or_else(|| word_origin(1, "diskspd"), |(_, origin)| origin.clone());
            self.out.fail(
                &last,
                "is followed by no target",
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
