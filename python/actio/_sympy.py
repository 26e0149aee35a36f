"""SymPy expressions in actio's language, and models from them."""

from __future__ import annotations

from typing import Any, Mapping

from sympy import Derivative, Function, Integral, Product, Subs, Sum, Symbol, sympify
from sympy import Piecewise, cos, cosh, erf, floor, log, sin, sinh, tan, tanh
from sympy.core.function import AppliedUndef
from sympy.printing.str import StrPrinter

from ._errors import InputError

_FUNCTIONS = {"Abs": "abs", "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin",
              "acos": "acos", "atan": "atan", "atan2": "atan2", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
              "sign": "sign", "Min": "min", "Max": "max", "floor": "floor", "Mod": "mod", "erf": "erf",
              "besselj": "jn"}

# Functions that are written by others.
_REWRITTEN = {"sec": cos, "csc": sin, "cot": tan, "sinc": sin, "sech": cosh, "csch": sinh, "coth": tanh, "asinh": log,
              "acosh": log, "atanh": log, "acoth": log, "asech": log, "acsch": log, "erfc": erf, "ceiling": floor,
              "Heaviside": Piecewise}

_RELATIONS = {"StrictLessThan": "<", "LessThan": "<=", "StrictGreaterThan": ">", "GreaterThan": ">=",
              "Equality": "==", "Unequality": "!="}


def _name(text: str) -> str:
    """A name that actio accepts: LaTeX's backslashes, braces and spaces go."""
    kept = "".join(c if c.isalnum() or c == "_" else "_" if c in "{ ^" else "" for c in text.replace("\\", ""))
    return kept or "_"


class _Printer(StrPrinter):
    """Exact numbers, ^ for powers, q' for the time derivative of q(t)."""

    def _refuse(self, expression: Any, why: str, cure: str = "") -> str:
        known = sorted({*_FUNCTIONS.values(), *_REWRITTEN, "sqrt"})
        raise InputError(f"'{expression}' {why}", "expression-syntax", ("", 0, 0),
                         cure or "use the functions of the expression language: " + ", ".join(known))

    def _has_no_meaning(self, expression: Any) -> str:
        return self._refuse(expression, "has no meaning in actio")

    _print_Integral = _print_Sum = _print_Product = _print_Limit = _has_no_meaning
    _print_MatrixBase = _print_Tuple = _print_Order = _print_NumberSymbol = _print_Catalan = _has_no_meaning
    _print_EulerGamma = _print_TribonacciConstant = _has_no_meaning

    def _is_no_number(self, expression: Any) -> str:
        return self._refuse(expression, "is no finite number", "look where it comes from")

    _print_Infinity = _print_NegativeInfinity = _print_ComplexInfinity = _print_NaN = _is_no_number

    def _print_GoldenRatio(self, _):
        return "((1 + sqrt(5))/2)"

    def _print_Pow(self, expression, rational=False):
        if expression.exp.is_Rational and expression.exp.p == 1 and expression.exp.q == 2:
            return f"sqrt({self._print(expression.base)})"
        return f"({self._print(expression.base)})^({self._print(expression.exp)})"

    def _print_Symbol(self, expression):
        return _name(expression.name)

    def _print_Float(self, expression):
        if expression._prec == 53:
            return repr(float(expression)).replace("e+", "e")
        return super()._print_Float(expression).replace("e+", "e")

    def _print_Rational(self, expression):
        return f"({expression.p}/{expression.q})" if expression.q != 1 else str(expression.p)

    def _print_Exp1(self, _):
        return "exp(1)"

    def _print_Pi(self, _):
        return "pi"

    def _print_Function(self, expression):
        if isinstance(expression, AppliedUndef):
            return self._function_of_time(expression)
        name = _FUNCTIONS.get(expression.func.__name__)
        if name is None:
            by = _REWRITTEN.get(expression.func.__name__)
            written = expression if by is None else expression.rewrite(by)
            return self._has_no_meaning(expression) if written.has(expression.func) else f"({self._print(written)})"
        return f"{name}({', '.join(self._print(a) for a in expression.args)})"

    # Min and Max, and what SymPy would print by its own names.
    def _print_LatticeOp(self, expression):
        return self._print_Function(expression)

    _print_Mod = _print_Heaviside = _print_LatticeOp

    def _print_Piecewise(self, expression):
        *choices, (last, condition) = expression.args
        if condition != True:  # noqa: E712
            self._refuse(expression, "has no value where none of its conditions holds", "end it with (VALUE, True)")
        text = self._print(last)
        for value, condition in reversed(choices):
            text = f"if({self._condition(condition)}, {self._print(value)}, {text})"
        return text

    def _condition(self, condition):
        relation = _RELATIONS.get(type(condition).__name__)
        if relation is not None:
            return f"{self._print(condition.lhs)} {relation} {self._print(condition.rhs)}"
        if type(condition).__name__ in ("And", "Or"):
            word = f" {type(condition).__name__.lower()} "
            return "(" + word.join(self._condition(c) for c in condition.args) + ")"
        if type(condition).__name__ == "Not":
            return f"not ({self._condition(condition.args[0])})"
        return self._refuse(condition, "is no comparison")

    def _function_of_time(self, expression):
        if len(expression.args) != 1 or expression.args[0] != Symbol("t", **expression.args[0].assumptions0):
            self._refuse(expression, "is no function of t alone", "coordinates are functions of t, such as Function('q')(t)")
        return _name(expression.func.__name__)

    def _print_Derivative(self, expression):
        of, count = expression.expr, expression.derivative_count
        if not isinstance(of, AppliedUndef):
            return self._print(expression.doit())
        return self._function_of_time(of) + "'" * int(count)

    def _print_ImaginaryUnit(self, expression):
        return self._refuse(expression, "is not real", "write the Lagrangian in real coordinates")

    def emptyPrinter(self, expression):
        return self._refuse(expression, "has no meaning in actio")


