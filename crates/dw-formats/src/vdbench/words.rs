//! Lines to definitions.
//!
//! A definition begins with its kind (`sd=sd1`) and goes on to the next one; parameters are separated by commas or lines, lists are
//! in parentheses. After the first blank of a line comes a comment, and so do lines that begin with `*`, `/` or `#`. Names of
//! parameters may be cut short as long as they say which is meant (`xf=4k`, `el=30`). `default` sets what later definitions of
//! the kind begin with.

use dw_messages::say;

use crate::assembly::{Assembly, Origin};
use crate::fio::report::{Place, WarningKind};

/// One parameter.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    /// Its full name.
    pub key: &'static str,
    /// One value, or those of a list.
    pub values: Vec<String>,
    pub origin: Origin,
}

impl Parameter {
    /// The value, where a list is none.
    pub fn one(&self, out: &mut Assembly) -> Option<&str> {
        match self.values.as_slice() {
            [value] => Some(value),
            _ => {
                out.fail(&self.origin, "is a list instead of one value", "write one value; rd= has for... loops");
                None
            }
        }
    }
}

/// A storage, workload or run definition with its defaults.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: String,
    pub origin: Origin,
    parameters: Vec<Parameter>,
}

impl Definition {
    /// A definition put together here.
    pub fn new(name: String, origin: Origin, parameters: Vec<Parameter>) -> Definition {
        Definition { name, origin, parameters }
    }

    /// A parameter; the last one that was written counts.
    pub fn get(&self, key: &str) -> Option<&Parameter> {
        self.parameters.iter().rev().find(|p| p.key == key)
    }

    /// All parameters in the order in which they were written.
    pub fn all(&self) -> &[Parameter] {
        &self.parameters
    }
}

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    pub storage: Vec<Definition>,
    pub workloads: Vec<Definition>,
    pub runs: Vec<Definition>,
    /// The workload of runs that name none: what the defaults say.
    pub unnamed: Option<Definition>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    General,
    Host,
    Storage,
    Workload,
    Run,
    FileSystem,
    FileWorkload,
}

impl Kind {
    /// What begins a definition of this kind.
    fn own_key(self) -> Option<&'static str> {
        match self {
            Kind::Storage => Some("sd"),
            Kind::Workload => Some("wd"),
            Kind::Run => Some("rd"),
            Kind::FileSystem => Some("fsd"),
            Kind::FileWorkload => Some("fwd"),
            Kind::General | Kind::Host => None,
        }
    }
}

const NOTHING_IS_RUN: &str = "commands in a workload are never run";
const DATA: &str = "the data's content does not matter here";
const SHOWN: &str = "affects only how results are shown";

/// Parameters that are read, by kind; and those without a meaning here, with the reason.
const STORAGE: &[&str] = &["lun", "size", "threads", "range", "openflags", "count", "align", "host"];
const WORKLOAD: &[&str] =
    &["sd", "xfersize", "rdpct", "seekpct", "skew", "iorate", "range", "openflags", "rhpct", "whpct", "stride", "host"];
const FILE_SYSTEM: &[&str] = &[
    "anchor",
    "depth",
    "width",
    "files",
    "size",
    "sizes",
    "totalsize",
    "workingsetsize",
    "wss",
    "distribution",
    "openflags",
    "count",
];
const FILE_WORKLOAD: &[&str] =
    &["fsd", "operation", "rdpct", "xfersize", "fileio", "threads", "skew", "openflags", "host"];
