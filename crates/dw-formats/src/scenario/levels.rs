//! Burst credits at the start, by volume and by gate: as a monitor shows them.

use dw_messages::say;
use dw_stack::{Accounting, Limit, LimitSpec, Quantity, StackSpec};
use serde_spanned::Spanned;

use super::file::{OptionsFile, StartFile};
use super::reader::Reader;
use super::scalar::Scalar;
use super::words;

/// Sets what is written; what bursts nowhere is noted.
pub(super) fn apply(reader: &mut Reader, levels: &OptionsFile, stack: &mut StackSpec) {
    for (name, share) in levels {
        let Some(percent) = percent(reader, share) else { continue };
        let gate = stack.vm.gates.iter().position(|gate| gate.name == *name.get_ref());
        let volume = stack.volumes.iter().position(|volume| volume.name == *name.get_ref());
        let set = match (gate, volume) {
            (Some(_), Some(_)) => {
                let what = format!("`{}` is a gate and a volume", name.get_ref());
                reader.error(name.span(), what, "rename the volume");
                continue;
            }
            (Some(gate), None) => {
                let gate = &mut stack.vm.gates[gate];
                level(&mut gate.limits, &mut gate.more, |_| Accounting::PLAIN, percent)
            }
            (None, Some(volume)) => {
                let disks = stack.volumes[volume].disks.iter_mut().map(|disk| {
                    let unit = disk.io_unit;
                    let counted = |quantity| match quantity {
                        Quantity::Iops => Accounting { unit, ..Accounting::PLAIN },
                        Quantity::Throughput => Accounting::PLAIN,
                    };
                    level(&mut disk.limits, &mut disk.more, counted, percent)
                });
                disks.fold(false, |any, one| any | one)
            }
            (None, None) => {
                let names = stack.vm.gates.iter().map(|gate| gate.name.as_str());
                let names: Vec<&str> = names.chain(stack.volumes.iter().map(|volume| volume.name.as_str())).collect();
                let hint = match dw_error::nearest(name.get_ref(), names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("write one of {}", names.join(", ")),
                };
                reader.error(name.span(), format!("no volume and no gate is called `{}`", name.get_ref()), hint);
                continue;
            }
        };
        if !set {
            let (key, why) = (format!("levels.{}", name.get_ref()), say!(UnusedLevel { place: name.get_ref() }));
            reader.note(&name.span(), say!(KeyUnused { key, why }));
        }
    }
}

/// Credits at the start in a word: those that are written for a place behind those of all.
pub(super) fn said(start: &StartFile, stack: &StackSpec) -> String {
    let all = words::CREDITS.iter().find(|(_, credits)| *credits == stack.credits).map_or("", |(word, _)| word);
    let own = start.levels.iter().map(|(name, share)| format!("{} {}", name.get_ref(), share.get_ref().0));
    std::iter::once(all.to_string()).chain(own).collect::<Vec<_>>().join(", ")
}

fn percent(reader: &mut Reader, share: &Spanned<Scalar>) -> Option<f64> {
    let hint = "write a percentage of full, for example `\"35 %\"`";
    match dw_units::percent(&share.get_ref().0, "\"") {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Some(percent),
        Ok(_) => {
            reader.error(share.span(), format!("{} is not a part of full credits", reader.raw(share)), hint);
            None
        }
        Err(doubt) => {
            reader.error(share.span(), format!("{}: {}", reader.raw(share), doubt.what), doubt.hint);
            None
        }
    }
}

/// Gives limits that burst their level; whether any does.
fn level(
    limits: &mut LimitSpec,
    more: &mut Vec<Limit>,
    counted: impl Fn(Quantity) -> Accounting,
    percent: f64,
) -> bool {
    for (quantity, rate) in [(Quantity::Iops, &mut limits.iops), (Quantity::Throughput, &mut limits.throughput)] {
        // A level is of the limits with an accounting.
        if let Some(bursts) = rate.take_if(|rate| rate.burst.is_some()) {
            more.push(Limit::new(quantity, bursts, counted(quantity)));
        }
    }
    let credits = more.iter_mut().filter_map(|limit| limit.credits.as_mut());
    let set = credits.map(|credits| credits.level = Some((credits.size as f64 * percent / 100.0) as u64));
    set.count() > 0
}
