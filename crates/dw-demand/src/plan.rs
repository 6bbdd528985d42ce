//! The keys of `[plan]`, each declared once: what is wanted of a plan.
//!
//! A row has what people read of the key, where its value goes, which values it may have, and texts to try it with. From the rows come
//! [`Wishes`], the shape of the file, its reader, its writer, its JSON Schema, lines of `diskwright init requirements`, the table of
//! the guide, the keywords of Python and what is told of a key without effect. What a key does to a plan stands where it is done. Keys
//! and words that only a vendor has are rows of its own, [`VendorKeys`], which join these.

use dw_messages::{Sentence, say};
use dw_units::Bytes;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_spanned::Spanned;

use crate::kind::{
    Always, Amount, AnyCount, Count, Flag, Kind, Names, Number, Percent, Size, Text, TextOrNumber, Word,
};
use crate::read::{LicenceFile, OneOrMore, PER_CORE, PriceFile, WishReader};
use crate::vendor::{VendorChoices, VendorKeys};
use crate::wishes::{Licence, OverTime, OwnPrice, Role, VolumeWishes, Ways};
use crate::write::{amount, in_brackets, key, quoted};
use crate::{CommitTo, Commitment, HOURS_A_MONTH, LatencySetting, Offers, Requirements, Running, Schedule};

/// A key of `[plan]`.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub name: &'static str,
    /// What it says, in lines.
    pub doc: &'static [&'static str],
    /// What else the guide says of it.
    pub guide: &'static str,
    /// The type of its keyword in Python.
    pub python: &'static str,
    /// Two values that differ, as TOML; the first is shown by `diskwright init requirements`. Of names of what is on offer a vendor gives
    /// them.
    pub examples: [&'static str; 2],
    /// Why it has no effect, where it has none whatever is planned.
    pub idle: fn(&Requirements, &Wishes) -> Option<Sentence>,
}

/// The first of them: a row's own, or what rows have that say nothing.
macro_rules! first {
    ($first:expr $(, $other:expr)*) => {
        $first
    };
}

macro_rules! keys {
    ($(
        $(#[doc = $doc:literal])+
        $key:ident => $field:ident: $Value:ty, $Kind:ty = $kind:expr;
        $(examples $example:literal, $other:literal;)?
        $(guide $guide:literal;)?
        $(idle $idle:expr;)?
    )*) => {
        /// What is wanted of a plan.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Wishes {
            $($(#[doc = $doc])+ pub $field: $Value,)*
            /// What keys may be that only a vendor has.
            pub vendor: &'static VendorKeys,
            /// What of these is not as usual.
            pub chosen: VendorChoices,
            /// Year, month and day on which the plan begins, where the records of what is sold are older; absent = with them. Nobody asks for
            /// it: the program tells it.
            pub today: Option<(u32, u32, u32)>,
            /// Disks of a stripe at most, of which nobody says how many it may have. Nobody asks for it: there are more of what is there, and
            /// where no plan is found otherwise.
            pub disks_usual: u32,
            /// Parts per million of what the headroom leaves of every rate that stay free, too, because a simulation served less than was
            /// asked for. Nobody asks for it.
            pub rates_reserve: u32,
            /// One for each volume of the requirements, in order.
            pub volumes: Vec<VolumeWishes>,
        }

        impl Wishes {
            /// What requirements without a word allow, except for the region.
            pub(crate) fn usual(vendor: &'static VendorKeys) -> Wishes {
                $(let $field: $Kind = $kind;)*
                Wishes {
                    $($field: $field.usual(),)*
                    vendor,
                    chosen: VendorChoices::new(),
                    today: None,
                    disks_usual: VolumeWishes::DISKS_USUAL,
                    rates_reserve: 0,
                    volumes: Vec::new(),
                }
            }
        }

        /// What is wanted of a plan, as the file has it.
        #[derive(Debug, Default)]
        pub(crate) struct PlanFile {
            $($key: <$Kind as Kind>::File,)*
            /// Keys of a vendor, and those that nobody knows.
            pub(crate) others: Vec<(Spanned<String>, Spanned<toml::Value>)>,
        }

        impl<'de> Deserialize<'de> for PlanFile {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlanFile, D::Error> {
                struct Keys;
                impl<'de> Visitor<'de> for Keys {
                    type Value = PlanFile;
                    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                        f.write_str("struct PlanFile")
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PlanFile, A::Error> {
                        let mut file = PlanFile::default();
                        while let Some(key) = map.next_key::<Spanned<String>>()? {
                            match key.get_ref().as_str() {
                                $(stringify!($key) => file.$key = map.next_value()?,)*
                                _ => file.others.push((key, map.next_value()?)),
                            }
                        }
                        Ok(file)
                    }
                }
                deserializer.deserialize_struct("PlanFile", &[$(stringify!($key)),*], Keys)
            }
        }

        impl JsonSchema for PlanFile {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "PlanFile".into()
            }
            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let mut properties = serde_json::Map::new();
                for (key, (mut schema, usual)) in KEYS.iter().zip([$(<$Kind>::schema(generator)),*]) {
                    schema.insert("description".into(), key.doc().into());
                    if let Some(usual) = usual {
                        schema.insert("default".into(), usual);
                    }
                    properties.insert(key.name.into(), schema.into());
                }
                schemars::json_schema!({
                    "type": "object",
                    "additionalProperties": false,
                    "properties": properties,
                    "description": "What is wanted of a plan.",
                })
            }
        }

        /// What is wanted, with each fault told to the reader.
        pub(crate) fn read(plan: &PlanFile, reader: &mut WishReader<'_>) -> Wishes {
            $(let $field: $Kind = $kind;)*
            Wishes {
                $($field: $field.read(stringify!($key), &plan.$key, plan, reader),)*
                vendor: reader.offers.vendor(),
                chosen: reader.chosen(plan),
                today: None,
                disks_usual: VolumeWishes::DISKS_USUAL,
                rates_reserve: 0,
                volumes: Vec::new(),
            }
        }

        /// The line of each key, where there is something to say.
        pub(crate) fn lines(wishes: &Wishes) -> Vec<(&'static str, String)> {
            $(let $field: $Kind = $kind;)*
            vec![$((stringify!($key), $field.line(stringify!($key), &wishes.$field))),*]
        }

        /// The least and the most that a whole number may be, by its key.
        pub(crate) fn range(key: &str) -> Option<(u32, u32)> {
            $(let $field: $Kind = $kind;)*
            [$((stringify!($key), $field.range())),*].into_iter().find(|(known, _)| *known == key)?.1
        }

        /// Every key that there is without a vendor, in the order of the schema.
        pub(crate) const KEYS: &[Key] = &[$(Key {
            name: stringify!($key),
            doc: &[$($doc),+],
            guide: first!($($guide,)? ""),
            python: <$Kind>::PYTHON,
            examples: first!($([$example, $other],)? ["", ""]),
            idle: first!($($idle,)? |_, _| None),
        },)*];
    };
}

