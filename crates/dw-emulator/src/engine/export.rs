//! What clients see of a stack: one block device a volume, and one a member disk.

use dw_stack::{CacheMode, SpecError, StackSpec};

use crate::store::Store;

/// Index into [`crate::Engine::exports`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExportId(pub u16);

/// What a client sees as one block device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The volume's name; of a member disk, the volume's with `.0`, `.1` ... behind it.
    pub name: String,
    /// One line for a person.
    pub description: String,
    /// Bytes.
    pub size: u64,
    /// Writes are refused.
    pub read_only: bool,
    /// A disk that turns.
    pub rotational: bool,
    /// Acknowledged writes may be lost until they are flushed.
    pub volatile_cache: bool,
    /// Taken out of the VM: requests are refused.
    pub detached: bool,
    /// Smallest request, and what requests must be aligned to.
    pub min_block: u32,
    /// What requests had better be aligned to.
    pub preferred_block: u32,
    /// Largest read or write.
    pub max_payload: u32,
}

/// What a description of limits does not say about a volume.
#[derive(Clone, Debug, Default)]
pub struct VolumeOptions {
    /// One line for a person; a line is made up when it is empty.
    pub description: String,
    /// Refuse writes.
    pub read_only: bool,
    /// A disk that turns.
    pub rotational: bool,
}

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// One a volume, in order; those left out are ordinary.
    pub volumes: Vec<VolumeOptions>,
    /// Bytes that a write torn by a crash keeps or loses together: 512 or 4096.
    pub atomic_unit: u64,
}

impl Default for EngineOptions {
    fn default() -> Self {
        // The smallest unit that any disk promises: software that survives it survives the larger one.
        EngineOptions { volumes: Vec::new(), atomic_unit: 512 }
    }
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The description is not a stack.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Not one store a disk.
    #[error("{found} stores were given for {disks} disks\nhint: give one store a disk, volume by volume")]
    Stores {
        /// Disks of the stack.
        disks: usize,
        /// Stores given.
        found: usize,
    },
    /// Not a unit that disks have.
    #[error("an atomic unit of {0} bytes\nhint: disks write 512 or 4096 bytes at once")]
    AtomicUnit(u64),
    /// A store is of another size than its disk.
    #[error(
        "the store of disk `{disk}` has {store} bytes, the disk {size}\n\
         hint: describe the disk as large as its store, or give it an empty one"
    )]
    Size {
        disk: String,
        /// Bytes of the store.
        store: u64,
        /// Bytes of the disk.
        size: u64,
    },
}

impl From<EngineError> for dw_error::Error {
    fn from(error: EngineError) -> Self {
        dw_error::Error::of(dw_error::Kind::Input, error)
    }
}

/// Where the requests of an export go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) volume: usize,
    /// A disk of the volume; `None` = the whole volume.
    pub(super) member: Option<u16>,
}

/// The exports of a stack and where they lead. The size of a striped volume is for the stack to say.
pub(super) fn describe(
    spec: &StackSpec,
    stores: &[Box<dyn Store>],
    options: &EngineOptions,
) -> Result<(Vec<Export>, Vec<Target>), EngineError> {
    if ![512, 4096].contains(&options.atomic_unit) {
        return Err(EngineError::AtomicUnit(options.atomic_unit));
    }
    let disks = || spec.volumes.iter().flat_map(|volume| &volume.disks);
    if disks().count() != stores.len() {
        return Err(EngineError::Stores { disks: disks().count(), found: stores.len() });
    }
    for (disk, store) in disks().zip(stores) {
        if disk.size.get() != store.size() {
            let (store, size) = (store.size(), disk.size.get());
            return Err(EngineError::Size { disk: disk.name.clone(), store, size });
        }
    }
    let (mut exports, mut targets) = (Vec::new(), Vec::new());
    let ordinary = VolumeOptions::default();
    for whole in [true, false] {
        for (index, volume) in spec.volumes.iter().enumerate() {
            let options = options.volumes.get(index).unwrap_or(&ordinary);
            let export = Export {
                name: volume.name.clone(),
                description: options.description.clone(),
                size: 0,
                read_only: options.read_only,
                rotational: options.rotational,
                volatile_cache: volume.host_cache == CacheMode::ReadWrite,
                detached: false,
                min_block: 1,
                preferred_block: 4096,
                max_payload: 32 << 20,
            };
            if whole {
                let description = match export.description.as_str() {
                    "" => made_up(volume.disks.len(), volume.host_cache),
                    given => given.to_owned(),
                };
                exports.push(Export { description, ..export });
                targets.push(Target { volume: index, member: None });
                continue;
            }
            for (member, disk) in volume.disks.iter().enumerate() {
                exports.push(Export {
                    name: format!("{}.{member}", volume.name),
                    description: format!("disk {member} of {}: {}", volume.name, disk.name),
                    size: disk.size.get(),
                    ..export.clone()
                });
                targets.push(Target { volume: index, member: Some(member as u16) });
            }
        }
    }
    Ok((exports, targets))
}

fn made_up(disks: usize, mode: CacheMode) -> String {
    let cache = match mode {
        CacheMode::None => "no host cache".to_string(),
        mode => format!("host cache {mode}"),
    };
    if disks == 1 { format!("one disk, {cache}") } else { format!("stripe of {disks} disks, {cache}") }
}
