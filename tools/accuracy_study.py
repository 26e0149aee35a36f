#!/usr/bin/env python3
"""Promised against true errors: `actio run --accuracy` on motions of uneven pace, beside runs with far shorter steps.

    tools/accuracy_study.py build/actio            a table for docs/audit.md
"""
import json
import subprocess
import sys
import tempfile

PLANE = 'coordinates = ["x", "y"]\nlagrangian = "(x\'^2 + y\'^2)/2 {}"\n'
LINE = 'coordinates = ["x"]\nlagrangian = "x\'^2/2 {}"\n'


def start(position, velocity):
    lines = ["[initial.position]"] + [f'{k} = "{v}"' for k, v in position.items()]
    return "\n".join(lines + ["[initial.velocity]"] + [f'{k} = "{v}"' for k, v in velocity.items()]) + "\n"


def bodies(masses, positions, velocities):
    names = [f"{c}{i}" for i in range(len(masses)) for c in "xy"]
    kinetic = " + ".join(f"{m}/2*(x{i}'^2 + y{i}'^2)" for i, m in enumerate(masses))
    pairs = " + ".join(f"{a * b}/sqrt((x{i} - x{j})^2 + (y{i} - y{j})^2)"
                       for i, a in enumerate(masses) for j, b in enumerate(masses) if i < j)
    flat = [c for p in positions for c in p]
    rates = [c for v in velocities for c in v]
    return (f"coordinates = {json.dumps(names)}\nlagrangian = \"{kinetic} + {pairs}\"\n"
            + start(dict(zip(names, flat)), dict(zip(names, rates))))


PLEIADES = bodies([1, 2, 3, 4, 5, 6, 7],
                  [(3, 3), (3, -3), (-1, 2), (-3, 0), (2, 0), (-2, -4), (2, 4)],
                  [(0, 0), (0, 0), (0, 0), (0, -1.25), (0, 1), (1.75, 0), (-1.5, 0)])
BURRAU = bodies([3, 4, 5], [(1, 3), (-2, -1), (1, -1)], [(0, 0)] * 3)
KEPLER = PLANE.format("+ 1/sqrt(x^2 + y^2)")

# name, model, end
SYSTEMS = [
    ("Kepler, e = 0.9, from apocentre", KEPLER + start({"x": 1.9, "y": 0}, {"x": 0, "y": "sqrt(0.1/1.9)"}), 20),
    ("Kepler, e = 0.99, from pericentre", KEPLER + start({"x": 0.01, "y": 0}, {"x": 0, "y": "sqrt(199)"}), 13),
    ("Kepler, e = 0.999, from apocentre", KEPLER + start({"x": 1.999, "y": 0}, {"x": 0, "y": "sqrt(0.001/1.999)"}), 6.5),
    ("late encounter", KEPLER + start({"x": 60, "y": 0.3}, {"x": -1, "y": 0}), 70),
    ("grazing encounter", KEPLER + start({"x": 20, "y": 0.02}, {"x": -0.5, "y": 0}), 50),
    ("pulse of width 0.01 at t = 40",
     LINE.format("- x^2/2 + 10*x*exp(-(100*(t-40))^2)") + start({"x": 1}, {"x": 0}), 60),
    ("two pulses, early and late",
     LINE.format("- x^2/2 + x*exp(-(50*(t-3))^2) - 2*x*exp(-(200*(t-77))^2)") + start({"x": 1}, {"x": 0.3}), 80),
    ("fast drive", LINE.format("+ cos(x) + 0.3*x*cos(60*t)") + start({"x": 1}, {"x": 0}), 30),
    ("stiff spring beside a soft one",
     PLANE.format("- x^2/2 - 5000*y^2 - x^2*y") + start({"x": 1, "y": 0.01}, {"x": 0, "y": 0}), 20),
    ("hard wall", LINE.format("- x^2/2 - exp(-40*(x + 1))") + start({"x": 1}, {"x": 0}), 30),
    ("stiff pendulum on a spring",
     'coordinates = ["r", "q"]\nlagrangian = "(r\'^2 + r^2*q\'^2)/2 + r*cos(q) - 2000*(r - 1)^2"\n'
     + start({"r": 1.01, "q": 1.5}, {"r": 0, "q": 0}), 20),
    ("quartic oscillator, large", LINE.format("- x^4/4") + start({"x": 20}, {"x": 0}), 5),
    ("near a separatrix", LINE.format("+ cos(x)") + start({"x": "pi - 1e-5"}, {"x": 0}), 60),
    ("Henon-Heiles, chaotic", PLANE.format("- (x^2 + y^2)/2 - x^2*y + y^3/3")
     + start({"x": 0, "y": -0.25}, {"x": 0.42, "y": 0}), 100),
    ("double well, driven, chaotic", LINE.format("+ x^2/2 - x^4/4 + 0.3*x*cos(1.2*t)") + start({"x": 1}, {"x": 0}), 50),
    ("Pleiades", PLEIADES, 3),
    ("three bodies (3, 4, 5)", BURRAU, 12),
    ("three bodies (3, 4, 5), all of it", BURRAU, 70),
    ("a kink: abs", LINE.format("- abs(x)") + start({"x": 1}, {"x": 0.3}), 20),
    ("swinging atwood machine",
     'coordinates = ["r", "q"]\nlagrangian = "2*r\'^2 + r^2*q\'^2/2 - 3*r + r*cos(q)"\n'
     + start({"r": 1, "q": 1.2}, {"r": 0, "q": 0}), 20),
]