keys! {
    /// Region for prices and offers.
    region => region: String, Always<Region> = Always(Region);
    guide "`--region` takes its place.";

    /// Zone for VM and disks: a number, `1`, of which the catalogue must know the region's offers, or a letter, `a`, where zones have one.
    zone => zone: Option<String>, TextOrNumber = TextOrNumber(zone);
    examples "\"1\"", "\"2\"";
    guide "Only sizes that the region's records offer in it are chosen; what a letter stands for differs between accounts, so of a letter that is not checked, and zones of disks never are.";

    /// Reservation of the VMs, and of disks of a fixed size with a known reservation price: `1y` or `3y`; pay as you go when absent.
    reservation => reserved_years: Option<u32>, Years = Years { other: None };
    examples "\"3y\"", "\"1y\"";
    guide "Billed for all hours. A size without such a price counts as pay as you go, and the answer notes it.";

    /// Savings plan of the VMs: `1y` or `3y`; pay as you go when absent. Use it instead of `reservation`.
    savings_plan => savings_plan_years: Option<u32>, Years =
        Years { other: Some(|plan| plan.reservation.is_some().then_some("reservation")) };
    examples "\"3y\"", "\"1y\"";
    guide "Billed for all hours. A size without such a price counts as pay as you go, and the answer notes it.";

    /// Hours per month in which the VM runs and is billed (disks are billed for all); 730, all of them, when absent.
    hours_per_month => hours_per_month: f64, Number = Number { usual: HOURS_A_MONTH as f64, from: 1.0, to: HOURS_A_MONTH as f64 };
    examples "730", "220";
    guide "A commitment is billed for all hours.";

    /// Days and times when the VM runs: `mon-fri 07:00-19:00, sat 08:00-12:00`; always when absent. Use it instead of `hours_per_month`.
    schedule => schedule: Option<Schedule>, Weekly = Weekly;
    examples "\"mon-fri 07:00-19:00\"", "\"mon-sun 08:00-18:00\"";
    guide "The example is 60 and 4 of the 168 hours of a week, or 278 hours per month.";

    /// Catalogue edition for limits; the newest when absent.
    edition => edition: Option<String>, Text = Text(edition);
    examples "\"2026-08\"", "\"2017-03\"";

    /// Latest edition for prices; the newest when absent.
    prices => prices: Option<String>, Text = Text(prices);
    examples "\"2026\"", "\"2018\"";

    /// Assumed position of the disks within the published latencies: optimistic, typical, cautious; typical when absent.
    latency => latency: LatencySetting, Word<LatencySetting> = Word {
        usual: LatencySetting::Typical,
        words: &[
            ("optimistic", LatencySetting::Optimistic),
            ("typical", LatencySetting::Typical),
            ("cautious", LatencySetting::Cautious),
        ],
        or: "",
    };
    examples "\"typical\"", "\"cautious\"";
    guide "`--latency` overrides it.";

    /// Share of time that must be met, in percent; 99 when absent.
    percentile => percentile: f64, Always<Number> = Always(Number { usual: 99.0, from: 50.0, to: 100.0 });
    examples "99", "50";
    guide "See [planning](../model/planning.md).";

    /// How the demand over time is met: joint, per-dimension; joint when absent.
    over_time => over_time: OverTime, Word<OverTime> = Word {
        usual: OverTime::Joint,
        words: &[("joint", OverTime::Joint), ("per-dimension", OverTime::PerDimension)],
        or: "",
    };
    examples "\"joint\"", "\"per-dimension\"";
    guide "See [planning](../model/planning.md).";
    idle |requirements, wishes| {
        let has_series = requirements.volumes.iter().any(|volume| volume.over_time().is_some());
        (wishes.over_time == OverTime::PerDimension && !has_series).then(|| say!(KeyNoSeries))
    };

    /// Share of every IOPS and throughput limit of disks and VM that stays free, in percent; 20 when absent.
    headroom_percent => headroom_percent: f64, Percent = Percent { usual: HEADROOM_PERCENT, from: 0.0, to: 90.0 };
    examples "20", "70";
    guide "It covers load above the recorded peak, and waiting that starts well below a limit.";

    /// Memory that stays free in addition to the memory in use, as a share of all memory or an amount: `25 %`, `8 GiB`; when absent, none for a database, else 20 %, but no more than today's `total`.
    memory_headroom => memory_headroom: Option<MemoryRoom>, Room = Room;
    examples "\"8 GiB\"", "\"50 %\"";
    guide "A database (a volume has the role `log` or `tempdb`) uses the memory it is given, and more memory does not change that. Other programs have temporary peaks; but today's memory is enough today.";
    idle |requirements, wishes| {
        (wishes.memory_headroom.is_some() && requirements.memory_used.is_none()).then(|| say!(KeyNoMemory))
    };

    /// Safety factor for rates, CPU and memory in use; 1 when absent.
    comfort_factor => comfort_factor: f64, Number = Number { usual: 1.0, from: 1.0, to: 10.0 };
    examples "1.3", "2.0";
    guide "A reserve for load that the recording does not show.";

    /// Operating system of the VMs: linux, windows; linux when absent. The price of Windows includes its licence.
    os => windows: bool, Word<bool> = Word { usual: false, words: &[("linux", false), ("windows", true)], or: "" };
    examples "\"linux\"", "\"windows\"";
    guide "The licence is a line of the answer; a reservation covers the VM, not the licence.";

    /// Number of identical nodes, each of which meets the demand; 1 when absent.
    nodes => nodes: u32, Count = Count { usual: 1, from: 1, to: 1_000 };
    examples "1", "3";
    guide "The answer gives their total cost, and `cost_max` applies to that total.";

    /// Currency of the prices; offers without a price in it are excluded.
    currency => currency: Option<String>, Text = Text(currency);
    examples "\"USD\"", "\"XXX\"";
    guide "A currency without prices in the catalogue is refused.";

    /// Share of every disk used by file systems, in percent; 0 when absent.
    filesystem_overhead_percent => filesystem_overhead_percent: f64, Percent = Percent { usual: 0.0, from: 0.0, to: 50.0 };
    examples "2", "40";

    /// Share of every disk's capacity that stays free, in percent; 15 when absent.
    capacity_headroom_percent => capacity_headroom_percent: f64, Percent =
        Percent { usual: CAPACITY_HEADROOM_PERCENT, from: 0.0, to: 90.0 };
    examples "15", "80";
    guide "File systems and databases slow down when they are full.";

    /// Redundancy of disks: local, zone; local when absent.
    redundancy => zone_redundant: bool, Word<bool> = Word { usual: false, words: &[("local", false), ("zone", true)], or: "" };
    examples "\"zone\"", "\"local\"";
    guide "Available in regions with a price for such disks.";

    /// Disk options besides the size; all when absent.
    disk_options => ways: Ways, DiskOptions = DiskOptions;
    guide "`[]` for disks as they come.";

    /// How much more than the cheapest the simplest plan may cost, in percent; simplest means the fewest disks, then the newest VM; 3 when absent, 0 = the cheapest.
    indifference_percent => indifference_percent: f64, Percent = Percent { usual: 3.0, from: 0.0, to: 100.0 };
    examples "3", "60";
    guide "A [policy](#policies).";

    /// VM sizes with Arm CPUs may be chosen; otherwise only if `vms` names them.
    arm => arm: bool, Flag = Flag;
    examples "true", "false";
    guide "A [policy](#policies).";

    /// Burstable VM sizes may be chosen, whose CPUs are throttled to a baseline once their credits are used up; otherwise only if `vms` names them.
    burstable => burstable: bool, Flag = Flag;
    examples "true", "false";
    guide "A [policy](#policies).";

    /// Confidential VM sizes may be chosen, which need their own security type and images; otherwise only if `vms` names them.
    confidential => confidential: bool, Flag = Flag;
    examples "true", "false";
    guide "A [policy](#policies).";

    /// VM sizes in preview may be chosen; otherwise only if `vms` names them.
    preview => preview: bool, Flag = Flag;
    examples "true", "false";
    guide "A [policy](#policies).";

    /// VM sizes that new subscriptions cannot deploy, and existing ones only within their quota, may be chosen; otherwise only if `vms` names them.
    closed_to_new => closed_to_new: bool, Flag = Flag;
    examples "true", "false";
    guide "A [policy](#policies).";

    /// VM sizes of limited capacity may be chosen; otherwise only if `vms` names them.
    capacity_limited => capacity_limited: bool, Flag = Flag;
    examples "true", "false";
    guide "A [policy](#policies).";

    /// Excludes VM sizes that retire within this many years from today, or within the plan's years or reservation if those are longer; 3 when absent, 0 = none excluded.
    horizon_years => horizon_years: u32, Count = Count { usual: Wishes::HORIZON_YEARS, from: 0, to: 30 };
    examples "3", "0";
    guide "A [policy](#policies). Today is the machine's date, or `SOURCE_DATE_EPOCH`.";

    /// Maximum CPU use, in percent; 80 when absent.
    cpu_percent => cpu_percent: f64, Percent = Percent { usual: CPU_PERCENT, from: 1.0, to: 100.0 };
    examples "80", "10";
    guide "Above it, requests wait for a CPU. The rest is CPU headroom; `vcpu_min` gets none.";
    idle |requirements, wishes| {
        let has_load = requirements.cpu_percent.is_some() && requirements.processors.is_some();
        (wishes.cpu_percent != CPU_PERCENT && !has_load).then(|| say!(KeyNoProcessorLoad))
    };

    /// Burst credits count as long as they last over the series.
    bursting => bursting: bool, Flag = Flag;
    examples "true", "false";
    guide "A limit met by bursting is shown with its burst rate, its sustained rate and the lowest credit balance.";

    /// Yearly growth of the load, in percent; a volume may have its own.
    growth_percent_per_year => growth_percent_per_year: f64, Percent = Percent { usual: 0.0, from: 0.0, to: 1e4 };
    examples "10", "80";
    idle |requirements, wishes| {
        // Processors grow as the plan says.
        let has_load = requirements.cpu_percent.is_some() && requirements.processors.is_some();
        let is_own = |volume: &VolumeWishes| volume.role == Role::Os || volume.growth_percent_per_year.is_some();
        let is_idle = wishes.growth_percent_per_year > 0.0 && !has_load && wishes.volumes.iter().all(is_own);
        is_idle.then(|| say!(KeyOwnGrowth))
    };

    /// Yearly growth of the capacity, in percent; a volume may have its own.
    capacity_growth_percent_per_year => capacity_growth_percent_per_year: f64, Percent =
        Percent { usual: 0.0, from: 0.0, to: 1e4 };
    examples "10", "80";
    idle |_, wishes| {
        let is_own = |volume: &VolumeWishes| volume.role == Role::Os || volume.capacity_growth_percent_per_year.is_some();
        let is_idle = wishes.capacity_growth_percent_per_year > 0.0 && wishes.volumes.iter().all(is_own);
        is_idle.then(|| say!(KeyOwnGrowth))
    };

    /// Years that the plan must last.
    years => years: u32, Count = Count { usual: 0, from: 0, to: 30 };
    examples "2", "5";
    guide "The answer shows when it becomes too small.";
    idle |_, wishes| {
        (wishes.years > 0 && !wishes.grows()).then(|| say!(KeyNoGrowth))
    };

    /// Allowed VM sizes, with `*` for any characters; all when absent.
    vms => vms: Vec<String>, Names = VM_SIZES;

    /// Excluded VM sizes.
    not_vms => not_vms: Vec<String>, Names = VM_SIZES;

    /// Allowed disks; all when absent.
    disks => disks: Vec<String>, Names = DISKS;

    /// Excluded disks.
    not_disks => not_disks: Vec<String>, Names = DISKS;

    /// The VM size on which the CPU load was recorded: vCPUs are then compared by their published speed; as equal when absent.
    cpu_recorded_on => cpu_recorded_on: Option<String>, Text = Text(recorded_on);
    guide "Only if one page has both sizes; others count as equal. The answer prints the factor, its source and grade, and how many sizes have one.";
    idle |requirements, wishes| {
        let has_load = requirements.cpu_percent.is_some() && requirements.processors.is_some();
        (wishes.cpu_recorded_on.is_some() && !has_load).then(|| say!(KeyNoProcessorLoad))
    };

    /// Minimum number of vCPUs.
    vcpu_min => vcpu_min: u32, AnyCount = AnyCount;
    examples "4", "8";

    /// Maximum number of vCPUs; any number when absent.
    vcpu_max => vcpu_max: u32, Count = Count { usual: u32::MAX, from: 1, to: 10_000 };
    examples "64", "2";

    /// Minimum memory, with its unit.
    memory_min => memory_min: Bytes, Size = Size;
    examples "\"48 GiB\"", "\"16 GiB\"";

    /// OS disk, if no volume has the role os; not part of the price when absent.
    os_disk => os_disk: Option<String>, Text = Text(os_disk);
    guide "A line of the [rest of the bill](#the-rest-of-the-bill).";
    idle |_, wishes| {
        let has_volume = wishes.volumes.iter().any(|volume| volume.role == Role::Os);
        (wishes.os_disk.is_some() && has_volume).then(|| say!(KeyOsVolume))
    };

    /// Number of snapshots kept, the first full, the others incremental; none when absent.
    snapshots_kept => snapshots_kept: u32, Count = Count { usual: 0, from: 0, to: 500 };
    examples "7", "30";
    guide "A line of the [rest of the bill](#the-rest-of-the-bill).";

    /// Change from one snapshot to the next, in percent of the capacity; 100, all of it, when absent.
    snapshot_change_percent => snapshot_change_percent: f64, Percent = Percent { usual: 100.0, from: 0.0, to: 100.0 };
    examples "5", "20";
    idle |_, wishes| {
        (wishes.snapshots_kept == 0 && wishes.snapshot_change_percent != 100.0).then(|| say!(KeyNoSnapshots))
    };

    /// Maximum monthly cost, in the currency of the prices: `2000`.
    cost_max => cost_max_micros: Option<u64>, Amount = Amount;
    examples "5000", "1.0";
    guide "It includes licences.";

    /// Licences paid by core, a vCPU of the VM: one table or several. They are part of the cost that decides.
    licence => licences: Vec<Licence>, Licences = Licences;
    examples "[{ name = \"database\", per = \"core\", price = \"6000 a year\", minimum = 4 }]",
        "{ per = \"core\", price = \"500 a month\" }";
    guide "Each has a `price` of one core (`\"500 a month\"`, `\"6000 a year\"`), a `name`, and `minimum`, the minimum number of cores paid per VM, and `nodes`, how many of the nodes need one (all when absent; `nodes = 1` if a passive node of a failover cluster needs none). For a size with fewer enabled vCPUs, only those are paid. If a licence core is two vCPUs, write half its price. Licences by socket, server or user cost the same on every size and are not supported here.";

    /// Prices missing from the catalogue, or overriding it.
    price => own_prices: Vec<OwnPrice>, Prices = Prices;
}

