//! What the calls share.

use std::sync::Arc;

use dw_catalogue::Catalogue;
use dw_error::{Error, Kind, Notice, Result};
use dw_units::Bytes;

use crate::files::{Files, Memory};
use crate::observer::{Observer, Quiet};
use crate::simulate::stamp::Stamp;
use crate::text;

/// The catalogue, where named files come from, who watches, and the time. Cheap to clone; two sessions share nothing but what
/// they were given.
///
/// ```
/// use diskwright::{Catalogue, Session};
/// let session = Session::new(Catalogue::embedded().clone());
/// assert!(session.catalogue().vm("Standard_E8ds_v5", None).is_ok());
/// ```
#[derive(Clone)]
pub struct Session {
    catalogue: Arc<Catalogue>,
    /// What scenarios are read with: they say themselves whose machines and disks they name.
    of_scenarios: Arc<Catalogue>,
    files: Arc<dyn Files>,
    observer: Arc<dyn Observer>,
    memory: Option<Arc<dyn Fn() -> Option<Bytes> + Send + Sync>>,
    now: Option<Stamp>,
}

impl Session {
    /// A session without files, observer or time.
    pub fn new(catalogue: impl Into<Arc<Catalogue>>) -> Session {
        let (files, observer) = (Arc::new(Memory::default()), Arc::new(()));
        let catalogue = catalogue.into();
        Session { of_scenarios: catalogue.clone(), catalogue, files, observer, memory: None, now: None }
    }

    /// With a source of the files that inputs name.
    pub fn with_files(self, files: impl Files + 'static) -> Session {
        Session { files: Arc::new(files), ..self }
    }

    /// With someone who watches.
    pub fn with_observer(self, observer: Arc<dyn Observer>) -> Session {
        Session { observer, ..self }
    }

    /// Suppresses notices: a batch of a thousand plans would report each a thousand times. Progress and cancellation stay.
    pub fn without_notices(self) -> Session {
        let observer = self.observer.clone();
        self.with_observer(Arc::new(Quiet(observer)))
    }

    /// Where `left` says how much memory may still be taken: loads that need more are refused before they run, instead of running
    /// out of it. Without it, or where it says nothing, every load is tried.
    pub fn with_memory(self, left: impl Fn() -> Option<Bytes> + Send + Sync + 'static) -> Session {
        Session { memory: Some(Arc::new(left)), ..self }
    }

    /// At this time: documents carry it, and prices are old by it. Without it documents say the beginning of 1970 and no price is
    /// called old.
    pub fn at(self, now: Stamp) -> Session {
        Session { now: Some(now), ..self }
    }

    /// What can be bought.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The same with what another vendor sells, by its word; as it is where that is its own, or nobody's.
    pub fn of_vendor(&self, id: &str) -> Session {
        let other = || self.of_scenarios.other(id);
        let own = Some(&self.of_scenarios).filter(|own| own.vendor().id() == id);
        let catalogue = own.or_else(other).unwrap_or(&self.catalogue).clone();
        Session { catalogue, ..self.clone() }
    }

    /// The same for the vendor that requirements name, or whose region they name.
    pub(crate) fn for_requirements(&self, text: &str) -> Session {
        self.of_vendor(dw_catalogue::for_requirements(&self.catalogue, text).vendor().id())
    }

    /// The same for the vendor that has a region.
    pub fn of_region(&self, region: &str) -> Session {
        self.of_vendor(dw_catalogue::of_region(&self.catalogue, region).vendor().id())
    }

    pub(crate) fn catalogue_of_scenarios(&self) -> &Catalogue {
        &self.of_scenarios
    }

    /// The time, where it was given.
    pub fn now(&self) -> Option<Stamp> {
        self.now
    }

    pub(crate) fn memory_left(&self) -> Option<Bytes> {
        self.memory.as_ref().and_then(|left| left())
    }

    pub(crate) fn files(&self) -> &dyn Files {
        &*self.files
    }

    pub(crate) fn observer(&self) -> &dyn Observer {
        &*self.observer
    }

    pub(crate) fn observer_shared(&self) -> Arc<dyn Observer> {
        self.observer.clone()
    }

    /// Tells the observer of something that the answer does without.
    pub fn notice(&self, what: impl Into<String>, hint: impl Into<String>) {
        self.observer.notice(&Notice::new(what, hint));
    }

    /// Stops between steps where the observer wants it.
    pub(crate) fn go_on(&self) -> Result<()> {
        if self.observer.is_cancelled() {
            Err(Error::new(Kind::Interrupted, "the observer asked to stop"))
        } else {
            Ok(())
        }
    }

    /// A step of the chain, unless the observer wants to stop before it.
    pub(crate) fn step<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        self.go_on()?;
        self.observer.progress(name, 0.0);
        let done = work();
        self.observer.progress(name, 1.0);
        done
    }

    /// The text of a named file.
    pub(crate) fn text_of(&self, name: &str) -> Result<String> {
        let bytes = self.files.open(name).and_then(text::whole).map_err(|e| text::unreadable(name, &e))?;
        text::decode(name, bytes)
    }
}
