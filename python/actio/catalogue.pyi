# Made by tools/make_python_stubs.py from the option descriptors.
from __future__ import annotations
import os
from typing import Any, Callable, Mapping, Sequence
import json
from . import _actio
from ._options import Typed, takes_options
from ._progress import shown
from .findings import Findings, Rows
__all__ = ['errors', 'methods', 'problems', 'reproduce', 'verify']

def methods() -> Rows:
    ...

def problems() -> Rows:
    ...

def errors() -> dict[str, str]:
    ...

def verify(*methods: str, beta: float | str | None=None, gamma: float | str | None=None, threads: int | str | None=None, progress: bool | Callable[[float, float, float], Any] | None=None) -> Rows:
    ...

def reproduce(*papers: str, output: str | os.PathLike[str] | None=None, quick: bool | None=None, threads: int | str | None=None, progress: bool | Callable[[float, float, float], Any] | None=None) -> Findings:
    ...
