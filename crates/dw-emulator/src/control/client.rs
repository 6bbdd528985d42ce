//! The other end of the control socket: asks one command at a time.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use dw_error::system::reason;

use super::socket::Response;
use crate::command::{Answer, Command, CommandError, ErrorCode};

/// A connection to a running emulator.
#[derive(Debug)]
pub struct Client {
    stream: BufReader<UnixStream>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nothing listens there.
    #[error("no emulator listens on {path}: {}", reason(.error))]
    NoServer {
        /// The socket.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// The connection broke, or it timed out.
    #[error("the emulator did not answer: {0}")]
    Broken(std::io::Error),
    /// The emulator refused.
    #[error(transparent)]
    Refused(#[from] CommandError),
}

impl From<ClientError> for dw_error::Error {
    fn from(error: ClientError) -> Self {
        use dw_error::{Error, Kind};
        match error {
            ClientError::NoServer { .. } => {
                let hint = "is it running? `diskwright emulate` prints its control socket at its start";
                Error::of(Kind::NoEmulation, error).hint(hint)
            }
            ClientError::Broken(_) => {
                let hint = "is this the control socket of a running emulation? `ctl --wait` waits longer";
                Error::of(Kind::NoEmulation, error).hint(hint)
            }
            ClientError::Refused(refused) => refused.into(),
        }
    }
}

impl ClientError {
    /// Whether the emulator ended, or is ending: it does not refuse, and is not just slow.
    pub fn has_ended(&self) -> bool {
        match self {
            ClientError::NoServer { .. } => false,
            ClientError::Broken(error) => {
                [ErrorKind::UnexpectedEof, ErrorKind::BrokenPipe, ErrorKind::ConnectionReset].contains(&error.kind())
            }
            ClientError::Refused(refused) => refused.code == ErrorCode::Gone,
        }
    }
}

impl Client {
    /// Connects; an answer may take `patience`.
    pub fn connect(path: &Path, patience: Duration) -> Result<Client, ClientError> {
        let no_server = |error| ClientError::NoServer { path: path.display().to_string(), error };
        // A connection to any other file is refused as one to a socket of the dead.
        if std::fs::metadata(path).is_ok_and(|file| !file.file_type().is_socket()) {
            return Err(no_server(std::io::Error::other("it is not a socket")));
        }
        let stream = UnixStream::connect(path).map_err(no_server)?;
        stream.set_read_timeout(Some(patience)).map_err(ClientError::Broken)?;
        Ok(Client { stream: BufReader::new(stream) })
    }

    /// Asks, and waits for the answer.
    pub fn call(&mut self, command: &Command) -> Result<Answer, ClientError> {
        let response = self.exchange(command).map_err(ClientError::Broken)?;
        match (response.result, response.error) {
            (Some(answer), _) => Ok(answer),
            (None, Some(error)) => Err(error.into()),
            (None, None) => {
                Err(CommandError::new(ErrorCode::Gone, "the emulator sent neither an answer nor an error").into())
            }
        }
    }

    fn exchange(&mut self, command: &Command) -> std::io::Result<Response> {
        let mut line = serde_json::to_vec(command)?;
        line.push(b'\n');
        self.stream.get_mut().write_all(&line)?;
        let mut answer = String::new();
        match self.stream.read_line(&mut answer) {
            Ok(0) => Err(std::io::Error::new(ErrorKind::UnexpectedEof, "it closed the connection")),
            Ok(_) => serde_json::from_str(&answer)
                .map_err(|_| std::io::Error::new(ErrorKind::InvalidData, "its answer is not one of an emulation")),
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                Err(std::io::Error::new(ErrorKind::TimedOut, "it timed out"))
            }
            Err(e) => Err(e),
        }
    }
}
