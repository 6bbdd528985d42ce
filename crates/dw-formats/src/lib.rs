//! dw-formats.
