"""Assessing an estate on Ray.

    results = fleet.ray.assess(ray.data.read_parquet("counters/"), inventory, job)     # a Dataset, for what you do with it next
    fleet.ray.run("s3://bucket/counters", inventory, job, "s3://bucket/results", resume=True)

A folder that is laid out by bucket takes the file lane: a task for each bucket, to which only paths travel. Other data is grouped by VM, and
a group, which is a VM, must fit in a worker. On a task's second attempt each VM has a process of its own with limited memory, so that a VM
that ended the first one becomes a row. Workers need this wheel and pyarrow.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from . import _layout
from ._audit import Settings, audit_table
from ._engine import Estate, Progress, Source, Stopped, Task, Work, read_inventory
from ._isolated import MEMORY
from ._job import Job
from ._kernel import rows_of, vms_of, without_counters
from ._schema import COUNTERS_SCHEMA, OPTIONAL_SCHEMA, RESULT_SCHEMA, check_schema, named
from ._storage import Store

if TYPE_CHECKING:
    from ray.data import Dataset  # type: ignore[import-not-found, unused-ignore]

#: Parquet of a partition of the shuffle: some million rows.
_PART = 64 << 20
#: How often a bucket is tried.
_ATTEMPTS = 4


def assess(
    source: Source,
    inventory: Source,
    job: Job,
    *,
    partitions: int | None = None,
    vm_memory: int = MEMORY,
) -> Dataset:
    """A Dataset of results, a row for each VM.

    `source`: a Dataset of counters, or a folder that every worker reaches (a path, `s3://`, `abfs://`). `inventory`: a Dataset or table, or the
    path of a Parquet file. `partitions`: of the shuffle; without, by the size of the input. `vm_memory`: bytes that a VM may take on
    a task's second attempt.
    """
    import ray  # type: ignore[import-not-found, unused-ignore]

    machines = _inventory(inventory)
    work = Work.of(job, vm_memory)
    if isinstance(source, (str, os.PathLike)):
        estate = Estate.at(source, machines, job)
        if estate.is_clustered:
            # A block for each, so that one that fails is tried again alone.
            tasks = [Task.table([task]) for task in estate.tasks()]
            return ray.data.from_arrow(tasks).map_batches(_Files(work), batch_size=None, batch_format="pyarrow")
        source = _read(estate)
    rows = _with_markers(source, machines)
    groups = rows.groupby("vm", num_partitions=partitions or _partitions(source))
    return groups.map_groups(_Vm(work, ray.put(machines)), batch_format="pyarrow")


def audit(
    source: Dataset, *, catalogue: Any = None, stripes: str | os.PathLike[str] | None = None, partitions: int | None = None
) -> Dataset:
    """A Dataset of `FINDINGS_SCHEMA`, a row for each finding.

    `source`: a Dataset of `RECORDS_SCHEMA` (`fleet.records` makes such of files). `catalogue`, `stripes`: as `fleet.local.audit` has them.
    """
    settings = Settings.of(catalogue, stripes)
    # By bucket and not by machine: what was looked up for one serves the others.
    rows = source.map_batches(_with_names, batch_format="pyarrow").map_batches(_with_bucket, batch_format="pyarrow")
    groups = rows.groupby("vm_bucket", num_partitions=partitions or _partitions(source))
    return groups.map_groups(_Audit(settings), batch_format="pyarrow")


def run(
    source: str | os.PathLike[str],
    inventory: Source,
    job: Job,
    out: str | os.PathLike[str],
    *,
    resume: bool = False,
    vm_memory: int = MEMORY,
    progress: Progress | None = None,
) -> int:
    """Writes the results of a folder into a folder, a file for each bucket, and says of how many VMs.

    Workers write, so they must reach both folders. With `resume` buckets whose results of the same inputs are there are not worked
    on again; a job that ends early raises `Stopped`, and what it leaves is whole. `progress(done, of, vms)` counts buckets. A folder that
    is not laid out by bucket is grouped by bucket, and each must fit in a worker: lay out a large one first (`diskwright-fleet convert`).
    """
    store = Store.at(out)
    work = Work.of(job, vm_memory, store)
    estate = Estate.at(source, _inventory(inventory), job)
    rows = None
    if not estate.is_clustered:
        rows = _with_markers(_read(estate), estate.inventory).map_batches(_with_bucket, batch_format="pyarrow")
        estate.only(rows.unique("vm_bucket"))
    done = estate.begin(store, resume)
    vms, complete = 0, len(done)
    try:
        left = [number for number in estate.prints if number not in done]
        written = _each(estate.tasks(done), work) if rows is None else _by_bucket(rows, left, work, estate)
        for count in written if left else ():
            vms, complete = vms + count, complete + 1
            if progress is not None:
                progress(complete, len(estate.prints), vms)
    except Exception as error:
        complete = len(_layout.complete(store, estate.prints))
        raise Stopped(store, complete, len(estate.prints), error) from error
    return vms


def _each(tasks: list[Task], work: Work) -> Iterator[int]:
    """How many VMs each bucket has, as they are done. One whose worker ended is tried again, each VM in a process of its own."""
    import ray

    @ray.remote(max_retries=0)  # type: ignore[untyped-decorator, unused-ignore]
    def one(work: Work, task: Task, is_again: bool) -> int:
        return work.write(task.number, task.print_, work.task(task, is_again))

    # More than run at a time, so that no worker waits for the driver; not all, so that a driver holds no ten thousand futures.
    at_once = 4 * max(int(ray.cluster_resources().get("CPU", 1)), 1)
    waiting = iter(tasks)
    running: dict[Any, tuple[Task, int]] = {}
    while True:
        for task in waiting:
            running[one.remote(work, task, False)] = (task, 1)
            if len(running) >= at_once:
                break
        if not running:
            return
        for future in ray.wait(list(running), timeout=None)[0]:
            task, attempts = running.pop(future)
            try:
                yield ray.get(future)
            except (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError):
                if attempts >= _ATTEMPTS:
                    raise
                running[one.remote(work, task, True)] = (task, attempts + 1)


def _by_bucket(rows: Dataset, left: list[int], work: Work, estate: Estate) -> Iterator[int]:
    import ray

    wanted = pa.array(left, pa.int64())
    rows = rows.map_batches(lambda table: table.filter(pc.is_in(table["vm_bucket"], wanted)), batch_format="pyarrow")
    write = _Bucket(work, ray.put(estate.inventory), estate.prints)
    for row in rows.groupby("vm_bucket", num_partitions=len(left)).map_groups(write, batch_format="pyarrow").iter_rows():
        yield row["vms"]


def _inventory(inventory: Source) -> pa.Table:
    import ray

    if not isinstance(inventory, ray.data.Dataset):
        return read_inventory(inventory)
    tables = ray.get(inventory.to_arrow_refs())
    return read_inventory(pa.concat_tables(tables, promote_options="default"))


def _read(estate: Estate) -> Dataset:
    """A folder in any layout, through the one reader of storage: with its retries and credentials."""
    import ray

    paths = [estate.store.path(file.name) for file in estate.files]
    items = ray.data.from_items([{"path": path} for path in paths], override_num_blocks=max(len(paths), 1))
    return items.map_batches(_rows_of, batch_size=1, batch_format="pyarrow")


def _rows_of(table: pa.Table) -> Iterator[pa.Table]:
    for path in table["path"].to_pylist():
        for batch in rows_of(path):
            yield pa.Table.from_batches([batch])


def _with_markers(rows: Dataset, inventory: pa.Table) -> Dataset:
    """The counters, checked, and a row for each VM of the inventory that says nothing: groups are made of rows."""
    import ray

    schema = rows.schema()
    found = getattr(schema, "base_schema", None)
    if not isinstance(found, pa.Schema):
        found = pa.schema([(name, kind if isinstance(kind, pa.DataType) else pa.null()) for name, kind in zip(schema.names, schema.types)])
    check_schema(found, COUNTERS_SCHEMA, "the counters", OPTIONAL_SCHEMA)
    there = [field.name for field in (*COUNTERS_SCHEMA, *OPTIONAL_SCHEMA) if found.get_field_index(field.name) >= 0]
    rows = rows.select_columns(there).map_batches(_with_names, batch_format="pyarrow")
    markers = without_counters(vms_of(inventory))
    if not markers.num_rows:
        return rows
    wanted = pa.schema([pa.field("vm", pa.string()) if name == "vm" else found.field(name) for name in there])
    nulls = [markers["vm"] if field.name == "vm" else pa.nulls(markers.num_rows, field.type) for field in wanted]
    return rows.union(ray.data.from_arrow(pa.Table.from_arrays(nulls, schema=wanted)))


def _with_names(table: pa.Table) -> pa.Table:
    """Rows of nobody have an empty name."""
    return table.set_column(table.schema.get_field_index("vm"), "vm", named(table["vm"].combine_chunks()))


def _partitions(rows: Dataset) -> int:
    import ray

    size = rows.size_bytes() if hasattr(rows, "size_bytes") else None
    return max(2 * int(ray.cluster_resources().get("CPU", 1)), (size or 0) // _PART, 1)


def _with_bucket(table: pa.Table) -> pa.Table:
    return table.append_column("vm_bucket", _layout.buckets_of_rows(table["vm"].combine_chunks()))


def _is_again() -> bool:
    """Whether the task was tried before. Ray has no public word for it; without it, it was not."""
    try:
        from ray._private.worker import global_worker  # type: ignore[import-not-found, unused-ignore]

        return bool(global_worker.core_worker.get_current_task_attempt_number() > 0)
    except (ImportError, AttributeError):
        return False


class _Shared:
    """The inventory by VM, read once in a process."""

    _read: dict[str, tuple[pa.Table, dict[str, list[int]]]] = {}

    def __init__(self, stored: Any) -> None:
        self._stored, self._key = stored, stored.hex()

    def of(self, vms: Iterable[str]) -> pa.Table:
        if self._key not in self._read:
            import ray

            table = ray.get(self._stored)
            places: dict[str, list[int]] = {}
            for row, vm in enumerate(table["vm"].to_pylist()):
                places.setdefault(vm, []).append(row)
            self._read.clear()
            self._read[self._key] = (table, places)
        table, places = self._read[self._key]
        return table.take(pa.array([row for vm in vms for row in places.get(vm, ())], pa.int64()))


class _Audit:
    """The records of some machines to their findings."""

    __name__ = "audit_vms"  # Ray asks a function for it

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, rows: pa.Table) -> pa.Table:
        return audit_table(rows, self._settings)


class _Vm:
    """The rows of one VM to its result."""

    __name__ = "assess_vm"  # Ray asks a function for it

    def __init__(self, work: Work, inventory: Any) -> None:
        self._work, self._inventory = work, _Shared(inventory)

    def __call__(self, rows: pa.Table) -> pa.Table:
        inventory = self._inventory.of(rows["vm"].unique().to_pylist())
        return pa.Table.from_batches(self._work.rows(_layout.in_order(rows).to_batches(), inventory, _is_again()), RESULT_SCHEMA)


class _Files:
    """Buckets by their files to results."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, tasks: pa.Table) -> Iterator[pa.Table]:
        for task in Task.of(tasks):
            yield self._work.task(task, _is_again())


class _Bucket:
    """The rows of a bucket to a file of results."""

    __name__ = "write_bucket"  # Ray asks a function for it

    def __init__(self, work: Work, inventory: Any, prints: dict[int, str]) -> None:
        self._work, self._inventory, self._prints = work, _Shared(inventory), prints

    def __call__(self, rows: pa.Table) -> pa.Table:
        number = rows["vm_bucket"][0].as_py()
        inventory = self._inventory.of(rows["vm"].unique().to_pylist())
        results = self._work.bucket(_layout.in_order(rows).to_batches(), inventory, _is_again())
        return pa.table({"vms": [self._work.write(number, self._prints[number], results)]})


__all__ = ["Stopped", "assess", "run"]
