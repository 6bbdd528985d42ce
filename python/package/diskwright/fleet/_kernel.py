"""The one function that every engine calls: record batches of counters in, record batches of results out.

It needs nothing but the wheel and pyarrow, so it is what workers import.

    for batch in assess_arrow(batches, inventory, job_json):   # batches: pyarrow.RecordBatch in the order of vm, ts, device
        ...                                                    # pyarrow.RecordBatch of RESULT_SCHEMA

A VM's rows may be cut by batches anywhere; they must be in one stream, and together. The result of a VM depends on its own rows alone.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .._native import Catalogue, FleetKernel
from ._layout import bucket
from ._schema import COUNTERS_SCHEMA, INVENTORY_SCHEMA, OPTIONAL_SCHEMA, RESULT_SCHEMA, TODAY_SCHEMA, check_schema, conformed, named
from ._storage import Store

#: Rows of a batch that is read from a file.
ROWS = 1 << 16

_catalogues: dict[str | None, Catalogue] = {}
_lock = threading.Lock()


def _catalogue(layer: str | None) -> Catalogue:
    """Parsed once in a process."""
    with _lock:
        if layer not in _catalogues:
            _catalogues[layer] = Catalogue.shipped() if layer is None else Catalogue.of_layer(layer)
        return _catalogues[layer]


def _kernel(inventory: pa.Table, job_json: str) -> FleetKernel:
    job = json.loads(job_json)
    layer = job.pop("catalogue", None)
    check_schema(inventory.schema, INVENTORY_SCHEMA, "the inventory", TODAY_SCHEMA)
    batches = [conformed(batch, INVENTORY_SCHEMA, TODAY_SCHEMA) for batch in inventory.to_batches()]
    table = pa.Table.from_batches(batches) if batches else INVENTORY_SCHEMA.empty_table()
    return FleetKernel(json.dumps(job), table, _catalogue(layer))


def check_job(job_json: str) -> None:
    """Refuses a job that every VM would fail by, before it starts: unknown windows, wrong keys of `[plan]`."""
    _kernel(INVENTORY_SCHEMA.empty_table(), job_json)


def assess_arrow(
    batches: Iterable[pa.RecordBatch], inventory: pa.Table, job_json: str
) -> Iterator[pa.RecordBatch]:
    """A row of results for each VM of a stream of counters.

    `batches`: of `COUNTERS_SCHEMA` (columns of `OPTIONAL_SCHEMA` may be there), in the order of vm, ts, device; memory holds one VM.
    `inventory`: of `INVENTORY_SCHEMA`. `job_json`: `Job.to_json()`. Yields batches of `RESULT_SCHEMA`, empty ones left out.
    """
    kernel = _kernel(inventory, job_json)
    checked: pa.Schema | None = None
    for batch in batches:
        if batch.schema is not checked and batch.schema != checked:
            check_schema(batch.schema, COUNTERS_SCHEMA, "the counters", OPTIONAL_SCHEMA)
            checked = batch.schema
        yield from _rows(kernel.feed(conformed(batch, COUNTERS_SCHEMA, OPTIONAL_SCHEMA)))
    yield from _rows(kernel.finish())


def _rows(table: Any) -> list[pa.RecordBatch]:
    if len(table) == 0:
        return []
    return list(pa.table(table).cast(RESULT_SCHEMA).to_batches())


def failed_row(job_json: str, vm: str, code: str, message: str) -> pa.RecordBatch:
    """The row of a VM that ended what worked on it, code `out_of_memory` or `died`, or whose file cannot be read."""
    row: dict[str, Any] = dict.fromkeys(RESULT_SCHEMA.names)
    row.update(job_id=json.loads(job_json)["job_id"], vm_bucket=bucket(vm), vm=vm, status="failed")
    row.update(code=code, message=message, findings=[], rows_used=0, rows_dropped=0)
    return pa.RecordBatch.from_pylist([row], RESULT_SCHEMA)


def without_counters(vms: Iterable[str]) -> pa.Table:
    """A row for each VM that says nothing: where it is the only one of a VM, that VM gets a result of code `no_counters`."""
    table = pa.table({"vm": pa.array(sorted(vms), pa.string())})
    for field in COUNTERS_SCHEMA:
        if field.name != "vm":
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table


def vms_of(inventory: pa.Table) -> set[str]:
    """The VMs of an inventory."""
    return {vm for vm in inventory.column("vm").to_pylist() if vm is not None}


def stream_of(table: pa.Table) -> bytes:
    """A table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def table_of(stream: bytes) -> pa.Table:
    """The table of an Arrow stream."""
    return pa.ipc.open_stream(stream).read_all()


