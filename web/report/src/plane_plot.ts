// One quantity against another: phase portraits, convergence, work and precision, figures of papers.
import uPlot from "uplot";
import { type Child, h } from "./dom";
import { withSubscripts } from "./mathematics";
import { brief } from "./number";
import {
  allPlots, axisStyle, drawZero, legendKey, lineColour, logarithmicAxis, mount, scientificAxis, styleValue,
} from "./plot";

export interface Curve {
  label: Child;
  x: (number | null)[];
  y: (number | null)[];
  colour: number;
  dash?: number[];
  marker?: number;     // which shape stands at the points
  scattered?: boolean; // no line; small dots where no marker is asked for
  guide?: boolean;     // thin and grey, neither in the legend nor read by the cursor
  beyond?: boolean;    // does not widen the ranges
  note?: string;       // written at its last point
}

export interface PlaneOptions {
  name: string;          // in window.__actio.plots
  height: (width: number) => number;
  horizontal: () => Child;
  vertical: () => Child;
  logarithmic?: { x: boolean; y: boolean };
  xTicks?: number[];     // of a logarithmic axis
  equal?: () => boolean; // the same scale both ways
  tight?: boolean;       // lines that only go forward fill the width
  tools?: Child;
}

// As in actio/io/svg.cpp.
export const dashes = [[7, 3], [2, 2.5], [9, 3, 2, 3], [4, 2]];
const markers = [
  "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", "M-2.7 -2.7h5.4v5.4h-5.4z", "M0 -3.8l3.7 6.2h-7.4z",
  "M0 -3.9l3.9 3.9l-3.9 3.9l-3.9 -3.9z", "M0 3.8l3.7 -6.2h-7.4z",
];
const mostMarkers = 60;

type Range = { x: [number, number]; y: [number, number] };
type Drawn = Curve & { hidden?: boolean };

export interface PlanePanel { element: HTMLElement; update: () => void }

// `curves` is asked again on every update.
export function planePanel(curves: () => Curve[], options: PlaneOptions): PlanePanel {
  let shown: Drawn[] = curves();
  let zoom: Range | null = null;
  const host = h("div", { class: "plot" });
  const reading = h("div", { class: "reading above", hidden: true });
  const vertical = h("span", { class: "axis-name" }), horizontal = h("div", { class: "axis-name below" });
  const legend = h("span", { class: "legend" });
  const reset = h("button", { class: "tool", type: "button", hidden: true, click: () => zoomTo(null) }, "Reset zoom");
  const mark = h("div", { class: "mark", hidden: true });

  const redraw = () => mounted.current()?.setData(plotData(shown), true);
  const zoomTo = (range: Range | null) => {
    zoom = range;
    reset.hidden = zoom === null;
    redraw();
  };
  const label = () => {
    vertical.replaceChildren(h("span", {}, options.vertical()));
    horizontal.replaceChildren(h("span", {}, options.horizontal()));
    const keys = shown.filter((c) => !c.guide && c.label !== null);
    legend.replaceChildren(...keys.map((c) => legendKey([sample(c), typeof c.label === "string" ? h("span", {}, withSubscripts(c.label)) : c.label], c.colour, keys.length === 1, (visible) => {
      c.hidden = !visible;
      redraw();
    })));
  };
  const read = (u: uPlot) => {
    const nearest = nearestPoint(u, shown);
    mark.hidden = reading.hidden = nearest === null;
    if (nearest === null) return;
    const { curve, index } = nearest;
    mark.style.left = `${u.valToPos(curve.x[index]!, "x")}px`;
    mark.style.top = `${u.valToPos(curve.y[index]!, "y")}px`;
    mark.style.background = lineColour(curve.colour);
    const name = typeof curve.label === "string" ? `${curve.label}: ` : "";
    reading.textContent = `${name}(${brief(curve.x[index])}, ${brief(curve.y[index])})`;
    reading.classList.toggle("left", u.cursor.left! > u.over.clientWidth / 2);
  };

  const mounted = mount(host, (width) => {
    const plot = new uPlot(plotOptions(() => shown, () => zoom, zoomTo, options, width, read), plotData(shown), host);
    plot.over.append(mark, reading);
    allPlots.set(options.name, plot);
    return plot;
  });
  label();
  return {
    element: h("figure", { class: "panel plane", "data-plot": options.name },
      h("figcaption", {}, h("span", { class: "legend" }, vertical, legend), h("span", { class: "tools" }, options.tools, reset)),
      host, horizontal),
    update: () => {
      shown = curves();
      zoom = null;
      reset.hidden = true;
      label();
      mounted.remake();
    },
  };
}

