"""The package as a package: what it costs to import, and whether its types are true."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import diskwright as dw


def test_importing_brings_in_nothing_heavy() -> None:
    """Counted in modules, since seconds depend on the machine."""
    code = "import sys; before = set(sys.modules); import diskwright; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    roots = {name.split(".")[0] for name in loaded}
    assert not roots & {"pyarrow", "pandas", "polars", "numpy", "tqdm", "pyspark", "ray"}, roots
    assert len(loaded) < 120, loaded


SETTINGS = str(Path(__file__).resolve().parents[1] / "pyproject.toml")
# Types of engines are there for mypy alone: no engine is imported for them.
ALLOWED = str(Path(__file__).resolve().parent / "stubtest-allowed.txt")


@pytest.mark.parametrize(
    "tool",
    [["mypy", "--config-file", SETTINGS, "-p", "diskwright"], ["mypy.stubtest", "--mypy-config-file", SETTINGS, "--allowlist", ALLOWED, "diskwright"]],
)
def test_types_are_true(tool: list[str]) -> None:
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not there (scripts/setup-test-tools.sh installs it)")
    done = subprocess.run([sys.executable, "-m", *tool], capture_output=True, text=True, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_name_has_words() -> None:
    for name in dw.__all__:
        of = getattr(dw, name)
        assert name == "__version__" or (of.__doc__ and of.__doc__.strip()), name
