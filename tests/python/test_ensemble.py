"""Ensembles: arrays with one row a trajectory, sweeps by arrays, samples, files."""

import numpy as np
import pytest

import actio

OPTIONS = dict(method="gauss-4", step=0.05, until=2)


def test_a_sweep_over_an_array(pendulum):
    values = np.array([0.3, 2.5, 1.0, -0.7])
    e = pendulum.ensemble(sweep={"q": values}, **OPTIONS)
    assert len(e) == 4 and e.position.shape == e.momentum.shape == (4, 1)
    assert np.array_equal(e.start["q"], values) and np.array_equal(e.start[:, 0], values)
    assert (e.status == "done").all() and (e.steps == 40).all()
    assert e.energy_error.max() < 1e-8
    for k, q in enumerate(values):
        m = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2},
                        initial={"q": float(q), "q'": 0})
        alone = m.run(**OPTIONS)
        assert e.position[k, 0] == pytest.approx(alone["q"][-1], abs=1e-13)
        assert e.momentum[k, 0] == pytest.approx(alone["p_q"][-1], abs=1e-13)


def test_texts_and_arrays_are_the_same(pendulum):
    a = pendulum.ensemble(sweep={"q": np.linspace(0, 3, 7)}, **OPTIONS)
    b = pendulum.ensemble(sweep={"q": "0:3:7"}, **OPTIONS)
    c = pendulum.ensemble(sweep={"q": "[0, 0.5, 1, 3/2, 2, 2.5, 3]"}, **OPTIONS)
    assert np.array_equal(a.position, b.position) and np.array_equal(a.position, c.position)


def test_a_grid_of_parameters_and_initial_values(pendulum):
    e = pendulum.ensemble(sweep={"w": [1, 2], "q": [0.1, 0.2, 0.3]}, **OPTIONS)
    assert e.start.names == ("q", "p_q", "w")
    assert e.start["w"].tolist() == [1, 1, 1, 2, 2, 2]
    assert e.start["q"].tolist() == [0.1, 0.2, 0.3] * 2
    with_set = pendulum.ensemble(sweep={"q": [0.1, 0.2, 0.3]}, set={"w": 1}, **OPTIONS)
    assert np.allclose(e.position[:3], with_set.position, atol=1e-14)


def test_starts_as_rows(pendulum):
    rows = np.array([[0.1, 0.5], [0.2, -0.5], [0.3, 0.0]])
    momenta = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2},
                          initial={"q": 1, "p_q": 0})
    e = momenta.ensemble(sweep={("q", "p_q"): rows}, **OPTIONS)
    assert np.array_equal(e.start, rows)
    grid = momenta.ensemble(sweep={"w": [1, 2], ("q", "p_q"): rows}, **OPTIONS)
    assert len(grid) == 6 and np.allclose(grid.position[3:], e.position, atol=1e-13)
    assert np.array_equal(grid.start["p_q"], np.tile(rows[:, 1], 2))
    with pytest.raises(actio.InputError, match="shape"):
        momenta.ensemble(sweep={("q", "p_q"): [1, 2, 3]}, **OPTIONS)


def test_samples(pendulum):
    a, b, c = (pendulum.ensemble(sample={"q": "normal(1, 0.1)"}, count=50, seed=s, **OPTIONS) for s in (1, 1, 2))
    assert len(a) == 50 and np.array_equal(a.start, b.start) and not np.array_equal(a.start, c.start)
    assert a.start["q"].mean() == pytest.approx(1, abs=0.1)


def test_one_that_fails_leaves_the_others_alone():
    m = actio.Model(coordinates=["x"], lagrangian="1/2*x'^2 - x^3", initial={"x": 0.5, "x'": 0})
    e = m.ensemble(sweep={"x": [-3.0, 0.0]}, method="simpson", step=0.05, until=20)
    assert e.status[0] != "done" and e.status[1] == "done"
    assert e.done.tolist() == [False, True]
    assert e.reasons[0]


def test_section_and_exponents():
    m = actio.problem("henon-heiles")
    e = m.ensemble(sweep={"y": [0.0, 0.1]}, method="gauss-4", step=0.1, until=50, poincare="x", lyapunov=True)
    assert e.lyapunov.shape == (2,)
    assert e.crossings.shape[1] == 6 and set(e.crossings["trajectory"]) == {0.0, 1.0}
    assert np.abs(e.crossings["x"]).max() < 1e-10