const RUN: &[&str] = &[
    "wd",
    "fwd",
    "fwdrate",
    "format",
    "sd",
    "iorate",
    "curve",
    "elapsed",
    "interval",
    "warmup",
    "pause",
    "distribution",
    "maxdata",
    "openflags",
    "forxfersize",
    "forthreads",
    "forrdpct",
    "forseekpct",
    "forrhpct",
    "forwhpct",
    "xfersize",
    "threads",
    "rdpct",
    "seekpct",
    "rhpct",
    "whpct",
    "replay",
];
const IGNORED: &[(&str, &str)] = &[
    ("stopcurve", SHOWN),
    ("report", SHOWN),
    ("histogram", SHOWN),
    ("monitor", SHOWN),
    ("messagescan", SHOWN),
    ("hitarea", "no request is aimed at a hit area"),
    ("forhitarea", "no request is aimed at a hit area"),
    ("compratio", DATA),
    ("forcompratio", DATA),
    ("dedupratio", DATA),
    ("dedupunit", DATA),
    ("dedupsets", DATA),
    ("dedupflipflop", DATA),
    ("pattern", DATA),
    ("patterns", DATA),
    ("data_errors", DATA),
    ("startcmd", NOTHING_IS_RUN),
    ("endcmd", NOTHING_IS_RUN),
    ("formatsds", "files exist and are full"),
    ("format", "files exist and are full"),
    ("create_anchors", "files exist and are full"),
    ("fileselect", "files are one range"),
    ("stopafter", "files are one range"),
    ("shared", "no other host takes part"),
    ("abort_failed_skew", "a missed skew shows in the result"),
    ("priority", "requests of all workloads are alike"),
    ("port", "no other host takes part"),
    ("shell", "no other host takes part"),
    ("user", "no other host takes part"),
    ("vdbench", "no other host takes part"),
    ("jvms", "one program issues everything"),
    ("clients", "one program issues everything"),
    ("system", "no other host takes part"),
    ("hd", "no other host takes part"),
    ("debug", SHOWN),
    ("compression", DATA),
];
/// What changes a load in ways that are not modelled.
const REFUSED: &[(&str, &str)] = &[
    ("validate", "reads before it writes, which is not modelled"),
    ("journal", "writes a journal, which is not modelled"),
    ("streams", "several sequential streams on one storage definition are not modelled"),
    ("hotband", "hot bands are not modelled"),
    ("concatenatesds", "concatenated storage is not modelled"),
    ("concatenate", "concatenated storage is not modelled"),
    ("loop", "repeats the whole file"),
    ("threads", "counts here for concatenated storage only, which is not modelled; it is of sd= or rd="),
    ("include", "other files are not read"),
];

/// Every definition of a file.
pub(super) fn read(name: &str, text: &str, out: &mut Assembly) -> Definitions {
    let mut reader = Reader {
        all: Definitions::default(),
        defaults: Vec::new(),
        open: None,
        hosts: Vec::new(),
        systems: Vec::new(),
        file_works: Vec::new(),
    };
    let mut goes_on = false;
    for (number, line) in (1..).zip(text.lines()) {
        let place = Place { file: name.into(), line: number };
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with(['*', '#', '/']) {
            continue;
        }
        if line == "eof" {
            break;
        }
        let (mut line, comment) = split_comment(line);
        let whole;
        if let Some(word) = comment.split([' ', '\t', ',']).find(|w| w.contains('=') && !w.starts_with(['*', '#', '/']))
        {
            let origin = Origin { place: place.clone(), text: word.into() };
            if is_cut(line, comment, word) {
                let hint = "write the line without spaces; put paths that contain spaces in double quotes";
                out.fail(&origin, "follows a space, where a vdbench comment starts", hint);
                // So that nothing else is missing.
                whole = [line, &comment.replace([' ', '\t'], "")].concat();
                line = &whole;
            } else {
                let hint = "put it on its own line, or after a comma without a space";
                out.warn(WarningKind::Approximated, &origin, say!(JobAfterBlank), hint);
            }
        }
        let words = match split(line) {
            Ok(words) => words,
            Err(what) => {
                let origin = Origin { place, text: line.into() };
                out.fail(&origin, what, "write lists without spaces, on one line");
                goes_on = false;
                continue;
            }
        };
        for (at, word) in words.iter().enumerate() {
            reader.word(word, at == 0 && !goes_on, &place, out);
        }
        goes_on = line.ends_with(',');
    }
    reader.finish(out)
}

struct Reader {
    all: Definitions,
    defaults: Vec<(Kind, Vec<Parameter>)>,
    open: Option<(Kind, Definition)>,
    hosts: Vec<String>,
    systems: Vec<Definition>,
    file_works: Vec<Definition>,
}

