//! A name that is not in the catalogue, and what was probably meant.

use core::cmp::Ordering;
use core::fmt;

/// What was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    VmSize,
    Disk,
    /// Either of the two.
    Any,
}

impl Thing {
    fn name(self) -> &'static str {
        match self {
            Thing::VmSize => "VM size",
            Thing::Disk => "disk",
            Thing::Any => "VM size or disk",
        }
    }
}

/// The catalogue has no such name, or not in that edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupError {
    /// What kind of thing.
    pub thing: Thing,
    /// The name that was asked for.
    pub name: String,
    /// The edition that was asked for.
    pub edition: Option<String>,
    /// The nearest names, best first; empty when the name exists.
    pub nearest: Vec<String>,
    /// The editions that have the name, oldest first; empty when the name does not exist.
    pub editions: Vec<String>,
    pub whose: Box<Whose>,
}

/// Whose names were looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whose {
    /// The vendor, as sentences call it.
    pub name: &'static str,
    /// Its word, where lists show it only when it is named.
    pub named: Option<&'static str>,
    /// Another vendor that has the name, as sentences call it and by its word.
    pub other: Option<(&'static str, &'static str)>,
    /// All vendors, as sentences call them.
    pub all: Vec<&'static str>,
}

impl LookupError {
    /// Whether another cloud calls its machines or volumes so.
    pub fn is_of_another_cloud(&self) -> bool {
        self.whose.other.is_some() || self.cloud().is_some()
    }

    fn cloud(&self) -> Option<&'static str> {
        cloud_of(&self.name).filter(|cloud| *cloud != self.whose.name)
    }

    /// What to write, where the name is one by which Azure calls a whole type of disks.
    pub fn of_a_type(&self) -> Option<&'static str> {
        Some(
            type_of(&self.name)
                .filter(|_| self.thing != Thing::VmSize && self.editions.is_empty() && self.whose.named.is_none())?
                .1,
        )
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        let list = match self.thing {
            Thing::VmSize => "diskwright catalogue list --vm",
            Thing::Disk => "diskwright catalogue list --disks",
            Thing::Any => "diskwright catalogue list",
        };
        let list = self.whose.named.map_or_else(|| list.to_string(), |id| format!("{list} --vendor {id}"));
        let own = self.whose.name;
        match (self.whose.other, self.cloud()) {
            _ if !self.editions.is_empty() => {}
            (Some((other, id)), _) => {
                return format!(
                    "this is a name of {other}, not of {own}: write a region of {other}, or `vendor = \"{id}\"`"
                );
            }
            (None, Some(cloud)) if self.whose.all.contains(&cloud) => {
                return format!(
                    "this looks like a name of {cloud}, of which the catalogue has none such: see `{list}`"
                );
            }
            (None, Some(cloud)) => {
                let all = self.whose.all.join(" and ");
                return format!("this is a name of {cloud}, and plans cover {all}: see `{list}`");
            }
            (None, None) => {}
        }
        if let Some(hint) = self.of_a_type() {
            return format!("{hint}: `{list}` shows all");
        }
        match (self.nearest.as_slice(), self.editions.is_empty()) {
            (_, false) => format!("editions of {}: {}", self.name, self.editions.join(", ")),
            ([], true) => format!("`{list}` shows all"),
            ([only], true) => format!("did you mean `{only}`? (`{list}` shows all)"),
            ([first, rest @ ..], true) => {
                let others = rest.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
                format!("did you mean `{first}`? (or {others}; `{list}` shows all)")
            }
        }
    }
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.edition {
            Some(edition) if !self.editions.is_empty() => {
                write!(f, "{} `{}` is not in edition `{edition}`", self.thing.name(), self.name)
            }
            _ if self.thing == Thing::Any => {
                write!(f, "`{}` is neither a VM size nor a disk in the catalogue", self.name)
            }
            _ => write!(f, "unknown {} `{}`", self.thing.name(), self.name),
        }
    }
}

impl std::error::Error for LookupError {}

impl From<LookupError> for dw_error::Error {
    fn from(error: LookupError) -> Self {
        let hint = error.hint();
        dw_error::Error::of(dw_error::Kind::Input, error).hint(hint)
    }
}

/// What a name gains that differs by a slip.
const SLIP: f64 = 0.15;