def test_files(pendulum, tmp_path):
    values = np.random.default_rng(1).normal(size=30)
    e = pendulum.ensemble(sweep={"q": values}, **OPTIONS)
    path = e.save(tmp_path / "ensemble.h5")
    f = actio.load(path)
    for name in ("position", "momentum", "start", "energy_error", "status", "steps", "momentum_errors"):
        assert np.array_equal(getattr(e, name), getattr(f, name)), name
    assert actio.repeat(path) == ""


def test_tables_and_pictures(pendulum):
    e = pendulum.ensemble(sweep={"q": np.linspace(0, 1, 5)}, **OPTIONS)
    assert "5" in repr(e) and "<table>" in e._repr_html_()
    pytest.importorskip("matplotlib")
    assert e.plot().get_xlabel() == "q at the start"
    pytest.importorskip("pandas")
    frame = e.to_pandas()
    assert {"q(0)", "q", "p_q", "energy_error", "status"} <= set(frame.columns)


def test_wrong_input(pendulum):
    for given, text in ((dict(sweep={"v": [1, 2]}), "no coordinate or parameter"), (dict(sweep={"q": []}), ""),
                        (dict(sweep={"q": [np.nan, 1]}), ""), (dict(sweep={"q": [[1, 2]]}), "dimensions"),
                        (dict(), "nothing varies"), (dict(sweep=[1, 2]), "no dict")):
        with pytest.raises(actio.InputError, match=text):
            pendulum.ensemble(**given, **OPTIONS)


def test_masked_values_are_refused_and_long_doubles_rounded(pendulum):
    for values in (np.ma.array([0.1, 0.2], mask=[False, True]), ):
        with pytest.raises(actio.InputError) as error:
            pendulum.ensemble(sweep={"q": values}, **OPTIONS)
        assert error.value.id == "bad-number" and "masked" in str(error.value)
    with pytest.raises(actio.InputError, match="masked"):
        pendulum.ensemble(sweep={("q", "q'"): np.ma.array([[0.1, 0], [0.2, 0]], mask=[[0, 0], [1, 0]])}, **OPTIONS)
    whole = pendulum.ensemble(sweep={"q": np.ma.array([0.1, 0.2])}, **OPTIONS)
    long = pendulum.ensemble(sweep={"q": np.array([0.1, 0.2], dtype=np.longdouble)}, **OPTIONS)
    assert np.array_equal(whole.position, long.position)
    assert np.array_equal(long.start["q"], [0.1, 0.2])
    assert pendulum.with_parameters(w=np.longdouble(3)).parameters["w"] == 3


def test_parts_are_joined(pendulum, tmp_path):
    whole = pendulum.ensemble(sweep={"q": np.linspace(0, 3, 7)}, output=tmp_path / "whole.h5", **OPTIONS)
    parts = [tmp_path / f"{k}.h5" for k in (1, 2, 3)]
    for k, path in enumerate(parts):
        part = pendulum.ensemble(sweep={"q": np.linspace(0, 3, 7)}, part=f"{k + 1}/3", output=path, **OPTIONS)
        first, end = part.summary["part"]["first"], part.summary["part"]["end"]
        assert part.first == first and len(part) == end - first
        assert np.array_equal(part.position, whole.position[first:end])
        assert actio.repeat(path) == ""
    summary = actio.join(*parts, output=tmp_path / "all.h5")
    assert summary["count"] == 7 and "part" not in summary
    assert np.array_equal(actio.load(tmp_path / "all.h5").position, whole.position)
    with pytest.raises(actio.InputError) as missing:
        actio.join(parts[0], parts[2], output=tmp_path / "some.h5")
    assert missing.value.id == "missing-parts"


def test_a_complete_part_is_resumed_without_work(pendulum, tmp_path):
    given = dict(sweep={"q": np.linspace(0, 3, 7)}, part="2/3", output=tmp_path / "2.h5", **OPTIONS)
    first, again = pendulum.ensemble(**given), pendulum.ensemble(resume=True, **given)
    assert np.array_equal(first.position, again.position) and np.array_equal(first.start, again.start)


def test_sweeps_without_values_and_from_generators(pendulum):
    for nothing in ([], np.array([]), iter(())):
        with pytest.raises(actio.InputError, match="no values of 'q'"):
            pendulum.ensemble(sweep={"q": nothing}, method="gauss-4", step=0.1, until=1)
    e = pendulum.ensemble(sweep={"q": (k / 10 for k in range(3))}, method="gauss-4", step=0.1, until=1)
    assert e.start["q"].tolist() == [0, 0.1, 0.2]
