//! The control socket: JSON lines on a Unix socket that only its owner may open.
//!
//! One object a line in, one object a line out, in order; a connection may ask as often as it likes. A line that is not a command
//! is answered with the code `bad-request` and the connection goes on. Each connection has a thread, at most
//! [`CONNECTIONS_MAX`] of them: people and scripts use this, not load.
//!
//! Ignores: authentication beyond the file's mode, 0600.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Handle, once, shape};
use crate::command::{Answer, Command, CommandError, ErrorCode};
use crate::unix_socket::{self, SocketError, SocketFile};

/// Connections served at once; more are told so and closed.
pub const CONNECTIONS_MAX: usize = 64;

/// The longest line that is read: the longest command is far below.
const LINE_MAX: u64 = 64 << 10;

/// One line of answer: `ok` with the answer, or not with the error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// Whether it was done.
    pub ok: bool,
    /// The answer when it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Answer>,
    /// The reason when it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<CommandError>,
}

impl From<Result<Answer, CommandError>> for Response {
    fn from(result: Result<Answer, CommandError>) -> Self {
        match result {
            Ok(answer) => Response { ok: true, result: Some(answer), error: None },
            Err(error) => Response { ok: false, result: None, error: Some(error) },
        }
    }
}

/// A control socket that is listened on; dropping it removes the file.
#[derive(Debug)]
pub struct ControlSocket {
    _file: SocketFile,
    under_way: Arc<UnderWay>,
}

/// Commands taken from a socket and not answered on it yet.
#[derive(Debug, Default)]
struct UnderWay {
    count: Mutex<usize>,
    fewer: Condvar,
}

impl UnderWay {
    fn change(&self, change: impl FnOnce(&mut usize)) {
        change(&mut self.count.lock().unwrap_or_else(PoisonError::into_inner));
        self.fewer.notify_all();
    }
}

impl ControlSocket {
    /// Listens on `path`, mode 0600, and hands what comes to `handle` until the process ends.
    ///
    /// A socket that a dead server left behind is replaced; one that is answered is not.
    pub fn listen(path: &Path, handle: Handle) -> Result<ControlSocket, SocketError> {
        let (listener, file) = unix_socket::listen_at(path)?;
        let listener = UnixListener::from(listener);
        let under_way = Arc::new(UnderWay::default());
        let counting = Arc::clone(&under_way);
        let accept = move || accept(&listener, &handle, &counting);
        let began = std::thread::Builder::new().name("control".into()).spawn(accept);
        began.map_err(|why| SocketError::Refused { path: path.to_path_buf(), why })?;
        Ok(ControlSocket { _file: file, under_way })
    }

    /// Waits, a second at most, until what was answered has been written: called before the process ends.
    pub fn drain(&self) {
        let count = self.under_way.count.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.under_way.fewer.wait_timeout_while(count, Duration::from_secs(1), |count| *count > 0);
    }
}

fn accept(listener: &UnixListener, handle: &Handle, under_way: &Arc<UnderWay>) {
    let connections = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((mut stream, _)) = listener.accept() else {
            // Out of file descriptors, most likely: others close theirs.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if connections.load(Ordering::Acquire) >= CONNECTIONS_MAX {
            let message = format!("{CONNECTIONS_MAX} control connections are open: close one");
            let _ = write_line(&mut stream, Err(CommandError::new(ErrorCode::Busy, message)));
            continue;
        }
        connections.fetch_add(1, Ordering::AcqRel);
        let (handle, under_way, open) = (handle.clone(), Arc::clone(under_way), Arc::clone(&connections));
        let serve = move || {
            let _ = serve(&stream, &handle, &under_way);
            open.fetch_sub(1, Ordering::AcqRel);
        };
        if std::thread::Builder::new().name("control-conn".into()).spawn(serve).is_err() {
            connections.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// Answers line after line until the client closes.
fn serve(stream: &UnixStream, handle: &Handle, under_way: &UnderWay) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream);
    let mut writer = stream;
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut lines).take(LINE_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.len() as u64 == LINE_MAX && !line.ends_with(b"\n") {
            let message = format!("a line of more than {LINE_MAX} bytes is not a command");
            return write_line(&mut writer, Err(CommandError::new(ErrorCode::BadRequest, message)));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        under_way.change(|count| *count += 1);
        let written = write_line(&mut writer, parse(&line).and_then(|command| handle.call(command)));
        under_way.change(|count| *count -= 1);
        written?;
    }
}

fn write_line(stream: &mut impl Write, result: Result<Answer, CommandError>) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(&Response::from(result))?;
    line.push(b'\n');
    stream.write_all(&line)
}

/// A line as a command, or why it is none.
pub(super) fn parse(line: &[u8]) -> Result<Command, CommandError> {
    let bad = |message: String| CommandError::new(ErrorCode::BadRequest, message);
    let example = "for example {\"cmd\":\"status\"}";
    let value = once::read(line).map_err(|e| {
        if let Some((key, _)) = e.to_string().strip_prefix(once::TWICE).and_then(|rest| rest.rsplit_once('`')) {
            return bad(format!("duplicate key `{key}`")).hint("remove one of them");
        }
        let place = if e.is_eof() { "it ends too early".into() } else { format!("error at column {}", e.column()) };
        bad(format!("this line is not JSON: {place}")).hint(example)
    })?;
    let Some(cmd) = value.get("cmd").and_then(serde_json::Value::as_str) else {
        return Err(bad("a command is an object with \"cmd\"".into()).hint(example));
    };
    let names = Command::NAMES;
    if !names.contains(&cmd) {
        return Err(bad(format!("unknown command `{cmd}`")).hint(crate::command::nearest(cmd, names.iter().copied())));
    }
    if let Some((what, hint)) = shape::fault(&value) {
        return Err(bad(format!("`{cmd}`: {what}")).hint(hint));
    }
    let cmd = cmd.to_string();
    serde_json::from_value(value).map_err(|e| bad(format!("`{cmd}`: {e}")))
}
