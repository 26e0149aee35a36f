"""What the library finds out, as dicts with a text for people and a table for notebooks."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from ._arrays import Columns, digits_of, flat, with_numbers
from ._display import flattened, table

__all__ = ["Comparison", "Exact", "Findings", "Rows"]


class Findings(dict):
    """A dict whose text is for people: print(x) shows what the command line shows."""

    def __init__(self, found: str | dict, text: str = "", digits: int = 16) -> None:
        loaded = json.loads(found) if isinstance(found, str) else found
        super().__init__(with_numbers(loaded, digits) if digits > 16 else loaded)
        self.text = text

    def __str__(self) -> str:
        return self.text or "\n".join(f"{k}: {v}" for k, v in flattened(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return table(flattened(self))

    def __reduce__(self) -> tuple:
        return (type(self), (dict(self), self.text))


class Rows(list):
    """A list of dicts, one a row, with a text for people."""

    def __init__(self, rows: list[dict], text: str = "") -> None:
        super().__init__(rows)
        self.text = text

    def __str__(self) -> str:
        return self.text

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(list(self))

    def _repr_html_(self) -> str:
        heads = list(self[0]) if self else []
        return table(([row.get(h) for h in heads] for row in self), heads)


class Comparison(Findings):
    """Methods beside each other: `rows`, one for each method and step."""

    @property
    def rows(self) -> Rows:
        return Rows(self["cells"], self.text)

    def to_pandas(self) -> Any:
        return self.rows.to_pandas()

    def _repr_html_(self) -> str:
        return self.rows._repr_html_()


class Exact(Findings):
    """The exact motion at some times: arrays `t`, `position` and `momentum`, and the `period` where there is one."""

    def __init__(self, found: str | dict, text: str = "", precision: str = "double",
                 coordinates: list[str] | None = None) -> None:
        digits = digits_of(precision)
        super().__init__(found, text, digits)
        self._type = float if digits == 16 else object
        self._precision, self._coordinates = precision, list(coordinates or [])

    def __reduce__(self) -> tuple:
        return (type(self), (dict(self), self.text, self._precision, self._coordinates))

    @property
    def t(self) -> np.ndarray:
        return np.array([s["time"] for s in self["states"]], dtype=self._type)

    def _table(self, part: str, prefix: str) -> Columns:
        names = [prefix + q for q in self._coordinates]
        rows = [list(flat(s[part])) for s in self["states"]]
        return Columns(np.array(rows, dtype=self._type).reshape(-1, len(names)), names)

    @property
    def position(self) -> Columns:
        return self._table("position", "")

    @property
    def momentum(self) -> Columns:
        return self._table("momentum", "p_")

    @property
    def period(self) -> Any:
        return self["period"]["value"] if self["period"] else None
