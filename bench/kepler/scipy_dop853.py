#!/usr/bin/env python3
"""A planet with eccentricity 0.6 for a hundred orbits, by SciPy. usage: scipy_dop853.py TOLERANCE..."""

import sys
from math import pi, sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from dop853 import measure

ECCENTRICITY = 0.6


def equations(_, y):
    q1, q2, p1, p2 = y.tolist()
    r2 = q1 * q1 + q2 * q2
    pull = -1 / (r2 * sqrt(r2))
    return p1, p2, pull * q1, pull * q2


measure(equations, [1 - ECCENTRICITY, 0.0, 0.0, sqrt((1 + ECCENTRICITY) / (1 - ECCENTRICITY))], 200 * pi,
        repetitions=1)
