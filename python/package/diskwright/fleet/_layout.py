"""Where counters and results lie, and which results are there already.

    counters/vm_bucket=0017/*.parquet        VMs whose crc32 % 1024 is 17, in the order of vm, ts, device
    results/_job.json                        the job
    results/_inventory.parquet               what the VMs have
    results/bucket-0017-2f6c….parquet        their results; the name says of which job and of which inputs

A file of results appears whole under its name, or not at all. So a listing says what is complete.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ._job import Job
from ._schema import INVENTORY_SCHEMA, RESULT_SCHEMA, TODAY_SCHEMA, named

#: Buckets that VMs are laid out in.
BUCKETS = 1024
#: The names of files of counters and of results.
COUNTERS = re.compile(r"(?:^|/)vm_bucket=(\d+)/[^/]+\.parquet$")
RESULTS = re.compile(r"^bucket-(\d{4})-([0-9a-f]{16})\.parquet$")
JOB = "_job.json"
INVENTORY = "_inventory.parquet"


def bucket(vm: str) -> int:
    """The bucket of a VM."""
    return zlib.crc32(vm.encode()) % BUCKETS


def buckets_of_rows(vms: Any) -> pa.Array:
    """The bucket of each row, by the column of its VM."""
    names = named(vms).dictionary_encode()
    return pa.array([bucket(vm) for vm in names.dictionary.to_pylist()], pa.int64()).take(names.indices)


def in_order(table: pa.Table) -> pa.Table:
    """Counters in the order in which they lie."""
    return table.sort_by([("vm", "ascending"), ("ts", "ascending"), ("device", "ascending")])


def buckets_of(files: Iterable[Any]) -> dict[int, list[Any]]:
    """Files of counters by bucket; those that are in none are left out."""
    found: dict[int, list[Any]] = {}
    for file in files:
        match = COUNTERS.search(file.name)
        if match:
            found.setdefault(int(match[1]), []).append(file)
    return dict(sorted(found.items()))


def inventory_by_bucket(inventory: pa.Table) -> dict[int, pa.Table]:
    """The rows of an inventory by the bucket of their VM, in one order whatever theirs is."""
    inventory = inventory.sort_by([("vm", "ascending"), ("volume", "ascending")])
    places: dict[int, list[int]] = {}
    for row, vm in enumerate(inventory.column("vm").to_pylist()):
        if vm is not None:
            places.setdefault(bucket(vm), []).append(row)
    return {number: inventory.take(rows) for number, rows in places.items()}


def digest(job: Job, files: Iterable[Any]) -> Any:
    """A job, and files with size and version: the beginning of a fingerprint."""
    digest = hashlib.sha256(job.job_id.encode())
    for file in sorted(files, key=lambda file: file.name):
        digest.update(f"\n{file.name}\t{file.size}\t{file.version}".encode())
    return digest


def fingerprint(digest: Any, inventory: pa.Table | None) -> str:
    """What a bucket's results are made from: the job, its files, and its part of the inventory."""
    digest = digest.copy()
    if inventory is not None:
        names = [name for name in (*INVENTORY_SCHEMA.names, *TODAY_SCHEMA.names) if name in inventory.column_names]
        digest.update(repr(inventory.select(names).to_pylist()).encode())
    whole: str = digest.hexdigest()
    return whole[:16]


def result_name(number: int, print_: str) -> str:
    return f"bucket-{number:04}-{print_}.parquet"


def complete(store: Any, fingerprints: Mapping[int, str]) -> set[int]:
    """Buckets whose results of these inputs are there."""
    names = {file.name for file in store.files()}
    return {number for number, print_ in fingerprints.items() if result_name(number, print_) in names}


def begin(store: Any, job: Job, inventory: pa.Table, fingerprints: Mapping[int, str], resume: bool) -> set[int]:
    """Says what the folder is of, takes results of other inputs away (all of them without `resume`), and gives the buckets that are complete."""
    known = {result_name(number, print_) for number, print_ in fingerprints.items()} if resume else set()
    for file in store.files():
        if RESULTS.match(file.name) and file.name not in known:
            store.delete(file.name)
    store.write(JOB, (job.to_json() + "\n").encode())
    store.write(INVENTORY, _parquet(inventory))
    return complete(store, fingerprints)


def write_bucket(store: Any, number: int, print_: str, rows: pa.Table) -> int:
    """Writes the results of a bucket, which are in the order of their VMs; how many there are."""
    store.write(result_name(number, print_), _parquet(rows))
    return int(rows.num_rows)


def read_results(store: Any, columns: list[str] | None = None) -> pa.Table:
    """All results of a folder, in the order of bucket and VM."""
    names = sorted(file.name for file in store.files() if RESULTS.match(file.name))
    parts = [pq.read_table(pa.BufferReader(store.read(name)), columns=columns) for name in names]
    schema = RESULT_SCHEMA if columns is None else pa.schema([RESULT_SCHEMA.field(name) for name in columns])
    return pa.concat_tables(parts) if parts else schema.empty_table()


def results_dataset(store: Any) -> Any:
    """The same as a dataset, which reads nothing before it is asked."""
    import pyarrow.dataset as ds

    names = sorted(file.name for file in store.files() if RESULTS.match(file.name))
    paths = [store.within(name) for name in names]
    return ds.FileSystemDataset.from_paths(paths, RESULT_SCHEMA, ds.ParquetFileFormat(), store.filesystem())


def read_inventory(store: Any) -> pa.Table:
    """The inventory that the results of a folder rest on."""
    return pq.read_table(pa.BufferReader(store.read(INVENTORY)))


def _parquet(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue().to_pybytes())
