//! Where clients connect, and who may.
//!
//! A Unix socket belongs to its owner ([`crate::unix_socket`]). TCP stays on this machine; anything else
//! needs TLS, or somebody who asked for the risk by name. Sockets that systemd opened are taken as they are: whoever wrote the
//! unit decided.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use dw_error::system::reason;
use rustix::net::{AddressFamily, sockopt};
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

use crate::unix_socket::{self, SocketError, SocketFile};

/// The first descriptor that systemd hands over.
const FIRST_INHERITED: i32 = 3;

/// Why nobody can come in.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// There is no socket at a path.
    #[error(transparent)]
    Unix(#[from] SocketError),
    /// Not an address.
    #[error("`{0}` is not an address: {1}\nhint: write for example `127.0.0.1:10809` or `[::1]:10809`")]
    Address(String, String),
    /// Beyond this machine, in the clear.
    #[error(
        "`{0}` is reachable from other machines, and anyone who can connect could read and write the disks\n\
         hint: give it `--tls-cert` and `--tls-key`, listen on 127.0.0.1, or add `--insecure-listen` to allow it"
    )]
    Exposed(String),
    /// The operating system refuses.
    #[error("{address}: cannot listen there: {}\nhint: {}", reason(.why), tcp_hint(.address, .why))]
    Tcp { address: SocketAddr, why: io::Error },
    /// What systemd announced is not there.
    #[error(
        "LISTEN_FDS announces a socket that cannot be taken: {0}\nhint: unset LISTEN_FDS when it is not meant for this program"
    )]
    Inherited(io::Error),
}

/// What to do about an address that the operating system refuses.
fn tcp_hint(address: &SocketAddr, why: &io::Error) -> String {
    let free = SocketAddr::new(address.ip(), 0);
    match why.kind() {
        io::ErrorKind::AddrInUse => format!("choose another port; `{free}` picks a free one"),
        io::ErrorKind::PermissionDenied => format!("choose a port from 1024 on; `{free}` picks a free one"),
        io::ErrorKind::AddrNotAvailable => "choose an address of this machine, such as `127.0.0.1:10809`".into(),
        _ => "choose another address".into(),
    }
}

impl From<ListenError> for dw_error::Error {
    fn from(error: ListenError) -> Self {
        dw_error::Error::of(dw_error::Kind::Usage, error)
    }
}

/// A socket that lets clients in.
#[derive(Debug)]
pub struct Listener {
    fd: OwnedFd,
    tcp: bool,
    _file: Option<SocketFile>,
    address: String,
}

impl Listener {
    /// A Unix socket for its owner alone. What a dead server left behind is replaced.
    ///
    /// # Errors
    /// When somebody listens there already, or nobody can.
    pub fn unix(path: &Path) -> Result<Listener, ListenError> {
        let (fd, file) = unix_socket::listen_at(path)?;
        let refused = |e: rustix::io::Errno| SocketError::Refused { path: path.to_path_buf(), why: e.into() };
        rustix::io::ioctl_fionbio(&fd, true).map_err(refused)?;
        Ok(Listener { fd, tcp: false, _file: Some(file), address: path.display().to_string() })
    }

    /// TCP. Beyond this machine only with `secured` (TLS) or `insecure` (asked for by name).
    ///
    /// # Errors
    /// When the address is none, is exposed, or cannot be had.
    pub fn tcp(address: &str, secured: bool, insecure: bool) -> Result<Listener, ListenError> {
        let bad = |why: &dyn std::fmt::Display| ListenError::Address(address.to_owned(), why.to_string());
        let found = address.to_socket_addrs().map_err(|why| bad(&why))?.next();
        let to = found.ok_or_else(|| bad(&"nothing is known of it"))?;
        if !to.ip().is_loopback() && !secured && !insecure {
            return Err(ListenError::Exposed(address.to_owned()));
        }
        let failed = |why: io::Error| ListenError::Tcp { address: to, why };
        let listener = std::net::TcpListener::bind(to).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let name = listener.local_addr().map_or_else(|_| to.to_string(), |a| a.to_string());
        Ok(Listener { fd: listener.into(), tcp: true, _file: None, address: name })
    }

    /// The sockets that systemd handed over, if any (`LISTEN_FDS`, `LISTEN_PID`).
    ///
    /// # Errors
    /// When they are announced and not there.
    pub fn inherited() -> Result<Vec<Listener>, ListenError> {
        let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<i32>().ok());
        let pid = getpid();
        if number("LISTEN_PID") != Some(pid.as_raw_nonzero().get()) {
            return Ok(Vec::new());
        }
        let failed = |e: rustix::io::Errno| ListenError::Inherited(e.into());
        let this = pidfd_open(pid, PidfdFlags::empty()).map_err(failed)?;
        (0..number("LISTEN_FDS").unwrap_or(0))
            .map(|offset| {
                // Our own descriptor by number, the one way to it that needs no `unsafe`.
                let fd = pidfd_getfd(&this, FIRST_INHERITED + offset, PidfdGetfdFlags::empty()).map_err(failed)?;
                rustix::io::ioctl_fionbio(&fd, true).map_err(failed)?;
                let tcp = sockopt::socket_domain(&fd).map_err(failed)? != AddressFamily::UNIX;
                Ok(Listener { fd, tcp, _file: None, address: format!("descriptor {}", FIRST_INHERITED + offset) })
            })
            .collect()
    }

    /// Where, for people.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Whether it speaks TCP.
    pub(super) fn is_tcp(&self) -> bool {
        self.tcp
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_this_machine_somebody_must_have_decided() {
        let cases = [
            ("127.0.0.1:0", false, false, true),
            ("[::1]:0", false, false, true),
            ("0.0.0.0:0", false, false, false),
            ("0.0.0.0:0", true, false, true),
            ("0.0.0.0:0", false, true, true),
            ("nonsense", false, false, false),
        ];
        for (address, secured, insecure, expected) in cases {
            let result = Listener::tcp(address, secured, insecure);
            // A machine without IPv6 cannot listen on its loopback.
            let impossible = matches!(result, Err(ListenError::Tcp { .. }));
            assert!(impossible || result.is_ok() == expected, "{address} {secured} {insecure}: {result:?}");
        }
    }
}
