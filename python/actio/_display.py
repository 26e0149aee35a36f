"""Tables and pages for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable


def number_text(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, float):
        return f"{value:.6g}"
    if hasattr(value, "_mpf_"):
        import mpmath

        return mpmath.nstr(value, 6)
    return str(value)


def table(rows: Iterable[tuple], head: Iterable[str] = ()) -> str:
    """An HTML table; cells are escaped."""
    cells = ["<table>"]
    if head:
        cells.append("<tr>" + "".join(f"<th style='text-align:left'>{escape(str(h))}</th>" for h in head) + "</tr>")
    for row in rows:
        cells.append("<tr>" + "".join(f"<td style='text-align:left'>{escape(number_text(c))}</td>" for c in row)
                     + "</tr>")
    return "".join(cells) + "</table>"


def flattened(value: Any, path: str = "") -> Iterable[tuple[str, Any]]:
    """Rows of a JSON object: ('energy, initial', −0.5)."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flattened(inner, f"{path}, {key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        for k, inner in enumerate(value):
            yield from flattened(inner, f"{path} {k + 1}")
    elif isinstance(value, list):
        if value:
            yield path, ", ".join(number_text(v) for v in value)
    else:
        yield path.replace("_", " "), value


class Page:
    """An HTML page that notebooks show inside a frame."""

    def __init__(self, html: str, height: int = 640) -> None:
        self.html = html
        self.height = height

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self.html, quote=True)}" width="100%" height="{self.height}" '
                'style="border:0"></iframe>')

    def __repr__(self) -> str:
        return f"<a page of {len(self.html)} characters>"
