"""Stepping by hand, and solve_ivp."""

import copy

import numpy as np
import pytest

import actio


@pytest.fixture
def integrator(pendulum):
    return pendulum.integrator(method="simpson", step=0.01)


def test_steps_are_those_of_a_run(pendulum, integrator):
    r = pendulum.run(method="simpson", step=0.01, until=1)
    s = integrator.start()
    assert s.t == 0 and s.position.tolist() == [1] and s.momentum.tolist() == [0]
    integrator.advance(s)
    assert s.index == 1 and s.t == 0.01 and s.position[0] == r["q"][1]
    integrator.advance(s, 99)
    assert s.position[0] == r["q"][-1] and s.momentum[0] == r["p_q"][-1]
    assert s.energy == pytest.approx(r["energy"][-1], rel=1e-14)
    assert s.velocity == pytest.approx(s.momentum)


def test_values_are_copies(integrator):
    s = integrator.start()
    before = s.position
    integrator.advance(s, 10)
    assert before.tolist() == [1] and s.position[0] != 1


def test_tangent_is_symplectic_and_the_derivative(integrator):
    s = integrator.start(position=[1.0], momentum=[0.5])
    T = integrator.tangent(s)
    assert np.linalg.det(T) == pytest.approx(1, abs=1e-12)
    ends = []
    for e in (1e-6, -1e-6):
        moved = integrator.start(position=[1.0 + e], momentum=[0.5])
        integrator.advance(moved)
        ends.append(np.concatenate([moved.position, moved.momentum]))
    assert np.allclose((ends[0] - ends[1]) / 2e-6, T[:, 0], atol=1e-8)


def test_parameters_between_steps(pendulum, integrator):
    s = integrator.start()
    assert dict(s.parameters) == {"w": 2.0}
    integrator.advance(s, 50)
    q, p = s.position, s.momentum
    s.parameters["w"] = 4
    assert s.parameters["w"] == 4 and np.array_equal(s.position, q) and s.t == pytest.approx(0.5)
    integrator.advance(s, 50)
    other = pendulum.integrator(method="simpson", step=0.01, set={"w": 4})
    expected = other.start(position=q, momentum=p)
    other.advance(expected, 50)
    assert np.allclose(s.position, expected.position, atol=1e-13)
    assert integrator.start().parameters["w"] == 2
    with pytest.raises(actio.InputError, match="no parameter 'v'"):
        s.parameters["v"] = 1


def test_control(pendulum, integrator):
    seen = []

    def control(state):
        seen.append(state.t)
        return {"w": 3 if state.t >= 0.05 else 2}

    s = integrator.start()
    rows = integrator.record(s, 10, control=control)
    assert len(seen) == 10 and seen[0] == 0
    assert rows.t.shape == (11,) and rows.position["q"][0] == 1
    t = integrator.start()
    integrator.advance(t, 5)
    t.parameters["w"] = 3
    integrator.advance(t, 5)
    assert np.allclose(s.position, t.position, atol=1e-14)
    u = integrator.start()
    integrator.advance(u, 10, control=control)
    assert np.array_equal(u.position, s.position)


def test_an_error_in_a_control_arrives(integrator):
    def control(state):
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        integrator.record(integrator.start(), 10, control=control)
    with pytest.raises(RuntimeError, match="broken"):
        integrator.advance(integrator.start(), 10, control=control)


def test_copies_go_their_own_way(integrator):
    s = integrator.start()
    integrator.advance(s, 20)
    c = copy.copy(s)
    integrator.advance(s, 20)
    assert c.index == 20
    integrator.advance(c, 20)
    assert np.array_equal(c.position, s.position) and np.array_equal(c.momentum, s.momentum)


def test_a_state_can_be_moved(integrator):
    s = integrator.start()
    integrator.advance(s, 10)
    s.momentum = s.momentum + 0.5
    assert s.index == 10
    other = integrator.start(position=s.position, momentum=s.momentum)
    integrator.advance(s, 10)
    integrator.advance(other, 10)
    assert np.allclose(s.position, other.position, atol=1e-14)


def test_a_step_that_fails():
    m = actio.Model(coordinates=["x"], lagrangian="1/2*x'^2 - x^3", initial={"x": -1, "x'": 0})
    i = m.integrator(method="simpson", step=0.05)
    s = i.start()
    with pytest.raises(actio.NumericalError) as caught:
        i.advance(s, 10000)
    assert caught.value.step == s.index + 1 and caught.value.t == s.t
    assert caught.value.id and caught.value.cure
    assert np.isfinite(s.position).all()


