"""Stepping by hand. Integrator and State are the library's own classes; here they get their mapping of parameters."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, Iterator

from ._actio import Integrator, State
from ._arrays import Attributes, Columns
from ._errors import fitting

__all__ = ["Integrator", "Parameters", "Record", "State"]


class Parameters(MutableMapping):
    """The parameters of a state: s.parameters["w"] = 4 holds for the steps from there on."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def __getitem__(self, name: str) -> float:
        return self._state.parameter_values()[name]

    def __setitem__(self, name: str, value: float) -> None:
        self._state.set_parameters({name: value})

    def __delitem__(self, name: str) -> None:
        raise TypeError("parameters can be changed, not removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.parameter_values())

    def __len__(self) -> int:
        return len(self._state.parameter_values())

    def update(self, *values: Any, **more: Any) -> None:
        """Changes several at once."""
        self._state.set_parameters({**dict(*values), **more})

    def __repr__(self) -> str:
        return repr(self._state.parameter_values())


class Record(Attributes):
    """Rows that an integrator recorded: arrays t, position, momentum and energy."""


def _record(self: Integrator, state: State, steps: int, every: int = 1, control: Any = None) -> Record:
    """Takes steps and records t, position, momentum and energy before the first and after every `every`-th one.

    `control(state)` is called before each step and may return new values of parameters, {"w": 4}, or None.
    """
    with fitting("the record"):
        made, failure = self.record_steps(state, steps, every, control)
    if failure is not None:
        raise failure
    coordinates = state.coordinates
    made["position"] = Columns(made["position"], coordinates)
    made["momentum"] = Columns(made["momentum"], [f"p_{q}" for q in coordinates] if made["momentum"].size else [])
    return Record(made)


def _state_repr(self: State) -> str:
    return f"<State at t = {self.t:g}: position {self.position.tolist()}, momentum {self.momentum.tolist()}>"


def _integrator_repr(self: Integrator) -> str:
    return f"<Integrator: {self.method}, step {self.step:g}>"


def _made_again(model: Any, given: dict[str, str], force: Any, step: float) -> Integrator:
    made = Integrator(model._native, given, force)
    return made if made.step == step else made.with_step(step)


def _reduced(self: Integrator) -> tuple:
    from .model import Model

    model, given, force = self.recipe
    return (_made_again, (Model._of(model), given, force, self.step))


State.parameters = property(Parameters, doc="Parameters by name; assigning changes them from here on.")
State.__repr__ = _state_repr
State.__copy__ = lambda self: self.copy()
State.__deepcopy__ = lambda self, memo: self.copy()
Integrator.record = _record
Integrator.__repr__ = _integrator_repr
Integrator.__reduce__ = _reduced
