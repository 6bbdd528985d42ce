//! `--out`: every file or none, and never over what is there.

use super::{REQUIREMENTS, planned, provision, target};

#[test]
fn a_folder_gets_what_the_targets_print_and_a_readme() {
    let folder = planned(REQUIREMENTS);
    let ran = provision(folder.path(), &["--out", "build/of plan", "--database", "mysql"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let files = [
        ("az.sh", "az"),
        ("main.bicep", "bicep"),
        ("main.tf", "terraform"),
        ("linux.sh", "linux"),
        ("windows.ps1", "windows"),
        ("verify.fio", "fio"),
        ("verify.xml", "diskspd"),
        ("rig.toml", "rig"),
        ("rig-windows.toml", "rig-windows"),
    ];
    let built = folder.path().join("build/of plan");
    for (file, name) in files {
        assert_eq!(std::fs::read_to_string(built.join(file)).unwrap(), target(folder.path(), name, &[]), "{file}");
    }
    assert!(built.join("mysql.cnf").exists() && !built.join("oracle.sql").exists());
    assert_eq!(std::fs::read_dir(&built).unwrap().count(), files.len() + 2);
    insta::assert_snapshot!(std::fs::read_to_string(built.join("README.md")).unwrap());
}

#[test]
fn what_is_there_is_replaced_only_by_force() {
    let folder = planned(REQUIREMENTS);
    std::fs::create_dir(folder.path().join("build")).unwrap();
    std::fs::write(folder.path().join("build/rig.toml"), "mine").unwrap();
    let ran = provision(folder.path(), &["--out", "build"]);
    assert!(ran.code == 2 && ran.stderr.starts_with("error: build/rig.toml is there already"), "{}", ran.stderr);
    assert_eq!(std::fs::read_dir(folder.path().join("build")).unwrap().count(), 1);
    assert_eq!(provision(folder.path(), &["--out", "build", "--force"]).code, 0);
    assert_ne!(std::fs::read_to_string(folder.path().join("build/rig.toml")).unwrap(), "mine");
}

/// What stands in the way, with --force, what is said.
#[test]
fn where_one_file_cannot_be_none_is_written() {
    type Make = fn(&std::path::Path) -> std::io::Result<()>;
    let cases: [(&str, Make, &[&str], &str); 4] = [
        ("build/verify.fio", |path| std::fs::create_dir_all(path), &[], "build/verify.fio is a folder"),
        ("build/README.md", |path| std::fs::create_dir_all(path), &["--force"], "build/README.md is a folder"),
        ("build", |path| std::fs::write(path, "mine"), &["--force"], "build is a file"),
        ("build/az.sh", |path| std::os::unix::fs::symlink("gone", path), &[], "build/az.sh is there already"),
    ];
    for (name, make, more, said) in cases {
        let folder = planned(REQUIREMENTS);
        let place = folder.path().join(name);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        make(&place).unwrap();
        let ran = provision(folder.path(), &[&["--out", "build"], more].concat());
        let expected = format!("error: {said}; nothing was written\nhint: ");
        assert!(ran.code == 2 && ran.stderr.starts_with(&expected), "{}", ran.stderr);
        if name != "build" {
            assert_eq!(std::fs::read_dir(folder.path().join("build")).unwrap().count(), 1, "{name}");
        }
    }
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = planned(REQUIREMENTS);
    for args in [&["--target", "database"][..], &["--target", "az", "--force"], &["--target", "arm"], &[]] {
        let ran = provision(folder.path(), args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
    }
}
