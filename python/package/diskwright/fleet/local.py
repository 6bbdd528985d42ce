"""Assessing an estate on one machine, without a cluster."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, Union

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from . import _layout
from ._job import Job
from ._kernel import assess_arrow, check_job, read_files, rows_of, without_counters
from ._schema import (
    COUNTERS_SCHEMA, HOST_SCHEMA, INVENTORY_SCHEMA, RESULT_SCHEMA, TODAY_SCHEMA, check_schema, conformed,
)  # fmt: skip
from ._storage import Store

Source = Union[str, "os.PathLike[str]", pa.Table, Any]
#: Told of how many buckets of how many are done, and how many VMs.
Progress = Callable[[int, int, int], Any]

#: Rows that are kept before they are put down by bucket.
_KEPT = 1 << 21


def assess(
    src: Source,
    inventory: Source,
    job: Job,
    *,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> pa.Table:
    """A row of results for each VM, in the order of bucket and VM.

    `src`: a folder (or URI of object storage) of Parquet as `diskwright-fleet convert` lays it out, any other Parquet of `COUNTERS_SCHEMA`, or a
    table (of pyarrow, pandas, polars). `inventory`: a table, or the path of a Parquet file. `out`: a folder for the results, a file for each
    bucket; with `resume` buckets whose results of the same inputs are there are not worked on again. Ctrl-C leaves whole files.
    """
    todo = _Todo(src, read_inventory(inventory), job)
    with todo:
        store = None if out is None else Store.at(out)
        done: set[int] = set()
        if store is not None:
            prints = todo.fingerprints()
            if not resume:
                for file in store.files():
                    if _layout.RESULTS.match(file.name):
                        store.delete(file.name)
            done = _layout.begin(store, job, todo.inventory, prints)
        parts: dict[int, list[pa.RecordBatch]] = {}

        def keep(number: int, batches: list[pa.RecordBatch]) -> int:
            if store is None:
                parts[number] = batches
                return sum(batch.num_rows for batch in batches)
            return _layout.write_bucket(store, number, prints[number], batches)

        _run(todo, [number for number in todo.numbers if number not in done], threads, keep, progress, len(done))
    if store is not None:
        return _layout.read_results(store)
    rows = [batch for number in sorted(parts) for batch in parts[number]]
    return pa.Table.from_batches(rows, RESULT_SCHEMA)


def read_inventory(inventory: Source) -> pa.Table:
    """An inventory, checked: a table, or the path of a Parquet file."""
    table = pq.read_table(pa.BufferReader(_bytes(inventory))) if isinstance(inventory, (str, os.PathLike)) else _table(inventory)
    check_schema(table.schema, INVENTORY_SCHEMA, "the inventory", TODAY_SCHEMA)
    batches = [conformed(batch, INVENTORY_SCHEMA, TODAY_SCHEMA) for batch in table.to_batches()]
    return pa.Table.from_batches(batches) if batches else INVENTORY_SCHEMA.empty_table()


def _bytes(path: str | os.PathLike[str]) -> bytes:
    folder, _, name = os.fspath(path).rpartition("/")
    return Store.at(folder or ".").read(name)


def _table(source: Any) -> pa.Table:
    if isinstance(source, pa.Table):
        return source
    if hasattr(source, "__arrow_c_stream__"):
        return pa.table(source)
    return pa.Table.from_pandas(source, preserve_index=False)


class _Todo:
    """The buckets of an estate, with their counters and their part of the inventory."""

    def __init__(self, src: Source, inventory: pa.Table, job: Job) -> None:
        check_job(job.to_json())
        self.inventory, self.job = inventory, job
        self._inventories = _layout.inventory_by_bucket(inventory)
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._whole: list[Any] | None = None
        if isinstance(src, (str, os.PathLike)):
            store = Store.at(src)
            files = store.files()
            if not files:
                raise FileNotFoundError(f"{store.place}: no Parquet files found")
            check_all(store, files)
            self._buckets = _layout.buckets_of(files)
            if len(files) != sum(map(len, self._buckets.values())):
                # It has another layout: all of it decides on each bucket.
                self._whole = files
                paths = [store.path(file.name) for file in files]
                store = self._lay_out(batch for path in paths for batch in rows_of(path))
        else:
            table = _table(src)
            check_schema(table.schema, COUNTERS_SCHEMA, "the counters", HOST_SCHEMA)
            store = self._lay_out(conformed(batch, COUNTERS_SCHEMA, HOST_SCHEMA) for batch in table.to_batches())
        self._store = store
        self.numbers = sorted({*self._buckets, *self._inventories})

    def _lay_out(self, batches: Iterable[pa.RecordBatch]) -> Store:
        self._temporary = tempfile.TemporaryDirectory(prefix="diskwright-fleet-")
        store = Store.at(self._temporary.name)
        lay_out(batches, store)
        self._buckets = _layout.buckets_of(store.files())
        return store

    def fingerprints(self) -> dict[int, str]:
        prints = {}
        for number in self.numbers:
            files = self._buckets.get(number, []) if self._whole is None else self._whole
            prints[number] = _layout.fingerprint(self.job, files, self._inventories.get(number))
        return prints

    def results(self, number: int, stopped: threading.Event) -> list[pa.RecordBatch]:
        """The rows of a bucket, in the order of their VMs."""
        files = self._buckets.get(number, [])
        inventory = self._inventories.get(number, INVENTORY_SCHEMA.empty_table())
        job = self.job.to_json()
        seen: set[str] = set()
        rows = list(assess_arrow(_until(stopped, read_files(self._store.path(file.name) for file in files)), inventory, job))
        for batch in rows:
            seen.update(batch.column("vm").to_pylist())
        missing = {vm for vm in inventory.column("vm").to_pylist() if vm is not None} - seen
        rows.extend(assess_arrow(without_counters(missing).to_batches(), inventory, job))
        return list(pa.Table.from_batches(rows, RESULT_SCHEMA).sort_by("vm").to_batches())

    def __enter__(self) -> _Todo:
        return self

    def __exit__(self, *_: object) -> None:
        if self._temporary is not None:
            self._temporary.cleanup()


def check_all(store: Store, files: list[Any]) -> None:
    """Refuses files of another schema before the first one is worked on."""

    def check(file: Any) -> None:
        with store.open(file.name) as opened:
            check_schema(pq.read_schema(opened), COUNTERS_SCHEMA, store.path(file.name), HOST_SCHEMA)

    with ThreadPoolExecutor(max_workers=16) as pool:
        list(pool.map(check, files))


def _until(stopped: threading.Event, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        if stopped.is_set():
            raise InterruptedError("stopped")
        yield batch


def _run(
    todo: _Todo,
    numbers: list[int],
    threads: int | None,
    keep: Callable[[int, list[pa.RecordBatch]], int],
    progress: Progress | None,
    done: int,
) -> None:
    stopped = threading.Event()
    # Most of a VM is planning, which holds no lock of the interpreter.
    pool = ThreadPoolExecutor(max_workers=threads or os.cpu_count() or 1, thread_name_prefix="diskwright-fleet")
    work = {pool.submit(todo.results, number, stopped): number for number in numbers}
    vms, of = 0, done + len(numbers)
    try:
        if progress is not None:
            progress(done, of, vms)
        for future in as_completed(work):
            vms += keep(work.pop(future), future.result())
            done += 1
            if progress is not None:
                progress(done, of, vms)
    finally:
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


def lay_out(batches: Iterable[pa.RecordBatch], store: Store) -> int:
    """Writes counters in the layout of `_layout`: by bucket, each in the order of vm, ts, device; how many rows.

    Memory holds some million rows and one bucket, whatever the size of the estate.
    """
    rows = 0
    with tempfile.TemporaryDirectory(prefix="diskwright-fleet-") as folder:
        spills = _Spills(folder)
        for batch in batches:
            rows += batch.num_rows
            spills.take(batch)
        for number, table in spills.buckets():
            ordered = table.sort_by([("vm", "ascending"), ("ts", "ascending"), ("device", "ascending")])
            write_counters(store, number, ordered)
    return rows


def write_counters(store: Store, number: int, table: pa.Table) -> None:
    """Writes the counters of a bucket."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", row_group_size=1 << 17)
    store.write(f"vm_bucket={number:04}/part-0.parquet", sink.getvalue().to_pybytes())


