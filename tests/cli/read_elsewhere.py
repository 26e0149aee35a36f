"""What docs/files.md promises: a trajectory of actio opens in h5py and NumPy, with the same numbers as its CSV, and
`--again` sees whatever another program has changed in it."""
import csv
import json
import shutil
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

    def again(kind="run", name="orbit"):
        words = [program, kind, f"{folder}/{name}.h5", "--again"]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stdout + done.stderr

    def damaged(damage, kind="run", name="orbit"):
        shutil.copy(f"{folder}/{name}.h5", f"{folder}/damaged.h5")
        with h5py.File(f"{folder}/damaged.h5", "r+") as file:
            damage(file)
        return again(kind, "damaged")

    def lose_rows(file):
        for column in file["trajectory"].values():
            column.resize((30,))

    def lose_end(file):
        file["trajectory/y"].resize((30,))

    def lose_certificate(file):
        del file["run/certificate"]

    def change_certificate(file):
        text = json.loads(file["run/certificate"][()])
        text["energy"]["drift"]["uncertainty"] = 1.0
        del file["run/certificate"]
        file["run/certificate"] = np.bytes_(json.dumps(text))

    def lose_column(file):
        names = file["run/columns"][()].decode().replace("y\n", "", 1)
        del file["run/columns"]
        file["run/columns"] = np.bytes_(names)

    def change_number(file):
        file["trajectory/x"][3] = np.nextafter(file["trajectory/x"][3], 1)

    def change_crossing(file):
        file["poincare/t"][0] = np.nextafter(file["poincare/t"][0], 1e9)

    assert again() == (0, "the bits agree: 35 rows\n"), again()
    for damage in (lose_rows, lose_end, lose_certificate, change_certificate, lose_column, change_number):
        status, text = damaged(damage)
        assert status == 1 and text.startswith("the bits differ: "), (damage, status, text)
    words = [program, "ensemble", "kepler", "--sweep", "GM=1:1.1:3", "--until", "20", "--poincare", "y"]
    subprocess.run([*words, "--output", f"{folder}/many.h5"], check=True, stdout=subprocess.DEVNULL)
    assert again("ensemble", "many") == (0, "the bits agree: 3 rows\n"), again("ensemble", "many")
    status, text = damaged(change_crossing, "ensemble", "many")
    assert status == 1 and "poincare" in text, text

    # Members of one name are the columns of one dataset of two dimensions; quad numbers are texts.
    chain = """coordinates = ["q[1..n]", "x"]
lagrangian = "1/2*x'^2 + sum(i = 1..n, 1/2*q[i]'^2 - i/2*(q[i] - x)^2)"
[sizes]
n = 3
[initial.position]
"q[i = 1..n]" = "i"
[run]
step = 0.1
steps = 40
"""
    with open(f"{folder}/chain.toml", "w") as file:
        file.write(chain)
    for precision in ("double", "quad"):
        for ending in ("csv", "h5"):
            words = [program, "run", f"{folder}/chain.toml", "--set", "n=5", "--precision", precision]
            subprocess.run([*words, "--output", f"{folder}/chain.{ending}"], check=True, stdout=subprocess.DEVNULL)
        with open(f"{folder}/chain.csv") as file:
            rows = list(csv.DictReader(file))
        with h5py.File(f"{folder}/chain.h5") as file:
            q, x = file["trajectory/q"][:], file["trajectory/x"][:]
        assert q.shape == (41, 5) and x.shape == (41,)
        for i in range(5):
            assert [float(row[f"q[{i + 1}]"]) for row in rows] == [float(value) for value in q[:, i]]
        assert again("run", "chain") == (0, "the bits agree: 41 rows\n"), again("run", "chain")
print("h5py, NumPy and CSV agree")
