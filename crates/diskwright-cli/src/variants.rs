//! `--seeds 1..8` and `--sweep iodepth=1,2,4`: which runs to make, and making them on several threads.

use dw_error::{Error, Result};
use dw_formats::fio;

use crate::cli::SimulateArgs;

/// More runs than anyone waits for.
const MOST: usize = 10_000;

/// One run to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// fio options and their values.
    pub options: Vec<(String, String)>,
    /// The seed, when seeds are swept.
    pub seed: Option<u64>,
}

impl Variant {
    /// What sets it apart, for reports.
    pub fn set(&self) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| ("seed".to_string(), seed.to_string()));
        self.options.iter().cloned().chain(seed).collect()
    }
}

/// Every combination of the swept values and seeds, the last varying fastest; a single plain run without any.
pub fn from_args(args: &SimulateArgs) -> Result<Vec<Variant>> {
    let mut variants = vec![Variant { options: Vec::new(), seed: None }];
    for sweep in &args.sweep {
        let (name, values) = parse_sweep(sweep)?;
        if variants.iter().any(|v| v.options.iter().any(|(swept, _)| *swept == name)) {
            return Err(
                Error::usage(format!("`--sweep` names `{name}` twice")).hint("write all its values in one of them")
            );
        }
        variants = variants
            .iter()
            .flat_map(|v| {
                values.iter().map(|value| {
                    let mut next = v.clone();
                    next.options.push((name.clone(), value.clone()));
                    next
                })
            })
            .collect();
        limit(variants.len())?;
    }
    if let Some(text) = &args.seeds {
        let seeds = parse_seeds(text)?;
        limit(variants.len().saturating_mul(seeds.len()))?;
        variants =
            variants.iter().flat_map(|v| seeds.iter().map(|&seed| Variant { seed: Some(seed), ..v.clone() })).collect();
    }
    Ok(variants)
}

fn limit(runs: usize) -> Result<()> {
    if runs <= MOST {
        return Ok(());
    }
    Err(Error::usage(format!("{runs} runs exceed the maximum of {MOST}")).hint("sweep fewer values or seeds at once"))
}

fn parse_sweep(text: &str) -> Result<(String, Vec<String>)> {
    let bad = |what: String, hint: &str| Error::usage(format!("`--sweep {text}`: {what}")).hint(hint);
    let example = "write an option of fio and its values, for example `--sweep iodepth=1,2,4`";
    let Some((name, values)) = text.split_once('=') else {
        return Err(bad("there is no `=`".to_string(), example));
    };
    let name = name.trim().trim_start_matches('-');
    let Some(option) = fio::command_line_option(name) else {
        let hint = match fio::nearest_option(name) {
            Some(near) => format!("did you mean `{near}`?"),
            None => example.to_string(),
        };
        return Err(bad(format!("fio has no option `{name}`"), &hint));
    };
    let values: Vec<String> = values.split(',').map(|v| v.trim().to_string()).collect();
    if values.iter().any(String::is_empty) {
        let what = if values.len() == 1 { "there is no value" } else { "a value is empty: remove the extra comma" };
        return Err(bad(what.to_string(), example));
    }
    Ok((option.name.to_string(), values))
}

fn parse_seeds(text: &str) -> Result<Vec<u64>> {
    let range = text.split_once("..").and_then(|(a, b)| {
        Some((a.trim().parse::<u64>().ok()?, b.trim().trim_start_matches('=').parse::<u64>().ok()?))
    });
    match range {
        Some((first, last)) if first <= last => {
            limit(usize::try_from(last - first).unwrap_or(usize::MAX).saturating_add(1))?;
            Ok((first..=last).collect())
        }
        Some((last, first)) => Err(Error::usage(format!("`--seeds {text}` ends before it begins"))
            .hint(format!("write the lower one first: `--seeds {first}..{last}`"))),
        None => {
            let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let is_too_large = text.split_once("..").is_some_and(|(a, b)| is_number(a.trim()) && is_number(b.trim()));
            let what = if is_too_large { "is too large" } else { "is not a range of seeds" };
            Err(Error::usage(format!("`--seeds {text}` {what}"))
                .hint("write the first and the last, for example `--seeds 1..8`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser as _;

    fn check(args: &str) -> Result<Vec<String>, String> {
        let all = ["diskwright", "simulate", "r", "j"].into_iter().chain(args.split(' '));
        let Command::Simulate(args) = Cli::parse_from(all).command else { unreachable!() };
        let variants = from_args(&args).map_err(|error| error.to_string())?;
        let show = |v: &Variant| v.set().iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(" ");
        Ok(variants.iter().map(show).collect())
    }

    #[test]
    fn combinations_come_in_order_the_last_fastest() {
        let expected = ["iodepth=1 bs=4k", "iodepth=1 bs=8k", "iodepth=2 bs=4k", "iodepth=2 bs=8k"];
        assert_eq!(check("--sweep iodepth=1,2 --sweep blocksize=4k,8k").unwrap(), expected);
        assert_eq!(check("--seeds 3..5").unwrap(), ["seed=3", "seed=4", "seed=5"]);
        assert_eq!(check("-q").unwrap(), [""]);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_an_example() {
        for args in [
            "--sweep iodepth",
            "--sweep iodpeth=1",
            "--sweep iodepth=",
            "--sweep iodepth=1,,2",
            "--sweep iodepth=1,2,",
            "--sweep iodepth=1 --sweep iodepth=2",
            "--sweep bs=4k --sweep blocksize=8k",
            "--seeds 5..3",
            "--seeds 7",
            "--seeds 1..99999",
        ] {
            let message = check(args).unwrap_err();
            assert!(message.contains("hint: "), "{message}");
        }
        assert!(check("--sweep iodpeth=1").unwrap_err().contains("did you mean `iodepth`?"));
    }
}
