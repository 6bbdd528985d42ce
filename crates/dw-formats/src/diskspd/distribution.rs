//! `-rd`: shares of the random requests and the parts of the target that get them.
//!
//! `pct90/10:0/10:5/20` is 90 % of the requests in the first 10 % of the target, none in the next 10 %, 5 % in the 20 % after
//! that, and the rest of the requests in the rest of the target. `abs` says the parts in bytes; parts beyond the end of the
//! target fall away, and the shares of the others grow.
//!
//! Ignores: how DiskSpd rounds parts that are smaller than one aligned request.

use dw_workload::Distribution;

use super::number::{SIZE_HINT, size_and_rest};

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ranges {
    /// Percentage of requests, percentage of the target.
    Percent(Vec<(u64, u64)>),
    /// Percentage of requests, bytes; 0 bytes as the last = to the end.
    Absolute(Vec<(u64, u64)>),
}

/// What is wrong, and what to do.
pub(crate) type Wrong = (String, String);

const EXAMPLE: &str = "write shares and parts, for example -rdpct90/10:10/90 or -rdabs90/10G:10/40G";

/// The text after `-rd`.
pub(crate) fn parse(text: &str, block: u64) -> Result<Ranges, Wrong> {
    let wrong = |what: &str| (what.to_string(), EXAMPLE.to_string());
    let (percent, mut rest) = match (text.strip_prefix("pct"), text.strip_prefix("abs")) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return Err(wrong("is not a distribution: there are `pct` and `abs`")),
    };
    let mut list = Vec::new();
    loop {
        let (share, after) = rest.split_once('/').ok_or_else(|| wrong("has a share without `/` and its part"))?;
        let share = share.parse::<u64>().ok().filter(|share| *share <= 100);
        let share = share.ok_or_else(|| wrong("has a share of requests that is not a whole percentage"))?;
        let (part, after) =
            size_and_rest(after, block).map_err(|e| (format!("has a part that {}", e.0), SIZE_HINT.into()))?;
        if part == 0 {
            return Err(wrong("has a part of zero length"));
        }
        list.push((share, part));
        match after.strip_prefix(':') {
            Some(more) => rest = more,
            None if after.is_empty() => break,
            None => return Err((format!("has `{after}` after a part"), EXAMPLE.into())),
        }
    }
    Ok(if percent { Ranges::Percent(list) } else { Ranges::Absolute(list) })
}

impl Ranges {
    /// What contradicts itself, for requests of `block` bytes.
    pub(crate) fn check(&self, block: u64) -> Result<(), Wrong> {
        let (Ranges::Percent(list) | Ranges::Absolute(list)) = self;
        let shares: u64 = list.iter().map(|r| r.0).fold(0, u64::saturating_add);
        if shares > 100 {
            return Err((
                format!("has shares of requests that come to {shares} %"),
                "let them come to at most 100".into(),
            ));
        }
        match self {
            Ranges::Percent(list) => {
                let parts: u64 = list.iter().map(|r| r.1).fold(0, u64::saturating_add);
                if parts > 100 {
                    return Err((
                        format!("has parts that come to {parts} % of the target"),
                        "let them come to at most 100".into(),
                    ));
                }
                if parts == 100 && shares < 100 {
                    let left = 100 - shares;
                    return Err((
                        format!("covers the target with {left} % of the requests left"),
                        "let the shares come to 100, or leave a part of the target for the rest".into(),
                    ));
                }
                Ok(())
            }
            Ranges::Absolute(list) => {
                let last = list.len().saturating_sub(1);
                match list.iter().enumerate().find(|(i, r)| r.1 < block && !(*i == last && r.1 == 0)) {
                    Some((_, range)) => Err((
                        format!("has a part of {} bytes, less than one request of {block}", range.1),
                        "write larger parts, or a smaller -b".into(),
                    )),
                    None => Ok(()),
                }
            }
        }
    }

    /// For a target of which `len` bytes are used; `None` when no part can take a request.
    pub(crate) fn over(&self, len: u64, block: u64) -> Option<Distribution> {
        match self {
            Ranges::Percent(list) => {
                let mut zones: Vec<(u8, u8)> = list.iter().map(|&(share, part)| (share as u8, part as u8)).collect();
                let (shares, parts) = sums(list);
                if parts < 100 {
                    zones.push(((100 - shares) as u8, (100 - parts) as u8));
                }
                Some(Distribution::Zoned(zones))
            }
            Ranges::Absolute(list) => {
                let mut parts = list.clone();
                let (shares, _) = sums(list);
                if shares < 100 {
                    parts.push((100 - shares, 0));
                }
                let mut zones: Vec<(u64, u64)> = Vec::new();
                let mut at = 0u64;
                for &(share, part) in &parts {
                    let left = len.saturating_sub(at);
                    let size = if part == 0 { left } else { part.min(left) };
                    if size < block {
                        break;
                    }
                    zones.push((share, size));
                    at += size;
                }
                let used: u64 = zones.iter().map(|z| z.0).sum();
                (used > 0).then(|| Distribution::ZonedAbsolute(to_hundred(&zones, used)))
            }
        }
    }
}

fn sums(list: &[(u64, u64)]) -> (u64, u64) {
    list.iter().fold((0, 0), |sum, r| (sum.0 + r.0, sum.1.saturating_add(r.1)))
}

/// Shares of `used` as whole percentages that come to 100.
fn to_hundred(zones: &[(u64, u64)], used: u64) -> Vec<(u8, u64)> {
    let mut sum = 0;
    let mut given = 0;
    let share = |&(share, size): &(u64, u64)| {
        sum += share;
        let upto = (sum * 100 + used / 2) / used;
        let own = upto - given;
        given = upto;
        (own as u8, size)
    };
    zones.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_parts() {
        let cases = [
            ("pct90/10:0/10:5/20", 1 << 30, Some(Distribution::Zoned(vec![(90, 10), (0, 10), (5, 20), (5, 60)]))),
            ("pct100/10", 1 << 30, Some(Distribution::Zoned(vec![(100, 10), (0, 90)]))),
            ("abs90/10M:10/10M", 1 << 30, Some(Distribution::ZonedAbsolute(vec![(90, 10 << 20), (10, 10 << 20)]))),
            (
                "abs10/1M:10/1M",
                100 << 20,
                Some(Distribution::ZonedAbsolute(vec![(10, 1 << 20), (10, 1 << 20), (80, 98 << 20)])),
            ),
            // The third part is beyond the end: the first two share the requests.
            ("abs10/1M:10/1M:80/1G", 2 << 20, Some(Distribution::ZonedAbsolute(vec![(50, 1 << 20), (50, 1 << 20)]))),
            ("abs0/1M:100/1M", 1 << 20, None),
        ];
        for (text, len, expected) in cases {
            let ranges = parse(text, 4_096).unwrap();
            ranges.check(4_096).unwrap();
            assert_eq!(ranges.over(len, 4_096), expected, "{text}");
        }
    }

    #[test]
    fn what_is_none() {
        for text in ["", "x", "pct", "pct90", "pct90/", "pct101/10", "pct90/0", "pct90/10x", "abs10/1Q", "pct90/10:"] {
            assert!(parse(text, 4_096).is_err(), "{text}");
        }
        for text in ["pct60/10:50/10", "pct50/60:50/60", "pct50/100", "abs50/1K:50/1M"] {
            assert!(parse(text, 4_096).unwrap().check(4_096).is_err(), "{text}");
        }
    }
}
