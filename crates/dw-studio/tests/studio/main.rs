//! A studio that runs: who is let in, what it stands, what its calls give, what its page does in a real browser.

mod calls;
mod estate;
mod estimates;
mod guard;
mod limits;
mod live;
mod page;
mod raw;
mod strangers;
mod support;
