// The page about a paper that was done again: published numbers beside those that came out here.
import type { Claim, PaperCell, PaperData, PaperTable } from "./data";
import { type Child, h, note, section } from "./dom";
import { figureSection } from "./figure_section";
import { commandBox, footer } from "./model_section";
import { withSubscripts } from "./mathematics";
import { duration, prettyNumbers } from "./number";

// How a verdict looks: its colour and, for who sees none, its sign.
const looks: Record<string, [string, string]> = {
  "agrees": ["good", "✓"],
  "close": ["good", "~"],
  "holds": ["good", "✓"],
  "holds in part": ["fair", "½"],
  "misprint": ["fair", "!"],
  "unreliable digits": ["quiet", "≈"],
  "not reproducible": ["quiet", "∅"],
  "disagrees": ["bad", "✗"],
  "does not hold": ["bad", "✗"],
  "left out": ["quiet", "–"],
  "computed here": ["quiet", "="],
};
const look = (verdict: string) => looks[verdict] ?? ["quiet", "?"];

export function paperPage(data: PaperData): Node[] {
  const parts: Child[] = [
    header(data),
    ...data.tables.map(tableSection),
    claimsSection(data.claims),
    ...data.figures.map(figureSection),
    section("redo", "Do it again", commandBox(data.command), data.seconds !== null && data.seconds > 0 &&
      note(`It took ${duration(data.seconds)}.`)),
    footer(data.version),
  ];
  const shown = parts.filter((part): part is HTMLElement => part instanceof HTMLElement);
  const links = shown.filter((part) => part.id)
    .map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2")!.textContent));
  shown[0].appendChild(h("nav", { "aria-label": "Sections" }, links));
  return shown;
}

function header(data: PaperData): Child {
  const authors = data.reference.startsWith(data.authors) ? "" : data.authors;
  const facts = [authors, data.reference, data.key].filter((fact) => fact !== "");
  const counts = Object.entries(data.verdicts);
  return h("header", {},
    h("p", { class: "brand" }, "actio"),
    h("h1", {}, data.title),
    h("p", { class: "facts" }, facts.map((fact) => h("span", {}, fact))),
    data.summary !== "" && h("p", { class: "lead summary" }, data.summary),
    counts.length > 0 && h("ul", { class: "counts" }, counts.map(([verdict, count]) =>
      h("li", {}, verdictMark(verdict), " ", h("strong", {}, count)))));
}

function verdictMark(verdict: string): HTMLElement {
  const [grade, sign] = look(verdict);
  return h("span", { class: `verdict ${grade}`, "data-sign": sign }, verdict);
}

// Notes below a table: equal ones once, each with a letter.
class Notes {
  private readonly entries = new Map<string, { verdict: string; text: string; letter: string }>();

  constructor(private readonly prefix: string) {}

  mark(verdict: string, text: string): Child {
    if (text === "") return null;
    const key = `${verdict}: ${text}`;
    if (!this.entries.has(key)) this.entries.set(key, { verdict, text, letter: letters(this.entries.size) });
    const { letter } = this.entries.get(key)!;
    return h("sup", {}, h("a", { href: `#${this.prefix}-${letter}`, title: text }, letter));
  }

  list(): Child {
    return this.entries.size > 0 && h("ul", { class: "notes" }, [...this.entries.values()].map(({ verdict, text, letter }) =>
      h("li", { id: `${this.prefix}-${letter}` }, h("span", { class: "letter" }, letter), " ", verdictMark(verdict), ". ", prettyNumbers(text))));
  }
}

function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}

function tableSection(table: PaperTable): Child {
  const notes = new Notes(table.id);
  const rows = table.rows.map((row, r) => h("tr", {},
    row.heads.map((head, k) => rowHead(table, r, k, head)),
    row.cells.map((cell) => cellPair(cell, notes))));
  return section(table.id, table.title || table.id,
    table.caption !== "" && h("p", { class: "caption" }, prettyNumbers(table.caption)),
    h("div", { class: "scroll" }, h("table", { class: "paper" },
      h("thead", {},
        h("tr", {}, table.row_heads.map((head) => h("th", { scope: "col", rowspan: 2 }, head)),
          table.columns.map((column) => h("th", { scope: "colgroup", colspan: 2, class: "value-head" }, column))),
        h("tr", {}, table.columns.map(() => [
          h("th", { scope: "col", class: "number published" }, "published"), h("th", { scope: "col", class: "number" }, "here")]))),
      h("tbody", {}, rows))),
    table.rule !== "" && h("p", { class: "note" }, prettyNumbers(table.rule)),
    notes.list());
}

// Heads that repeat in the rows below stand once, except the last ones, which tell the rows apart.
function rowHead(table: PaperTable, r: number, k: number, head: string): Child {
  const same = (i: number) => table.rows[i]?.heads.slice(0, k + 1).join("\n") === table.rows[r].heads.slice(0, k + 1).join("\n");
  if (k + 1 === table.rows[r].heads.length) return h("th", { scope: "row", class: k === 0 ? "first" : "" }, prettyNumbers(head));
  if (same(r - 1)) return null;
  let count = 1;
  while (same(r + count)) ++count;
  return h("th", { scope: "rowgroup", rowspan: count, class: k === 0 ? "first" : "" }, prettyNumbers(head));
}

function cellPair(cell: PaperCell, notes: Notes): Child {
  const [grade, sign] = look(cell.verdict);
  const plain = cell.verdict === "agrees" || cell.verdict === "";
  return [
    h("td", { class: `number published ${plain ? "" : grade}` }, prettyNumbers(cell.published)),
    h("td", { class: `number ${plain ? "" : grade}` }, prettyNumbers(cell.reproduced),
      cell.verdict !== "" && h("span", { class: `verdict ${grade}${plain ? "" : " own-line"}`, "data-sign": sign },
        h("span", { class: plain ? "unseen" : "" }, cell.verdict, notes.mark(cell.verdict, cell.note)))),
  ];
}

function claimsSection(claims: Claim[]): Child {
  return claims.length > 0 && section("claims", "Claims", h("div", { class: "scroll" }, h("table", { class: "claims" },
    h("thead", {}, h("tr", {}, ["Statement", "Published", "Here", "Rule", "Verdict"].map((c) => h("th", { scope: "col" }, c)))),
    h("tbody", {}, claims.map((claim) => h("tr", {},
      h("th", { scope: "row" }, withSubscripts(prettyNumbers(claim.statement))),
      claimed("published", claim.published), claimed("here", claim.reproduced), claimed("rule", claim.rule),
      h("td", {}, verdictMark(claim.verdict), claim.note !== "" && h("p", { class: "note" }, withSubscripts(prettyNumbers(claim.note))))))))));
}

// Numbers stay on one line, sentences do not.
function claimed(name: string, text: string): HTMLElement {
  return h("td", { "data-name": name, class: text.length < 20 ? "short" : "" }, prettyNumbers(text));
}