/// So much of every rate stays free, in percent, where nothing is said: what is above the recorded peak, and the waiting that sets in well
/// below a limit.
const HEADROOM_PERCENT: f64 = 20.0;
/// So much of every disk's capacity stays free, in percent, where nothing is said: file systems and databases slow down when full.
const CAPACITY_HEADROOM_PERCENT: f64 = 15.0;
const CPU_PERCENT: f64 = 80.0;
const VM_SIZES: Names =
    Names { of: |offers| offers.vms(), hint: |offers, asked| offers.vm_hint(asked), what: "VM size", list: "--vm" };
const DISKS: Names =
    Names { of: |offers| offers.disks(), hint: |offers, asked| offers.disk_hint(asked), what: "disk", list: "--disks" };

impl Key {
    /// What it says.
    pub fn doc(&self) -> String {
        self.doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n")
    }
    /// Its line in a file.
    pub fn example(&self) -> String {
        format!("{} = {}", self.name, self.examples[0])
    }
}

impl Wishes {
    /// For so many years a VM size must still be there, where nothing is said.
    pub const HORIZON_YEARS: u32 = 3;

    /// How much of a month the VM runs.
    pub fn running(&self) -> Running {
        let hours = || Running::hours_per_month(self.hours_per_month);
        self.schedule.as_ref().map_or_else(hours, Running::on)
    }

