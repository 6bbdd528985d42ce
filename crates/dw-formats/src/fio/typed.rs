//! One option's value by the kind that the table gives it, before it means anything.

use dw_workload::PerDirection;

use super::option_table::{Kind, OptionInfo};
use super::value::{Amount, Fault, Reading};

/// Longer than any run; keeps sums of times within 64 bits of nanoseconds.
const CENTURY_US: u64 = 100 * 366 * 86_400 * 1_000_000;

/// A value of the kind that its option takes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'t> {
    Text(&'t str),
    /// A word of the table, and what follows a `:`.
    Word(&'static str, Option<&'t str>),
    /// Also times, in microseconds.
    Number(u64),
    /// `None` = this direction was not named and stays as it was.
    Directions(PerDirection<Option<u64>>),
    Amount(Amount),
    /// The ends of a range; twice the same without a range.
    Pair(u64, u64),
    Flag(bool),
    Floats(Vec<f64>),
    Ranges(PerDirection<Option<(u64, u64)>>),
}

/// Reads `text` as what `option` takes; `None` = bare, without `=`.
pub(crate) fn read<'t>(option: &OptionInfo, text: Option<&'t str>, reading: &Reading) -> Result<Value<'t>, Fault> {
    let Some(text) = text else {
        return match option.kind {
            Kind::Set | Kind::Unused => Ok(Value::Flag(true)),
            Kind::OptionalText => Ok(Value::Text("")),
            _ => Err(Fault::new("needs a value", format!("write `{}=...`", option.name))),
        };
    };
    if text.trim().is_empty() && option.kind != Kind::OptionalText {
        return Err(Fault::new(
            "has no value after the `=`",
            format!("write `{}=...` or remove the line", option.name),
        ));
    }
    match &option.kind {
        Kind::Text if text.starts_with([' ', '\t']) && !reading.blanks_as_fio && !blank_is_harmless(option.name) => {
            Err(Fault::new(
                "has a space after `=`, which becomes part of the value",
                "remove the space, or reproduce fio with `--fio-blank-values=as-fio`",
            ))
        }
        Kind::Text | Kind::OptionalText | Kind::Unused => Ok(Value::Text(text)),
        Kind::Choice(words) => reading.word(text, words).map(|(word, rest)| Value::Word(word, rest)),
        Kind::Bool if text.trim().parse::<i64>().is_ok_and(|n| n > 1) => {
            Err(Fault::new("is more than 1, which fio refuses", "write 0 or 1"))
        }
        Kind::Bool | Kind::Set => reading.boolean(text).map(Value::Flag),
        Kind::Percent => reading.amount(text).map(Value::Amount),
        Kind::Floats => reading.floats(text).map(Value::Floats),
        Kind::Range => directions(text, option, |part| range(option, part, reading)).map(Value::Ranges),
        Kind::U32 | Kind::U64 | Kind::Seconds | Kind::Micros if option.per_direction => {
            directions(text, option, |part| number(option, part, reading)).map(Value::Directions)
        }
        Kind::I32 => signed(option, text, reading).map(Value::Number),
        Kind::U32 | Kind::U64 | Kind::Seconds | Kind::Micros if option.ranged => pair(option, text, reading),
        Kind::U32 | Kind::U64 | Kind::Seconds | Kind::Micros => number(option, text, reading).map(Value::Number),
    }
}

/// Text that fio itself strips.
fn blank_is_harmless(name: &str) -> bool {
    matches!(name, "filename" | "bssplit" | "description" | "replay_skip" | "ignore_error")
}

/// A number of 32 bits; one below zero is what it is without a sign.
fn signed(option: &OptionInfo, text: &str, reading: &Reading) -> Result<u64, Fault> {
    let Some(digits) = text.strip_prefix('-') else { return number(option, text, reading) };
    let below = reading.number(digits)?;
    match u32::try_from(below).ok().filter(|n| *n <= i32::MAX as u32) {
        Some(n) => Ok(u64::from(n.wrapping_neg())),
        None => Err(Fault::new("does not fit into 32 bits", "write a number closer to zero")),
    }
}

fn number(option: &OptionInfo, text: &str, reading: &Reading) -> Result<u64, Fault> {
    let value = match option.kind {
        Kind::Seconds => reading.time(text, true)?,
        Kind::Micros => reading.time(text, false)?,
        _ => reading.number(text)?,
    };
    if matches!(option.kind, Kind::Seconds | Kind::Micros) && value > CENTURY_US {
        return Err(Fault::new("is longer than a century", "write a shorter time"));
    }
    let max = option.max.unwrap_or(if option.kind == Kind::U32 { u64::from(u32::MAX) } else { u64::MAX });
    if value > max {
        return Err(Fault::new(format!("is more than {max}"), format!("write at most {max}")));
    }
    match option.min {
        Some(min) if value < min => Err(Fault::new(format!("is less than {min}"), format!("write at least {min}"))),
        _ => Ok(value),
    }
}

