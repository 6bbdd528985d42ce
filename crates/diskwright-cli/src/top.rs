//! `diskwright top`: a running emulation at a glance, twice a second.
//!
//! Each limit is a bar of what was consumed in the last full second; the one that held requests up longest is marked.
//! `--once` prints one picture as text: for a script, a bug report, or a terminal that cannot be drawn on.

use std::io::{IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::{Duration as HostDuration, Instant as HostInstant};

use clap::Args;
use dw_emulator::command::{Answer, Command};
use dw_emulator::control::client::Client;
use dw_emulator::status::Status;
use dw_error::{Error, Result};
use dw_units::Duration;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};

use crate::exit::Exit;
use crate::{ctl, output};

mod frame;

/// How often the figures are asked for.
const EVERY: HostDuration = HostDuration::from_millis(500);
/// An emulation that does not answer for this long is gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// Options of `top`.
#[derive(Debug, Args)]
#[command(after_help = "Keys: q or Esc ends it.

Exit codes: 0 done, 2 usage, 9 no emulation answers there (docs/guide/exit-codes.md).")]
pub struct TopArgs {
    /// The emulation's control socket
    #[arg(long, value_name = "CONTROL", env = "DISKWRIGHT_CONTROL")]
    pub socket: PathBuf,
    /// Print one picture as text
    #[arg(long)]
    pub once: bool,
    /// Columns of that picture
    #[arg(long, value_name = "N", default_value_t = 100, requires = "once", value_parser = clap::value_parser!(u16).range(40..=1000))]
    pub columns: u16,
}

/// Shows it until it is ended.
pub fn run(args: &TopArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut client = ctl::connect(&args.socket, PATIENCE)?;
    let first = status(&mut client)?;
    if args.once {
        let text = picture(&first, args.columns, frame::rows(&first, args.columns));
        output::write(&text, None, out)?;
        return Ok(Exit::Ok);
    }
    if !std::io::stdout().is_terminal() {
        return Err(Error::usage("this is not a terminal").hint("`--once` prints one picture as text"));
    }
    let mut terminal = ratatui::try_init().map_err(|e| Error::unexpected(format!("the terminal: {e}")))?;
    let result = show(&mut terminal, &mut client, first);
    ratatui::restore();
    result.map(|()| Exit::Ok)
}

fn show(terminal: &mut ratatui::DefaultTerminal, client: &mut Client, mut seen: Status) -> Result<()> {
    let broken = |e: std::io::Error| Error::unexpected(format!("the terminal: {e}"));
    loop {
        terminal.draw(|target| frame::draw(target, &seen)).map_err(broken)?;
        let next = HostInstant::now() + EVERY;
        while let Some(left) = next.checked_duration_since(HostInstant::now()) {
            if !event::poll(left).map_err(broken)? {
                break;
            }
            match event::read().map_err(broken)? {
                Event::Key(key) if key.kind == KeyEventKind::Press && ends(key.code, key.modifiers) => return Ok(()),
                Event::Resize(..) => break,
                _ => {}
            }
        }
        seen = status(client)?;
    }
}

fn ends(code: KeyCode, modifiers: KeyModifiers) -> bool {
    matches!(code, KeyCode::Char('q') | KeyCode::Esc)
        || code == KeyCode::Char('c') && modifiers.contains(KeyModifiers::CONTROL)
}

fn status(client: &mut Client) -> Result<Status> {
    match client.call(&Command::Status)? {
        Answer::Status { status } => Ok(*status),
        other => Err(Error::unexpected(format!("the emulation answered `status` with {other:?}"))),
    }
}

/// One picture as text.
pub fn picture(status: &Status, columns: u16, rows: u16) -> String {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(columns, rows));
    let Ok(_) = terminal.draw(|target| frame::draw(target, status));
    let buffer = terminal.backend().buffer();
    let line = |row: u16| (0..columns).map(|column| buffer[(column, row)].symbol()).collect::<String>();
    (0..rows).map(|row| format!("{}\n", line(row).trim_end())).collect()
}

/// A busy emulation, for tests of what people see.
#[cfg(test)]
pub(crate) fn sample() -> Status {
    serde_json::from_str(include_str!("top/sample.json")).expect("the sample is a status")
}
