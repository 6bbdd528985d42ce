//! The sizes of disks as the timeline leaves them, entry after entry: what a run would refuse when its time comes is refused here.
//!
//! Ignores: what somebody does with `ctl` in between; of what is attached then, and how it is cached, a run says itself.

use std::ops::Range;

use dw_stack::StackSpec;
use dw_units::{Bytes, CacheMode};

use super::{Action, Event};
use crate::scenario::reader::Reader;

/// A volume as the entries so far leave it.
struct Volume<'a> {
    name: &'a str,
    disks: Vec<Bytes>,
}

impl Volume<'_> {
    fn size(&self) -> Bytes {
        self.disks.iter().copied().sum()
    }
}

/// What is wrong with entries, in the order of their times, is in the reader.
pub(super) fn check(reader: &mut Reader, stack: &StackSpec, events: &[(Event, Range<usize>)]) {
    let volumes = stack
        .volumes
        .iter()
        .map(|volume| Volume { name: &volume.name, disks: volume.disks.iter().map(|disk| disk.size).collect() });
    let mut volumes: Vec<Volume> = volumes.collect();
    for (event, span) in events {
        if let Err((what, hint)) = happens(&mut volumes, stack, &event.action) {
            reader.error(span.clone(), format!("at {} {what}", event.at), hint);
        }
    }
}

fn find<'v, 'n>(volumes: &'v mut [Volume<'n>], name: &str) -> Option<&'v mut Volume<'n>> {
    volumes.iter_mut().find(|volume| volume.name == name)
}

/// What is wrong, and what to do.
type Refusal = (String, String);

fn happens(volumes: &mut [Volume], stack: &StackSpec, action: &Action) -> Result<(), Refusal> {
    let refused = |what: String, hint: &str| Err((what, hint.to_string()));
    match action {
        Action::Cache(name, mode) if *mode != CacheMode::None && stack.vm.host_cache.is_none() => {
            let hint = "give the VM a `cache`, or choose a size with a known host cache";
            return refused(format!("`{name}` can have no host cache: the VM has none"), hint);
        }
        Action::Resize(name, disk, size) => {
            let Some(volume) = find(volumes, name) else { return Ok(()) };
            if *size == Bytes::ZERO || !size.get().is_multiple_of(512) {
                return refused(format!("a disk cannot have {size}"), "write a multiple of 512 B");
            }
            let meant = |place: usize| disk.is_none_or(|disk| usize::from(disk) == place);
            for (place, old) in volume.disks.iter_mut().enumerate().filter(|(place, _)| meant(*place)) {
                if size < old {
                    let what =
                        format!("disk {place} of `{name}` has {old}, and a disk can grow, not shrink, to {size}");
                    return refused(what, "write a larger size");
                }
                *old = *size;
            }
        }
        Action::Inject(fault) => {
            let volume = find(volumes, &fault.export);
            let size = volume.map(|volume| volume.size()).or_else(|| {
                let (name, disk) = fault.export.rsplit_once('.')?;
                find(volumes, name)?.disks.get(disk.parse::<usize>().ok()?).copied()
            });
            let begin = fault.range.map_or(Bytes::ZERO, |range| Bytes::new(range.offset));
            if let Some(size) = size.filter(|size| begin >= *size) {
                let what = format!("the range begins at {begin}, and `{}` ends at {size}", fault.export);
                return refused(what, "it would affect no request: start it within the disk");
            }
        }
        Action::Attach(_)
        | Action::Detach(_)
        | Action::Cache(..)
        | Action::Tier(..)
        | Action::Reboot
        | Action::Crash(..)
        | Action::Clear(_)
        | Action::ResetCounters
        | Action::Shutdown => {}
    }
    Ok(())
}
