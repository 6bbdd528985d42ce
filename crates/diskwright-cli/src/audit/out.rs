//! `--only`, `--commands`, `--patch`: findings out again.

use std::path::Path;

use diskwright::audit::out;
use dw_audit::matches;
use dw_documents::audit::{AuditDocument, Counts, Finding, Level};
use dw_error::{Error, Result, obeyed};
use dw_estate::{Disk, Estate, Machine};
use dw_messages::{Sentence, say};

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
            return Err(Error::usage(format!("no rule is called `{code}`")).hint(dw_audit::near_rules(&code)));
        }
        let mut name = || parts.next().unwrap_or_else(|| "*".into());
        Ok([code, name(), name()])
    };
    patterns.iter().map(read).collect::<Result<_>>().map(Only)
}

/// Findings of these codes are of waivers, which name machines by patterns.
const OF_WAIVERS: &str = "DW00";

impl Only {
    /// What is wrong with it for an estate: patterns that fit none of its machines, or none of their disks, whatever is found of them.
    ///
    /// # Errors
    /// Of kind `Usage` where a name, written without `*`, is the name of no machine.
    pub fn check(&self, estate: &Estate) -> Result<Vec<Sentence>> {
        let mut said = Vec::new();
        for pattern in self.0.iter().filter(|[code, ..]| !code.starts_with(OF_WAIVERS)) {
            let [_, machine, disk] = pattern;
            let shown = || pattern.join(":").trim_end_matches(":*").to_string();
            let is_disk = |own: &Disk| matches(disk, &own.name) || own.name.is_empty();
            let own: Vec<&Machine> = estate.machines.iter().filter(|own| matches(machine, &own.name)).collect();
            // A disk on nothing is of a machine without a name.
            let loose = || estate.loose.iter().filter(|_| matches(machine, ""));
            if own.is_empty() && loose().next().is_none() {
                if !machine.contains('*') {
                    return Err(no_machine(machine, estate));
                }
                said.push(say!(EstateOnlyNoMachine { pattern: shown() }));
            } else if disk != "*" && !own.iter().flat_map(|own| &own.disks).chain(loose()).any(is_disk) {
                said.push(say!(EstateOnlyNoDisk { pattern: shown() }));
            }
        }
        Ok(said)
    }

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

fn no_machine(name: &str, estate: &Estate) -> Error {
    let near = dw_catalogue::nearest(name, estate.machines.iter().map(|machine| &*machine.name));
    let hint = match near.first() {
        Some(near) => format!("did you mean `{near}`? `*` stands for any letters"),
        None => {
            "`--only CODE:MACHINE` takes a machine's name as the inventory has it; `*` stands for any letters".into()
        }
    };
    Error::usage(format!("`--only`: no machine is called `{name}`")).hint(hint)
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
