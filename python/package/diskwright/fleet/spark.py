"""Assessing an estate on Spark 3.5 and 4: a `mapInArrow` of the one kernel.

    results = fleet.spark.assess(spark.read.parquet("counters/"), inventory, job)      # a DataFrame, for what you do with it next
    fleet.spark.run("s3://bucket/counters", inventory, job, "s3://bucket/results", spark=spark, resume=True)

Rows are shuffled by VM and sorted, since Arrow batches do not respect groups; the kernel cuts VMs itself. A folder that is laid out by bucket
takes the file lane: only paths travel, and workers read the Parquet. On a task's second attempt each VM has a process of its own with
limited memory, so that a VM that ended the first one becomes a row.

Workers need this wheel and pyarrow, the driver pandas too (Spark asks for it).
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from . import _layout
from ._audit import Settings, audit_arrow
from ._engine import Estate, Progress, Source, Stopped, Task, Work, read_inventory
from ._isolated import MEMORY
from ._job import Job
from ._kernel import stream_of, table_of, vms_of
from ._schema import (
    COUNTERS_SCHEMA, FINDINGS_SCHEMA, INVENTORY_SCHEMA, OPTIONAL_SCHEMA, RECORDS_SCHEMA, RESULT_SCHEMA, TODAY_SCHEMA, check_schema,
)  # fmt: skip
from ._storage import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession  # type: ignore[import-not-found, unused-ignore]

_RESULTS = ", ".join(
    f"{field.name} {'array<string>' if pa.types.is_list(field.type) else 'bigint' if field.type == pa.int64() else 'string'}"
    for field in RESULT_SCHEMA
)
_FINDINGS = ", ".join(f"{field.name} {'double' if field.type == pa.float64() else 'string'}" for field in FINDINGS_SCHEMA)
_TASKS = "number bigint, paths array<string>, inventory binary, print string"
#: Parquet of a task: some million rows, a few hundred megabytes as Spark shuffles them.
_PART = 64 << 20


def assess(
    source: Source,
    inventory: Source,
    job: Job,
    *,
    spark: SparkSession | None = None,
    partitions: int | None = None,
    vm_memory: int = MEMORY,
) -> DataFrame:
    """A DataFrame of results, a row for each VM.

    `source`: a DataFrame of counters, or a folder that every worker reaches (a path, `s3://`, `abfs://`). `inventory`: a DataFrame or
    table, or the path of a Parquet file. `partitions`: tasks of the shuffle; without, by the size of the input. `vm_memory`: bytes
    that a VM may take on a task's second attempt.
    """
    machines = _inventory(inventory)
    work = Work.of(job, vm_memory)
    if isinstance(source, (str, os.PathLike)):
        spark = spark or _session()
        estate = Estate.at(source, machines, job)
        if estate.is_clustered:
            return _of_tasks(spark, estate.tasks()).mapInArrow(_Files(work), _RESULTS)
        source = _read(spark, estate)
        partitions = partitions or _partitions(spark, estate.size)
    check_schema(_arrow_schema(source), COUNTERS_SCHEMA, "the counters", OPTIONAL_SCHEMA)
    spark = source.sparkSession
    partitions = partitions or _partitions(spark, _size(source))
    rows = _with_markers(source, machines).repartition(partitions, "vm").sortWithinPartitions("vm", "ts", "device")
    return rows.mapInArrow(_Stream(work, _Shared(spark, machines)), _RESULTS)


def audit(
    source: DataFrame, *, catalogue: Any = None, stripes: str | os.PathLike[str] | None = None, partitions: int | None = None
) -> DataFrame:
    """A DataFrame of `FINDINGS_SCHEMA`, a row for each finding.

    `source`: a DataFrame of `RECORDS_SCHEMA` (`fleet.records` makes such of files). `catalogue`, `stripes`: as `fleet.local.audit` has them.
    `partitions`: tasks of the shuffle; without, by the size of the input.
    """
    check_schema(_arrow_schema(source), RECORDS_SCHEMA, "the records")
    settings = Settings.of(catalogue, stripes)
    # Records of no machine are one group, whichever way they have none.
    rows = source.fillna("", subset=["vm"])
    order = [name for name in ("vm", "source", "record") if name in source.columns]
    parts = partitions or _partitions(source.sparkSession, _size(source))
    return rows.repartition(parts, "vm").sortWithinPartitions(*order).mapInArrow(_Audit(settings), _FINDINGS)


def run(
    source: str | os.PathLike[str],
    inventory: Source,
    job: Job,
    out: str | os.PathLike[str],
    *,
    spark: SparkSession | None = None,
    resume: bool = False,
    partitions: int | None = None,
    vm_memory: int = MEMORY,
    progress: Progress | None = None,
) -> int:
    """Writes the results of a folder into a folder, a file for each bucket, and says of how many VMs.

    Workers write, so they must reach both folders. With `resume` buckets whose results of the same inputs are there are not worked
    on again; a job that ends early raises `Stopped`, and what it leaves is whole. `progress(done, of, vms)` counts buckets.
    """
    spark = spark or _session()
    store = Store.at(out)
    work = Work.of(job, vm_memory, store)
    estate = Estate.at(source, _inventory(inventory), job)
    rows = None
    if not estate.is_clustered:
        from pyspark.sql import functions as F  # type: ignore[import-not-found, unused-ignore]

        rows = _with_markers(_read(spark, estate), estate.inventory)
        rows = rows.withColumn("vm_bucket", (F.crc32(F.col("vm").cast("binary")) % _layout.BUCKETS).cast("int"))
        estate.only(row[0] for row in rows.select("vm_bucket").distinct().collect() if row[0] is not None)
    done = estate.begin(store, resume)
    left = [number for number in estate.prints if number not in done]
    if rows is None:
        written = _of_tasks(spark, estate.tasks(done)).mapInArrow(_Files(work), "number bigint, vms bigint")
    else:
        rows = rows.where(rows["vm_bucket"].isin(left)) if done else rows
        parts = min(partitions or _partitions(spark, estate.size), max(len(left), 1))
        rows = rows.repartition(parts, "vm_bucket").sortWithinPartitions("vm_bucket", "vm", "ts", "device")
        shared = _Shared(spark, estate.inventory)
        written = rows.mapInArrow(_Buckets(work, shared, estate.prints), "number bigint, vms bigint")
    if not left:
        return 0
    try:
        with _told(store, estate, len(estate.prints), progress):
            counted = written.collect()
    except Exception as error:
        complete = len(_layout.complete(store, estate.prints))
        raise Stopped(store, complete, len(estate.prints), error) from error
    return sum(row["vms"] for row in counted)


def _session() -> Any:
    from pyspark import SparkConf  # type: ignore[import-not-found, unused-ignore]
    from pyspark.sql import SparkSession  # type: ignore[import-not-found, unused-ignore]

    # Without a cluster workers are on this machine, and Spark would take the first `python3` of the path.
    if (SparkConf().get("spark.master") or "local").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return SparkSession.builder.getOrCreate()


def _inventory(inventory: Source) -> pa.Table:
    if isinstance(inventory, (str, os.PathLike)) or not hasattr(inventory, "sparkSession"):
        return read_inventory(inventory)
    schema = _arrow_schema(inventory)
    check_schema(schema, INVENTORY_SCHEMA, "the inventory", TODAY_SCHEMA)
    rows = [row.asDict() for row in inventory.collect()]
    return read_inventory(pa.Table.from_pylist(rows, schema))


def _arrow_schema(df: DataFrame) -> pa.Schema:
    """The schema as Arrow has it; a type that Arrow has no word for is null, which fits no column."""
    from pyspark.sql.pandas.types import to_arrow_type  # type: ignore[import-not-found, unused-ignore]

    def kind(of: Any) -> pa.DataType:
        if of.typeName() == "timestamp":  # an instant; the zone is only how it is shown
            return pa.timestamp("us", tz="UTC")
        try:
            return to_arrow_type(of)
        except Exception:
            return pa.null()

    return pa.schema([(field.name, kind(field.dataType)) for field in df.schema.fields])


def _read(spark: SparkSession, estate: Estate) -> DataFrame:
    """A folder in any layout, through Spark's own reader. Of a path Hadoop would make one of its default file system."""
    place = f"file://{estate.store.place}" if estate.store.is_local else estate.store.place.replace("s3://", "s3a://", 1)
    return spark.read.option("recursiveFileLookup", "true").parquet(place)


