// Elements in one expression.

export type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

// A section with a heading that can be linked to. Without content there is no section.
export function section(id: string, title: string, ...children: Child[]): HTMLElement | null {
  const shown = children.filter((child) => child && !(Array.isArray(child) && child.length === 0));
  return shown.length === 0 ? null : h("section", { id }, h("h2", {}, title), ...shown);
}

export function note(...children: Child[]): HTMLElement {
  return h("p", { class: "note" }, ...children);
}
