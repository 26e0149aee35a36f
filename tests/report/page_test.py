"""Opens reports in headless Chromium as a reader would: the plots hold the data of the run, react to mouse and finger,
and no request leaves the page. Usage: page_test.py PROGRAM CHROMIUM"""
import base64
import csv
import os
import subprocess
import sys
import tempfile

from browser import Browser

program, chromium = sys.argv[1:3]
DRAWN = """[...document.querySelectorAll("[data-plot]")].every((figure) =>
    figure.closest("[hidden]") || window.__actio?.plots.has(figure.dataset.plot)) && window.__actio?.plots.size > 0"""


def plot(name, part=" .u-over"):
    return f'[data-plot="{name}"]{part}'


def actio(*words):
    subprocess.run([program, *words, "--quiet"], check=True, stdout=subprocess.DEVNULL)


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
    assert "no drift" in certificate and certificate.count("exact") == 2, certificate
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
    }
    for name, words in runs.items():
        actio("run", *words, "--report", f"{folder}/{name}.html")
        browser.open(f"file://{folder}/{name}.html", DRAWN)
        assert browser.evaluate("document.querySelectorAll('.temml-error, .tml-error').length") == 0, name
        if name == "forced":
            assert browser.evaluate("window.__actio.plots.has('energy-0')")
        if name == "explicit":
            assert browser.evaluate("document.querySelector('#solver')") is None
        if name == "planets":  # long equations are set when somebody asks for them
            browser.click("#equations summary")
            browser.wait_for("document.querySelectorAll('#equations details .equation').length === 18")


def compares_methods(browser, folder):
    actio("compare", "kepler", "--methods", "midpoint,simpson,rk4", "--step-sizes", "0.1,0.05,0.025", "--until", "3",
          "--report", f"{folder}/compare.html")
    browser.open(f"file://{folder}/compare.html", DRAWN)
    curves = browser.evaluate("window.__actio.plots.get('convergence').data.slice(1).map(([x]) => x.length)")
    assert curves == [2, 2, 3, 3, 3], curves  # two slopes, three methods
    assert browser.evaluate("document.querySelectorAll('#table tbody tr').length") == 9
    assert 0 < scale(browser, "work")[0] < 1


def is_readable_without_scripts(browser, folder):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(f"file://{folder}/top.html", "document.querySelector('noscript')?.textContent.includes('max relative error')")
    browser.call("Emulation.setScriptExecutionDisabled", value=False)


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    browser = Browser(chromium, f"{folder}/profile")
    try:
        for check in (holds_the_data, zooms_all_times_at_once, portraits_zoom_and_change, shows_logarithms_and_momenta,
                      fits_a_telephone_in_the_dark, can_be_printed, stays_small_and_opens, shows_every_kind_of_run,
                      compares_methods, is_readable_without_scripts):
            print("a report", check.__name__.replace("_", " "), flush=True)
            check(browser, folder)
            assert browser.complaints == [], browser.complaints
        strangers = [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))]
        assert strangers == [], strangers
    finally:
        browser.close()
