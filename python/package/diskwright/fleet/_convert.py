"""Recordings, and counters in any Parquet, into the layout of an estate; and one VM out of it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ._kernel import read_files, rows_of
from ._layout import bucket, buckets_of
from ._schema import COUNTERS_SCHEMA, OPTIONAL_SCHEMA
from .local import lay_out


@dataclass
class Converted:
    """What became of recordings."""

    rows: int = 0
    vms: set[str] = field(default_factory=set)
    #: What is not among the rows, as sentences.
    lost: list[str] = field(default_factory=list)


@dataclass
class _Group:
    """Recordings that are read together: they share machines, or name none and share a folder."""

    files: list[str]
    machines: set[str]
    #: The VM where they name none.
    otherwise: str


def convert(
    raw: Sequence[str], store: Any, *, vm: str | None = None, every: str | None = None, start: str | None = None
) -> Converted:
    """Writes counters of recordings and of Parquet. What cannot be read is lost, and said; where nothing can, it is an error."""
    if store.files():
        raise ValueError(f"{store.path()}: already contains Parquet files; name a new folder, so that no rows are duplicated")
    done = Converted()

    def counted() -> Iterator[pa.RecordBatch]:
        for batch in _batches(raw, vm, every, start, done):
            done.vms.update(batch.column("vm").unique().to_pylist())
            yield batch

    done.rows = lay_out(counted(), store)
    if not done.rows:
        raise ValueError("\n".join(done.lost) or f"{', '.join(raw)}: there are no recordings and no counters in it")
    return done


def _batches(raw: Sequence[str], vm: str | None, every: str | None, start: str | None, done: Converted) -> Iterator[pa.RecordBatch]:
    from .._native import Error, fleet_rows

    began = None if start is None else _instant(start)
    recordings = [path for path in raw if not _is_parquet(path)]
    for path in raw:
        if _is_parquet(path):
            yield from _parquet(path)
    for group in _groups(recordings, vm, done):
        found: set[str] = set()
        try:
            for batch in pa.table(fleet_rows(group.files, vm, group.otherwise, every, began)).to_batches():
                found.update(name.lower() for name in batch.column("vm").unique().to_pylist())
                yield batch
        except Error as error:
            done.lost.append(str(error).removeprefix("error: "))
            continue
        missing = sorted(name for name in group.machines if name.lower() not in found) if vm is None else []
        done.lost += [f"{', '.join(group.files)}: there is no interval of any disk of {name}" for name in missing]


def _groups(paths: Sequence[str], vm: str | None, done: Converted) -> list[_Group]:
    """Recordings by the machines that they name; a folder is read with all that is in it, and names those that no recording does."""
    from .._native import Error, fleet_machines

    files = [(file, path) for path in paths for file in _files(path)]
    if vm is not None:
        return [_Group([file for file, _ in files], set(), vm)] if files else []
    groups: list[_Group] = []
    nameless: dict[str, list[str]] = {}
    of_folder: dict[str, set[str]] = {}
    for file, path in files:
        try:
            machines = set(fleet_machines(file))
        except Error as error:
            done.lost.append(str(error).removeprefix("error: "))
            continue
        folder = os.path.dirname(file) if os.path.isdir(path) else ""
        if not machines:
            nameless.setdefault(folder, []).append(file)
            continue
        ours = {name.lower() for name in machines}
        shared = [group for group in groups if ours & {name.lower() for name in group.machines}]
        joined = _Group([*(name for group in shared for name in group.files), file], machines.union(*(group.machines for group in shared)), Path(file).stem)
        groups = [*(group for group in groups if group not in shared), joined]
        of_folder.setdefault(folder, set()).update(ours)
    for folder, alone in nameless.items():
        if not folder:
            groups += [_Group([file], set(), Path(file).stem) for file in alone]
        elif folder not in of_folder:
            if len(alone) > 1:
                warnings.warn(f"{len(alone)} recordings in {folder} name no machine: they are taken as one VM, {Path(folder).name}", stacklevel=2)
            groups.append(_Group(alone, set(), Path(folder).name))
        elif len(of_folder[folder]) == 1:
            # Another tool of the one machine whose folder it is.
            group = next(group for group in groups if any(os.path.dirname(file) == folder for file in group.files))
            group.files += alone
        else:
            groups += [_Group([file], set(), Path(file).stem) for file in alone]
    return groups


def _files(path: str) -> list[str]:
    """A recording, or all in a folder and its folders."""
    if not os.path.isdir(path):
        return [path]
    inside = (file for file in Path(path).rglob("*") if file.is_file())
    return sorted(str(file) for file in inside if not any(part.startswith(".") for part in file.relative_to(path).parts))


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
    names = {*COUNTERS_SCHEMA.names, *OPTIONAL_SCHEMA.names}
    table = pa.Table.from_batches(batches)
    table = table.select([name for name in table.column_names if name in names]).replace_schema_metadata(facts)
    with pa.ipc.new_stream(output, table.schema) as writer:
        writer.write_table(table)
