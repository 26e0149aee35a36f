"""Opens reports in headless Chromium: the plots hold the data of the run, and no request leaves the page."""
import csv
import subprocess
import sys
import tempfile

from browser import Browser

program, chromium = sys.argv[1:3]

with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    browser = Browser(chromium, f"{folder}/profile")
    try:
        run = [program, "run", "lagrange-top", "--report", f"{folder}/run.html", "--output", f"{folder}/run.csv"]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        browser.open(f"file://{folder}/run.html", "window.__actio?.plots.size >= 6")
        times, angle = browser.evaluate("window.__actio.plots.get('coordinate-1').data.slice(0, 2).map((x) => Array.from(x))")
        with open(f"{folder}/run.csv") as file:
            rows = list(csv.DictReader(file))
        theta = [float(row["theta"]) for row in rows]
        drawn = [value for value in angle if value is not None]
        for extreme in (min, max):  # numbers are drawn with six digits
            assert abs(extreme(drawn) - extreme(theta)) <= 1e-5 * max(theta), "the plot lost an extreme"
        assert times[0] == 0 and abs(times[-1] - float(rows[-1]["t"])) < 0.1
        plots = set(browser.evaluate("[...window.__actio.plots.keys()]"))
        assert {"energy_error", "portrait", "iterations"} <= plots, plots
        assert browser.evaluate("document.querySelectorAll('math').length") > 10
        text = browser.evaluate("document.body.innerText")
        assert "no drift" in text and "--report" in text

        words = ["compare", "kepler", "--methods", "simpson,midpoint", "--step-sizes", "0.1,0.05", "--until", "3"]
        subprocess.run([program, *words, "--report", f"{folder}/compare.html"], check=True, stdout=subprocess.DEVNULL)
        browser.open(f"file://{folder}/compare.html", "document.querySelectorAll('canvas').length >= 2")
        strangers = [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))]
        assert strangers == [], strangers
    finally:
        browser.close()
print("reports open, hold their data and ask for nothing from elsewhere")
