//! The words of a scenario where a value is one of a few, and what each stands for: the reader takes them from here, and so does
//! the schema.

use std::borrow::Cow;

use dw_catalogue::latency::LatencySetting;
use dw_documents::incident::{CrashLevel, FaultErrno, FaultOp, Survivors};
use dw_stack::sharing::Sharing;
use dw_stack::{Credits, Eviction, Fill};
use dw_units::CacheMode;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::by_vendor;
use super::cache::CacheStart;
use super::timeline;

/// A word, and what it stands for.
type Words<T, const N: usize> = [(&'static str, T); N];

pub(super) const FILLS: Words<Fill, 2> = [("sectors", Fill::Sectors), ("block", Fill::Block)];
pub(super) const EVICTIONS: Words<Eviction, 2> = [("lru", Eviction::Lru), ("fifo", Eviction::Fifo)];
pub(super) const SHARINGS: Words<Sharing, 2> = [("shared", Sharing::Shared), ("separate", Sharing::Separate)];
pub(super) const CREDITS: Words<Credits, 2> = [("full", Credits::Full), ("empty", Credits::Empty)];

/// Types that stand for lists of words in the schema, under these names.
macro_rules! in_schema {
    ($($name:ident: $words:expr;)*) => {$(
        pub(in crate::scenario) enum $name {}

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "enum": $words })
            }
        }
    )*};
}

in_schema! {
    CacheModeName: CacheMode::ALL.map(CacheMode::name);
    FillName: FILLS.map(|word| word.0);
    UncachedSharingName: SHARINGS.map(|word| word.0);
    EvictionName: EVICTIONS.map(|word| word.0);
    CacheStartName: CacheStart::ALL.map(CacheStart::name);
    CreditsName: CREDITS.map(|word| word.0);
    VendorName: by_vendor::ids();
    LatencyName: LatencySetting::ALL.map(LatencySetting::word);
    // Of the timeline.
    ActionName: timeline::KEYS.map(|keys| keys.0);
    ModeName: CacheMode::ALL.map(CacheMode::name);
    LevelName: CrashLevel::ALL.map(CrashLevel::name);
    SurvivorsName: Survivors::ALL.map(Survivors::name);
    FaultName: timeline::FAULTS;
    OpName: FaultOp::ALL.map(FaultOp::name);
    ErrnoName: FaultErrno::ALL.map(FaultErrno::name);
}
