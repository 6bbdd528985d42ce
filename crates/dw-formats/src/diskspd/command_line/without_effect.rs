//! Switches that change nothing here, and what must be right in them all the same.

use super::super::words::Word;
use super::Line;

/// Switches that change nothing here, with the reason.
pub(super) const IGNORED: [(char, &str, &str); 10] = [
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
            self.fail(word, "is not a list of processors", "write for example -a0,1,2 or -ag0,0,1,g1,0,1");
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
