//! `--only`, `--commands`, `--patch`: findings out again.

use std::path::Path;

use diskwright::audit::out;
use dw_audit::matches;
use dw_documents::audit::{AuditDocument, Counts, Finding, Level};
use dw_error::{Error, Result, obeyed};
use dw_estate::Estate;

use super::AuditArgs;
use crate::{input, system};

/// Which findings are asked for; none of these: all.
pub struct Only(Vec<[String; 3]>);

/// `DW201`, `DW2*:sql-*`, `DW301:sql-1:log`.
pub fn only(patterns: &[String]) -> Result<Only> {
    let read = |pattern: &String| {
        let mut parts = pattern.splitn(3, ':').map(str::to_string);
        let code = parts.next().unwrap_or_default().to_uppercase();
        if !code.starts_with("DW") {
            return Err(Error::usage(format!("`--only {pattern}` begins with no code of a finding"))
                .hint("for example `--only DW201`, `--only 'DW2*:sql-*'`"));
        }
        let codes = || dw_audit::rules().map(|rule| rule.code).chain(["DW001", "DW002"]);
        if !codes().any(|own| matches(&code, own)) {
            let near = codes().filter(|own| own.get(..3) == code.get(..3)).collect::<Vec<_>>().join(", ");
            let hint =
                if near.is_empty() { "`--format json` lists all rules".into() } else { format!("there are {near}") };
            return Err(Error::usage(format!("no rule is called `{code}`")).hint(hint));
        }
        let mut name = || parts.next().unwrap_or_else(|| "*".into());
        Ok([code, name(), name()])
    };
    patterns.iter().map(read).collect::<Result<_>>().map(Only)
}

impl Only {
    pub fn keep(&self, audit: &mut AuditDocument) {
        if self.0.is_empty() {
            return;
        }
        let fits = |finding: &Finding, [code, machine, disk]: &[String; 3]| {
            matches(code, &finding.code) && matches(machine, &finding.machine) && matches(disk, &finding.disk)
        };
        let is_kept = |finding: &Finding| self.0.iter().any(|pattern| fits(finding, pattern));
        audit.findings.retain(is_kept);
        audit.let_go.retain(is_kept);
        audit.counts = Counts::of(&audit.findings);
    }
}

/// The script, or the diff.
pub fn text(args: &AuditArgs, estate: &Estate, audit: &AuditDocument) -> Result<String> {
    // What is only worth knowing is changed by whoever asks for it.
    let is_asked =
        |finding: &&Finding| finding.waived.is_none() && (finding.level > Level::Note || !args.only.is_empty());
    let findings = audit.findings.iter().filter(is_asked);
    let Some(folder) = &args.patch else { return Ok(out::commands(estate, findings)) };
    let patch = out::patched(estate, findings, &configuration(folder)?);
    let left = patch.left.iter().map(|line| format!("# not in it: {}\n", obeyed::line(line)));
    let none = (patch.left.is_empty() && patch.diff.is_empty()).then(|| "# nothing is to be changed\n".to_string());
    Ok(left.chain(none).chain([patch.diff]).collect())
}

/// The files of a configuration, by name.
fn configuration(folder: &Path) -> Result<Vec<(String, String)>> {
    let entries = std::fs::read_dir(folder).map_err(|e| system::unreadable(folder, &e))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "tf") && path.is_file());
    paths.sort();
    if paths.is_empty() {
        return Err(Error::input("the folder has no Terraform file")
            .hint("give the folder of the `.tf` files of the machines")
            .of_file(input::name(folder)));
    }
    let name = |path: &Path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    paths.iter().map(|path| Ok((name(path), input::read_file(path)?))).collect()
}