    /// What is committed to, if anything.
    pub fn commitment(&self) -> Option<Commitment> {
        let reserved = self.reserved_years.map(Commitment::reservation);
        reserved.or(self.savings_plan_years.map(Commitment::savings_plan))
    }

    /// The same at another commitment, or at none.
    pub fn committed(&self, to: Option<Commitment>) -> Wishes {
        let years = |of: CommitTo| to.filter(|commitment| commitment.to == of).map(|commitment| commitment.years);
        Wishes {
            reserved_years: years(CommitTo::Machine),
            savings_plan_years: years(CommitTo::Spending),
            ..self.clone()
        }
    }

    /// Growth of the load of a volume a year, in percent: an operating system has none unless it is said.
    pub fn growth_of(&self, volume: &VolumeWishes) -> f64 {
        let usual = if volume.role == Role::Os { 0.0 } else { self.growth_percent_per_year };
        volume.growth_percent_per_year.unwrap_or(usual)
    }
    /// The same of what it holds.
    pub fn capacity_growth_of(&self, volume: &VolumeWishes) -> f64 {
        let usual = if volume.role == Role::Os { 0.0 } else { self.capacity_growth_percent_per_year };
        volume.capacity_growth_percent_per_year.unwrap_or(usual)
    }
    /// Whether anything does: processors grow as the load of the plan.
    pub fn grows(&self) -> bool {
        let of_volume = |volume: &VolumeWishes| self.growth_of(volume) > 0.0 || self.capacity_growth_of(volume) > 0.0;
        self.growth_percent_per_year > 0.0 || self.volumes.iter().any(of_volume)
    }

