//! Where clients come in, and who can come at all.
//!
//! A Unix socket belongs to its owner (mode 0600, set before anybody can connect). TCP stays on this machine; anything else
//! needs TLS, or somebody who asked for the risk by name. Sockets that systemd opened are taken as they are: whoever wrote the
//! unit decided.
//!
//! Invariant: the file of a Unix socket is removed at the end only if it is still ours.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with, sockopt};
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

/// Connections that may wait to be let in.
const BACKLOG: i32 = 128;
/// The first descriptor that systemd hands over.
const FIRST_INHERITED: i32 = 3;

/// Why nobody can come in.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Somebody else serves there.
    #[error("{}: another server listens there\nhint: stop it, or choose another path", .0.display())]
    Taken(PathBuf),
    /// It is not a socket.
    #[error("{}: there is something that is not a socket\nhint: choose another path; it is left alone", .0.display())]
    NotASocket(PathBuf),
    /// The kernel's limit.
    #[error("{}: the path has more than 107 bytes, the most for a socket\nhint: choose a shorter one", .0.display())]
    PathTooLong(PathBuf),
    /// The operating system refuses.
    #[error("{}: cannot listen there: {why}\nhint: the folder must exist and be writable", .path.display())]
    Unix {
        /// Where.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// Not an address.
    #[error("`{0}` is not an address: {1}\nhint: write for example `127.0.0.1:10809` or `[::1]:10809`")]
    Address(String, String),
    /// Beyond this machine, in the clear.
    #[error(
        "`{0}` is reachable from other machines, and everybody who reaches it could read and write the disks\n\
         hint: give it `--tls-cert` and `--tls-key`, listen on 127.0.0.1, or say `--insecure-listen` if you want that"
    )]
    Exposed(String),
    /// The operating system refuses.
    #[error("{address}: cannot listen there: {why}")]
    Tcp {
        /// Where.
        address: SocketAddr,
        /// Why.
        why: io::Error,
    },
    /// What systemd announced is not there.
    #[error(
        "LISTEN_FDS announces a socket that cannot be taken: {0}\nhint: unset LISTEN_FDS when it is not meant for this program"
    )]
    Inherited(io::Error),
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
    /// The file to remove at the end, with its device and inode.
    file: Option<(PathBuf, (u64, u64))>,
    address: String,
}

impl Listener {
    /// A Unix socket for its owner alone. What a dead server left behind is replaced.
    ///
    /// # Errors
    /// When somebody listens there already, or nobody can.
    pub fn unix(path: &Path) -> Result<Listener, ListenError> {
        let failed = |why: io::Error| ListenError::Unix { path: path.to_path_buf(), why };
        let address = SocketAddrUnix::new(path).map_err(|_| ListenError::PathTooLong(path.to_path_buf()))?;
        clear(path)?;
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let fd = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None).map_err(|e| failed(e.into()))?;
        bind(&fd, &address).map_err(|e| failed(e.into()))?;
        // Until `listen`, connecting is refused: nobody slips in before the mode is set.
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(failed)?;
        listen(&fd, BACKLOG).map_err(|e| failed(e.into()))?;
        let meta = std::fs::symlink_metadata(path).map_err(failed)?;
        let file = Some((path.to_path_buf(), (meta.dev(), meta.ino())));
        Ok(Listener { fd, tcp: false, file, address: path.display().to_string() })
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
        Ok(Listener { fd: listener.into(), tcp: true, file: None, address: name })
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
                Ok(Listener { fd, tcp, file: None, address: format!("descriptor {}", FIRST_INHERITED + offset) })
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

impl Drop for Listener {
    fn drop(&mut self) {
        if let Some((path, ours)) = &self.file
            && std::fs::symlink_metadata(path).is_ok_and(|meta| (meta.dev(), meta.ino()) == *ours)
        {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes the socket of a dead server; anything else in the way is an error.
fn clear(path: &Path) -> Result<(), ListenError> {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return Ok(()) };
    if !meta.file_type().is_socket() {
        return Err(ListenError::NotASocket(path.to_path_buf()));
    }
    match UnixStream::connect(path) {
        Err(e) if e.kind() == io::ErrorKind::ConnectionRefused => {}
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        _ => return Err(ListenError::Taken(path.to_path_buf())),
    }
    std::fs::remove_file(path).map_err(|why| ListenError::Unix { path: path.to_path_buf(), why })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_socket_is_its_owners_and_goes_with_the_server() {
        let folder = folder();
        let path = folder.path().join("s");
        let listener = Listener::unix(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        drop(listener);
        assert!(!path.exists());
    }

    #[test]
    fn a_dead_servers_socket_is_replaced_and_a_live_ones_is_not() {
        let folder = folder();
        let path = folder.path().join("s");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists(), "the dead server left its file");
        let _alive = Listener::unix(&path).unwrap();
        assert!(matches!(Listener::unix(&path), Err(ListenError::Taken(_))));
    }

    #[test]
    fn what_is_in_the_way_is_left_alone() {
        let folder = folder();
        let path = folder.path().join("precious");
        std::fs::write(&path, "data").unwrap();
        assert!(matches!(Listener::unix(&path), Err(ListenError::NotASocket(_))));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "data");
        let long = folder.path().join("x".repeat(120));
        assert!(matches!(Listener::unix(&long), Err(ListenError::PathTooLong(_))));
        let nowhere = folder.path().join("missing/s");
        assert!(matches!(Listener::unix(&nowhere), Err(ListenError::Unix { .. })));
    }

    #[test]
    fn somebody_elses_socket_at_our_path_is_not_removed() {
        let folder = folder();
        let path = folder.path().join("s");
        let listener = Listener::unix(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let _other = std::os::unix::net::UnixListener::bind(&path).unwrap();
        drop(listener);
        assert!(path.exists());
    }

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
