//! `${NAME}` from the environment, `$pagesize`, `$mb_memory`, `$ncpus`, and arithmetic with them.
//!
//! fio pipes a value that holds one of the three words and one of `+ - * /` through `bc` in a shell. Here the same integer
//! arithmetic (`+ - * / % ^`, parentheses, division towards zero) is evaluated in place; nothing is ever executed.
//!
//! Stricter than fio: an unset variable, which fio replaces by nothing, and `$(...)`, which fio leaves as it stands, are
//! errors.

use super::value::Fault;

/// What fio knows of the machine it runs on: here, of the machine that is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keywords {
    /// `$pagesize`: bytes in a page of memory.
    pub page_size: u64,
    /// `$mb_memory`: MiB of memory, if known.
    pub mb_memory: Option<u64>,
    /// `$ncpus`: processors, if known.
    pub ncpus: Option<u64>,
}

impl Default for Keywords {
    fn default() -> Self {
        Keywords { page_size: 4_096, mb_memory: None, ncpus: None }
    }
}

/// The line with everything replaced.
pub(crate) fn substitute(
    line: &str,
    env: &dyn Fn(&str) -> Option<String>,
    keywords: Keywords,
) -> Result<String, Fault> {
    if line.contains("$(") || line.contains('`') {
        return Err(Fault::new(
            "holds a shell substitution, which fio does not know and which is never executed here",
            "write the value itself, or use `${NAME}` and set NAME in the environment",
        ));
    }
    let line = variables(line, env)?;
    let (line, found) = words(&line, keywords)?;
    match line.split_once('=') {
        Some((name, value)) if found && value.contains(['+', '-', '*', '/']) && !value.contains('\'') => {
            let value = Sum::parse(value).ok_or_else(|| {
                Fault::new(
                    "is not arithmetic that `bc` would understand",
                    "write whole numbers and + - * / ( ), without units",
                )
            })?;
            Ok(format!("{name}={value}"))
        }
        _ => Ok(line),
    }
}

fn variables(line: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<String, Fault> {
    let mut out = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("${") {
        let Some(end) = rest[start..].find('}') else { break };
        let name = &rest[start + 2..start + end];
        let Some(value) = env(name) else {
            return Err(Fault::new(
                format!("uses the variable {name}, which is not set; fio would replace it by nothing"),
                format!("set it, for example `{name}=... diskwright simulate ...`"),
            ));
        };
        out.push_str(&rest[..start]);
        // One line stays one line.
        out.extend(value.chars().filter(|c| !matches!(c, '\n' | '\r')));
        rest = &rest[start + end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

fn words(line: &str, keywords: Keywords) -> Result<(String, bool), Fault> {
    let mut line = line.to_string();
    let mut found = false;
    for (word, value) in
        [("$pagesize", Some(keywords.page_size)), ("$mb_memory", keywords.mb_memory), ("$ncpus", keywords.ncpus)]
    {
        if line.contains(word) {
            let Some(value) = value else {
                return Err(Fault::new(
                    format!("uses `{word}`, which is not known for this machine"),
                    "write the number",
                ));
            };
            found = true;
            line = line.replace(word, &value.to_string());
        }
    }
    Ok((line, found))
}

/// A sum being read, by recursive descent.
struct Sum<'a> {
    rest: &'a [u8],
    depth: u32,
}

impl Sum<'_> {
    fn parse(text: &str) -> Option<i128> {
        let mut sum = Sum { rest: text.as_bytes(), depth: 0 };
        let value = sum.terms()?;
        (sum.peek().is_none()).then_some(value)
    }

    fn peek(&mut self) -> Option<u8> {
        while let [b' ' | b'\t', rest @ ..] = self.rest {
            self.rest = rest;
        }
        self.rest.first().copied()
    }

    fn take(&mut self, wanted: &[u8]) -> Option<u8> {
        let next = self.peek().filter(|c| wanted.contains(c))?;
        self.rest = &self.rest[1..];
        Some(next)
    }

    fn terms(&mut self) -> Option<i128> {
        let mut value = self.factors()?;
        while let Some(sign) = self.take(b"+-") {
            let next = self.factors()?;
            value = if sign == b'+' { value.checked_add(next)? } else { value.checked_sub(next)? };
        }
        Some(value)
    }

    fn factors(&mut self) -> Option<i128> {
        let mut value = self.power()?;
        while let Some(sign) = self.take(b"*/%") {
            let next = self.power()?;
            value = match sign {
                b'*' => value.checked_mul(next)?,
                b'/' => value.checked_div(next)?,
                _ => value.checked_rem(next)?,
            };
        }
        Some(value)
    }

    fn power(&mut self) -> Option<i128> {
        let base = self.atom()?;
        if self.take(b"^").is_none() {
            return Some(base);
        }
        // `bc` reads 2^3^2 as 2^(3^2).
        self.descend()?;
        let exponent = self.power()?;
        self.depth -= 1;
        base.checked_pow(u32::try_from(exponent).ok()?)
    }

    fn atom(&mut self) -> Option<i128> {
        match self.peek()? {
            b'(' | b'-' => {
                self.descend()?;
                let value = if self.take(b"-").is_some() {
                    self.atom()?.checked_neg()?
                } else {
                    self.take(b"(");
                    let value = self.terms()?;
                    self.take(b")")?;
                    value
                };
                self.depth -= 1;
                Some(value)
            }
            _ => {
                let digits = self.rest.iter().take_while(|c| c.is_ascii_digit()).count();
                let value = std::str::from_utf8(&self.rest[..digits]).ok()?.parse().ok()?;
                self.rest = &self.rest[digits..];
                Some(value)
            }
        }
    }

    /// Bounds the recursion: a line of parentheses must not overflow the stack.
    fn descend(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth < 100).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let env = |name: &str| (name == "BS").then(|| "8k".to_string());
        let keywords = Keywords { page_size: 4_096, mb_memory: Some(7_168), ncpus: Some(2) };
        let result = substitute(line, &env, keywords).unwrap_or_else(|fault| format!("error: {}", fault.what));
        assert_eq!(result, expected, "{line}");
    }

    #[test]
    fn variables_and_words_are_replaced() {
        check("bs=${BS}", "bs=8k");
        check("bs=${BS}:${BS}", "bs=8k:8k");
        check("size=${SIZE}m", "error: uses the variable SIZE, which is not set; fio would replace it by nothing");
        check("bs=${BS", "bs=${BS");
        check("size=8*$mb_memory", "size=57344");
        check("numjobs=$ncpus", "numjobs=2");
        check("size=($mb_memory-1)*2/3", "size=4778");
        check("size=-$pagesize+2^3^2", "size=-3584");
        check("size=8k*$pagesize", "error: is not arithmetic that `bc` would understand");
        check("size=$pagesize/0", "error: is not arithmetic that `bc` would understand");
        check("filename_format=f.$jobnum", "filename_format=f.$jobnum");
        check(
            "size=$(cat x)",
            "error: holds a shell substitution, which fio does not know and which is never executed here",
        );
    }

    #[test]
    fn a_deep_sum_is_refused_instead_of_overflowing_the_stack() {
        let deep = format!("size={}$pagesize+1", "(".repeat(5_000));
        assert!(substitute(&deep, &|_| None, Keywords::default()).is_err());
        assert!(
            substitute(&format!("size=2{}+$pagesize", "^2".repeat(4_000)), &|_| None, Keywords::default()).is_err()
        );
    }
}
