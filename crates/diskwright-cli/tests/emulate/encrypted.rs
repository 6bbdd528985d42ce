//! TLS, with certificates made for the test, and TCP.

use std::path::Path;

use crate::emulate::raw::{Client, option};
use crate::emulate::support::{Emulator, RIG, call, have, noise, run, wait_until};

/// Certificates in a folder of their own, under the names that libnbd looks for.
struct Certificates {
    folder: tempfile::TempDir,
}

impl Certificates {
    fn new() -> Certificates {
        let all = Certificates { folder: tempfile::tempdir().unwrap() };
        let (ca, key) = (all.file("ca-cert.pem"), all.file("ca-key.pem"));
        let new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
        let own =
            ["-subj", "/CN=test CA", "-addext", "basicConstraints=critical,CA:TRUE", "-keyout", &key, "-out", &ca];
        call("openssl", new.iter().chain(&own)).ok();
        for name in ["server", "client"] {
            let (cert, key) = (all.file(&format!("{name}-cert.pem")), all.file(&format!("{name}-key.pem")));
            let subject = format!("/CN={name}");
            let leaf =
                ["-subj", &subject, "-keyout", &key, "-out", &cert, "-CA", &ca, "-CAkey", &all.file("ca-key.pem")];
            let names =
                ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext", "basicConstraints=CA:FALSE"];
            call("openssl", new.iter().chain(&leaf).chain(&names)).ok();
        }
        all
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn file(&self, name: &str) -> String {
        self.path().join(name).to_str().expect("a plain path").to_string()
    }
}

/// Where it listens, according to what it prints.
fn tcp_port(emulator: &Emulator) -> String {
    wait_until("it says where it listens", || emulator.log().contains("control "));
    let log = emulator.log();
    let port = log.split("127.0.0.1:").nth(1).expect("it says where it listens");
    port.chars().take_while(char::is_ascii_digit).collect()
}

/// A listener on any port of this machine, with these certificates, and with clients' ones if asked.
fn start(certificates: &Certificates, clients: bool) -> Emulator {
    let (ca, cert, key) =
        (certificates.file("ca-cert.pem"), certificates.file("server-cert.pem"), certificates.file("server-key.pem"));
    let mut args = vec!["--tcp", "127.0.0.1:0", "--tls-cert", &cert, "--tls-key", &key];
    if clients {
        args.extend(["--tls-client-ca", &ca]);
    }
    Emulator::start_with(RIG, &args)
}

fn tls_uri(emulator: &Emulator, export: &str, certificates: &Path) -> String {
    format!("nbds://127.0.0.1:{}/{export}?tls-certificates={}", tcp_port(emulator), certificates.display())
}

#[test]
fn clients_work_over_tcp() {
    if !have(&["nbdcopy", "fio", "nbdinfo"]) {
        return;
    }
    let emulator = Emulator::start_with(RIG, &["--tcp", "127.0.0.1:0"]);
    let uri = format!("nbd://127.0.0.1:{}/cached", tcp_port(&emulator));
    assert_eq!(call("nbdinfo", ["--is", "tls", &uri]).code, 2);
    round_trip(&emulator, &uri);
    let fio =
        ["--name=v", "--ioengine=nbd", "--rw=randwrite", "--bs=4k", "--iodepth=32", "--size=16M", "--verify=crc32c"];
    call(
        "fio",
        fio.into_iter().chain(["--verify_fatal=1", "--do_verify=1", "--verify_state_save=0", &format!("--uri={uri}")]),
    )
    .ok();
}

/// There and back again over four connections.
fn round_trip(emulator: &Emulator, uri: &str) {
    let (there, back) = (emulator.file("there"), emulator.file("back"));
    let bytes = noise(3, 24 << 20);
    std::fs::write(&there, &bytes).unwrap();
    call("nbdcopy", ["--connections=4", there.to_str().unwrap(), uri]).ok();
    call("nbdcopy", ["--connections=4", uri, back.to_str().unwrap()]).ok();
    assert!(std::fs::read(back).unwrap()[..bytes.len()] == bytes);
}

#[test]
fn clients_work_over_tls() {
    if !have(&["nbdcopy", "nbdinfo", "openssl"]) {
        return;
    }
    let certificates = Certificates::new();
    let emulator = start(&certificates, false);
    let uri = tls_uri(&emulator, "cached", certificates.path());
    assert_eq!(call("nbdinfo", ["--is", "tls", &uri]).code, 0);
    assert_eq!(call("nbdinfo", ["--can", "df", &uri]).code, 0, "options are negotiated again inside TLS");
    round_trip(&emulator, &uri);
}

#[test]
fn without_tls_nothing_is_told() {
    if !have(&["nbdinfo", "openssl"]) {
        return;
    }
    let emulator = start(&Certificates::new(), false);
    let port = tcp_port(&emulator);
    let plain = call("nbdinfo", [format!("nbd://127.0.0.1:{port}/cached")]);
    assert_ne!(plain.code, 0);
    let list = call("nbdinfo", ["--list".to_string(), format!("nbd://127.0.0.1:{port}")]);
    assert!(list.code != 0 && !list.stdout.contains("cached"), "{list:?}");
    let mut old = Client::connect(&emulator.socket()).unwrap();
    old.write(&[&[0, 0, 0, 3], &option(1, b"cached")[..]].concat()).unwrap();
    assert_eq!(old.read_to_end().unwrap().len(), 18, "the greeting, then the end");
}

#[test]
fn strangers_are_kept_out() {
    if !have(&["nbdinfo", "openssl"]) {
        return;
    }
    let (ours, others) = (Certificates::new(), Certificates::new());
    let emulator = start(&ours, true);
    assert_eq!(call("nbdinfo", ["--size", &tls_uri(&emulator, "cached", ours.path())]).code, 0);
    let nameless = tempfile::tempdir().unwrap();
    std::fs::copy(ours.file("ca-cert.pem"), nameless.path().join("ca-cert.pem")).unwrap();
    assert_ne!(call("nbdinfo", ["--size", &tls_uri(&emulator, "cached", nameless.path())]).code, 0);
    std::fs::copy(ours.file("ca-cert.pem"), others.file("ca-cert.pem")).unwrap();
    assert_ne!(call("nbdinfo", ["--size", &tls_uri(&emulator, "cached", others.path())]).code, 0);
    assert!(emulator.log().contains("certificate"), "it says why: {}", emulator.log());
    assert_eq!(call("nbdinfo", ["--size", &tls_uri(&emulator, "cached", ours.path())]).code, 0);
}

#[test]
fn nonsense_instead_of_tls_is_hung_up_on() {
    if !have(&["nbdinfo", "openssl"]) {
        return;
    }
    let certificates = Certificates::new();
    let emulator = start(&certificates, false);
    for seed in 0..50 {
        let mut client = Client::connect(&emulator.socket()).unwrap();
        client.write(&[&[0, 0, 0, 3], &option(5, b"")[..]].concat()).unwrap();
        client.read(18 + 20).unwrap();
        let _ = client.write(&noise(seed, 1 + seed as usize * 20));
        let _ = client.stream.shutdown(std::net::Shutdown::Write);
        let _ = client.read_to_end();
    }
    // Options smuggled in front of TLS are not taken for ones inside it.
    let mut client = Client::connect(&emulator.socket()).unwrap();
    client.write(&[&[0, 0, 0, 3], &option(5, b"")[..], &option(8, b"")].concat()).unwrap();
    let heard = client.read_to_end().unwrap();
    assert!(heard.len() <= 18 + 20 + 64, "no option was answered: {} bytes", heard.len());
    assert_eq!(call("nbdinfo", ["--size", &tls_uri(&emulator, "cached", certificates.path())]).code, 0);
}

#[test]
fn recorded_traffic_survives_tls() {
    let certificates = if have(&["openssl"]) { Certificates::new() } else { return };
    let emulator = start(&certificates, false);
    let files = ["client-cert.pem", "client-key.pem", "ca-cert.pem"].map(|name| certificates.file(name));
    let port = tcp_port(&emulator);
    crate::emulate::tester::check_at(
        &["-i", "-t", "integrity-test.tr", "-C", &files[0], "-K", &files[1], "-A", &files[2]],
        &["-N", "cached", "127.0.0.1", &port],
    );
}

/// Each cause has its own words.
#[test]
fn what_makes_no_server_is_told() {
    let certificates = if have(&["openssl"]) { Certificates::new() } else { return };
    let write = |name: &str, bytes: &[u8]| std::fs::write(certificates.file(name), bytes).unwrap();
    let cert = std::fs::read_to_string(certificates.file("server-cert.pem")).unwrap();
    write("empty.pem", b"");
    write("binary.der", b"\x30\x82\x01\x02");
    write("cut.pem", &cert.as_bytes()[..cert.len() / 2]);
    write("other.pem", b"-----BEGIN NOTHING-----\nAAAA\n-----END NOTHING-----\n");
    write("rig.toml", RIG.as_bytes());
    let secret = ["-aes256", "-passout", "pass:secret", "-in", &certificates.file("server-key.pem"), "-out"];
    call("openssl", ["pkey"].iter().chain(&secret).chain(&[certificates.file("secret.pem").as_str()])).ok();
    let rows = [
        ("nosuch.pem server-key.pem", "nosuch.pem: cannot be read: no such file", "name the certificate"),
        ("server-cert.pem nosuch.pem", "nosuch.pem: cannot be read: no such file", "name the private key"),
        ("server-cert.pem .", ".: cannot be read: is a directory", "name the private key"),
        ("empty.pem server-key.pem", "empty.pem: this file is empty", "`openssl`"),
        ("server-key.pem server-cert.pem", "contains no certificate, but a private key", "`--tls-cert` takes"),
        ("server-cert.pem server-cert.pem", "contains no private key, but a certificate", "`--tls-key` its key"),
        (
            "server-cert.pem client-key.pem",
            "client-key.pem is not the key of the certificate in",
            "belongs to the certificate",
        ),
        ("server-cert.pem secret.pem", "no private key that can be read without a password", "openssl pkey -in"),
        ("binary.der server-key.pem", "no certificate in PEM", "-inform der"),
        ("cut.pem server-key.pem", "cut.pem: this is damaged", "copy it again"),
        ("other.pem server-key.pem", "other.pem: this contains no certificate", "both in PEM"),
    ];
    for (files, what, hint) in rows {
        let (cert, key) = files.split_once(' ').unwrap();
        let args = ["emulate", "rig.toml", "--null", "--tcp", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key];
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_diskwright"));
        let ran = run(command.args(args).current_dir(certificates.path()));
        assert_eq!(ran.code, 3, "{files}: {}", ran.stderr);
        let (said, told) = ran.stderr.split_once("\nhint: ").unwrap_or_else(|| panic!("{files}: {}", ran.stderr));
        assert!(said.contains(what) && told.contains(hint), "{files}: {}", ran.stderr);
    }
}
