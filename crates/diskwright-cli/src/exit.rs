//! Exit codes: what a script may rely on. `docs/guide/exit-codes.md` is checked against this list.

use dw_error::Kind;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Ok = 0,
    /// Something that should not happen: the output cannot be written, or the program has a fault.
    Unexpected = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// An input file cannot be read, or is wrong.
    Input = 3,
    /// Nothing on offer meets the demand.
    Infeasible = 4,
    /// What is required was not measured, or not met.
    NotVerified = 5,
    /// Something that was asked for has no known price.
    Price = 8,
    /// No emulation answers on the control socket.
    NoEmulation = 9,
    /// The emulation refused a command.
    Refused = 10,
    /// A program, a device or a right that is needed is not there.
    Tool = 11,
    /// A benchmark could not be finished.
    Bench = 12,
    /// Something that must not be overwritten is in the way.
    Protected = 13,
    /// A conversion would lose something, which was forbidden.
    Lossy = 14,
    /// A fitted model is less accurate than the one of before.
    NotBetter = 15,
    /// Stopped by Ctrl-C; partial results are printed and marked.
    Interrupted = 130,
}

impl Exit {
    /// All of them, with what the guide says.
    pub const ALL: [(Exit, &'static str); 15] = [
        (Exit::Ok, "done"),
        (Exit::Unexpected, "unexpected: the output cannot be written, or the program has a bug"),
        (Exit::Usage, "invalid command line"),
        (Exit::Input, "an input file cannot be read or is invalid: the message gives file, line, value and fix"),
        (
            Exit::Infeasible,
            "nothing on offer meets the requirements: the report shows the conflicting limits and the nearest plan",
        ),
        (
            Exit::NotVerified,
            "a requirement was not met, or no measurement shows that it was; of `audit`: a finding is at least as bad as `--fail-on` says",
        ),
        (Exit::Price, "a price is unknown: the message says which"),
        (Exit::NoEmulation, "no emulation answers on the control socket"),
        (Exit::Refused, "the emulation refused the command; the message gives the reason"),
        (Exit::Tool, "a required program, device or privilege is missing or too old: the message says how to get it"),
        (
            Exit::Bench,
            "a benchmark did not finish: fio failed or was killed, the disk is full or the target is gone; finished scenarios are kept",
        ),
        (Exit::Protected, "a target contains data or is in use; nothing was written"),
        (Exit::Lossy, "`--strict` was given and the target format cannot express everything; nothing was written"),
        (Exit::NotBetter, "a fitted latency model predicts less accurately than the previous one; it was not saved"),
        (Exit::Interrupted, "stopped by Ctrl-C: results so far are printed and marked as partial"),
    ];

    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl From<Kind> for Exit {
    fn from(kind: Kind) -> Exit {
        match kind {
            Kind::Usage => Exit::Usage,
            Kind::Input => Exit::Input,
            Kind::Infeasible => Exit::Infeasible,
            Kind::NotVerified => Exit::NotVerified,
            Kind::Price => Exit::Price,
            Kind::NoEmulation => Exit::NoEmulation,
            Kind::Refused => Exit::Refused,
            Kind::Tool => Exit::Tool,
            Kind::Bench => Exit::Bench,
            Kind::Protected => Exit::Protected,
            Kind::Lossy => Exit::Lossy,
            Kind::NotBetter => Exit::NotBetter,
            Kind::Interrupted => Exit::Interrupted,
            Kind::Unexpected => Exit::Unexpected,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_error_has_its_exit_code() {
        let table = [
            (Kind::Unexpected, 1),
            (Kind::Usage, 2),
            (Kind::Input, 3),
            (Kind::Infeasible, 4),
            (Kind::NotVerified, 5),
            (Kind::Price, 8),
            (Kind::NoEmulation, 9),
            (Kind::Refused, 10),
            (Kind::Tool, 11),
            (Kind::Bench, 12),
            (Kind::Protected, 13),
            (Kind::Lossy, 14),
            (Kind::NotBetter, 15),
            (Kind::Interrupted, 130),
        ];
        assert_eq!(table.map(|(kind, _)| kind), Kind::ALL);
        for (kind, code) in table {
            assert_eq!(Exit::from(kind).code(), code, "{kind:?}");
        }
        // Each code but success is that of one kind.
        let of_kinds: Vec<Exit> = std::iter::once(Exit::Ok).chain(Kind::ALL.map(Exit::from)).collect();
        assert_eq!(of_kinds, Exit::ALL.map(|(exit, _)| exit));
    }
}
