// The page about one run.
import type { Column, Conservation, Quantity, RunData } from "./data";
import { type Child, h, note, section } from "./dom";
import { fieldSection } from "./map_section";
import { named } from "./mathematics";
import {
  equationsSection, finalTable, footer, initialTable, methodSection, parametersTable, redoSection,
} from "./model_section";
import { brief, duration, grouped, plural, pretty } from "./number";
import { colours } from "./plot";
import { type Curve, planePanel } from "./plane_plot";
import { viewSection } from "./view_section";
import { type Line, shareAxes, TimeAxis, timePanel, timePanels } from "./time_plot";

export function runPage(data: RunData): Node[] {
  const parts: Child[] = [
    header(data),
    certificateSection(data),
    data.view && viewSection(data.view, data.model.name),
    data.fields && fieldSection(data.fields),
    ...(data.series ? plotSections(data, data.series) : []),
    equationsSection(data.model),
    data.state && section("data", "Data", h("div", { class: "columns" },
      parametersTable(data.model), initialTable(data.model, data.state),
      finalTable(data.model, data.state, data.run.time),
      data.state.first.length < data.model.size &&
        note(`${grouped(data.state.first.length)} of ${grouped(data.model.size)} coordinates; --columns chooses others.`))),
    methodSection(data.method),
    redoSection(data.command, data.model),
    footer(data.version),
  ];
  const shown = parts.filter((part): part is HTMLElement => part instanceof HTMLElement);
  const links = shown.filter((part) => part.id && part.id !== "certificate")
    .map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2")!.textContent));
  shown[0].appendChild(h("nav", { "aria-label": "Sections" }, links));
  return shown;
}

function header(data: RunData): Child {
  const { run, method } = data;
  const precision = /^\d/.test(run.precision) ? `${run.precision} digits` : `${run.precision} precision`;
  const facts = [
    [method.name, method.order !== undefined ? `, order ${method.order}` : ""].join(""),
    `step ${pretty(run.step)}`,
    `${plural(run.steps, "step")} to t = ${pretty(run.time)}`,
    precision,
  ];
  return h("header", {},
    h("p", { class: "brand" }, "actio"),
    h("h1", {}, data.model.name),
    h("p", { class: "facts" }, facts.map((fact) => h("span", {}, fact))),
    banner(data));
}

type Grade = "good" | "fair" | "bad";

// The verdict in one sentence.
function banner({ run, energy, momenta, trust }: RunData): Child {
  if (run.status === "failed") {
    return h("p", { class: "banner bad" }, h("strong", {}, "The run failed: "), run.reason, run.suggestion && "; ", run.suggestion);
  }
  const interrupted = run.status === "interrupted" && h("strong", {}, "Interrupted. ");
  if (trust.length > 0) {
    return h("p", { class: "banner bad" }, interrupted, h("strong", {}, "This run is doubtful: "), trust.join("; "), ".");
  }
  if (!energy) {
    return h("p", { class: `banner ${interrupted ? "fair" : ""}` }, interrupted || "The run is complete. ",
      "Equations without a Lagrangian have neither energy nor momenta to certify.");
  }
  const varying = momenta.filter((m) => m.verdict === "drifts");
  const grade: Grade = energy.drift.grows || varying.length > 0 || interrupted ? "fair" : "good";
  const subject = energy.supplied ? "The energy ledger closes" : "Energy is kept";
  const growth = { "to rounding": ": nothing but rounding", bounded: ", and its error stays bounded", drifts: ", but its error grows",
    "too short to say": "; the run is too short to say whether its error grows" }[energy.verdict];
  const kept = momenta.length - varying.length;
  const exact = momenta.every((m) => m.verdict === "exact");
  return h("p", { class: `banner ${grade}` }, interrupted,
    `${subject} to ${pretty(energy.max_relative_error)}${growth}`,
    kept > 0 && `; ${kept === 1 ? "one momentum is" : `${kept} momenta are`} conserved${exact ? " to the last bit" : ""}`,
    varying.length > 0 && `; ${varying.length === 1 ? "one momentum drifts" : `${varying.length} momenta drift`}`, ".");
}

function verdict(grade: Grade, text: string): HTMLElement {
  return h("td", {}, h("span", { class: `verdict ${grade}` }, text));
}