/// One digit or letter that is another, or two that changed places.
fn is_slip(asked: &str, own: &str) -> bool {
    let kind = |c: char| (c.is_ascii_digit(), c.is_ascii_alphabetic());
    let alike = asked.chars().zip(own.chars()).all(|(a, b)| kind(a) == kind(b));
    own.len() == asked.len() && alike && strsim::osa_distance(asked, own) == 1
}

/// The other cloud whose names of machines and volumes look so; none of Azure's do.
fn cloud_of(name: &str) -> Option<&'static str> {
    const EBS: [&str; 6] = ["gp2", "gp3", "io1", "io2", "st1", "sc1"];
    const PD: [&str; 4] = ["pd-standard", "pd-balanced", "pd-ssd", "pd-extreme"];
    const SHAPES: [&str; 8] = ["standard", "highmem", "highcpu", "micro", "small", "medium", "megamem", "ultramem"];
    let name = name.trim().to_ascii_lowercase();
    // A family with its generation: `m5`, `n2d`, `x2iedn`.
    let is_family = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.contains(|c: char| c.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if EBS.contains(&name.as_str()) {
        return Some("AWS");
    }
    if PD.contains(&name.as_str()) || name.starts_with("hyperdisk-") {
        return Some("Google Cloud");
    }
    if let Some((family, size)) = name.split_once('.') {
        let is_size = ["large", "medium", "small", "micro", "nano"].iter().any(|end| size.ends_with(end));
        return (is_family(family) && (is_size || size.starts_with("metal"))).then_some("AWS");
    }
    let (family, shape) = name.split_once('-')?;
    let shape = shape.split('-').next().unwrap_or(shape);
    (is_family(family) && SHAPES.contains(&shape)).then_some("Google Cloud")
}

/// What Azure's interfaces and portal call types of disks, as letters alone, and how they are named here.
const TYPES: [(&str, &str); 5] = [
    ("premium", "premium SSDs are named by their size, `P30` is 1 TiB"),
    ("standardssd", "standard SSDs are named by their size, `E30` is 1 TiB"),
    ("standard", "standard HDDs are named by their size, `S30` is 1 TiB"),
    ("ultra", "write `Ultra`"),
    ("premiumv2", "write `PremiumV2`"),
];

/// The type of disks that Azure calls so: `Premium_LRS`, `Premium SSD`, `StandardSSD_ZRS`, `Ultra Disk`.
fn type_of(name: &str) -> Option<(&'static str, &'static str)> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let plain = plain.strip_suffix("lrs").or_else(|| plain.strip_suffix("zrs")).unwrap_or(&plain);
    let plain = plain.strip_suffix("disk").unwrap_or(plain);
    let plain = plain.strip_suffix("managed").unwrap_or(plain);
    let of = |plain: &str| TYPES.into_iter().find(|(of, _)| *of == plain);
    match plain {
        "premiumssdv2" => of("premiumv2"),
        "premiumssd" | "premiumssdv1" => of("premium"),
        "ultrassd" => of("ultra"),
        "standardhdd" | "hdd" => of("standard"),
        "ssd" => of("premium"),
        other => of(other),
    }
}

/// Up to three names that look like `asked`, best first; one that begins with it comes before all others.
pub fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let asked = key(asked);
    let score = |name: &'a str| {
        let own = key(name);
        let begins = if own.starts_with(&asked) && !asked.is_empty() { 1.0 } else { 0.0 };
        // One wrong letter is likelier than one too few: `P31` is `P30` before it is `P3`.
        let is_slip = is_slip(&asked, &own);
        (begins + if is_slip { SLIP } else { 0.0 } + strsim::jaro_winkler(&asked, &own), name)
    };
    let mut scored: Vec<(f64, &str)> = names.map(score).filter(|(score, _)| *score > 0.8).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Regions that are shown at most.
const REGIONS: usize = 5;

