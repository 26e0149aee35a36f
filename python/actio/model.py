"""Models: from files, keywords, built-in problems and SymPy, and everything that can be done with them."""

from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from . import _actio, _toml
from ._errors import InputError, NumericalError
from ._options import Typed, assignments, takes_options, text_of
from ._progress import shown
from .findings import Comparison, Exact, Findings
from .result import Ensemble, Result

__all__ = ["Model", "problem"]

_PROGRESS = "bool: Shows a progress bar, on standard error or below the cell of a notebook."
_CONTROL = ("callable: Asked before each step with the t, position, momentum and parameters that it starts from: returns new "
            "values of parameters, {\"w\": 4}, or None. They are held over the step.")
_FORCE = ("callable: Generalised forces beside those of the model, f(t, q, v), asked at every node of every iteration: returns "
          "one number a coordinate, a dict {\"q\": -0.1}, or None. It must depend on its arguments alone.")


def _raise_if_strict(typed: Typed, result: Result) -> None:
    if typed.options.get("strict") == "true" and not result.trusted:
        reasons = [result.reason] if result.reason else result.certificate["trust"]["reasons"]
        raise NumericalError("the certificate has doubts: " + "; ".join(reasons), "doubtful", ("", 0, 0),
                             result.suggestion or "try a shorter step or another method")


def _swept(name: Any, values: Any, mark: str = "") -> str:
    """"q=0:1:100" of a text, "q=[…]" of an array."""
    if isinstance(values, str):
        return f"{mark}{text_of(name)}={values}"
    if np.ma.is_masked(values):
        raise InputError(f"some of the values of '{name}' are masked", "bad-number", ("sweep", 0, 0),
                         "leave these out, as values.compressed() does")
    array = np.atleast_1d(np.asarray(values))
    if array.ndim != 1:
        raise InputError(f"the values of '{name}' have {array.ndim} dimensions", "wrong-shape", ("sweep", 0, 0),
                         "give a list of numbers")
    is_plain = array.dtype.kind in "iuf" and array.dtype != np.longdouble
    texts = map(repr, array.tolist()) if is_plain else map(text_of, array.tolist())
    return f"{mark}{text_of(name)}=[{','.join(texts)}]"


def _sweeps(given: Mapping[Any, Any]) -> list[str]:
    """Sweeps as texts; those of a tuple of names go side by side, one column each."""
    texts = []
    for name, values in given.items():
        if not isinstance(name, tuple):
            texts.append(_swept(name, values))
            continue
        columns = values if np.ma.is_masked(values) else np.asarray(values)
        if columns.ndim != 2 or columns.shape[1] != len(name):
            raise InputError(f"the values of {name} have the shape {columns.shape}", "wrong-shape", ("sweep", 0, 0),
                             f"give rows of {len(name)} numbers")
        texts += [_swept(n, columns[:, k], "&" if k > 0 else "") for k, n in enumerate(name)]
    return texts


