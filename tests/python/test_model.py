"""Models from keywords, files, problems and SymPy; their errors; pickling."""

import pickle

import numpy as np
import pytest

import actio

FILE = """name = "pendulum"
coordinates = ["q"]
lagrangian = "1/2*q'^2 + w^2*cos(q)"
[parameters]
w = 2
[initial.position]
q = 1
[initial.velocity]
q = 0
[run]
method = "gauss-4"
step = 0.1
until = 2
"""


def same_motion(a, b, **options):
    x, y = a.run(**options), b.run(**options)
    assert x.names == y.names
    for name in x.names:
        assert np.array_equal(x[name], y[name]), name


def test_keywords_say_what_a_file_says(tmp_path, pendulum):
    path = tmp_path / "pendulum.toml"
    path.write_text(FILE)
    same_motion(actio.Model(path), pendulum, method="gauss-4", step=0.1, until=2)
    same_motion(actio.Model(str(path)), actio.Model.from_text(FILE))


def test_momenta_as_initial_data(pendulum):
    by_momentum = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2},
                              initial={"q": 1, "p_q": 0})
    same_motion(by_momentum, pendulum, method="simpson", step=0.1, until=1)


def test_everything_that_a_file_can_say():
    m = actio.Model(
        name="a bead on a wire", coordinates=["x", "y"],
        lagrangian="1/2*m*(x'^2 + y'^2) - m*g*h",
        parameters={"m": 1.5, "g": "9.81", "c": 0.1}, definitions={"h": "y"}, forces={"x": "-c*x'", "y": "-c*y'"},
        constraints={"wire": "y - x^2"}, observables={"distance": "sqrt(x^2 + y^2)"},
        initial={"x": 1, "y": 1, "x'": 0, "y'": 0}, run={"method": "simpson", "step": 0.01, "until": 1})
    r = m.run()
    assert r.status == "done"
    assert {"distance", "lambda_wire"} <= set(r.names)
    assert np.abs(r["y"] - r["x"] ** 2).max() < 1e-12
    assert r.energy_error is None  # a force takes energy away


def test_symmetries_and_invariants():
    m = actio.Model(coordinates=["x", "y"], lagrangian="1/2*(x'^2 + y'^2) - (x^2 + y^2)/2",
                    symmetries={"turn": {"x": "-y", "y": "x"}}, invariants={"of_x": "x'^2 + x^2"},
                    initial={"x": 1, "y": 0, "x'": 0, "y'": 0.5})
    r = m.run(method="gauss-4", step=0.1, until=10)
    assert r.certificate["momenta"]["turn"]["max_error"] < 1e-13
    assert r.certificate["invariants"]["of_x"]["max_error"] < 1e-12


def test_first_order_equations():
    r = actio.Model(coordinates=["y"], equations={"y": "-y"}, initial={"y": 1}).run(step=0.01, until=1)
    assert abs(r["y"][-1] - np.exp(-1)) < 1e-9
    assert r.momentum.shape == (101, 0) and r.energy_error is None


def test_an_error_names_the_expression_and_the_column():
    with pytest.raises(actio.InputError) as caught:
        actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 + omgea^2*cos(q)", parameters={"omega": 2},
                    initial={"q": 1, "q'": 0})
    error = caught.value
    assert error.id == "unknown-name"
    assert error.place == ("lagrangian", 1, 12)
    assert "omega" in error.cure
    assert "lagrangian:1:12" in str(error)
    assert isinstance(error, ValueError)


def test_an_error_in_a_table():
    with pytest.raises(actio.InputError) as caught:
        actio.Model(coordinates=["q"], lagrangian="1/2*q'^2", forces={"q": "-c*q'"}, initial={"q": 1, "q'": 0})
    assert caught.value.place == ("forces.q", 1, 2)


def test_a_wrong_keyword_is_told_the_right_one(pendulum):
    with pytest.raises(actio.InputError, match="did you mean 'lagrangian'"):
        actio.Model(coordinates=["q"], lagrangain="1/2*q'^2")
    with pytest.raises(actio.InputError, match="did you mean 'step_sizes'"):
        pendulum.compare(methods="simpson", step_size=[0.1])
    with pytest.raises(actio.InputError, match="did you mean 'until'"):
        pendulum.run(untill=1, step=0.1)


