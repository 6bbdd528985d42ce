"""Assessing an estate on one machine, without a cluster."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from . import _layout
from ._audit import Settings, audit_table, records
from ._engine import Estate, Progress, Source, Task, Work, as_table, read_inventory
from ._job import Job
from ._kernel import Bad, rows_of
from ._schema import COUNTERS_SCHEMA, OPTIONAL_SCHEMA, RESULT_SCHEMA, check_schema, conformed
from ._storage import Store

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
) -> Any:
    """A row of results for each VM, in the order of bucket and VM: a table, or, of what was written to `out`, a dataset of pyarrow.

    `src`: a folder (or URI of object storage) of Parquet as `diskwright-fleet convert` lays it out, any other Parquet of `COUNTERS_SCHEMA`, or a
    table (of pyarrow, pandas, polars); also one file, or a pattern. `inventory`: a table, or the path of a file (Parquet, CSV, JSON). `out`: a
    folder for the results, a file for each bucket, which the dataset reads when it is asked: memory does not grow with the estate. With `resume` buckets whose results of the same inputs are there are not worked on again. Ctrl-C leaves whole files.
    """
    store = None if out is None else Store.at(out)
    work = Work.of(job, out=store)
    with tempfile.TemporaryDirectory(prefix="diskwright-fleet-") as folder:
        bad: list[Bad] = []
        estate = _estate(src, read_inventory(inventory), job, Store.at(folder), bad)
        done = set() if store is None else estate.begin(store, resume)
        parts: dict[int, pa.Table] = {}

        def keep(task: Task, rows: pa.Table) -> int:
            if store is None:
                parts[task.number] = rows
                return int(rows.num_rows)
            return work.write(task.number, task.print_, rows)

        _run(work, estate.tasks(done), bad, threads, keep, progress, len(done))
    if store is not None:
        return _layout.results_dataset(store)
    return pa.concat_tables([RESULT_SCHEMA.empty_table(), *(parts[number] for number in sorted(parts))])


def audit(
    src: Source | Iterable[str | os.PathLike[str]],
    *,
    catalogue: Any = None,
    stripes: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
) -> pa.Table:
    """A row of `FINDINGS_SCHEMA` for each finding, by machine.

    `src`: files of lists that the cloud's commands print (`az vm list -d -o json`, `az disk list -o json`, a page of Resource Graph), or a table of
    `RECORDS_SCHEMA`. `catalogue`: one, or the path of a layer. `stripes`: as `diskwright audit --stripes`. `out`: a Parquet file to write, too.
    """
    is_files = isinstance(src, (str, os.PathLike)) or (isinstance(src, (list, tuple)) and all(isinstance(one, (str, os.PathLike)) for one in src))
    found = audit_table(records(src) if is_files else as_table(src), Settings.of(catalogue, stripes))
    if out is not None:
        pq.write_table(found, os.fspath(out))
    return found


def _estate(src: Source, inventory: pa.Table, job: Job, temporary: Store, bad: list[Bad]) -> Estate:
    """The estate of a source, laid out in a temporary folder unless it is already; `bad` takes files that cannot be read then."""
    if isinstance(src, (str, os.PathLike)):
        estate = Estate.at(src, inventory, job)
        if not estate.is_clustered:
            paths = [estate.store.path(file.name) for file in estate.files]
            lay_out((batch for path in paths for batch in rows_of(path, bad)), temporary)
            # Of a file without names a row is left: that of the file, in the bucket that its name has.
            bad[:] = [Bad(file.path, file.why, file.vms or frozenset([file.path])) for file in bad]
            estate.lies_in(temporary, (_layout.bucket(vm) for file in bad for vm in file.vms or ()))
        return estate
    table = as_table(src)
    check_schema(table.schema, COUNTERS_SCHEMA, "the counters", OPTIONAL_SCHEMA)
    lay_out((conformed(batch, COUNTERS_SCHEMA, OPTIONAL_SCHEMA) for batch in table.to_batches()), temporary)
    return Estate(temporary, temporary.files(), inventory, job)


def _until(stopped: threading.Event, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        if stopped.is_set():
            raise InterruptedError("stopped")
        yield batch


def _run(
    work: Work,
    tasks: list[Task],
    bad: list[Bad],
    threads: int | None,
    keep: Callable[[Task, pa.Table], int],
    progress: Progress | None,
    done: int,
) -> None:
    stopped = threading.Event()
    # Most of a VM is planning, which holds no lock of the interpreter.
    pool = ThreadPoolExecutor(max_workers=threads or os.cpu_count() or 1, thread_name_prefix="diskwright-fleet")

    def rows(task: Task) -> pa.Table:
        found = work.task(task, False, lambda batches: _until(stopped, batches))
        here = [file for file in bad if any(_layout.bucket(vm) == task.number for vm in file.vms or ())]
        return work.without(found, here, task.number) if here else found

    running = {pool.submit(rows, task): task for task in tasks}
    vms, of = 0, done + len(tasks)
    try:
        if progress is not None:
            progress(done, of, vms)
        for future in as_completed(running):
            vms += keep(running.pop(future), future.result())
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
            write_counters(store, number, _layout.in_order(table))
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
        numbers = _layout.buckets_of_rows(batch.column("vm"))
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
