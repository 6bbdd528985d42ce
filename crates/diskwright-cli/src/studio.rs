//! `diskwright studio`: everything on a page, which this program serves to the browser of this machine.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;
use dw_error::{Error, Result};
use dw_sim::Progress;
use dw_studio::{Limits, Options, Source};
use dw_units::{Bytes, Duration};

use crate::exit::Exit;
use crate::progress::Watch;
use crate::reporting::example;
use crate::{amounts, in_use, input, kind, language, linux, observe, progress, to_stderr};

const EXAMPLES: &str = "Examples:
  diskwright studio
  diskwright studio iostat.txt
  diskwright studio studio.json
  diskwright studio --no-open --port 8600
  diskwright studio --emulator /tmp/rig.sock.control

The page is reachable from this machine only; the link works once, for one browser. No data leaves the machine, and only your
downloads are written. Press Ctrl-C to stop. docs/guide/studio.md is a three-minute tour.

Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input (docs/guide/exit-codes.md).";

/// Options of `studio`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct StudioArgs {
    /// Recordings, or one design that a page shared; default: an example
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Show a running emulation next to the prediction: its control socket, as printed by `emulate`
    #[arg(long, value_name = "SOCKET")]
    pub emulator: Option<PathBuf>,
    /// Print the link without opening a browser
    #[arg(long)]
    pub no_open: bool,
    /// Port to listen on at 127.0.0.1; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = amounts::whole::<u16>(0, 65_535))]
    pub port: u16,
    /// Also accept this host name, `HOST` or `HOST:PORT`, for access through a proxy; may be repeated
    #[arg(long, value_name = "HOST", value_parser = host)]
    pub allow_host: Vec<String>,
    /// Maximum size of a recording dropped on the page
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = upload)]
    pub max_upload: Bytes,
    /// Time limit of a simulation, at most a day; a bare number is in seconds
    #[arg(long, value_name = "TIME", default_value = "300 s", value_parser = run_time)]
    pub max_seconds: Duration,
}

/// Longer than anybody waits for a page.
const RUN_TIME_MAX: Duration = Duration::from_secs(86_400);

fn run_time(text: &str) -> Result<Duration, String> {
    match amounts::or_s(text)? {
        time if (Duration::from_secs(1)..=RUN_TIME_MAX).contains(&time) => Ok(time),
        _ => Err("it is out of range: write `1s` to `1d`".into()),
    }
}

/// The least that holds a recording.
const UPLOAD_MIN: Bytes = Bytes::kib(1);

fn upload(text: &str) -> Result<Bytes, String> {
    let size = crate::observe::size(text)?;
    if size >= UPLOAD_MIN { Ok(size) } else { Err(format!("no recording is as small: write {UPLOAD_MIN} or more")) }
}

/// A name as browsers send it: `studio.example`, `10.0.0.7:8080`, `[fd00::1]:8080`.
fn host(text: &str) -> Result<String, String> {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, Some(port)),
        _ => (text, None),
    };
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok_and(|number| number > 0));
    let is_label = |label: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        !label.is_empty() && !label.starts_with('-') && label.chars().all(plain)
    };
    let is_name = match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => name.trim_end_matches('.').split('.').all(is_label),
    };
    if is_name && is_port {
        return Ok(text.to_string());
    }
    // The name in what was copied from the line of addresses.
    let bare = text.split_once("://").map_or(text, |(_, rest)| rest).split('/').next().unwrap_or_default();
    if bare != text && host(bare).is_ok() {
        return Err(format!("this is a URL: write `{bare}`"));
    }
    Err(match is_name {
        true => "a port is a number from 1 to 65535".into(),
        false => "this is not a host name: write for example `studio.example` or `studio.example:8080`".into(),
    })
}

