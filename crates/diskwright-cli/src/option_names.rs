//! What the library calls an option of a call, in the words of this program.
//!
//! The library knows no command line: its messages name its own types. Here each that a message may name has the option that sets it.

/// What the library says, and the option.
const NAMES: [(&str, &str); 6] = [
    ("`PlanOptions::why_not`", "`--why-not`"),
    ("`Evidence::demand`", "`--demand`"),
    ("`Evidence::measured`", "`--measured`"),
    ("`About::volumes`, those of the VM", "`--rig RIG.toml`, the VM"),
    ("`ObserveOptions::strict`", "`--strict`"),
    ("`CalibrateOptions::volume`", "`--volume`"),
];

/// A message with the options of this program.
pub(crate) fn of_program(text: &str) -> String {
    NAMES.iter().fold(text.to_string(), |text, (library, option)| text.replace(library, option))
}

#[cfg(test)]
mod tests {
    use super::{NAMES, of_program};

    #[test]
    fn a_message_of_the_library_names_the_options_of_the_program() {
        let cases = [
            ("`PlanOptions::why_not`: there is no VM size `DS41`", "`--why-not`: there is no VM size `DS41`"),
            ("give `Evidence::demand`, `Evidence::measured` or both", "give `--demand`, `--measured` or both"),
            ("nothing of ours", "nothing of ours"),
        ];
        for (text, expected) in cases {
            assert_eq!(of_program(text), expected);
        }
    }

    /// The names are in the library's messages, and its messages name no option of this program.
    #[test]
    fn every_name_is_one_that_the_library_uses() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../diskwright/src");
        let files = ["plan.rs", "explain.rs", "measured.rs", "observe.rs", "calibrate.rs"];
        let text: String = files.map(|file| std::fs::read_to_string(folder.join(file)).unwrap()).concat();
        for (name, option) in NAMES {
            assert!(text.contains(name), "{name}");
            let option = option.split([' ', '`']).nth(1).unwrap();
            assert!(!text.contains(&format!("`{option}")), "{option}");
        }
    }
}
