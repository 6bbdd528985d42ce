//! diskwright.
