//! dw-catalogue.
