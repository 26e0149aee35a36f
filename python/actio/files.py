"""Trajectory files: read back, repeated, put together."""

from __future__ import annotations

import os

from . import _actio
from ._errors import InputError
from .findings import Findings
from .result import Ensemble, Result, _damaged

__all__ = ["join", "load", "repeat"]


def load(path: str | os.PathLike) -> Result | Ensemble:
    """A run or an ensemble from its file (.h5)."""
    stored = _actio.load(os.fspath(path))
    try:
        loaded = Ensemble._of_file(stored) if stored["kind"] == "ensemble" else Result._of_file(stored)
        loaded._require_whole()
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(f"'{os.fspath(path)}' does not hold what a file of actio holds", os.fspath(path)) from error
    return loaded


def repeat(path: str | os.PathLike) -> str:
    """Does the run or the ensemble of a file (.h5) again and compares all bits: the first difference, or ""."""
    return _actio.repeat(os.fspath(path))[0]


def join(*parts: str | os.PathLike, output: str | os.PathLike) -> Findings:
    """Makes one file of the parts of an ensemble, the same as an undivided one would be; returns its summary."""
    text, found = _actio.join([os.fspath(p) for p in parts], os.fspath(output))
    return Findings(found, text)
