"""actio turns a Lagrangian into a trustworthy simulation.

    import actio
    m = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2},
                    initial={"q": 1, "q'": 0})
    r = m.run(method="gauss-8", step=0.05, until=100)
    r.t, r["q"], r.energy_error, r.certificate
"""

from ._actio import version as __version__
from ._errors import InputError, NumericalError, Place
from .catalogue import errors, methods, problems, reproduce, verify
from .files import join, load, repeat
from .findings import Comparison, Exact, Findings
from .integrator import Integrator, Parameters, State
from .ivp import solve_ivp
from .model import Model, problem
from .result import Certificate, Ensemble, Events, Result

__all__ = ["Certificate", "Comparison", "Ensemble", "Events", "Exact", "Findings", "InputError", "Integrator", "Model",
           "NumericalError", "Parameters", "Place", "Result", "State", "__version__", "errors", "join", "load", "methods",
           "problem", "problems", "repeat", "reproduce", "solve_ivp", "verify"]