class Model:
    """A mechanical system with initial data.

    Model("pendulum.toml") reads a file (or a built-in problem); keywords are the keys of a model file:

    Model(coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2}, initial={"q": 1, "q'": 0})

    Model(coordinates=["q"], hamiltonian="p_q^2/2 - w^2*cos(q)", parameters={"w": 2}, initial={"q": 1, "p_q": 0})

    Model(coordinates=["q[1..n]"], sizes={"n": 8}, lagrangian="sum(i = 1..n, 1/2*q[i]'^2 - 1/2*q[i]^2)")

    Keywords: name, coordinates, lagrangian, hamiltonian, equations, linear, sizes, parameters, tables, definitions,
    constraints, forces, observables, invariants, symmetries, signals, events, control, time, chart, initial, run, view. Values are numbers, expressions as texts or SymPy
    expressions. `initial` has q for positions and q' for velocities or p_q for momenta, or the tables of a file.

    Immutable, picklable, and safe to use from several threads.
    """

    __slots__ = ("_native", "_from_keywords")

    def __init__(self, source: str | os.PathLike | None = None, /, **keywords: Any) -> None:
        self._from_keywords = source is None
        if source is not None and keywords:
            raise InputError("both a file and keywords are given", "conflicting-options", ("Model()", 0, 0),
                             "give one of the two; run(set={...}) changes parameters")
        if source is not None:
            self._native = _actio.Model.of_name(os.fspath(source), False)
            return
        text = _toml.model_text(keywords)
        with self._places(text):
            self._native = _actio.Model.of_text(text, _toml.FILE)

    @classmethod
    def _of(cls, native: _actio.Model, from_keywords: bool = False) -> "Model":
        model = cls.__new__(cls)
        model._native = native
        model._from_keywords = from_keywords
        return model

    @classmethod
    def from_text(cls, text: str, name: str = "model.toml") -> "Model":
        """The model of a text that could stand in a file; `name` is used in messages."""
        return cls._of(_actio.Model.of_text(text, name))

    @classmethod
    def from_sympy(cls, L: Any, coordinates: Sequence[Any], *, parameters: Mapping[Any, Any] | None = None,
                   **keywords: Any) -> "Model":
        """The model of a Lagrangian in SymPy: an expression in functions of t (`coordinates`), their derivatives, and
        symbols that `parameters` gives values to. Other keywords as for Model; keys and values may be SymPy's:
        initial={q: 1, q.diff(t): 0}. What is left out of `initial` is zero.
        """
        from ._sympy import keywords_of

        made = keywords_of(L, list(coordinates), {"parameters": parameters, **keywords})
        initial = dict(made.get("initial") or {})
        if not any(isinstance(v, Mapping) for v in initial.values()):
            names = made["coordinates"]
            rate = "p_{}" if any(k.startswith("p_") and k not in names for k in initial) else "{}'"
            made["initial"] = {**{k.format(q): 0 for k in ("{}", rate) for q in names}, **initial}
        return cls(**made)

    @contextlib.contextmanager
    def _places(self, text: str | None = None) -> Iterator[None]:
        """Errors in the text that was made from keywords are told at the keyword."""
        try:
            yield
        except InputError as error:
            if not self._from_keywords or error.place.source != _toml.FILE:
                raise
            place = _toml.place_in_keywords(self.text if text is None else text, error.place.line, error.place.column)
            raise InputError(error.message, error.id, place, error.cure) from None

    def __reduce__(self) -> tuple:
        n = self._native
        return (_rebuilt, (n.problem, n.text, n.file, n.path, n.assignments, self._from_keywords))

    def __repr__(self) -> str:
        parameters = ", ".join(f"{k}={v:g}" for k, v in self.parameters.items())
        return f"<Model {self.name!r}: {', '.join(self.coordinates)}{'; ' + parameters if parameters else ''}>"

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def coordinates(self) -> list[str]:
        return self._native.coordinates

    @property
    def events(self) -> list[str]:
        """The names of the events."""
        return self._native.events

    @property
    def parameters(self) -> dict[str, float]:
        """The values of the parameters."""
        return dict(self._native.parameters)

    @property
    def text(self) -> str:
        """The model file."""
        return self._native.text

    def with_parameters(self, values: Mapping[str, Any] | None = None, /, **more: Any) -> "Model":
        """The same model with other values of parameters, which may be expressions in the others."""
        return self._set(assignments({**(values or {}), **more}))

    def _set(self, texts: list[str]) -> "Model":
        if not texts:
            return self
        with self._places():
            return Model._of(self._native.set(texts), self._from_keywords)

    @takes_options("run", progress=_PROGRESS, control=_CONTROL, force=_FORCE)
    def run(self, **options: Any) -> Result:
        """Runs the model and keeps its trajectory in memory.

        Wrong input raises InputError; numbers that fail are a result with the status "failed" and a reason. Ctrl-C ends
        the run early: the result has the status "interrupted" and everything up to there. `strict=True` raises
        NumericalError where the certificate has doubts.
        """
        typed = Typed("run", options, ("progress", "control", "force"))
        model = self._set(typed.assignments)
        resumes = typed.options.pop("resume", "false") == "true"
        with self._places(), shown(typed.extras.get("progress"), "step") as show:
            native = _actio.run(model._native, typed.options, resumes, typed.command(f"Model({self.name!r}).run"), show,
                                control=typed.extras.get("control"), force=typed.extras.get("force"))
        result = Result._of_run(model, native, typed)
        _raise_if_strict(typed, result)
        return result

    @takes_options("ensemble", progress=_PROGRESS)
    def ensemble(self, **options: Any) -> Ensemble:
        """Runs many trajectories that differ in initial values or parameters.

        `sweep={"q": np.linspace(0, 3, 1000), "w": "1:2:10"}` takes arrays or texts FROM:TO:COUNT, several make a grid
        of which the last one runs fastest; `sweep={("q", "p_q"): rows}` takes starts as rows of an array.
        `sample={"q": "normal(0, 0.1)"}` draws at random. Trajectories that fail have a status each.
        Ctrl-C ends it early, with the trajectories that are done; `resume=True` goes on from its output. `part="2/8"`
        computes a part alone, which `actio.join` puts together with the others. With `accuracy=1e-8` each trajectory
        takes as many steps as its start asks for; `statistics=True` adds quantiles and histograms to the summary,
        `report="page.html"` leaves a page with maps.
        """
        typed = Typed("ensemble", options, ("progress",))
        model = self._set(typed.assignments)
        sweeps = _sweeps(typed.lists.get("sweep") or {})
        samples = assignments(typed.lists.get("sample"))
        with self._places(), shown(typed.extras.get("progress"), "trajectory") as show:
            made = _actio.ensemble(model._native, typed.options, sweeps, samples, show,
                                   typed.command(f"Model({self.name!r}).ensemble"))
        return Ensemble._of_arrays(model, made, (typed.options, sweeps, samples))

    @takes_options("compare", progress=_PROGRESS)
    def compare(self, **options: Any) -> Comparison:
        """Runs several methods with several steps: errors, orders of convergence, costs.

        m.compare(methods=["simpson", "gauss-4"], step_sizes=[0.1, 0.05]); rows of the result are dicts.
        """
        typed = Typed("compare", options, ("progress",))
        model = self._set(typed.assignments)
        with self._places(), shown(typed.extras.get("progress"), "step") as show:
            text, found, page_error = _actio.compare(model._native, typed.options,
                                                     typed.command(f"Model({self.name!r}).compare"), show)
        if page_error:
            raise OSError(page_error)
        return Comparison(found, text)

    @takes_options("check")
    def check(self, **options: Any) -> Findings:
        """The model as it was understood: equations of motion, dimensions, cyclic coordinates, conserved momenta."""
        typed = Typed("check", options)
        model = self._set(typed.assignments)
        with self._places():
            text, found = _actio.check(model._native, typed.options)
        return Findings(found, text)

    @takes_options("exact")
    def exact(self, times: Any, **options: Any) -> Exact:
        """The exact motion at `times`, where it is known: with all digits of the precision."""
        typed = Typed("exact", {**options, "times": np.atleast_1d(times) if not isinstance(times, str) else times})
        model = self._set(typed.assignments)
        with self._places():
            text, found = _actio.exact(model._native, typed.options)
        return Exact(found, text, typed.options.get("precision", self._native.run_options.get("precision", "double")),
                     self.coordinates)

    @takes_options("run", force=_FORCE)
    def integrator(self, **options: Any) -> _actio.Integrator:
        """The method and the step for stepping by hand: i.start(), i.advance(state, steps), i.tangent(state)."""
        typed = Typed("run", options, ("force",))
        model = self._set(typed.assignments)
        with self._places():
            return _actio.Integrator(model._native, typed.options, typed.extras.get("force"))


def _rebuilt(problem: str, text: str, file: str, path: str, assigned: list[str], from_keywords: bool) -> Model:
    native = _actio.Model.of_name(problem, True) if problem else _actio.Model.of_text(text, file, path)
    return Model._of(native.set(assigned) if assigned else native, from_keywords)


def problem(name: str) -> Model:
    """A built-in problem; problems() lists them."""
    return Model._of(_actio.Model.of_name(name, True))
