"""What can be sent elsewhere, outlive what made it, and be used by several threads."""

import copy
import gc
import pickle
import threading

import numpy as np
import pytest

import actio


def again(x):
    return pickle.loads(pickle.dumps(x))


@pytest.mark.parametrize("precision", ["double", "40"])
def test_runs_travel(pendulum, tmp_path, precision):
    r = pendulum.run(method="gauss-4", step="1/10", until=1, precision=precision)
    there = again(again(r))
    assert there.names == r.names and all(np.array_equal(there[n], r[n]) for n in r.names)
    assert (there.status, there.trusted, there.steps, there.method) == (r.status, r.trusted, r.steps, r.method)
    assert dict(there.certificate) == dict(r.certificate) and str(there) == str(r)
    assert np.array_equal(there.energy_error, r.energy_error)
    there.save(tmp_path / "run.h5")
    loaded = actio.load(tmp_path / "run.h5")
    assert max(abs(loaded["q"] - r["q"])) < 1e-38
    assert np.array_equal(again(loaded)["q"], loaded["q"])
    there.report(tmp_path / "page.html")
    assert np.array_equal(copy.deepcopy(r)["q"], r["q"])


def test_functions_of_a_run_stay_behind(pendulum, tmp_path):
    r = again(pendulum.run(step=0.1, until=1, control=lambda s: {"w": 2 + s.t}))
    assert r.status == "done" and len(r) == 11
    for write in (r.save, r.report):
        with pytest.raises(actio.InputError) as caught:
            write(tmp_path / "x.h5")
        assert caught.value.id == "conflicting-options"


def test_other_findings_travel(pendulum):
    balls = actio.problem("bouncing-ball").run(until=2)
    assert np.array_equal(again(balls).events.t, balls.events.t)
    assert again(balls.events).position.names == ("y",)
    e = pendulum.ensemble(sweep={"q": [0.1, 0.2]}, method="gauss-4", step=0.1, until=1)
    assert np.array_equal(again(e).position, e.position) and again(e).start.names == e.start.names
    kepler = actio.problem("kepler")
    assert np.array_equal(again(kepler.exact([1, 2])).position, kepler.exact([1, 2]).position)
    assert str(again(pendulum.check())) == str(pendulum.check())
    rows = pendulum.compare(methods=["simpson"], step_sizes=[0.1], until=1)
    assert again(rows).rows == rows.rows
    assert again(actio.methods()) == actio.methods()


def test_integrators_and_solutions_travel(pendulum):
    i = again(pendulum.integrator(method="simpson", step=0.1, set={"w": 3}))
    assert (i.method, i.step) == ("simpson", 0.1)
    s = i.start()
    i.advance(s, 3)
    assert s.parameters["w"] == 3
    record = again(i.record(s, 5))
    assert record.position["q"].shape == (6,)
    solution = actio.solve_ivp(pendulum, (0, 1), step=0.3, dense_output=True)
    assert np.array_equal(again(solution).sol(0.55), solution.sol(0.55))
    for made in (solution, record):
        assert not hasattr(made, "nothing")


def test_states_outlive_what_made_them():
    m = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2}, initial={"q": 1, "q'": 0})
    i = m.integrator(method="simpson", step=0.1, force=lambda t, q, v: -0.1 * v)
    s = i.start()
    parameters = s.parameters
    del m
    gc.collect()
    i.advance(s, 3)
    del i
    gc.collect()
    assert np.isfinite(s.energy)
    del s
    gc.collect()
    parameters["w"] = 3
    assert dict(parameters) == {"w": 3}


def test_a_state_belongs_to_one_thread_at_a_time(pendulum):
    i = pendulum.integrator(method="simpson", step=0.001)
    s = i.start()
    begun, refused = threading.Event(), []

    def hold(state):
        begun.set()
        if state.index == 0:
            other.join()

    def intrude():
        begun.wait()
        for use in (lambda: i.advance(s, 100), lambda: s.energy, lambda: s.position, lambda: s.parameters.update(w=3)):
            with pytest.raises(actio.InputError, match="another thread"):
                use()
            refused.append(use)

    other = threading.Thread(target=intrude)
    other.start()
    i.advance(s, 100, control=hold)
    assert s.index == 100 and len(refused) == 4
    i.advance(s, 1)


def test_states_stay_with_their_integrator_in_records_too(pendulum):
    i, other = pendulum.integrator(method="simpson", step=0.1), pendulum.integrator(method="gauss-4", step=0.1)
    for use in (lambda: other.record(i.start(), 3), lambda: other.advance(i.start(), 3, control=lambda s: None)):
        with pytest.raises(actio.InputError, match="another integrator"):
            use()
