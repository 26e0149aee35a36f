#!/usr/bin/env python3
"""Writes actio/backend/elementary/constants.hpp: the numbers of the elementary functions, from their definitions.

tools/make_elementary_constants.py > actio/backend/elementary/constants.hpp

A polynomial agrees with its function at the Chebyshev points of the interval, which is within a small factor of the
best one; the bound that stands beside it is the largest error of the function that is made of it, relative to that
function, with the coefficients as they are rounded, on 4000 points.
"""

import mpmath
from mpmath import mpf

mpmath.mp.dps = 110
POINTS = 4000


def rounded(x):
    return float(mpf(x))


def shortened(x, bits):
    """x rounded to so many bits."""
    with mpmath.workprec(bits):
        return float(+x)


def text(x):
    return float(x).hex()


def chebyshev(f, low, high, count):
    """Coefficients, by ascending powers, of the polynomial that agrees with f at the Chebyshev points."""
    low, high = mpf(low), mpf(high)
    nodes = [(low + high) / 2 - (high - low) / 2 * mpmath.cos(mpmath.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    differences = [f(x) for x in nodes]
    for order in range(1, count):
        for k in range(count - 1, order - 1, -1):
            differences[k] = (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - order])
    powers = [mpf(0)] * count
    for k in range(count - 1, -1, -1):
        for j in range(count - 1, 0, -1):
            powers[j] = powers[j - 1] - nodes[k] * powers[j]
        powers[0] = differences[k] - nodes[k] * powers[0]
    return powers


def horner(coefficients, z):
    result = mpf(0)
    for c in reversed(coefficients):
        result = result * z + c
    return result


def scalar(name, value, comment=""):
    print(f"inline constexpr double {name} = {text(value)};" + (f"  // {comment}" if comment else ""))


def split(name, value, bits, comment):
    """value as a sum of doubles, the first ones of so many bits."""
    parts = []
    for b in bits + [53]:
        parts.append(shortened(value, b))
        value -= mpf(parts[-1])
    print(f"// {comment}")
    print(f"inline constexpr double {name}[] = {{{', '.join(text(p) for p in parts)}}};")
    return parts


def polynomial(name, f, low, high, count, comment, whole, exact):
    """The polynomial of f; `whole` makes of (argument, polynomial's value) what `exact` is."""
    exact_coefficients = chebyshev(f, low, high, count)
    coefficients = [rounded(c) for c in exact_coefficients]
    low, high = mpf(low), mpf(high)
    error = mpf(0)
    for k in range(POINTS + 1):
        z = low + (high - low) * k / POINTS
        if z == 0:
            continue
        value = exact(z)
        error = max(error, abs(whole(z, horner([mpf(c) for c in coefficients], z)) / value - 1))
    bound = f"2^{mpmath.nstr(mpmath.log(error, 2), 4)}"
    print(f"// {comment}; {bound}")
    print(f"inline constexpr double {name}[] = {{{', '.join(text(c) for c in coefficients)}}};")
    return exact_coefficients


def sines():
    pi, end = mpmath.pi, (mpmath.pi / 4) ** 2
    sqrt, sin, cos = mpmath.sqrt, mpmath.sin, mpmath.cos
    scalar("two_over_pi", 2 / pi)
    rest = pi / 2
    pieces = [rounded(rest)]
    rest -= mpf(pieces[0])
    pieces.append(shortened(rest, 32))
    rest -= mpf(pieces[1])
    pieces.append(rounded(rest))
    print("// pi/2, exactly enough for multiples up to 2^20")
    print(f"inline constexpr double half_pi[] = {{{', '.join(text(p) for p in pieces)}}};")
    split("half_pi_pair", pi / 2, [53], "pi/2 as a sum of two")
    polynomial("sine", lambda z: (sin(sqrt(z)) - sqrt(z)) / (sqrt(z) * z), 0, end, 7,
               "sin r = r + r^3 S(r^2), |r| <= pi/4", lambda z, p: sqrt(z) * (1 + z * p), lambda z: sin(sqrt(z)))
    polynomial("cosine", lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, 0, end, 6,
               "cos r = 1 - r^2/2 + r^4 C(r^2)", lambda z, p: 1 - z / 2 + z * z * p, lambda z: cos(sqrt(z)))
    bits = 64 * 20
    with mpmath.workprec(bits + 64):
        words = int(mpmath.floor(mpmath.ldexp(2 / +mpmath.pi, bits)))
    print("// Bits of 2/pi behind the point, 64 a word, behind one word of zeros")
    values = [0] + [(words >> (bits - 64 * (k + 1))) & (2**64 - 1) for k in range(20)]
    print(f"inline constexpr std::uint64_t two_over_pi_bits[] = {{{', '.join(f'{v:#018x}' for v in values)}}};")


def exponentials():
    ln2 = mpmath.log(2)
    scalar("one_over_ln2", 1 / ln2)
    split("ln2", ln2, [40], "ln 2; multiples up to 2^13 of the first are exact")
    end = ln2 / 2 * mpf("1.0001")
    polynomial("exponential", lambda r: (mpmath.expm1(r) - r - r * r / 2) / r**3, -end, end, 10,
               "exp r - 1 = r + r^2/2 + r^3 E(r), |r| <= ln(2)/2", lambda r, p: r + r * r / 2 + r**3 * p, mpmath.expm1)


def logarithms():
    scalar("root_half", mpmath.sqrt(mpf(1) / 2))
    end = (2 * (mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)) ** 2 * mpf("1.0001")
    f = lambda z: (2 * mpmath.atanh(mpmath.sqrt(z) / 2) / mpmath.sqrt(z) - 1) / z
    exact = polynomial("logarithm", f, 0, end, 9,
                       "log((1 + s/2)/(1 - s/2)) = s + s^3 L(s^2), |s| <= 0.3432",
                       lambda z, p: 1 + z * p, lambda z: 1 + z * f(z))
    scalar("logarithm_0_low", exact[0] - mpf(rounded(exact[0])), "what L's first two coefficients lose by rounding")
    scalar("logarithm_1_low", exact[1] - mpf(rounded(exact[1])))


def arcs():
    split("quarter_pi", mpmath.pi / 4, [50], "pi/4; multiples up to 8 of the first are exact")
    f = lambda z: (mpmath.atan(mpmath.sqrt(z)) / mpmath.sqrt(z) - 1) / z
    polynomial("arctangent", f, 0, mpf(1) / 4, 14, "atan t = t + t^3 A(t^2), |t| <= 1/2",
               lambda z, p: 1 + z * p, lambda z: 1 + z * f(z))
    g = lambda z: (mpmath.asin(mpmath.sqrt(z)) / mpmath.sqrt(z) - 1) / z
    polynomial("arcsine", g, 0, mpf(1) / 4, 15, "asin t = t + t^3 B(t^2), |t| <= 1/2",
               lambda z, p: 1 + z * p, lambda z: 1 + z * g(z))


def errors():
    split("two_over_root_pi", 2 / mpmath.sqrt(mpmath.pi), [53], "2/sqrt(pi)")
    split("third_of_that", -2 / mpmath.sqrt(mpmath.pi) / 3, [53], "-2/(3 sqrt(pi))")
    c = 2 / mpmath.sqrt(mpmath.pi)
    f = lambda z: (mpmath.erf(mpmath.sqrt(z)) / mpmath.sqrt(z) - c + c * z / 3) / z**2
    polynomial("error", f, 0, 1, 12, "erf x = (2/sqrt(pi)) (x - x^3/3) + x^5 F(x^2), |x| <= 1",
               lambda z, p: c - c * z / 3 + z * z * p, lambda z: mpmath.erf(mpmath.sqrt(z)) / mpmath.sqrt(z))
    x = lambda t: (1 + t) / (1 - t) * CENTRE
    low, high = (1 - CENTRE) / (1 + CENTRE), (mpf(6) - CENTRE) / (6 + CENTRE)
    scaled = lambda t: mpmath.erfc(x(t)) * mpmath.exp(x(t) ** 2)
    scalar("error_centre", CENTRE)
    exact = polynomial("error_complement", scaled, low, high, COMPLEMENT,
                       "erfc x = exp(-x^2) G((x - c)/(x + c)), 1 <= x <= 6", lambda t, p: p, scaled)
    scalar("error_complement_0_low", exact[0] - mpf(rounded(exact[0])), "what G's first coefficient loses by rounding")


CENTRE = mpf(2)
COMPLEMENT = 18


def main():
    print("""// Numbers of the elementary functions; written by tools/make_elementary_constants.py.
// Behind a polynomial's meaning stands the largest relative error of what is made of it; powers ascend.
#pragma once

#include <cstdint>

namespace actio::elementary::constants {

// clang-format off""")
    for part in (sines, exponentials, logarithms, arcs, errors):
        part()
    print("""// clang-format on

}  // namespace actio::elementary::constants""")


if __name__ == "__main__":
    main()