/// `read,write,trim`: a last value without a comma after it goes for the directions that follow.
fn directions<T: Clone>(
    text: &str,
    option: &OptionInfo,
    read: impl Fn(&str) -> Result<T, Fault>,
) -> Result<PerDirection<Option<T>>, Fault> {
    let parts = parted(text, option);
    if parts.len() > 3 {
        return Err(Fault::new(
            "has more than three values, of which fio drops the rest",
            "write one value each for reads, writes and trims",
        ));
    }
    let mut values = [None, None, None];
    for (value, part) in values.iter_mut().zip(&parts) {
        if !part.trim().is_empty() {
            *value = Some(read(part)?);
        }
    }
    if values.iter().all(Option::is_none) {
        return Err(Fault::new(
            "holds no value",
            "write one value each for reads, writes and trims, separated by commas",
        ));
    }
    let last = values[parts.len() - 1].clone();
    values[parts.len()..].fill(last);
    let [read, write, trim] = values;
    Ok(PerDirection { read, write, trim })
}

fn range(option: &OptionInfo, text: &str, reading: &Reading) -> Result<(u64, u64), Fault> {
    let Some((low, high)) = text.split_once('-').or_else(|| text.split_once(':')) else {
        return Err(Fault::new(
            "is not a range",
            format!("write `{0}=4k-64k`, or `bs={text}` for one size", option.name),
        ));
    };
    let (low, high) = (number(option, low, reading)?, number(option, high, reading)?);
    if low > high {
        return Err(Fault::new("has its larger end first, which fio swaps silently", "write the smaller end first"));
    }
    Ok((low, high))
}

fn pair<'t>(option: &OptionInfo, text: &str, reading: &Reading) -> Result<Value<'t>, Fault> {
    let Some((low, high)) = text.split_once('-') else {
        return number(option, text, reading).map(|n| Value::Pair(n, n));
    };
    if option.kind == Kind::Seconds && low.ends_with(|c: char| c.is_ascii_alphabetic()) {
        // fio looks for the unit at the end of the whole text, does not know `s-10s`, and takes microseconds.
        return Err(Fault::new(
            "has a unit on the lower end of its range, which fio reads as microseconds",
            "write the lower end in plain seconds, for example `5-10s`",
        ));
    }
    let (low, high) = (number(option, low, reading)?, number(option, high, reading)?);
    if low > high {
        return Err(Fault::new("has its larger end first", "write the smaller end first"));
    }
    Ok(Value::Pair(low, high))
}

/// The values of `read,write,trim`. What follows the last comma may be parted by `:` or else by `-`, which fio takes for commas:
/// to it `4k-16k` is 4 KiB for reads and 16 KiB for the rest. Ranges have those signs for themselves.
fn parted<'t>(text: &'t str, option: &OptionInfo) -> Vec<&'t str> {
    let mut parts: Vec<&str> = text.split(',').collect();
    let last = if parts.len() > 1 && parts[parts.len() - 1].is_empty() { parts.len() - 2 } else { parts.len() - 1 };
    let sign = [':', '-'].into_iter().find(|sign| parts[last].trim_start().get(1..).is_some_and(|p| p.contains(*sign)));
    if let Some(sign) = sign.filter(|_| option.kind != Kind::Range) {
        let more: Vec<&str> = parts[last].split(sign).collect();
        parts.splice(last..=last, more);
    }
    parts
}

/// Whether a value looks like a range and is one value each for reads and for writes.
pub(crate) fn looks_like_a_range(option: &OptionInfo, text: &str) -> bool {
    option.per_direction && option.kind != Kind::Range && parted(text, option).len() > text.split(',').count()
}

