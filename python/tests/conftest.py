"""What tests share: the recording of the example, and what the chain makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import diskwright as dw

ROOT = Path(__file__).resolve().parents[2]
RECORDING = ROOT / "crates" / "diskwright" / "data" / "iostat.txt"


@pytest.fixture(scope="session")
def seen() -> dw.Checklist:
    return dw.observe(RECORDING, volumes={"data": "sdc", "log": "sdd"})


@pytest.fixture(scope="session")
def wanted(seen: dw.Checklist) -> dw.Requirements:
    return seen.requirements(capacity={"data": "750 GiB", "log": "120 GiB"}, region="westeurope")


@pytest.fixture(scope="session")
def planned(wanted: dw.Requirements) -> dw.Plan:
    return dw.plan(wanted, choices=False)


@pytest.fixture(scope="session")
def rig() -> dw.Rig:
    return dw.Rig.from_dict(
        {"vm": {"size": "Standard_DS14"}, "volume": [{"name": "data", "mount": "/data", "disks": "P30"}]}
    )


JOB = """[reads]
filename=/data/file
size=1g
rw=randread
bs=8k
iodepth=64
ioengine=libaio
direct=1
runtime={seconds}
time_based=1
"""
