"""Recordings, and counters in any Parquet, into the layout of an estate; and one VM out of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ._kernel import read_files, rows_of
from ._layout import bucket, buckets_of
from ._schema import COUNTERS_SCHEMA, HOST_SCHEMA
from .local import lay_out


def convert(
    raw: Sequence[str], store: Any, *, vm: str | None = None, every: str | None = None, start: str | None = None
) -> tuple[int, int]:
    """Writes counters of recordings and of Parquet; how many rows of how many VMs."""
    if store.files():
        raise ValueError(f"{store.path()}: already contains Parquet files; name a new folder, so that no rows are duplicated")
    vms: set[str] = set()

    def counted() -> Iterator[pa.RecordBatch]:
        for batch in _batches(raw, vm, every, start):
            vms.update(batch.column("vm").unique().to_pylist())
            yield batch

    return lay_out(counted(), store), len(vms)


def _batches(raw: Sequence[str], vm: str | None, every: str | None, start: str | None) -> Iterator[pa.RecordBatch]:
    from .._native import fleet_rows

    recordings = [path for path in raw if not _is_parquet(path)]
    for path in raw:
        if _is_parquet(path):
            yield from _parquet(path)
    began = None if start is None else _instant(start)
    groups: list[tuple[str | None, str, list[str]]] = []
    for path in recordings:
        files = sorted(str(file) for file in Path(path).iterdir() if file.is_file()) if os.path.isdir(path) else [path]
        groups.append((Path(path).name if os.path.isdir(path) else None, Path(path).stem, files))
    if vm is not None:
        groups = [(vm, vm, [file for *_, files in groups for file in files])] if groups else []
    for name, stem, files in groups:
        # A folder, or a word of the user, names a VM; else the recording itself, else its file.
        yield from pa.table(fleet_rows(files, name, stem, every, began)).to_batches()


def _instant(text: str) -> int:
    """Microseconds since 1970 of a time with its zone."""
    refused = ValueError(f"`--start {text}` is not a time with its zone: write 2026-11-01T00:00:00Z")
    try:
        time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise refused from None
    if time.tzinfo is None:
        raise refused
    return (time - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)


def _is_parquet(path: str) -> bool:
    return path.endswith(".parquet") or (os.path.isdir(path) and any(Path(path).rglob("*.parquet")))


def _parquet(path: str) -> Iterator[pa.RecordBatch]:
    files = sorted(map(str, Path(path).rglob("*.parquet"))) if os.path.isdir(path) else [path]
    for file in files:
        yield from rows_of(file)


def export(store: Any, vm: str, output: str, inventory: pa.Table | None = None) -> tuple[int, list[str]]:
    """Writes the counters of a VM as a file that `diskwright observe` reads; how many rows, and the options that name its volumes."""
    files = buckets_of(store.files()).get(bucket(vm), [])
    batches = []
    for batch in read_files(store.path(file.name) for file in files):
        chosen = batch.filter(pc.equal(batch.column("vm"), vm))
        if chosen.num_rows:
            batches.append(chosen)
    if not batches:
        raise ValueError(f"{store.path()}: there are no counters for VM `{vm}`")
    rows = [] if inventory is None else inventory.filter(pc.equal(inventory.column("vm"), vm)).to_pylist()
    known = {key: next((row[key] for row in rows if row[key] is not None), None) for key in ("vcpu", "memory_bytes")}
    _write_stream(batches, vm, output, known)
    volumes = [f"{row['volume']}={','.join(row['devices'] or [row['volume']])}" for row in rows if row["volume"] is not None]
    return sum(batch.num_rows for batch in batches), [part for volume in sorted(volumes) for part in ("--volume", volume)]


def _write_stream(batches: Sequence[pa.RecordBatch], vm: str, output: str, known: dict[str, int | None]) -> None:
    """Counters of one VM as an Arrow stream, with what is known of it."""
    facts = {"diskwright_counters": "1", "vm": vm, **{key: str(value) for key, value in known.items() if value is not None}}
    names = {*COUNTERS_SCHEMA.names, *HOST_SCHEMA.names}
    table = pa.Table.from_batches(batches)
    table = table.select([name for name in table.column_names if name in names]).replace_schema_metadata(facts)
    with pa.ipc.new_stream(output, table.schema) as writer:
        writer.write_table(table)
