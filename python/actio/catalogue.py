"""Methods, problems, papers and errors that the library knows."""

from __future__ import annotations

import json
from typing import Any

from . import _actio
from ._options import Typed, takes_options
from ._progress import shown
from .findings import Findings, Rows

__all__ = ["errors", "methods", "problems", "reproduce", "verify"]

_PROGRESS = "bool: Shows a progress bar, on standard error or below the cell of a notebook."


def _rows(told: tuple[str, str], key: str) -> Rows:
    text, found = told
    loaded = json.loads(found)
    return Rows(loaded[key] if isinstance(loaded, dict) else loaded, text)


def methods() -> Rows:
    """The methods: name, order, what each conserves and needs, one dict a row."""
    return _rows(_actio.methods(), "methods")


def problems() -> Rows:
    """The built-in problems: name, summary, source, and whether the exact motion is known."""
    return _rows(_actio.problems(), "problems")


def errors() -> dict[str, str]:
    """What each `id` of an InputError means."""
    return _actio.error_ids()


@takes_options("verify", progress=_PROGRESS)
def verify(*methods: str, **options: Any) -> Rows:
    """What methods declare beside what is measured: order, symplecticity, reversibility, momenta, energy drift.

    verify("simpson"), verify("simpson", "gauss-4"), verify("all"); every row has "passed".
    """
    typed = Typed("verify", options, ("progress",))
    with shown(typed.extras.get("progress"), "method") as show:
        return _rows(_actio.verify(list(methods), typed.options, show), "rows")


@takes_options("reproduce", progress=_PROGRESS)
def reproduce(*papers: str, **options: Any) -> Findings:
    """Papers done again, all of them if none is named: every table and figure, published beside reproduced.

    `output` is a folder for pages and figures.
    """
    typed = Typed("reproduce", options, ("progress",))
    with shown(typed.extras.get("progress"), "percent") as show:
        text, found, error = _actio.reproduce(list(papers), typed.options, show)
    if error:
        raise OSError(error)
    return Findings(found, text)