def test_cures_speak_python(pendulum):
    with pytest.raises(actio.InputError) as caught:
        pendulum.run(step=0.1)
    assert "until=T" in caught.value.cure
    assert "--" not in str(caught.value)


def test_problem():
    assert actio.problem("kepler").coordinates == ["x", "y"]
    with pytest.raises(actio.InputError, match="did you mean 'kepler'"):
        actio.problem("keppler")


def test_parameters(pendulum):
    assert pendulum.parameters == {"w": 2.0}
    other = pendulum.with_parameters(w=3)
    assert other.parameters == {"w": 3.0} and pendulum.parameters == {"w": 2.0}
    options = dict(method="gauss-4", step=0.1, until=1)
    assert np.array_equal(other.run(**options)["q"], pendulum.run(set={"w": 3}, **options)["q"])
    with pytest.raises(actio.InputError, match="no parameter 'v'"):
        pendulum.with_parameters(v=3)


@pytest.mark.parametrize("model", [
    lambda p: p, lambda p: p.with_parameters(w=3), lambda p: actio.problem("kepler"),
    lambda p: actio.Model.from_text(FILE)])
def test_pickling(model, pendulum):
    original = model(pendulum)
    again = pickle.loads(pickle.dumps(original))
    assert again.parameters == original.parameters
    same_motion(again, original, method="gauss-4", step=0.1, until=1)


def test_errors_can_be_pickled(pendulum):
    with pytest.raises(actio.InputError) as caught:
        pendulum.run(step=-1, until=1)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.id, again.place, str(again)) == (caught.value.id, caught.value.place, str(caught.value))


def test_from_sympy(pendulum):
    sympy = pytest.importorskip("sympy")
    t, w = sympy.symbols("t omega")
    q = sympy.Function("q")(t)
    m = actio.Model.from_sympy(q.diff(t) ** 2 / 2 + w**2 * sympy.cos(q), [q], parameters={w: 2}, initial={q: 1})
    r, s = (x.run(method="gauss-8", step=0.1, until=10) for x in (m, pendulum))
    assert np.abs(r["q"] - s["q"]).max() < 1e-12


def test_from_sympy_double_pendulum():
    sympy = pytest.importorskip("sympy")
    t, l, g = sympy.symbols("t l g")
    q1, q2 = (sympy.Function(n)(t) for n in ("q1", "q2"))
    x1, y1 = l * sympy.sin(q1), -l * sympy.cos(q1)
    x2, y2 = x1 + l * sympy.sin(q2), y1 - l * sympy.cos(q2)
    L = sum(sympy.Rational(1, 2) * (x.diff(t) ** 2 + y.diff(t) ** 2) - g * y for x, y in ((x1, y1), (x2, y2)))
    m = actio.Model.from_sympy(L, [q1, q2], parameters={l: sympy.Rational(1, 2), g: 9.81},
                               initial={q1: sympy.pi / 4, q2: 0.5, q2.diff(t): 1}, observables={"height": y2})
    r = m.run(method="gauss-8", step=0.02, until=5)
    assert r.trusted
    assert np.abs(r.energy_error).max() < 1e-13
    assert np.allclose(r["height"], -0.5 * np.cos(r["q1"]) - 0.5 * np.cos(r["q2"]), atol=1e-14)


@pytest.mark.parametrize("text, value", [
    ("sqrt(x)", 1.5**0.5), ("1/sqrt(x)", 1.5**-0.5), ("x**-2", 1.5**-2.0), ("-x/3", -0.5), ("exp(x)*E", np.exp(2.5)),
    ("atan2(x, 2)", np.arctan2(1.5, 2)), ("Abs(-x)", 1.5), ("2*pi*x", 3 * np.pi), ("(x + 1)**Rational(2, 3)",
                                                                                     2.5 ** (2 / 3))])
def test_sympy_expressions_keep_their_value(text, value):
    sympy = pytest.importorskip("sympy")
    expression = sympy.sympify(text)
    m = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2", parameters={"x": 1.5, "y": expression},
                    initial={"q": 0, "q'": 0})
    assert m.parameters["y"] == pytest.approx(value, rel=1e-15)


