//! Options in messages: the library says which one it means, and each face calls it by its own name.
//!
//! A text has `{every}` where it means the option `every`. What is printed without asking a face has the library's name there; a program
//! puts `--every` in its place, a form the head of a field.

/// An option of a call, as the library calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name, as a field of the library's types: `utc_offset`.
    pub name: &'static str,
    /// What is given to it, where a message says so: `NAME`.
    pub value: &'static str,
}

impl Named {
    /// An option without what is given to it.
    pub const fn new(name: &'static str) -> Named {
        Named { name, value: "" }
    }

    /// An option with what is given to it.
    pub const fn with(name: &'static str, value: &'static str) -> Named {
        Named { name, value }
    }
}

/// The texts of a message that name options, before any face has been asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    what: String,
    hint: String,
    options: Vec<Named>,
}

impl Template {
    /// Takes the texts of a message, and leaves in their place what they are in the library's words.
    pub(crate) fn take(what: &mut String, hint: &mut String, options: &[Named]) -> Box<Template> {
        let template = Template { what: what.clone(), hint: hint.clone(), options: options.to_vec() };
        [*what, *hint] = template.texts(&plain);
        Box::new(template)
    }

    /// These texts in the words of a face; a text that was changed since is left as it is.
    pub(crate) fn told(&self, what: &str, hint: &str, words: &dyn Fn(Named) -> String) -> [String; 2] {
        let [old_what, old_hint] = self.texts(&plain);
        let [new_what, new_hint] = self.texts(words);
        [if what == old_what { new_what } else { what.into() }, if hint == old_hint { new_hint } else { hint.into() }]
    }

    fn texts(&self, words: &dyn Fn(Named) -> String) -> [String; 2] {
        [&self.what, &self.hint].map(|text| {
            self.options
                .iter()
                .fold(text.clone(), |text, option| text.replace(&format!("{{{}}}", option.name), &words(*option)))
        })
    }
}

fn plain(option: Named) -> String {
    option.name.into()
}
