//! The secrets of one studio: the link that is used once, the cookie that it becomes, the token of every call.

use std::sync::{Mutex, PoisonError};

use diskwright::{Error, Result};

/// Bytes of a secret: 128 bits.
const BYTES: usize = 16;

/// The secrets.
pub(crate) struct Keys {
    link: Mutex<Option<String>>,
    pub(crate) cookie: String,
    pub(crate) token: String,
}

impl Keys {
    /// New ones; the link is among them.
    pub(crate) fn new() -> Result<(Keys, String)> {
        let link = secret()?;
        let keys = Keys { link: Mutex::new(Some(link.clone())), cookie: secret()?, token: secret()? };
        Ok((keys, link))
    }

    /// Whether this is the link; it is spent with that.
    pub(crate) fn spend(&self, given: &str) -> bool {
        let mut link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        let is = link.as_deref().is_some_and(|link| same(link, given));
        if is {
            *link = None;
        }
        is
    }
}

fn secret() -> Result<String> {
    let mut bytes = [0u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|e| Error::unexpected(format!("the system gives no random numbers: {e}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two texts are the same, in a time that does not tell where they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_128_bits_and_is_spent_once() {
        let (keys, link) = Keys::new().unwrap();
        assert_eq!(link.len(), 32);
        assert!(link != keys.cookie && keys.cookie != keys.token);
        assert!(!keys.spend("") && !keys.spend(&link[1..]), "another is no link");
        assert!(keys.spend(&link) && !keys.spend(&link), "it counts once");
    }
}
