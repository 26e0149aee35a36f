// The page about methods side by side.
import type { Cell, ComparisonData } from "./data";
import { type Child, h, note, section } from "./dom";
import { equationsSection, footer, parametersTable, redoSection, references } from "./model_section";
import { brief, duration, errorText, grouped } from "./number";
import { colours } from "./plot";
import { type Curve, dashes, type PlanePanel, planePanel } from "./plane_plot";

type Measure = "error" | "momentum_error" | "energy_error";
const measures: [Measure, string][] = [
  ["error", "error of positions"], ["momentum_error", "error of momenta"], ["energy_error", "relative energy error"],
];

export function comparisonPage(data: ComparisonData): Node[] {
  const parts: Child[] = [
    h("header", {},
      h("p", { class: "brand" }, "actio"),
      h("h1", {}, data.model.name),
      h("p", { class: "facts" }, [`${data.methods.length} methods compared`, `up to t = ${brief(data.until)}`,
        `measured against ${data.reference}`].map((fact) => h("span", {}, fact)))),
    plots(data),
    tableSection(data),
    methodsSection(data),
    equationsSection(data.model),
    section("data", "Data", parametersTable(data.model)),
    redoSection(data.command, data.model),
    footer(data.version),
  ];
  return parts.filter((part): part is HTMLElement => part instanceof HTMLElement);
}

function plots(data: ComparisonData): Child {
  let measure: Measure = "error";
  const measureName = () => measures.find(([m]) => m === measure)![1];
  const finished = data.methods.map((m) => m.cells.filter((c) => c.status === "done"));
  const curves = (x: (c: Cell) => number | null, y: (c: Cell) => number | null): Curve[] =>
    data.methods.map((m, i) => ({
      label: m.name, x: finished[i].map(x), y: finished[i].map(y), colour: i % colours, marker: i,
    }));
  const steps = [...new Set(data.methods.flatMap((m) => m.cells.map((c) => c.step_value)))].sort((a, b) => a - b);
  const height = (width: number) => Math.round(Math.min(440, Math.max(300, 0.75 * width)));
  const logarithmic = { x: true, y: true };
  const panels: PlanePanel[] = [
    planePanel(() => {
      const measured = curves((c) => c.step_value, (c) => c[measure]);
      return [...slopes(data, measured), ...measured];
    }, {
      name: "convergence", height, logarithmic, xTicks: thinnedTicks(steps),
      horizontal: () => "step", vertical: measureName,
    }),
    planePanel(() => curves((c) => c[measure], (c) => c.seconds), {
      name: "work", height, logarithmic, horizontal: measureName, vertical: () => "seconds",
    }),
  ];
  const select = h("label", {}, "Measure ", h("select", {
    change: (event) => {
      measure = (event.currentTarget as HTMLSelectElement).value as Measure;
      panels.forEach((panel) => panel.update());
    },
  }, measures.filter(([value]) => finished.flat().some((c) => c[value] !== null))
    .map(([value, name]) => h("option", { value }, name))));
  const titled = (title: string, panel: PlanePanel) => h("div", {}, h("h3", {}, title), panel.element);
  return section("convergence", "Convergence and cost", h("div", { class: "choice selects" }, select),
    h("div", { class: "halves" }, titled("Error against step", panels[0]), titled("Work against precision", panels[1])),
    note("Dashed lines fall with the declared order of their method. In the plot on work, lower and further left is better."));
}

// For every declared order one line of that slope, from the largest step of the first method that has it.
function slopes(data: ComparisonData, measured: Curve[]): Curve[] {
  const guides = new Map<number, Curve>();
  data.methods.forEach((method, i) => {
    const order = method.order;
    const points = measured[i].x.map((x, k) => [x, measured[i].y[k]] as const)
      .filter((p): p is readonly [number, number] => p[0] !== null && p[1] !== null && p[1] > 0)
      .sort((a, b) => b[0] - a[0]);
    if (!order || guides.has(order) || points.length < 2) return;
    const [step, error] = points[0];
    const last = points[points.length - 1][0];
    guides.set(order, {
      label: null, x: [step, last], y: [error, error * (last / step) ** order], colour: 0, guide: true, dash: dashes[3], beyond: true,
      note: `order ${order}`,
    });
  });
  return [...guides.values()];
}

// At most eight of the steps, the largest first.
function thinnedTicks(steps: number[]): number[] {
  const stride = Math.ceil(steps.length / 8);
  return steps.filter((_, i) => (steps.length - 1 - i) % stride === 0);
}

function tableSection(data: ComparisonData): Child {
  const columns = ["Method", "Step", "Error", "Order", "Energy error", "Iterations", "Time a step", "Time"];
  const cells = (c: Cell) => c.status === "done"
    ? [errorText(c.error), c.order === null ? "" : c.order.toFixed(2),
      c.energy_error === null && data.model.first_order ? "" : errorText(c.energy_error), c.mean_iterations.toFixed(2),
      c.steps > 0 ? duration(c.seconds / c.steps) : "", duration(c.seconds)].map((text) => h("td", { class: "number" }, text))
    : h("td", { colspan: 6, class: "quiet" }, c.status);
  return section("table", "Results", h("div", { class: "scroll" }, h("table", { class: "results" },
    h("thead", {}, h("tr", {}, columns.map((c, i) => h("th", { scope: "col", class: i > 0 ? "number" : "" }, c)))),
    data.methods.map((m) => h("tbody", {}, m.cells.map((c, i) => h("tr", {},
      h("th", { scope: "row" }, i === 0 && m.name), h("td", { class: "number", title: `${grouped(c.steps)} steps` }, c.step), cells(c))))))),
  note("Error: the largest distance of the positions from the reference. Order: from this step and the one before it, where rounding does not hide it."));
}

function methodsSection(data: ComparisonData): Child {
  return section("method", "Methods", h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["Method", "Order", "Symplectic", "Symmetric", "Conserves momenta", ""].map((c) => h("th", { scope: "col" }, c)))),
    h("tbody", {}, data.methods.map((m) => h("tr", {},
      h("th", { scope: "row" }, m.name), h("td", {}, m.order ?? ""),
      [m.symplectic, m.symmetric, m.conserves_momenta].map((holds) => h("td", {}, holds ? "yes" : "no")),
      h("td", { class: "quiet" }, m.summary)))))),
  references(uniqueWorks(data)));
}

function uniqueWorks(data: ComparisonData) {
  const works = new Map(data.methods.flatMap((m) => m.references ?? []).map((w) => [w.title, w]));
  return [...works.values()];
}
