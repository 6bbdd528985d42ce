//! Any messages, and any bytes in the memory of a queue: the fuzz target, run from seeds and from the corpus.

use dw_emulator::fuzzing::guest::{GUEST, USER, descriptor};
use dw_emulator::fuzzing::vhost_user;
use proptest::prelude::*;

/// A message, mostly one that exists with a payload of its length.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let number = prop_oneof![
        4 => 0u64..3,
        2 => (0u64..3, 0u64..10).prop_map(|(queue, value)| value << 32 | queue),
        2 => (0u64..5).prop_map(|page| USER + page * 0x3000),
        1 => Just(GUEST),
        1 => Just(1 << 16),
        1 => any::<u64>(),
    ];
    let request = prop_oneof![9 => prop::sample::select(&[1u8, 2, 3, 5, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 21, 24, 31, 32, 36, 37, 38][..]), 1 => any::<u8>()];
    (request, prop::collection::vec(number, 0..6), 0u8..12, 0u8..9).prop_map(|(request, numbers, files, cut)| {
        let len = match request {
            1 | 3 | 15 | 17 | 21 | 36 => 0,
            2 | 8 | 10..=14 | 16 | 18 => 1,
            31 | 32 => 3,
            _ => 5,
        };
        let mut numbers = numbers;
        numbers.resize(if cut == 0 { numbers.len() } else { len }, 1);
        let payload: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let files = match request {
            _ if cut == 1 => files,
            5 | 21 | 32 | 37 => 1,
            12 | 13 => 1 + 4,
            _ => 0,
        };
        [&[request, payload.len() as u8, files][..], &payload].concat()
    })
}

/// A descriptor, mostly one that leads to others and to memory that is there.
fn any_descriptor() -> impl Strategy<Value = Vec<u8>> {
    let address = prop_oneof![
        6 => (0u64..0x400).prop_map(|at| GUEST + at),
        2 => (0u64..20).prop_map(|page| GUEST + page * 0x1000),
        1 => any::<u64>(),
    ];
    let len = prop_oneof![6 => prop::sample::select(&[0u32, 1, 16, 17, 32, 512, 528, 0x1000][..]), 1 => any::<u32>()];
    (address, len, 0u16..8, 0u16..9)
        .prop_map(|(address, len, flags, next)| descriptor((address, len), flags, next).to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn devices_survive_any_messages(how in any::<u8>(), messages in prop::collection::vec(message(), 0..12)) {
        vhost_user(&[&[how & !1][..], &messages.concat()].concat());
    }

    #[test]
    fn devices_survive_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        vhost_user(&bytes);
    }

    #[test]
    fn devices_survive_any_memory(
        how in any::<u8>(),
        descriptors in prop::collection::vec(any_descriptor(), 8),
        rest in prop::collection::vec(any::<u8>(), 0x80),
        index in 0u16..12,
        heads in prop::collection::vec(0u16..9, 8),
    ) {
        let available: Vec<u8> = [0, index].iter().chain(&heads).flat_map(|n| n.to_le_bytes()).collect();
        // Descriptors, what they may point at, and the driver's half of the queue.
        vhost_user(&[&[how | 1][..], &descriptors.concat(), &rest, &available].concat());
    }
}

#[test]
fn the_corpus_is_taken() {
    let corpus = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus")).unwrap();
    let mut seen = 0;
    for file in corpus.map(|entry| entry.unwrap()) {
        if file.file_name().to_string_lossy().starts_with("vhost-") {
            vhost_user(&std::fs::read(file.path()).unwrap());
            seen += 1;
        }
    }
    assert!(seen >= 3, "only {seen} files of the corpus");
}
