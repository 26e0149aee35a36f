"""Threads, processes, signals and progress."""

import _thread
import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest

import actio

OPTIONS = dict(method="gauss-4", step=0.01, until=20)


def last_position(model):
    return model.run(**OPTIONS)["q"][-1]


def test_threads_have_the_bits_of_one_after_the_other(pendulum):
    models = [pendulum.with_parameters(w=1 + 0.25 * k) for k in range(6)]
    expected = [last_position(m) for m in models]
    found = [None] * len(models)

    def work(k):
        found[k] = last_position(models[k])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(models))]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert found == expected


def test_many_digits_beside_other_threads(pendulum):
    expected = {p: pendulum.run(method="simpson", step=0.1, until=2, precision=p)["q"][-1] for p in (30, 60)}
    found = {}

    def wide(digits):
        found[digits] = pendulum.run(method="simpson", step=0.1, until=2, precision=digits)["q"][-1]

    def plain():
        found["double"] = actio.problem("kepler").run(method="simpson", step=0.1, until=20)["x"][-1]

    threads = [threading.Thread(target=wide, args=(d,)) for d in (30, 60)] + [threading.Thread(target=plain)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert found[30] == expected[30] and found[60] == expected[60] and "double" in found


def test_the_gil_is_released(pendulum):
    counted = 0
    done = threading.Event()

    def run():
        pendulum.run(method="gauss-4", step=1e-4, until=60, every=1000)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 10


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes(pendulum, way):
    models = [pendulum.with_parameters(w=w) for w in (1, 2, 3)]
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert pool.map(last_position, models) == [last_position(m) for m in models]


def interrupt_after(seconds):
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_keeps_what_is_there(pendulum, tmp_path):
    interrupt_after(0.3)
    r = pendulum.run(method="gauss-4", step=1e-4, until=1e6, every=10000)
    assert r.status == "interrupted"
    assert 1 < len(r) and r.t[-1] < 1e6
    assert r.certificate["status"] == "interrupted"
    path = r.save(tmp_path / "run.h5")
    assert actio.load(path).status == "interrupted"


def test_ctrl_c_in_an_ensemble(pendulum):
    interrupt_after(1.0)
    e = pendulum.ensemble(sweep={"q": np.linspace(0, 3, 100000)}, method="gauss-4", step=0.001, until=500, threads=2)
    assert e.summary["status"] == "interrupted" and len(e) < 100000
    assert len(e.position) == len(e)


def test_ctrl_c_while_stepping_by_hand(pendulum):
    i = pendulum.integrator(method="simpson", step=1e-3)
    s = i.start()
    interrupt_after(0.2)
    with pytest.raises(KeyboardInterrupt):
        i.advance(s, 10**12)
    assert s.index > 0


def test_other_signals_raise_what_their_handlers_raise(pendulum):
    class Alarm(Exception):
        pass

    def ring(*_):
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Alarm):
            pendulum.run(method="gauss-4", step=1e-4, until=1e6, every=10000)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_progress(pendulum, capfd):
    pendulum.run(method="gauss-4", step=1e-4, until=100, every=10000, progress=True)
    assert "of 1000000" in capfd.readouterr().err
    seen = []
    pendulum.run(method="gauss-4", step=1e-4, until=50, every=10000, progress=lambda *now: seen.append(now))
    assert seen and seen[-1][1] == 500000 and 0 < seen[-1][2] <= 50
    pendulum.run(method="gauss-4", step=0.1, until=1)
    assert capfd.readouterr().err == ""


def test_an_interrupt_outside_of_the_library(pendulum):
    with pytest.raises(KeyboardInterrupt):
        _thread.interrupt_main()
        time.sleep(1)
    assert pendulum.run(**OPTIONS).status == "done"


def test_ctrl_c_while_a_method_is_chosen_or_verified(pendulum):
    for work in (lambda: pendulum.run(accuracy=1e-13, until=1e6), lambda: actio.verify("all"),
                 lambda: actio.problem("pendulum").exact([1, 2] * 500, precision=2000)):
        interrupt_after(0.2)
        with pytest.raises(KeyboardInterrupt):
            work()
    assert pendulum.run(**OPTIONS).status == "done"
