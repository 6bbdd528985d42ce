//! Logs of what becomes durable, and their marks.
//!
//! Changes go into a log where they go into a store ([`crate::durability::Logged`]); what is not a change is here: flushes, marks,
//! and whether a change is durable by itself.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::export::Target;
use super::{Engine, ExportId, IoError};
use crate::command::{Answer, CommandError, ErrorCode};
use crate::durability::{Logged, SharedLayout, SharedLog, WriteLog};
use crate::store::{NullStore, Store};

/// A log, and of what.
pub(super) struct Log {
    target: Target,
    log: SharedLog,
    /// Of a volume of several disks: where each of them is in it.
    layouts: Vec<SharedLayout>,
}

impl Engine {
    /// Logs what becomes durable of an export from now on.
    ///
    /// # Errors
    /// When the parts of a striped volume do not begin with sectors of the log.
    pub fn log_writes(&mut self, export: ExportId, log: WriteLog) -> Result<(), String> {
        let target = self.targets[usize::from(export.0)];
        let disks = self.disks_of(target);
        let striped = disks.len() > 1;
        let (log, mut layouts) = (SharedLog::new(log), Vec::new());
        let sector = log.lock().sector();
        for (member, disk) in (0..).zip(disks) {
            let layout = striped.then(|| self.stack.layout(self.volumes[target.volume].id, member));
            if layout.as_ref().is_some_and(|layout| !layout.chunk().is_multiple_of(sector)) {
                return Err(format!(
                    "the stripe unit of `{}` is not a multiple of the log's sectors of {sector} bytes",
                    self.exports[usize::from(export.0)].name
                ));
            }
            let layout = layout.map(|layout| Arc::new(Mutex::new(layout)));
            layouts.extend(layout.clone());
            let disk = &mut self.disks[disk];
            let store = std::mem::replace(&mut disk.store, Box::new(NullStore::new(0)) as Box<dyn Store>);
            disk.store = Box::new(Logged::new(store, log.clone(), layout, self.refusals.clone()));
            disk.is_logged = true;
        }
        self.logs.push(Log { target, log, layouts });
        Ok(())
    }

    /// Whether an export is not another one by its second name, as the only disk of a volume is.
    pub fn is_distinct(&self, export: ExportId) -> bool {
        let Target { volume, member } = self.targets[usize::from(export.0)];
        member.is_none() || self.volumes[volume].disks > 1
    }

    /// Whether what is logged from now on is durable by itself.
    #[inline]
    pub(super) fn log_fua(&self, fua: bool) {
        self.logs.iter().for_each(|log| log.log.lock().set_fua(fua));
    }

    /// A flush of an export is done.
    pub(super) fn log_flush(&self, target: Target) -> Result<(), IoError> {
        let all = self.volumes[target.volume].disks == 1 || target.member.is_none();
        let concerned = |log: &&Log| log.target.volume == target.volume && (all || log.target.member == target.member);
        let mut logs = self.logs.iter().filter(concerned);
        logs.try_for_each(|log| self.noted(log, log.log.lock().flushed())).map_err(|error| IoError::from_io(&error))
    }

    /// Appends a mark to every log.
    pub(super) fn mark(&self, name: &str) -> io::Result<()> {
        self.logs.iter().try_for_each(|log| self.noted(log, log.log.lock().mark(name)))
    }

    fn noted(&self, log: &Log, result: io::Result<()>) -> io::Result<()> {
        if let Err(error) = &result {
            self.refusals.note(Some(log.log.lock().path().display().to_string()), error);
        }
        result
    }

    /// A command's mark.
    pub(super) fn mark_by_name(&self, name: &str) -> Result<Answer, CommandError> {
        let Some(first) = self.logs.first() else {
            return Err(CommandError::new(ErrorCode::NotPossible, "there is no log to mark")
                .hint("start the emulation with `--log-writes PATH`"));
        };
        let most = first.log.lock().mark_max();
        if name.is_empty() || name.len() > most || name.chars().any(char::is_control) {
            let message = format!("a mark's name has 1 to {most} bytes, none of them a control character");
            return Err(CommandError::new(ErrorCode::Invalid, message).hint("give another name"));
        }
        self.mark(name).map(|()| Answer::Done).map_err(|error| {
            CommandError::new(ErrorCode::Io, format!("the mark could not be written: {error}"))
                .hint("check the free space and health of the directory that holds the log")
        })
    }

    /// The disks of a volume have grown, so that its bytes are elsewhere.
    pub(super) fn lay_out_again(&self, volume: usize) {
        for log in self.logs.iter().filter(|log| log.target.volume == volume) {
            for (member, layout) in (0..).zip(&log.layouts) {
                *layout.lock().unwrap_or_else(PoisonError::into_inner) =
                    self.stack.layout(self.volumes[volume].id, member);
            }
        }
    }
}
