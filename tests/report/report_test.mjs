// Opens reports in a browser as a reader would: they draw the data, react to the mouse, and never ask the network.
// Usage: node report_test.mjs PROGRAM BROWSER WEB_FOLDER
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const [program, executablePath, web] = process.argv.slice(2);
const { chromium } = createRequire(join(web, "package.json"))("playwright-core");
const patience = 240_000;  // machines that run tests are busy
const folder = mkdtempSync(join(tmpdir(), "actio-report-"));
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"], timeout: patience });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

function report(name, ...words) {
  const path = join(folder, name);
  execFileSync(program, [...words, "--report", path, "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
  return path;
}

// A page with its plots drawn; `finish` closes it and fails the test for errors and for requests that leave the machine.
async function opened(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || complaints.push(`request for ${request.url()}`));
  await page.goto(pathToFileURL(path).href, { timeout: patience });
  await page.waitForFunction(() => window.__actio?.plots.size > 0);
  await page.waitForFunction(() => [...document.querySelectorAll("[data-plot]")]
    .every((figure) => figure.closest("[hidden]") || window.__actio.plots.has(figure.dataset.plot)));
  return { page, finish: async () => { await context.close(); assert.deepEqual(complaints, []); } };
}

async function drag(page, plot, from, to) {
  const over = page.locator(`[data-plot="${plot}"] .u-over`);
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 6 });
  await page.mouse.up();
}

const scale = (page, plot, key = "x") => page.evaluate(([name, k]) => {
  const { min, max } = window.__actio.plots.get(name).scales[k];
  return [min, max];
}, [plot, key]);

let top;
test("the page of a run holds its data", async () => {
  top = report("top.html", "run", "lagrange-top");
  const { page, finish } = await opened(top);
  assert.equal(await page.locator("h1").textContent(), "Lagrange top");
  const drawn = await page.evaluate(() => [...window.__actio.plots].map(([name, plot]) =>
    [name, plot.mode === 2 ? plot.data[1][0].length : plot.data[0].length]));
  assert.deepEqual(Object.fromEntries(drawn),
    { "coordinate-0": 1001, "coordinate-1": 1001, "coordinate-2": 1001, energy_error: 1001, portrait: 1001, iterations: 1001 });
  const same = await page.evaluate(() => {
    const { data, plots } = window.__actio;
    const error = data.series.columns.find((c) => c.quantity === "energy_error").values;
    return plots.get("energy_error").data[1].every((v, i) => v === error[i]);
  });
  assert.ok(same);
  assert.match(await page.locator("#certificate").textContent(), /no drift.*exact.*exact/s);
  assert.match(await page.locator("#conservation").textContent(), /did not change by a single bit in 1.000 steps/);
  assert.equal(await page.locator("#equations .equations").first().locator(".equation").count(), 3);
  assert.ok(await page.locator("#equations math").count() > 10);
  assert.match(await page.locator(".command code").textContent(), /^actio run lagrange-top --report /);
  assert.match(await page.locator(".model-text").textContent(), /coordinates = \["phi", "theta", "psi"\]/);
  await finish();
});

test("something is drawn in every plot", async () => {
  const { page, finish } = await opened(top);
  const blank = await page.evaluate(() => [...window.__actio.plots].filter(([, plot]) => {
    const { width, height } = plot.ctx.canvas;
    return !plot.ctx.getImageData(0, 0, width, height).data.some((byte) => byte !== 0);
  }).map(([name]) => name));
  assert.deepEqual(blank, []);
  await finish();
});

test("dragging zooms all times, the cursor reads values, reset shows everything", async () => {
  const { page, finish } = await opened(top);
  const whole = await scale(page, "coordinate-1");
  await drag(page, "coordinate-1", [0.25, 0.5], [0.5, 0.6]);
  for (const plot of ["coordinate-0", "coordinate-1", "energy_error", "iterations"]) {
    const [min, max] = await scale(page, plot);
    assert.ok(Math.abs(min / whole[1] - 0.25) < 0.02 && Math.abs(max / whole[1] - 0.5) < 0.02, `${plot}: ${min} ${max}`);
  }
  const over = await page.locator('[data-plot="coordinate-1"] .u-over').boundingBox();
  await page.mouse.move(over.x + over.width / 2, over.y + over.height / 2, { steps: 3 });
  await page.waitForFunction(() => /t = \d/.test(document.querySelector('[data-plot="energy_error"] .time').textContent));
  assert.match(await page.locator('[data-plot="coordinate-1"] .key').textContent(), /= \d/);
  await page.locator('[data-plot="coordinate-1"] .tool:has-text("Reset zoom")').click();
  assert.deepEqual(await scale(page, "energy_error"), whole);
  await finish();
});

