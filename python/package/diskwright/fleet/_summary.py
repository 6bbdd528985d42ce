"""What an estate comes to, and one VM of it."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from .._native import FleetSummary, Report, report_of
from ._layout import bucket, read_inventory, read_results


def summarise(store: Any) -> FleetSummary:
    """The summary of a folder of results."""
    names = ["vm", "status", "code", "message", "vm_size", "monthly_micros", "binding_limit", "findings", "rows_used", "rows_dropped"]
    results = read_results(store, names)
    if results.num_rows == 0:
        raise ValueError(f"{store.path()}: no results found; `diskwright-fleet assess --out` writes them")
    return FleetSummary(results, read_inventory(store), _currency(store))


def _currency(store: Any) -> str:
    job = json.loads(store.read("_job.json"))
    return str(job["plan"].get("currency", "USD"))


def report(store: Any, vm: str) -> Report:
    """The page of one VM."""
    import pyarrow.parquet as pq

    prefix = f"bucket-{bucket(vm):04}-"
    for file in store.files():
        if file.name.startswith(prefix):
            table = pq.read_table(pa.BufferReader(store.read(file.name)), filters=[("vm", "=", vm)])
            for row in table.to_pylist():
                return _page(row)
    raise ValueError(f"{store.path()}: there are no results for VM `{vm}`{_near(store, vm)}")


def _page(row: dict[str, Any]) -> Report:
    documents = [("checklist", row["checklist_json"]), ("plan", row["plan_json"])]
    there = [(name, text) for name, text in documents if text is not None]
    if not there:
        why = row["message"] or "the job ran with --no-documents"
        raise ValueError(f"VM `{row['vm']}` has no documents ({row['status']}): {why}")
    return report_of(there, row["vm"])


def _near(store: Any, vm: str) -> str:
    import difflib

    names = read_results(store, ["vm"]).column("vm").to_pylist()
    near = difflib.get_close_matches(vm, names, n=3)
    return f"; did you mean {', '.join(near)}?" if near else ""
