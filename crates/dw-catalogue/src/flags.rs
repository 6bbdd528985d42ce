//! Traits that keep a VM size out of a plan unless a key allows them, as data: each with that key and every sentence about it.
//!
//! The sentences are fields, so that a flag without one does not compile.

use dw_aws::plan_keys::{ID, METAL, PREVIOUS};
use dw_azure::file::{Stage, StageRow};
use dw_demand::TRUE;
use dw_demand::wishes::Wishes;
use dw_messages::{Sentence, say};
use dw_vendor::goods::Sort;

use crate::catalogue::Catalogue;

/// A trait of VM sizes that are chosen on request alone.
#[derive(Debug)]
pub struct Flag {
    /// The key of the demand that allows it.
    pub key: &'static str,
    /// The vendor whose key that is; absent = everybody's.
    pub of: Option<&'static str>,
    /// Such sizes in a word.
    pub word: &'static str,
    /// Why such a size is not chosen.
    pub why: &'static str,
    is: fn(&Catalogue, &str) -> bool,
    said_of: fn(&Catalogue, &str) -> Option<Sentence>,
    is_allowed: fn(&Wishes) -> bool,
    allow: fn(&mut Wishes),
    left_out: fn() -> Sentence,
    allowed: fn() -> Sentence,
}

static FLAGS: [Flag; 8] = [
    Flag {
        key: "arm",
        of: None,
        word: "Arm",
        why: "it has Arm CPUs; `arm = true` allows them",
        is: Catalogue::is_arm,
        said_of: |_, size| Some(say!(PlanArm { size })),
        is_allowed: |wishes| wishes.arm,
        allow: |wishes| wishes.arm = true,
        left_out: || say!(PlanNoArm),
        allowed: || say!(RelaxArm),
    },
    Flag {
        key: "burstable",
        of: None,
        word: "burstable",
        why: "it is burstable; `burstable = true` allows it",
        is: Catalogue::is_burstable,
        said_of: |_, size| Some(say!(PlanBurstable { size })),
        is_allowed: |wishes| wishes.burstable,
        allow: |wishes| wishes.burstable = true,
        left_out: || say!(PlanNoBurstable),
        allowed: || say!(RelaxBurstable),
    },
    Flag {
        key: "confidential",
        of: None,
        word: "confidential",
        why: "it is a confidential VM; `confidential = true` allows it",
        is: Catalogue::is_confidential,
        said_of: |_, size| Some(say!(PlanConfidential { size })),
        is_allowed: |wishes| wishes.confidential,
        allow: |wishes| wishes.confidential = true,
        left_out: || say!(PlanNoConfidential),
        allowed: || say!(RelaxConfidential),
    },
    Flag {
        key: "preview",
        of: None,
        word: "preview",
        why: "it is in preview; `preview = true` allows it",
        is: |catalogue, size| catalogue.in_stage(Stage::Preview, size).is_some(),
        said_of: |catalogue, size| {
            let (_, page) = stage(catalogue, Stage::Preview, size)?;
            Some(say!(PlanPreview { size, page }))
        },
        is_allowed: |wishes| wishes.preview,
        allow: |wishes| wishes.preview = true,
        left_out: || say!(PlanNoPreview),
        allowed: || say!(RelaxPreview),
    },
    Flag {
        key: "closed_to_new",
        of: None,
        word: "closed",
        why: "new subscriptions cannot deploy it; `closed_to_new = true` allows it",
        is: |catalogue, size| catalogue.in_stage(Stage::Closed, size).is_some(),
        said_of: |catalogue, size| {
            let (row, page) = stage(catalogue, Stage::Closed, size)?;
            Some(say!(PlanClosed { size, since: row.since.as_deref().unwrap_or(page), page }))
        },
        is_allowed: |wishes| wishes.closed_to_new,
        allow: |wishes| wishes.closed_to_new = true,
        left_out: || say!(PlanNoClosed),
        allowed: || say!(RelaxClosed),
    },
    Flag {
        key: "capacity_limited",
        of: None,
        word: "limited",
        why: "its capacity is limited; `capacity_limited = true` allows it",
        is: |catalogue, size| catalogue.in_stage(Stage::Limited, size).is_some(),
        said_of: |catalogue, size| {
            let (_, page) = stage(catalogue, Stage::Limited, size)?;
            Some(say!(PlanLimited { size, page }))
        },
        is_allowed: |wishes| wishes.capacity_limited,
        allow: |wishes| wishes.capacity_limited = true,
        left_out: || say!(PlanNoLimited),
        allowed: || say!(RelaxLimited),
    },
    Flag {
        key: PREVIOUS,
        of: Some(ID),
        word: "previous-generation",
        why: "it is of a previous generation; `previous_generation = true` allows it",
        is: |catalogue, size| catalogue.is_sort(size, Sort::Previous),
        said_of: |_, size| Some(say!(PlanPrevious { size })),
        is_allowed: |wishes| wishes.chosen.contains_key(PREVIOUS),
        allow: |wishes| {
            wishes.chosen.insert(PREVIOUS, TRUE);
        },
        left_out: || say!(PlanNoPrevious),
        allowed: || say!(RelaxPrevious),
    },
    Flag {
        key: METAL,
        of: Some(ID),
        word: "bare-metal",
        why: "it is a whole host without a hypervisor; `metal = true` allows it",
        is: |catalogue, size| catalogue.is_sort(size, Sort::Metal),
        said_of: |_, size| Some(say!(PlanMetal { size })),
        is_allowed: |wishes| wishes.chosen.contains_key(METAL),
        allow: |wishes| {
            wishes.chosen.insert(METAL, TRUE);
        },
        left_out: || say!(PlanNoMetal),
        allowed: || say!(RelaxMetal),
    },
];

