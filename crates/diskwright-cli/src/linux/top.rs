//! `diskwright top`: a running emulation at a glance, twice a second.
//!
//! Each limit is a bar of what was consumed in the last full second; the one that held requests up longest is marked. Above them the last
//! five minutes, as long as somebody looks.
//! `--once` prints one snapshot as text: for a script, a bug report, or a terminal that cannot be drawn on.

use std::io::{ErrorKind, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration as HostDuration, Instant as HostInstant};

use clap::Args;
use dw_emulator::command::{Answer, Command};
use dw_emulator::control::client::{Client, ClientError};
use dw_emulator::status::Status;
use dw_error::{Error, Result};
use dw_sim::Progress;
use dw_units::Duration;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};

use super::ctl;
use crate::exit::Exit;
use crate::{amounts, output, progress, to_stderr};

mod frame;
mod history;

use frame::View;

/// How often the figures are asked for.
const EVERY: HostDuration = HostDuration::from_millis(500);
/// An emulation that does not answer for this long is gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// Options of `top`.
#[derive(Debug, Args)]
#[command(
    after_help = "Keys: q or Esc quits. If limits and volumes do not fit, the arrow keys, PgUp and PgDn scroll through them, and Home returns to
the busiest. NO_COLOR and `--color never` turn colours off.

Exit codes: 0 done, 2 usage, 9 no emulation answers there (docs/guide/exit-codes.md)."
)]
pub struct TopArgs {
    /// Control socket of the emulation
    #[arg(long, value_name = "CONTROL", env = "DISKWRIGHT_CONTROL")]
    pub socket: Option<PathBuf>,
    /// Print one snapshot as text and exit
    #[arg(long)]
    pub once: bool,
    /// Width of the snapshot, in columns
    #[arg(long, value_name = "N", default_value_t = 100, requires = "once", value_parser = amounts::whole::<u16>(40, 1_000))]
    pub columns: u16,
}

/// Shows it until it is ended.
pub fn run(args: &TopArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut client = ctl::connect(ctl::named(args.socket.as_deref())?, PATIENCE)?;
    let first = status_in(asked(&mut client)?)?;
    if args.once {
        let text = picture(&first, &View::default(), args.columns, frame::rows(&first, args.columns));
        output::write(&text, None, out)?;
        return Ok(Exit::Ok);
    }
    if !std::io::stdout().is_terminal() {
        return Err(Error::usage("this is not a terminal").hint("`--once` prints one snapshot as text"));
    }
    // A signal ends it as a key does: the terminal is given back as it was.
    progress::stop_on_interrupt(&Arc::new(Progress::default()));
    let mut terminal = ratatui::try_init().map_err(|e| Error::unexpected(format!("the terminal: {e}")))?;
    let result = show(&mut terminal, &mut client, first);
    ratatui::restore();
    match result? {
        End::Key => Ok(Exit::Ok),
        End::Signal => Ok(Exit::Interrupted),
        End::Emulation => {
            to_stderr("the emulation has ended\n");
            Ok(Exit::Ok)
        }
    }
}

/// How somebody stopped looking.
enum End {
    Key,
    Signal,
    /// There is nothing to look at any more.
    Emulation,
}

fn show(terminal: &mut ratatui::DefaultTerminal, client: &mut Client, mut seen: Status) -> Result<End> {
    let broken = |e: std::io::Error| Error::unexpected(format!("the terminal: {e}"));
    let mut view = View { keys: true, plain: !crate::colour::wanted_on(true), ..View::default() };
    loop {
        view.history.keep(&seen);
        let next = HostInstant::now() + EVERY;
        terminal.draw(|target| frame::draw(target, &seen, &view)).map_err(broken)?;
        while let Some(left) = next.checked_duration_since(HostInstant::now()) {
            if progress::interrupted() {
                return Ok(End::Signal);
            }
            match event::poll(left) {
                Ok(true) => {}
                Ok(false) => break,
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(broken(e)),
            }
            match event::read().map_err(broken)? {
                Event::Key(key) if key.kind == KeyEventKind::Press && ends(key.code, key.modifiers) => {
                    return Ok(End::Key);
                }
                Event::Key(key) if key.kind == KeyEventKind::Press => {
                    let size = terminal.size().map_err(broken)?;
                    let most = frame::scroll_max(&seen, &view, size.width, size.height);
                    view.scroll = scrolled(view.scroll, key.code, most);
                }
                Event::Resize(..) => {}
                _ => continue,
            }
            terminal.draw(|target| frame::draw(target, &seen, &view)).map_err(broken)?;
        }
        seen = match asked(client) {
            Err(error) if error.has_ended() => return Ok(End::Emulation),
            answer => status_in(answer?)?,
        };
    }
}

/// Where a key leads from `scroll`, which is at most `most`.
fn scrolled(scroll: usize, key: KeyCode, most: usize) -> usize {
    /// Rows of a page.
    const PAGE: usize = 10;
    let to = match key {
        KeyCode::Down | KeyCode::Char('j') => scroll + 1,
        KeyCode::Up | KeyCode::Char('k') => scroll.saturating_sub(1),
        KeyCode::PageDown | KeyCode::Char(' ') => scroll + PAGE,
        KeyCode::PageUp => scroll.saturating_sub(PAGE),
        KeyCode::Home => 0,
        KeyCode::End => most,
        _ => scroll,
    };
    to.min(most)
}

fn ends(code: KeyCode, modifiers: KeyModifiers) -> bool {
    matches!(code, KeyCode::Char('q') | KeyCode::Esc)
        || code == KeyCode::Char('c') && modifiers.contains(KeyModifiers::CONTROL)
}

fn asked(client: &mut Client) -> Result<Answer, ClientError> {
    client.call(&Command::Status)
}

fn status_in(answer: Answer) -> Result<Status> {
    match answer {
        Answer::Status { status } => Ok(*status),
        other => Err(Error::unexpected(format!("the emulation answered `status` with {other:?}"))),
    }
}

/// One picture as text.
pub fn picture(status: &Status, view: &View, columns: u16, rows: u16) -> String {
    let Ok(mut terminal) = Terminal::new(TestBackend::new(columns, rows));
    let Ok(_) = terminal.draw(|target| frame::draw(target, status, view));
    let buffer = terminal.backend().buffer();
    let line = |row: u16| (0..columns).map(|column| buffer[(column, row)].symbol()).collect::<String>();
    (0..rows).map(|row| format!("{}\n", line(row).trim_end())).collect()
}

/// A busy emulation, for tests of what people see.
#[cfg(test)]
pub(crate) fn sample() -> Status {
    serde_json::from_str(include_str!("top/sample.json")).expect("the sample is a status")
}
