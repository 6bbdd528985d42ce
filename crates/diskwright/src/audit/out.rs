//! Findings out again: as commands of a cloud's command line, and as a patch of a configuration.

use std::collections::HashMap;

use dw_documents::audit::{self as document, Effort, Finding};
use dw_error::obeyed;
use dw_estate::{Attribute, BlockOf, Change, Disk, Estate, Literal, Machine, Orders, Setting};
use dw_provision::changes::{Step, script};
use dw_provision::patch::{File, Patch, Target, Value, Wanted, patch};

/// A finding with the settings that end it.
struct Proposal<'a> {
    finding: &'a Finding,
    changes: Result<Vec<Change<'a>>, String>,
}

/// A script of the commands that end findings, in their order. It runs nothing unless it is told to.
pub fn commands<'a>(estate: &'a Estate, findings: impl IntoIterator<Item = &'a Finding>) -> String {
    let step = |Proposal { finding, changes }: &Proposal| {
        let mut about = about(finding);
        let commands = changes.as_ref().map_err(String::clone).and_then(|changes| {
            let all: Option<Vec<_>> = changes.iter().map(|change| orders(change).commands(change)).collect();
            all.map(|all| all.concat()).ok_or("no command does it alone, or the id is not known".into())
        });
        let destroys = changes.iter().flatten().any(|change| change.setting == Setting::Deleted);
        match &commands {
            Err(why) => about.push(format!("By hand: {why}.")),
            Ok(_) if destroys => about.push("This deletes data: take the mark of the comment away to run it.".into()),
            Ok(_) => {}
        }
        Step { about, commands: commands.unwrap_or_default(), destroys }
    };
    let mut steps: Vec<Step> = Vec::new();
    for proposal in &proposals(estate, findings) {
        let mut own = step(proposal);
        let orders = proposal.changes.iter().flatten().next().map(orders);
        let count = own.commands.len();
        own.commands.retain(|words| !orders.is_some_and(|orders| is_joined(orders, &mut steps, words)));
        if count > own.commands.len() {
            own.about.push("A command above changes the same and has what it did not set yet: no other is taken while it is carried out.".into());
        }
        steps.push(own);
    }
    script(&["Changes that end findings of `diskwright audit`.".to_string()], &steps)
}

/// Adds a command to an earlier one that would be in its way.
fn is_joined(orders: &dyn Orders, steps: &mut [Step], words: &[String]) -> bool {
    let mut earlier = steps.iter_mut().flat_map(|step| &mut step.commands);
    earlier.any(|own| orders.joined(own, words).map(|both| *own = both).is_some())
}

/// The same as changes of a configuration's files, with what they cannot say.
pub fn patched<'a>(estate: &'a Estate, findings: impl IntoIterator<Item = &'a Finding>, files: &[File]) -> Patch {
    let all = proposals(estate, findings);
    let (mut left, mut wanted) = (Vec::new(), Vec::new());
    let unread = patch(files, &[]).left.len();
    for Proposal { finding, changes } in &all {
        let what = place(finding);
        for change in match changes {
            Ok(changes) => changes.as_slice(),
            Err(why) => {
                left.push(format!("{what}: {why}"));
                &[]
            }
        } {
            let orders = orders(change);
            let parts = orders.attributes(change).and_then(|all| {
                let part =
                    |attribute: Attribute| Some(of(what.clone(), target(orders, change, attribute.of)?, attribute));
                all.into_iter().map(part).collect::<Option<Vec<_>>>()
            });
            match parts {
                // Of several attributes all are set, or none.
                Some(parts) if parts.len() > 1 && patch(files, &parts).left.len() > unread => {
                    left.extend(patch(files, &parts).left.split_off(unread));
                }
                Some(parts) => wanted.extend(parts),
                None => left.push(format!("{what}: no attribute changes it in place")),
            }
        }
    }
    let mut patch = patch(files, &wanted);
    patch.left.splice(0..0, left);
    patch
}

/// Who writes a change: by whose machine or disk it is.
fn orders(change: &Change) -> &'static dyn Orders {
    let of_disk = change.disk.map(|disk| disk.vendor);
    dw_catalogue::orders(change.machine.map(|machine| machine.vendor).or(of_disk).unwrap_or_default())
}