def actio(program, *words):
    done = subprocess.run([program, "run", *words, "--json", "--quiet"], capture_output=True, text=True, check=False)
    return (json.loads(done.stdout) if done.stdout else None), done.stderr.strip(), done.returncode


def distance(a, b, part):
    return max(abs(float(a[part][k]) - float(b[part][k])) for k in a[part])


def truth_of(program, path, until, run, accuracy):
    """The end by steps that are two and three times as short and agree, in double where that is enough."""
    method = "lobatto-9" if run["method"].startswith("lobatto") else "gauss-10"
    for precision in ("double", "quad"):
        ends = [actio(program, path, "--precision", precision, "--method", method, "--step", f"{until}/{run['steps'] * k}",
                      "--until", str(until))[0] for k in (2, 3)]
        if all(ends) and max(distance(*ends, "position"), distance(*ends, "momentum")) < 0.1 * accuracy:
            return ends[1]
    return None


def bounce(x, v, until):
    """x'' = -sign(x), piece by piece."""
    t = 0.0
    while True:
        side = 1 if x > 0 or (x == 0 and v > 0) else -1
        root = side * v + (v * v + 2 * abs(x)) ** 0.5  # when x + v t - side t^2/2 = 0
        if t + root >= until:
            d = until - t
            return {"position": {"x": x + v * d - side * d * d / 2}, "momentum": {"x": v - side * d}}
        t, x, v = t + root, 0.0, v - side * root


def main():
    program = sys.argv[1]
    print("| motion | asked for | chosen | steps | error at the end, relative beyond 1 | of the promise |\n|---|---|---|---|---|---|")
    for name, text, until in SYSTEMS:
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(text)
            file.flush()
            finest = None
            for accuracy in ("1e-10", "1e-7", "1e-4"):
                run, message, _ = actio(program, file.name, "--accuracy", accuracy, "--until", str(until))
                if run is None:
                    reason = message.split(": an error of")[-1].split("precision: ")[-1]
                    print(f"| {name} | {accuracy} | refused | | {reason} | |", flush=True)
                    continue
                if finest is None and "kink" in name:
                    finest = bounce(1.0, 0.3, until)
                if finest is None:
                    finest = truth_of(program, file.name, until, run, float(accuracy))
                if finest is None:
                    print(f"| {name} | {accuracy} | {run['method']} | {run['steps']} | no reference agrees | |", flush=True)
                    continue
                error = max(distance(run, finest, part) / max(1, *(abs(float(v)) for v in finest[part].values()))
                            for part in ("position", "momentum"))
                print(f"| {name} | {accuracy} | {run['method']} | {run['steps']} | {error:.1e} | {error / float(accuracy):.1g} |",
                      flush=True)


if __name__ == "__main__":
    main()
