//! What VM sizes are that nobody is given unasked, as data: each with the key that allows it and every sentence about it.
//!
//! The sentences are fields, so that a flag without one does not compile.

use dw_demand::wishes::Wishes;
use dw_messages::{Sentence, say};

use crate::catalogue::Catalogue;

/// Something that a VM size is and nobody is given unasked.
#[derive(Debug)]
pub struct Flag {
    /// The key of the demand that allows it.
    pub key: &'static str,
    /// Such sizes in a word.
    pub word: &'static str,
    /// Why such a size is not chosen.
    pub why: &'static str,
    is: fn(&Catalogue, &str) -> bool,
    is_allowed: fn(&Wishes) -> bool,
    allow: fn(&mut Wishes),
    left_out: fn() -> Sentence,
    allowed: fn() -> Sentence,
    chosen: fn(&str) -> Sentence,
}

static FLAGS: [Flag; 3] = [
    Flag {
        key: "arm",
        word: "Arm",
        why: "it has Arm processors; `arm = true` allows them",
        is: Catalogue::is_arm,
        is_allowed: |wishes| wishes.arm,
        allow: |wishes| wishes.arm = true,
        left_out: || say!(PlanNoArm),
        allowed: || say!(RelaxArm),
        chosen: |size| say!(PlanArm { size }),
    },
    Flag {
        key: "burstable",
        word: "burstable",
        why: "it is burstable; `burstable = true` allows it",
        is: Catalogue::is_burstable,
        is_allowed: |wishes| wishes.burstable,
        allow: |wishes| wishes.burstable = true,
        left_out: || say!(PlanNoBurstable),
        allowed: || say!(RelaxBurstable),
        chosen: |size| say!(PlanBurstable { size }),
    },
    Flag {
        key: "confidential",
        word: "confidential",
        why: "it is a confidential VM; `confidential = true` allows it",
        is: Catalogue::is_confidential,
        is_allowed: |wishes| wishes.confidential,
        allow: |wishes| wishes.confidential = true,
        left_out: || say!(PlanNoConfidential),
        allowed: || say!(RelaxConfidential),
        chosen: |size| say!(PlanConfidential { size }),
    },
];

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
    /// What to know about a plan whose VM is so.
    pub fn chosen(&self, vm: &str) -> Sentence {
        (self.chosen)(vm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_has_its_own_sentences_and_its_key_allows_it() {
        let mut sentences = Vec::new();
        for flag in flags() {
            let mut wishes = crate::PLAN_KEYS.wishes_in("eastus");
            assert!(!flag.is_allowed_by(&wishes), "{}: such sizes are chosen unasked", flag.key);
            flag.allow(&mut wishes);
            assert!(flag.is_allowed_by(&wishes), "{}", flag.key);
            assert!(flag.why.contains(&format!("`{} = true`", flag.key)), "{}", flag.why);
            let left_out = flag.left_out();
            assert!(left_out.text.contains(&format!("(`{}`)", flag.key)), "{left_out}");
            let chosen = flag.chosen("Standard_X1");
            assert!(chosen.text.contains("Standard_X1"), "{chosen}");
            sentences.extend([left_out, chosen, flag.allowed()].map(|sentence| sentence.id));
        }
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), 3 * flags().len(), "two flags share a sentence: {sentences:?}");
    }
}
