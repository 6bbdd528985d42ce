"""What engines share: the work of one bucket, what is left to do, and how a job that stopped is said.

A job that writes results does so bucket by bucket, on the workers: a file appears whole, under a name that says what it was made from (`_layout`).
So whatever ends the job, what is there is complete, and the next run leaves it out.
"""

from __future__ import annotations

import csv
import fnmatch
import io
import json
import os
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Union

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .._native import Error
from . import _layout
from ._isolated import MEMORY, assess_isolated
from ._job import Job
from ._kernel import (
    Bad, NotSorted, assess_arrow, check_job, failed_row, is_damaged, read_files, stream_of, table_of, vms_in, vms_of, without_counters,
)  # fmt: skip
from ._schema import (
    COUNTERS_SCHEMA, INVENTORY_SCHEMA, OPTIONAL_SCHEMA, RESULT_SCHEMA, TODAY_SCHEMA, check_schema, conformed,
)  # fmt: skip
from ._storage import File, Store

Source = Union[str, "os.PathLike[str]", pa.Table, Any]
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
    def of(job: Job, memory: int = MEMORY, out: Store | None = None) -> Work:
        """The work of a job; one that every VM would fail by is refused."""
        check_job(job.to_json())
        return Work(job.to_json(), memory, out)

    def rows(self, batches: Iterable[pa.RecordBatch], inventory: pa.Table, is_again: bool) -> Iterable[pa.RecordBatch]:
        """Results of a stream; on a second attempt each VM in a process of its own."""
        if is_again:
            return assess_isolated(batches, inventory, self.job_json, self.memory)
        return assess_arrow(batches, inventory, self.job_json)

    def bucket(self, batches: Iterable[pa.RecordBatch], inventory: pa.Table, is_again: bool) -> pa.Table:
        """Results of a bucket in the order of its VMs, those without counters among them."""
        rows = list(self.rows(batches, inventory, is_again))
        seen = {vm for batch in rows for vm in batch.column("vm").to_pylist()}
        rows.extend(assess_arrow(without_counters(vms_of(inventory) - seen).to_batches(), inventory, self.job_json))
        return pa.Table.from_batches(rows, RESULT_SCHEMA).sort_by("vm")

    def task(self, task: Task, is_again: bool, until: Callable[[Iterable[pa.RecordBatch]], Iterable[pa.RecordBatch]] = lambda rows: rows) -> pa.Table:
        """Results of a bucket by its files. A file that cannot be read is its VMs' fault, not the job's; `until` may end the reading."""
        inventory = table_of(task.inventory)
        bad: list[Bad] = []
        try:
            rows = self.bucket(until(read_files(task.paths, bad)), inventory, is_again)
        except NotSorted as error:
            return self._unsorted(task, inventory, str(error))
        except Error as error:
            if error.kind != "input":
                raise
            return self._unsorted(task, inventory, f"{', '.join(task.paths)}: {error.what}")
        return self.without(rows, bad, task.number)

    def without(self, rows: pa.Table, bad: Iterable[Bad], number: int) -> pa.Table:
        """Results of a bucket in which the VMs of damaged files are rows that say so: what is left of them is no plan's ground."""
        for file in bad:
            names = set(rows.column("vm").to_pylist())
            vms = names if file.vms is None else {vm for vm in file.vms if _layout.bucket(vm) == number}
            kept = rows.filter(pc.invert(pc.is_in(rows.column("vm"), pa.array(sorted(vms), pa.string()))))
            # A file of nobody known is a row itself.
            rows = pa.concat_tables([kept, pa.Table.from_batches(file.rows(self.job_json, sorted(vms) or [file.path]), RESULT_SCHEMA)])
        return rows.sort_by("vm")

    def _unsorted(self, task: Task, inventory: pa.Table, why: str) -> pa.Table:
        vms = vms_of(inventory).union(*(vms_in(path) for path in task.paths))
        return pa.Table.from_batches([failed_row(self.job_json, vm, "unsorted", why) for vm in sorted(vms)], RESULT_SCHEMA)

    def write(self, number: int, print_: str, rows: pa.Table) -> int:
        """Writes a bucket's results; how many VMs."""
        assert self.out is not None
        return _layout.write_bucket(self.out, number, print_, rows)


class Estate:
    """Files of counters, what is known of their VMs, and what its results would be called."""

    def __init__(self, store: Store, files: Sequence[File], inventory: pa.Table, job: Job, is_placed: bool = True) -> None:
        self.store, self.files, self.inventory, self.job = store, files, inventory, job
        self.inventories = _layout.inventory_by_bucket(inventory)
        self.buckets = _layout.buckets_of(files)
        #: Whether each VM's rows are in files of its bucket, so that only paths need to travel.
        self.is_clustered = is_placed and len(files) == sum(map(len, self.buckets.values()))
        self.size = sum(file.size for file in files)
        if self.is_clustered:
            numbers: Iterable[int] = sorted({*self.buckets, *self.inventories})
            made_from = {number: _layout.digest(job, self.buckets.get(number, ())) for number in numbers}
        else:
            # Of files in no order each may have rows of each bucket.
            self.buckets = {}
            made_from = dict.fromkeys(range(_layout.BUCKETS), _layout.digest(job, files))
        self.prints = {number: _layout.fingerprint(of, self.inventories.get(number)) for number, of in made_from.items()}

    @staticmethod
    def at(src: str | os.PathLike[str], inventory: pa.Table, job: Job) -> Estate:
        """The estate of a folder; one without files, or with those of another schema, is refused."""
        store, files = found(src)
        if not files:
            raise FileNotFoundError(f"{os.fspath(src)}: no Parquet files found")
        return Estate(store, files, inventory, job, _check_all(store, files))

    def lies_in(self, store: Store, also: Iterable[int] = ()) -> None:
        """Its rows were laid out there: tasks have paths now, and these buckets results though no rows. What its results are called stays."""
        self.store, self.buckets = store, _layout.buckets_of(store.files())
        self.only({*self.buckets, *also})

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
        return _layout.begin(out, self.job, self.inventory, self.prints, resume)


