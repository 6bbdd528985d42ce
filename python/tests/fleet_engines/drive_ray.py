"""A driver of Ray as a process of its own, with a cluster of two nodes: takes steps as JSON, leaves what came of each in a file."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

from processes import descendants  # beside this file
from steps import job_of, refused_job


def main() -> None:
    steps = json.loads(Path(sys.argv[1]).read_text())
    import ray
    from ray.cluster_utils import Cluster

    # The smallest object store that Ray takes is 75 MiB.
    node = {"num_cpus": 1, "object_store_memory": 100 << 20}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    cluster.add_node(**node)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    try:
        for step in steps:
            STEPS[step["do"]](step)
    finally:
        ray.shutdown()
        cluster.shutdown()


def probe(step: dict[str, Any]) -> None:
    """The nodes on which two tasks run at a time."""
    import ray

    @ray.remote(num_cpus=1)
    def node() -> str:
        time.sleep(1)
        return ray.get_runtime_context().get_node_id()

    Path(step["to"]).write_text(json.dumps(ray.get([node.remote() for _ in range(4)])))


def assess(step: dict[str, Any]) -> None:
    import pyarrow as pa
    import ray

    from diskwright import fleet

    source = step["source"]
    if step["lane"] == "rows":
        source = ray.data.read_parquet(source)
    results = fleet.ray.assess(source, step["inventory"], job_of(step), **{name: step[name] for name in ("partitions",) if name in step})
    table = pa.concat_tables(ray.get(results.to_arrow_refs()), promote_options="default").cast(fleet.RESULT_SCHEMA)
    with pa.OSFile(step["to"], "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def refuse(step: dict[str, Any]) -> None:
    """What is said of counters without a column and with one of another type."""
    import pyarrow.parquet as pq
    import ray

    from diskwright import fleet

    rows = pq.read_table(next(Path(step["source"]).rglob("*.parquet")), partitioning=None).drop_columns(["writes"])
    index = rows.schema.get_field_index("reads")
    rows = rows.set_column(index, "reads", rows["reads"].cast("double"))
    try:
        fleet.ray.assess(ray.data.from_arrow(rows), step["inventory"], job_of(step))
        said = ""
    except ValueError as error:
        said = str(error)
    Path(step["to"]).write_text(json.dumps({"said": said, "of_job": refused_job(fleet.ray, step)}))


def run(step: dict[str, Any]) -> None:
    from diskwright import fleet

    done = threading.Event()
    killed: list[int] = []
    if step.get("kill"):
        threading.Thread(target=kill_a_worker, args=(Path(step["out"]), done, killed), daemon=True).start()
    vms = fleet.ray.run(step["source"], step["inventory"], job_of(step), step["out"], resume=step.get("resume", False))
    done.set()
    Path(step["to"]).write_text(json.dumps({"vms": vms, "killed": len(killed)}))


def kill_a_worker(out: Path, done: threading.Event, killed: list[int]) -> None:
    """Ends one process of this cluster that is at a task of ours, once some results are there."""
    while not done.wait(0.01):
        if len(list(out.glob("bucket-*.parquet"))) >= 2:
            at_work = [pid for pid, line in descendants(os.getpid()) if line.startswith("ray::one")]
            if at_work:
                os.kill(at_work[0], signal.SIGKILL)
                killed.append(at_work[0])
                return


def audit(step: dict[str, Any]) -> None:
    import pyarrow as pa
    import ray

    from diskwright import fleet

    found = fleet.ray.audit(ray.data.from_arrow(fleet.records(step["files"])), partitions=step["partitions"])
    table = pa.concat_tables(ray.get(found.to_arrow_refs()), promote_options="default").cast(fleet.FINDINGS_SCHEMA)
    with pa.OSFile(step["to"], "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


STEPS = {"probe": probe, "assess": assess, "audit": audit, "refuse": refuse, "run": run}

if __name__ == "__main__":
    main()
