"""Opens reports in headless Chromium as a reader would: the plots hold the data of the run, react to mouse and finger,
and no request leaves the page. Usage: page_test.py PROGRAM TESTS CHROMIUM"""
import base64
import csv
import json
import os
import subprocess
import sys
import tempfile

from browser import Browser

program, tests, chromium = sys.argv[1:4]
DRAWN = """[...document.querySelectorAll("[data-plot]")].every((figure) =>
    figure.closest("[hidden]") || window.__actio?.plots.has(figure.dataset.plot)) && window.__actio?.plots.size > 0"""


def plot(name, part=" .u-over"):
    return f'[data-plot="{name}"]{part}'


def actio(*words):
    subprocess.run([program, *words, "--quiet"], check=True, stdout=subprocess.DEVNULL)


def has_many_digits():
    """Builds without MPFR refuse them."""
    return subprocess.run([program, "run", "pendulum", "--precision", "40", "--steps", "1", "--quiet"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def scale(browser, name, key="x"):
    return browser.evaluate(f"(({{min, max}}) => [min, max])(window.__actio.plots.get('{name}').scales.{key})")


def text_of(browser, selector):
    return browser.evaluate(f"document.querySelector('{selector}').textContent")


def holds_the_data(browser, folder):
    actio("run", "lagrange-top", "--report", f"{folder}/top.html", "--output", f"{folder}/top.csv")
    browser.open(f"file://{folder}/top.html", DRAWN)
    with open(f"{folder}/top.csv") as file:
        rows = list(csv.DictReader(file))
    times, theta = browser.evaluate("window.__actio.plots.get('coordinate-1').data.slice(0, 2).map((x) => Array.from(x))")
    assert times == [float(row["t"]) for row in rows]
    assert all(abs(drawn - float(row["theta"])) <= 1e-7 for drawn, row in zip(theta, rows, strict=True))
    plots = set(browser.evaluate("[...window.__actio.plots.keys()]"))
    assert plots == {"coordinate-0", "coordinate-1", "coordinate-2", "energy_error", "portrait", "iterations"}, plots
    blank = browser.evaluate("""[...window.__actio.plots].filter(([, {ctx}]) =>
        !ctx.getImageData(0, 0, ctx.canvas.width, ctx.canvas.height).data.some((byte) => byte !== 0)).map(([name]) => name)""")
    assert blank == [], f"nothing is drawn in {blank}"
    assert text_of(browser, "h1") == "Lagrange top"
    certificate = text_of(browser, "#certificate")
    assert "bounded" in certificate and certificate.count("exact") == 2, certificate
    assert "did not change by a single bit" in text_of(browser, "#conservation")
    assert browser.evaluate("document.querySelectorAll('#equations math').length") > 10
    assert text_of(browser, ".command code").startswith("actio run lagrange-top --report ")
    assert 'coordinates = ["phi", "theta", "psi"]' in text_of(browser, ".model-text")


def zooms_all_times_at_once(browser, folder):
    browser.open(f"file://{folder}/top.html", DRAWN)
    whole = scale(browser, "coordinate-1")
    browser.drag(plot("coordinate-1"), (0.25, 0.5), (0.5, 0.6))
    for name in ("coordinate-0", "coordinate-1", "energy_error", "iterations"):
        low, high = scale(browser, name)
        assert abs(low / whole[1] - 0.25) < 0.02 and abs(high / whole[1] - 0.5) < 0.02, (name, low, high)
    browser.point_at(plot("coordinate-1"), 0.5, 0.5)
    browser.wait_for(f"/t = \\d/.test(document.querySelector('{plot('energy_error', ' .time')}').textContent)")
    assert "= 0" in text_of(browser, plot("coordinate-1", " .key"))
    browser.click(plot("coordinate-1", " .tool"))
    assert scale(browser, "energy_error") == whole


def portraits_zoom_and_change(browser, folder):
    browser.open(f"file://{folder}/top.html", DRAWN)
    low, high = scale(browser, "portrait", "y")
    browser.drag(plot("portrait"), (0.2, 0.2), (0.6, 0.5))
    zoomed = scale(browser, "portrait", "y")
    assert zoomed[1] - zoomed[0] < 0.5 * (high - low)
    browser.click(plot("portrait", " .tool"))
    assert scale(browser, "portrait", "y") == [low, high]
    browser.evaluate("""(() => {
        const select = document.querySelector("#portrait select");
        select.value = [...select.options].find((option) => option.text === "psi").value;
        select.dispatchEvent(new Event("change"));
    })()""")
    assert browser.evaluate("window.__actio.plots.get('portrait').data[1][0].at(-1)") > 4000


def shows_logarithms_and_momenta(browser, folder):
    browser.open(f"file://{folder}/top.html", DRAWN)
    browser.click(plot("energy_error", " .tool"))
    assert browser.evaluate("window.__actio.plots.get('energy_error').scales.y.distr") == 3
    browser.click("#motion .choice button:last-child")
    browser.wait_for("window.__actio.plots.has('momentum-0')")


def fits_a_telephone_in_the_dark(browser, folder):
    browser.screen(390, 844, dark=True, telephone=True)
    browser.open(f"file://{folder}/top.html", DRAWN)
    assert browser.evaluate("document.documentElement.scrollWidth") == 390
    assert browser.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 24, 28)"
    browser.swipe(plot("coordinate-0"), (0.2, 0.5), (0.6, 0.5))
    browser.wait_for("window.__actio.plots.get('energy_error').scales.x.min > 1")
    browser.screen(1100, 900)


def can_be_printed(browser, folder):
    browser.screen(1100, 900, dark=True)
    browser.open(f"file://{folder}/top.html", DRAWN)
    assert len(base64.b64decode(browser.call("Page.printToPDF")["data"])) > 50_000
    assert not browser.evaluate("document.documentElement.classList.contains('printing')")
    browser.screen(1100, 900)


def doubts_have_no_check_mark(browser, folder):
    actio("run", "double-pendulum", "--until", "60", "--companion", "--report", f"{folder}/chaos.html")
    browser.open(f"file://{folder}/chaos.html", DRAWN)
    assert "This run is doubtful" in text_of(browser, ".banner"), text_of(browser, ".banner")
    marks = browser.evaluate("""[...document.querySelectorAll('#certificate .verdict.bad')].map((verdict) =>
        getComputedStyle(verdict, '::before').content)""")
    assert marks and all("✓" not in mark for mark in marks), marks


def stays_small_and_opens(browser, folder):
    actio("run", "henon-heiles", "--steps", "200000", "--report", f"{folder}/long.html")
    assert os.path.getsize(f"{folder}/long.html") < 2_000_000
    browser.open(f"file://{folder}/long.html", DRAWN)
    assert "the smallest and the largest value are drawn" in text_of(browser, "#motion .note")


def shows_every_kind_of_run(browser, folder):
    runs = {
        "forced": ["damped-driven-pendulum"],
        "planets": ["outer-solar-system", "--steps", "300"],
        "explicit": ["kepler", "--method", "rk4", "--steps", "500"],
        "digits": ["pendulum", "--precision", "40", "--steps", "40"],
        "equations": ["reduced-lagrange-top"],
    }
    if not has_many_digits():
        del runs["digits"]
    for name, words in runs.items():
        actio("run", *words, "--report", f"{folder}/{name}.html")
        browser.open(f"file://{folder}/{name}.html", DRAWN)
        assert browser.evaluate("document.querySelectorAll('.temml-error, .tml-error').length") == 0, name
        if name == "forced":
            assert browser.evaluate("window.__actio.plots.has('energy-0')")
        if name == "explicit":
            assert browser.evaluate("document.querySelector('#solver')") is None
        if name == "equations":  # no energy, no momenta, coordinates against one another
            plots = set(browser.evaluate("[...window.__actio.plots.keys()]"))
            assert plots >= {"coordinate-0", "observable-0", "portrait"}, plots
            assert not any(plot.startswith(("energy", "momentum", "conserved")) for plot in plots), plots
            assert "neither energy nor momenta" in text_of(browser, ".banner")
            assert "Lagrangian" not in text_of(browser, "#equations")
        if name == "planets":  # long equations are set when somebody asks for them
            browser.click("#equations summary")
            browser.wait_for("document.querySelectorAll('#equations details .equation').length === 18")


VIEW = "window.__actio.view"
PIXELS = "document.querySelector('.scene').toDataURL()"


def show_time(browser, fraction):
    browser.evaluate(f"""(() => {{
        const slider = document.querySelector(".when");
        slider.value = {1000 * fraction};
        slider.dispatchEvent(new Event("input"));
    }})()""")


def animations_show_the_run(browser, folder):
    browser.screen(1100, 900, calm=True)
    actio("run", "double-spherical-pendulum", "--report", f"{folder}/spherical.html", "--output", f"{folder}/spherical.csv")
    browser.open(f"file://{folder}/spherical.html", DRAWN)
    with open(f"{folder}/spherical.csv") as file:
        rows = list(csv.DictReader(file))
    for fraction in (0, 0.25, 0.7, 1):
        show_time(browser, fraction)
        row = rows[round(fraction * (len(rows) - 1))]
        shown = browser.evaluate(f"{VIEW}.positions()")
        assert shown["pivot"] == [0, 0, 0], shown
        for k, name in enumerate("xyz"):  # to the digits that a picture needs
            assert abs(shown["lower"][k] - float(row[f"{name}2"])) < 1e-3, (fraction, shown, row)
    # Between two frames the motion goes on smoothly.
    step = 1 / (len(rows) - 1)
    show_time(browser, 0.3 + step / 2)
    row, following = rows[round(0.3 / step)], rows[round(0.3 / step) + 1]
    x = browser.evaluate(f"{VIEW}.positions().lower[0]")
    assert abs(x - (float(row["x2"]) + float(following["x2"])) / 2) < 5e-3
    assert {"multiplier-0", "violation-0"} <= set(browser.evaluate("[...window.__actio.plots.keys()]"))


def animations_play_and_pause(browser, folder):
    browser.screen(1100, 900)
    browser.open(f"file://{folder}/spherical.html", DRAWN)
    browser.evaluate("document.querySelector('#view').scrollIntoView({behavior: 'instant'})")
    browser.wait_for(f"{VIEW}.isPlaying() && {VIEW}.time() > 0.05")  # by itself, once it is in sight
    before, drawn = browser.evaluate(f"[{VIEW}.time(), {VIEW}.places().lower]"), browser.evaluate(PIXELS)
    browser.wait_for(f"{VIEW}.time() > {before[0] + 0.2}")
    after = browser.evaluate(f"{VIEW}.places().lower")
    assert abs(after["x"] - before[1]["x"]) + abs(after["y"] - before[1]["y"]) > 2, (before, after)
    assert browser.evaluate(PIXELS) != drawn
    browser.click(".play")
    stopped = browser.evaluate(f"{VIEW}.time()")
    still = browser.evaluate(PIXELS)
    browser.evaluate("window.__waited = 0; (function wait() { if (++window.__waited < 10) requestAnimationFrame(wait); })()")
    browser.wait_for("window.__waited === 10")
    assert browser.evaluate(f"{VIEW}.time()") == stopped and browser.evaluate(PIXELS) == still
    assert text_of(browser, ".play").endswith("Play")


def animations_wait_for_people_who_want_calm(browser, folder):
    browser.screen(1100, 900, calm=True)
    browser.open(f"file://{folder}/spherical.html", DRAWN)
    browser.evaluate("document.querySelector('#view').scrollIntoView({behavior: 'instant'})")
    browser.evaluate("window.__waited = 0; (function wait() { if (++window.__waited < 20) requestAnimationFrame(wait); })()")
    browser.wait_for("window.__waited === 20")
    assert browser.evaluate(f"{VIEW}.time()") == 0 and not browser.evaluate(f"{VIEW}.isPlaying()")
    browser.click(".play")
    browser.wait_for(f"{VIEW}.time() > 0.1")
    browser.click(".play")


def animations_turn_and_zoom(browser, folder):
    browser.screen(1100, 900, calm=True)
    browser.open(f"file://{folder}/spherical.html", DRAWN)
    show_time(browser, 0.3)
    places = lambda: browser.evaluate(f"(({{lower, pivot}}) => [lower.x, lower.y, pivot.x, pivot.y])({VIEW}.places())")
    apart = lambda p: ((p[0] - p[2]) ** 2 + (p[1] - p[3]) ** 2) ** 0.5
    first, positions = places(), browser.evaluate(f"{VIEW}.positions()")
    browser.drag(".scene", (0.4, 0.5), (0.6, 0.5))
    assert abs(places()[0] - first[0]) > 5
    browser.press("ArrowUp")
    turned = places()
    browser.press("+")
    assert abs(apart(places()) / apart(turned) - 1.15) < 0.01
    assert browser.evaluate(f"{VIEW}.positions()") == positions  # the motion is what it was
    browser.click("#scene .tools .tool:last-child")
    assert max(abs(a - b) for a, b in zip(places(), first)) < 1e-6
    label = browser.evaluate("document.querySelector('.scene').getAttribute('aria-label')")
    assert "pivot, upper, lower" in label and "space plays" in label, label


def animations_of_plane_systems_are_seen_face_on(browser, folder):
    browser.screen(390, 844, dark=True, telephone=True, calm=True)
    actio("run", "four-bar-linkage", "--report", f"{folder}/linkage.html")
    browser.open(f"file://{folder}/linkage.html", DRAWN)
    assert browser.evaluate("document.documentElement.scrollWidth") == 390
    show_time(browser, 0.4)
    positions, places = browser.evaluate(f"{VIEW}.positions()"), browser.evaluate(f"{VIEW}.places()")
    a, b = "crank_pivot", "rocker_pivot"
    scale = (places[b]["x"] - places[a]["x"]) / (positions[b][0] - positions[a][0])
    for name in positions:
        assert abs(places[name]["x"] - places[a]["x"] - scale * positions[name][0]) < 1e-6
        assert abs(places[a]["y"] - places[name]["y"] - scale * positions[name][1]) < 1e-6
        assert 0 < places[name]["x"] < 390 and 0 < places[name]["y"]
    browser.swipe(".scene", (0.3, 0.5), (0.6, 0.5))  # a finger moves the picture
    browser.wait_for(f"{VIEW}.places()['{a}'].x > {places[a]['x'] + 20}")
    browser.screen(1100, 900)


def animations_of_long_runs_begin_smoothly(browser, folder):
    browser.screen(1100, 900, calm=True)
    actio("run", "lagrange-top", "--steps", "100000", "--report", f"{folder}/long_top.html")
    assert os.path.getsize(f"{folder}/long_top.html") < 2_000_000
    browser.open(f"file://{folder}/long_top.html", DRAWN)
    clips = browser.evaluate("window.__actio.data.view.clips.map((clip) => [clip.stride, clip.times.at(-1), clip.times.length])")
    assert len(clips) == 2 and clips[0][0] < clips[1][0] and clips[0][1] < clips[1][1] and clips[0][2] > 500, clips
    browser.click("#view .choice button:last-child")
    show_time(browser, 1)
    assert abs(browser.evaluate(f"{VIEW}.time()") - clips[1][1]) < 1e-6
    browser.screen(1100, 900)


def compares_methods(browser, folder):
    actio("compare", "kepler", "--methods", "midpoint,simpson,rk4", "--step-sizes", "0.1,0.05,0.025", "--until", "3",
          "--report", f"{folder}/compare.html")
    browser.open(f"file://{folder}/compare.html", DRAWN)
    curves = browser.evaluate("window.__actio.plots.get('convergence').data.slice(1).map(([x]) => x.length)")
    assert curves == [2, 2, 3, 3, 3], curves  # two slopes, three methods
    assert browser.evaluate("document.querySelectorAll('#table tbody tr').length") == 9
    assert 0 < scale(browser, "work")[0] < 1


def shows_papers(browser, folder):
    subprocess.run([tests, "--gtest_filter=sample_paper.is_written"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "ACTIO_SAMPLE_FOLDER": folder})
    browser.open(f"file://{folder}/doe2020.html", DRAWN)
    signs = browser.evaluate("[...document.querySelectorAll('#table-1 tbody .verdict')].map((v) => v.dataset.sign).join('')")
    assert signs == "✓✓✓✓!✓✓✓≈✗✓✓∅✓✓✓!–", signs
    assert text_of(browser, "#table-1 tbody .fair + .fair") == "3.08·10⁻⁴misprinta"
    notes = browser.evaluate("[...document.querySelectorAll('#table-1 .notes li')].map((note) => note.textContent)")
    assert len(notes) == 3 and notes[0].startswith("a misprint. The exponent: with 3.08·10⁻⁴ "), notes  # equal notes stand once
    assert text_of(browser, ".counts").startswith("agrees 13misprint 2"), text_of(browser, ".counts")
    assert browser.evaluate("document.querySelectorAll('#claims tbody tr').length") == 2
    assert text_of(browser, ".command code") == "actio reproduce doe2020 --output doe2020"
    plots = browser.evaluate("[...window.__actio.plots.keys()].sort()")
    assert plots == [f"figure-{f}-{p}" for f, n in enumerate((1, 4, 2, 3, 2), 1) for p in range(n)], plots
    assert all(browser.evaluate(f"document.getElementById('figure-{f}') !== null") for f in range(1, 6))


def draws_figures_with_the_axes_they_ask_for(browser, folder):
    browser.open(f"file://{folder}/doe2020.html", DRAWN)
    kinds = browser.evaluate("""['figure-1-0', 'figure-3-0', 'figure-3-1'].map((name) =>
        ['x', 'y'].map((key) => window.__actio.plots.get(name).scales[key].distr))""")
    assert kinds == [[3, 3], [1, 3], [1, 1]], kinds
    assert scale(browser, "figure-2-0") == [0, 20]  # motions fill the width
    x, y = (high - low for low, high in (scale(browser, "figure-5-0", key) for key in "xy"))
    width, height = browser.evaluate("(({width, height}) => [width, height])(window.__actio.plots.get('figure-5-0').bbox)")
    assert abs(x / width - y / height) < 1e-3 * y / height and x > 2 and y > 2, (x, y, width, height)
    low, high = scale(browser, "figure-3-1", "y")
    assert 1e-9 < high - low < 2e-9, (low, high)  # an energy whose ninth digit moves


def figures_zoom_read_and_hide(browser, folder):
    browser.open(f"file://{folder}/doe2020.html", DRAWN)
    whole = scale(browser, "figure-1-0", "y")
    browser.drag(plot("figure-1-0"), (0.5, 0.2), (0.9, 0.6))
    low, high = scale(browser, "figure-1-0", "y")
    assert whole[0] < low < high < whole[1]
    browser.point_at(plot("figure-1-0"), 0.5, 0.5)
    browser.wait_for(f"/^order \\d: \\(/.test(document.querySelector('{plot('figure-1-0', ' .reading')}').textContent)")
    browser.click(plot("figure-1-0", " .tool"))
    assert scale(browser, "figure-1-0", "y") == whole
    third = plot("figure-1-0", " .key:nth-child(3)")
    assert text_of(browser, third) == "order 6"
    browser.click(plot("figure-1-0", " .key:nth-child(3)"))  # without the best method fewer decades are left
    browser.click(plot("figure-1-0", " .key:nth-child(2)"))
    assert browser.evaluate(f"document.querySelector('{third}').getAttribute('aria-pressed')") == "false"
    assert scale(browser, "figure-1-0", "y")[0] > 1e3 * whole[0]
    browser.click(plot("figure-1-0", " .key:nth-child(3)"))
    assert scale(browser, "figure-1-0", "y") == whole


def papers_fit_a_telephone_and_paper(browser, folder):
    browser.screen(390, 844, dark=True, telephone=True)
    browser.open(f"file://{folder}/doe2020.html", DRAWN)
    assert browser.evaluate("document.documentElement.scrollWidth") == 390
    browser.screen(1100, 900)
    browser.open(f"file://{folder}/doe2020.html", DRAWN)
    assert len(base64.b64decode(browser.call("Page.printToPDF")["data"])) > 50_000


def shows_what_reproduce_found(browser, folder):
    actio("reproduce", "dubois2023", "--quick", "--output", folder)
    browser.open(f"file://{folder}/dubois2023.html", "window.__actio?.data.kind === 'paper'")
    with open(f"{folder}/dubois2023.json") as file:
        report = json.load(file)
    shown = browser.evaluate("[...document.querySelectorAll('.counts li')].map((count) => count.textContent)")
    assert shown == [f"{verdict} {count}" for verdict, count in report["verdicts"].items()], shown
    assert text_of(browser, "h1") == report["title"]
    assert browser.evaluate("document.querySelectorAll('section[id]').length") >= len(report["tables"]) + len(report["figures"])


def figures_have_axes_and_steady_colours(browser, folder):
    actio("reproduce", "rojas2024", "--quick", "--output", folder)
    browser.open(f"file://{folder}/rojas2024.html", DRAWN)
    # Changes of 1e-18, where uPlot alone has no ticks.
    ticks = browser.evaluate("window.__actio.plots.get('figure-6-0').axes[1]._splits")
    assert len(ticks) >= 3 and 0 < ticks[1] - ticks[0] < 1e-17, ticks
    colours = browser.evaluate("""[...document.querySelectorAll(".key")].filter((key) => key.textContent === "Simpson")
        .map((key) => key.style.getPropertyValue("--key"))""")
    assert len(colours) > 5 and len(set(colours)) == 1, colours
    browser.screen(1200, 900)
    assert browser.evaluate("[...document.querySelectorAll('.scroll')].every((box) => box.scrollWidth <= box.clientWidth)")


def shows_constraints(browser, folder):
    actio("run", "triple-pendulum", "--until", "1", "--report", f"{folder}/rods.html")
    browser.open(f"file://{folder}/rods.html", DRAWN)
    plots = set(browser.evaluate("[...window.__actio.plots.keys()]"))
    assert {"multiplier-0", "violation-0"} <= plots, plots
    certificate = text_of(browser, "#certificate")
    assert "rod1, rod2, rod3" in certificate and "hidden constraints" in certificate, certificate
    assert browser.evaluate("document.querySelectorAll('#equations .equations').length") == 2
    worst = browser.evaluate("Math.max(...window.__actio.plots.get('violation-0').data.slice(1).flatMap((x) => Array.from(x)))")
    assert 0 < worst < 1e-13, worst


# A picture has a byte a point: 1 for the smallest value of the field, 250 for the largest.
def shows_fields(browser, folder):
    actio("run", "sine-gordon", "--report", f"{folder}/kink.html", "--output", f"{folder}/kink.csv")
    browser.open(f"file://{folder}/kink.html", "window.__actio?.plots.field?.pixels()")
    with open(f"{folder}/kink.csv") as file:
        rows = [[float(row[f"u[{i}]"]) for i in range(1, 201)] for row in csv.DictReader(file)]
    width, height, values = browser.evaluate("(({width, height, values}) => [width, height, Array.from(values)])"
                                             "(window.__actio.plots.field.pixels())")
    assert width == 200 and height > 200, (width, height)
    stride = 1
    while len(range(0, len(rows), stride)) > 400:
        stride *= 2
    rows = rows[::stride]
    assert height == len(rows), (height, len(rows))
    low, high = min(map(min, rows)), max(map(max, rows))
    for k, row in enumerate(reversed(rows)):  # from the top
        for i, u in enumerate(row):
            drawn = 1 + 249 * (u - low) / (high - low)
            assert abs(values[k * width + i] - drawn) < 0.51, (k, i, u)
    assert "12 of 200 coordinates" in text_of(browser, "#data")

    actio("run", "phi-four-field", "--until", "5", "--report", f"{folder}/walls.html")
    browser.open(f"file://{folder}/walls.html", "window.__actio?.plots.field?.pixels()")
    shape = "(({width, height, values}) => [width, height, values.length])(window.__actio.plots.field.pixels())"
    assert browser.evaluate(shape) == [20, 20, 400]
    first = browser.evaluate("Array.from(window.__actio.plots.field.pixels().values)")
    browser.evaluate("""(() => { const slider = document.querySelector('#field .when'); slider.value = slider.max;
        slider.dispatchEvent(new Event('input')); })()""")
    assert browser.evaluate("Array.from(window.__actio.plots.field.pixels().values)") != first
    assert text_of(browser, "#field .time") != "t = 0"


def is_readable_without_scripts(browser, folder):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(f"file://{folder}/top.html", "document.querySelector('noscript')?.textContent.includes('max relative error')")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    browser = Browser(chromium, f"{folder}/profile")
    try:
        for check in (holds_the_data, zooms_all_times_at_once, portraits_zoom_and_change, shows_logarithms_and_momenta,
                      fits_a_telephone_in_the_dark, can_be_printed, doubts_have_no_check_mark, stays_small_and_opens, shows_every_kind_of_run,
                      shows_constraints, shows_fields, animations_show_the_run, animations_play_and_pause, animations_wait_for_people_who_want_calm,
                      animations_turn_and_zoom, animations_of_plane_systems_are_seen_face_on,
                      animations_of_long_runs_begin_smoothly,
                      compares_methods, shows_papers, draws_figures_with_the_axes_they_ask_for, figures_zoom_read_and_hide,
                      papers_fit_a_telephone_and_paper, shows_what_reproduce_found,
                      figures_have_axes_and_steady_colours, is_readable_without_scripts):
            print("a report", check.__name__.replace("_", " "), flush=True)
            check(browser, folder)
            assert browser.complaints == [], browser.complaints
        strangers = [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))]
        assert strangers == [], strangers
    finally:
        browser.close()
