"""Results of runs and ensembles: arrays, certificates, files, pictures."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Iterable, Iterator

import numpy as np

from . import _actio
from ._arrays import Columns, digits_of, mpmath_array, mpmath_from_text
from ._display import Page, table
from ._errors import InputError
from .findings import Findings

__all__ = ["Certificate", "Ensemble", "Events", "Result", "join", "load", "repeat"]


class Certificate(Findings):
    """What a run is worth: energy, momenta, constraints, iterations, and whether it can be trusted."""

    @property
    def trusted(self) -> bool:
        return self.get("trust", {}).get("verdict") == "trusted"


class _ColumnStore:
    """Columns by name, made when first asked for."""

    def __init__(self, names: Iterable[str], make: Any) -> None:
        self.names = list(names)
        self._make = make
        self._made: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._made:
            if name not in self.names:
                raise KeyError(f"there is no column {name!r}; {_actio.suggest(name, self.names)}")
            self._made[name] = self._make(name)
        return self._made[name]


class Events:
    """Events of a run in their order, one row each: what happened, when, and the state that it left."""

    def __init__(self, names: np.ndarray, t: np.ndarray, position: Columns, momentum: Columns, count: int) -> None:
        self.names = names
        self.t = t
        self.position = position
        self.momentum = momentum
        self.count = count  # of all that happened; the first 100,000 are kept

    def __len__(self) -> int:
        return len(self.t)

    def __getitem__(self, name: str) -> "Events":
        """Those of one name."""
        those = self.names == name
        return Events(self.names[those], self.t[those], Columns(np.asarray(self.position)[those], self.position.names),
                      Columns(np.asarray(self.momentum)[those], self.momentum.names), int(those.sum()))

    def to_pandas(self) -> Any:
        import pandas

        columns: dict[str, Any] = {"event": self.names, "t": self.t}
        for array in (self.position, self.momentum):
            columns.update({name: array[name] for name in array.names})
        return pandas.DataFrame(columns)

    def __repr__(self) -> str:
        counts = ", ".join(f"{n} {c} times" for n, c in zip(*np.unique(self.names, return_counts=True)))
        return f"<Events: {counts or 'none'}>"


class Result:
    """A run: its trajectory as arrays, its certificate, its files.

    Arrays are read-only views of what the library computed; where the precision is above double they hold mpmath
    numbers, which carry all digits (set mpmath.mp.dps before computing with them).
    """

    def __init__(self, model: Any, columns: _ColumnStore, certificate: Certificate, options: dict[str, str], *,
                 native: Any = None, typed: Any = None) -> None:
        self.model = model
        self.certificate = certificate
        self.options = options
        self._columns = columns
        self._native = native
        self._typed = typed
        self._control = typed.extras.get("control") if typed is not None else None
        self._force = typed.extras.get("force") if typed is not None else None
        self._stacks: dict[str, Columns] = {}

    @classmethod
    def _of_run(cls, model: Any, native: Any, typed: Any) -> "Result":
        digits = digits_of(native.options.get("precision", "double"))
        make = native.column if native.is_double else lambda name: mpmath_array(native.column(name))
        certificate = Certificate(native.json, native.text, digits)
        return cls(model, _ColumnStore(native.names, make), certificate, native.options, native=native, typed=typed)

    @classmethod
    def _of_file(cls, stored: dict) -> "Result":
        digits = digits_of(stored["options"].get("precision", "double"))

        def make(name: str) -> np.ndarray:
            column = stored["columns"][name]
            if isinstance(column, np.ndarray):
                return column
            array = np.empty(len(column), dtype=object)
            try:
                array[:] = [mpmath_from_text(text, digits) for text in column]
            except ValueError as error:
                raise _damaged(f"the column {name!r} does not hold numbers") from error
            return array

        certificate = Certificate(stored["json"] or "{}", "", digits)
        return cls(_stored_model(stored), _ColumnStore(stored["columns"], make), certificate, stored["options"])

    def _require_whole(self) -> None:
        """Touches all that a file may lack; whatever that raises, the file is damaged."""
        for name in ("t", *self.model.coordinates):
            self._columns[name]
        str(self.status), self.trusted, str(self.reason), str(self.suggestion), int(self.steps), repr(self)
        if "energy" in self and len(self):
            self.energy_error

    # What it is.

    @property
    def status(self) -> str:
        """"done", "interrupted" or "failed"."""
        return self._native.status if self._native else self.certificate.get("status", "interrupted")

    @property
    def trusted(self) -> bool:
        return self._native.trusted if self._native else self.certificate.trusted

    @property
    def reason(self) -> str:
        """Why it failed, or ""."""
        return self._native.reason if self._native else self.certificate.get("reason", "") or ""

    @property
    def suggestion(self) -> str:
        """What to try where it failed, or ""."""
        return self._native.suggestion if self._native else self.certificate.get("suggestion", "") or ""

    @property
    def method(self) -> str:
        return self.certificate.get("method", self.options.get("method", ""))

    @property
    def step(self) -> Any:
        return self.certificate.get("step")

    @property
    def steps(self) -> int:
        return self.certificate.get("steps", len(self) - 1)

    @property
    def notes(self) -> list[str]:
        return list(self._native.notes) if self._native else []

    # Its numbers.

    @property
    def names(self) -> list[str]:
        """The columns: t, coordinates, momenta p_NAME, energy, observables, momenta of symmetries, multipliers."""
        return list(self._columns.names)

    keys = names.fget

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __contains__(self, name: object) -> bool:
        return name in self._columns.names

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns.names)

    def __len__(self) -> int:
        return len(self._columns["t"])

    @property
    def t(self) -> np.ndarray:
        return self["t"]

    def _stack(self, what: str, names: list[str]) -> Columns:
        if what not in self._stacks:
            array = np.empty((len(self), len(names)), dtype=self.t.dtype)
            for k, name in enumerate(names):
                array[:, k] = self[name]
            self._stacks[what] = Columns(array, names)
        return self._stacks[what]

    @property
    def position(self) -> Columns:
        """One row a time, one column a coordinate: r.position[:, 0] or r.position["q"]."""
        return self._stack("position", self.model.coordinates)

    @property
    def momentum(self) -> Columns:
        return self._stack("momentum", [n for n in (f"p_{q}" for q in self.model.coordinates) if n in self])

    @property
    def energy(self) -> np.ndarray:
        return self["energy"]

    @property
    def energy_error(self) -> np.ndarray | None:
        """(E − E0) / |E0| at each time, relative to what the certificate uses where E0 nearly vanishes. None where
        forces or explicit time supply energy, or where there is none: the certificate has the error of the ledger."""
        if "energy" not in self or self.certificate.get("energy", {}).get("work") is not None:
            return None
        energy = self["energy"]
        return (energy - energy[0]) / self._energy_reference()

    def _energy_reference(self) -> Any:
        known = self._native.energy_reference if self._native else None
        if isinstance(known, float):
            return known
        if known is not None:
            return mpmath_array(known)[0]
        record = self.certificate.get("energy", {})
        largest, relative = record.get("max_error"), record.get("max_relative_error")
        return largest / relative if relative else abs(self["energy"][0])

    def _numbers(self, values: Any, width: int) -> np.ndarray:
        """Numbers of the library in rows of this width."""
        array = np.asarray(values) if isinstance(values, np.ndarray) else mpmath_array(values)
        return array.reshape(-1, width) if width else np.empty((0, 0), dtype=array.dtype)

    @property
    def events(self) -> Events:
        """What happened on the way: r.events.t, r.events.position["q"], r.events["bounce"].t."""
        coordinates, momenta = self.model.coordinates, list(self.momentum.names)
        if self._native is not None:
            made = self._native.events
            kinds, t = made["kinds"], self._numbers(made["t"], 1)[:, 0]
            names = np.array(made["names"], dtype=object)[kinds] if len(kinds) else np.empty(0, dtype=object)
            position, momentum = made["position"], made["momentum"]
            count = made["count"]
        else:
            listed = self.certificate.get("events") or []
            names = np.array([e["name"] for e in listed], dtype=object)
            t, count = np.array([e["time"] for e in listed]), self.certificate.get("event_count") or 0
            position, momentum = (np.array([list(_flat(e[part])) for e in listed]) for part in ("position", "momentum"))
        rows = len(names)
        shaped = [self._numbers(array, len(of)) if rows and of else np.empty((rows, len(of)))
                  for array, of in ((position, coordinates), (momentum, momenta))]
        return Events(names, t, Columns(shaped[0], coordinates), Columns(shaped[1], momenta), count)

    @property
    def controls(self) -> Columns:
        """What sampled controls were from their samples on: r.controls["t"], r.controls["u"]."""
        if self._native is not None:
            made = self._native.controls
            names, t = made["names"], self._numbers(made["t"], 1)
            values = self._numbers(made["values"], len(names)) if names else np.empty((len(t), 0))
        else:
            stored = self.certificate.get("controls") or {}
            names = list(stored)
            t = np.array(stored[names[0]]["times"]).reshape(-1, 1) if names else np.empty((0, 1))
            values = np.array([stored[n]["values"] for n in names]).T if names else np.empty((0, 0))
        return Columns(np.concatenate([t, values], axis=1), ["t", *names])

    # Other forms.

    def to_pandas(self) -> Any:
        """A DataFrame with the time as its index."""
        import pandas

        columns = {name: self[name] for name in self.names if name != "t"}
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))

    def to_xarray(self) -> Any:
        """A Dataset over the dimension t, with method, step and status as attributes."""
        import xarray

        columns = {name: ("t", self[name]) for name in self.names if name != "t"}
        attributes = {"model": self.model.name, "method": self.method, "step": float(self.step), "status": self.status}
        return xarray.Dataset(columns, coords={"t": self.t}, attrs=attributes)

    def save(self, path: str | os.PathLike) -> str:
        """Writes what is in memory, with the certificate and all that repeats the run: .h5, .csv or .npy."""
        if self._native is None:
            raise InputError("this result comes from a file already", "conflicting-options", ("save()", 0, 0),
                             "copy the file")
        if self._control is not None:
            raise InputError("a file could not repeat a run whose parameters a control changed", "conflicting-options",
                             ("save()", 0, 0), "keep its arrays, as to_pandas() gives them")
        if self._force is not None:
            raise InputError("a file could not repeat a run in which a function gave the force", "conflicting-options",
                             ("save()", 0, 0), "keep its arrays, as to_pandas() gives them, or write the force into the model")
        self._native.save(self.model._native, os.fspath(path))
        return os.fspath(path)

    def report(self, path: str | os.PathLike) -> str:
        """Writes the page about the run. Its pictures need every step, so the run is done again, bit for bit; one with a
        control or a force asks that again, which must answer as before."""
        options = self._typed.options if self._typed is not None else self.options
        wanted = {k: v for k, v in options.items() if k not in ("output", "report", "checkpoint-every", "resume")}
        wanted["report"] = os.fspath(path)
        last = self.steps if self.status == "interrupted" else None
        command = self._typed.command(f"Model({self.model.name!r}).run") if self._typed is not None else ""
        again = _actio.run(self.model._native, wanted, False, command, None, False, last, self._control,
                           self._force)
        if again.page_error:
            raise OSError(again.page_error)
        return os.fspath(path)

    def show_report(self, height: int = 640) -> Page:
        """The page about the run, inside a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            self.report(path)
            with open(path, encoding="utf-8") as file:
                return Page(file.read(), height)

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Draws columns over time (the coordinates if none are named), and the energy error below. Returns the axes."""
        from ._plot import plot_run

        return plot_run(self, names, axes)

    def __repr__(self) -> str:
        size = f"{len(self)} rows of {', '.join(self.names)}"
        return f"<Result of {self.model.name!r}: {self.method}, {self.status}, {size}>"

    def __str__(self) -> str:
        return str(self.certificate)

    def _repr_html_(self) -> str:
        energy = self.certificate.get("energy") or {}
        rows = [("model", self.model.name), ("method", self.method), ("step", self.step), ("steps", self.steps),
                ("time", self.certificate.get("time")), ("status", self.status),
                ("largest energy error", energy.get("max_relative_error")),
                ("trust", "trusted" if self.trusted else "doubtful")]
        rows += [("because", r) for r in self.certificate.get("trust", {}).get("reasons", [])]
        rows += [("reason", self.reason)] if self.reason else []
        return table(rows)


class Ensemble:
    """Many trajectories: arrays with one row each."""

    def __init__(self, model: Any, arrays: dict, summary: Findings, recipe: Any = None) -> None:
        coordinates = model.coordinates
        momenta = [] if model._native.is_first_order else [f"p_{q}" for q in coordinates]
        self.model = model
        self.summary = summary
        self.position = Columns(arrays["position"], coordinates)
        self.momentum = Columns(arrays["momentum"], momenta)
        self.start = Columns(arrays["start"], [*coordinates, *momenta, *arrays["parameters"]])
        self.energy_error = arrays["energy_error"] if momenta else None
        self.momentum_errors = arrays["momentum_errors"]
        self.lyapunov = arrays["lyapunov"] if summary.get("lyapunov") else None
        self.steps = arrays["steps"]
        self.status = np.array(_actio.trajectory_statuses)[arrays["status"]]
        self.crossings = Columns(arrays["crossings"], ["trajectory", "t", *coordinates, *momenta])
        self.events = Columns(arrays["events"], ["trajectory", "event", "t", *coordinates, *momenta])
        self.event_names = list(model.events)
        self.reasons = dict(arrays["reasons"])
        self._recipe = recipe

    @classmethod
    def _of_arrays(cls, model: Any, made: dict, recipe: Any) -> "Ensemble":
        if made["write_error"]:
            raise OSError(made["write_error"])
        return cls(model, made, Findings(made["json"], made["text"]), recipe)

    @classmethod
    def _of_file(cls, stored: dict) -> "Ensemble":
        model = _stored_model(stored)
        columns, coordinates = stored["columns"], model.coordinates
        momenta = [] if model._native.is_first_order else [f"p_{q}" for q in coordinates]
        parameters = [name for name in model.parameters if name in columns]
        rows = len(columns["status"])

        def stack(names: list[str], of: dict = columns) -> np.ndarray:
            return np.stack([of[n] for n in names], axis=1) if names and of else np.empty((rows if of else 0, len(names)))

        crossings = stored["crossings"]
        arrays = {
            "position": stack(coordinates), "momentum": stack(momenta), "parameters": parameters,
            "start": stack([f"{n}(0)" for n in coordinates + momenta] + parameters),
            "energy_error": columns.get("energy_error", np.zeros(rows)),
            "momentum_errors": stack([n for n in columns if n.startswith("error(")]),
            "lyapunov": columns.get("lyapunov"), "steps": columns["steps"].astype(np.int64),
            "status": columns["status"].astype(np.int8), "reasons": [],
            "crossings": stack(["trajectory", "t", *coordinates, *momenta], crossings),
            "events": stack(["trajectory", "event", "t", *coordinates, *momenta], stored["events"]),
        }
        return cls(model, arrays, Findings(stored["json"] or "{}"))

    def _require_whole(self) -> None:
        """As that of a Result; all is read already."""
        repr(self)

    def __len__(self) -> int:
        return len(self.status)

    @property
    def first(self) -> int:
        """The number of its first trajectory, which is not 0 in later parts of an ensemble."""
        return self.summary.get("part", {}).get("first", 0)

    @property
    def done(self) -> np.ndarray:
        """Which of them went through."""
        return self.status == "done"

    def to_pandas(self) -> Any:
        """A DataFrame with one row a trajectory: NAME(0) where it started, NAME where it ended."""
        import pandas

        columns: dict[str, Any] = {}
        states = (*self.position.names, *self.momentum.names)
        for name in self.start.names:
            columns[f"{name}(0)" if name in states else name] = self.start[name]
        for array in (self.position, self.momentum):
            columns.update({name: array[name] for name in array.names})
        more = {"energy_error": self.energy_error, "lyapunov": self.lyapunov, "steps": self.steps, "status": self.status}
        columns.update({name: values for name, values in more.items() if values is not None})
        return pandas.DataFrame(columns, index=pandas.RangeIndex(self.first, self.first + len(self), name="trajectory"))

    def to_xarray(self) -> Any:
        return self.to_pandas().to_xarray()

    def save(self, path: str | os.PathLike) -> str:
        """Writes one row a trajectory, .h5, .csv or .npy. The ensemble is done again for it, bit for bit."""
        if self._recipe is None:
            raise InputError("this ensemble comes from a file already", "conflicting-options", ("save()", 0, 0),
                             "copy the file")
        options, sweeps, samples = self._recipe
        options = {name: value for name, value in options.items() if name not in ("resume", "report")}
        made = _actio.ensemble(self.model._native, {**options, "output": os.fspath(path)}, sweeps, samples, None)
        if made["write_error"]:
            raise OSError(made["write_error"])
        return os.fspath(path)

    def plot(self, x: str | None = None, y: str | None = None, axes: Any = None) -> Any:
        """Draws where trajectories end over where they started, or their crossings of a section. Returns the axes."""
        from ._plot import plot_ensemble

        return plot_ensemble(self, x, y, axes)

    def __repr__(self) -> str:
        failed = int((~self.done).sum())
        return f"<Ensemble of {self.model.name!r}: {len(self)} trajectories, {failed} failed>"

    def __str__(self) -> str:
        return str(self.summary)

    def _repr_html_(self) -> str:
        return self.summary._repr_html_()


def _flat(values: dict | list) -> Iterator[Any]:
    """The numbers of a state as certificates have it, where members are lists, and lists of lists."""
    for value in values.values() if isinstance(values, dict) else values:
        yield from _flat(value) if isinstance(value, list) else (value,)


def _damaged(what: str, path: str = "") -> InputError:
    return InputError(what, "trajectory-damaged", (path, 0, 0), "the file is damaged; give another one, or run again")


def _stored_model(stored: dict) -> Any:
    from .model import _rebuilt

    return _rebuilt("", stored["model_text"], stored["model_file"], "", stored["assignments"], False)


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