test("portraits zoom both ways and can show other coordinates", async () => {
  const { page, finish } = await opened(top);
  const whole = await scale(page, "portrait", "y");
  await drag(page, "portrait", [0.2, 0.2], [0.6, 0.5]);
  const zoomed = await scale(page, "portrait", "y");
  assert.ok(zoomed[1] - zoomed[0] < 0.5 * (whole[1] - whole[0]));
  await page.locator('[data-plot="portrait"] .u-over').dblclick();
  assert.deepEqual(await scale(page, "portrait", "y"), whole);
  await page.locator("#portrait select").first().selectOption({ label: "psi" });
  const psi = await page.evaluate(() => window.__actio.plots.get("portrait").data[1][0].at(-1));
  assert.ok(psi > 4000);
  await finish();
});

test("errors can be drawn as logarithms, momenta instead of coordinates", async () => {
  const { page, finish } = await opened(top);
  await page.locator('[data-plot="energy_error"] .tool:has-text("Logarithm")').click();
  assert.equal(await page.evaluate(() => window.__actio.plots.get("energy_error").scales.y.distr), 3);
  await page.locator('#motion .choice button:has-text("Momenta")').click();
  await page.waitForFunction(() => window.__actio.plots.has("momentum-0"));
  await finish();
});

test("a telephone in the dark: nothing is wider than the screen, a finger zooms", async () => {
  const { page, finish } = await opened(top, {
    viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, colorScheme: "dark",
  });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(20, 24, 28)");
  const over = page.locator('[data-plot="coordinate-0"] .u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const touch = await page.context().newCDPSession(page);
  const point = (x) => [{ x: box.x + x * box.width, y: box.y + box.height / 2 }];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: point(0.2) });
  for (const x of [0.3, 0.4, 0.5, 0.6]) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: point(x) });
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await page.waitForFunction(() => window.__actio.plots.get("energy_error").scales.x.min > 1);
  await finish();
});

test("paper is white and gets the plots", async () => {
  const { page, finish } = await opened(top, { colorScheme: "dark" });
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 50_000);
  assert.equal(await page.evaluate(() => document.documentElement.classList.contains("printing")), false);
  await finish();
});

test("a million numbers make a small page that opens", async () => {
  const path = report("long.html", "run", "henon-heiles", "--steps", "200000");
  assert.ok(statSync(path).size < 2_000_000);
  const { page, finish } = await opened(path);
  assert.match(await page.locator("#motion .note").textContent(), /Of every \d+ steps the smallest and the largest/);
  await finish();
});

test("forces, many coordinates, symmetries and explicit methods have their pages too", async () => {
  for (const [name, ...words] of [
    ["forced", "run", "damped-driven-pendulum"],
    ["planets", "run", "outer-solar-system", "--steps", "300"],
    ["explicit", "run", "kepler", "--method", "rk4", "--steps", "500"],
    ["digits", "run", "pendulum", "--precision", "40", "--steps", "40"],
  ]) {
    const { page, finish } = await opened(report(`${name}.html`, ...words));
    assert.equal(await page.locator(".mathematics [class*=error], .temml-error").count(), 0, name);
    if (name === "explicit") assert.equal(await page.locator("#solver").count(), 0);
    if (name === "forced") assert.ok(await page.evaluate(() => window.__actio.plots.has("energy-0")));
    if (name === "planets") {
      await page.locator("#equations summary").click();
      await page.waitForFunction(() => document.querySelectorAll("#equations details .equation").length === 18);
    }
    await finish();
  }
});

test("the page of a comparison draws convergence and cost", async () => {
  const path = report("comparison.html", "compare", "kepler", "--methods", "midpoint,simpson,rk4", "--step-sizes", "0.1,0.05,0.025", "--until", "3");
  const { page, finish } = await opened(path);
  const curves = await page.evaluate(() => window.__actio.plots.get("convergence").data.slice(1).map(([x]) => x.length));
  assert.deepEqual(curves, [2, 2, 3, 3, 3]);  // two slopes, three methods
  assert.equal(await page.locator("#table tbody tr").count(), 9);
  await page.locator("#convergence select").selectOption("energy_error");
  const [low] = await scale(page, "work");
  assert.ok(low > 0 && low < 1);
  await finish();
});

test("without scripts the certificate can still be read", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(top).href, { timeout: patience });
  assert.match(await page.locator("pre").first().textContent(), /max relative error/);
  await context.close();
});

test("the committed page is the one that the source gives", () => {
  execFileSync("npx", ["vite", "build", "--outDir", join(folder, "dist"), "--logLevel", "warn"], { cwd: web });
  assert.ok(readFileSync(join(folder, "dist/report.html")).equals(readFileSync(join(web, "dist/report.html"))), "run `make web`");
});
