// The page about an ensemble: what varies, maps, a section, distributions, failures.
import type { EnsembleData } from "./data";
import { type Child, h, note, section } from "./dom";
import { figureSection } from "./figure_section";
import { mapSection } from "./map_section";
import { withSubscripts } from "./mathematics";
import { equationsSection, footer, parametersTable, redoSection } from "./model_section";
import { duration, grouped } from "./number";

export function ensemblePage(data: EnsembleData): Node[] {
  const parts: Child[] = [
    header(data),
    mapSection(data.maps),
    ...data.figures.filter((figure) => figure.panels.length > 0).map(figureSection),
    numbersSection(data),
    failuresSection(data),
    equationsSection(data.model),
    section("data", "Data", h("ul", {}, data.varied.map((text) => h("li", {}, h("code", {}, text)))), parametersTable(data.model)),
    redoSection(data.command, data.model),
    footer(data.version),
  ];
  const shown = parts.filter((part): part is HTMLElement => part instanceof HTMLElement);
  const links = shown.filter((part) => part.id)
    .map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2")!.textContent));
  shown[0].appendChild(h("nav", { "aria-label": "Sections" }, links));
  return shown;
}

function header(data: EnsembleData): Child {
  const facts = [`${grouped(data.count)} trajectories`, data.method, data.lengths, data.engine,
    data.seconds !== null && `computed in ${duration(data.seconds)}`];
  const trouble = [
    data.count < data.planned && `Interrupted after ${grouped(data.count)} of ${grouped(data.planned)} trajectories.`,
    data.failed > 0 && `${grouped(data.failed)} ${data.failed === 1 ? "trajectory" : "trajectories"} failed.`,
    data.untrusted > 0 && `${grouped(data.untrusted)} lose more than a tenth of their energy: try a shorter step.`,
  ].filter((text): text is string => text !== false);
  return h("header", {},
    h("p", { class: "brand" }, "actio"),
    h("h1", {}, data.model.name),
    h("p", { class: "facts" }, facts.map((fact) => fact && h("span", {}, fact))),
    data.accuracy !== null && note("Accuracy: ", data.accuracy, "."),
    h("div", { class: `banner ${trouble.length > 0 ? "fair" : "good"}` }, trouble.length > 0 ? trouble.join(" ") : "All trajectories reached their end."));
}

function numbersSection(data: EnsembleData): Child {
  const columns = ["", "Mean", "Deviation", "Smallest", "5 %", "Median", "95 %", "Largest"];
  return section("numbers", "Numbers", h("div", { class: "scroll" }, h("table", { class: "results" },
    h("thead", {}, h("tr", {}, columns.map((c, i) => h("th", { scope: "col", class: i > 0 ? "number" : "" }, c)))),
    h("tbody", {}, data.numbers.map(([name, ...values]) => h("tr", {},
      h("th", { scope: "row" }, withSubscripts(name)), values.map((value) => h("td", { class: "number" }, value))))))),
  note("At the end of trajectories that are done."));
}

function failuresSection(data: EnsembleData): Child {
  if (data.failed === 0) return null;
  return section("failures", "Failures",
    h("p", { class: "facts" }, Object.entries(data.statuses).map(([status, count]) => h("span", {}, `${status}: ${grouped(count)}`))),
    h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Trajectory", "From", "Why"].map((c) => h("th", { scope: "col" }, c)))),
      h("tbody", {}, data.failures.map((f) => h("tr", {},
        h("th", { scope: "row" }, grouped(f.trajectory)), h("td", {}, f.at.join(", ")), h("td", {}, f.reason)))))),
    data.failures.length < data.failed && note(`The first ${data.failures.length} of ${grouped(data.failed)}.`));
}
