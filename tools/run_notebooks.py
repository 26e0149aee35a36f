#!/usr/bin/env python3
"""Executes notebooks with the Python that runs this file, each in an empty folder of its own.

  PYTHONPATH=build/python tools/run_notebooks.py [--store] [NOTEBOOK.ipynb ...]

All of notebooks/ where none is named. Fails where a cell raises or warns, or where what is stored is not fit to be
shown: no outputs, outputs of other kinds than those of this execution, paths, names of users, addresses, too large.
With --store the outputs of this execution are stored. Needs nbclient and ipykernel.
"""

import argparse
import getpass
import json
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 400_000  # bytes of a file
KERNEL = "notebooks"


def make_kernel(folder: Path) -> None:
    """A kernel of this Python below `folder`; whatever Jupyter and Matplotlib write goes there as well."""
    spec = folder / "kernels" / KERNEL
    spec.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "Python 3", "language": "python"}))
    os.environ["JUPYTER_PATH"] = str(folder)
    for name in ("JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR", "MPLCONFIGDIR"):
        os.environ[name] = str(folder / name.lower())
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    paths = os.environ.get("PYTHONPATH") or str(ROOT / "build" / "python")
    os.environ["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, paths.split(os.pathsep)))


def executed(path: Path):
    """The notebook with the outputs of this execution; a cell that raises is a CellExecutionError."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=600, kernel_name=KERNEL, record_timing=False,
                       resources={"metadata": {"path": folder}}).execute()
    return notebook


def cleaned(notebook):
    """Nothing in it but cells and outputs."""
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells, 1):
        cell.metadata = {}
        cell.id = f"cell-{number}"
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    return notebook


def joined(outputs: list) -> list:
    """Outputs without metadata; what was printed in several pieces, as it happens, is one output again."""
    made = []
    for output in outputs:
        if "metadata" in output:
            output.metadata = {}
        if made and output.output_type == "stream" and made[-1].get("name") == output.name:
            made[-1].text += output.text
        else:
            made.append(output)
    return made


def code_cells(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def kinds(cell) -> list:
    """What a cell shows: streams and types of data, in order."""
    return [(output.output_type, output.get("name"), sorted(output.get("data", {}))) for output in cell.outputs]


def complaints(path: Path, stored, fresh) -> list[str]:
    """Why the stored notebook should not be shown."""
    found = []
    for number, (cell, now) in enumerate(zip(code_cells(stored), code_cells(fresh)), 1):
        if any(output.get("name") == "stderr" for output in now.outputs):
            found.append(f"code cell {number} warns: {''.join(o.get('text', '') for o in now.outputs)}")
        if kinds(cell) != kinds(now):
            found.append(f"what is stored of code cell {number} is not what it shows now")
    size = path.stat().st_size
    text = re.sub(r'("image/png": )"[^"]*"', r"\1", path.read_text(encoding="utf-8"))
    private = [str(ROOT), str(Path.home()), f"/{getpass.getuser()}/", tempfile.gettempdir() + "/"]
    found += [f"it holds the path {name}" for name in private if len(name) > 1 and name in text]
    found += [f"it holds an address, {address}" for address in re.findall(r"\bat 0x[0-9a-f]+", text)[:1]]
    if size >= LARGEST:
        found.append(f"it has {size} bytes, {LARGEST} are too many")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK.ipynb")
    parser.add_argument("--store", action="store_true", help="store the outputs of this execution")
    given = parser.parse_args()
    import nbformat
    from nbclient.exceptions import CellExecutionError

    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        make_kernel(Path(folder))
        for path in given.notebooks or sorted((ROOT / "notebooks").glob("*.ipynb")):
            try:
                fresh = cleaned(executed(path))
            except CellExecutionError as error:
                print(f"{path.name}: a cell fails\n{error}", flush=True)
                failed += 1
                continue
            if given.store:
                nbformat.write(fresh, path)
            found = complaints(path, nbformat.read(path, as_version=4), fresh)
            print(f"{path.name}: {'; '.join(found) or ('stored' if given.store else 'runs')}", flush=True)
            failed += bool(found)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