    /// Disks that a volume may have in its stripe.
    pub fn disks_max_of(&self, volume: &VolumeWishes) -> u32 {
        // The operating system starts from one disk.
        if volume.role == Role::Os { 1 } else { volume.disks_max.unwrap_or(self.disks_usual) }
    }
    /// The same with so many disks in a stripe of which nobody says how many it may have; nothing where that allows no more.
    pub fn with_disks(&self, disks_usual: u32) -> Option<Wishes> {
        let wider = Wishes { disks_usual, ..self.clone() };
        let allows_more = |volume| wider.disks_max_of(volume) > self.disks_max_of(volume);
        wider.volumes.iter().any(allows_more).then_some(wider)
    }

    /// The same with nothing kept free.
    pub fn bare(&self) -> Wishes {
        Wishes {
            headroom_percent: 0.0,
            memory_headroom: Some(MemoryRoom::Percent(0.0)),
            capacity_headroom_percent: 0.0,
            cpu_percent: 100.0,
            ..self.clone()
        }
    }
}

/// A zone of which nothing is known is not a zone that anything may be planned for.
fn zone(written: &Spanned<String>, plan: &PlanFile, reader: &mut WishReader<'_>) {
    let region = plan.region.as_ref().map_or(reader.offers.vendor().region, |region| region.get_ref());
    if let Some([what, hint]) = reader.offers.refuses_zone(written.get_ref(), region) {
        reader.error(written.span(), what, hint);
    }
}

