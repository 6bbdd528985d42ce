//! Where the bytes live: every store keeps the one contract, and a disk in a file survives, is locked and is checked.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;

use dw_emulator::{FileOptions, FileStore, Gone, Member, MemoryRoom, MemoryStore, NullStore, Store};
use dw_units::Bytes;
use proptest::prelude::*;

const SIZE: u64 = 512 << 10;

/// A folder on the disk that holds the build, for a temporary file system may lack holes or direct I/O.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

fn open(folder: &Path, options: FileOptions) -> FileStore {
    FileStore::open(folder, "data", SIZE, "rig.toml", options).unwrap_or_else(|error| panic!("{error}"))
}

#[derive(Clone, Debug)]
enum Step {
    Write(u64, Vec<u8>),
    Discard(u64, u64),
    Zero(u64, u64, bool),
    Resize(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let range = || (0..SIZE, prop_oneof![0u64..20, Just(4096), 0u64..200_000]);
    let step = prop_oneof![
        4 => (range(), any::<u8>()).prop_map(|((offset, len), byte)| {
            let data: Vec<u8> = (0..len.min(SIZE - offset)).map(|i| (i as u8).wrapping_mul(31) ^ byte).collect();
            Step::Write(offset, data)
        }),
        2 => range().prop_map(|(offset, len)| Step::Discard(offset, len.min(SIZE - offset))),
        2 => (range(), any::<bool>()).prop_map(|((o, l), punch)| Step::Zero(o, l.min(SIZE - o), punch)),
        1 => (1..=SIZE / 4096).prop_map(|units| Step::Resize(units * 4096)),
    ];
    proptest::collection::vec(step, 1..12)
}

/// The one door: a store and a plain array do the same, and extents say nothing false.
fn check(mut store: impl Store, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut model = vec![0u8; SIZE as usize];
    for step in steps {
        match step {
            Step::Write(offset, data) => {
                store.write(*offset, data).unwrap();
                model[*offset as usize..][..data.len()].copy_from_slice(data);
            }
            Step::Discard(offset, len) | Step::Zero(offset, len, _) => {
                match step {
                    Step::Zero(_, _, punch) => store.zero(*offset, *len, *punch).unwrap(),
                    _ => store.discard(*offset, *len).unwrap(),
                }
                model[*offset as usize..(offset + len) as usize].fill(0);
            }
            Step::Resize(size) => {
                // There and back again: what was cut off is gone.
                store.resize(*size).unwrap();
                prop_assert_eq!(store.size(), *size);
                store.resize(SIZE).unwrap();
                model[*size as usize..].fill(0);
            }
        }
    }
    for (offset, len) in [(0, SIZE), (1, 4095), (4095, 2), (100_001, 70_003), (SIZE - 1, 1), (7, 0)] {
        let mut out = vec![0xEE; len as usize];
        store.read(offset, &mut out).unwrap();
        prop_assert!(out == model[offset as usize..(offset + len) as usize], "bytes from {offset}");
        let mut at = offset;
        for extent in store.extents(offset, len, usize::MAX) {
            prop_assert!(extent.len > 0);
            let bytes = &model[at as usize..(at + extent.len) as usize];
            prop_assert!(!extent.zero || bytes.iter().all(|&byte| byte == 0), "a zero extent at {at} has data");
            prop_assert!(extent.zero || !extent.hole);
            at += extent.len;
        }
        prop_assert_eq!(at, offset + len, "extents cover the range");
        prop_assert!(store.extents(offset, len, 1).len() <= 1);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_memory_store_is_an_array(steps in steps()) {
        check(memory(SIZE, &MemoryRoom::default()), &steps)?;
    }
    #[test]
    fn a_file_store_is_an_array(steps in steps()) {
        let folder = folder();
        check(open(folder.path(), FileOptions::default()), &steps)?;
    }
    #[test]
    fn a_direct_file_store_is_an_array(steps in steps()) {
        let folder = folder();
        check(open(folder.path(), FileOptions { direct: true, durable: true, member: None }), &steps)?;
    }
}

#[test]
fn a_null_store_reads_zeroes() {
    let mut store = NullStore::new(SIZE);
    store.write(0, &[1; 4096]).unwrap();
    let mut out = [1; 4096];
    store.read(0, &mut out).unwrap();
    assert_eq!(out, [0; 4096]);
}

fn memory(size: u64, room: &MemoryRoom) -> MemoryStore {
    MemoryStore::new(size, room.clone()).expect("memory")
}

#[test]
fn zeroing_memory_gives_it_back() {
    let room = MemoryRoom::default();
    let mut store = memory(64 << 40, &room);
    let empty = room.taken();
    store.write(5 << 40, &[7; 300_000]).unwrap();
    assert_eq!(store.pages(), 37);
    store.discard(0, 64 << 40).unwrap();
    assert_eq!(store.pages(), 0);
    assert!(room.taken() < empty + Bytes::kib(32), "a leaf is left");
    store.resize(4 << 40).unwrap();
    assert_eq!(room.taken(), memory_of(4 << 40), "as if it had never been larger");
}

/// What an empty disk takes.
fn memory_of(size: u64) -> Bytes {
    let room = MemoryRoom::default();
    memory(size, &room);
    room.taken()
}

/// Two disks share a room: what one of them gives back the other has.
#[test]
fn memory_is_full_as_a_disk_is_full() {
    let most = Bytes::mib(3);
    let room = MemoryRoom::new(most);
    let size = 4 << 30;
    let (mut first, mut second) = (memory(size, &room), memory(size, &room));
    // One after the other, and scattered so that each takes a page, a chunk and a leaf of its own.
    for step in [4096, 5 << 20] {
        let mut written = 0;
        let full = loop {
            match first.write(written * step, &[1; 4096]) {
                Ok(()) => written += 1,
                Err(error) => break error,
            }
        };
        assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
        assert!(full.to_string().contains(" more memory, but only "), "{full}");
        assert!(room.taken() <= most && room.taken() > most - Bytes::kib(17), "{}", room.taken());
        assert!(written > 100, "only {written}");
        let mut found = [0; 4096];
        first.read((written - 1) * step, &mut found).unwrap();
        assert_eq!(found, [1; 4096], "what was written is there");
        first.write(0, &[2; 512]).expect("what is there can be changed");
        assert!(second.write(0, &[3; 512]).is_err(), "nor has the other one any left");
        first.discard(0, size).unwrap();
        second.write(0, &[3; 512]).expect("now it has");
        second.discard(0, size).unwrap();
    }
}

#[test]
fn a_disk_whose_index_alone_is_larger_than_memory_is_refused_before_it_is_made() {
    let room = MemoryRoom::new(Bytes::gib(1));
    let refused = MemoryStore::new(1 << 60, room.clone()).expect_err("256 GiB");
    assert_eq!(refused.to_string(), "the disks' data needs 256 GiB more memory, but only 1 GiB of 1 GiB is left");
    let mut store = memory(SIZE, &room);
    let before = room.taken();
    store.write(0, &[1]).unwrap();
    assert!(store.resize(1 << 60).is_err());
    assert_eq!((store.size(), store.pages()), (SIZE, 1), "nothing has changed");
    store.resize(1 << 40).expect("256 KiB");
    store.discard(0, 1 << 40).unwrap();
    store.resize(SIZE).expect("nothing");
    assert!(room.taken() < before + Bytes::kib(32), "a leaf is left");
}

#[test]
fn a_terabyte_disk_costs_what_was_written_and_trim_gives_it_back() {
    let folder = folder();
    let mut store = FileStore::open(folder.path(), "big", 1 << 40, "", FileOptions::default()).unwrap();
    store.write(700 << 30, &vec![1; 1 << 20]).unwrap();
    let on_disk = || fs::metadata(folder.path().join("big.img")).unwrap().blocks() * 512;
    store.write(0, &[1]).unwrap();
    assert!((1 << 20..4 << 20).contains(&on_disk()), "{} bytes", on_disk());
    let extents = store.extents(0, 1 << 40, 10);
    assert!(extents[1].hole && extents[1].len > 600 << 30, "{extents:?}");
    store.discard(0, 1 << 40).unwrap();
    assert!(on_disk() < 64 << 10, "{} bytes are left", on_disk());
}

#[test]
fn a_disk_is_there_after_a_restart() {
    let folder = folder();
    let mut store = open(folder.path(), FileOptions::default());
    store.write(12_345, b"still here").unwrap();
    store.resize(2 * SIZE).unwrap();
    drop(store);
    let mut store = FileStore::open(folder.path(), "data", 2 * SIZE, "other.toml", FileOptions::default()).unwrap();
    let mut out = [0; 10];
    store.read(12_345, &mut out).unwrap();
    assert_eq!((&out, store.size()), (b"still here", 2 * SIZE));
}

#[test]
fn two_servers_do_not_share_a_disk() {
    let folder = folder();
    let _first = open(folder.path(), FileOptions::default());
    let error = FileStore::open(folder.path(), "data", SIZE, "", FileOptions::default()).unwrap_err().to_string();
    assert!(error.contains("data.img is in use by process"), "{error}");
    assert!(error.contains("hint: stop the other server"), "{error}");
}

/// What a folder holds, and what opening disk `data` of it says.
#[test]
fn a_folder_that_does_not_fit_is_refused_with_the_fix() {
    let header = |change: fn(&str) -> String| {
        move |folder: &Path| {
            let path = folder.join("data.json");
            fs::write(&path, change(&fs::read_to_string(&path).unwrap())).unwrap();
        }
    };
    type Break = Box<dyn Fn(&Path)>;
    let cases: Vec<(&str, Break, &str)> = vec![
        ("not JSON", Box::new(header(|_| "hello".into())), "data.json is damaged: expected value"),
        ("cut short", Box::new(header(|text| text[..30].into())), "data.json is damaged: EOF"),
        ("not text", Box::new(|f: &Path| fs::write(f.join("data.json"), [0xFF; 9]).unwrap()), "it is not text"),
        ("a changed size", Box::new(header(|t| t.replace("524288", "524800"))), "its checksum is"),
        ("another thing", Box::new(header(|t| t.replace("diskwright disk", "shopping list"))), "it describes a `shop"),
        ("a newer version", Box::new(header(|t| t.replace("\"version\": 1", "\"version\": 9"))), "has version 9, this"),
        ("no header", Box::new(|f: &Path| fs::remove_file(f.join("data.json")).unwrap()), "it has data, but no "),
        ("no bytes", Box::new(|f: &Path| fs::remove_file(f.join("data.img")).unwrap()), "data.img is missing, though"),
        (
            "bytes cut off",
            Box::new(|f: &Path| {
                fs::OpenOptions::new().write(true).open(f.join("data.img")).unwrap().set_len(9).unwrap()
            }),
            "it is 9 bytes long, its header says 524288",
        ),
        (
            "a pipe",
            Box::new(|f: &Path| {
                fs::remove_file(f.join("data.img")).unwrap();
                assert!(Command::new("mkfifo").arg(f.join("data.img")).status().unwrap().success());
            }),
            "data.img is not a file but a pipe",
        ),
        (
            "other names",
            Box::new(|f: &Path| {
                let _ = FileStore::open(f, "log", SIZE, "", FileOptions::default()).unwrap();
                fs::rename(f.join("log.json"), f.join("data.json")).unwrap();
            }),
            "data.json belongs to disk `log`, not `data`",
        ),
    ];
    for (name, damage, expected) in cases {
        let folder = folder();
        open(folder.path(), FileOptions::default()).write(0, b"data").unwrap();
        damage(folder.path());
        let error = FileStore::open(folder.path(), "data", SIZE, "", FileOptions::default()).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("\nhint: "), "{name}: {error}");
    }
    let folder = folder();
    drop(open(folder.path(), FileOptions::default()));
    let asked: [(&str, u64, &str, &str); 4] = [
        ("data", SIZE * 2, "", "contains a disk of 524288 bytes, but the scenario has 1048576"),
        ("../data", SIZE, "", "a disk called `../data` cannot have a file: its name has a `/`"),
        ("data", SIZE, "nowhere", "create the directory first"),
        ("odd", 1000, "direct", "multiple of 4096, not 1000"),
    ];
    for (disk, size, special, expected) in asked {
        let nowhere = folder.path().join("nowhere");
        let place = if special == "nowhere" { &nowhere } else { folder.path() };
        let options = FileOptions { direct: special == "direct", ..FileOptions::default() };
        let error = FileStore::open(place, disk, size, "", options).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("\nhint: "), "{disk} {size}: {error}");
    }
}

