//! The words of the column `code`: why a VM has no plan, or which of its rows the plan does without.

/// Figures that cannot be, in up to one row of so many, are a slip of the source; in more, the others may be wrong, too.
const SLIP: u64 = 100;

/// A code; `docs/guide/fleet.md` says what each means and what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// Counters, and no row of the inventory.
    NoInventory,
    /// An inventory that contradicts itself or is not complete.
    Inventory,
    /// In the inventory, and no counters.
    NoCounters,
    /// A volume names a device without counters.
    UnknownDevice,
    /// No row of a disk is left.
    NoRows,
    /// Rows with a negative delta.
    CounterReset,
    /// Rows whose interval overlaps the one before.
    ClockJump,
    /// Rows without a time or a length.
    NoInterval,
    /// A window of the job is not in the recording.
    Window,
    /// Keys of the plan do not fit.
    Demand,
    /// Nothing on offer meets the demand.
    Infeasible,
    /// No price in the catalogue.
    NoPrice,
    /// The rows make no recording.
    Recording,
    /// A fault of the program.
    Unexpected,
    /// Rows that name no VM.
    NoVm,
    /// Nobody says how many processors or how much memory it needs.
    NoSize,
    /// Nobody says where it runs.
    NoRegion,
    /// Counters of so little time that no busy hour can be in them.
    Short,
    /// Disks with I/O that no volume names.
    PartialInventory,
    /// Figures that cannot be.
    Implausible,
    /// Rows of a statistic that is neither mean nor max.
    Statistic,
    /// Rows that are not in the order of time.
    Unsorted,
}

impl Code {
    /// All.
    pub const ALL: [Code; 22] = [
        Code::NoInventory,
        Code::Inventory,
        Code::NoCounters,
        Code::UnknownDevice,
        Code::NoRows,
        Code::CounterReset,
        Code::ClockJump,
        Code::NoInterval,
        Code::Window,
        Code::Demand,
        Code::Infeasible,
        Code::NoPrice,
        Code::Recording,
        Code::Unexpected,
        Code::NoVm,
        Code::NoSize,
        Code::NoRegion,
        Code::Short,
        Code::PartialInventory,
        Code::Implausible,
        Code::Statistic,
        Code::Unsorted,
    ];

    /// The word in results.
    pub fn word(self) -> &'static str {
        match self {
            Code::NoInventory => "no_inventory",
            Code::Inventory => "inventory",
            Code::NoCounters => "no_counters",
            Code::UnknownDevice => "unknown_device",
            Code::NoRows => "no_rows",
            Code::CounterReset => "counter_reset",
            Code::ClockJump => "clock_jump",
            Code::NoInterval => "no_interval",
            Code::Window => "window",
            Code::Demand => "demand",
            Code::Infeasible => "infeasible",
            Code::NoPrice => "no_price",
            Code::Recording => "recording",
            Code::Unexpected => "unexpected",
            Code::NoVm => "no_vm",
            Code::NoSize => "no_size",
            Code::NoRegion => "no_region",
            Code::Short => "short",
            Code::PartialInventory => "partial_inventory",
            Code::Implausible => "implausible",
            Code::Statistic => "statistic",
            Code::Unsorted => "unsorted",
        }
    }

    /// Whether a plan with this code, of so many rows and without so many others, rests on all that it must: what it saves is then believed.
    pub fn is_sure(self, used: u64, dropped: u64) -> bool {
        match self {
            Code::NoRegion | Code::Short | Code::PartialInventory => false,
            Code::Implausible => dropped.saturating_mul(SLIP) <= used.saturating_add(dropped),
            _ => true,
        }
    }
}
