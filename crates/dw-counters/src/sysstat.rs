//! The line that iostat, sar and vmstat's cousins begin with.

use dw_observe::{Common, Fact};

use super::CounterError;
use super::error::shown;
use super::input::words;
use super::number::whole;
use super::out::Out;

/// What a banner says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Banner<'a> {
    pub kernel: Option<&'a [u8]>,
    pub machine: Option<&'a [u8]>,
    /// One word, or three in Korean.
    pub date: Option<&'a [u8]>,
    pub cpus: Option<u32>,
    /// What stands there instead of their number.
    pub no_cpus: Option<&'a [u8]>,
}

impl Banner<'_> {
    /// Passes on what it says of the machine's kernel and processors.
    pub fn facts(&self, number: u64, common: &Common, out: &mut Out<'_>) -> Result<(), CounterError> {
        if let Some(kernel) = self.kernel {
            let kernel = out.name(kernel);
            out.fact(number, common, Fact::Kernel(kernel));
        }
        if let Some(cpus) = self.cpus {
            out.fact(number, common, Fact::Cpus(cpus));
        }
        self.no_cpus.map_or(Ok(()), |word| no_processors(word, number, out))
    }
}

/// How many processors a word says that there are.
pub(super) fn processors(word: &[u8]) -> Option<u32> {
    whole(word).and_then(|count| u32::try_from(count).ok()).filter(|&count| count > 0)
}

/// A word that does not say it.
pub(super) fn no_processors(word: &[u8], number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
    let what = format!("`{}` is not a number of CPUs", shown(word));
    out.fault(number, what, "the number of CPUs is not taken from this line".into())
}

/// `Linux 5.8.0-53-generic (ubuntu)  12/02/2021  _x86_64_  (2 CPU)`, with tabs between the columns
pub(super) fn banner(line: &[u8]) -> Banner<'_> {
    let open = line.iter().position(|&b| b == b'(');
    let close = line.iter().position(|&b| b == b')');
    let machine = open.zip(close).filter(|(open, close)| open + 1 < *close).map(|(open, close)| &line[open + 1..close]);
    let after = close.map_or(&line[line.len()..], |close| &line[close + 1..]);
    let number = after.iter().rposition(|&b| b == b'(').map(|at| words(&after[at + 1..]).next().unwrap_or_default());
    let cpus = number.and_then(processors);
    let no_cpus = number.filter(|_| cpus.is_none());
    // The processor's kind begins with an underscore, their number with a bracket.
    let end = after.iter().position(|b| matches!(b, b'_' | b'(')).unwrap_or(after.len());
    let date = Some(after[..end].trim_ascii()).filter(|date| !date.is_empty());
    Banner { kernel: words(line).nth(1), machine, date, cpus, no_cpus }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_banner_is_taken_apart() {
        let line = b"Linux 5.8.0-53-generic (ubuntu) \t12/02/2021 \t_x86_64_\t(2 CPU)";
        let (kernel, machine, date) = (&b"5.8.0-53-generic"[..], &b"ubuntu"[..], &b"12/02/2021"[..]);
        let expected =
            Banner { kernel: Some(kernel), machine: Some(machine), date: Some(date), cpus: Some(2), no_cpus: None };
        assert_eq!(banner(line), expected);
        assert_eq!(
            banner(b"Linux 2.6.9 (h)  05/17/07"),
            Banner { kernel: Some(b"2.6.9"), machine: Some(b"h"), date: Some(b"05/17/07"), cpus: None, no_cpus: None }
        );
        assert_eq!(banner(b"Linux 5 (h) 12/02/2021 _x86_64_ (x2 CPU)").no_cpus, Some(&b"x2"[..]));
        let korean = "Linux 5.4.0 (h) \t2026\u{b144} 11\u{c6d4} 21\u{c77c} \t_x86_64_\t(8 CPU)";
        let date = "2026\u{b144} 11\u{c6d4} 21\u{c77c}".as_bytes();
        assert_eq!(banner(korean.as_bytes()).date, Some(date));
        assert_eq!(banner(b"Linux"), Banner::default());
    }
}
