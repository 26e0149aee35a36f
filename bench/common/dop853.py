"""SciPy's DOP853 as its documentation advises: solve_ivp with rtol and atol, right-hand sides in plain floats."""

import sys
import time

import numpy
from scipy.integrate import solve_ivp


def measure(equations, start, until, repetitions=3):
    """For each tolerance on the command line: prints it, the least CPU time, the steps and the end."""
    for tolerance in map(float, sys.argv[1:]):
        least = None
        for _ in range(repetitions):
            begin = time.process_time()
            solution = solve_ivp(equations, (0.0, until), start, method="DOP853", rtol=max(tolerance, 3e-14),
                                 atol=tolerance)
            taken = time.process_time() - begin
            least = taken if least is None else min(least, taken)
        end = " ".join(repr(float(x)) for x in numpy.asarray(solution.y)[:, -1])
        print(tolerance, least, len(solution.t) - 1, end)
