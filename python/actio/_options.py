"""Options from Python as the texts that a command line would have, and their descriptions as docstrings."""

from __future__ import annotations

import inspect
import math
import os
import textwrap
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Iterable, Mapping

import numpy as np

from . import _actio
from ._errors import InputError

# They say what the program prints, or have functions of their own.
_OF_THE_PROGRAM = {"json", "quiet", "again"}


def text_of(value: Any, what: str = "") -> str:
    """A number, a text or a SymPy expression, as it would be typed. Floats keep the decimal value that they show.

    Anything else is refused; `what` is its name in the message."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(float(value)) if math.isfinite(value) else _refused(value, what, "bad-number", "give a finite number")
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if hasattr(value, "_mpf_"):  # mpmath: exactly
        sign, mantissa, exponent, _ = value._mpf_
        if not mantissa and exponent:
            _refused(value, what, "bad-number", "give a finite number")
        whole = f"{'-' if sign else ''}{int(mantissa)}"
        return whole if exponent == 0 else f"{whole}*2^({exponent})"
    if hasattr(value, "free_symbols"):
        from ._sympy import text_of_expression

        return text_of_expression(value)
    if isinstance(value, np.longdouble):  # with the digits that tell it from its neighbours
        return text_of(float(value), what) if not np.isfinite(value) else np.format_float_scientific(value)
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:  # NumPy
        return text_of(value.item(), what)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Decimal):
        return str(value)
    return _refused(value, what, "wrong-type", "give a number or an expression as a text")


def _refused(value: Any, what: str, identity: str, cure: str) -> str:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise InputError(f"{repr(what) + ' is ' if what else ''}{shown}{'' if identity == 'bad-number' else ', which is no real number'}",
                     identity, ("", 0, 0), cure)


def list_text(values: Any, what: str = "") -> str:
    """"a,b,c" of several values, or of one."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__") or getattr(values, "ndim", 1) == 0:
        return text_of(values, what)
    return ",".join(text_of(v, what) for v in values)


def descriptors(command: str) -> list[dict]:
    """The options of a command that Python takes."""
    return [o for o in _actio.options_of(command) if o["name"] not in _OF_THE_PROGRAM]


def assignments(values: Mapping[str, Any] | None) -> list[str]:
    return [f"{text_of(name)}={text_of(value, str(name))}" for name, value in (values or {}).items()]


class Typed:
    """What was given to a command: options by name, and the lists that may be repeated."""

    def __init__(self, command: str, given: Mapping[str, Any], extras: Iterable[str] = ()) -> None:
        known = {o["keyword"]: o for o in descriptors(command)}
        self.options: dict[str, str] = {}
        self.lists: dict[str, Any] = {}
        self.extras: dict[str, Any] = {}
        for keyword, value in given.items():
            if keyword in extras:
                self.extras[keyword] = value
            elif keyword not in known:
                raise InputError(f"unknown option '{keyword}'", "unknown-command-option", (f"{command}()", 0, 0),
                                 _actio.suggest(keyword, [*known, *extras]))
            elif value is not None:
                self._set(known[keyword], value)

    def _set(self, option: dict, value: Any) -> None:
        if option["type"] == "assignment":
            if not isinstance(value, Mapping):
                raise InputError(f"'{option['keyword']}' is no dict", "wrong-type", (option["keyword"], 0, 0),
                                 f"write {option['keyword']}={{\"NAME\": VALUE}}")
            self.lists[option["name"]] = value
        elif option["type"] == "flag":
            if value or option["in_model"]:
                self.options[option["name"]] = "true" if value else "false"
        else:
            self.options[option["name"]] = list_text(value, option["keyword"])

    @property
    def assignments(self) -> list[str]:
        return assignments(self.lists.get("set"))

    def command(self, name: str) -> str:
        """The call as it can be written again, for reports."""
        words = [f"{k.replace('-', '_')}={v!r}" for k, v in self.options.items()]
        words += [f"{k}={dict(v)!r}" for k, v in self.lists.items() if k == "set"]
        return f"{name}({', '.join(words)})"


_KINDS = {"number": "number or expression", "count": "whole number", "text": "str", "flag": "bool", "path": "path",
          "assignment": "dict"}


def option_manual(command: str, extras: Mapping[str, str] = {}) -> str:
    """One entry an option, from its descriptor."""
    lines = ["Options", "-------"]
    for option in descriptors(command):
        default = f", default {option['default']}" if option["default"] else ""
        lines.append(f"{option['keyword']} : {_KINDS[option['type']]}{default}")
        lines += textwrap.wrap(option["sentence"], 100, initial_indent="    ", subsequent_indent="    ")
    for name, sentence in extras.items():
        kind, _, words = sentence.partition(": ")
        lines.append(f"{name} : {kind}")
        lines += textwrap.wrap(words, 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def takes_options(command: str, **extras: str) -> Callable[[Callable], Callable]:
    """Gives a function that ends with **options the signature and the manual of a command."""

    def described(function: Callable) -> Callable:
        signature = inspect.signature(function)
        kept = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        names = [o["keyword"] for o in descriptors(command)] + list(extras)
        own = {p.name for p in kept}
        keywords = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in names if n not in own]
        function.__signature__ = signature.replace(parameters=kept + keywords)
        function.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\n{option_manual(command, extras)}\n"
        return function

    return described
