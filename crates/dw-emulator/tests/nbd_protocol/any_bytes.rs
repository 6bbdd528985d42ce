//! Any bytes at all: the fuzz targets, run from seeds and from the corpus.
//!
//! Random bytes alone die at the first magic number, so most inputs are made of pieces of the protocol.

use dw_emulator::fuzzing::{nbd_handshake, nbd_requests};
use proptest::prelude::*;

/// A piece of what a client sends in the handshake, whole or spoilt.
fn option() -> impl Strategy<Value = Vec<u8>> {
    let data = prop_oneof![
        Just(Vec::new()),
        prop::collection::vec(any::<u8>(), 0..40),
        Just(b"\0\0\0\x01a\0\x01\0\x03".to_vec()),
        Just(b"\0\0\0\x01c\0\0".to_vec()),
        Just(b"\0\0\0\x01a\0\0\0\x01\0\0\0\x0fbase:allocation".to_vec()),
        (0usize..70_000).prop_map(|len| vec![b'x'; len]),
    ];
    (prop_oneof![9 => 0u32..14, 1 => any::<u32>()], data, 0u32..12).prop_map(|(number, data, lie)| {
        let len = if lie == 0 { data.len() as u32 + 3 } else { data.len() as u32 };
        [b"IHAVEOPT", &number.to_be_bytes()[..], &len.to_be_bytes(), &data].concat()
    })
}

/// A request, mostly of the style of the connection.
fn request(extended: bool) -> impl Strategy<Value = Vec<u8>> {
    let small = || prop_oneof![8 => 0u64..140_000, 1 => any::<u64>()];
    let flags = prop_oneof![4 => Just(0), 9 => 0u16..64, 1 => any::<u16>()];
    let head = (0u8..20, flags, 0u16..10, any::<u64>());
    (head, small(), small()).prop_map(move |((stray, flags, kind, cookie), offset, len)| {
        let extended = extended != (stray == 0);
        let magic: u32 = if extended { 0x21e41c71 } else { 0x25609513 };
        let len = len.to_be_bytes();
        let len = if extended { &len[..] } else { &len[4..] };
        let flags_kind = [flags.to_be_bytes(), kind.to_be_bytes()].concat();
        let mut bytes =
            [&magic.to_be_bytes()[..], &flags_kind, &cookie.to_be_bytes(), &offset.to_be_bytes(), len].concat();
        if kind == 1 || flags & 32 != 0 {
            let payload = u32::from_be_bytes(len[len.len() - 4..].try_into().unwrap_or_default());
            bytes.resize(bytes.len() + (payload as usize).min(200_000), 0xaa);
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn handshakes_survive_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        nbd_handshake(&bytes);
    }

    #[test]
    fn handshakes_survive_any_client(
        how in any::<[u8; 2]>(),
        flags in prop_oneof![4 => 0u8..4, 1 => any::<u8>()],
        options in prop::collection::vec(option(), 0..8),
        tail in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        nbd_handshake(&[&how[..], &[0, 0, 0, flags], &options.concat(), &tail].concat());
    }

    #[test]
    fn requests_survive_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        nbd_requests(&bytes);
    }

    #[test]
    fn requests_survive_any_client(
        (how, requests) in any::<u8>()
            .prop_flat_map(|how| (Just(how), prop::collection::vec(request(how % 3 == 2), 0..8))),
    ) {
        nbd_requests(&[&[how][..], &requests.concat()].concat());
    }
}

#[test]
fn the_corpus_is_taken() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let mut seen = [0, 0];
    for file in std::fs::read_dir(corpus).expect("the corpus") {
        let path = file.expect("a file").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).expect("a corpus file");
        match name.split_once('-') {
            Some(("handshake", _)) => {
                nbd_handshake(&bytes);
                seen[0] += 1;
            }
            Some(("requests", _)) => {
                nbd_requests(&bytes);
                seen[1] += 1;
            }
            // Taken by the tests of `vhost_user`.
            Some(("vhost", _)) => {}
            _ => panic!("{name}: whose is it?"),
        }
    }
    assert!(seen.iter().all(|&files| files >= 5), "{seen:?}");
}