// A short piece of the curve, for the legend.
function sample(curve: Curve): HTMLElement {
  const line = !curve.scattered && `<path d="M0 5H22" fill="none" stroke="var(--key)" stroke-width="2"${
    curve.dash ? ` stroke-dasharray="${curve.dash.join(" ")}"` : ""}/>`;
  const marker = curve.marker !== undefined || curve.scattered;
  const shape = marker && `<path d="${markers[(curve.marker ?? 0) % markers.length]}" transform="translate(11 5)" fill="var(--key)"/>`;
  const box = h("span", { class: "sample" });
  box.innerHTML = `<svg width="22" height="10" viewBox="0 0 22 10" aria-hidden="true">${line || ""}${shape || ""}</svg>`;
  return box;
}

function plotData(curves: Curve[]): uPlot.AlignedData {
  return [null, ...curves.map((c) => [c.x, c.y])] as unknown as uPlot.AlignedData;
}

function plotOptions(curves: () => Drawn[], zoom: () => Range | null, zoomTo: (range: Range | null) => void,
  options: PlaneOptions, width: number, read: (u: uPlot) => void): uPlot.Options {
  const vertical = scientificAxis();
  const logarithmic = options.logarithmic ?? { x: false, y: false };
  const range = (key: "x" | "y") => (u: uPlot): [number, number] => {
    const whole = zoom() ?? wholeRange(curves(), logarithmic, options.tight === true);
    return zoom() === null && options.equal?.() ? equalised(u, whole)[key] : whole[key];
  };
  const scale = (key: "x" | "y"): uPlot.Scale => ({ time: false, distr: logarithmic[key] ? 3 : 1, range: range(key) });
  const xAxis: uPlot.Axis = logarithmic.x ? logarithmicAxis(30)
    : { ...axisStyle(), size: 30, space: 70, values: (_u, ticks) => ticks.map((t) => brief(t)) };
  if (options.xTicks) {
    xAxis.splits = (_u, _i, min, max) => options.xTicks!.filter((t) => t >= min * 0.999 && t <= max * 1.001);
    xAxis.values = (_u, ticks) => ticks.map((t) => brief(t, 3));
  }
  return {
    mode: 2,
    width,
    height: options.height(width),
    padding: [logarithmic.y ? 8 : vertical.padding, 14, 0, 0],
    legend: { show: false },
    cursor: {
      drag: { x: true, y: true, dist: 4, setScale: false },
      dataIdx: () => null as unknown as number,
      points: { show: false },
    },
    scales: { x: scale("x"), y: scale("y") },
    axes: [xAxis, logarithmic.y ? logarithmicAxis(58) : vertical.axis],
    series: [{} as uPlot.Series, ...curves().map(() => ({ paths: () => null, points: { show: false } }))],
    hooks: {
      drawClear: [drawZero],
      draw: [(u) => !logarithmic.y && vertical.hook(u), (u) => drawCurves(u, curves())],
      setCursor: [read],
      setSelect: [(u) => {
        const { left, top, width: w, height: t } = u.select;
        if (w < 4 || t < 4) return;
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        zoomTo({
          x: [u.posToVal(left, "x"), u.posToVal(left + w, "x")],
          y: [u.posToVal(top + t, "y"), u.posToVal(top, "y")],
        });
      }],
      ready: [(u) => u.over.addEventListener("dblclick", () => zoomTo(null))],
    },
  };
}

