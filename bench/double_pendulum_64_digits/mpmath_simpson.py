#!/usr/bin/env python3
"""Simpson's variational integrator for the double pendulum with mpmath (with gmpy2 behind it), as its users write it.

usage: mpmath_simpson.py DIGITS STEP STEPS
Prints the least CPU time of a step, in seconds, then the angles and momenta at the end.

Unknowns are the increments a = qm - q0 and b = q1 - q0; Newton's method with the exact Jacobian starts from the
parabola of the last step continued, and stops when its update is below the precision.
"""

import sys
import time

import mpmath
from mpmath import mp, mpf, matrix


def node(q1, q2, v1, v2, g):
    """Gradient and Hessian of L = v1^2 + v2^2/2 + v1 v2 cos(q1 - q2) + 2 g cos q1 + g cos q2."""
    c1, s1 = mpmath.cos_sin(q1)
    c2, s2 = mpmath.cos_sin(q2)
    s, c, vv = s1 * c2 - c1 * s2, c1 * c2 + s1 * s2, v1 * v2
    Lq = (-vv * s - 2 * g * s1, vv * s - g * s2)
    Lv = (2 * v1 + c * v2, v2 + c * v1)
    sv1, sv2, cvv = s * v1, s * v2, c * vv
    qq = ((-cvv - 2 * g * c1, cvv), (cvv, -cvv - g * c2))
    vq = ((-sv2, sv2), (-sv1, sv1))  # vq[i][j] = d2L / dv_i dq_j
    return Lq, Lv, qq, vq, ((2, c), (c, 1))


def advance(q, p, a, b, h, g, tolerance):
    for _ in range(30):
        v0 = [(4 * a[i] - b[i]) / h for i in (0, 1)]
        vm = [b[i] / h for i in (0, 1)]
        v1 = [(3 * b[i] - 4 * a[i]) / h for i in (0, 1)]
        Lq0, Lv0, _, vq0, vv0 = node(q[0], q[1], *v0, g)
        Lqm, Lvm, qqm, vqm, vvm = node(q[0] + a[0], q[1] + a[1], *vm, g)
        Lq1, Lv1, _, vq1, vv1 = node(q[0] + b[0], q[1] + b[1], *v1, g)
        jacobian, residual = matrix(4, 4), matrix(4, 1)
        for i in (0, 1):
            residual[i] = -(3 * Lv0[i] + 4 * Lvm[i] - Lv1[i] - h * Lq0[i] - 6 * p[i])
            residual[2 + i] = -(Lv0[i] - Lv1[i] + h * Lqm[i])
            for j in (0, 1):
                jacobian[i, j] = (12 * vv0[i][j] + 4 * vv1[i][j]) / h + 4 * vqm[i][j] - 4 * vq0[j][i]
                jacobian[i, 2 + j] = (-3 * vv0[i][j] + 4 * vvm[i][j] - 3 * vv1[i][j]) / h - vq1[i][j] + vq0[j][i]
                jacobian[2 + i, j] = 4 * (vv0[i][j] + vv1[i][j]) / h + h * qqm[i][j]
                jacobian[2 + i, 2 + j] = -(vv0[i][j] + 3 * vv1[i][j]) / h - vq1[i][j] + vqm[j][i]
        update = mpmath.lu_solve(jacobian, residual)
        a = [a[0] + update[0], a[1] + update[1]]
        b = [b[0] + update[2], b[1] + update[3]]
        size = max(abs(x) for x in update)
        # Newton's method doubles the digits: what is left after this update is below the precision.
        if size * size < tolerance:
            break
    vm = [b[i] / h for i in (0, 1)]
    v0 = [(4 * a[i] - b[i]) / h for i in (0, 1)]
    v1 = [(3 * b[i] - 4 * a[i]) / h for i in (0, 1)]
    Lq0, Lqm, Lq1 = (node(q[0], q[1], *v0, g)[0], node(q[0] + a[0], q[1] + a[1], *vm, g)[0],
                     node(q[0] + b[0], q[1] + b[1], *v1, g)[0])
    p = [p[i] + h / 6 * (Lq0[i] + 4 * Lqm[i] + Lq1[i]) for i in (0, 1)]
    q = [q[0] + b[0], q[1] + b[1]]
    return q, p, a, b


def main():
    digits, step, steps = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    mp.dps = digits
    h, g, tolerance = mpf(step), mpf("9.81"), mpf(10) ** -digits
    q, p = [mp.pi / 4, mp.pi / 3], [mpf(0), mpf(0)]
    a, b = [mpf(0)] * 2, [mpf(0)] * 2
    least = None
    for _ in range(steps):
        begin = time.process_time()
        q, p, a, b = advance(q, p, a, b, h, g, tolerance)
        taken = time.process_time() - begin
        least = taken if least is None else min(least, taken)
        # The parabola through q0, qm, q1 at 3/2 and 2, from q1: q(x) = (4a - b) x + (2b - 4a) x^2.
        linear, square = [4 * a[i] - b[i] for i in (0, 1)], [2 * b[i] - 4 * a[i] for i in (0, 1)]
        a, b = [linear[i] / 2 + square[i] * 5 / 4 for i in (0, 1)], [linear[i] + 3 * square[i] for i in (0, 1)]
    print(repr(least))
    print(*(mpmath.nstr(x, digits + 5) for x in (*q, *p)))


if __name__ == "__main__":
    main()
