"""Runs: arrays, certificates, options, precision, files, pictures."""

import inspect
import json

import numpy as np
import pytest

import actio
from actio import _actio


@pytest.fixture
def result(pendulum):
    return pendulum.run(method="gauss-4", step=0.1, until=10)


def test_arrays(result):
    assert result.t.shape == (101,) and result.t.dtype == np.float64
    assert result.position.shape == result.momentum.shape == (101, 1)
    assert np.array_equal(result.position["q"], result["q"])
    assert np.array_equal(result.momentum[:, 0], result["p_q"])
    assert result.position[0, 0] == 1
    with pytest.raises(KeyError, match="did you mean 'energy'"):
        result["enregy"]


def test_arrays_are_views_that_keep_the_result_alive(pendulum):
    q = pendulum.run(method="gauss-4", step=0.1, until=10)["q"]
    assert q.base is not None and not q.flags.writeable
    again = pendulum.run(method="gauss-4", step=0.1, until=10)
    assert np.array_equal(q, again["q"])
    assert again["q"].__array_interface__["data"] == again._native.column("q").__array_interface__["data"]


def test_the_same_bits_as_the_command_line(program, tmp_path):
    path = tmp_path / "kepler.csv"
    assert program("run", "kepler", "--method", "gauss-4", "--step", "0.05", "--until", "5", "--output",
                   str(path)).returncode == 0
    table = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
    r = actio.problem("kepler").run(method="gauss-4", step=0.05, until=5)
    for name in r.names:
        assert np.array_equal(r[name], table[name]), name


def test_certificate(result):
    c = result.certificate
    assert c["method"] == "gauss-4" and c["status"] == result.status == "done"
    assert result.trusted and c.trusted
    assert np.abs(result.energy_error).max() == pytest.approx(c["energy"]["max_relative_error"], rel=1e-6)
    assert "energy" in str(c)
    assert "<table>" in c._repr_html_() and "<table>" in result._repr_html_()


def test_options_are_numbers_texts_and_flags(pendulum):
    a = pendulum.run(method="simpson", step="pi/100", steps=100, companion=True)
    b = pendulum.run(method="simpson", step=np.float64(np.pi / 100), steps=np.int64(100))
    assert a.t[-1] == pytest.approx(np.pi) and b.t[-1] == pytest.approx(np.pi)
    assert a.certificate["motion"]
    assert len(pendulum.run(method="simpson", step=0.1, steps=100, every=10)) == 11


def test_accuracy(pendulum):
    r = pendulum.run(accuracy=1e-8, until=5)
    assert r.certificate["choice"]["estimated_error"] < 1e-8
    assert r.trusted


def test_wrong_input_is_an_exception(pendulum):
    with pytest.raises(actio.InputError) as caught:
        pendulum.run(method="simpsn", step=0.1, until=1)
    assert caught.value.id == "unknown-method" and "simpson" in caught.value.cure
    with pytest.raises(actio.InputError) as caught:
        pendulum.run(step="0.1*v", until=1)
    assert caught.value.place == ("step", 1, 5)


def test_numbers_that_fail_are_a_status():
    m = actio.Model(coordinates=["x"], lagrangian="1/2*x'^2 - x^3", initial={"x": -1, "x'": 0})
    r = m.run(method="simpson", step=0.05, until=100)
    assert r.status == "failed" and not r.trusted
    assert r.reason and r.suggestion
    assert 1 < len(r) < 2000 and np.isfinite(r["x"]).all()


def test_strict():
    with pytest.raises(actio.NumericalError) as caught:
        actio.problem("kepler").run(method="rk4", step=0.3, until=100, strict=True)
    assert caught.value.id == "doubtful"
    assert isinstance(caught.value, ArithmeticError)


def test_suggestions_name_keywords(pendulum):
    r = pendulum.run(method="simpson", step=2.5, until=50)
    assert r.status == "failed" and "step=" in r.suggestion and "--" not in r.suggestion
    with pytest.raises(actio.NumericalError) as caught:
        pendulum.run(method="simpson", step=2.5, until=50, strict=True)
    assert caught.value.cure == r.suggestion and r.reason in caught.value.message


