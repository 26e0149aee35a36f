"""Arrays whose columns have names, and numbers with more digits than double."""

from __future__ import annotations

import re
from typing import Any, Iterable, Iterator, Sequence

import numpy as np


class Columns(np.ndarray):
    """A two-dimensional array with named columns: x[:, 0] and x["q"] are the same."""

    names: tuple[str, ...]

    def __new__(cls, values: Any, names: Iterable[str]) -> "Columns":
        array = np.asarray(values).view(cls)
        array.names = tuple(names)
        return array

    def __array_finalize__(self, other: Any) -> None:
        self.names = getattr(other, "names", ())

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.names:
                members = [k for k, name in enumerate(self.names) if name.startswith(key + "[")]
                if members:  # q[1], q[2], ... side by side
                    return np.asarray(self)[..., members]
                raise KeyError(f"{key!r} is none of {', '.join(self.names)}")
            return np.asarray(self)[..., self.names.index(key)]
        return np.asarray(self)[key]

    def __array_wrap__(self, result: Any, context: Any = None) -> Any:
        return np.asarray(result)[()]

    def __reduce__(self) -> tuple:
        return (Columns, (np.asarray(self), self.names))


class Attributes(dict):
    """A dict whose entries are attributes as well."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"there is no {name!r} among {', '.join(self)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]


def flat(values: dict | list) -> Iterator[Any]:
    """The numbers of a state as certificates have it, where members are lists, and lists of lists."""
    for value in values.values() if isinstance(values, dict) else values:
        yield from flat(value) if isinstance(value, list) else (value,)


def mpmath_number(parts: tuple) -> Any:
    """mantissa · 2^exponent, exactly, whatever the working precision of mpmath is."""
    import mpmath

    mantissa, exponent = parts
    if mantissa is None:
        return mpmath.mpf(exponent.replace("inf", "+inf") if exponent == "inf" else exponent)
    return mpmath.mp.make_mpf(mpmath.libmp.from_man_exp(int(mantissa, 16), exponent))


def mpmath_array(numbers: Sequence[tuple]) -> np.ndarray:
    array = np.empty(len(numbers), dtype=object)
    for k, parts in enumerate(numbers):
        array[k] = mpmath_number(parts)
    return array


def mpmath_from_text(text: str, digits: int) -> Any:
    """The number whose decimal text with all digits this is."""
    import mpmath

    with mpmath.mp.workdps(digits + 8):
        return mpmath.mpf(text)


_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$")


def with_numbers(value: Any, digits: int, key: str = "") -> Any:
    """JSON in which numbers with many digits are texts, with mpmath numbers instead."""
    if isinstance(value, dict):
        return {k: with_numbers(v, digits, k) for k, v in value.items()}
    if isinstance(value, list):
        return [with_numbers(v, digits, key) for v in value]
    if isinstance(value, str) and key != "precision" and _NUMBER.match(value):
        return mpmath_from_text(value, digits)
    return value


def digits_of(precision: str) -> int:
    """Decimal digits of a precision as options have it."""
    return {"double": 16, "quad": 34}.get(precision) or int(float(precision))
