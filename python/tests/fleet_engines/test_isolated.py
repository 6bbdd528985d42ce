"""A VM in a process of its own: the same row; one that needs too much memory or ends its process is a row, and the next VM is not touched."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from diskwright import fleet
from diskwright.fleet import _isolated
from diskwright.fleet._isolated import assess_isolated, by_vm
from diskwright.fleet._kernel import read_files
from diskwright.fleet._storage import Store

from .conftest import same


def batches(estate: SimpleNamespace) -> Iterator[pa.RecordBatch]:
    store = Store.at(estate.counters)
    paths = [store.path(file.name) for file in store.files()]
    rows = pa.Table.from_batches(itertools.chain.from_iterable(read_files([path]) for path in paths))
    yield from rows.sort_by([("vm", "ascending"), ("ts", "ascending"), ("device", "ascending")]).to_batches(max_chunksize=97)


@pytest.mark.parametrize(
    "cuts, expected",
    [
        ([], []),
        ([[]], []),
        ([["a"]], [("a", 1)]),
        ([["a", "a", "b"], ["b"], ["c", "d"]], [("a", 2), ("b", 2), ("c", 1), ("d", 1)]),
        ([["a"], [], ["a"]], [("a", 2)]),
    ],
)
def test_a_stream_is_cut_by_vm(cuts: list[list[str]], expected: list[tuple[str, int]]) -> None:
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        stream = [pa.record_batch({"vm": pa.array(cut, pa.string()).cast(kind)}) for cut in cuts]
        assert [(vm, sum(batch.num_rows for batch in rows)) for vm, rows in by_vm(stream)] == expected


def test_rows_of_nobody_are_together_and_part_no_vm() -> None:
    batches = [pa.record_batch({"vm": names}) for names in (["a", None, "a"], [None, "a", "b"])]
    assert [(vm, sum(piece.num_rows for piece in pieces)) for vm, pieces in by_vm(batches)] == [("a", 3), ("b", 1), ("", 2)]


def test_rows_are_those_of_the_kernel(estate: SimpleNamespace, job: fleet.Job, expected: pa.Table) -> None:
    inventory = fleet.local.read_inventory(estate.inventory)
    rows = pa.Table.from_batches(assess_isolated(batches(estate), inventory, job.to_json()))
    # VMs without counters are not in a stream.
    there = set(rows["vm"].to_pylist())
    same(rows, expected.filter(pa.array([vm in there for vm in expected["vm"].to_pylist()])))
    assert rows.num_rows > 6


def test_a_vm_that_needs_too_much_memory_is_a_row(estate: SimpleNamespace, job: fleet.Job, expected: pa.Table) -> None:
    """One VM has a batch that does not fit; those before and after it do."""
    inventory = fleet.local.read_inventory(estate.inventory)
    names = sorted(set(expected.filter(pc.equal(expected["status"], "planned"))["vm"].to_pylist()))
    large = names[1]

    def stream() -> Iterator[pa.RecordBatch]:
        for vm, rows in by_vm(batches(estate)):
            if vm in names[:3]:
                for batch in rows:
                    # Each row many times, so that they stay in order: some 300 MB.
                    yield batch.take(sorted([*range(batch.num_rows)] * 20_000)) if vm == large else batch

    rows = pa.Table.from_batches(assess_isolated(stream(), inventory, job.to_json(), memory=192 << 20)).to_pylist()
    assert [(row["vm"], row["status"], row["code"]) for row in rows] == [
        (names[0], "planned", None), (large, "failed", "out_of_memory"), (names[2], "planned", None),
    ]  # fmt: skip
    assert "192 MiB" in rows[1]["message"]


def test_a_vm_that_ends_its_process_is_a_row(estate: SimpleNamespace, job: fleet.Job, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is not there any more, as if it had been ended from outside."""
    inventory = fleet.local.read_inventory(estate.inventory)
    assess = _isolated._Server.assess
    ended: list[str] = []

    def once(self: _isolated._Server, rows: Iterator[pa.RecordBatch], of: pa.Table) -> list[pa.RecordBatch]:
        if not ended:
            ended.append(of["vm"][0].as_py())
            self._process.kill()
        return assess(self, rows, of)

    monkeypatch.setattr(_isolated._Server, "assess", once)
    rows = pa.Table.from_batches(assess_isolated(batches(estate), inventory, job.to_json())).to_pylist()
    assert (rows[0]["vm"], rows[0]["code"]) == (ended[0], "died")
    assert all(row["code"] != "died" for row in rows[1:])
    assert len(rows) > 6