impl Reader {
    /// A parameter; at the start of a line it may begin a definition.
    fn word(&mut self, word: &str, starts: bool, place: &Place, out: &mut Assembly) {
        let origin = Origin { place: place.clone(), text: word.into() };
        let Some((key, value)) = word.split_once('=') else {
            return out.fail(&origin, "is not a parameter", "write name=value, parameters separated by commas");
        };
        let key = key.to_ascii_lowercase();
        let begins = match key.as_str() {
            _ if !starts => None,
            "sd" => Some(Kind::Storage),
            "wd" => Some(Kind::Workload),
            "rd" => Some(Kind::Run),
            "hd" => Some(Kind::Host),
            "fsd" => Some(Kind::FileSystem),
            "fwd" => Some(Kind::FileWorkload),
            "rg" => return out.fail(&origin, "replays a trace", "convert the trace to a fio iolog and simulate that"),
            _ => None,
        };
        if let Some(kind) = begins {
            self.close(out);
            let defaults = self.defaults.iter().find(|(k, _)| *k == kind && value != "default");
            let parameters = defaults.map(|(_, parameters)| parameters.clone()).unwrap_or_default();
            self.open = Some((kind, Definition { name: value.into(), origin, parameters }));
            return;
        }
        if ["sd", "wd", "rd", "fsd", "fwd"].contains(&key.as_str())
            && !starts
            && self.open.as_ref().is_some_and(|(k, _)| k.own_key() == Some(key.as_str()))
        {
            let hint = "end the line before it without a comma, and begin a line with it";
            return out.fail(&origin, "begins a definition in the middle of another", hint);
        }
        let kind = self.open.as_ref().map_or(Kind::General, |(kind, _)| *kind);
        let known: &[&'static str] = match kind {
            Kind::Storage => STORAGE,
            Kind::Workload => WORKLOAD,
            Kind::Run => RUN,
            Kind::FileSystem => FILE_SYSTEM,
            Kind::FileWorkload => FILE_WORKLOAD,
            Kind::General | Kind::Host => &[],
        };
        let values: Vec<String> = match value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(list) => list.split(',').map(|v| v.trim_matches('"').to_string()).collect(),
            None => vec![value.trim_matches('"').to_string()],
        };
        match full_name(&key, known) {
            Found::Known(key) => {
                if let Some((_, definition)) = &mut self.open {
                    definition.parameters.push(Parameter { key, values, origin });
                }
            }
            Found::Ignored(key, reason) => out.ignore(key, reason, &origin),
            Found::Refused(what) => {
                // Off is as good as not written.
                if !["no", "0", "1"].contains(&value) {
                    out.fail(&origin, what, "leave it out");
                }
            }
            Found::Unclear(names) => {
                out.fail(&origin, format!("may mean {}", names.join(" or ")), "write the name in full");
            }
            Found::Nothing => {
                let hint = match kind {
                    Kind::General => "begin with sd=, wd= and rd=".to_string(),
                    _ => format!("here are known: {}", known.join(", ")),
                };
                out.fail(&origin, "is not a parameter of vdbench that is known here", hint);
            }
        }
    }

    fn close(&mut self, out: &mut Assembly) {
        let Some((kind, definition)) = self.open.take() else { return };
        if definition.name == "default" {
            self.defaults.retain(|(k, _)| *k != kind);
            return self.defaults.push((kind, definition.parameters));
        }
        let same = match kind {
            Kind::Storage => &self.all.storage,
            Kind::Workload => &self.all.workloads,
            Kind::FileSystem => &self.systems,
            Kind::FileWorkload => &self.file_works,
            _ => &self.all.runs,
        };
        if let (true, Some(other)) = (kind != Kind::Host, same.iter().find(|d| d.name == definition.name)) {
            let what = format!("is defined twice: first in line {}", other.origin.place.line);
            out.fail(&definition.origin, what, "give it its own name");
        }
        match kind {
            Kind::General => {}
            Kind::Host => self.hosts.push(definition.name),
            Kind::Storage => self.all.storage.push(definition),
            Kind::Workload => self.all.workloads.push(definition),
            Kind::Run => self.all.runs.push(as_of_storage(definition, out)),
            Kind::FileSystem => self.systems.push(definition),
            Kind::FileWorkload => self.file_works.push(definition),
        }
    }

    fn finish(mut self, out: &mut Assembly) -> Definitions {
        let last = self.open.as_ref().map(|(_, definition)| definition.origin.clone());
        self.close(out);
        for work in &self.file_works {
            if let Some((storage, workload)) = super::files::as_storage(work, &self.systems, out) {
                self.all.storage.extend(storage);
                self.all.workloads.push(workload);
            }
        }
        let defaults = self.defaults.iter().find(|(kind, _)| *kind == Kind::Workload).map(|(_, all)| all.clone());
        self.all.unnamed = self.all.runs.first().map(|run| Definition {
            name: "default".into(),
            origin: run.origin.clone(),
            parameters: defaults.unwrap_or_default(),
        });
        if let (true, Some(origin)) = (self.hosts.len() > 1, &last) {
            let hint = "keep one hd= and describe the workload of one VM";
            out.fail(origin, format!("runs on {} hosts, but a scenario is one VM", self.hosts.len()), hint);
        }
        self.all
    }
}

