"""Pictures with Matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np


def _doubles(values: Any) -> np.ndarray:
    return np.asarray(values, dtype=float)


def plot_run(result: Any, names: tuple[str, ...], axes: Any) -> Any:
    import matplotlib.pyplot as plt

    errors = result.energy_error
    with_errors = errors is not None and axes is None
    if axes is None:
        _, axes = plt.subplots(2 if with_errors else 1, 1, sharex=True, squeeze=False, layout="constrained",
                               height_ratios=[3, 1] if with_errors else None)
        axes = axes[:, 0]
    upper = np.atleast_1d(axes)[0]
    t = _doubles(result.t)
    for name in names or result.model.coordinates:
        upper.plot(t, _doubles(result[name]), label=name)
    upper.legend(loc="upper right")
    upper.set_title(f"{result.model.name}, {result.method}")
    if with_errors:
        axes[1].plot(t, _doubles(errors), color="black", linewidth=0.8)
        axes[1].set_ylabel("energy error")
    np.atleast_1d(axes)[-1].set_xlabel("t")
    return axes


def plot_ensemble(ensemble: Any, x: str | None, y: str | None, axes: Any) -> Any:
    import matplotlib.pyplot as plt

    if axes is None:
        _, axes = plt.subplots(layout="constrained")
    if len(ensemble.crossings) and x is None:
        first, *_ = ensemble.position.names
        x, y = first, y or f"p_{first}"
        axes.plot(ensemble.crossings[x], ensemble.crossings[y], ",")
        axes.set(xlabel=x, ylabel=y, title=f"{ensemble.model.name}, section")
        return axes
    moving = [n for n in ensemble.start.names if np.ptp(ensemble.start[n]) > 0]
    x = x or (moving or list(ensemble.start.names))[0]
    y = y or ensemble.position.names[0]
    end = ensemble.position if y in ensemble.position.names else ensemble.momentum
    done = ensemble.done
    axes.plot(ensemble.start[x][done], end[y][done], ".", markersize=2)
    axes.set(xlabel=f"{x} at the start", ylabel=f"{y} at the end", title=ensemble.model.name)
    return axes
