// A figure of a paper: its panels side by side, each a plot of its own.
import type { Figure, FigurePanel } from "./data";
import { type Child, h, section } from "./dom";
import { withSubscripts } from "./mathematics";
import { prettyNumbers } from "./number";
import { type Curve, dashes, planePanel } from "./plane_plot";
import { colours } from "./plot";

// Beyond this many separate points have no shapes, only dots.
const mostShapes = 200;

export function figureSection(figure: Figure): Child {
  const single = figure.panels.length === 1;
  return section(figure.id, figure.title || figure.id,
    h("div", { class: single ? "" : "halves" }, figure.panels.map((panel, i) =>
      h("div", {}, panel.title !== "" && h("h3", {}, withSubscripts(panel.title)), panelElement(panel, `${figure.id}-${i}`, single)))),
    figure.caption !== "" && h("p", { class: "caption" }, prettyNumbers(figure.caption)));
}

function panelElement(panel: FigurePanel, name: string, single: boolean): HTMLElement {
  const curves = styled(panel);
  const height = (width: number) =>
    Math.round(panel.equal_scales ? Math.min(480, 0.9 * width) : Math.min(single ? 460 : 320, Math.max(240, 0.62 * width)));
  return planePanel(() => curves.map((c) => ({ ...c })), {
    name, height, tight: !panel.equal_scales,
    horizontal: () => withSubscripts(panel.x_label), vertical: () => withSubscripts(panel.y_label),
    logarithmic: { x: panel.x_log, y: panel.y_log },
    equal: () => panel.equal_scales,
  }).element;
}

// Dashes in the order of the curves, as in actio/io/svg.cpp. A single curve that the title or the
// axis names needs no legend.
function styled(panel: FigurePanel): Curve[] {
  let dashed = 0;
  const known = panel.curves.filter((c) => c.name !== "").length === 1 ? [panel.y_label, panel.title] : [];
  return panel.curves.map(({ name, style, look, x, y }) => {
    if (name === "") return { label: null, x, y, colour: 0, guide: true, ...(style === "dashed" && { dash: dashes[3] }) };
    const marked = style === "line_with_points" || (style === "points" && x.length <= mostShapes);
    return {
      label: known.includes(name) ? null : name, x, y, colour: look % colours, scattered: style === "points",
      ...(marked && { marker: look }),
      ...(style === "dashed" && { dash: dashes[dashed++ % dashes.length] }),
    };
  });
}