function wholeRange(curves: Drawn[], logarithmic: { x: boolean; y: boolean }, tight: boolean): Range {
  const measured = curves.filter((c) => !c.beyond && !c.hidden);
  const forward = (c: Curve) => c.marker === undefined && !c.scattered &&
    c.x.every((x, i) => i === 0 || x === null || c.x[i - 1] === null || x >= c.x[i - 1]!);
  const full = tight && measured.every(forward);
  const along = (key: "x" | "y"): [number, number] => {
    let low = Infinity, high = -Infinity;
    for (const curve of measured) {
      for (const value of curve[key]) {
        if (value === null || (logarithmic[key] && value <= 0)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    if (low > high) return logarithmic[key] ? [0.1, 1] : [-1, 1];
    if (full && key === "x" && high > low) return [low, high];
    if (logarithmic[key]) return [low / 1.6, high * 1.6];
    const margin = 0.06 * (high - low) || 0.1 * Math.abs(high) || 1;
    return [low - margin, high + margin];
  };
  return { x: along("x"), y: along("y") };
}

// Widens the range that is too narrow until both directions have one scale.
function equalised(u: uPlot, range: Range): Range {
  const width = u.bbox.width || u.width - 70, height = u.bbox.height || u.height - 60;
  const unit = Math.max((range.x[1] - range.x[0]) / width, (range.y[1] - range.y[0]) / height);
  const widened = ([low, high]: [number, number], pixels: number): [number, number] => {
    const middle = (low + high) / 2;
    return [middle - (unit * pixels) / 2, middle + (unit * pixels) / 2];
  };
  return { x: widened(range.x, width), y: widened(range.y, height) };
}

function isDrawn(u: uPlot, x: number | null, y: number | null): boolean {
  return x !== null && y !== null && (u.scales.x.distr !== 3 || x > 0) && (u.scales.y.distr !== 3 || y > 0);
}

function drawCurves(u: uPlot, curves: Drawn[]): void {
  const context = u.ctx;
  context.save();
  context.beginPath();
  context.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  context.clip();
  for (const curve of curves) if (!curve.hidden) drawCurve(u, curve);
  context.restore();
}

// Lines end at gaps; a point between two gaps is a dot.
function drawCurve(u: uPlot, curve: Curve): void {
  const context = u.ctx;
  const scale = devicePixelRatio;
  context.strokeStyle = context.fillStyle = curve.guide ? styleValue("--axis") : lineColour(curve.colour);
  context.lineWidth = (curve.guide ? 1 : 1.4) * scale;
  context.lineJoin = "round";
  context.setLineDash((curve.dash ?? []).map((length) => length * scale));
  context.beginPath();
  let pen = false;
  const points: [number, number][] = [], single: [number, number][] = [];
  for (let i = 0; i < curve.x.length; ++i) {
    if (!isDrawn(u, curve.x[i], curve.y[i])) {
      pen = false;
      continue;
    }
    const at: [number, number] = [u.valToPos(curve.x[i]!, "x", true), u.valToPos(curve.y[i]!, "y", true)];
    if (pen) context.lineTo(...at);
    else context.moveTo(...at);
    if (!pen && (i + 1 === curve.x.length || !isDrawn(u, curve.x[i + 1], curve.y[i + 1]))) single.push(at);
    pen = true;
    points.push(at);
  }
  if (!curve.scattered) context.stroke();
  context.setLineDash([]);
  if (curve.marker !== undefined) drawMarkers(context, points, curve);
  else for (const at of curve.scattered ? points : single) dot(context, at, 0.9 * scale);
  if (curve.note && points.length > 0) drawNote(u, curve.note, points);
}

function drawMarkers(context: CanvasRenderingContext2D, points: [number, number][], curve: Curve): void {
  const shape = new Path2D(markers[curve.marker! % markers.length]);
  const stride = curve.scattered ? 1 : Math.ceil(points.length / mostMarkers);
  for (let i = 0; i < points.length; i += stride) {
    context.save();
    context.translate(...points[i]);
    context.scale(devicePixelRatio, devicePixelRatio);
    context.fill(shape);
    context.restore();
  }
}

function dot(context: CanvasRenderingContext2D, [x, y]: [number, number], radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

// Beside the last point of the line that is in sight.
function drawNote(u: uPlot, text: string, points: [number, number][]): void {
  const { left, top, width, height } = u.bbox;
  const scale = devicePixelRatio;
  const [x, y] = points[points.length - 1];
  u.ctx.save();
  u.ctx.fillStyle = styleValue("--muted");
  u.ctx.font = `${12 * scale}px system-ui, sans-serif`;
  u.ctx.textBaseline = "middle";
  u.ctx.textAlign = "right";
  u.ctx.fillText(text, Math.min(x, left + width) - 6 * scale, Math.min(Math.max(y - 10 * scale, top + 8 * scale), top + height - 8 * scale));
  u.ctx.restore();
}

function nearestPoint(u: uPlot, curves: Drawn[]): { curve: Curve; index: number } | null {
  const { left, top } = u.cursor;
  if (left === undefined || top === undefined || left < 0) return null;
  let best: { curve: Curve; index: number } | null = null;
  let distance = 80 ** 2;  // pixels
  for (const curve of curves) {
    if (curve.guide || curve.hidden) continue;
    for (let index = 0; index < curve.x.length; ++index) {
      if (!isDrawn(u, curve.x[index], curve.y[index])) continue;
      const dx = u.valToPos(curve.x[index]!, "x") - left, dy = u.valToPos(curve.y[index]!, "y") - top;
      if (dx * dx + dy * dy >= distance) continue;
      distance = dx * dx + dy * dy;
      best = { curve, index };
    }
  }
  return best;
}
