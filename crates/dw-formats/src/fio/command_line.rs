//! Options as a command line has them: which names there are, and which take their value from the next argument.

use super::option_table::{self, Kind, OptionInfo};

/// An option of fio on a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandLineOption {
    /// The name that fio's JSON shows.
    pub name: &'static str,
    /// Its other name.
    pub alias: Option<&'static str>,
    /// Takes a value, after `=` or as the next argument; a switch takes one after `=` only.
    pub takes_value: bool,
}

/// The option of that name, of fio itself or of any engine; also `section`, which selects sections.
pub fn command_line_option(name: &str) -> Option<CommandLineOption> {
    if name == "section" {
        return Some(CommandLineOption { name: "section", alias: None, takes_value: true });
    }
    if let Some((name, takes_value, _)) = option_table::of_the_terminal(name) {
        return Some(CommandLineOption { name, alias: None, takes_value });
    }
    let option = OptionInfo::find(name).or_else(|| OptionInfo::engines_with(name))?;
    Some(CommandLineOption { name: option.name, alias: option.alias, takes_value: option.kind != Kind::Set })
}

/// The options whose name or other name begins so, in order: of a long option, a beginning that only one has stands for it.
pub fn options_beginning(start: &str) -> Vec<&'static str> {
    let mut found: Vec<(&'static str, &'static str)> =
        option_table::names().filter(|(name, _)| name.starts_with(start)).collect();
    found.sort_unstable();
    // Both names of one option are one.
    found.dedup_by(|(_, later), (_, kept)| later == kept);
    found.into_iter().map(|(name, _)| name).collect()
}

/// The option that was probably meant.
pub fn nearest_option(name: &str) -> Option<&'static str> {
    OptionInfo::nearest(name)
}