/// Bytes of a stripe mean nothing in another order. A header of before has no layout, and gets one.
#[test]
fn a_volume_keeps_the_layout_that_its_disks_were_written_in() {
    let as_one_of = |member: Option<Member>| FileOptions { member, ..FileOptions::default() };
    let member = |disks, kib| Some(Member::new(disks, Bytes::kib(kib)));
    let cases = [
        (member(2, 64), member(2, 64), None),
        (member(1, 64), member(1, 128), None),
        (None, member(2, 64), None),
        (member(2, 64), None, None),
        (
            member(2, 64),
            member(2, 128),
            Some("contains `data` as a stripe of 2 x 64 KiB, but the scenario has a stripe of 2 x 128 KiB"),
        ),
        (
            member(2, 64),
            member(1, 64),
            Some("contains `data` as a stripe of 2 x 64 KiB, but the scenario has a single disk"),
        ),
        (
            member(1, 64),
            member(3, 64),
            Some("contains `data` as a single disk, but the scenario has a stripe of 3 x 64 KiB"),
        ),
    ];
    for (written, asked, refused) in cases {
        let folder = folder();
        let open = |member| FileStore::open(folder.path(), "data.0", SIZE, "rig.toml", as_one_of(member));
        assert!(open(written).unwrap().is_new());
        let header = fs::read_to_string(folder.path().join("data.0.json")).unwrap();
        match (open(asked), refused) {
            (Ok(mut store), None) => {
                assert!(!store.is_new());
                store.resize(2 * SIZE).unwrap();
                store.resize(SIZE).unwrap();
            }
            (Err(error), Some(what)) => {
                let said = error.to_string();
                assert!(said.contains(what) && said.contains("\nhint: "), "{said}");
                assert_eq!(fs::read_to_string(folder.path().join("data.0.json")).unwrap(), header);
            }
            (opened, _) => panic!("{written:?} {asked:?}: {:?}", opened.map(drop)),
        }
        assert!(open(member(9, 4)).is_err(), "{written:?} {asked:?}: it is kept, through a change of size too");
    }
}