function certificateSection(data: RunData): Child {
  const { energy, run } = data;
  const row = (name: Child, value: Child, error: Child, judged: HTMLElement | null) => h("tr", {},
    h("th", { scope: "row" }, name), h("td", { class: "number" }, value), h("td", { class: "number error" }, error),
    judged ?? h("td", {}));
  const grades: Record<"exact" | Conservation, Grade> =
    { exact: "good", "to rounding": "good", bounded: "good", drifts: "fair", "too short to say": "fair" };
  const judged = (of: "exact" | Conservation) => verdict(grades[of], of);
  const drift = !energy ? null : energy.drift.grows
    ? verdict("fair", `drifts by ${brief(energy.drift.per_time, 2)} per unit of time`) : judged(energy.verdict);
  return section("certificate", "Certificate",
    h("div", { class: "scroll" }, h("table", { class: "certificate" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Quantity"), h("th", { class: "number", scope: "col" }, "Value"),
        h("th", { class: "number", scope: "col" }, "Largest error"), h("th", { scope: "col" }, "Verdict"))),
      h("tbody", {},
        !energy ? null : energy.supplied
          ? [row("energy", [pretty(energy.initial), " → ", pretty(energy.final)], "", null),
            row("work done on the system", pretty(energy.work), "", null),
            row("energy gained minus work", "", [pretty(energy.max_relative_error), h("small", {}, " relative")], drift)]
          : row("energy", pretty(energy.initial), [pretty(energy.max_relative_error), h("small", {}, " relative")], drift),
        data.shadow && row("shadow energy", [pretty(data.shadow.initial), h("small", {}, ` order ${data.shadow.order}`)],
          pretty(data.shadow.max_error), judged(data.shadow.verdict)),
        data.form && row("quadratic form φ", pretty(data.form.initial), pretty(data.form.max_error), judged(data.form.verdict)),
        data.momenta.map((m) => row(named(m.name, m.symbol), pretty(m.initial), pretty(m.max_error), judged(m.verdict))),
        ...constraintRows(data, row),
        data.observables.map((o) => row(named(o.name, o.symbol), [pretty(o.initial), " → ", pretty(o.final)], "",
          o.not_finite > 0 ? verdict("bad", `without a value at ${plural(o.not_finite, "point")}`)
            : h("td", { class: "quiet" }, `between ${pretty(o.smallest)} and ${pretty(o.largest)}`))),
        data.motion && row("positions and momenta", `by ${data.motion.by}`,
          [pretty(data.motion.position_error), " and ", pretty(data.motion.momentum_error)],
          data.motion.exceeds_after ? verdict("bad", `lost after t = ${pretty(data.motion.exceeds_after)}`) : verdict("good", "measured"))))),
    h("dl", { class: "costs" },
      run.max_iterations > 0 && [h("dt", {}, "Solver"), h("dd", {}, `${brief(run.mean_iterations, 3)} iterations a step, at most ${run.max_iterations}`)],
      h("dt", {}, "Stepping"), h("dd", {}, duration(run.seconds)),
      h("dt", {}, "Setting up"), h("dd", {}, duration(run.setup_seconds))));
}

type Row = (name: Child, value: Child, error: Child, judged: HTMLElement | null) => Child;

function constraintRows({ constraints }: RunData, row: Row): Child[] {
  if (!constraints) return [];
  const one = constraints.count === 1;
  const moved = constraints.projection;
  return [
    row(one ? "constraint" : "constraints", constraints.count > 6 ? grouped(constraints.count)
      : constraints.names.join(", "), pretty(constraints.max_violation), null),
    row(one ? "hidden constraint" : "hidden constraints", "momenta", pretty(constraints.max_hidden_violation), null),
    moved && row("projection of the start", `positions moved by ${pretty(moved.position)}`,
      `momenta by ${pretty(moved.momentum)}`, null),
  ];
}

// How far the motion is off its constraints, and the multipliers of the forces that hold it there.
function constraintPlots(axis: TimeAxis, violations: Column[], multipliers: Column[]): Child[] {
  if (multipliers.length === 0) return [];
  return [
    h("h3", {}, "Multipliers"), ...linePanels(axis, multipliers, "multiplier"),
    h("h3", {}, "Violation"), ...linePanels(axis, violations, "violation"),
  ];
}

function plotSections(data: RunData, series: NonNullable<RunData["series"]>): Child[] {
  const axis = new TimeAxis(series.times);
  const columns = (...quantities: Quantity[]) => series.columns.filter((c) => quantities.includes(c.quantity));
  const panels = (quantity: Quantity) => linePanels(axis, columns(quantity), quantity);
  const drawn = columns("coordinate").length, all = data.model.coordinates.length;
  const thinned = series.width > 2 && note(
    `Of every ${grouped(series.width)} steps the smallest and the largest value are drawn.`);
  const left = drawn < all && note(`The first ${drawn} of ${all} coordinates are drawn.`);
  return [
    section("motion", "Motion", data.model.first_order ? panels("coordinate")
      : choice(["Coordinates", "Momenta"], [panels("coordinate"), panels("momentum")]), thinned, left),
    section("conservation", "Conservation", ...conservation(data, axis, columns)),
    section("constraints", "Constraints", ...constraintPlots(axis, columns("violation"), columns("multiplier"))),
    section("observed", "Observables", ...panels("observable")),
    data.portrait && portraitSection(data, data.portrait),
    section("solver", "Solver", ...iterations(axis, columns("iterations"))),
  ];
}

