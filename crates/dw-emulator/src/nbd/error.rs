//! The errors that a reply may carry.
//!
//! The protocol allows eight numbers, whatever the server's operating system calls them.
//!
//! Source: `doc/proto.md`, "Error values".

/// An error as it travels in a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Errno {
    /// Not permitted: a write to a read-only export.
    Perm = 1,
    /// Input or output failed.
    Io = 5,
    /// No memory; better avoided, as the kernel's client treats it like `Io`.
    NoMem = 12,
    /// The request makes no sense for this export.
    Inval = 22,
    /// A write beyond the end, or nowhere to put it.
    NoSpc = 28,
    /// Too large to be answered in one go.
    Overflow = 75,
    /// Not supported, or a fast zero that would not be fast.
    NotSup = 95,
    /// The server is going away.
    Shutdown = 108,
}

impl Errno {
    pub const ALL: [Errno; 8] = [
        Errno::Perm,
        Errno::Io,
        Errno::NoMem,
        Errno::Inval,
        Errno::NoSpc,
        Errno::Overflow,
        Errno::NotSup,
        Errno::Shutdown,
    ];
    /// The number on the wire.
    pub const fn number(self) -> u32 {
        self as u32
    }
}
