//! Zones as a plan asks for them: by the number of their id, or by their letter.
//!
//! `use1-az1` is the same zone for everybody, and records say which types it has: a plan calls it `1`. The letter of a zone is another one in
//! each account: whether the zone behind it has a type, no record says, and the scripts ask before they make anything. A region has no more
//! letters than its highest number: us-east-1 has six, up to f.
//!
//! Source: `instances::regions` and the places of each type.

use std::collections::BTreeSet;

use crate::instances;

/// Whether a zone is called by its letter.
pub(crate) fn is_letter(zone: &str) -> bool {
    matches!(zone.as_bytes(), [b'a'..=b'z'])
}

/// That nothing is known of a zone that is called by its letter, as a sentence.
pub(crate) fn not_told(letter: &str, machine: &str) -> String {
    format!(
        "zone {letter} is another zone in each account: whether it offers {machine} is not known, and the scripts ask before they create \
         anything; the number of its id (`describe-availability-zones`) plans for what it offers"
    )
}

/// The numbers of the zones of a region in which any type is offered, sorted; none where no record of it is known.
fn numbers(region: &str) -> Vec<char> {
    let places = instances::all().iter().filter_map(instances::InstanceType::places).flatten();
    let here = places.filter(|(own, _)| *own == region);
    here.flat_map(|(_, zones)| zones.chars()).collect::<BTreeSet<char>>().into_iter().collect()
}

/// What is wrong with a zone that is asked for, and what to write.
pub(crate) fn refuses(zone: &str, region: &str) -> Option<[String; 2]> {
    let asked = format!("`zone = \"{zone}\"`");
    let numbers = numbers(region);
    let Some(most) = numbers.last().and_then(|most| most.to_digit(10)) else {
        let what = format!("{asked}: the catalogue does not know which types {region} offers in which zone");
        return (!is_letter(zone)).then(|| [what, "write the letter of the zone, for example `a`, or omit it".into()]);
    };
    let last = char::from(b'a' + most as u8 - 1);
    let known = |short: char| numbers.contains(&short) || ('a'..=last).contains(&short);
    let mut letters = zone.chars();
    if let (Some(short), None) = (letters.next(), letters.next())
        && known(short)
    {
        return None;
    }
    let all = numbers.iter().map(|number| format!("`{number}`")).collect::<Vec<_>>().join(", ");
    let hint = match zone.chars().last().map(|last| last.to_ascii_lowercase()).filter(|short| known(*short)) {
        Some(short) if is_named_in_full(zone, region) => format!("write `{short}`"),
        _ => format!("write the number of its id ({all}) or its letter in your account (`a` to `{last}`)"),
    };
    Some([format!("{asked}: {region} has no zone that is called so here"), hint])
}

/// Whether a zone is called as the vendor prints it: `us-east-1a`, or `use1-az1`, whose number is that of the id. An id of another region has
/// another beginning.
fn is_named_in_full(zone: &str, region: &str) -> bool {
    let plain = zone.trim().to_ascii_lowercase();
    let of_region = plain.strip_prefix(region).is_some_and(is_letter);
    let of_id = plain.split_once("-az").is_some_and(|(short, number)| is_short_of(short, region) && number.len() == 1);
    of_region || of_id || plain.len() == 1
}

/// Whether ids of zones of a region begin so: `use1` of us-east-1, `apne1` of ap-northeast-1.
fn is_short_of(short: &str, region: &str) -> bool {
    let mut parts = region.split('-');
    let (Some(area), Some(place), Some(number)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let place = match place {
        "northeast" => "ne",
        "northwest" => "nw",
        "southeast" => "se",
        "southwest" => "sw",
        one => one.get(..1).unwrap_or_default(),
    };
    short == format!("{area}{place}{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_a_number_or_a_letter() {
        let (six, three) =
            ("(`1`, `2`, `3`, `4`, `5`, `6`) or its letter in your account (`a` to `f`)", "(`a` to `c`)");
        for (zone, region, hint) in [
            ("1", "us-east-1", None),
            ("6", "us-east-1", None),
            ("a", "us-east-1", None),
            ("f", "us-east-1", None),
            ("c", "eu-west-1", None),
            // Its second zone has the number 3, and perhaps the letter c.
            ("c", "us-west-1", None),
            ("2", "us-west-1", Some("(`1`, `3`)")),
            ("7", "us-east-1", Some(six)),
            ("g", "us-east-1", Some(six)),
            ("d", "eu-west-1", Some(three)),
            ("us-east-1a", "us-east-1", Some("write `a`")),
            ("use1-az1", "us-east-1", Some("write `1`")),
            ("apne1-az4", "ap-northeast-1", Some("write `4`")),
            ("A", "us-east-1", Some("write `a`")),
            ("us-east-2a", "us-east-1", Some(six)),
            ("euw1-az1", "us-east-1", Some(six)),
            ("us-east-1g", "us-east-1", Some(six)),
            ("", "us-east-1", Some(six)),
            ("a", "nowhere-1", None),
            ("1", "nowhere-1", Some("write the letter of the zone")),
        ] {
            let found = refuses(zone, region).map(|[_, hint]| hint);
            assert_eq!(found.is_some(), hint.is_some(), "{zone} of {region}: {found:?}");
            assert!(found.unwrap_or_default().contains(hint.unwrap_or_default()), "{zone} of {region}");
        }
    }
}