/// Serves it until Ctrl-C.
pub fn run(args: &StudioArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut sources = Vec::new();
    if !args.files.is_empty() {
        // What cannot be opened is said here, where it was typed.
        for path in &args.files {
            if input::is_standard_input(path) {
                let hint = "save it to a file first, and name that file";
                return Err(Error::usage(
                    "`studio` reads its files repeatedly, but standard input can be read only once",
                )
                .hint(hint));
            }
            if std::fs::metadata(path).is_ok_and(|is| !is.is_file() && !is.is_dir()) {
                let hint = "save it to a file first, and name that file";
                let what = "this is a pipe or a device, but `studio` reads its files repeatedly";
                return Err(Error::usage(what).hint(hint).of_file(path.display().to_string()));
            }
            observe::open(path, &Watch::nothing())?;
            kind::is_opened_by("studio", path)?;
        }
        sources.push(of_files(&args.files));
    }
    sources.push(of_example());
    let limits = Limits {
        upload_bytes: args.max_upload.get(),
        run_time: std::time::Duration::from_nanos(args.max_seconds.ns()),
        ..Limits::default()
    };
    let options = Options {
        port: args.port,
        allow_hosts: args.allow_host.clone(),
        limits,
        version: env!("DISKWRIGHT_VERSION").into(),
        language: language::asked(),
        command: command(&args.files),
        sources,
        emulation: args.emulator.as_deref().map(emulation).transpose()?,
    };
    let studio = dw_studio::listen(in_use::session(), options)?;
    let link = studio.link();
    // A pipe that is closed takes the link with it, and nothing else.
    let _ = writeln!(out, "{link}").and_then(|()| out.flush());
    if !args.no_open && !opened(&link) {
        to_stderr("note: could not start a browser\nhint: open the link above\n");
    }
    progress::stop_on_interrupt(&Arc::new(Progress::default()));
    studio.run(progress::interrupted)?;
    Ok(Exit::Ok)
}

/// What starts this studio, as a shell reads it.
fn command(files: &[PathBuf]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+:@%".contains(c);
    let words = files.iter().map(|path| match path.display().to_string() {
        name if name.chars().all(plain) && !name.starts_with('-') => format!(" {name}"),
        name => format!(" '{}'", name.replace('\'', "'\\''")),
    });
    format!("diskwright studio{}", words.collect::<String>())
}

/// The emulation behind a control socket. Whether one answers there is seen later, again and again; what can be no such socket is refused.
fn emulation(path: &Path) -> Result<dw_studio::Emulation> {
    match std::fs::metadata(path) {
        Ok(is) if is.is_file() || is.is_dir() => {
            let hint = "give the control socket that `diskwright emulate` prints";
            return Err(Error::usage("this is not a socket").hint(hint).of_file(path.display().to_string()));
        }
        Ok(_) => {}
        Err(_) => to_stderr(&format!(
            "note: {} does not exist yet; the page shows the emulation once it is running\nhint: give the control socket that \
             `diskwright emulate` names at its start\n",
            path.display()
        )),
    }
    Ok(dw_studio::Emulation { name: path.display().to_string(), connect: linux::ctl::relay(path)? })
}

fn of_files(files: &[PathBuf]) -> Source {
    let names: Vec<String> = files.iter().map(|path| input::name(path)).collect();
    let paths = files.to_vec();
    Source {
        title: names.join(", "),
        is_example: false,
        files: names,
        open: Arc::new(move |place| Ok(Box::new(BufReader::new(File::open(&paths[place])?)))),
        volumes: Vec::new(),
        wishes: None,
    }
}

fn of_example() -> Source {
    Source {
        title: "orders-db".into(),
        is_example: true,
        files: vec![example::NAME.into()],
        open: Arc::new(|_| Ok(Box::new(example::RECORDING.as_bytes()))),
        volumes: example::volumes(),
        wishes: Some(example::wishes()),
    }
}

/// Hands the link to whatever opens links on this system; whether that is there.
fn opened(link: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_browsers_send() {
        for name in ["x", "studio.example", "a-b.c.", "x:1", "10.0.0.7:8080", "[fd00::1]", "[::1]:80"] {
            assert_eq!(host(name).as_deref(), Ok(name));
        }
        for (text, part) in [
            ("", "not a host name"),
            ("*", "not a host name"),
            ("a b", "not a host name"),
            ("a,b", "not a host name"),
            ("x..y", "not a host name"),
            ("user@x", "not a host name"),
            ("[::1", "not a host name"),
            ("::1", "not a host name"),
            ("x:0", "from 1 to 65535"),
            ("x:99999", "from 1 to 65535"),
            ("http://x:8080/a", "write `x:8080`"),
            ("x/y", "write `x`"),
        ] {
            let said = host(text).expect_err(text);
            assert!(said.contains(part), "{text}: {said}");
        }
    }
}
