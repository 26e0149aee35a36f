"""A call like SciPy's solve_ivp."""

from __future__ import annotations

import math
from typing import Any, Mapping, Sequence

import numpy as np

from ._arrays import Attributes
from ._errors import InputError, NumericalError, fitting
from .model import Model

__all__ = ["Motion", "Solution", "solve_ivp"]


_MOST_STEPS = 1e10


class Solution(Attributes):
    """What solve_ivp returns: t, y (one row a component), sol, status, message, success."""

    __setattr__ = dict.__setitem__


class Motion:
    """The motion between the steps: sol(t) is (q, p) there.

    A state inside a step is reached by a step of the method itself, of the length that leads there from the state
    before: it is as accurate as the states at the ends, for every method.
    """

    def __init__(self, integrator: Any, t: np.ndarray, y: np.ndarray) -> None:
        self._integrator = integrator
        self.ts = t
        self._y = y  # one row a step

    @property
    def t_min(self) -> float:
        return float(min(self.ts[0], self.ts[-1]))

    @property
    def t_max(self) -> float:
        return float(max(self.ts[0], self.ts[-1]))

    def __call__(self, t: Any) -> np.ndarray:
        times = np.atleast_1d(np.asarray(t, dtype=float))
        if not np.all((times >= self.t_min) & (times <= self.t_max)):
            raise InputError(f"the motion is known from {self.t_min:g} to {self.t_max:g} only", "bad-number",
                             ("t", 0, 0), "ask for times in between")
        way = 1.0 if self.ts[-1] >= self.ts[0] else -1.0
        before = np.clip(np.searchsorted(way * self.ts, way * times, side="right") - 1, 0, len(self.ts) - 1)
        fraction = (times - self.ts[before]) / self._integrator.step
        values = self._y[before].copy()
        inside = np.flatnonzero(fraction > 1e-14)
        if inside.size:
            values[inside] = self._integrator.partial_steps(
                self.ts[before][inside].tolist(), values[inside].ravel().tolist(),
                np.minimum(fraction[inside], 1.0).tolist())
        return values[0] if np.ndim(t) == 0 else values.T


def solve_ivp(model: Model, t_span: Sequence[float], y0: Any = None, method: str | None = None, t_eval: Any = None,
              dense_output: bool = False, *, step: Any = None, set: Mapping[str, Any] | None = None,
              args: Any = None, **options: Any) -> Solution:
    """Integrates a model from t_span[0] to t_span[1], as scipy.integrate.solve_ivp does.

    Parameters
    ----------
    model : Model
    t_span : two times; back in time where the second one is earlier
    y0 : positions, then momenta; the initial data of the model if not given
    method : str, default that of the model or simpson
    t_eval : times at which the solution is wanted, in their order on the way; the ends of all steps if not given
    dense_output : whether to give `sol`, the solution as a function of time
    step : the longest step; equal steps, as long as possible, lead to t_span[1] exactly
    set : values of parameters
    options : others as for Model.integrator

    Returns
    -------
    Solution with t, y (positions, then momenta, one row a component), sol (None without dense_output), status (0 done,
    -1 a step failed), message, success, nfev (steps taken), t_events and y_events (None).

    Values between steps, of t_eval and of sol, come from a step of the method itself of just the length that leads there.
    """
    if args is not None:
        raise InputError("a model has parameters instead of args", "unknown-command-option", ("solve_ivp()", 0, 0),
                         "write set={...}")
    t0, t1 = (float(t) for t in t_span)
    if not (math.isfinite(t0) and math.isfinite(t1)):
        raise InputError(f"t_span goes from {t0:g} to {t1:g}", "bad-number", ("t_span", 0, 0), "give two finite times")
    if step == "auto":
        raise InputError("solve_ivp takes equal steps", "conflicting-options", ("step", 0, 0),
                         "give the longest of them, or use run(step=\"auto\", times=[...])")
    asked = model.integrator(method=method, step=step, set=set, **options)
    if asked.follows_time_scale:
        raise InputError("solve_ivp takes equal steps in t, but the model has a scale of time", "conflicting-options",
                         ("t_span", 0, 0), "use run(times=[...]), or leave [time] out")
    wanted_steps = abs((t1 - t0) / asked.step) * (1 - 1e-12)
    if wanted_steps > _MOST_STEPS:
        raise InputError(f"{wanted_steps:.1e} steps lead to t = {t1:g}, whose rows no memory holds", "bad-count",
                         ("t_span", 0, 0), "end earlier, or give a longer step")
    count = max(1, math.ceil(wanted_steps))
    integrator = asked if t1 == t0 else asked.with_step((t1 - t0) / count)
    n = len(model.coordinates)
    if y0 is None:
        state = integrator.start(t=t0)
    else:
        y0 = np.asarray(y0, dtype=float).ravel()
        state = integrator.start(position=y0[:n].tolist(), momentum=y0[n:].tolist(), t=t0)
    wanted = None if t_eval is None else np.asarray(t_eval, dtype=float)
    way = 1.0 if t1 >= t0 else -1.0
    if wanted is not None and not (np.all(np.isfinite(wanted)) and np.all(way * np.diff(wanted) > 0)):
        raise InputError(f"t_eval is not a list of times in {'ascending' if way > 0 else 'descending'} order", "bad-number",
                         ("t_eval", 0, 0), "sort it as t_span goes, and leave out repetitions and nan")
    if wanted is not None and wanted.size and (wanted.min() < min(t0, t1) or wanted.max() > max(t0, t1)):
        raise InputError("t_eval has times outside of t_span", "bad-number", ("t_eval", 0, 0), "leave them out")
    t, y, failure = _steps(integrator, state, 0 if t1 == t0 else count)
    motion = Motion(integrator, t, y)
    if wanted is not None:
        reached = wanted[way * wanted <= way * t[-1]] if failure else way * np.minimum(way * wanted, way * t[-1])
        result_t, result_y = wanted[: len(reached)], motion(reached)
    else:
        result_t, result_y = t, y.T
    return Solution(t=result_t, y=result_y, sol=motion if dense_output else None, t_events=None, y_events=None,
                    nfev=len(t) - 1, njev=0, nlu=0, status=-1 if failure else 0, success=failure is None,
                    message=str(failure) if failure else "The motion reached the end of the interval.")


def _steps(integrator: Any, state: Any, count: int) -> tuple[np.ndarray, np.ndarray, NumericalError | None]:
    """Times and states (q, p) of all steps, up to the one that failed."""
    with fitting("the solution"):
        made, failure = integrator.record_steps(state, count)
    y = np.concatenate([made["position"], made["momentum"]], axis=1)
    return made["t"], y, failure
