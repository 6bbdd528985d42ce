//! A Unix socket at a path, for its owner alone (mode 0600).
//!
//! Nobody else can open it at any moment: its mode is set between bind and listen, and before listen a connection is refused. What a dead
//! server left behind is replaced; anything else in the way is left alone.
//!
//! Invariant: its file is removed at the end only if it is still ours.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use dw_error::system::reason;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with};

/// Connections that may wait to be let in.
const BACKLOG: i32 = 128;

/// Why there is no socket at a path.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// Somebody else serves there.
    #[error("{}: another server listens there\nhint: stop it, or choose another path", .0.display())]
    Taken(PathBuf),
    #[error("{}: this is not a socket\nhint: choose another path", .0.display())]
    NotASocket(PathBuf),
    /// The kernel's limit.
    #[error(
        "{}: the path has {} bytes, but a socket's may have at most 107\nhint: choose a shorter one, for example in /tmp",
        .0.display(), .0.as_os_str().len()
    )]
    PathTooLong(PathBuf),
    /// The operating system refuses.
    #[error("{}: cannot listen there: {}\nhint: {}", .path.display(), reason(.why), hint(.path, .why))]
    Refused { path: PathBuf, why: io::Error },
}

/// What to do about a path that the operating system refuses.
fn hint(path: &Path, why: &io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match why.kind() {
        io::ErrorKind::NotFound => {
            format!("create the directory {} first, or choose a path in an existing one", folder.display())
        }
        io::ErrorKind::NotADirectory => "the part before its last `/` must be a directory".into(),
        io::ErrorKind::PermissionDenied => "choose a path in a directory that you can write to".into(),
        _ => "choose another path".into(),
    }
}

/// The file of a socket; it goes when dropped, if it is still ours.
#[derive(Debug)]
pub(crate) struct SocketFile {
    path: PathBuf,
    place: (u64, u64),
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if place(&self.path).is_ok_and(|there| there == self.place) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn place(path: &Path) -> io::Result<(u64, u64)> {
    std::fs::symlink_metadata(path).map(|file| (file.dev(), file.ino()))
}

/// Listens at `path`.
///
/// # Errors
/// When somebody listens there already, or nobody can.
pub(crate) fn listen_at(path: &Path) -> Result<(OwnedFd, SocketFile), SocketError> {
    let refused = |why: io::Error| SocketError::Refused { path: path.to_path_buf(), why };
    let address = SocketAddrUnix::new(path).map_err(|_| SocketError::PathTooLong(path.to_path_buf()))?;
    clear(path)?;
    let made = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None);
    let socket = made.map_err(|e| refused(e.into()))?;
    bind(&socket, &address).map_err(|e| refused(e.into()))?;
    let file = SocketFile { path: path.to_path_buf(), place: place(path).map_err(refused)? };
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(refused)?;
    listen(&socket, BACKLOG).map_err(|e| refused(e.into()))?;
    Ok((socket, file))
}

/// Removes the socket of a dead server; anything else in the way is an error.
fn clear(path: &Path) -> Result<(), SocketError> {
    let refused = |why: io::Error| SocketError::Refused { path: path.to_path_buf(), why };
    let Ok(meta) = std::fs::symlink_metadata(path) else { return Ok(()) };
    if !meta.file_type().is_socket() {
        return Err(SocketError::NotASocket(path.to_path_buf()));
    }
    match UnixStream::connect(path) {
        Err(e) if e.kind() == io::ErrorKind::ConnectionRefused => std::fs::remove_file(path).map_err(refused),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        // Whose it is and whether anybody listens cannot be seen.
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => Err(refused(e)),
        _ => Err(SocketError::Taken(path.to_path_buf())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_its_owners_and_goes_with_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let listening = listen_at(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        drop(listening);
        assert!(!path.exists());
    }

    #[test]
    fn a_dead_servers_socket_is_replaced_and_a_live_ones_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        assert!(path.exists(), "the dead server left its file");
        let _alive = listen_at(&path).unwrap();
        assert!(matches!(listen_at(&path), Err(SocketError::Taken(_))));
    }

    #[test]
    fn what_cannot_be_a_socket_is_told_why_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("precious"), "data").unwrap();
        let missing = format!("create the directory {} first", at("missing").display());
        let cases = [
            ("precious", "this is not a socket"),
            (&"x".repeat(120), "but a socket's may have at most 107"),
            ("missing/s", "cannot listen there: no such file or directory"),
            ("missing/s", &missing),
            ("precious/s", "the part before its last `/` must be a directory"),
        ];
        for (name, expected) in cases {
            let said = listen_at(&at(name)).unwrap_err().to_string();
            assert!(said.contains(expected) && said.contains("\nhint: "), "{name}: {said}");
        }
        assert_eq!(std::fs::read_to_string(at("precious")).unwrap(), "data");
    }

    #[test]
    fn somebody_elses_socket_at_our_path_is_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let listening = listen_at(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let _other = std::os::unix::net::UnixListener::bind(&path).unwrap();
        drop(listening);
        assert!(path.exists());
    }
}
