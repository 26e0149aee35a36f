"""Model files from keywords: the text that parse_model reads, one key a line, and places in it as people know them."""

from __future__ import annotations

import math
import re
from typing import Any, Mapping

from . import _actio
from ._errors import InputError
from ._options import text_of

FILE = "model"

_KEYS = ("name", "coordinates", "lagrangian", "hamiltonian", "equations", "linear", "sizes", "parameters", "tables",
         "signals", "control", "definitions",
         "constraints", "forces", "observables", "invariants", "symmetries", "events", "time", "chart", "initial", "run",
         "view")


def _string(text: str) -> str:
    flat = re.sub(r"\s*\n\s*", " ", text.strip()) if "\n" in text else text
    return '"' + flat.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _key(name: Any) -> str:
    name = text_of(name)
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _string(name)


def _value(value: Any, what: str = "") -> str:
    if hasattr(value, "tolist") and not hasattr(value, "free_symbols"):  # NumPy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) < 2**63:
        return str(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v, what) for v in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {_value(v, str(k))}" for k, v in value.items()) + "}"
    return _string(text_of(value, what))


def _table(lines: list[str], path: str, entries: Mapping[str, Any]) -> None:
    plain = {k: v for k, v in entries.items() if not isinstance(v, Mapping)}
    if path and (plain or len(plain) == len(entries)):
        lines.append(f"[{path}]")
    lines += [f"{_key(k)} = {_value(v, f'{path}.{k}' if path else str(k))}" for k, v in plain.items()]
    for name, inner in entries.items():
        if isinstance(inner, Mapping):
            _table(lines, f"{path}.{_key(name)}" if path else _key(name), inner)


def _initial(given: Mapping[Any, Any], coordinates: list[str]) -> dict:
    """{"q": 1, "q'": 0, "p_q": 0} as tables of positions, velocities and momenta."""
    if given and all(isinstance(v, Mapping) for v in given.values()):
        return dict(given)
    tables: dict[str, dict] = {"position": {}}
    for key, value in given.items():
        name = text_of(key)
        if name.endswith("'"):
            tables.setdefault("velocity", {})[name[:-1]] = value
        elif name.startswith("p_") and name not in coordinates:
            tables.setdefault("momentum", {})[name[2:]] = value
        else:
            tables["position"][name] = value
    return tables


def _signal(given: Any) -> Any:
    """(times, values), or a mapping with these and an interpolation, as the samples of a table [signals.NAME]."""
    if isinstance(given, Mapping):
        table = {k: v for k, v in given.items() if k not in ("times", "values")}
        if "times" not in given and "values" not in given:
            return table
        times, values = given.get("times", ()), given.get("values", ())
    else:
        table = {}
        if len(given) != 2:
            raise InputError("a signal is a pair of times and values", "wrong-type", ("signals", 0, 0),
                             'give signals={"u": (times, values)}')
        times, values = given
    if len(times) != len(values):
        raise InputError(f"a signal has {len(times)} times and {len(values)} values", "signal-column",
                         ("signals", 0, 0), "give one value for each time")
    plain = [x.tolist() if hasattr(x, "tolist") else list(x) for x in (times, values)]
    return {"samples": [list(row) for row in zip(*plain)], **table}


def model_text(keywords: Mapping[str, Any]) -> str:
    """The text of a model file that says what the keywords say."""
    for key in keywords:
        if key not in _KEYS:
            raise InputError(f"unknown keyword '{key}'", "unknown-key", ("Model()", 0, 0),
                             _actio.suggest(key, list(_KEYS)))
    tables = {k: v for k, v in keywords.items() if v is not None and not (isinstance(v, Mapping) and not v)}
    coordinates = [text_of(c) for c in tables.get("coordinates", [])] if "coordinates" in tables else []
    if coordinates:
        tables["coordinates"] = coordinates
    if isinstance(tables.get("initial"), Mapping):
        tables["initial"] = _initial(tables["initial"], coordinates)
    if isinstance(tables.get("constraints"), (list, tuple)):
        tables["constraints"] = {f"g{k + 1}": g for k, g in enumerate(tables["constraints"])}
    if isinstance(tables.get("signals"), Mapping):
        tables["signals"] = {text_of(k): _signal(v) for k, v in tables["signals"].items()}
    lines: list[str] = []
    _table(lines, "", tables)
    return "\n".join(lines) + "\n"


def place_in_keywords(text: str, line: int, column: int) -> tuple[str, int, int]:
    """What a place in the text of `model_text` is among the keywords: the expression, and the column inside it."""
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return (FILE, 0, 0)
    table = ""
    for above in lines[:line]:
        if above.startswith("["):
            table = above.strip("[]")
    match = re.match(r'("(?:[^"\\]|\\.)*"|[A-Za-z0-9_-]+) = ("?)', lines[line - 1])
    if match is None:
        return (table or FILE, 0, 0)
    name = match.group(1).strip('"')
    inside = column - len(match.group(0))
    return (f"{table}.{name}" if table else name, 1 if inside >= 1 else 0, max(inside, 0))
