// LaTeX as MathML, which browsers set without fonts or styles of ours.
import temml from "temml";
import { type Child, h } from "./dom";

function set(latex: string): HTMLElement {
  const element = h("span", { class: "mathematics" });
  temml.render(latex, element, { displayMode: false, throwOnError: false });
  return element;
}

// A symbol inside text.
export function symbol(latex: string): HTMLElement {
  return set(latex);
}

// A name as mathematics, or as words where it is made of them: "p_phi" is a symbol, "angular_momentum" is not.
export function named(name: string, latex: string): HTMLElement {
  return latex.startsWith("\\mathrm") ? h("span", {}, name.replaceAll("_", " ")) : symbol(latex);
}

// "L_d" with its index set low; names such as "angular_momentum" stay what they are.
export function withSubscripts(text: string): Child {
  return text.split(/_([A-Za-z0-9∞\u0391-\u03ff]{1,3})(?![A-Za-z0-9∞\u0391-\u03ff_])/).map((part, i) => (i % 2 === 1 ? h("sub", {}, part) : part));
}

// A formula on lines of its own. Browsers do not break MathML into lines, so every term is a piece of its own: lines
// end between the terms of the outermost sum first, and inside parentheses only where a term alone is too long.
export function formula(latex: string): HTMLElement {
  return h("span", { class: "formula" }, terms(plainParentheses(spacedFunctions(latex))).map((term) =>
    h("span", { class: "term" }, term.map((piece) => set(`\\displaystyle ${piece}`)))));
}

// A thin space between a factor and the function behind it.
function spacedFunctions(latex: string): string {
  return latex.replace(/([^-+=\s({]) (\\(?:sin|cos|tan|arcsin|arccos|arctan|sinh|cosh|tanh|log|ln|exp|operatorname)(?![a-z]))/g, "$1 \\, $2");
}

// \left( … \right) as ( … ) where nothing inside is tall: only then may a line end inside.
function plainParentheses(latex: string): string {
  const open = "\\left(", close = "\\right)";
  const starts: number[] = [];
  const plain = new Set<number>();
  for (let i = 0; i < latex.length; ++i) {
    if (latex.startsWith(open, i)) starts.push(i);
    if (!latex.startsWith(close, i)) continue;
    const start = starts.pop() ?? 0;
    if (!/\\frac|\\sqrt/.test(latex.slice(start, i))) plain.add(start).add(i);
  }
  let result = "";
  for (let i = 0; i < latex.length; ++i) {
    if (!plain.has(i)) {
      result += latex[i];
      continue;
    }
    const isOpen = latex.startsWith(open, i);
    result += isOpen ? "(" : ")";
    i += (isOpen ? open : close).length - 1;
  }
  return result;
}

// The terms of the outermost sum, each as the pieces between which a line may end.
function terms(latex: string): string[][] {
  const result: string[][] = [[]];
  let tall = 0, depth = 0, piece = "";
  const end = () => {
    result[result.length - 1].push(piece);
    piece = "";
  };
  for (let i = 0; i < latex.length; ++i) {
    const rest = latex.slice(i, i + 7);
    if (rest.startsWith("\\left")) ++tall;
    if (rest.startsWith("\\right")) --tall;
    if (latex[i] === "{") ++tall;
    if (latex[i] === "}") --tall;
    if (latex[i] === "(") ++depth;
    if (latex[i] === ")") --depth;
    if (tall === 0 && /^ [-+=] /.test(rest) && piece !== "") {
      end();
      if (depth === 0) result.push([]);
      piece = "{} ";  // so that the sign has an operand on its left
    }
    piece += latex[i];
  }
  end();
  return result;
}
