import os
import subprocess

import matplotlib
import pytest

matplotlib.use("Agg")

import actio  # noqa: E402


@pytest.fixture
def pendulum():
    return actio.Model(name="pendulum", coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2},
                       initial={"q": 1, "q'": 0})


@pytest.fixture
def program():
    """Runs the command line: program("run", "kepler", "--json")."""
    path = os.environ.get("ACTIO_PROGRAM")
    if not path:
        pytest.skip("ACTIO_PROGRAM does not name the program")
    return lambda *words: subprocess.run([path, *words], capture_output=True, text=True, check=False)
