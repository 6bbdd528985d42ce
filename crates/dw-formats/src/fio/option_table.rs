//! The table of all fio 3.33 options: what kind of value each takes, and what becomes of it here.
//!
//! The data is `options.txt`; this file only reads it. Names were checked against `fio --cmdhelp=all` and `--enghelp`.

use std::sync::LazyLock;

static TABLE: LazyLock<Vec<OptionInfo>> = LazyLock::new(|| {
    include_str!("options.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(read).collect()
});

/// One option of fio.
#[derive(Clone, Debug)]
pub(crate) struct OptionInfo {
    /// The name that fio's JSON shows.
    pub name: &'static str,
    pub alias: Option<&'static str>,
    pub kind: Kind,
    /// One value for each direction, separated by commas.
    pub per_direction: bool,
    /// May be a range `a-b`.
    pub ranged: bool,
    pub min: Option<u64>,
    pub max: Option<u64>,
    pub treatment: Treatment,
    /// Empty = an option of fio itself, else of these engines.
    pub engines: Vec<&'static str>,
    /// fio reads these first (`kb_base`) or last (`filename`).
    pub order: i8,
}

/// What a value looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    OptionalText,
    Choice(Vec<&'static str>),
    U32,
    /// May be below zero, which fio keeps in 32 bits without a sign.
    I32,
    U64,
    Percent,
    Seconds,
    Micros,
    Bool,
    Set,
    Range,
    Floats,
    Unused,
}

/// What becomes of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Decides the workload.
    Model,
    /// Changes nothing, for this reason.
    Ignore(&'static str),
    /// Refused for this reason, unless its value is the harmless one.
    Unless { harmless: &'static str, reason: &'static str },
    /// Deprecated: fio refuses it.
    Gone,
    /// Accepted and ignored by fio everywhere.
    Leaked,
}

impl OptionInfo {
    /// The option of fio itself that is called so.
    pub fn find(name: &str) -> Option<&'static OptionInfo> {
        TABLE.iter().find(|o| o.engines.is_empty() && (o.name == name || o.alias == Some(name)))
    }

    /// The option of this engine that is called so.
    pub fn find_of_engine(name: &str, engine: &str) -> Option<&'static OptionInfo> {
        TABLE.iter().find(|o| o.name == name && o.engines.contains(&engine))
    }

    /// Engines that have an option of this name.
    pub fn engines_with(name: &str) -> Option<&'static OptionInfo> {
        TABLE.iter().find(|o| o.name == name && !o.engines.is_empty())
    }

    /// The most similar name, if similar enough.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let names = TABLE.iter().flat_map(|o| [Some(o.name), o.alias]).flatten();
        dw_error::nearest(name, names)
    }
}

/// All names that a command line may have, each with that of its option.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let options = TABLE.iter().filter(|o| o.engines.is_empty() && o.treatment != Treatment::Gone);
    let own = options.flat_map(|o| [Some((o.name, o.name)), o.alias.map(|alias| (alias, o.name))]).flatten();
    own.chain(OF_THE_TERMINAL.iter().map(|(name, ..)| (*name, *name))).chain([("section", "section")])
}

/// Options that came after fio 3.33.
pub(crate) fn since_later(name: &str) -> bool {
    const LATER: &[&str] = &[
        "comm",
        "data_placement",
        "dataplacement",
        "dp_scheme",
        "end_syncfs",
        "fdp",
        "fdp_pli",
        "fdp_pli_select",
        "filetype",
        "job_start_clock_id",
        "log_issue_time",
        "log_window_value",
        "num_range",
        "plid_select",
        "plids",
        "priohint",
        "ramp_size",
        "random_sequence_stride",
        "recover_zbd_write_error",
        "spr_cs",
        "spr_num_regions",
        "spr_op",
        "sprandom",
        "steadystate_check_interval",
        "ss_interval",
        "thinkcycles",
        "verify_header_seed",
        "verify_pattern_interval",
        "verify_policy",
        "verify_write_sequence",
        "write_zone_remainder",
    ];
    LATER.contains(&name)
}