function toLine(column: Column, index: number): Line {
  return { label: () => named(column.name, column.symbol), values: column.values, colour: index % colours };
}

function linePanels(axis: TimeAxis, columns: Column[], name: string): HTMLElement[] {
  return timePanels(axis, shareAxes(columns.map(toLine)), name);
}

// One of several groups of panels.
function choice(names: string[], groups: HTMLElement[][]): Child[] {
  const boxes = groups.map((panels, i) => h("div", { class: "group", hidden: i > 0 }, panels));
  const buttons = names.map((name, i) => h("button", {
    type: "button", "aria-pressed": String(i === 0),
    click: () => {
      boxes.forEach((box, k) => (box.hidden = k !== i));
      buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === i)));
    },
  }, name));
  return [h("div", { class: "choice", role: "group" }, buttons), ...boxes];
}

function conservation(data: RunData, axis: TimeAxis, columns: (...q: Quantity[]) => Column[]): Child[] {
  const relative = data.energy?.supplied ? "energy gained minus work, relative" : "relative energy error";
  const shadow = columns("shadow_error").map((c) => ({ ...toLine(c, 1), label: () => "of the shadow energy" }));
  const energy = columns("energy_error").map((c) =>
    timePanel(axis, [{ ...toLine(c, 0), label: () => relative }, ...shadow], { name: "energy_error", logarithm: true }));
  const exchanged = columns("energy", "work").map((c, i) => ({ ...toLine(c, i), label: () => c.name }));
  const errors = columns("conserved_error");
  const exact = errors.filter((c) => c.values.every((v) => v === 0));
  const moved = errors.map((c, i) => ({ ...toLine(c, i), label: () => h("span", {}, "error of ", named(c.name, c.symbol)) }))
    .filter((_, i) => !exact.includes(errors[i]));
  return [
    ...energy,
    ...timePanels(axis, shareAxes(exchanged), "energy"),
    ...timePanels(axis, shareAxes(moved), "conserved_error", { logarithm: true }),
    exact.length > 0 && h("p", { class: "exactly" },
      exact.map((c, i) => [i > 0 && (i === exact.length - 1 ? " and " : ", "), named(c.name, c.symbol)]),
      ` did not change by a single bit in ${plural(data.run.steps, "step")}.`),
  ];
}

function iterations(axis: TimeAxis, columns: Column[]): Child[] {
  // A number that never changes stands in the certificate.
  return columns.filter((c) => new Set(c.values.filter((v) => v !== null)).size > 1).map((c) =>
    timePanel(axis, [{ ...toLine(c, 0), label: () => "iterations a step" }],
      { name: "iterations", height: 100, counts: true }));
}

function portraitSection(data: RunData, portrait: NonNullable<RunData["portrait"]>): Child {
  const { columns } = portrait;
  const half = columns.filter((c) => c.quantity === "coordinate").length;
  // A coordinate whose momentum is conserved only makes a straight line.
  const conserved = new Set(data.momenta.map((m) => m.name));
  const lively = Math.max(0, columns.slice(half).findIndex((c) => !conserved.has(c.name)));
  // Without momenta: one coordinate against another.
  const selected = half === columns.length ? { x: 0, y: 1 } : { x: lively, y: lively + half };
  const select = (key: "x" | "y", label: string) => h("label", {}, `${label} `, h("select", {
    change: (event) => {
      selected[key] = Number((event.currentTarget as HTMLSelectElement).value);
      panel.update();
    },
  }, columns.map((c, i) => h("option", { value: i, selected: i === selected[key] }, c.name))));
  const curve = (): Curve[] => {
    const [x, y] = [columns[selected.x].values, columns[selected.y].values];
    // Lines between points many steps apart would show what the motion never did.
    return [{ label: null, x, y, colour: 0, scattered: portrait.stride > 1 }];
  };
  const panel = planePanel(curve, {
    name: "portrait",
    height: (width) => Math.round(Math.min(460, Math.max(300, 0.62 * width))),
    horizontal: () => named(columns[selected.x].name, columns[selected.x].symbol),
    vertical: () => named(columns[selected.y].name, columns[selected.y].symbol),
    equal: () => selected.x < half && selected.y < half && comparable(columns[selected.x], columns[selected.y]),
  });
  return section("portrait", "Phase portrait",
    h("div", { class: "choice selects" }, select("x", "Horizontal"), select("y", "Vertical")),
    panel.element,
    portrait.stride > 1 && note(`Every ${grouped(portrait.stride)}th step is drawn.`));
}

function comparable(a: Column, b: Column): boolean {
  const span = (c: Column) => {
    const values = c.values.filter((v): v is number => v !== null);
    return values.reduce((m, v) => Math.max(m, v), -Infinity) - values.reduce((m, v) => Math.min(m, v), Infinity);
  };
  const ratio = span(a) / span(b);
  return ratio > 0.25 && ratio < 4;
}
