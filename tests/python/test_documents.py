"""What is written runs: the script that uses everything, docs/python.md, the stubs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_everything(tmp_path):
    for package in ("sympy", "pandas", "xarray", "matplotlib"):
        pytest.importorskip(package)
    done = subprocess.run([sys.executable, ROOT / "tests/python/everything.py", tmp_path], capture_output=True,
                          text=True, env={**__import__("os").environ, "MPLBACKEND": "Agg"})
    assert done.returncode == 0, done.stderr
    assert "agrees" in done.stdout


def blocks():
    """Python blocks of docs/python.md, each with the blocks before it under the same heading."""
    text = (ROOT / "docs/python.md").read_text()
    return [(section.splitlines()[0].strip("# "), re.findall(r"```python\n(.*?)```", section, re.S))
            for section in re.split(r"\n(?=## )", text) if "```python" in section]


@pytest.mark.parametrize("title, sources", blocks(), ids=[title for title, _ in blocks()])
def test_blocks_of_the_documentation(title, sources, tmp_path, monkeypatch):
    for package in ("sympy", "pandas", "xarray", "matplotlib"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "documentation"}
    for source in sources:
        for line in source.splitlines():
            asserted = re.match(r"(.*\S)  # → (.*)$", line)
            if not asserted:
                continue
            # The lines before it, then what it says.
            before = source[: source.index(line)]
            exec(compile(before, title, "exec"), names)
            source = source[source.index(line) + len(line):]
            assert str(eval(asserted[1], names)) == asserted[2].strip()
        exec(compile(source, title, "exec"), names)


def test_stubs_are_current():
    done = subprocess.run([sys.executable, ROOT / "tools/make_python_stubs.py", "--check"], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout + done.stderr