/// Prices up to an edition; before the oldest there is none.
fn prices(written: &Spanned<String>, plan: &PlanFile, reader: &mut WishReader<'_>) {
    let region = plan.region.as_ref().map_or(reader.offers.vendor().region, |region| region.get_ref());
    let asked = written.get_ref();
    if let Some(oldest) = reader.offers.prices_begin_after(asked, region) {
        let what = format!("no price in {region} is as old as {asked}; the oldest is from {oldest}");
        let hint = "write a later year or edition, or omit `prices` to use the newest";
        reader.error(written.span(), what, hint);
    }
}

/// A disk that is on offer.
fn recorded_on(written: &Spanned<String>, _: &PlanFile, reader: &mut WishReader<'_>) {
    let asked = written.get_ref();
    let is_one = !asked.contains('*') && reader.offers.vms().iter().any(|known| reader.offers.fits(asked, known));
    if !is_one {
        let hint = reader.offers.vm_hint(asked).unwrap_or_else(|| "`diskwright catalogue list` shows them all".into());
        reader.error(written.span(), format!("no VM size is called `{asked}`"), hint);
    }
}

fn os_disk(written: &Spanned<String>, _: &PlanFile, reader: &mut WishReader<'_>) {
    let asked = written.get_ref();
    let is_one = !asked.contains('*') && reader.offers.disks().iter().any(|known| reader.offers.fits(asked, known));
    if !is_one {
        let hint = reader.offers.disk_hint(asked);
        let hint = hint.unwrap_or_else(|| "`diskwright catalogue list --disks` shows all".into());
        reader.error(written.span(), format!("no disk is called `{asked}`"), hint);
    }
}

fn edition(written: &Spanned<String>, _: &PlanFile, reader: &mut WishReader<'_>) {
    let known = reader.offers.editions();
    if !known.contains(&written.get_ref().as_str()) {
        let what = format!("unknown edition `{}`", written.get_ref());
        reader.error(written.span(), what, format!("editions: {}", known.join(", ")));
    }
}