@dataclass(frozen=True)
class Bad:
    """A file that cannot be read, or not to its end: why, and whose rows are in it, where that can be read."""

    path: str
    why: str
    vms: frozenset[str] | None

    def rows(self, job_json: str, vms: Iterable[str]) -> list[pa.RecordBatch]:
        """A row for each of these VMs."""
        return [failed_row(job_json, vm, "unreadable", f"{self.path} cannot be read: {self.why}") for vm in vms]


#: How pyarrow says that bytes are no Parquet; what a store says of itself is another thing.
_DAMAGED = re.compile(r"orrupt|deserialize|thrift|magic bytes|nexpected end|ecompress|EOF|page|footer|not a parquet", re.IGNORECASE)


def is_damaged(error: BaseException) -> bool:
    """Whether a file's bytes are at fault."""
    said = isinstance(error, pa.ArrowInvalid) or (isinstance(error, OSError) and error.errno is None)
    return said and bool(_DAMAGED.search(str(error)))


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def assess_files(
    paths: Iterable[str | os.PathLike[str]], inventory: pa.Table, job_json: str
) -> Iterator[pa.RecordBatch]:
    """The same of Parquet files, by their paths or URIs of object storage: only these travel.

    The rows of each file are in the order of vm, ts, device. A VM may be in several of them (a file for each day): its rows are then put in
    the order of time here.
    """
    return assess_arrow(read_files(paths), inventory, job_json)


