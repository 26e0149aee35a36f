#!/usr/bin/env python3
"""The double pendulum with m = l = 1 by SciPy. usage: scipy_dop853.py TOLERANCE..."""

import sys
from math import cos, pi, sin
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "common"))
from dop853 import measure

GRAVITY = 9.81


def equations(_, y):
    q1, q2, p1, p2 = y.tolist()
    s, c = sin(q1 - q2), cos(q1 - q2)
    inverse = 1 / (2 - c * c)
    v1, v2 = (p1 - c * p2) * inverse, (2 * p2 - c * p1) * inverse
    coupling = v1 * v2 * s
    return v1, v2, -coupling - 2 * GRAVITY * sin(q1), coupling - GRAVITY * sin(q2)


measure(equations, [pi / 4, pi / 3, 0.0, 0.0], 10.0)
