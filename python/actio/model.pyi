# Made by tools/make_python_stubs.py from the option descriptors.
from __future__ import annotations
import os
from typing import Any, Callable, Mapping, Sequence
import contextlib
import numpy as np
from . import _actio, _toml
from ._errors import InputError, NumericalError, fitting
from ._options import Typed, assignments, takes_options, text_of
from ._progress import shown
from .findings import Comparison, Exact, Findings
from .result import Ensemble, Result
__all__ = ['Model', 'problem']

class Model:

    def __init__(self, source: str | os.PathLike | None=None, /, **keywords: Any) -> None:
        ...

    @classmethod
    def from_text(cls, text: str, name: str='model.toml') -> 'Model':
        ...

    @classmethod
    def from_sympy(cls, L: Any, coordinates: Sequence[Any], *, parameters: Mapping[Any, Any] | None=None, **keywords: Any) -> 'Model':
        ...

    @property
    def name(self) -> str:
        ...

    @property
    def coordinates(self) -> list[str]:
        ...

    @property
    def events(self) -> list[str]:
        ...

    @property
    def parameters(self) -> dict[str, float]:
        ...

    @property
    def text(self) -> str:
        ...

    def with_parameters(self, values: Mapping[str, Any] | None=None, /, **more: Any) -> 'Model':
        ...

    def run(self, *, method: str | int | Sequence[Any] | None=None, accuracy: float | str | None=None, companion: bool | None=None, shadow: bool | None=None, strict: bool | None=None, step: float | str | None=None, time_scale: str | int | Sequence[Any] | None=None, start: float | str | None=None, until: float | str | None=None, times: str | int | Sequence[Any] | None=None, times_file: str | os.PathLike[str] | None=None, steps: int | str | None=None, precision: str | int | Sequence[Any] | None=None, backend: str | int | Sequence[Any] | None=None, state: str | int | Sequence[Any] | None=None, beta: float | str | None=None, gamma: float | str | None=None, guess: str | int | Sequence[Any] | None=None, allow_unstable: bool | None=None, formulation: str | int | Sequence[Any] | None=None, project: bool | None=None, set: Mapping[Any, Any] | None=None, kinks: str | int | Sequence[Any] | None=None, output: str | os.PathLike[str] | None=None, columns: str | int | Sequence[Any] | None=None, every: int | str | None=None, report: str | os.PathLike[str] | None=None, checkpoint_every: int | str | None=None, resume: bool | None=None, progress: bool | Callable[[float, float, float], Any] | None=None, control: Callable[[Any], Mapping[str, float] | None] | None=None, force: Callable[[Any, Any, Any], Any] | None=None) -> Result:
        ...

    def ensemble(self, *, method: str | int | Sequence[Any] | None=None, accuracy: float | str | None=None, strict: bool | None=None, step: float | str | None=None, start: float | str | None=None, until: float | str | None=None, steps: int | str | None=None, backend: str | int | Sequence[Any] | None=None, state: str | int | Sequence[Any] | None=None, beta: float | str | None=None, gamma: float | str | None=None, allow_unstable: bool | None=None, project: bool | None=None, set: Mapping[Any, Any] | None=None, sweep: Mapping[Any, Any] | None=None, sample: Mapping[Any, Any] | None=None, count: int | str | None=None, seed: int | str | None=None, part: str | int | Sequence[Any] | None=None, device: str | int | Sequence[Any] | None=None, poincare: str | int | Sequence[Any] | None=None, lyapunov: bool | None=None, kinks: str | int | Sequence[Any] | None=None, output: str | os.PathLike[str] | None=None, report: str | os.PathLike[str] | None=None, statistics: bool | None=None, resume: bool | None=None, threads: int | str | None=None, progress: bool | Callable[[float, float, float], Any] | None=None) -> Ensemble:
        ...

    def compare(self, *, methods: str | int | Sequence[Any] | None=None, step_sizes: str | int | Sequence[Any] | None=None, until: float | str | None=None, precision: str | int | Sequence[Any] | None=None, backend: str | int | Sequence[Any] | None=None, beta: float | str | None=None, gamma: float | str | None=None, guess: str | int | Sequence[Any] | None=None, allow_unstable: bool | None=None, project: bool | None=None, set: Mapping[Any, Any] | None=None, report: str | os.PathLike[str] | None=None, progress: bool | Callable[[float, float, float], Any] | None=None) -> Comparison:
        ...

    def check(self, *, project: bool | None=None, set: Mapping[Any, Any] | None=None) -> Findings:
        ...

    def exact(self, times: Any, *, precision: str | int | Sequence[Any] | None=None, set: Mapping[Any, Any] | None=None) -> Exact:
        ...

    def integrator(self, *, method: str | int | Sequence[Any] | None=None, accuracy: float | str | None=None, companion: bool | None=None, shadow: bool | None=None, strict: bool | None=None, step: float | str | None=None, time_scale: str | int | Sequence[Any] | None=None, start: float | str | None=None, until: float | str | None=None, times: str | int | Sequence[Any] | None=None, times_file: str | os.PathLike[str] | None=None, steps: int | str | None=None, precision: str | int | Sequence[Any] | None=None, backend: str | int | Sequence[Any] | None=None, state: str | int | Sequence[Any] | None=None, beta: float | str | None=None, gamma: float | str | None=None, guess: str | int | Sequence[Any] | None=None, allow_unstable: bool | None=None, formulation: str | int | Sequence[Any] | None=None, project: bool | None=None, set: Mapping[Any, Any] | None=None, kinks: str | int | Sequence[Any] | None=None, output: str | os.PathLike[str] | None=None, columns: str | int | Sequence[Any] | None=None, every: int | str | None=None, report: str | os.PathLike[str] | None=None, checkpoint_every: int | str | None=None, resume: bool | None=None, force: Callable[[Any, Any, Any], Any] | None=None) -> _actio.Integrator:
        ...

def problem(name: str) -> Model:
    ...