/// What a page says of a size in a stage, and the date of the page.
fn stage<'a>(catalogue: &'a Catalogue, stage: Stage, size: &str) -> Option<(&'a StageRow, &'a str)> {
    let row = catalogue.in_stage(stage, size)?;
    Some((row, catalogue.source(&row.source)?.date.as_str()))
}

/// All of them, in the order in which they are told.
pub fn flags() -> &'static [Flag] {
    &FLAGS
}

/// A key has one flag.
impl PartialEq for Flag {
    fn eq(&self, other: &Flag) -> bool {
        self.key == other.key
    }
}

impl Eq for Flag {}

impl Flag {
    /// Whether a VM size is so.
    pub fn is_of(&self, catalogue: &Catalogue, vm: &str) -> bool {
        (self.is)(catalogue, vm)
    }
    /// Whether any size of a catalogue is so.
    pub fn concerns(&self, catalogue: &Catalogue) -> bool {
        let is_its_key = self.of.is_none_or(|of| of == catalogue.vendor().id());
        is_its_key
            && (!catalogue.is_behind_door() || catalogue.vm_sizes().any(|size| self.is_of(catalogue, &size.name)))
    }
    /// What is said of a VM size that is so.
    pub fn said_of(&self, catalogue: &Catalogue, vm: &str) -> Option<Sentence> {
        if self.is_of(catalogue, vm) { (self.said_of)(catalogue, vm) } else { None }
    }
    /// Whether such sizes may be chosen.
    pub fn is_allowed_by(&self, wishes: &Wishes) -> bool {
        (self.is_allowed)(wishes)
    }
    /// The same demand with such sizes.
    pub fn allow(&self, wishes: &mut Wishes) {
        (self.allow)(wishes);
    }
    /// That a plan leaves such sizes out.
    pub fn left_out(&self) -> Sentence {
        (self.left_out)()
    }
    /// The demand relaxed by allowing such sizes.
    pub fn allowed(&self) -> Sentence {
        (self.allowed)()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_has_its_own_sentences_and_its_key_allows_it() {
        let catalogue = Catalogue::embedded();
        let mut sentences = Vec::new();
        for flag in flags() {
            let mut wishes = crate::PLAN_KEYS.wishes_in("eastus");
            assert!(!flag.is_allowed_by(&wishes), "{}: such sizes are chosen unasked", flag.key);
            flag.allow(&mut wishes);
            assert!(flag.is_allowed_by(&wishes), "{}", flag.key);
            assert!(flag.why.contains(&format!("`{} = true`", flag.key)), "{}", flag.why);
            let left_out = flag.left_out();
            assert!(left_out.text.contains(&format!("(`{}`)", flag.key)), "{left_out}");
            let of = |catalogue: &'static Catalogue| {
                let mut sizes = catalogue.vm_sizes().map(|vm| vm.name.as_str());
                sizes.find(|size| flag.is_of(catalogue, size)).map(|size| (catalogue, size))
            };
            let aws = Catalogue::of_vendor("aws").expect("it is there");
            let (catalogue, size) = of(catalogue).or_else(|| of(aws)).expect("there is one");
            let chosen = flag.said_of(catalogue, size).expect("something is said of it");
            assert!(chosen.text.contains(size), "{chosen}");
            sentences.extend([left_out, chosen, flag.allowed()].map(|sentence| sentence.id));
        }
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), 3 * flags().len(), "two flags share a sentence: {sentences:?}");
    }
}