/// Options of fio's command line that no job file may hold.
pub(crate) fn of_the_command_line(name: &str) -> bool {
    const ONLY: &[&str] = &[
        "alloc-size",
        "append-terse",
        "aux-path",
        "bandwidth-log",
        "client",
        "daemonize",
        "debug",
        "eta",
        "eta-interval",
        "eta-newline",
        "idle-prof",
        "inflate-log",
        "max-jobs",
        "minimal",
        "output",
        "output-format",
        "parse-only",
        "readonly",
        "section",
        "server",
        "showcmd",
        "status-interval",
        "terse-version",
        "trigger",
        "trigger-file",
        "trigger-timeout",
        "warnings-fatal",
    ];
    ONLY.contains(&name)
}

/// Options of fio's command line that change nothing in a load, whether they take a value, and why they change nothing.
const OF_THE_TERMINAL: &[(&str, bool, &str)] = &[
    ("alloc-size", true, "memory of fio itself"),
    ("append-terse", false, "detail of the report"),
    ("bandwidth-log", false, "fio log files are not written; ask for a time series instead"),
    ("eta", true, "fio's display while it runs"),
    ("eta-interval", true, "fio's display while it runs"),
    ("eta-newline", true, "fio's display while it runs"),
    ("idle-prof", true, "CPUs of the guest are not modelled"),
    ("max-jobs", true, "memory of fio itself"),
    ("minimal", false, "detail of the report"),
    ("readonly", false, "nothing is written to a disk of this machine"),
    ("status-interval", true, "fio's display while it runs"),
    ("terse-version", true, "detail of the report"),
    ("warnings-fatal", false, "warnings are printed"),
];

/// An option of fio's command line that changes nothing: its name, whether it takes a value, and why.
pub(crate) fn of_the_terminal(name: &str) -> Option<(&'static str, bool, &'static str)> {
    OF_THE_TERMINAL.iter().find(|(known, ..)| *known == name).copied()
}

fn read(line: &'static str) -> OptionInfo {
    let mut columns = line.splitn(6, '|').map(str::trim);
    let mut next = || columns.next().unwrap_or_else(|| panic!("options.txt: a column is missing in: {line}"));
    let (name, alias, kind, range, treatment, reason) = (next(), next(), next(), next(), next(), next());
    let (kind, engines) = kind.split_once('@').unwrap_or((kind, ""));
    let (kind, per_direction) = kind.strip_suffix("*3").map_or((kind, false), |k| (k, true));
    let (kind, ranged) = kind.strip_suffix('-').map_or((kind, false), |k| (k, true));
    let (min, max) = range.split_once("..").unwrap_or(("", ""));
    OptionInfo {
        name,
        alias: (alias != "-").then_some(alias),
        kind: match kind {
            "text" => Kind::Text,
            "text?" => Kind::OptionalText,
            "u32" => Kind::U32,
            "i32" => Kind::I32,
            "u64" => Kind::U64,
            "percent" => Kind::Percent,
            "seconds" => Kind::Seconds,
            "micros" => Kind::Micros,
            "bool" => Kind::Bool,
            "set" => Kind::Set,
            "range" => Kind::Range,
            "floats" => Kind::Floats,
            "gone" | "unused" => Kind::Unused,
            _ => match kind.strip_prefix("choice:") {
                Some(choices) => Kind::Choice(choices.split('/').collect()),
                None => panic!("options.txt: unknown kind in: {line}"),
            },
        },
        per_direction,
        ranged,
        min: min.parse().ok(),
        max: max.parse().ok(),
        treatment: match treatment.split_once(' ').unwrap_or((treatment, "")) {
            ("model", _) => Treatment::Model,
            ("ignore", _) => Treatment::Ignore(reason),
            ("unless", harmless) => Treatment::Unless { harmless, reason },
            ("gone", _) => Treatment::Gone,
            ("leaked", _) => Treatment::Leaked,
            _ => panic!("options.txt: unknown treatment in: {line}"),
        },
        engines: engines.split(',').filter(|e| !e.is_empty()).collect(),
        order: match name {
            "kb_base" | "unit_base" | "lockfile" | "cpus_allowed_policy" => 1,
            "filename" | "filename_format" => -1,
            _ => 0,
        },
    }
}
