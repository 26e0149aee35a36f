"""What a result is without the library's own record of its run: what pickles hold."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

from ._errors import InputError

_WORDS = ("names", "is_double", "energy_reference", "events", "controls", "status", "trusted", "steps", "reason", "suggestion",
          "text", "json", "options", "notes")


class Run(SimpleNamespace):
    """The words and numbers of a run, by the names that the library's record has for them."""


def _stayed_behind(*_: Any) -> None:
    raise InputError("the function that controlled or forced this run did not travel with its result",
                     "conflicting-options", ("report()", 0, 0), "write the report where the run was made")


def state_of(result: Any) -> dict:
    """What stands in a pickle in the place of the library's record and of functions, which stay where they are."""
    native, typed = result._native, result._typed
    if native is not None and not isinstance(native, Run):
        native = Run(**{word: getattr(native, word) for word in _WORDS})
    if typed is not None:
        typed = copy.copy(typed)
        typed.extras = {}
    functions = {name: _stayed_behind for name in ("_control", "_force") if getattr(result, name) is not None}
    return {"_native": native, "_typed": typed, "_stacks": {}, **functions}