/// What ends each of these findings; why nothing does where that is so. Where two set the same, the first counts.
fn proposals<'a>(estate: &'a Estate, findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Proposal<'a>> {
    let machines: HashMap<&str, &Machine> = estate.machines.iter().map(|machine| (&*machine.id, machine)).collect();
    let mut all: Vec<Proposal> = Vec::new();
    for finding in findings {
        let changes =
            changes(estate, machines.get(finding.machine_id.as_str()).copied(), finding).and_then(|changes| {
                let is_other = |a: &Change, b: &Change| a.is_of_same(b) && a.setting != b.setting;
                let sets_one =
                    |other: &&Proposal| other.changes.iter().flatten().any(|a| changes.iter().any(|b| is_other(a, b)));
                match all.iter().find(sets_one) {
                    Some(earlier) => Err(format!("{} sets the same otherwise", earlier.finding.code)),
                    None => Ok(changes),
                }
            });
        all.push(Proposal { finding, changes });
    }
    all
}

fn changes<'a>(
    estate: &'a Estate,
    machine: Option<&'a Machine>,
    finding: &'a Finding,
) -> Result<Vec<Change<'a>>, String> {
    let remedy = finding.remedy.as_ref().filter(|remedy| !remedy.changes.is_empty()).ok_or("no setting ends it")?;
    if remedy.effort.is_some_and(|effort| effort > Effort::Restart) {
        return Err("it takes another machine, or data that are copied".into());
    }
    let change = |change: &'a document::Change| {
        let disk = match change.disk.is_empty() && change.disk_id.is_empty() {
            true => None,
            false => Some(disk(estate, machine, change).ok_or("several disks are called so, or none is")?),
        };
        let setting = setting(&change.set).ok_or("it is for people to decide")?;
        Ok(Change { machine, disk, setting })
    };
    remedy.changes.iter().map(change).collect()
}

/// By its id, or by its name where only one has it.
fn disk<'a>(estate: &'a Estate, machine: Option<&'a Machine>, change: &document::Change) -> Option<&'a Disk> {
    let disks = machine.map_or(&estate.loose, |machine| &machine.disks);
    if !change.disk_id.is_empty() {
        return disks.iter().find(|disk| *disk.id == *change.disk_id);
    }
    let is_system = |disk: &Disk| disk.name.is_empty() && disk.holds == dw_estate::Holds::System && change.disk == "os";
    let mut named = disks.iter().filter(|disk| *disk.name == *change.disk || is_system(disk));
    named.next().filter(|_| named.next().is_none())
}

fn setting(set: &document::Setting) -> Option<Setting> {
    Some(match set {
        document::Setting::Size(size) => Setting::Size(size.clone()),
        document::Setting::Kind { kind, iops, mib_per_s, .. } => {
            Setting::Kind { kind: kind.clone(), iops: *iops, mib: *mib_per_s }
        }
        document::Setting::Iops(iops) => Setting::Iops(*iops),
        document::Setting::MbPerS(mb) => Setting::Mb(*mb),
        document::Setting::MibPerS(mib) => Setting::Mib(*mib),
        document::Setting::HostCache(mode) => Setting::Cache(mode.parse().ok()?),
        document::Setting::Tier(tier) => Setting::Tier(tier.clone()),
        document::Setting::BurstsByUse(is) => Setting::BurstsByUse(*is),
        document::Setting::OpenTo { open, .. } => Setting::SpecialDisks(*open),
        document::Setting::Deleted => Setting::Deleted,
        document::Setting::Deallocated => Setting::Released,
        // Who has licences knows it.
        document::Setting::OwnLicence(_) => return None,
    })
}

/// `DW201 sql/data`.
fn place(finding: &Finding) -> String {
    obeyed::line(&format!("{} {}", finding.code, finding.place())).into_owned()
}

fn about(finding: &Finding) -> Vec<String> {
    let mut lines = vec![format!("{}: {}", place(finding), finding.text(|says| says.to_string()))];
    lines.extend(finding.remedy.as_ref().map(|remedy| match &remedy.takes {
        Some(takes) => format!("{}: {takes}", remedy.what),
        None => remedy.what.to_string(),
    }));
    lines
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
