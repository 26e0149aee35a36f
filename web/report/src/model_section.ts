// The parts that every page has: the model as mathematics, methods, the command, the model's text.
import type { Method, Model, NamedFormula, RunData, Work } from "./data";
import { type Child, h, note, section } from "./dom";
import { formula, named, symbol, withSubscripts } from "./mathematics";
import { grouped, plural, pretty } from "./number";

// Beyond this many characters of LaTeX equations are folded away.
const mostOpen = 5000;

export function equationsSection(model: Model): Child {
  if (model.in_indices) {
    return section("equations", "Equations",
      note(`The text of the model has the formulas of its ${grouped(model.size)} coordinates, in indices.`),
      namedFormulas("Conserved momenta", model.conserved, (f) => `${f.symbol} = `),
      namedFormulas("Observables", model.observables, (f) => `${f.symbol} = `));
  }
  const n = model.coordinates.length, hasHamiltonian = model.equations.length > n;
  const unknown = (i: number) => i < n ? model.coordinates[i].symbol : model.coordinates[i - n].momentum;
  const total = model.equations.reduce((sum, e) => sum + (e?.length ?? 0), 0);
  const equations = () => h("div", { class: "equations" },
    model.equations.map((equation, i) => model.first_order
      ? equationRow(model.coordinates[i].symbol, equation, "", `${model.coordinates[i].velocity} = `)
      : equationRow(unknown(i), equation, " = 0")));
  const title = model.first_order ? "Equations of first order"
    : hasHamiltonian ? "Hamilton's equations" : "Euler–Lagrange equations";
  return section("equations", "Equations",
    hasHamiltonian ? [h("h3", {}, "Hamiltonian"), equationRow("H", model.hamiltonian, "", "H = ")]
      : !model.first_order && [h("h3", {}, "Lagrangian"), equationRow("L", model.lagrangian, "", "L = ")],
    namedFormulas("Forces", model.forces, (f) => `F_{${f.symbol}} = `),
    namedFormulas("Constraints", model.constraints, () => "", " = 0"),
    total <= mostOpen ? [h("h3", {}, title), equations()]
      : folded(`${title} (${plural(model.equations.length, "equation")})`, equations),
    namedFormulas("Conserved momenta", model.conserved, (f) => `${f.symbol} = `),
    namedFormulas("Observables", model.observables, (f) => `${f.symbol} = `));
}

// Setting many long formulas takes seconds: not before somebody asks for them.
function folded(title: string, content: () => Node): Child {
  const box = h("details", {
    toggle: () => box.open && box.childElementCount === 1 && box.appendChild(content()),
  }, h("summary", {}, title));
  return box;
}

function equationRow(label: string, latex: string | null, after: string, before = ""): Child {
  return h("div", { class: "equation" }, before === "" && h("span", { class: "equation-label" }, symbol(label)),
    latex === null ? note("This formula is too long to be set; actio check --json has it.")
      : formula(`${before}${latex}${after}`));
}

function namedFormulas(title: string, formulas: NamedFormula[], before: (f: NamedFormula) => string, after = ""): Child {
  return formulas.length > 0 && [
    h("h3", {}, title),
    h("div", { class: "equations" }, formulas.map((f) => equationRow(f.symbol, f.formula, after, before(f) || " "))),
  ];
}

export function parametersTable(model: Model): Child {
  return model.parameters.length > 0 && h("div", {}, h("h3", {}, "Parameters"), h("table", {},
    h("tbody", {}, model.parameters.map((p) => h("tr", {},
      h("th", { scope: "row" }, named(p.name, p.symbol)),
      h("td", { class: "number" }, pretty(p.value)),
      h("td", { class: "quiet" }, p.formula !== null && symbol(p.formula)))))));
}

export function initialTable(model: Model, state: NonNullable<RunData["state"]>): Child {
  const momentum = model.first_order ? [] : ["momentum"];
  const title = state.first_step === 0 ? "Initial data" : `Resumed at t = ${pretty(state.first_time)}`;
  return h("div", {}, h("h3", {}, title), h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}), ["position", "velocity", ...momentum].map((n) => h("th", { class: "number", scope: "col" }, n)))),
    h("tbody", {}, model.coordinates.map((c, i) => h("tr", {},
      h("th", { scope: "row" }, named(c.name, c.symbol)),
      [state.first[i].position, state.first[i].velocity, ...momentum.map(() => state.first[i].momentum)].map((v) =>
        h("td", { class: "number" }, pretty(v))))))));
}

export function finalTable(model: Model, state: NonNullable<RunData["state"]>, time: string): Child {
  return h("div", { class: "wide" }, h("h3", {}, "At the end, t = ", pretty(time)), h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}), ["position", ...(model.first_order ? [] : ["momentum"])].map((n) => h("th", { class: "number", scope: "col" }, n)))),
    h("tbody", {}, model.coordinates.map((c, i) => h("tr", {},
      h("th", { scope: "row" }, named(c.name, c.symbol)),
      h("td", { class: "number digits" }, pretty(state.last[i].position)),
      !model.first_order && h("td", { class: "number digits" }, pretty(state.last[i].momentum)))))));
}

export function methodSection(method: Method): Child {
  const trait = (holds: boolean | undefined, yes: string, no: string) =>
    h("li", { class: holds ? "holds" : "lacks" }, holds ? yes : no);
  return section("method", "Method",
    h("p", { class: "lead" }, h("strong", {}, method.name), method.summary && `: ${method.summary}`),
    method.order !== undefined && h("ul", { class: "traits" },
      h("li", { class: "holds" }, `order ${method.order}`),
      trait(method.symplectic, "symplectic", "not symplectic"),
      trait(method.symmetric, "symmetric", "not symmetric"),
      trait(method.conserves_momenta, "conserves momenta", "does not conserve momenta")),
    method.formula && h("p", {}, withSubscripts(method.formula)),
    method.references && method.references.length > 0 && references(method.references));
}

export function references(works: Work[]): Child {
  return h("ul", { class: "references" }, works.map((work) => h("li", {},
    joined(work.authors), ": ", h("cite", {}, work.title), ". ", work.venue && `${work.venue}, `, work.year, ".",
    work.doi && ` doi:${work.doi}`)));
}

function joined(names: string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

export function redoSection(command: string, model: Model): Child {
  return section("redo", "Do it again", commandBox(command),
    h("h3", {}, "The model, ", h("span", { class: "file" }, model.file)),
    h("pre", { class: "model-text", tabindex: 0 }, h("code", {}, model.text.trimEnd())));
}

export function commandBox(command: string): Child {
  const copied = h("button", {
    class: "tool", type: "button",
    click: () => void navigator.clipboard?.writeText(command).then(() => (copied.textContent = "Copied")),
  }, "Copy");
  return h("div", { class: "command" }, h("code", {}, command), copied);
}

export function footer(version: string): Child {
  return h("footer", {}, `Written by ${version}. Drag over a plot to zoom, double-click to see all of it again.`);
}