def test_sympy_refuses_what_has_no_meaning():
    sympy = pytest.importorskip("sympy")
    t = sympy.symbols("t")
    q = sympy.Function("q")(t)
    with pytest.raises(actio.InputError, match="no meaning"):
        actio.Model.from_sympy(q.diff(t) ** 2 + sympy.zeta(q), [q])


def test_sympy_functions_keep_their_arguments_and_symbols_their_identity():
    sympy = pytest.importorskip("sympy")
    t, k = sympy.symbols("t k")
    q = sympy.Function("q")
    v = q(t).diff(t)
    for potential in (q(t - 1) ** 2, q(2 * t), (q(t) - q(0)) ** 2, sympy.Function("V")(q(t))):
        with pytest.raises(actio.InputError):
            actio.Model.from_sympy(v**2 / 2 - potential, [q(t)], parameters={}, initial={q(t): 1})
    with pytest.raises(actio.InputError):
        actio.Model.from_sympy(v**2 / 2 - sympy.Symbol("q"), [q(t)], initial={q(t): 1})
    with pytest.raises(actio.InputError):
        actio.Model.from_sympy(v**2 / 2 - k * sympy.Symbol("k", positive=True) * q(t), [q(t)], parameters={k: 1},
                               initial={q(t): 1})
    m = actio.Model.from_sympy(v**2 / 2 - sympy.Float(0.1 + 0.2) * q(t) ** 2, [q(t)], initial={q(t): 1})
    assert "0.30000000000000004" in m.text


def test_signals_are_times_and_values():
    times, values = np.linspace(0, 3, 31), np.linspace(0, 3, 31) / 2
    common = dict(coordinates=["x"], initial={"x": 0.3, "x'": 0.1}, run={"method": "gauss-4", "step": 0.1, "until": 3})
    sampled = actio.Model(lagrangian="1/2*x'^2 - 1/2*x^2 + u(t)*x", signals={"u": (times, values)}, **common)
    written = actio.Model(lagrangian="1/2*x'^2 - 1/2*x^2 + t/2*x", **common)
    assert np.allclose(sampled.run()["x"], written.run()["x"], rtol=0, atol=1e-14)
    same_motion(sampled, pickle.loads(pickle.dumps(sampled)))
    cubic = actio.Model(lagrangian="1/2*x'^2 - 1/2*x^2 + u(t)*x", **common,
                        signals={"u": {"times": times, "values": values, "interpolation": "cubic"}})
    assert np.allclose(cubic.run()["x"], written.run()["x"], rtol=0, atol=1e-13)
    with pytest.raises(actio.InputError) as caught:
        sampled.run(until=4)
    assert caught.value.id == "signal-range"
    with pytest.raises(actio.InputError) as caught:
        actio.Model(lagrangian="1/2*x'^2 + u(t)*x", signals={"u": ([0, 1], [1])}, **common)
    assert caught.value.id == "signal-column"


def test_a_hamiltonian_in_the_place_of_the_lagrangian():
    m = actio.Model(coordinates=["q"], hamiltonian="p_q^2/2 - w^2*cos(q)", parameters={"w": 2}, initial={"q": 1, "p_q": 0})
    same = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2}, initial={"q": 1, "q'": 0})
    a, b = (x.run(method="gauss-4", step=0.05, until=10) for x in (m, same))
    assert np.abs(a["q"] - b["q"]).max() < 1e-12
    assert a.energy_error is not None and a.certificate["energy"]["max_relative_error"] < 1e-9
    assert "hamiltonian" in m.check()


def test_velocities_are_columns_on_demand():
    m = actio.Model(coordinates=["q"], lagrangian="q'^2 - q^2", initial={"q": 1})
    r = m.run(method="simpson", step=0.1, steps=5, columns="q'")
    assert np.allclose(r["q'"], r["p_q"] / 2, rtol=1e-15)
    assert r.position.shape == (6, 1)


