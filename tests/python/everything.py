# Everything that the package can do, once.
import sys
import numpy as np, sympy, actio
folder = sys.argv[1]
m = actio.Model(coordinates=["q"], lagrangian="1/2*q'^2 + w^2*cos(q)", parameters={"w": 2}, initial={"q": 1, "q'": 0})
r = m.run(method="gauss-8", step=0.05, until=100, set={"w": 3})
print(r.t[-1], r["q"][-1], r.position.shape, r.momentum.shape, abs(r.energy_error).max(), r.status, r.trusted, r.certificate)
r.plot(); r.report(f"{folder}/page.html"); r.save(f"{folder}/run.h5"); r.to_pandas(); r.to_xarray(); r.show_report()
assert np.array_equal(actio.load(f"{folder}/run.h5")["q"], r["q"]) and actio.repeat(f"{folder}/run.h5") == ""
print(m.compare(methods=["simpson", "gauss-4"], step_sizes=[0.1, 0.05], until=1), m.check())
e = m.ensemble(sweep={"q": np.linspace(0, 3, 1000)}, method="gauss-4", step=0.05, until=10)
print(e.position.shape, e.momentum.shape, e.energy_error.max(), set(e.status), e.start.shape)
i = m.integrator(method="simpson", step=0.01); s = i.start(); i.advance(s, 100); print(i.tangent(s), s.position, s.t)
s.parameters["w"] = 4; i.record(s, 10, control=lambda state: {"w": 4 + state.t})
print(actio.solve_ivp(m, (0, 10), [1, 0], method="gauss-4", step=0.1, t_eval=[1, 2.5], dense_output=True).sol(7.7))
t = sympy.symbols("t"); x = sympy.Function("x")(t)
print(actio.Model.from_sympy(x.diff(t)**2/2 - x**4, [x], initial={x: 1}).run(accuracy=1e-9, until=5).certificate["choice"])
print(actio.problem("kepler").run(precision=40, step=0.1, until=1)["x"][-1], actio.problem("kepler").exact([1, 2]).position)
print(actio.verify("euler-a"), actio.methods()[0], actio.problems()[0], actio.reproduce("dubois2023", quick=True)["status"])
