//! TLS for those who listen beyond this machine.
//!
//! rustls inside the same loop: records in from the socket, records out to it, nothing blocks.
//!
//! Ignores: session tickets across restarts, kernel TLS, certificates that change while the server runs.
//!
//! Invariant: what rustls holds back for the socket is bounded: no more is taken while it has something to send.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection};

use super::stream::not_now;

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file that is not what it should be.
    #[error("{}: {what}: {why}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What it should have held.
        what: &'static str,
        /// What is wrong.
        why: String,
    },
    /// The certificate and the key do not make a server.
    #[error("the certificate and the key make no server: {0}")]
    Config(#[from] rustls::Error),
}

impl From<TlsError> for dw_error::Error {
    fn from(error: TlsError) -> Self {
        dw_error::Error::of(dw_error::Kind::Input, error).hint("both files must be PEM, as `openssl` writes them")
    }
}

/// What the server shows and asks for.
#[derive(Clone, Debug)]
pub struct Tls {
    config: Arc<ServerConfig>,
    /// Whether clients must use it.
    pub required: bool,
}

impl Tls {
    /// Reads a certificate chain and its key (PEM). With `client_ca`, clients must show a certificate signed by it.
    ///
    /// # Errors
    /// When a file cannot be read, or does not hold what it should.
    pub fn load(certificate: &Path, key: &Path, client_ca: Option<&Path>, required: bool) -> Result<Tls, TlsError> {
        let chain = certificates(certificate)?;
        let key = PrivateKeyDer::from_pem_file(key).map_err(|why| bad(key, "no private key", &why))?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
        let builder = match client_ca {
            None => builder.with_no_client_auth(),
            Some(file) => {
                let mut roots = RootCertStore::empty();
                for certificate in certificates(file)? {
                    roots.add(certificate)?;
                }
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
                    .build()
                    .map_err(|why| bad(file, "no certificate to check clients with", &why))?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        Ok(Tls { config: Arc::new(builder.with_single_cert(chain, key)?), required })
    }

    /// A session for one client.
    pub(super) fn session(&self) -> Result<TlsSession, TlsError> {
        Ok(TlsSession { connection: ServerConnection::new(self.config.clone())? })
    }
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let list: Result<Vec<_>, _> = CertificateDer::pem_file_iter(file).and_then(Iterator::collect);
    match list {
        Ok(list) if list.is_empty() => Err(bad(file, "no certificate", &"the file has none")),
        list => list.map_err(|why| bad(file, "no certificate", &why)),
    }
}

fn bad(file: &Path, what: &'static str, why: &dyn std::fmt::Display) -> TlsError {
    TlsError::File { file: file.to_path_buf(), what, why: why.to_string() }
}

/// One client's TLS.
#[derive(Debug)]
pub struct TlsSession {
    connection: ServerConnection,
}

impl TlsSession {
    /// Reads what is there; `None` when nothing is, 0 at the end.
    pub(super) fn receive(&mut self, fd: &OwnedFd, into: &mut [u8]) -> io::Result<Option<usize>> {
        loop {
            match self.connection.reader().read(into) {
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                // Clients that close without saying so lose nothing: NBD has its own goodbye.
                Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(Some(0)),
                result => return result.map(Some),
            }
            match self.connection.read_tls(&mut Socket(fd)) {
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(None),
                result => result?,
            };
            let processed = self.connection.process_new_packets();
            // Even a refusal is something to tell the client.
            self.finish(fd)?;
            processed.map_err(io::Error::other)?;
        }
    }

    /// Sends from the front of `bytes`; `None` when the socket takes nothing now.
    pub(super) fn send(&mut self, fd: &OwnedFd, bytes: &[u8]) -> io::Result<Option<usize>> {
        if !self.finish(fd)? {
            return Ok(None);
        }
        let taken = self.connection.writer().write(bytes)?;
        self.finish(fd)?;
        Ok(Some(taken))
    }

    /// Whether encrypted bytes wait for the socket.
    pub(super) fn holds_back(&self) -> bool {
        self.connection.wants_write()
    }

    /// Sends what is held back; true when nothing is left.
    pub(super) fn finish(&mut self, fd: &OwnedFd) -> io::Result<bool> {
        while self.connection.wants_write() {
            match self.connection.write_tls(&mut Socket(fd)) {
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(false),
                result => result?,
            };
        }
        Ok(true)
    }
}

/// The socket as rustls wants it.
struct Socket<'a>(&'a OwnedFd);

impl Read for Socket<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        not_now(rustix::io::read(self.0, into))?.ok_or_else(|| ErrorKind::WouldBlock.into())
    }
}

impl Write for Socket<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let flags = rustix::net::SendFlags::DONTWAIT | rustix::net::SendFlags::NOSIGNAL;
        not_now(rustix::net::send(self.0, bytes, flags))?.ok_or_else(|| ErrorKind::WouldBlock.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