def test_wrong_input(pendulum, integrator):
    with pytest.raises(actio.InputError):
        pendulum.integrator(method="simpson")
    with pytest.raises(actio.InputError) as caught:
        pendulum.integrator(method="simpson", step=0.1, precision=50)
    assert caught.value.id == "bad-precision"
    with pytest.raises(TypeError):
        integrator.advance(3)


def test_solve_ivp_against_scipy(pendulum):
    scipy = pytest.importorskip("scipy.integrate")
    t = np.linspace(0.1, 9.3, 57)
    theirs = scipy.solve_ivp(lambda t, y: [y[1], -4 * np.sin(y[0])], (0, 9.3), [1, 0], method="DOP853", rtol=1e-12,
                             atol=1e-13, t_eval=t)
    ours = actio.solve_ivp(pendulum, (0, 9.3), [1, 0], method="gauss-4", step=0.05, t_eval=t)
    assert ours.success and ours.status == 0 and ours.y.shape == theirs.y.shape
    assert np.array_equal(ours.t, t)
    assert np.abs(ours.y - theirs.y).max() < 1e-9


def test_dense_output_is_as_accurate_as_steps(pendulum):
    solution = actio.solve_ivp(pendulum, (0, 5), method="gauss-4", step=0.1, dense_output=True)
    fine = pendulum.run(method="gauss-8", step=0.01, until=5)
    at_steps = np.abs(solution.y[0] - fine["q"][::10]).max()
    between = np.abs(solution.sol(fine.t)[0] - fine["q"]).max()
    assert between < 2 * at_steps + 1e-13
    assert np.array_equal(solution.sol(solution.t), solution.y)
    assert solution.sol(0.25).shape == (2,)
    with pytest.raises(actio.InputError):
        solution.sol(5.1)


def test_solve_ivp_meets_the_end_exactly_and_starts_anywhere(pendulum):
    solution = actio.solve_ivp(pendulum, (2, 3.05), step=0.1)
    assert solution.t[0] == 2 and solution.t[-1] == pytest.approx(3.05, abs=1e-15)
    assert np.diff(solution.t).max() <= 0.1
    later = actio.solve_ivp(pendulum, (0, 1.05), step=0.1)
    assert np.allclose(solution.y, later.y, atol=1e-14)


def test_solve_ivp_that_fails():
    m = actio.Model(coordinates=["x"], lagrangian="1/2*x'^2 - x^3", initial={"x": -1, "x'": 0})
    solution = actio.solve_ivp(m, (0, 100), step=0.05, method="simpson")
    assert not solution.success and solution.status == -1 and "failed" in solution.message
    assert len(solution.t) == solution.y.shape[1] > 1


def test_parameters_that_others_define_follow():
    m = actio.Model(
        coordinates=["q"],
        lagrangian="1/2*l^2*q'^2 + g*l*cos(q)",
        parameters={"g": 10, "l": "g/2"},
        initial={"q": 1, "q'": 0},
    )
    i = m.integrator(method="simpson", step=0.01)
    s = i.start()
    s.parameters["g"] = 4
    assert s.parameters["l"] == 2
    i.advance(s, 50)
    fresh = m.with_parameters(g=4).integrator(method="simpson", step=0.01)
    other = fresh.start(position=[1.0], momentum=[0.0])
    fresh.advance(other, 50)
    assert np.allclose(s.position, other.position, atol=1e-13)


def test_a_state_stays_with_its_integrator():
    pendulum = actio.problem("pendulum").integrator(method="simpson", step=0.01)
    with pytest.raises(actio.InputError):
        actio.problem("kepler").integrator(method="simpson", step=0.01).advance(pendulum.start(), 3)


def test_motions_that_depend_on_time_start_at_zero():
    m = actio.Model(coordinates=["q"], lagrangian="1/2*exp(t)*q'^2 - q^2/2", initial={"q": 1, "q'": 1})
    with pytest.raises(actio.InputError):
        m.integrator(method="gauss-4", step=0.01).start(position=[1.0], velocity=[1.0], t=2)


def test_times_of_solve_ivp_ascend():
    m = actio.problem("pendulum")
    for times in ([0.3, 0.1], [0.1, 0.1], [0.1, float("nan")]):
        with pytest.raises(actio.InputError):
            actio.solve_ivp(m, (0, 1), step=0.1, t_eval=times)