class _Spills:
    """Rows by bucket, put down on the disk whenever many are kept."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._kept: dict[int, list[pa.RecordBatch]] = {}
        self._rows = 0
        self._files: dict[int, list[str]] = {}

    def take(self, batch: pa.RecordBatch) -> None:
        names = batch.column("vm").dictionary_encode()
        of_name = pa.array([None if vm is None else _layout.bucket(vm) for vm in names.dictionary.to_pylist()], pa.int64())
        numbers = of_name.take(names.indices)
        if numbers.null_count:
            raise ValueError("some rows have no `vm`; remove them")
        for number in numbers.unique().to_pylist():
            self._kept.setdefault(number, []).append(batch.filter(pc.equal(numbers, number)))
        self._rows += batch.num_rows
        if self._rows >= _KEPT:
            self._spill()

    def _spill(self) -> None:
        for number, batches in self._kept.items():
            names = self._files.setdefault(number, [])
            names.append(os.path.join(self._folder, f"{number}-{len(names)}.arrow"))
            table = pa.concat_tables([pa.Table.from_batches([batch]) for batch in batches], promote_options="default")
            with pa.ipc.new_file(names[-1], table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
                writer.write_table(table)
        self._kept, self._rows = {}, 0

    def buckets(self) -> Iterator[tuple[int, pa.Table]]:
        for number in sorted({*self._kept, *self._files}):
            parts = [pa.Table.from_batches([batch]) for batch in self._kept.get(number, [])]
            for name in self._files.get(number, []):
                with pa.ipc.open_file(name) as reader:
                    parts.append(reader.read_all())
            yield number, pa.concat_tables(parts, promote_options="default")


__all__ = ["Progress", "Source", "assess", "lay_out", "read_inventory", "write_counters"]
