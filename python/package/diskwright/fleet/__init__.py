"""An estate of VMs: from counters in Parquet to a plan for each.

    from diskwright import fleet

    job = fleet.Job(windows=["load"], plan={"percentile": 99})
    results = fleet.local.assess("counters/", "inventory.parquet", job, threads=2)

What is wrong with the machines of an estate, from its inventory alone, as `diskwright audit` finds it:

    findings = fleet.local.audit(["vms.json", "disks.json"])       # or fleet.spark.audit, fleet.ray.audit of fleet.records(...)

The same on a cluster: `fleet.spark.assess` and `fleet.ray.assess`. The answers do not depend on the engine, on partitions or on threads. A VM
that cannot be planned is a row with a `code` and a `message`. `docs/guide/fleet.md` has the tables, the layout and how to size a job.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._audit import records
from ._job import Job
from ._schema import (
    COUNTERS_SCHEMA, FINDINGS_SCHEMA, HOST_SCHEMA, INVENTORY_SCHEMA, OPTIONAL_SCHEMA, RECORDS_SCHEMA, RESULT_SCHEMA, TODAY_SCHEMA,
    UNPARTED_SCHEMA, SchemaError, check_schema,
)  # fmt: skip

if TYPE_CHECKING:
    from . import local, ray, spark

__all__ = [
    "COUNTERS_SCHEMA", "FINDINGS_SCHEMA", "HOST_SCHEMA", "INVENTORY_SCHEMA", "OPTIONAL_SCHEMA", "RECORDS_SCHEMA", "RESULT_SCHEMA",
    "TODAY_SCHEMA", "UNPARTED_SCHEMA",
    "Job", "SchemaError", "check_schema", "records",
    "local", "ray", "spark",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # Engines are read when they are asked for: none of them is needed for another.
    if name in ("local", "ray", "spark"):
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
