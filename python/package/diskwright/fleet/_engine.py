"""What engines share: the work of one bucket, what is left to do, and how a job that stopped is said.

A job that writes results does so bucket by bucket, on the workers: a file appears whole, under a name that says what it was made from (`_layout`).
So whatever ends the job, what is there is complete, and the next run leaves it out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Union

import pyarrow as pa

from . import _layout, local
from ._isolated import MEMORY, assess_isolated
from ._job import Job
from ._kernel import assess_arrow, check_job, read_files, without_counters
from ._schema import RESULT_SCHEMA
from ._storage import Store

Source = Union[str, "os.PathLike[str]", Any]
#: Told of how many buckets of how many are done, and how many VMs.
Progress = Callable[[int, int, int], Any]


TASKS_SCHEMA = pa.schema([("number", pa.int64()), ("paths", pa.list_(pa.string())), ("inventory", pa.binary()), ("print", pa.string())])


class Stopped(RuntimeError):
    """A job ended early: `done` of `of` buckets are complete, and are not worked on again when it is run with `resume=True`."""

    def __init__(self, out: Store, done: int, of: int, cause: BaseException) -> None:
        self.done, self.of = done, of
        #: What ended it, and what is left of it.
        self.why = f"{type(cause).__name__}: {cause}".strip()
        self.kept = f"{done} of {of} buckets are complete in {out.place}"
        super().__init__(f"{self.why}\n{self.kept}; run the job again with `resume=True` for the others")


@dataclass(frozen=True)
class Task:
    """One bucket, as it travels to a worker: paths, and its part of the inventory as an Arrow stream."""

    number: int
    paths: list[str]
    inventory: bytes
    print_: str

    @staticmethod
    def table(tasks: Iterable[Task]) -> pa.Table:
        """Tasks as engines carry them."""
        rows = [{"number": t.number, "paths": t.paths, "inventory": t.inventory, "print": t.print_} for t in tasks]
        return pa.Table.from_pylist(rows, TASKS_SCHEMA)

    @staticmethod
    def of(table: pa.Table | pa.RecordBatch) -> list[Task]:
        """Tasks of such a table."""
        return [Task(row["number"], row["paths"], row["inventory"], row["print"]) for row in table.to_pylist()]


@dataclass(frozen=True)
class Work:
    """What a worker does; it can be sent to one."""

    job_json: str
    memory: int = MEMORY
    out: Store | None = None

    @staticmethod
    def of(job: Job, memory: int, out: Store | None = None) -> Work:
        """The work of a job; one that every VM would fail by is refused."""
        check_job(job.to_json())
        return Work(job.to_json(), memory, out)

    def rows(self, batches: Iterable[pa.RecordBatch], inventory: pa.Table, is_again: bool) -> Iterable[pa.RecordBatch]:
        """Results of a stream; on a second attempt each VM in a process of its own."""
        if is_again:
            return assess_isolated(batches, inventory, self.job_json, self.memory)
        return assess_arrow(batches, inventory, self.job_json)

    def bucket(self, batches: Iterable[pa.RecordBatch], inventory: pa.Table, is_again: bool) -> pa.Table:
        """Results of a bucket, those of its VMs without counters among them."""
        rows = list(self.rows(batches, inventory, is_again))
        seen = {vm for batch in rows for vm in batch.column("vm").to_pylist()}
        missing = {vm for vm in inventory.column("vm").to_pylist() if vm is not None} - seen
        rows.extend(assess_arrow(without_counters(missing).to_batches(), inventory, self.job_json))
        return pa.Table.from_batches(rows, RESULT_SCHEMA).sort_by("vm")

    def task(self, task: Task, is_again: bool) -> pa.Table:
        """Results of a bucket by its files."""
        return self.bucket(read_files(task.paths), table_of(task.inventory), is_again)

    def write(self, number: int, print_: str, rows: pa.Table) -> int:
        """Writes a bucket's results; how many VMs."""
        assert self.out is not None
        return _layout.write_bucket(self.out, number, print_, rows.to_batches())


class Estate:
    """A folder of counters, what is known of its VMs, and what its results would be called."""

    def __init__(self, src: str | os.PathLike[str], inventory: pa.Table, job: Job) -> None:
        self.store = Store.at(src)
        files = self.store.files()
        if not files:
            raise FileNotFoundError(f"{self.store.place}: no Parquet files are there")
        local.check_all(self.store, files)
        self.job, self.inventory = job, inventory
        self.inventories = _layout.inventory_by_bucket(inventory)
        self.buckets = _layout.buckets_of(files)
        #: Whether each VM's rows are in files of its bucket, so that only paths need to travel.
        self.is_clustered = len(files) == sum(map(len, self.buckets.values()))
        self.size = sum(file.size for file in files)
        if not self.is_clustered:
            self.buckets = {}
        numbers = sorted({*self.buckets, *self.inventories}) if self.is_clustered else range(_layout.BUCKETS)
        # Of files in no order each may have rows of each bucket.
        of = (lambda number: self.buckets.get(number, ())) if self.is_clustered else (lambda number: files)
        self.prints = {n: _layout.fingerprint(job, of(n), self.inventories.get(n)) for n in numbers}

    def only(self, numbers: Iterable[int]) -> None:
        """Of files in no order: the buckets that they have rows of. Those of the inventory stay."""
        known = {*numbers, *self.inventories}
        self.prints = {number: self.prints[number] for number in sorted(known)}

    def tasks(self, done: Iterable[int] = ()) -> list[Task]:
        """Buckets that are left, the largest first, so that none of them is waited for at the end."""
        left = [number for number in self.prints if number not in set(done)]
        sizes = {number: sum(file.size for file in self.buckets.get(number, ())) for number in left}
        return [self._task(number) for number in sorted(left, key=lambda number: -sizes[number])]

    def _task(self, number: int) -> Task:
        paths = [self.store.path(file.name) for file in self.buckets.get(number, ())]
        inventory = self.inventories.get(number, self.inventory.slice(0, 0))
        return Task(number, paths, stream_of(inventory), self.prints[number])

    def begin(self, out: Store, resume: bool) -> set[int]:
        """Prepares the folder of results; the buckets that are complete."""
        if not resume:
            for file in out.files():
                if _layout.RESULTS.match(file.name):
                    out.delete(file.name)
        return _layout.begin(out, self.job, self.inventory, self.prints)


def stream_of(table: pa.Table) -> bytes:
    """A table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def table_of(stream: bytes) -> pa.Table:
    """The table of an Arrow stream."""
    return pa.ipc.open_stream(stream).read_all()
