"""A made-up estate whose answers are known."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .._native import FleetSynth
from . import _layout


def synth(
    store: Any, *, vms: int, days: int, disks: int = 4, every: int = 60, seed: int = 1, faults: bool = False
) -> int:
    """Writes counters/, inventory.parquet and expected.parquet; how many rows of counters."""
    from .local import write_counters
    from ._storage import Store

    estate = FleetSynth(vms=vms, days=days, disks=disks, every_s=every, seed=seed, faults=faults)
    of_bucket: dict[int, list[int]] = {}
    for index, name in enumerate(estate.names()):
        of_bucket.setdefault(_layout.bucket(name), []).append(index)
    rows = 0
    counters = Store.at(store.path("counters"))
    names = estate.names()
    for number, indices in sorted(of_bucket.items()):
        parts = [pa.table(estate.counters(index)) for index in sorted(indices, key=lambda index: names[index])]
        table = pa.concat_tables(parts)
        rows += table.num_rows
        if table.num_rows:
            write_counters(counters, number, table)
    for name, table in [("inventory", estate.inventory()), ("expected", estate.expected())]:
        sink = pa.BufferOutputStream()
        pq.write_table(pa.table(table), sink, compression="zstd")
        store.write(f"{name}.parquet", sink.getvalue().to_pybytes())
    return rows