#[test]
fn a_disk_whose_bytes_are_lost_is_not_made_anew() {
    let folder = folder();
    drop(open(folder.path(), FileOptions::default()));
    fs::remove_file(folder.path().join("data.img")).unwrap();
    FileStore::open(folder.path(), "data", SIZE, "", FileOptions::default()).unwrap_err();
    assert!(!folder.path().join("data.img").exists(), "nothing is put in its place");
}

/// A sync says that the next start finds the bytes.
#[test]
fn what_is_not_where_it_was_is_not_synced() {
    type Loss = fn(&Path);
    let cases: [(&str, Loss, Option<&str>); 7] = [
        ("nothing", |_| {}, None),
        ("the file", |f| fs::remove_file(f.join("data.img")).unwrap(), Some("data.img was deleted, moved or replaced")),
        ("the header", |f| fs::remove_file(f.join("data.json")).unwrap(), Some("data.json was deleted")),
        ("all of it", |f| fs::remove_dir_all(f).unwrap(), Some("data.img was deleted")),
        ("moved", |f| fs::rename(f.join("data.img"), f.join("old.img")).unwrap(), Some("data.img was deleted")),
        ("the directory, moved", |f| fs::rename(f, f.with_extension("old")).unwrap(), Some("data.img was deleted")),
        (
            "replaced",
            |f| {
                fs::write(f.join("new"), "").unwrap();
                fs::rename(f.join("new"), f.join("data.img")).unwrap();
            },
            Some("data.img was deleted"),
        ),
    ];
    for (name, lose, expected) in cases {
        for durable in [false, true] {
            let outer = folder();
            let folder = outer.path().join("disks");
            fs::create_dir(&folder).unwrap();
            let mut store = open(&folder, FileOptions { durable, ..FileOptions::default() });
            store.write(0, b"data").unwrap();
            store.sync().unwrap();
            lose(&folder);
            let said = store.sync().map_err(|error| (Gone::is(&error), error.to_string()));
            match expected {
                None => assert_eq!(said, Ok(()), "{name}"),
                Some(text) => assert!(said.is_err_and(|(gone, said)| gone && said.contains(text)), "{name}"),
            }
            let mut out = [0; 4];
            store.read(0, &mut out).unwrap();
            assert_eq!(&out, b"data", "{name}: as long as it is open it can be copied");
        }
    }
}

