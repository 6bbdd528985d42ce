//! A value with the file that tells it.

/// The place of a source in [`Estate::sources`](crate::Estate::sources).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u16);

/// What a source says of something, or that none does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Told<T> {
    #[default]
    Unknown,
    By(SourceId, T),
}

impl<T> Told<T> {
    /// What is told, if anything.
    pub fn of(source: SourceId, value: Option<T>) -> Told<T> {
        value.map_or(Told::Unknown, |value| Told::By(source, value))
    }
    pub fn get(&self) -> Option<&T> {
        match self {
            Told::Unknown => None,
            Told::By(_, value) => Some(value),
        }
    }
    /// Who says so.
    pub fn source(&self) -> Option<SourceId> {
        match self {
            Told::Unknown => None,
            Told::By(source, _) => Some(*source),
        }
    }
    pub fn is_known(&self) -> bool {
        self.get().is_some()
    }
}

impl<T: Copy> Told<T> {
    pub fn value(&self) -> Option<T> {
        self.get().copied()
    }
}

impl<T: AsRef<str>> Told<T> {
    pub fn text(&self) -> Option<&str> {
        self.get().map(AsRef::as_ref)
    }
}

impl<T: PartialEq> Told<T> {
    /// What was told first stays; `false` where a later source says otherwise.
    pub fn join(&mut self, other: Told<T>) -> bool {
        match (&*self, &other) {
            (Told::Unknown, _) => {
                *self = other;
                true
            }
            (Told::By(_, own), Told::By(_, theirs)) => own == theirs,
            (Told::By(..), Told::Unknown) => true,
        }
    }
}
