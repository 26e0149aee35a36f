"""Forces that are Python functions, and what ends a run from inside a callback."""

import os
import signal

import numpy as np
import pytest

import actio

PENDULUM = dict(coordinates=["x", "q"], lagrangian="x'^2 + 1/2*q'^2 + x'*q'*cos(q) + 9.81*cos(q)",
                parameters={"c": 0.3}, initial={"x": 0.1, "q": 1, "x'": 0.5, "q'": 0})


def friction(t, q, v):
    return [-0.3 * v[0] + np.sin(2 * t), -0.2 * v[1] ** 3]


@pytest.fixture(scope="module")
def cart():
    return actio.Model(**PENDULUM)


@pytest.fixture(scope="module")
def written():
    return actio.Model(**PENDULUM, forces={"x": "-0.3*x' + sin(2*t)", "q": "-0.2*q'^3"})


@pytest.mark.parametrize("method", ["simpson", "gauss-4", "lobatto-4", "rk4"])
def test_a_function_acts_as_the_same_force_written_down(cart, written, method):
    given = cart.run(method=method, step=0.02, until=2, force=friction)
    there = written.run(method=method, step=0.02, until=2)
    assert given.status == "done" and given.trusted == there.trusted
    assert np.abs(given.position - there.position).max() < 1e-12
    assert given.certificate["energy"]["work"] == pytest.approx(there.certificate["energy"]["work"], abs=1e-12)
    assert given.certificate["momenta"] == {}


def test_answers_may_be_dicts_single_numbers_or_none(cart):
    ends = [cart.run(step=0.05, until=1, force=f).position[-1] for f in (
        lambda t, q, v: {"x": -0.3 * v[0]}, lambda t, q, v: np.array([-0.3 * v[0], 0]), lambda t, q, v: (-0.3 * v[0], 0))]
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])
    free = cart.run(step=0.05, until=1, force=lambda t, q, v: None)
    assert np.abs(free.position - cart.run(step=0.05, until=1).position).max() < 1e-12
    m = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2", initial={"q": 0, "q'": 1})
    assert m.run(method="gauss-3", step=0.1, until=1, force=lambda t, q, v: -v[0]).momentum["p_q"][-1] == pytest.approx(
        np.exp(-1), abs=1e-9)


def test_digits_go_through_the_function(cart, written):
    mpmath = pytest.importorskip("mpmath")

    def force(t, q, v):
        with mpmath.workdps(60):
            return [-mpmath.mpf(3) / 10 * v[0] + mpmath.sin(2 * t), -v[1] ** 3 / 5]

    for precision in ("quad", 40):
        given = cart.run(step="1/50", steps=5, precision=precision, force=force)
        there = written.run(step="1/50", steps=5, precision=precision)
        with mpmath.workdps(60):
            assert abs(given.position[-1, 0] - there.position[-1, 0]) < 1e-31


def test_integrators_take_it(cart, written):
    i, j = cart.integrator(method="simpson", step=0.02, force=friction), written.integrator(method="simpson", step=0.02)
    s, other = i.start(), j.start()
    i.advance(s, 50)
    j.advance(other, 50)
    assert np.abs(s.position - other.position).max() < 1e-12
    assert np.abs(i.tangent(s) - j.tangent(other)).max() < 1e-9


def test_what_it_raises_reaches_the_caller(cart):
    with pytest.raises(ZeroDivisionError):
        cart.run(step=0.1, until=1, force=lambda t, q, v: [1 / 0, 0])
    with pytest.raises(TypeError):
        cart.run(step=0.1, until=1, force=lambda t, q, v: ["a", "b"])
    for answer, identity in (([1], "force-size"), ({"y": 1}, "unknown-name"), (3.0, "force-size")):
        with pytest.raises(actio.InputError) as error:
            cart.run(step=0.1, until=1, force=lambda t, q, v, a=answer: a)
        assert error.value.id == identity
    with pytest.raises(actio.InputError) as error:
        cart.run(step=0.1, until=1, force=3)
    assert error.value.id == "wrong-type"
    with pytest.raises(ZeroDivisionError):
        i = cart.integrator(step=0.1, force=lambda t, q, v: [1 / 0, 0])
        i.advance(i.start(), 1)


def test_what_knows_nothing_of_it_refuses(cart, tmp_path):
    with pytest.raises(actio.InputError) as error:
        cart.run(step=0.1, until=1, force=friction, output=str(tmp_path / "a.h5"))
    assert error.value.id == "conflicting-options"
    with pytest.raises(actio.InputError) as error:
        cart.run(step=0.1, until=1, force=friction, method="energy-momentum")
    assert error.value.id == "method-needs-energy"
    r = cart.run(step=0.1, until=1, force=friction)
    with pytest.raises(actio.InputError):
        r.save(tmp_path / "a.h5")
    r.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 1000


@pytest.mark.parametrize("what", ["force", "control"])
def test_ctrl_c_inside_a_callback_keeps_what_is_there(cart, what):
    def callback(*arguments):
        t = arguments[0] if what == "force" else arguments[0].t
        if t > 2.05:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(10000):
                pass
        return None

    r = cart.run(step=0.1, until=1000, **{what: callback})
    assert r.status == "interrupted"
    assert 20 <= r.steps <= 22 and len(r) == r.steps + 1