#[test]
fn an_end_between_the_first_steps_is_no_damage() {
    let folder = folder();
    // The file is there, its header not yet.
    fs::File::create(folder.path().join("data.img")).unwrap().set_len(SIZE).unwrap();
    drop(open(folder.path(), FileOptions::default()));
    // The file is longer, the header not yet.
    fs::OpenOptions::new().write(true).open(folder.path().join("data.img")).unwrap().set_len(9 * SIZE).unwrap();
    assert_eq!(open(folder.path(), FileOptions::default()).size(), SIZE);
}

/// The host has no more room: the test runs itself again under a limit on the length of files.
#[test]
fn a_full_host_is_no_space_and_the_rest_is_kept() {
    const CHILD: &str = "DISKWRIGHT_TEST_FULL";
    if let Ok(folder) = std::env::var(CHILD) {
        let mut store = FileStore::open(Path::new(&folder), "data", SIZE, "", FileOptions::default()).unwrap();
        store.write(0, &[1; 4096]).unwrap();
        let error = store.resize(SIZE * 64).unwrap_err();
        assert_eq!(dw_emulator::IoError::from_io(&error), dw_emulator::IoError::NoSpace, "{error}");
        let mut out = [0; 4096];
        store.read(0, &mut out).unwrap();
        assert_eq!((out, store.size()), ([1; 4096], SIZE));
        return;
    }
    let folder = folder();
    let own = std::env::current_exe().unwrap();
    let script = "trap '' XFSZ; ulimit -f 2048; exec \"$0\" --exact a_full_host_is_no_space_and_the_rest_is_kept";
    let ended = Command::new("sh").args(["-c", script]).arg(own).env(CHILD, folder.path()).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stdout));
}
