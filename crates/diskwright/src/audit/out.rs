//! Findings out again: as commands of a cloud's command line, and as a patch of a configuration.

use dw_audit::{Proposal, proposals};
use dw_documents::audit::{AuditDocument, Finding};
use dw_error::obeyed;
use dw_estate::{Attribute, BlockOf, Change, Estate, Literal, Orders, Setting};
use dw_provision::changes::{Step, script};
use dw_provision::patch::{File, Patch, Target, Value, Wanted, patch};

use crate::session::Session;

impl Session {
    /// A script of the commands that end findings: those that are not waived, the worst first. It runs nothing unless it is told to.
    pub fn commands_of(&self, estate: &Estate, audit: &AuditDocument) -> String {
        let orders = dw_catalogue::vendor().orders();
        let step = |proposal: &Proposal| {
            let commands: Option<Vec<_>> = proposal.changes.iter().map(|change| orders.commands(change)).collect();
            let (mut about, mut commands) = (about(proposal.finding), commands.unwrap_or_default().concat());
            let is_known = !commands.is_empty();
            if let Some(why) =
                why_not(proposal).or((!is_known).then(|| "no command does it alone, or the id is not known".into()))
            {
                about.push(format!("By hand: {why}."));
                commands.clear();
            }
            let destroys = proposal.changes.iter().any(|change| change.setting == Setting::Deleted);
            if destroys && is_known {
                about.push("This deletes data: take the mark of the comment away to run it.".into());
            }
            Step { about, commands, destroys }
        };
        let all = proposed(estate, audit);
        script(
            &["Changes that end findings of `diskwright audit`.".to_string()],
            &all.iter().map(step).collect::<Vec<_>>(),
        )
    }

    /// The same as changes of a configuration's files, with what they cannot say.
    pub fn patch_of(&self, estate: &Estate, audit: &AuditDocument, files: &[File]) -> Patch {
        let orders = dw_catalogue::vendor().orders();
        let all = proposed(estate, audit);
        let mut left = Vec::new();
        let mut wanted = Vec::new();
        for proposal in &all {
            let what = place(proposal.finding);
            if let Some(why) = why_not(proposal) {
                left.push(format!("{what}: {why}"));
                continue;
            }
            for change in &proposal.changes {
                match orders
                    .attribute(change)
                    .and_then(|attribute| Some((target(orders, change, attribute.of)?, attribute)))
                {
                    Some((target, attribute)) => wanted.push(of(what.clone(), target, attribute)),
                    None => left.push(format!("{what}: no attribute changes it in place")),
                }
            }
        }
        let mut patch = patch(files, &wanted);
        patch.left.splice(0..0, left);
        patch
    }
}

fn proposed<'a>(estate: &'a Estate, audit: &'a AuditDocument) -> Vec<Proposal<'a>> {
    proposals(estate, audit.findings.iter().filter(|finding| finding.waived.is_none()))
}

/// `DW201 sql/data`.
fn place(finding: &Finding) -> String {
    let (machine, disk) = (&finding.machine, &finding.disk);
    let name =
        if machine.is_empty() || disk.is_empty() { format!("{machine}{disk}") } else { format!("{machine}/{disk}") };
    obeyed::line(&format!("{} {name}", finding.code)).into_owned()
}

fn about(finding: &Finding) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", place(finding), finding.says)];
    lines.extend(finding.remedy.as_ref().map(|remedy| match &remedy.takes {
        Some(takes) => format!("{}: {takes}", remedy.what),
        None => remedy.what.to_string(),
    }));
    lines
}

fn why_not(proposal: &Proposal) -> Option<String> {
    if let Some(code) = proposal.contradicts {
        return Some(format!("{code} sets the same otherwise"));
    }
    proposal.changes.is_empty().then(|| "no setting ends it".into())
}

/// The address of a block in the folder itself, without the number of an instance.
fn address(id: &str) -> Option<&str> {
    let plain = id.split('[').next().unwrap_or_default();
    (!plain.contains('/') && plain.split('.').count() == 2).then_some(plain)
}

fn target<'a>(orders: &'a dyn Orders, change: &'a Change, of: BlockOf) -> Option<Target<'a>> {
    let block = |of, id, name| Target::Block { types: orders.blocks(of), address: address(id), name };
    match of {
        BlockOf::Machine => change.machine.map(|machine| block(of, &machine.id, &machine.name)),
        BlockOf::Disk => change.disk.map(|disk| block(of, &disk.id, &disk.name)),
        BlockOf::Attachment => change.disk.map(|disk| Target::Referring {
            types: orders.blocks(of),
            by: orders.refers_to_disk(),
            to: Box::new(block(BlockOf::Disk, &disk.id, &disk.name)),
        }),
    }
}

fn of(what: String, target: Target<'_>, attribute: Attribute) -> Wanted<'_> {
    let value = match attribute.value {
        Literal::Text(text) => Value::Text(text),
        Literal::Number(number) => Value::Number(number),
        Literal::Flag(is) => Value::Flag(is),
    };
    Wanted { what, target, within: attribute.within, attribute: attribute.name, value }
}
