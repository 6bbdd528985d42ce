//! Findings that somebody accepts: by whom, why, and until when.
//!
//! ```toml
//! [[waiver]]
//! code = "DW301"
//! machine = "sql-*"          # optional; `*` stands for any letters
//! disk = "data*"             # optional
//! owner = "dba@example.com"
//! reason = "scratch data, rebuilt in an hour"
//! until = "2027-03-31"       # the last day
//! ```
//!
//! One whose last day has passed waives nothing and is a finding of its own (DW001), as is one that fits no finding (DW002).

use dw_documents::audit::{Confidence, Finding, Level};
use dw_error::{Error, Result};
use dw_messages::say;
use serde::Deserialize;

#[derive(Clone, Debug, Default)]
pub struct Waivers {
    file: String,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Row>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    code: String,
    machine: Option<String>,
    disk: Option<String>,
    owner: String,
    reason: String,
    until: String,
}

impl Waivers {
    pub fn read(name: &str, text: &str) -> Result<Waivers> {
        let file: File = toml::from_str(text).map_err(|e| {
            let line = e.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            let hint = "`[[waiver]]` with `code`, `owner`, `reason`, `until`, and perhaps `machine` and `disk`";
            Error::input(e.message().to_string()).hint(hint).at(name, line as u64)
        })?;
        for row in &file.waiver {
            let is_day = is_day(&row.until);
            let at = text.find(&row.until).map_or(1, |at| 1 + text[..at].matches('\n').count());
            let empty =
                [("owner", &row.owner), ("reason", &row.reason)].into_iter().find(|(_, text)| text.trim().is_empty());
            if !is_day {
                let what = format!("`{}` is not a day", row.until);
                return Err(Error::input(what).hint("write the last day as `2027-03-31`").at(name, at as u64));
            }
            if !crate::rules().any(|rule| rule.code.eq_ignore_ascii_case(&row.code)) {
                let at = text.find(&row.code).map_or(1, |at| 1 + text[..at].matches('\n').count());
                let what = format!("no rule is called `{}`", row.code);
                return Err(Error::input(what).hint(crate::near_rules(&row.code.to_uppercase())).at(name, at as u64));
            }
            if let Some((key, _)) = empty {
                return Err(Error::input(format!("a waiver of {} has no {key}", row.code))
                    .hint("say who accepts it, and why")
                    .of_file(name));
            }
        }
        Ok(Waivers { file: name.into(), rows: file.waiver })
    }

    /// Marks what is waived, and adds what is wrong with waivers.
    pub fn apply(&self, findings: &mut Vec<Finding>, today: Option<&str>) {
        let mut own = Vec::new();
        for row in &self.rows {
            let fits = |finding: &Finding| {
                let is = |pattern: &Option<String>, name: &str| {
                    pattern.as_ref().is_none_or(|pattern| matches(pattern, name))
                };
                row.code.eq_ignore_ascii_case(&finding.code)
                    && is(&row.machine, &finding.machine)
                    && is(&row.disk, &finding.disk)
            };
            let is_over = today.is_some_and(|today| row.until.as_str() < today);
            let mut fitting = findings.iter_mut().filter(|finding| fits(finding)).peekable();
            let (code, until) = (row.code.to_uppercase(), row.until.clone());
            let finding = |code: &str, level, says| Finding {
                code: code.into(),
                level,
                machine: row.machine.clone().unwrap_or_default(),
                machine_id: String::new(),
                disk: row.disk.clone().unwrap_or_default(),
                disk_id: String::new(),
                file: self.file.clone(),
                says,
                seen: None,
                remedy: None,
                monthly: None,
                monthly_after: None,
                prices_of: None,
                confidence: Confidence::Certain,
                sources: Vec::new(),
                waived: None,
            };
            if is_over {
                own.push(finding(
                    "DW001",
                    Level::Warning,
                    say!(EstateWaiverOver { code, owner: row.owner.clone(), until, reason: row.reason.clone() }),
                ));
            } else if fitting.peek().is_none() {
                own.push(finding("DW002", Level::Note, say!(EstateWaiverUnused { code, owner: row.owner.clone() })));
            } else {
                fitting
                    .for_each(|one| one.waived = Some(format!("{}, until {}: {}", row.owner, row.until, row.reason)));
            }
        }
        findings.extend(own);
    }
}

/// `2027-03-31`, of a month that has that day.
fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let number = |text: &str, digits: usize| {
        (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit()))
            .then(|| text.parse::<u32>().ok())
            .flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=last).contains(&day)
}

/// Whether a name fits a pattern with `*`; unlike a size's name it is taken as it is.
pub fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}
