//! Exit codes: what a script may rely on. `docs/guide/exit-codes.md` is checked against this list.

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
    /// A program that is needed is not there, or too old.
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
        (Exit::Unexpected, "unexpected: the output cannot be written, or the program has a fault"),
        (Exit::Usage, "the command line makes no sense"),
        (Exit::Input, "an input file cannot be read, or is wrong: the message names file, line, value and fix"),
        (
            Exit::Infeasible,
            "nothing on offer meets the demand: the report says which limits conflict, and the nearest miss",
        ),
        (Exit::NotVerified, "what is required is not met by what was measured, or nothing shows it"),
        (Exit::Price, "no price is known for what was asked: the message names it"),
        (Exit::NoEmulation, "no emulation answers on the control socket"),
        (Exit::Refused, "the emulation refused the command, and said why"),
        (Exit::Tool, "a program that is needed is not there, or too old: the message says how to install it"),
        (
            Exit::Bench,
            "a benchmark could not be finished: fio failed or was killed, the disk is full, the target vanished; what is finished is kept",
        ),
        (Exit::Protected, "a target holds data or is in use: nothing was written"),
        (
            Exit::Lossy,
            "the target of a conversion cannot say everything, and `--strict` was given: nothing was written",
        ),
        (Exit::NotBetter, "a fitted latency model predicts worse than the one of before: it was not saved"),
        (Exit::Interrupted, "stopped by Ctrl-C: the results up to then are printed and marked as partial"),
    ];

    /// The number that the shell sees.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

/// Why the program could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// How to end.
    pub exit: Exit,
    /// What to say, complete; empty when it has been said.
    pub message: String,
}

impl Failure {
    /// An input file that cannot be read or is wrong.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Input, message: message.into() }
    }
    /// A command line that makes no sense.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Usage, message: message.into() }
    }
    /// Something that should not happen.
    pub fn unexpected(message: impl Into<String>) -> Failure {
        Failure { exit: Exit::Unexpected, message: message.into() }
    }
}
