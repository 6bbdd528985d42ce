"""The notebooks run from top to bottom."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "python" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook: Path, tmp_path: Path) -> None:
    nbclient = pytest.importorskip("nbclient")
    import nbformat

    # It finds the recording where a clone has it, and writes beside its copy.
    folder = tmp_path / "python" / "notebooks"
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "crates" / "diskwright" / "data", tmp_path / "crates" / "diskwright" / "data")
    cells = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(cells, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in cells.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("text/html" in output.get("data", {}) for output in outputs)


def test_there_are_two() -> None:
    assert len(NOTEBOOKS) == 2