/// The regions that look like `asked`, best first: those of its own form (`us-east-1` for `us-east-9`), then those of the same words in
/// another vendor's (`eastus`), else by letters.
pub fn nearest_regions<'a>(asked: &str, known: &[&'a str]) -> Vec<&'a str> {
    let digits = |c: char| c.is_ascii_digit();
    // `ap` and `eu` are how others begin.
    let word = |raw: &str| {
        let raw = raw.trim_end_matches(digits).to_ascii_lowercase();
        let whole = match raw.as_str() {
            "ap" => "asia",
            "eu" => "europe",
            "sa" => "brazil",
            "ca" => "canada",
            other => other,
        };
        (whole.to_string(), raw)
    };
    let plain = |text: &str| text.replace([' ', '-', '_'], "").to_ascii_lowercase();
    let stem = |text: &str| plain(text).trim_end_matches(digits).to_string();
    let words: Vec<_> = asked.split([' ', '-', '_']).map(word).filter(|(_, raw)| !raw.is_empty()).collect();
    let said = |region: &str, (whole, raw): &(String, String)| {
        region.contains(whole) || region.split('-').any(|part| part == raw)
    };
    let has = |region: &&str| words.len() > 1 && words.iter().all(|word| said(region, word));
    let mut near: Vec<&str> = known.iter().copied().filter(has).collect();
    near.sort_by_key(|region| (stem(region) != stem(asked), region.len(), *region));
    if near.is_empty() {
        let names: Vec<(String, &str)> = known.iter().map(|region| (plain(region), *region)).collect();
        let by_letters = nearest(&plain(asked), names.iter().map(|(name, _)| name.as_str()));
        let region = |near: &str| names.iter().find(|(name, _)| name == near).map(|(_, region)| *region);
        near = by_letters.into_iter().filter_map(region).collect();
    }
    near.truncate(REGIONS);
    near
}

/// Whether a name fits a pattern in which `*` stands for any letters; case and `Standard_` do not matter.
///
/// ```
/// assert!(dw_vendor::lookup::fits("D*s_v5", "Standard_D8ds_v5") && !dw_vendor::lookup::fits("P3", "P30"));
/// ```
pub fn fits(pattern: &str, name: &str) -> bool {
    let pattern = key(pattern);
    // Nearly every pattern of a list is a name, and every name of the catalogue is held to it.
    if !pattern.contains('*') {
        return order(name, &pattern).is_eq();
    }
    let name = key(name);
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return pattern == name };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The same of a disk: a letter and `*` are the disks called by that letter and a number. `P*` is premium SSD, and not `PremiumV2`.
pub fn fits_disk(pattern: &str, name: &str) -> bool {
    let is_letter = matches!(pattern.trim().as_bytes(), [letter, b'*'] if letter.is_ascii_alphabetic());
    fits(pattern, name) && !(is_letter && name.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic))
}

/// What names may be without.
const PREFIX: &[u8] = b"standard_";

/// A name without its prefix and in one case: `DS14`, `Standard_DS14` and `standard_ds14` are the same. A blank stands for `_`, in the
/// prefix too.
pub fn key(name: &str) -> String {
    let mut key = name.trim().to_string();
    // Every row of the catalogue passes here at start-up, and hardly one has a blank.
    if key.contains(' ') {
        key = key.replace(' ', "_");
    }
    key.make_ascii_lowercase();
    if key.as_bytes().starts_with(PREFIX) {
        key.drain(..PREFIX.len());
    }
    key
}

/// How the key of a name stands to another key, without making it.
pub fn order(name: &str, key: &str) -> Ordering {
    let name = name.trim().as_bytes();
    // Nearly every name begins as the vendor writes it.
    let has_prefix =
        |begin: &[u8]| begin == b"Standard_" || begin[0] | 0x20 == PREFIX[0] && letters(begin).eq(letters(PREFIX));
    let skipped = if name.get(..PREFIX.len()).is_some_and(has_prefix) { PREFIX.len() } else { 0 };
    letters(&name[skipped..]).cmp(key.bytes())
}

fn letters(name: &[u8]) -> impl Iterator<Item = u8> + '_ {
    name.iter().map(|&byte| if byte == b' ' { b'_' } else { byte.to_ascii_lowercase() })
}

