"""A driver of Spark as a process of its own: takes steps as JSON, leaves what came of each in a file. Run by `test_spark.py`.

The cluster is `local-cluster[2,1,1024]`: executors and their Python workers are processes of their own, in an environment that lacks what
this one has.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from steps import job_of, refused_job  # beside this file


def main() -> None:
    asked = json.loads(Path(sys.argv[1]).read_text())
    # Not by PYTHONPATH, which workers would inherit.
    sys.path.insert(0, asked["spark"])
    os.environ.update(SPARK_HOME=asked["home"], PYSPARK_PYTHON=asked["worker"], SPARK_LOCAL_IP="127.0.0.1")
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(asked.get("master", "local-cluster[2,1,1024]"))
    conf = {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "4", "spark.sql.session.timeZone": "Asia/Kolkata",
        **asked.get("conf", {}),
    }  # fmt: skip
    for name, value in conf.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    print("ready", flush=True)
    for step in asked["steps"]:
        STEPS[step["do"]](spark, step)
    spark.stop()


def assess(spark: Any, step: dict[str, Any]) -> None:
    """Results as an Arrow file."""
    import pyarrow as pa

    from diskwright import fleet

    source = step["source"]
    if step["lane"] == "rows":
        source = spark.read.option("recursiveFileLookup", "true").parquet(source)
    more = {name: step[name] for name in ("partitions", "vm_memory") if name in step}
    results = fleet.spark.assess(source, step["inventory"], job_of(step), spark=spark, **more)
    table = pa.Table.from_pylist([row.asDict() for row in results.collect()], fleet.RESULT_SCHEMA)
    with pa.OSFile(step["to"], "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def run(spark: Any, step: dict[str, Any]) -> None:
    """Results as a folder; how many VMs as JSON."""
    from diskwright import fleet

    told: list[Any] = []
    begun = time.monotonic()
    vms = fleet.spark.run(
        step["source"], step["inventory"], job_of(step), step["out"], spark=spark, resume=step.get("resume", False), progress=lambda *now: told.append(now)
    )
    Path(step["to"]).write_text(json.dumps({"vms": vms, "told": told, "seconds": time.monotonic() - begun}))


def refuse(spark: Any, step: dict[str, Any]) -> None:
    """What is said of counters without a column and with one of another type, and how many jobs Spark was given for it."""
    from pyspark.sql import functions as F

    from diskwright import fleet

    df = spark.read.option("recursiveFileLookup", "true").parquet(step["source"]).drop("writes").withColumn("reads", F.col("reads").cast("double"))
    before = len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))
    try:
        fleet.spark.assess(df, step["inventory"], job_of(step))
        said = ""
    except ValueError as error:
        said = str(error)
    jobs = len(spark.sparkContext.statusTracker().getJobIdsForGroup(None)) - before
    Path(step["to"]).write_text(json.dumps({"said": said, "jobs": jobs, "of_job": refused_job(fleet.spark, step)}))


def probe(spark: Any, step: dict[str, Any]) -> None:
    """The processes of workers, and which packages they find."""

    def look(batches: Any) -> Any:
        import importlib.util
        import os

        import pyarrow as pa

        for _ in batches:
            names = [name for name in ("diskwright", "pyarrow", "pandas", "numpy") if importlib.util.find_spec(name)]
            yield pa.RecordBatch.from_pydict({"process": [os.getpid()], "parent": [os.getppid()], "has": [" ".join(names)]})

    rows = spark.range(8).repartition(8).mapInArrow(look, "process bigint, parent bigint, has string").collect()
    Path(step["to"]).write_text(json.dumps([row.asDict() for row in rows] + [{"driver": os.getpid()}]))


def audit(spark: Any, step: dict[str, Any]) -> None:
    """Findings as an Arrow file."""
    import pyarrow as pa

    from diskwright import fleet

    rows = [tuple(row.values()) for row in fleet.records(step["files"]).to_pylist()]
    source = spark.createDataFrame(rows, "vm string, source string, record string")
    found = fleet.spark.audit(source, partitions=step["partitions"])
    table = pa.Table.from_pylist([row.asDict() for row in found.collect()], fleet.FINDINGS_SCHEMA)
    with pa.OSFile(step["to"], "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


STEPS = {"assess": assess, "audit": audit, "run": run, "refuse": refuse, "probe": probe}

if __name__ == "__main__":
    main()