/// Digits in groups as people write them, `1,500` or `64,000`: the two values that fio makes of them. A pair of rates that is meant,
/// such as `700,300`, looks otherwise: fewer than 100 reads beside hundreds of writes, or a leading zero, nobody asks for.
pub(crate) fn thousands<'t>(option: &OptionInfo, text: &'t str) -> Option<(&'t str, &'t str)> {
    let is_count = option.per_direction && matches!(option.kind, Kind::U32 | Kind::U64);
    let (first, rest) = text.trim().split_once(',').filter(|_| is_count)?;
    let is_digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let is_grouped = rest.split(',').all(|group| group.len() == 3 && is_digits(group));
    let is_first = (1..=3).contains(&first.len()) && is_digits(first) && !first.starts_with('0');
    let is_odd = first.len() < 3 || rest.starts_with('0');
    (is_first && is_grouped && is_odd).then(|| (first, rest.split(',').next().unwrap_or(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_in_groups_are_told_from_a_value_for_each_direction() {
        let cases = [
            ("rate_iops=1,500", Some(("1", "500"))),
            ("bs=4,096", Some(("4", "096"))),
            ("rate=1,000,000", Some(("1", "000"))),
            ("rate_iops=64,000", Some(("64", "000"))),
            ("rate_iops=100,050", Some(("100", "050"))),
            ("rate_iops=700,300", None),
            ("rate_iops=1500,500", None),
            ("rate_iops=5,50", None),
            ("bs=4k,64k", None),
            ("bs=4096", None),
            ("rate_iops=,500", None),
            ("bsrange=4k-8k,100", None),
            ("iodepth=1,500", None),
        ];
        for (line, expected) in cases {
            let (name, text) = line.split_once('=').unwrap();
            assert_eq!(thousands(OptionInfo::find(name).unwrap(), text), expected, "{line}");
        }
    }

    fn check(line: &str, expected: &str) {
        let (name, text) = line.split_once('=').map_or((line, None), |(n, t)| (n, Some(t)));
        let option = OptionInfo::find(name).unwrap();
        let shown = match read(option, text, &Reading::default()) {
            Ok(Value::Directions(d)) => {
                format!("{:?} {:?} {:?}", d.read, d.write, d.trim).replace("Some(", "").replace(')', "")
            }
            Ok(Value::Ranges(d)) => {
                format!("{:?} {:?} {:?}", d.read, d.write, d.trim).replace("Some(", "").replace("))", ")")
            }
            Ok(value) => format!("{value:?}"),
            Err(fault) => format!("error: {}", fault.what),
        };
        assert_eq!(shown, expected, "{line}");
    }

    /// What fio 3.33 prints as its block sizes and rates.
    #[test]
    fn values_of_directions() {
        check("bs=4k", "4096 4096 4096");
        check("bs=4k,8k", "4096 8192 8192");
        check("bs=4k,8k,", "4096 8192 None");
        check("bs=,8k", "None 8192 8192");
        check("bs=8k,", "8192 None None");
        check("bs=4k,,8k", "4096 None 8192");
        check("bs=,,8k", "None None 8192");
        check("rate_iops=700,300", "700 300 300");
        check("rate=8MiB,", "8000000 None None");
        check("bs=4k-16k", "4096 16384 16384");
        check("bs=4k:16k", "4096 16384 16384");
        check("bs=4k-16k,", "4096 16384 None");
        check("bs=1k,8k-32k", "1024 8192 32768");
        check("rate_iops=-5", "error: is not a number");
        check("bs=4k,8q", "error: is not a number: fio reads 8");
        check("bs=1,2,3,4", "error: has more than three values, of which fio drops the rest");
        check("bs=,", "error: holds no value");
        check("bsrange=4k-64k", "(4096, 65536) (4096, 65536) (4096, 65536)");
        check("bsrange=512:1M,4k-8k", "(512, 1048576) (4096, 8192) (4096, 8192)");
        check("bsrange=64k-4k", "error: has its larger end first, which fio swaps silently");
        check("percentage_random=0,101,0", "error: is more than 100");
    }

    #[test]
    fn values_of_other_kinds() {
        check("iodepth=32", "Number(32)");
        check("iodepth=1k", "Number(1024)");
        check("iodepth=0", "error: is less than 1");
        check("iodepth=5000000000", "error: is more than 1048576");
        check("iodepth=4,8", "error: is not a number: fio reads 4");
        check("direct", "error: needs a value");
        check("direct=yes", "error: is neither 0 nor 1");
        check("time_based", "Flag(true)");
        check("time_based=0", "Flag(false)");
        check("time_based=", "error: has no value after the `=`");
        check("size=50%", "Amount(Percent(50))");
        check("size=150%", "error: is more than 100 %");
        check("size=12.5%", "error: is not a percentage");
        check("startdelay=5-10", "Pair(5000000, 10000000)");
        check("startdelay=5s-10s", "error: has a unit on the lower end of its range, which fio reads as microseconds");
        check("filesize=4k-16k", "Pair(4096, 16384)");
        check("thinktime=10ms", "Number(10000)");
        check("rw=READ", "error: is written in capitals, which fio refuses");
        check("rw=randread:8", "Word(\"randread\", Some(\"8\"))");
        check("percentile_list=99:99.9", "Floats([99.0, 99.9])");
        check("percentile_list=99,99.9", "error: has `99,99.9` where a number is expected");
        check("write_bw_log", "Text(\"\")");
    }
}