def test_models_in_indices():
    model = actio.Model(coordinates=["q[1..n]", "x"], sizes={"n": 3},
                        lagrangian="1/2*x'^2 + sum(i = 1..n, 1/2*q[i]'^2 - i/2*(q[i] - x)^2) - sum(e in bonds, e.k*q[e.a]^2)",
                        tables={"bonds": {"columns": ["a", "k"], "rows": [[1, 0.5], [3, 2]]}},
                        initial={"position": {"q[i = 1..n]": "i"}}, run={"step": 0.1, "steps": 5})
    r = model.run()
    assert r.position["q"].shape == (6, 3)
    assert np.array_equal(r.position["q"][:, 1], r.position["q[2]"])
    longer = model.run(set={"n": 5})
    assert longer.position["q"].shape == (6, 5)
    with pytest.raises(actio.InputError) as caught:
        actio.Model(coordinates=["q[1..n]"], sizes={"n": 3}, lagrangian="sum(i = 1..n, 1/2*q[i+1]'^2)")
    assert caught.value.id == "unknown-member"


def test_arrays_by_their_names(tmp_path):
    m = actio.Model(coordinates=["q[1..n]"], sizes={"n": 3}, lagrangian="sum(i = 1..n, 1/2*q[i]'^2 - i/2*q[i]^2)",
                    initial={"position": {"q[i = 1..n]": "i"}})
    r = m.run(method="gauss-4", step=0.1, until=1)
    assert "q" in r and r["q"].shape == r["p_q"].shape == (11, 3)
    assert np.array_equal(r["q"], r.position["q"]) and np.array_equal(r["q"][:, 1], r["q[2]"])
    exact = m.exact([0.5, 1]).position
    assert exact.names == ("q[1]", "q[2]", "q[3]") and np.allclose(exact[1], r["q"][-1], atol=1e-9)
    r.save(tmp_path / "run.h5")
    assert np.array_equal(actio.load(tmp_path / "run.h5")["q"], r["q"])
    with pytest.raises(KeyError):
        r["u"]
    assert list(r.to_pandas())[:2] == ["q[1]", "q[2]"]


@pytest.mark.parametrize("value, identity", [
    (float("nan"), "bad-number"), (float("inf"), "bad-number"), (np.float64("nan"), "bad-number"), (1j, "wrong-type"),
    (None, "wrong-type"), (b"2", "wrong-type"), (object(), "wrong-type")])
def test_what_is_no_number_is_refused_by_name(pendulum, value, identity):
    uses = [lambda: pendulum.with_parameters(w=value), lambda: pendulum.run(step=0.1, until=1, set={"w": value}),
            lambda: actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 - w*q^2", parameters={"w": value}, initial={"q": 1})]
    if value is not None:  # an option that is not given
        uses.append(lambda: pendulum.run(step=value, until=1))
    for use in uses:
        with pytest.raises(actio.InputError) as caught:
            use()
        assert caught.value.id in (identity, "bad-step"), str(caught.value)


def test_sympy_functions_that_others_make():
    sympy = pytest.importorskip("sympy")
    t = sympy.symbols("t")
    q = sympy.Function("q")(t)
    for potential in (sympy.sec(q), sympy.csc(q), sympy.cot(q), sympy.asinh(q), sympy.acosh(q + 3), sympy.atanh(q / 3),
                      sympy.sech(q), sympy.coth(q + 2), sympy.sinc(q), sympy.erfc(q), sympy.GoldenRatio * q,
                      sympy.Sum(q ** sympy.Symbol("n"), (sympy.Symbol("n"), 1, 3))):
        made = actio.Model.from_sympy(q.diff(t) ** 2 / 2 - potential, [q], initial={q: sympy.Rational(1, 2)})
        energy = float(potential.doit().subs(q, sympy.Rational(1, 2)))
        assert made.run(step=0.1, steps=0)["energy"][0] == pytest.approx(energy, abs=1e-12), potential
    for potential in (sympy.gamma(q), sympy.DiracDelta(q), sympy.oo * q, sympy.nan, sympy.Integral(sympy.LambertW(q), t),
                      sympy.I * q, sympy.Matrix([q]), sympy.re(q), sympy.EulerGamma * q):
        with pytest.raises(actio.InputError) as caught:
            actio.Model.from_sympy(potential, [q])
        assert caught.value.id == "expression-syntax", potential