/// Regions are the same in any case and with blanks: `East US` is `eastus`.
pub fn is_same_region(a: &str, b: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> + '_ {
        text.bytes().filter(|&byte| byte != b' ').map(|byte| byte.to_ascii_lowercase())
    }
    letters(a).eq(letters(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_azure_calls_types_of_disks_is_told_how_disks_are_named_here() {
        let cases = [
            ("Premium_LRS", Some("premium")),
            ("Premium_ZRS", Some("premium")),
            ("Premium SSD", Some("premium")),
            ("StandardSSD_LRS", Some("standardssd")),
            ("Standard SSD", Some("standardssd")),
            ("Standard_LRS", Some("standard")),
            ("Standard HDD", Some("standard")),
            ("UltraSSD_LRS", Some("ultra")),
            ("Ultra Disk", Some("ultra")),
            ("PremiumV2_LRS", Some("premiumv2")),
            ("Premium SSD v2", Some("premiumv2")),
            ("P31", None),
            ("Standard_DS14", None),
        ];
        for (name, expected) in cases {
            assert_eq!(type_of(name).map(|found| found.0), expected, "{name}");
        }
    }

    #[test]
    fn names_of_other_clouds_are_known_and_those_of_azure_are_none() {
        let cases = [
            ("m5.2xlarge", Some("AWS")),
            ("r6i.large", Some("AWS")),
            ("x2iedn.metal", Some("AWS")),
            ("u-6tb1.56xlarge", Some("AWS")),
            ("t3.micro", Some("AWS")),
            ("gp3", Some("AWS")),
            ("io2", Some("AWS")),
            ("n2-standard-8", Some("Google Cloud")),
            ("e2-medium", Some("Google Cloud")),
            ("m1-ultramem-40", Some("Google Cloud")),
            ("pd-ssd", Some("Google Cloud")),
            ("hyperdisk-balanced", Some("Google Cloud")),
            ("DS41", None),
            ("P31", None),
            ("Standard_D2s", None),
            ("E8-2s_v5", None),
            ("data.large", None),
        ];
        for (name, cloud) in cases {
            assert_eq!(cloud_of(name), cloud, "{name}");
        }
    }

    #[test]
    fn a_region_of_another_cloud_is_the_one_of_its_words() {
        let known =
            ["eastus", "eastus2", "westeurope", "southeastasia", "northeurope", "westus", "westus2", "centralus"];
        let cases = [
            ("us-east-1", "eastus"),
            ("us-west-2", "westus"),
            ("eu-west-1", "westeurope"),
            ("europe-west4", "westeurope"),
            ("ap-southeast-1", "southeastasia"),
            ("us-central1", "centralus"),
            ("East US 3", "eastus"),
            ("estus", "eastus"),
            ("West-Europe", "westeurope"),
        ];
        for (asked, first) in cases {
            assert_eq!(nearest_regions(asked, &known).first(), Some(&first), "{asked}");
        }
        let both =
            [&known[..], &["us-east-1", "us-east-2", "us-gov-east-1", "eu-central-1", "ap-southeast-1"]].concat();
        for (asked, near) in [
            ("us-east-9", &["us-east-1", "us-east-2", "eastus", "eastus2", "us-gov-east-1"][..]),
            ("eu-central-9", &["eu-central-1"]),
            ("US East 9", &["us-east-1", "us-east-2", "eastus", "eastus2", "us-gov-east-1"]),
            ("East US 3", &["eastus", "eastus2", "us-east-1", "us-east-2", "us-gov-east-1"]),
        ] {
            let found = nearest_regions(asked, &both);
            assert!(found.starts_with(near), "{asked}: {found:?}");
        }
        assert_eq!(nearest_regions("mars", &known), Vec::<&str>::new());
        let all: Vec<String> = (0..20).map(|n| format!("eastus{n}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        assert_eq!(nearest_regions("us-east-1", &all).len(), REGIONS);
    }

    #[test]
    fn a_slip_of_one_letter_comes_before_one_that_is_missing() {
        for (slip, expected) in
            [("ds41", true), ("ds15", true), ("ds1_", false), ("ds1", false), ("ds51", false), ("ds14", false)]
        {
            assert_eq!(is_slip("ds14", slip), expected, "{slip}");
        }
        let disks = ["P1", "P2", "P3", "P30", "P40", "E3", "E30"];
        for (asked, first) in [("P31", "P30"), ("P3", "P3"), ("P", "P1"), ("P300", "P30"), ("P41", "P40")] {
            assert_eq!(nearest(asked, disks.into_iter()).first(), Some(&first), "{asked}");
        }
    }

    #[test]
    fn a_letter_and_a_star_are_disks_with_a_number() {
        let cases = [("P*", "P30", true), ("P*", "PremiumV2", false), ("p*", "P4", true), ("Pr*", "PremiumV2", true)];
        let more = [("E*", "E30", true), ("*", "PremiumV2", true), ("Ultra", "Ultra", true), ("U*", "Ultra", false)];
        for (pattern, name, expected) in cases.into_iter().chain(more) {
            assert_eq!(fits_disk(pattern, name), expected, "{pattern} {name}");
        }
    }
}
