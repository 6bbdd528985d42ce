//! Keys that are right by themselves and change nothing in the scenario they stand in: each is noted, with the reason.
//!
//! What contradicts another key is an error, and is told where it is read. Here stands what describes a part that this
//! scenario does not use: a cache that no volume has, the stripe unit of one disk, credits where nothing bursts.

use std::ops::Range;

use dw_catalogue::gates::{Attachment, VmLimits};
use dw_messages::{Sentence, say};
use dw_stack::{CacheMode, StackSpec};

use super::file::{ScenarioFile, VmFile};
use super::latency::LatencyUse;
use super::reader::Reader;
use super::vm::Vm;

/// Notes every such key of a scenario that was read.
pub(super) fn note(
    reader: &mut Reader,
    file: &ScenarioFile,
    (vm, disks, stack): (&Vm, &[Attachment], &StackSpec),
    latency: &[LatencyUse],
) {
    volumes(reader, file, stack);
    gates(reader, vm, disks, stack);
    self::vm(reader, file.vm.get_ref(), disks, stack);
    start(reader, file, &vm.limits, stack);
    models(reader, file);
    latency_setting(reader, file, latency);
}

/// Notes those that have nothing to do with what one vendor's machines have.
pub(super) fn note_neutral(reader: &mut Reader, file: &ScenarioFile, stack: &StackSpec, latency: &[LatencyUse]) {
    volumes(reader, file, stack);
    cache_at_start(reader, file, stack);
    let gates = stack.vm.gates.iter().flat_map(|gate| gate.all_limits());
    let disks = stack.volumes.iter().flat_map(|volume| &volume.disks).flat_map(|disk| disk.all_limits());
    let bursts = gates.chain(disks).any(|limit| limit.credits.is_some());
    if let Some(credits) = file.start.credits.as_ref().filter(|_| !bursts) {
        unused(reader, &credits.span(), "credits", say!(UnusedCredits));
    }
    models(reader, file);
    latency_setting(reader, file, latency);
}

fn latency_setting(reader: &mut Reader, file: &ScenarioFile, latency: &[LatencyUse]) {
    if let Some(setting) = file.latency.as_ref().filter(|_| latency.iter().all(|used| used.setting.is_none())) {
        unused(reader, &setting.span(), "latency", say!(UnusedLatency));
    }
}

fn unused(reader: &mut Reader, span: &Range<usize>, key: &str, why: Sentence) {
    reader.note(span, say!(KeyUnused { key, why }));
}

fn has(stack: &StackSpec, mode: CacheMode) -> bool {
    stack.volumes.iter().any(|volume| volume.host_cache == mode)
}

fn is_cached(stack: &StackSpec) -> bool {
    stack.volumes.iter().any(|volume| volume.host_cache != CacheMode::None)
}

fn volumes(reader: &mut Reader, file: &ScenarioFile, stack: &StackSpec) {
    for (written, volume) in file.volumes.iter().zip(&stack.volumes) {
        if let Some(unit) = written.get_ref().stripe_unit.as_ref().filter(|_| volume.disks.len() == 1) {
            unused(reader, &unit.span(), "stripe_unit", say!(UnusedStripe { volume: &volume.name }));
        }
    }
}

fn gates(reader: &mut Reader, vm: &Vm, disks: &[Attachment], stack: &StackSpec) {
    for written in &vm.written {
        if let Some(why) = vm.limits.why_unused(written.gate, disks, is_cached(stack)) {
            unused(reader, &written.span, &written.key, why);
        }
    }
}

fn vm(reader: &mut Reader, file: &VmFile, disks: &[Attachment], stack: &StackSpec) {
    let on = |kind: Attachment| disks.contains(&kind);
    let cached = is_cached(stack);
    if let Some(sharing) = file.sharing().as_ref().filter(|_| !on(Attachment::Remote) || !on(Attachment::Premium2)) {
        unused(reader, &sharing.span(), "uncached_sharing", say!(UnusedSharing));
    }
    let Some(cache) = &file.cache else { return };
    let (span, cache) = (cache.span(), cache.get_ref());
    if !cached {
        unused(reader, &span, "cache", say!(UnusedCache));
        return;
    }
    if cache.write_back.is_some() && !has(stack, CacheMode::ReadWrite) {
        unused(reader, &span, "write_back", say!(UnusedWriteBack));
    }
    if let Some(allocate) = cache.write_allocate.as_ref().filter(|_| !has(stack, CacheMode::ReadOnly)) {
        unused(reader, &allocate.span(), "write_allocate", say!(UnusedWriteAllocate));
    }
}

fn cache_at_start(reader: &mut Reader, file: &ScenarioFile, stack: &StackSpec) {
    if let Some(cache) = file.start.cache.as_ref().filter(|_| !is_cached(stack)) {
        unused(reader, &cache.span(), "cache", say!(UnusedCache));
    }
    for warm in &file.start.warm {
        let name = &warm.get_ref().volume.get_ref().0;
        let volume = stack.volumes.iter().find(|volume| volume.name == *name);
        if volume.is_some_and(|volume| volume.host_cache == CacheMode::None) {
            unused(reader, &warm.span(), "warm", say!(UnusedWarm { volume: name }));
        }
    }
}

fn start(reader: &mut Reader, file: &ScenarioFile, vm: &VmLimits, stack: &StackSpec) {
    cache_at_start(reader, file, stack);
    let limits = [Some(vm.uncached), vm.uncached_premium2, Some(vm.cached)];
    let disks = stack.volumes.iter().flat_map(|volume| &volume.disks);
    let disks = disks.flat_map(|disk| [Some(disk.limits), disk.by_direction.reads, disk.by_direction.writes]);
    let rates = limits.into_iter().chain(disks).flatten().flat_map(|limit| [limit.iops, limit.throughput]);
    let bursts = rates.flatten().any(|rate| rate.burst.is_some());
    if let Some(credits) = file.start.credits.as_ref().filter(|_| !bursts) {
        unused(reader, &credits.span(), "credits", say!(UnusedCredits));
    }
}

/// Models of the user's own, none of which a disk names.
fn models(reader: &mut Reader, file: &ScenarioFile) {
    let Some(first) = file.latency_models.first() else { return };
    let names = reader.models_if_unused();
    if !names.is_empty() {
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
        unused(reader, &first.span(), "latency_models", say!(UnusedModels { names }));
    }
}
