"""The package as a package: what it costs to import, and whether its types are true."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
import tarfile
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


def test_a_source_distribution_builds_from_what_is_in_it_and_carries_its_licences(tmp_path: Path) -> None:
    """Its metadata alone: what keeps it from being built fails there, before anything is compiled."""
    if importlib.util.find_spec("maturin") is None:
        pytest.skip("maturin is not there (scripts/setup-test-tools.sh installs it)")
    files = importlib.metadata.distribution("maturin").files or []
    maturin = next(str(file.locate()) for file in files if file.name == "maturin" and file.parent.name == "bin")

    def run(*arguments: str, cwd: Path) -> None:
        done = subprocess.run([maturin, *arguments], cwd=cwd, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    run("sdist", "--manifest-path", str(Path(SETTINGS).with_name("Cargo.toml")), "--out", str(tmp_path), cwd=tmp_path)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path)
    (folder,) = (path.parent for path in tmp_path.glob("*/pyproject.toml"))
    run("pep517", "write-dist-info", "--metadata-directory", str(tmp_path / "meta"), "--interpreter", sys.executable, cwd=folder)
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        text = (Path(SETTINGS).parents[1] / name).read_bytes()
        (in_wheel,) = (tmp_path / "meta").rglob(name)
        assert (folder / name).read_bytes() == text and in_wheel.read_bytes() == text


def test_every_name_has_words() -> None:
    for name in dw.__all__:
        of = getattr(dw, name)
        assert name == "__version__" or (of.__doc__ and of.__doc__.strip()), name
