"""tools/run_notebooks.py refuses what should not be shown. (The notebooks themselves are the test python.notebooks.)"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools/run_notebooks.py"


def test_what_the_tool_refuses(tmp_path):
    for package in ("nbclient", "ipykernel", "matplotlib_inline"):
        pytest.importorskip(package)
    nbformat = pytest.importorskip("nbformat")
    code = nbformat.v4.new_code_cell
    sources = {
        "a_wrong": ["assert 1 + 1 == 3"],
        "b_path": ["import os; print(os.getcwd())"],
        "c_right": ["1 + 1", "print('one'); print('two')"],
    }
    paths = [tmp_path / f"{name}.ipynb" for name in sources]
    for path, cells in zip(paths, sources.values()):
        nbformat.write(nbformat.v4.new_notebook(cells=[code(c) for c in cells]), path)

    def told(*arguments):
        done = subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        return done.returncode, done.stdout

    status, text = told("--store", *paths)
    assert status == 1
    assert "a_wrong.ipynb: a cell fails" in text and "AssertionError" in text
    assert "b_path.ipynb: it holds the path" in text
    assert "c_right.ipynb: stored" in text
    assert not nbformat.read(paths[0], as_version=4).cells[0].outputs
    stored = nbformat.read(paths[2], as_version=4)
    assert [len(cell.outputs) for cell in stored.cells] == [1, 1]

    stored.cells[1].outputs = []
    nbformat.write(stored, paths[2])
    status, text = told(paths[2])
    assert status == 1 and "code cell 2 is not what it shows now" in text
