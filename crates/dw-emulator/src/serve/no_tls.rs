//! The place of TLS in a server that is built without it: nobody can ask for it, so no session is ever begun.

use std::convert::Infallible;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The feature `tls` is off.
    #[error("this program was built without TLS (feature `tls`)")]
    Absent,
}

impl From<TlsError> for dw_error::Error {
    fn from(error: TlsError) -> Self {
        dw_error::Error::of(dw_error::Kind::Usage, error).hint("build it with `--features tls`")
    }
}

/// What the server shows and asks for: there is none of these.
#[derive(Clone, Debug)]
pub struct Tls {
    never: Infallible,
    /// Whether clients must use it.
    pub required: bool,
}

impl Tls {
    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub fn load(_: &Path, _: &Path, _: Option<&Path>, _: bool) -> Result<Tls, TlsError> {
        Err(TlsError::Absent)
    }

    pub(super) fn session(&self) -> Result<TlsSession, TlsError> {
        match self.never {}
    }
}

/// One client's TLS: there is none of these.
#[derive(Debug)]
pub enum TlsSession {}

impl TlsSession {
    pub(super) fn receive(&mut self, _: &OwnedFd, _: &mut [u8]) -> io::Result<Option<usize>> {
        match *self {}
    }

    pub(super) fn send(&mut self, _: &OwnedFd, _: &[u8]) -> io::Result<Option<usize>> {
        match *self {}
    }

    pub(super) fn holds_back(&self) -> bool {
        match *self {}
    }

    pub(super) fn finish(&mut self, _: &OwnedFd) -> io::Result<bool> {
        match *self {}
    }
}