def _with_markers(df: DataFrame, inventory: pa.Table) -> DataFrame:
    """The counters, and a row for each VM of the inventory that says nothing: after a shuffle nobody knows else who is missing."""
    from pyspark.sql import functions as F  # type: ignore[import-not-found, unused-ignore]

    names = [name for name in (*COUNTERS_SCHEMA.names, *OPTIONAL_SCHEMA.names) if name in df.columns]
    df = df.select(*names).withColumn("vm", F.coalesce(F.col("vm"), F.lit("")))
    vms = sorted(vms_of(inventory))
    if not vms:
        return df
    kinds = {field.name: field.dataType for field in df.schema.fields}
    markers = df.sparkSession.createDataFrame([(vm,) for vm in vms], "vm string")
    return df.unionByName(markers.select("vm", *(F.lit(None).cast(kinds[name]).alias(name) for name in names if name != "vm")))


def _size(df: DataFrame) -> int | None:
    """Bytes of the input, as Spark's planner estimates them; Spark Connect does not say."""
    try:
        return int(str(df._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))
    except Exception:
        return None


def _partitions(spark: SparkSession, size: int | None) -> int:
    least = int(spark.conf.get("spark.sql.shuffle.partitions", "200") or 200)
    # Without a figure Spark's planner says the largest number there is.
    return least if size is None or size > 1 << 60 else max(least, size // _PART)


def _of_tasks(spark: SparkSession, tasks: list[Task]) -> DataFrame:
    """A partition for each: one that fails is tried again alone."""
    rows = [tuple(row.values()) for row in Task.table(tasks).to_pylist()]
    return spark.createDataFrame(rows, _TASKS).coalesce(1).repartition(max(len(rows), 1))


def _is_again() -> bool:
    from pyspark import TaskContext  # type: ignore[import-not-found, unused-ignore]

    context = TaskContext.get()
    return context is not None and context.attemptNumber() > 0


class _Shared:
    """An inventory, sent to each executor once where the session can (not by Spark Connect), and read once in a process."""

    _read: dict[int, pa.Table] = {}

    def __init__(self, spark: SparkSession, inventory: pa.Table) -> None:
        stream = stream_of(inventory)
        self._key = hash(stream)
        try:
            self._value: Any = spark.sparkContext.broadcast(stream)
        except Exception:
            self._value = stream

    def table(self) -> pa.Table:
        if self._key not in self._read:
            self._read.clear()
            self._read[self._key] = table_of(self._value if isinstance(self._value, bytes) else self._value.value)
        return self._read[self._key]


class _Audit:
    """Records in the order of vm to findings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        return audit_arrow(batches, self._settings)


class _Stream:
    """Rows in the order of vm to results."""

    def __init__(self, work: Work, inventory: _Shared) -> None:
        self._work, self._inventory = work, inventory

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
        return self._work.rows(batches, self._inventory.table(), _is_again())


class _Files:
    """Buckets by their files to results, or, where these are written, to how many there are."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for task in Task.of(batch):
                rows = self._work.task(task, _is_again())
                if self._work.out is None:
                    yield from rows.to_batches()
                else:
                    yield _counted(task.number, self._work.write(task.number, task.print_, rows))


class _Buckets:
    """Rows in the order of bucket and vm to files of results."""

    def __init__(self, work: Work, inventory: _Shared, prints: dict[int, str]) -> None:
        self._work, self._inventory, self._prints = work, inventory, prints

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        inventories = _layout.inventory_by_bucket(self._inventory.table())
        nobody = self._inventory.table().slice(0, 0)
        for number, rows in _by_bucket(batches):
            results = self._work.bucket(rows, inventories.get(number, nobody), _is_again())
            yield _counted(number, self._work.write(number, self._prints[number], results))


def _by_bucket(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
    def pieces() -> Iterator[tuple[int, pa.RecordBatch]]:
        for batch in batches:
            numbers = batch.column("vm_bucket")
            for number in numbers.unique().to_pylist():
                yield number, batch.filter(pc.equal(numbers, number))

    for number, group in itertools.groupby(pieces(), key=lambda piece: piece[0]):
        yield number, (piece for _, piece in group)


def _counted(number: int, vms: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"number": pa.array([number], pa.int64()), "vms": pa.array([vms], pa.int64())})


@contextmanager
def _told(store: Store, estate: Estate, of: int, progress: Progress | None) -> Iterator[None]:
    """Tells how many files of results are there while the job runs: that is what is done, whoever did it."""
    if progress is None:
        yield
        return
    ended = threading.Event()

    def tell() -> None:
        while not ended.wait(2.0):
            progress(len(_layout.complete(store, estate.prints)), of, 0)

    teller = threading.Thread(target=tell, name="diskwright-progress", daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
    progress(len(_layout.complete(store, estate.prints)), of, 0)


__all__ = ["Stopped", "assess", "run"]
