"""What docs/files.md promises: a trajectory of actio opens in h5py and NumPy, with the same numbers as its CSV."""
import csv
import subprocess
import sys
import tempfile

import h5py
import numpy as np

program = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    for ending in ("csv", "npy", "h5"):
        words = [program, "run", "kepler", "--steps", "100", "--every", "3", "--output", f"{folder}/orbit.{ending}"]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    with open(f"{folder}/orbit.csv") as file:
        rows = list(csv.DictReader(file))
    orbit = np.load(f"{folder}/orbit.npy")
    with h5py.File(f"{folder}/orbit.h5") as file:
        columns = {name: data[:] for name, data in file["trajectory"].items()}
        model = file["run/model"][()].decode()
    assert 'coordinates = ["x", "y"]' in model
    assert len(rows) == len(orbit) == 35
    assert set(columns) == set(rows[0]) == set(orbit.dtype.names)
    for name, column in columns.items():
        assert [float(row[name]) for row in rows] == list(column) == list(orbit[name]), name
print("h5py, NumPy and CSV agree")