def test_solve_ivp_goes_back(pendulum):
    there = actio.solve_ivp(pendulum, (0, 1), method="gauss-6", step=0.1)
    back = actio.solve_ivp(pendulum, (1, 0), there.y[:, -1], method="gauss-6", step=0.1, dense_output=True)
    assert back.t[0] == 1 and back.t[-1] == pytest.approx(0, abs=1e-15)
    assert np.abs(back.y[:, -1] - [1, 0]).max() < 1e-13
    assert np.abs(back.y[:, ::-1] - there.y).max() < 1e-13
    some = actio.solve_ivp(pendulum, (1, 0), there.y[:, -1], method="gauss-6", step=0.1, t_eval=[1, 0.55, 0])
    assert np.array_equal(some.y, back.sol([1, 0.55, 0]))
    assert (back.sol.t_min, back.sol.t_max) == (back.t[-1], 1)
    for times in ([0, 0.5], [0.5, -0.1]):
        with pytest.raises(actio.InputError):
            actio.solve_ivp(pendulum, (1, 0), step=0.1, t_eval=times)


def test_solve_ivp_refuses_what_has_no_end(pendulum):
    for span, step in (((0, 1e300), 0.1), ((0, float("nan")), 0.1), ((0, 1), "auto")):
        with pytest.raises(actio.InputError):
            actio.solve_ivp(pendulum, span, step=step)


def test_answers_of_controls_and_values_of_parameters(pendulum, integrator):
    for answer, identity in ((3, "wrong-type"), ({"z": 1}, "unknown-name"), ({"w": None}, "wrong-type"),
                             ({"w": 1j}, "wrong-type"), ({"w": float("nan")}, "bad-number")):
        for use in (lambda: pendulum.run(step=0.1, until=1, control=lambda s: answer),
                    lambda: integrator.record(integrator.start(), 2, control=lambda s: answer)):
            with pytest.raises(actio.InputError) as caught:
                use()
            assert caught.value.id == identity, answer


_START = "[initial.position]\nx = 1\n[initial.velocity]\nx = 0\n"
_OSCILLATOR = "coordinates = ['x']\nlagrangian = \"1/2*x'^2 - 1/2*x^2\"\n"


@pytest.mark.parametrize("table", ["[events.e]\nwhen = 'x'\nset = { \"x'\" = \"0.5*x'\" }\n",
                                   "[control.u]\nvalue = \"-x'\"\nevery = 0.1\n[forces]\nx = 'u'\n"])
def test_what_happens_at_instants_is_not_overlooked(table):
    m = actio.Model.from_text(_OSCILLATOR + table + _START)
    for call in (lambda: m.integrator(method="gauss-4", step=0.1),
                 lambda: actio.solve_ivp(m, (0, 5), method="gauss-4", step=0.1),
                 lambda: m.ensemble(sweep={"x": [1.0]}, method="gauss-4", step=0.1, until=5, lyapunov=True)):
        with pytest.raises(actio.InputError) as refused:
            call()
        assert refused.value.id == "conflicting-options"
    with pytest.raises(actio.InputError, match="neither events nor controls") as refused:
        m.exact([5])
    assert refused.value.id == "no-exact-motion"


def test_solve_ivp_refuses_a_scale_of_time():
    m = actio.Model.from_text(_OSCILLATOR + "[time]\nscale = '1 + x^2'\n" + _START)
    with pytest.raises(actio.InputError, match="a scale of time"):
        actio.solve_ivp(m, (0, 5), method="gauss-4", step=0.1)


def test_several_velocities_of_one_momentum_are_not_guessed():
    m = actio.Model(coordinates=["q"], lagrangian="q'^4/4 - q'^2/2 - q^2/2", initial={"q": 0.1, "q'": 1})
    s = m.integrator(method="gauss-4", step=0.005).start()
    velocity = s.velocity[0]
    with pytest.raises(actio.InputError):
        s.momentum = s.momentum
    assert s.velocity[0] == velocity
    with pytest.raises(actio.InputError):
        actio.solve_ivp(m, (0, 0.1), method="gauss-4", step=0.005, t_eval=[0.0312])


def test_a_call_that_would_wait_for_its_own_run_is_refused():
    m = actio.problem("pendulum")
    with pytest.raises(actio.InputError):
        m.run(step=0.1, until=1, control=lambda s: m.check() and None)
    assert m.run(step=0.1, until=1).status == "done"
