//! Where requests go and how fast: `-B`, `-f`, `-r`, `-s`, `-g`.

use super::super::distribution;
use super::super::number::{SIZE_HINT, size_and_rest};
use super::super::spec::Throughput;
use super::super::word_origin;
use super::super::words::Word;
use super::Line;

impl Line<'_, '_> {
    pub(super) fn base(&mut self, word: &Word, text: &str) {
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

    pub(super) fn end(&mut self, word: &Word, end: u64) {
        if self.ended {
            self.fail(word, "gives the end a second time", "write -f<end> or -B<base>:<length>, once");
        }
        self.ended = true;
        self.target.end = end;
    }

    pub(super) fn end_or_hint(&mut self, word: &Word, text: &str) {
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
                "hints to the file cache have no effect here",
                &word_origin(word.number, &word.text),
            );
        }
    }

    pub(super) fn throughput(&mut self, word: &Word, text: &str) {
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

    pub(super) fn random(&mut self, word: &Word, text: &str) {
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

    pub(super) fn sequential(&mut self, word: &Word, text: &str) {
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
}
