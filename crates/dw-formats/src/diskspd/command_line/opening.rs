//! How targets are opened and what is written to them: `-S`, `-h`, `-Z`.
//!
//! DiskSpd for Linux says `d` (O_DIRECT) and `s` (O_SYNC) where Windows says `u` and `w`.

use super::super::spec::Cache;
use super::super::words::Word;
use super::Line;

impl Line<'_, '_> {
    pub(super) fn cache(&mut self, word: &Word, flags: &str) {
        self.note("-S", word);
        let flags = if flags.is_empty() { "u" } else { flags };
        for flag in flags.chars() {
            let conflict = match flag {
                'b' => self.take_cache(Cache::Cached),
                'r' => self.take_cache(Cache::Remote),
                'u' | 'd' => self.target.mapped || self.take_cache(Cache::Unbuffered),
                'h' => self.target.write_through || self.target.mapped || self.take_cache(Cache::Unbuffered),
                'w' | 's' => self.target.write_through,
                'm' => self.target.mapped || self.cached == Some(Cache::Unbuffered),
                _ => {
                    self.fail(
                        word,
                        format!("has the flag `{flag}`, which -S does not know"),
                        "write -S with some of b, h, m, r, u, w, or d and s as on Linux",
                    );
                    return;
                }
            };
            if conflict {
                return self.fail(
                    word,
                    format!("contradicts with `{flag}` an earlier caching flag"),
                    "write one -S, for example -Sh",
                );
            }
            self.target.write_through |= matches!(flag, 'h' | 'w' | 's');
            self.target.mapped |= flag == 'm';
        }
    }

    /// Sets how to cache; true when that had been said.
    pub(super) fn take_cache(&mut self, cache: Cache) -> bool {
        let said = self.cached.is_some();
        self.cached = Some(cache);
        said
    }

    pub(super) fn buffer(&mut self, word: &Word, text: &str) {
        // `z` and `s`, alone or with `r`, are of DiskSpd for Linux: zeros, and buffers of their own for reads and writes.
        if text.chars().all(|c| matches!(c, 'r' | 's' | 'z')) {
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
}