def test_control(pendulum):
    def pump(moment):
        return {"w": 2.1 if moment.position[0] * moment.momentum[0] < 0 else 1.9}

    r = pendulum.run(method="simpson", step=0.01, until=10, control=pump)
    i = pendulum.integrator(method="simpson", step=0.01)
    rows = i.record(i.start(), 1000, control=pump)
    assert np.allclose(r["q"], rows.position["q"], atol=1e-12)
    assert r.energy_error is None and r.certificate["energy"]["work"] != 0
    with pytest.raises(actio.InputError, match="no parameter 'v'"):
        pendulum.run(method="simpson", step=0.01, until=1, control=lambda moment: {"v": 1})
    with pytest.raises(ZeroDivisionError):
        pendulum.run(method="simpson", step=0.01, until=1, control=lambda moment: 1 / 0)
    with pytest.raises(actio.InputError, match="could not repeat"):
        r.save("run.h5")


def test_many_digits(pendulum):
    mpmath = pytest.importorskip("mpmath")
    r = pendulum.run(method="gauss-4", step=0.1, until=1, precision=50)
    assert r["q"].dtype == object and isinstance(r["q"][-1], mpmath.mpf)
    with mpmath.workdps(50):
        assert r.t[1] == mpmath.mpf(1) / 10 or abs(r.t[1] - mpmath.mpf("0.1")) < mpmath.mpf(10) ** -50
        d = pendulum.run(method="gauss-4", step=0.1, until=1)
        assert abs(r["q"][-1] - d["q"][-1]) < 1e-14
        assert mpmath.nstr(r["q"][-1], 45) == mpmath.nstr(r.certificate["position"]["q"], 45)
        assert abs(r.certificate["momentum"]["q"] - r["p_q"][-1]) < mpmath.mpf(10) ** -45
    assert float(max(abs(e) for e in r.energy_error)) < 1e-6


def test_quad(pendulum):
    mpmath = pytest.importorskip("mpmath")
    r = pendulum.run(method="gauss-4", step="1/8", until=1, precision="quad")
    assert r.t[1] == mpmath.mpf("0.125") and r.t[0] == 0
    with mpmath.workdps(34):
        assert abs(r["q"][-1] - r.certificate["position"]["q"]) < mpmath.mpf(10) ** -32
        assert r["p_q"][-1] < 0


@pytest.mark.parametrize("precision", ["double", "quad", 40])
def test_saved_and_loaded(pendulum, tmp_path, precision):
    r = pendulum.run(method="simpson", step=0.1, until=2, precision=precision, set={"w": 3})
    path = r.save(tmp_path / "run.h5")
    s = actio.load(path)
    assert s.names == r.names and s.status == "done" and s.trusted == r.trusted
    assert s.certificate["energy"] == r.certificate["energy"]
    assert s.model.parameters == {"w": 3.0}
    for name in r.names:
        assert len(s[name]) == len(r[name])
        assert all(a == b or abs(a - b) < 1e-33 * abs(b) for a, b in zip(s[name], r[name])), name
    assert float(np.abs(s.energy_error - r.energy_error).max()) < 1e-16
    assert actio.repeat(path) == ""  # the file says all that it takes to repeat the run


def test_a_saved_file_is_that_of_the_command_line(pendulum, program, tmp_path):
    path = pendulum.run(method="simpson", step=0.1, until=2).save(tmp_path / "run.h5")
    assert "the bits agree: 21 rows" in program("run", path, "--again").stdout


def test_saved_as_text(result, tmp_path):
    path = result.save(tmp_path / "run.csv")
    table = np.genfromtxt(path, delimiter=",", names=True)
    assert np.array_equal(table["q"], result["q"])
    with pytest.raises(actio.InputError) as caught:
        result.save(tmp_path / "run.xyz")
    assert caught.value.id == "unknown-option-value"
    with pytest.raises(actio.InputError) as caught:
        result.save(tmp_path / "missing" / "run.csv")
    assert caught.value.id == "output-unwritable"


def test_output_and_resume(pendulum, tmp_path):
    path = str(tmp_path / "run.h5")
    whole = pendulum.run(method="simpson", step=0.1, until=2)
    pendulum.run(method="simpson", step=0.1, until=1, output=path, checkpoint_every=5)
    pendulum.run(method="simpson", step=0.1, until=2, output=path, resume=True)
    assert np.array_equal(actio.load(path)["q"], whole["q"])


def test_report(result, tmp_path):
    path = result.report(tmp_path / "page.html")
    html = open(path, encoding="utf-8").read()
    assert "pendulum" in html and "gauss-4" in html
    assert 'iframe srcdoc="' in result.show_report()._repr_html_()


def test_pandas_and_xarray(result):
    pandas = pytest.importorskip("pandas")
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t"
    assert np.array_equal(frame["q"], result["q"])
    pytest.importorskip("xarray")
    data = result.to_xarray()
    assert data.sizes["t"] == len(result) and data.attrs["method"] == "gauss-4"


