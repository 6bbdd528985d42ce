//! Each key of `[plan]`, those of a vendor among them, is read and written as it was.

use dw_demand::{read_for_plan, write_with};

use super::{SHELF, Shelf};

const VOLUME: &str = "[[volume]]\nname = \"data\"\ncapacity = \"1 TiB\"\n";

#[test]
fn every_key_is_read_and_written_as_it_was() {
    for key in SHELF.all() {
        let mut read = Vec::new();
        for example in key.examples {
            let text = format!("schema_version = 1\n[plan]\n{} = {example}\n{VOLUME}", key.name);
            match read_for_plan("r.toml", &text, &Shelf) {
                Ok(found) => {
                    let written = write_with(&found.0, &found.1, "");
                    let again = read_for_plan("r.toml", &written, &Shelf).expect(&written);
                    assert_eq!(again, found, "{written}");
                    read.push(found.1);
                }
                // One currency is the only one.
                Err(error) => assert_eq!(key.name, "currency", "{error}"),
            }
        }
        assert!(read.len() < 2 || read[0] != read[1], "`{}` takes two values for one", key.name);
    }
}

#[test]
fn keys_of_a_vendor_stand_where_it_puts_them() {
    let names: Vec<&str> = SHELF.all().iter().map(|key| key.name).collect();
    for pair in [["disk_options", "second_hand"], ["bursting", "delivery"]] {
        assert!(names.windows(2).any(|names| names == pair), "{names:?}");
    }
    let text =
        format!("schema_version = 1\n[plan]\ndelivery = \"cart\"\nsecond_hand = true\nbursting = true\n{VOLUME}");
    let (requirements, wishes) = read_for_plan("r.toml", &text, &Shelf).expect("each is known");
    let written = write_with(&requirements, &wishes, "");
    let plan = "percentile = 99\nsecond_hand = true\nbursting = true\ndelivery = \"cart\"\n";
    assert!(written.contains(plan), "{written}");
}
