//! The control socket: JSON lines on a Unix socket that only its owner may open.
//!
//! One object a line in, one object a line out, in order; a connection may ask as often as it likes. A line that is not a command
//! is answered with the code `bad-request` and the connection goes on. Each connection has a thread, at most
//! [`CONNECTIONS_MAX`] of them: people and scripts use this, not load.
//!
//! Ignores: authentication beyond the file's mode, 0600.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Handle, once, shape};
use crate::command::{Answer, Command, CommandError, ErrorCode};

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
    path: PathBuf,
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
    pub fn listen(path: &Path, handle: Handle) -> std::io::Result<ControlSocket> {
        let listener = bind_private(path)?;
        let under_way = Arc::new(UnderWay::default());
        let counting = Arc::clone(&under_way);
        let accept = move || accept(&listener, &handle, &counting);
        std::thread::Builder::new().name("control".into()).spawn(accept)?;
        Ok(ControlSocket { path: path.to_path_buf(), under_way })
    }

    /// Waits, a second at most, until what was answered has been written: called before the process ends.
    pub fn drain(&self) {
        let count = self.under_way.count.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.under_way.fewer.wait_timeout_while(count, Duration::from_secs(1), |count| *count > 0);
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A listening Unix socket that nobody else can open at any moment: its mode is set between bind and listen, and before
/// listen a connection is refused.
pub fn bind_private(path: &Path) -> std::io::Result<UnixListener> {
    remove_stale(path)?;
    let address = SocketAddrUnix::new(path)?;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    rustix::net::bind(&socket, &address)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    rustix::net::listen(&socket, 128)?;
    Ok(UnixListener::from(socket))
}

/// Removes a socket on which nobody listens any more.
fn remove_stale(path: &Path) -> std::io::Result<()> {
    // A connection to any other file is refused as well.
    if !std::fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket()) {
        return Ok(());
    }
    match UnixStream::connect(path) {
        Ok(_) => Err(std::io::Error::new(ErrorKind::AddrInUse, "another server listens there")),
        Err(e) if e.kind() == ErrorKind::ConnectionRefused => std::fs::remove_file(path),
        // Not ours to open, for example: then bind says what is wrong.
        Err(_) => Ok(()),
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
            return bad(format!("the key `{key}` is there twice")).hint("leave one of them out");
        }
        let place =
            if e.is_eof() { "it ends too early".into() } else { format!("it goes wrong at column {}", e.column()) };
        bad(format!("this line is not JSON: {place}")).hint(example)
    })?;
    let Some(cmd) = value.get("cmd").and_then(serde_json::Value::as_str) else {
        return Err(bad("a command is an object with \"cmd\"".into()).hint(example));
    };
    let names = Command::NAMES;
    if !names.contains(&cmd) {
        return Err(
            bad(format!("there is no command `{cmd}`")).hint(crate::command::nearest(cmd, names.iter().copied()))
        );
    }
    if let Some((what, hint)) = shape::fault(&value) {
        return Err(bad(format!("`{cmd}`: {what}")).hint(hint));
    }
    let cmd = cmd.to_string();
    serde_json::from_value(value).map_err(|e| bad(format!("`{cmd}`: {e}")))
}
