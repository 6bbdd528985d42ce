//! The promises about data, tested: the oracle of legal values over random histories, and mutants that it must catch.

#[path = "../support/oracle.rs"]
mod oracle;

mod crashes;
mod histories;
mod history;
mod logs;
