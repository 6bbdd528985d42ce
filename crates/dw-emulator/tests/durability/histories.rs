//! A thousand histories are legal, and three wrong engines are not.

use dw_emulator::engine::Mutant;

use crate::durability::history::History;

const STEPS: u32 = 250;

fn check(seed: u64, mutant: Option<Mutant>) -> Result<(u32, u64), String> {
    let mut history = History::new(seed);
    if let Some(mutant) = mutant {
        history.sabotage(mutant);
    }
    history.run(STEPS)?;
    Ok((history.crashes, history.lost))
}

/// `DISKWRIGHT_SEED=N` runs that one; `DISKWRIGHT_HISTORIES=N` runs so many.
#[test]
fn a_thousand_histories_are_legal() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("DISKWRIGHT_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("DISKWRIGHT_HISTORIES").unwrap_or(1_000),
    };
    let (mut crashes, mut lost) = (0, 0);
    for seed in seeds.clone() {
        match check(seed, None) {
            Ok(found) => (crashes, lost) = (crashes + found.0, lost + found.1),
            Err(error) => {
                panic!(
                    "{error}\nreplay: DISKWRIGHT_SEED={seed} cargo test -p dw-emulator --test all durability::histories::a_thousand"
                )
            }
        }
    }
    println!("{} histories, {crashes} crashes of the host, {lost} bytes lost", seeds.end - seeds.start);
    // A rig in which nothing is ever at risk proves nothing.
    assert!(u64::from(crashes) >= seeds.end - seeds.start && (lost > 0 || seeds.end - seeds.start < 20));
}

#[test]
fn wrong_engines_are_caught() {
    for mutant in [Mutant::IgnoresFua, Mutant::FlushesOneConnection, Mutant::ReordersAcrossFlush] {
        let caught: Vec<u64> = (0..60).filter(|&seed| check(seed, Some(mutant)).is_err()).collect();
        println!("{mutant:?} is caught by {} of 60 histories", caught.len());
        assert!(caught.len() >= 6, "{mutant:?} is caught only by {caught:?} of 60 histories");
    }
}