/// A run of file system workloads, in the words of one on storage.
fn as_of_storage(mut definition: Definition, out: &mut Assembly) -> Definition {
    for parameter in &mut definition.parameters {
        match parameter.key {
            "fwd" => parameter.key = "wd",
            "fwdrate" => parameter.key = "iorate",
            _ => {}
        }
    }
    if let Some(p) = definition.get("format").filter(|p| p.values.iter().any(|v| v.eq_ignore_ascii_case("only"))) {
        out.fail(&p.origin, "builds the files and runs nothing", "remove the run: the files are assumed to exist");
    }
    definition
}

/// Whether a blank is within parameters, and begins no comment that speaks of some: `wd=w, sd=s`, `sd = s`, `xfersize=8 k,rdpct=50`.
fn is_cut(line: &str, comment: &str, word: &str) -> bool {
    const ENDS: [char; 2] = [',', '='];
    line.ends_with(ENDS) || comment.trim_start().starts_with(ENDS) || comment.contains(&format!(",{word}"))
}

/// A line, and what is behind its first blank outside of quotes.
fn split_comment(line: &str) -> (&str, &str) {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ' ' | '\t' if !quoted => return (&line[..at], &line[at..]),
            _ => {}
        }
    }
    (line, "")
}

/// The parameters of a line: commas in parentheses and quotes do not separate.
fn split(line: &str) -> Result<Vec<&str>, &'static str> {
    let (mut words, mut begin, mut depth, mut quoted) = (Vec::new(), 0, 0u32, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.checked_sub(1).ok_or("closes a list that was not opened")?,
            ',' if !quoted && depth == 0 => {
                words.push(&line[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    if depth > 0 || quoted {
        return Err("opens a list or quotes that are not closed before the first space");
    }
    words.push(&line[begin..]);
    words.retain(|word| !word.is_empty());
    Ok(words)
}

enum Found {
    Known(&'static str),
    Ignored(&'static str, &'static str),
    Refused(&'static str),
    Unclear(Vec<&'static str>),
    Nothing,
}

/// The parameter that a name, perhaps cut short, stands for.
fn full_name(key: &str, known: &[&'static str]) -> Found {
    let exact = |name: &&'static str| **name == *key;
    if let Some(name) = known.iter().copied().find(|name| exact(name)) {
        return Found::Known(name);
    }
    let short: Vec<&'static str> =
        known.iter().copied().filter(|name| key.len() > 1 && name.starts_with(key)).collect();
    let named = |list: &[(&'static str, &'static str)]| {
        let full = list.iter().copied().find(|(name, _)| *name == key);
        full.or_else(|| list.iter().copied().find(|(name, _)| key.len() > 1 && name.starts_with(key)))
    };
    match (short.as_slice(), named(IGNORED), named(REFUSED)) {
        ([name], _, _) => Found::Known(name),
        ([], Some((name, reason)), _) => Found::Ignored(name, reason),
        ([], None, Some((_, what))) => Found::Refused(what),
        ([], None, None) => Found::Nothing,
        (names, _, _) => Found::Unclear(names.to_vec()),
    }
}
