//! TLS for those who listen beyond this machine.
//!
//! rustls inside the same loop: records in from the socket, records out to it, nothing blocks.
//!
//! Ignores: session tickets across restarts, kernel TLS, certificates that change while the server runs.
//!
//! Invariant: what rustls holds back for the socket is bounded: no more is taken while it has something to send.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dw_error::system::reason;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection};

use super::stream::not_now;

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file that cannot be read.
    #[error(
        "{}: cannot be read: {}\nhint: name the {what} that `openssl` wrote, in PEM, which this user may read",
        .file.display(), reason(.why)
    )]
    Unreadable {
        file: PathBuf,
        /// What it should hold.
        what: &'static str,
        why: io::Error,
    },
    /// A file that is not what it should be.
    #[error("{}: {what}\nhint: {hint}", .file.display())]
    File {
        file: PathBuf,
        /// What is wrong.
        what: String,
        /// What to do.
        hint: &'static str,
    },
    /// Each is what it should be, and they do not belong together.
    #[error(
        "{} is not the key of the certificate in {}\nhint: name the key that belongs to the certificate; the server's own certificate \
         must come first in its file, before those that signed it",
        .key.display(), .certificate.display()
    )]
    Apart {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
    },
    /// The certificate and the key do not make a server.
    #[error("the certificate and the key cannot be used by a server: {0}\nhint: create new ones with `openssl`")]
    Config(#[from] rustls::Error),
}

impl From<TlsError> for dw_error::Error {
    fn from(error: TlsError) -> Self {
        dw_error::Error::of(dw_error::Kind::Input, error)
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
        let der = private_key(key)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
        let builder = match client_ca {
            None => builder.with_no_client_auth(),
            Some(file) => {
                let mut roots = RootCertStore::empty();
                for certificate in certificates(file)? {
                    roots.add(certificate)?;
                }
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().map_err(|why| {
                        TlsError::File {
                            file: file.to_path_buf(),
                            what: format!("clients cannot be checked with it: {why}"),
                            hint: "name the certificate that signed those of the clients",
                        }
                    })?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let config = builder.with_single_cert(chain, der).map_err(|why| match why {
            rustls::Error::InconsistentKeys(_) => {
                TlsError::Apart { certificate: certificate.to_path_buf(), key: key.to_path_buf() }
            }
            why => TlsError::Config(why),
        })?;
        Ok(Tls { config: Arc::new(config), required })
    }

    /// A session for one client.
    pub(super) fn session(&self) -> Result<TlsSession, TlsError> {
        Ok(TlsSession { connection: ServerConnection::new(self.config.clone())? })
    }
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let bytes = bytes_of(file, "certificate")?;
    match CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>() {
        Ok(list) if !list.is_empty() => Ok(list),
        other => Err(is_none(file, &bytes, "certificate", other.err())),
    }
}

fn private_key(file: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    let bytes = bytes_of(file, "private key")?;
    PrivateKeyDer::from_pem_slice(&bytes).map_err(|why| is_none(file, &bytes, "private key", Some(why)))
}

/// The most that is read: chains of certificates have some KiB.
const LONGEST: u64 = 1 << 20;

fn bytes_of(file: &Path, what: &'static str) -> Result<Vec<u8>, TlsError> {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|open| open.take(LONGEST).read_to_end(&mut bytes));
    read.map_err(|why| TlsError::Unreadable { file: file.to_path_buf(), what, why })?;
    Ok(bytes)
}

/// Why a file holds none of what it should, seen from what it does hold.
fn is_none(file: &Path, bytes: &[u8], what: &str, why: Option<pem::Error>) -> TlsError {
    let has = |marker: &str| bytes.windows(marker.len()).any(|part| part == marker.as_bytes());
    let none = |holds: &str| format!("this contains no {what}{holds}");
    let (what, hint) = if bytes.is_empty() {
        ("this file is empty".into(), "write it with `openssl`, in PEM")
    } else if has("ENCRYPTED PRIVATE KEY-----") || has("Proc-Type: 4,ENCRYPTED") {
        (none(" that can be read without a password"), "decrypt it: `openssl pkey -in FILE -out PLAIN.pem`")
    } else if !has("-----BEGIN ") {
        (
            none(" in PEM, the text with `-----BEGIN`"),
            "convert it: `openssl x509 -inform der` for a certificate, `openssl pkey -inform der` for a key",
        )
    } else if let Some(why) = why.filter(|why| !matches!(why, pem::Error::NoItemsFound)) {
        (format!("this is damaged: {why}"), "copy it again, with all its lines")
    } else if has("-----BEGIN CERTIFICATE-----") {
        (none(", but a certificate"), "`--tls-cert` takes the certificate, `--tls-key` its key")
    } else if has("PRIVATE KEY-----") {
        (none(", but a private key"), "`--tls-cert` takes the certificate, `--tls-key` its key")
    } else {
        (none(""), "`--tls-cert` takes a certificate, `--tls-key` its key, both in PEM")
    };
    TlsError::File { file: file.to_path_buf(), what, hint }
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