def _check_all(store: Store, files: Sequence[File]) -> bool:
    """Refuses files of another schema before the first one is worked on. Whether each lies in the bucket of its first VM: folders of
    the same names that another hash chose are no layout. One that cannot be read is said when its turn comes."""

    def check(file: File) -> bool:
        try:
            with store.open(file.name) as opened:
                metadata = pq.read_metadata(opened)
        except Exception as error:
            if not is_damaged(error):
                raise
            return True
        check_schema(metadata.schema.to_arrow_schema(), COUNTERS_SCHEMA, store.path(file.name), OPTIONAL_SCHEMA)
        number = _layout.COUNTERS.search(file.name)
        vm = _first_vm(metadata)
        return number is None or vm is None or _layout.bucket(vm) == int(number[1])

    with ThreadPoolExecutor(max_workers=16) as pool:
        return all(list(pool.map(check, files)))


def _first_vm(metadata: Any) -> str | None:
    """The first VM by the statistics of a file, where it has some."""
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(column)
            if chunk.path_in_schema == "vm":
                statistics = chunk.statistics
                return statistics.min if statistics is not None and statistics.has_min_max else None
    return None


def found(src: str | os.PathLike[str]) -> tuple[Store, list[File]]:
    """The files of a folder, of a pattern (`counters/2026-*/*.parquet`), or the one file."""
    text = os.fspath(src)
    wild = re.search(r"[*?\[]", text)
    if wild:
        folder, _, _ = text[: wild.start()].rpartition("/")
        store = Store.at(folder or ("/" if text.startswith("/") else "."))
        pattern = text[len(folder) :].lstrip("/")
        return store, [file for file in store.files() if fnmatch.fnmatchcase(file.name, pattern)]
    folder, _, name = text.rpartition("/")
    if name.endswith(".parquet"):
        store = Store.at(folder or ("/" if text.startswith("/") else "."))
        one = [file for file in store.files() if file.name == name]
        if one:
            return store, one
    store = Store.at(src)
    return store, store.files()


def read_inventory(inventory: Source) -> pa.Table:
    """An inventory, checked: a table, or the path of a file: Parquet, CSV or JSON."""
    table = _inventory_of(inventory) if isinstance(inventory, (str, os.PathLike)) else as_table(inventory)
    check_schema(table.schema, INVENTORY_SCHEMA, "the inventory", TODAY_SCHEMA)
    batches = [conformed(batch, INVENTORY_SCHEMA, TODAY_SCHEMA) for batch in table.to_batches()]
    of_nobody = sum(batch.column("vm").null_count for batch in batches)
    if of_nobody:
        warnings.warn(f"rows of the inventory without `vm` are left out: {of_nobody}", stacklevel=3)
    return pa.Table.from_batches(batches) if batches else INVENTORY_SCHEMA.empty_table()


def _inventory_of(path: str | os.PathLike[str]) -> pa.Table:
    """The table of a file; CSV and JSON are told by its name. Devices of CSV stand in one cell, with `;` between them."""
    name = os.fspath(path)
    data = _bytes(path)
    try:
        if name.endswith(".csv"):
            rows = [dict(row) for row in csv.DictReader(io.StringIO(data.decode("utf-8-sig")))]
        elif name.endswith((".json", ".jsonl", ".ndjson")):
            text = data.decode("utf-8-sig").strip()
            rows = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            return pq.read_table(pa.BufferReader(data))
        known = {field.name: field for field in (*INVENTORY_SCHEMA, *TODAY_SCHEMA)}
        names = [column for column in known if any(column in row for row in rows)]
        columns = {column: [_cell(row.get(column), known[column].type) for row in rows] for column in names}
        return pa.table(columns, pa.schema([known[column] for column in names]))
    except (ValueError, TypeError, AttributeError, pa.ArrowException) as error:
        raise ValueError(f"{name}: {error}; an inventory is Parquet, CSV with a line of names (.csv), or JSON objects (.json)") from error


def _cell(value: Any, kind: pa.DataType) -> Any:
    if value is None or value == "":
        return None
    if pa.types.is_list(kind):
        return re.split(r"\s*[;,]\s*", value) if isinstance(value, str) else value
    return int(value) if pa.types.is_integer(kind) else value


def _bytes(path: str | os.PathLike[str]) -> bytes:
    folder, _, name = os.fspath(path).rpartition("/")
    return Store.at(folder or ".").read(name)


def as_table(source: Any) -> pa.Table:
    """A table of pyarrow, whatever library it is of."""
    if isinstance(source, pa.Table):
        return source
    if hasattr(source, "__arrow_c_stream__"):
        return pa.table(source)
    if hasattr(source, "to_table"):  # a dataset or a scanner of pyarrow
        return as_table(source.to_table())
    if hasattr(source, "collect") and hasattr(source, "collect_schema"):  # a frame of polars that was not worked out yet
        return as_table(source.collect())
    if isinstance(source, list) and all(isinstance(row, dict) for row in source):
        return pa.Table.from_pylist(source)
    if hasattr(source, "columns") and hasattr(source, "index"):
        return pa.Table.from_pandas(source, preserve_index=False)
    taken = "a path, a table or dataset of pyarrow, a frame of pandas or polars, or a list of dicts"
    raise TypeError(f"{type(source).__name__} is no table: give {taken}")
