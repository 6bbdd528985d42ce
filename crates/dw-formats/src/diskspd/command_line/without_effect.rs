//! Switches that change nothing here, and what must be right in them all the same.

use super::super::words::Word;
use super::Line;

/// Switches that change nothing here, with the reason.
pub(super) const IGNORED: [(char, &str, &str); 10] = [
    ('a', "-a", "CPUs are not modelled"),
    ('n', "-n", "CPUs are not modelled"),
    ('D', "-D", "it affects only the report; use --series"),
    ('e', "-e", "tracing has no effect here"),
    ('l', "-l", "the kind of memory has no effect here"),
    ('P', "-P", "it affects only the report"),
    ('R', "-R", "it affects only the report; use --output-format"),
    ('v', "-v", "it affects only the report"),
    ('y', "-y", "nothing is synchronised with"),
    ('Z', "-Z", "the written data has no effect here"),
];

impl Line<'_, '_> {
    pub(super) fn affinity(&mut self, word: &Word, text: &str) {
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
            self.fail(word, "is not a list of CPUs", "write for example -a0,1,2 or -ag0,0,1,g1,0,1");
        }
    }

    pub(super) fn tracing(&mut self, word: &Word, text: &str) {
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
}