def text_of_expression(expression: Any) -> str:
    expression = sympify(expression)
    if expression.has(Derivative, Integral, Product, Subs, Sum):
        expression = expression.doit()
    return _Printer({"full_prec": True}).doprint(expression)


def _expressions_in(value: Any) -> list:
    if isinstance(value, Mapping):
        return [e for pair in value.items() for part in pair for e in _expressions_in(part)]
    return [value] if hasattr(value, "free_symbols") else []


def _require_distinct(expressions: list) -> None:
    """Symbols and functions that SymPy tells apart must not become one name."""
    known: dict[str, Any] = {}
    for expression in expressions:
        expression = sympify(expression)
        functions = {f.func for f in expression.atoms(AppliedUndef)}
        for thing in [*expression.free_symbols, *functions]:
            name = _name(thing.name if isinstance(thing, Symbol) else thing.__name__)
            if known.setdefault(name, thing) != thing:
                raise InputError(f"two different symbols or functions are called '{name}'", "duplicate-name", ("", 0, 0),
                                 "give them names of their own, and each symbol the same assumptions everywhere")


def _named(entries: Mapping[Any, Any] | None) -> dict:
    return {text_of_expression(k) if not isinstance(k, str) else k: v for k, v in (entries or {}).items()}


def keywords_of(L: Any, coordinates: list, keywords: dict) -> dict:
    """The keywords of a model whose Lagrangian and tables are SymPy expressions in functions of t."""
    for q in coordinates:
        if not isinstance(q, (AppliedUndef, Symbol)):
            kind = "a function without its argument" if isinstance(q, type(Function("f"))) else type(q).__name__
            raise InputError(f"'{q}' is {kind}, but coordinates are functions of t", "bad-name", ("coordinates", 0, 0),
                             "write q = Function('q')(t)")
    made = dict(keywords)
    made["coordinates"] = [text_of_expression(q) for q in coordinates]
    _require_distinct([L, *coordinates, *_expressions_in(keywords)])
    made["lagrangian"] = text_of_expression(L)
    for table in ("parameters", "definitions", "forces", "observables", "invariants", "initial"):
        if isinstance(made.get(table), Mapping):
            made[table] = _named(made[table])
    if isinstance(made.get("constraints"), Mapping):
        made["constraints"] = _named(made["constraints"])
    if isinstance(made.get("symmetries"), Mapping):
        made["symmetries"] = {name: _named(moved) for name, moved in made["symmetries"].items()}
    return made