/// A currency without a price would leave nothing on offer.
fn currency(written: &Spanned<String>, _: &PlanFile, reader: &mut WishReader<'_>) {
    let (word, known) = (written.get_ref(), reader.offers.currencies());
    if !known.contains(&word.as_str()) {
        let what = format!("`currency = \"{word}\"`: the catalogue has no price in it, only in {}", known.join(", "));
        let hint = format!("write `currency = \"{}\"`, or omit it", known.join("\", \""));
        reader.error(written.span(), what, hint);
    }
}

/// Years of a commitment: `1y`, `3y`. Of keys that stand in place of each other only one may be there.
struct Years {
    /// The other key, where it is there.
    other: Option<fn(&PlanFile) -> Option<&'static str>>,
}

impl Years {
    const WORD: Word<Option<u32>> =
        Word { usual: None, words: &[("1y", Some(1)), ("3y", Some(3))], or: ", or omit it for pay as you go" };
}

impl Kind for Years {
    type Value = Option<u32>;
    type File = Option<Spanned<String>>;
    const PYTHON: &'static str = "str";

    fn usual(&self) -> Option<u32> {
        None
    }
    fn read(&self, key: &str, written: &Self::File, plan: &PlanFile, reader: &mut WishReader<'_>) -> Option<u32> {
        if let Some((written, other)) = written.as_ref().zip(self.other.and_then(|other| other(plan))) {
            let what = format!("`{key}` and `{other}` cannot both be given: a VM is bought in one way");
            reader.error(written.span(), what, format!("remove `{key}` or `{other}`"));
        }
        Years::WORD.read(key, written, plan, reader)
    }
    fn text(&self, value: &Option<u32>) -> String {
        Years::WORD.text(value)
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<serde_json::Value>) {
        Text::schema(generator)
    }
}

/// When a VM runs.
struct Weekly;

impl Kind for Weekly {
    type Value = Option<Schedule>;
    type File = Option<Spanned<String>>;
    const PYTHON: &'static str = "str";

    fn usual(&self) -> Option<Schedule> {
        None
    }
    fn read(&self, key: &str, written: &Self::File, plan: &PlanFile, reader: &mut WishReader<'_>) -> Option<Schedule> {
        let written = written.as_ref()?;
        if plan.hours_per_month.is_some() {
            let what = format!("`{key}` and `hours_per_month` cannot both be given: each sets how long the VM runs");
            reader.error(written.span(), what, format!("remove `{key}` or `hours_per_month`"));
        }
        let schedule = Schedule::parse(written.get_ref());
        if let Err(part) = &schedule {
            let what = format!("`{key}`: `{part}` is not days and times");
            let hint = "write it like `mon-fri 07:00-19:00, sat 08:00-12:00`: mon, tue, wed, thu, fri, sat, sun";
            reader.error(written.span(), what, hint);
        }
        schedule.ok()
    }
    fn text(&self, value: &Option<Schedule>) -> String {
        quoted(&value.as_ref().map(Schedule::to_string).unwrap_or_default())
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<serde_json::Value>) {
        Text::schema(generator)
    }
}

/// Whether the region that a file names has prices, or it names none.
pub(crate) fn has_known_region(plan: &PlanFile, offers: &dyn Offers) -> bool {
    plan.region.as_ref().is_none_or(|region| known_region(offers, region.get_ref()).is_some())
}

/// The region with prices that is called so, however that is written.
fn known_region(offers: &dyn Offers, asked: &str) -> Option<String> {
    let plain = |text: &str| text.replace(' ', "").to_lowercase();
    offers.regions().into_iter().find(|known| plain(known) == plain(asked)).map(String::from)
}

/// A region with prices, however it is written.
struct Region;

impl Kind for Region {
    type Value = String;
    type File = Option<Spanned<String>>;
    const PYTHON: &'static str = "str";

    /// Which one it is without a word, the vendor says.
    fn usual(&self) -> String {
        String::new()
    }
    fn read(&self, _: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> String {
        let Some(region) = written else { return reader.offers.vendor().region.into() };
        match known_region(reader.offers, region.get_ref()) {
            Some(known) => known,
            None => {
                let what = format!("no price is known in region `{}`", region.get_ref());
                let hint = reader.offers.region_hint(region.get_ref());
                reader.error(region.span(), what, hint);
                self.usual()
            }
        }
    }
    fn text(&self, value: &String) -> String {
        quoted(value)
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<serde_json::Value>) {
        Text::schema(generator)
    }
}

/// How much memory stays free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MemoryRoom {
    /// A share of all that there is.
    Percent(f64),
    /// So much.
    Amount(Bytes),
}

/// Memory that stays free, with `%` or a unit.
struct Room;

impl Kind for Room {
    type Value = Option<MemoryRoom>;
    type File = Option<Spanned<String>>;
    const PYTHON: &'static str = "str";