def read_files(paths: Iterable[str | os.PathLike[str]], bad: list[Bad] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of Parquet files as one stream in the order of vm, ts, device.

    A file that cannot be read ends it, or, with `bad`, is put there and left out from where it is damaged.
    """
    files = [file for file in (_File.at(os.fspath(path), bad) for path in paths) if file is not None]
    ranges = []
    for index, file in enumerate(files):
        with file.noted():
            if file.metadata.num_rows:
                ranges.append((*file.range(), index))
    ranges.sort()
    in_order = [files[index] for *_, index in ranges]
    if all(before[1] < after[0] for before, after in zip(ranges, ranges[1:])):
        for file in in_order:
            yield from file.batches()
    else:
        yield from _merged(in_order)


def rows_of(path: str | os.PathLike[str], bad: list[Bad] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of a Parquet file, in its order; `bad` as in `read_files`."""
    file = _File.at(os.fspath(path), bad)
    return iter(()) if file is None else file.batches()


def vms_in(path: str) -> set[str]:
    """The VMs that a Parquet file has rows of."""
    return set(_File(path, None).vms())


class _File:
    """A Parquet file of counters."""

    def __init__(self, path: str, bad: list[Bad] | None) -> None:
        self.path, self._bad = path, bad
        folder, _, self.name = path.rpartition("/")
        self.store = Store.at(folder or ".")
        with self.store.open(self.name) as opened:
            self.metadata = pq.read_metadata(opened)
        schema = self.metadata.schema.to_arrow_schema()
        check_schema(schema, COUNTERS_SCHEMA, path, OPTIONAL_SCHEMA)
        self.columns = [field.name for field in schema if field.name in _NAMES]
        self.vm = [self.metadata.schema.column(index).path for index in range(len(self.metadata.schema))].index("vm")

    @staticmethod
    def at(path: str, bad: list[Bad] | None) -> _File | None:
        """The file, or nothing where it has no footer."""
        try:
            return _File(path, bad)
        except Exception as error:
            if not is_damaged(error):
                raise
            if bad is None:
                raise ValueError(f"{path} cannot be read: {_first_line(error)}") from error
            bad.append(Bad(path, _first_line(error), None))
            return None

    @contextmanager
    def noted(self) -> Iterator[None]:
        """What cannot be read of it is said."""
        try:
            yield
        except Exception as error:
            if not is_damaged(error):
                raise
            why = _first_line(error)
            if self._bad is None:
                raise ValueError(f"{self.path} cannot be read: {why}") from error
            self._bad.append(Bad(self.path, why, self._known()))

    def _known(self) -> frozenset[str] | None:
        """Whose rows are in it, where the column of names is not damaged."""
        try:
            return frozenset(self.vms())
        except Exception:
            return None

    def batches(self) -> Iterator[pa.RecordBatch]:
        with self.noted():
            for batch in self.store.batches(self.name, self.columns):
                yield conformed(batch, COUNTERS_SCHEMA, OPTIONAL_SCHEMA)

    def range(self) -> tuple[str, str]:
        """The first and the last VM, by the file's statistics; where it has none, by its rows."""
        groups = [self.metadata.row_group(group) for group in range(self.metadata.num_row_groups)]
        known = [group.column(self.vm).statistics for group in groups if group.num_rows]
        if all(group is not None and group.has_min_max for group in known):
            return min(group.min for group in known), max(group.max for group in known)
        names = self.vms()
        return names[0], names[-1]

    def vms(self) -> list[str]:
        names = {name for batch in self.store.batches(self.name, ["vm"]) for name in batch.column("vm").unique().to_pylist()}
        return sorted(name for name in names if name is not None)


_NAMES = {*COUNTERS_SCHEMA.names, *OPTIONAL_SCHEMA.names}


def _merged(files: list[_File]) -> Iterator[pa.RecordBatch]:
    """Files that share VMs: VM by VM, so that memory holds one. Rows of nobody come last."""
    readers = [_Ahead(file) for file in files]
    names: set[str] = set()
    for file in files:
        with file.noted():
            names.update(file.vms())
    for name in sorted(names):
        parts = [part for reader in readers for part in reader.rows_of(name)]
        if not parts:  # of a file that is damaged there
            continue
        table = pa.concat_tables([pa.Table.from_batches([part]) for part in parts], promote_options="default")
        table = table.sort_by([("ts", "ascending"), ("device", "ascending")]).combine_chunks()
        yield from table.to_batches(max_chunksize=ROWS)
    for reader in readers:
        yield from reader.rest()


class _Ahead:
    """Reads a file in the order of its VMs, and keeps what it has read too much."""

    def __init__(self, file: _File) -> None:
        self._path, self._batches = file.path, file.batches()
        self._left: pa.RecordBatch | None = None
        self._of_nobody: list[pa.RecordBatch] = []

    def _next(self) -> pa.RecordBatch | None:
        """The next rows that name a VM."""
        batch, self._left = self._left, None
        while batch is None or batch.num_rows == 0:
            batch = next(self._batches, None)
            if batch is None:
                return None
            is_named = pc.not_equal(named(batch.column("vm")), "")
            if pc.any(pc.invert(is_named)).as_py():
                self._of_nobody.append(batch.filter(pc.invert(is_named)))
                batch = batch.filter(is_named)
        return batch

    def rows_of(self, vm: str) -> Iterator[pa.RecordBatch]:
        while (batch := self._next()) is not None:
            is_ours = pc.equal(batch.column("vm"), vm)
            ours = pc.sum(is_ours).as_py() or 0
            if ours != (pc.sum(is_ours.slice(0, ours)).as_py() or 0):
                raise NotSorted(f"{self._path}: rows of VM `{vm}` are not together: sort by vm, ts, device")
            if ours:
                yield batch.slice(0, ours)
            if ours < batch.num_rows:
                self._left = batch.slice(ours)
                return

    def rest(self) -> Iterator[pa.RecordBatch]:
        """Rows of nobody. A VM that was passed by is one that is not in its place."""
        batch = self._next()
        if batch is not None:
            raise NotSorted(f"{self._path}: VM `{batch.column('vm')[0].as_py()}` is not in its place: sort by vm, ts, device")
        yield from self._of_nobody


class NotSorted(ValueError):
    """Rows of a file are not in the order of their VMs."""
