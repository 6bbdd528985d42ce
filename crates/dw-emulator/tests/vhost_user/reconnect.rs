//! Servers that come and go under a guest.

use std::sync::Arc;

use dw_emulator::command::Command;
use dw_emulator::fuzzing::guest::{Asked, Guest, Wish};
use dw_units::Duration;

use crate::vhost_user::served::{Rig, Served};

const SLOW: Rig = Rig { latency: Duration::from_ms(30), read_only: false };

fn begin_writes(guest: &mut Guest, heads: &[u16], fill: u8) {
    for &head in heads {
        let asked = Asked { kind: 1, sector: u64::from(head) * 8, out: &[fill; 512], room: 0 };
        guest.prepare(0, head, &asked).unwrap();
    }
    guest.offer(0, heads).unwrap();
    guest.kick(0).unwrap();
}

fn answers(guest: &mut Guest, count: usize) -> Vec<u16> {
    let mut heads: Vec<u16> = (0..count).map(|_| guest.answer(0).unwrap().0).collect();
    heads.sort_unstable();
    heads
}

fn check_writes(guest: &mut Guest, heads: &[u16], fill: u8) {
    for &head in heads {
        assert_eq!(guest.outcome(0, head, 0).unwrap().0, 0, "status of {head}");
        let asked = Asked { kind: 0, sector: u64::from(head) * 8, out: &[], room: 512 };
        assert_eq!(guest.request(0, asked).unwrap(), (0, vec![fill; 512]), "{head}");
    }
}

/// Some requests are answered out of order, the server ends with others under way, and the next one answers those, once each.
#[test]
fn requests_under_way_survive_a_new_server() {
    let first = Served::with(SLOW);
    let folder = first.folder();
    let mut guest = first.guest(Wish { recorded: true, ..Wish::default() });
    begin_writes(&mut guest, &[30, 3], 1);
    assert_eq!(answers(&mut guest, 2), [3, 30]);
    first.command(Command::Pause);
    begin_writes(&mut guest, &[9, 60, 0], 2);
    first.wait_for_depth(3);
    drop(first);
    assert!(guest.is_cut() && !guest.has_answer(0).unwrap());
    let second = Served::on(Arc::clone(&folder), SLOW);
    guest.restart(&second.socket()).unwrap();
    assert_eq!(answers(&mut guest, 3), [0, 9, 60]);
    check_writes(&mut guest, &[0, 9, 60], 2);
    check_writes(&mut guest, &[3, 30], 1);
}

/// The same without a record, which QEMU without that feature does: it offers again what was not answered.
#[test]
fn a_queue_goes_on_without_a_record() {
    let first = Served::with(SLOW);
    let folder = first.folder();
    let mut guest = first.guest(Wish::default());
    first.command(Command::Pause);
    begin_writes(&mut guest, &[0, 3], 4);
    first.wait_for_depth(2);
    drop(first);
    let second = Served::on(folder, SLOW);
    guest.restart(&second.socket()).unwrap();
    assert_eq!(answers(&mut guest, 2), [0, 3]);
    check_writes(&mut guest, &[0, 3], 4);
}

#[test]
fn a_crash_cuts_guests_and_they_come_back() {
    let served = Served::with(SLOW);
    let mut guest = served.guest(Wish { recorded: true, ..Wish::default() });
    served.command(Command::Pause);
    begin_writes(&mut guest, &[0, 3, 6], 7);
    served.wait_for_depth(3);
    served.crash();
    assert!(guest.is_cut());
    served.wait_for_clients(0);
    served.command(Command::Resume);
    guest.restart(&served.socket()).unwrap();
    assert_eq!(answers(&mut guest, 3), [0, 3, 6]);
    check_writes(&mut guest, &[0, 3, 6], 7);
}

/// A disk that was taken away lets nobody in until it is back.
#[test]
fn a_detached_disk_lets_nobody_in() {
    let served = Served::new();
    let mut guest = served.guest(Wish { recorded: true, ..Wish::default() });
    served.command(Command::Detach { volume: "data".into() });
    assert!(guest.is_cut());
    assert!(guest.restart(&served.socket()).is_err());
    served.command(Command::Attach { volume: "data".into() });
    guest.restart(&served.socket()).unwrap();
    begin_writes(&mut guest, &[0], 3);
    assert_eq!(answers(&mut guest, 1), [0]);
    served.command(Command::Reboot);
    assert!(guest.is_cut());
    guest.restart(&served.socket()).unwrap();
    check_writes(&mut guest, &[0], 3);
    assert!(served.notices().is_empty(), "{:?}", served.notices());
}

/// A guest that is gone leaves its requests behind; the next one's begin when those have ended.
#[test]
fn an_old_write_does_not_land_on_a_newer_one() {
    let served = Served::with(SLOW);
    let mut gone = served.guest(Wish::default());
    served.command(Command::Pause);
    begin_writes(&mut gone, &[0], 1);
    served.wait_for_depth(1);
    drop(gone);
    served.wait_for_clients(0);
    let mut next = served.guest(Wish::default());
    begin_writes(&mut next, &[0], 2);
    std::thread::sleep(std::time::Duration::from_millis(20));
    served.wait_for_depth(1);
    served.command(Command::Resume);
    assert_eq!(answers(&mut next, 1), [0]);
    check_writes(&mut next, &[0], 2);
}
