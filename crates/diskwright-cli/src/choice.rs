//! Words of the command line for values of the library, made from the list that the library has of them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Reads one of these values by its word; help says what each is.
pub fn parser<T: Copy + Send + Sync + 'static>(
    all: impl IntoIterator<Item = T>,
    word: fn(T) -> &'static str,
    about: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let all: Vec<T> = all.into_iter().collect();
    let shown: Vec<PossibleValue> =
        all.iter().map(|value| PossibleValue::new(word(*value)).help(about(*value))).collect();
    // clap has refused other capitals where they matter.
    let find = move |found: String| {
        all.iter().copied().find(|value| word(*value).eq_ignore_ascii_case(&found)).ok_or("is none of them")
    };
    PossibleValuesParser::new(shown).try_map(find)
}