    fn usual(&self) -> Option<MemoryRoom> {
        None
    }
    fn read(&self, key: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> Option<MemoryRoom> {
        let written = written.as_ref()?;
        let Some(percent) = written.get_ref().strip_suffix('%') else {
            return reader.quantity(key, written).map(MemoryRoom::Amount);
        };
        let percent = percent.trim().parse().ok().filter(|percent| (0.0..=90.0).contains(percent));
        if percent.is_none() {
            let what = format!("`{key} = \"{}\"` is not a share of memory", written.get_ref());
            let hint = "write from `0 %` to `90 %`, or an amount with its unit, for example `8 GiB`";
            reader.error(written.span(), what, hint);
        }
        percent.map(MemoryRoom::Percent)
    }
    fn text(&self, value: &Option<MemoryRoom>) -> String {
        match value {
            Some(MemoryRoom::Percent(percent)) => format!("\"{percent} %\""),
            Some(MemoryRoom::Amount(amount)) => format!("\"{amount}\""),
            None => String::new(),
        }
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<serde_json::Value>) {
        Text::schema(generator)
    }
}

/// Ways to buy a disk, by their words.
struct DiskOptions;

impl Kind for DiskOptions {
    type Value = Ways;
    type File = Option<Vec<Spanned<String>>>;
    const PYTHON: &'static str = "list[str]";

    fn usual(&self) -> Ways {
        Ways::ALL
    }
    fn read(&self, _: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> Ways {
        let Some(words) = written else { return self.usual() };
        let known = reader.offers.vendor().ways;
        for word in words.iter().filter(|word| !known.contains(&word.get_ref().as_str())) {
            let what = format!("`{}` is not a purchase option of disks", word.get_ref());
            let all = known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
            let hint = match known.is_empty() {
                true => "omit `disk_options`: disks are sold in no other way here".into(),
                false => format!("write one of {all}"),
            };
            reader.error(word.span(), what, hint);
        }
        let is_chosen = |known: &&str| words.iter().any(|word| word.get_ref() == known);
        match known.iter().all(&is_chosen) {
            true => Ways::ALL,
            false => Ways::only(known.iter().copied().filter(is_chosen)),
        }
    }
    fn text(&self, value: &Ways) -> String {
        in_brackets(value.words().iter().map(|word| quoted(word)))
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<serde_json::Value>) {
        (Option::<Vec<String>>::json_schema(generator), None)
    }
}

/// Prices that a person knows, each a table of its own.
struct Prices;

impl Kind for Prices {
    type Value = Vec<OwnPrice>;
    type File = Vec<PriceFile>;
    const PYTHON: &'static str = "list[dict[str, Any]]";

    fn usual(&self) -> Vec<OwnPrice> {
        Vec::new()
    }
    fn read(&self, _: &str, written: &Self::File, _: &PlanFile, reader: &mut WishReader<'_>) -> Vec<OwnPrice> {
        reader.own_prices(written)
    }
    fn text(&self, value: &Vec<OwnPrice>) -> String {
        let table = |price: &OwnPrice| {
            let mut out = String::from("\n[[plan.price]]\n");
            key(&mut out, "name", Some(quoted(&price.name)));
            key(&mut out, "meter", Some(quoted(&price.meter)));
            key(&mut out, "monthly", Some(amount(price.monthly_micros)));
            out
        };
        value.iter().map(table).collect()
    }
    fn line(&self, _: &str, value: &Vec<OwnPrice>) -> String {
        self.text(value)
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<serde_json::Value>) {
        (generator.subschema_for::<Vec<PriceFile>>(), None)
    }
}

/// Licences by core, each a table.
struct Licences;

impl Kind for Licences {
    type Value = Vec<Licence>;
    type File = OneOrMore<LicenceFile>;
    const PYTHON: &'static str = "dict[str, Any] | list[dict[str, Any]]";

    fn usual(&self) -> Vec<Licence> {
        Vec::new()
    }
    fn read(&self, _: &str, written: &Self::File, plan: &PlanFile, reader: &mut WishReader<'_>) -> Vec<Licence> {
        let nodes = plan.nodes.as_ref().map_or(1, |nodes| *nodes.get_ref());
        reader.licences(written.all(), nodes.max(1))
    }
    fn text(&self, value: &Vec<Licence>) -> String {
        let table = |licence: &Licence| {
            let Licence { name, price_micros, every, minimum, nodes } = licence;
            let (name, price) = (quoted(name), format!("{} a {}", amount(*price_micros), every.word()));
            let nodes = nodes.map_or_else(String::new, |nodes| format!(", nodes = {nodes}"));
            format!("{{ name = {name}, per = \"{PER_CORE}\", price = \"{price}\", minimum = {minimum}{nodes} }}")
        };
        in_brackets(value.iter().map(table))
    }
    fn schema(generator: &mut SchemaGenerator) -> (Schema, Option<serde_json::Value>) {
        (generator.subschema_for::<OneOrMore<LicenceFile>>(), None)
    }
}
