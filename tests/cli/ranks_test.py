"""Ensembles by processes of MPI: 1, 2 and 4 ranks write the file of one process; one is killed, others resume.

  tests/cli/ranks_test.py PROGRAM      status 77 where there is no mpirun
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = sys.argv[1]
ENSEMBLE = [PROGRAM, "ensemble", "henon-heiles", "--sample", "y=normal(0,0.1)", "--count", "1500", "--until", "60",
            "--poincare", "x", "--lyapunov", "--threads", "1", "--quiet", "--output"]
PATIENCE = 300  # seconds until something that must happen counts as not happening


def mpirun(ranks, *words):
    flags = ["--oversubscribe", *(["--allow-run-as-root"] if os.geteuid() == 0 else [])]
    return ["mpirun", *flags, "-n", str(ranks), *words]


def done(command):
    made = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert made.returncode == 0, (command, made.returncode, made.stderr)
    return made


def tables(path):
    """Every dataset of a file as bytes, or the bytes of the file and of that beside it."""
    if path.suffix == ".h5":
        import h5py

        found = {}
        with h5py.File(path) as file:
            file.visititems(lambda name, item: isinstance(item, h5py.Dataset) and found.update({name: item[()]}))
        return {name: v if isinstance(v, bytes) else v.tobytes() for name, v in found.items()}
    return {"": path.read_bytes(), "poincare": path.with_suffix(".poincare.csv").read_bytes()}


def same(whole, other):
    a, b = tables(whole), tables(other)
    assert a.keys() == b.keys(), a.keys() ^ b.keys()
    differing = [name for name in a if a[name] != b[name]]
    assert not differing, differing


def flushed_rows(folder, name):
    """Trajectories that the checkpoints of the output and of pieces speak of, one number a file."""
    rows = []
    for checkpoint in folder.glob(f"{name}.*.checkpoint"):
        rows.append(int(json.loads(checkpoint.read_text().splitlines()[1])["counts"][6]))
    return rows


def descendants(process):
    """Processes of the program below `process`."""
    children = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,args="], capture_output=True, text=True).stdout
    below, found = {process}, []
    rows = [line.split(None, 2) for line in children.splitlines()]
    for _ in rows:
        below |= {int(pid) for pid, parent, _ in rows if int(parent) in below}
    for pid, _, args in rows:
        if int(pid) in below and args.startswith(PROGRAM):
            found.append(int(pid))
    return found


def killed(folder, ranks, output):
    """Starts `ranks` processes, kills one when all have flushed some rows; mpirun ends the others. 1 is without mpirun."""
    command = [*ENSEMBLE, output] if ranks == 1 else mpirun(ranks, *ENSEMBLE, output)
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    begun = time.monotonic()
    while True:
        rows = flushed_rows(folder, output.stem)
        if len(rows) >= ranks and min(rows) > 0:
            break
        assert run.poll() is None, "it ended before it could be killed"
        assert time.monotonic() - begun < PATIENCE, "nothing was flushed"
        time.sleep(0.02)
    os.kill(descendants(run.pid)[-1], signal.SIGKILL)
    assert run.wait(PATIENCE) != 0
    assert output.exists() == (ranks == 1)
    left = sum(flushed_rows(folder, output.stem))
    assert 0 < left < 1500, left
    return left


def main():
    if shutil.which("mpirun") is None:
        print("there is no mpirun")
        return 77
    try:
        import h5py  # noqa: F401

        ending = ".h5"
    except ImportError:
        ending = ".csv"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = folder / f"whole{ending}"
        done([*ENSEMBLE, whole])
        for ranks in (1, 2, 4):
            output = folder / f"by{ranks}{ending}"
            said = done(mpirun(ranks, *ENSEMBLE, output))
            assert said.stdout.count("1500 trajectories") == 1, said.stdout  # one of them speaks
            same(whole, output)
        for ranks, then in ((1, 1), (1, 2), (2, 4), (4, 2), (4, 1)):
            output = folder / f"killed{ranks}-{then}{ending}"
            left = killed(folder, ranks, output)
            resumed = [*ENSEMBLE, output, "--resume"]
            done(resumed if then == 1 else mpirun(then, *resumed))
            same(whole, output)
            beside = sorted(p.name for p in folder.glob(f"{output.stem}.*") if p != output and "poincare" not in p.name)
            assert not beside, beside
            print(f"{ranks} ranks, one killed after {left} rows; {then} went on: the same", flush=True)
        wrong = subprocess.run(mpirun(2, *ENSEMBLE, "/dev/null/x.h5"), capture_output=True, text=True, timeout=PATIENCE)
        assert wrong.returncode == 2 and wrong.stderr.count("actio: ") == 1, wrong.stderr
        wrong = subprocess.run(mpirun(2, PROGRAM, "ensemble", "keplr"), capture_output=True, text=True, timeout=PATIENCE)
        assert wrong.returncode == 2 and wrong.stderr.count("actio: ") == 1, wrong.stderr
    return 0


sys.exit(main())