def test_plot(result):
    pytest.importorskip("matplotlib")
    axes = result.plot()
    assert len(axes) == 2 and axes[0].lines[0].get_label() == "q"
    assert result.plot("q", "p_q")[0].lines[1].get_label() == "p_q"


def test_help_lists_every_option():
    for method, command in ((actio.Model.run, "run"), (actio.Model.compare, "compare"),
                            (actio.Model.ensemble, "ensemble"), (actio.verify, "verify"),
                            (actio.reproduce, "reproduce"), (actio.Model.exact, "exact")):
        flat = " ".join(inspect.getdoc(method).split())
        keywords = inspect.signature(method).parameters
        for option in _actio.options_of(command):
            if option["name"] in ("json", "quiet", "again"):
                continue
            assert " ".join(option["sentence"].split()) in flat, option["name"]
            assert option["keyword"] in keywords


def test_compare():
    c = actio.problem("kepler").compare(methods=["simpson", "gauss-4"], step_sizes=[0.1, 0.05], until=1)
    assert [row["method"] for row in c.rows] == ["simpson", "simpson", "gauss-4", "gauss-4"]
    assert c.rows[1]["order"] == pytest.approx(4, abs=0.3)
    assert "simpson" in str(c) and "<table>" in c._repr_html_()
    pytest.importorskip("pandas")
    assert len(c.to_pandas()) == 4


def test_check(pendulum):
    found = pendulum.check()
    assert json.loads(json.dumps(found))["coordinates"]
    assert "q" in str(found)


def test_exact():
    exact = actio.problem("harmonic-oscillator").exact([1, 2.5])
    assert exact.t.tolist() == [1, 2.5] and exact.position.shape == (2, 1)
    wide = actio.problem("harmonic-oscillator").exact([1], precision=40)
    assert abs(wide.position[0, 0] - exact.position[0, 0]) < 1e-15
    with pytest.raises(actio.InputError) as caught:
        actio.problem("double-pendulum").exact(1)
    assert caught.value.id == "no-exact-motion"


def test_catalogue():
    methods, problems = actio.methods(), actio.problems()
    assert {"simpson", "gauss-8", "rk4"} <= {m["name"] for m in methods}
    assert {"kepler", "lagrange-top"} <= {p["name"] for p in problems}
    assert "simpson" in str(methods) and "<table>" in problems._repr_html_()
    assert "unknown-method" in actio.errors()


def test_verify_names_what_it_does_not_know():
    with pytest.raises(actio.InputError, match="did you mean 'simpson'"):
        actio.verify("simpsom")


def test_reproduce(tmp_path):
    found = actio.reproduce("dubois2023", quick=True, output=tmp_path)
    assert found["status"] == "agrees"
    assert (tmp_path / "dubois2023.html").exists()
    with pytest.raises(actio.InputError):
        actio.reproduce("dubois2024")


@pytest.mark.parametrize("precision", ["double", 30])
def test_damaged_files_are_refused_by_name(pendulum, tmp_path, precision):
    path = tmp_path / "a.h5"
    pendulum.run(step=0.1, steps=10, precision=precision).save(path)
    whole = path.read_bytes()
    random = np.random.default_rng(5)
    refused = 0
    for _ in range(200):
        damaged = bytearray(whole)
        for place in random.integers(len(whole), size=random.integers(1, 8)):
            damaged[place] ^= int(random.integers(1, 256))
        path.write_bytes(damaged)
        try:
            loaded = actio.load(path)
            loaded.position, loaded.momentum, loaded.energy_error, str(loaded), loaded.status
        except actio.InputError:
            refused += 1
    assert refused > 0


def test_messages_name_calls_of_python(pendulum):
    with pytest.raises(actio.InputError) as error:
        pendulum.run(method="simpsn", step=0.1, until=1)
    assert "methods() lists them all" in str(error.value) and "actio methods" not in str(error.value)
    assert "methods() lists" in actio.Model.run.__doc__


def test_a_control_tells_which_momenta_it_may_break():
    m = actio.Model(coordinates=["x", "y"], lagrangian="1/2*(x'^2 + y'^2) - 1/2*(a*x^2 + b*y^2)",
                    parameters={"a": 1, "b": 1}, initial={"x": 1, "y": 0, "x'": 0, "y'": 0.5})
    assert len(m.run(step=0.05, until=5).certificate["momenta"]) == 1
    r = m.run(step=0.05, until=5, control=lambda s: {"a": 1.5 if s.t > 1 else 1})
    assert r.trusted and r.certificate["momenta"] == {}
    assert len(r.notes) == 1 and "which the control may change" in r.notes[0]
