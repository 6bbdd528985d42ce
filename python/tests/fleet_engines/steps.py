"""What the drivers of all engines do alike."""

from __future__ import annotations

from typing import Any


def job_of(step: dict[str, Any]) -> Any:
    from diskwright import fleet

    return fleet.Job(**step["job"])


def refused_job(engine: Any, step: dict[str, Any]) -> str:
    """What an engine says of a job that every VM would fail by."""
    import diskwright
    from diskwright import fleet

    try:
        engine.run(step["source"], step["inventory"], fleet.Job(windows=["noon"]), step["to"] + "-nowhere")
    except diskwright.Error as error:
        return str(error)
    return ""
