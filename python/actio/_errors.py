"""The two ways in which actio refuses: wrong input, and numbers that do not work out."""

from __future__ import annotations

import contextlib
from typing import Iterator, NamedTuple

__all__ = ["InputError", "NumericalError", "Place"]


class Place(NamedTuple):
    """Where an error is: a file, an option or an expression, with line and column counted from 1 (0: the whole)."""

    source: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if self.line == 0:
            return self.source
        text = f"{self.source}:{self.line}" if self.source else str(self.line)
        return f"{text}:{self.column}" if self.column else text


class _Explained(Exception):
    def __init__(self, message: str, id: str = "", place: tuple = ("", 0, 0), cure: str = "") -> None:
        source, line, column = place
        self.message = message
        self.id = id
        self.place = Place(source.rstrip("="), line, column)
        self.cure = cure
        super().__init__(message, id, tuple(self.place), cure)

    def __str__(self) -> str:
        text = self.message
        if str(self.place):
            text += f", {self.place}"
        return f"{text}; {self.cure}" if self.cure else text


class InputError(_Explained, ValueError):
    """The input is wrong. `id` is stable, `place` says where, `cure` what would be right."""


class NumericalError(_Explained, ArithmeticError):
    """Numbers did not work out: `step` is the one that failed, from time `t`; `cure` says what to try."""

    def __init__(self, message: str, id: str = "", place: tuple = ("", 0, 0), cure: str = "", *, step: int = 0,
                 t: float = 0.0) -> None:
        super().__init__(message, id, place, cure)
        self.step = step
        self.t = t

    def __reduce__(self):
        return (_numerical_error, (self.args, self.step, self.t))


def _numerical_error(args: tuple, step: int, t: float) -> NumericalError:
    return NumericalError(*args, step=step, t=t)


@contextlib.contextmanager
def fitting(what: str) -> Iterator[None]:
    """What does not fit into the memory is told with a cure."""
    try:
        yield
    except MemoryError:
        raise MemoryError(f"{what} does not fit into the memory; keep fewer rows with every=K, or write them to a file by "
                          "the command line") from None
