//! The seam between the loop and a way in.
//!
//! The loop knows time, the engine and which descriptors are ready. How requests look on their way in and answers on their way
//! out is a front end's: NBD, and vhost-user-blk with a ring in place of a socket; ublk has the same shape. A front end
//! registers its descriptors with the loop's epoll under tokens of its own ([`super::front_ends`]) and hands requests to the
//! [`Desk`].
//!
//! Invariant: between two calls of the loop a front end holds nothing that it could have handed in, except what its turns are
//! still to take.

use dw_units::Instant;
use rustix::event::epoll::EventFlags;

use super::desk::Desk;
use crate::command::Command;
use crate::engine::Done;
use crate::pace::HostTime;

/// A way in for requests.
pub(crate) trait FrontEnd {
    /// The descriptor behind `token` is ready.
    fn ready(&mut self, token: u64, flags: EventFlags, desk: &mut Desk);
    /// How many parties have something to do: each gets one turn before anybody gets a second.
    fn queued(&self) -> usize;
    /// Gives the next party its turn; how many requests it had ready.
    fn turn(&mut self, desk: &mut Desk) -> usize;
    /// A request of this front end is done: its answer may go out.
    fn complete(&mut self, done: Done, desk: &mut Desk);
    /// The round is over: sends what waits, as much of it as a round has time for.
    fn flush(&mut self, desk: &mut Desk);
    /// Whether more waits than was sent, so that another round is to follow at once.
    fn has_backlog(&self) -> bool {
        false
    }
    /// A command was carried out; exports may have changed.
    fn changed(&mut self, command: &Command, desk: &mut Desk);
    /// A change that had to wait was made or given up; exports may have changed.
    fn refresh(&mut self, desk: &mut Desk);
    /// When it wants to be called again, whatever happens (see [`FrontEnd::tick`]).
    fn deadline(&self) -> Option<HostTime>;
    /// That time has come.
    fn tick(&mut self, now: HostTime, desk: &mut Desk);
    /// Lets nobody in any more and begins nothing new.
    fn stop(&mut self, desk: &mut Desk);
    /// Everything under way has been answered.
    fn is_idle(&self) -> bool;
    /// Answers what is still under way with an error; the end has come.
    fn give_up(&mut self, now: Instant, desk: &mut Desk);
    /// Who is there now.
    fn clients(&self) -> usize;
    /// Who has been there in all.
    fn clients_ever(&self) -> u64;
}
