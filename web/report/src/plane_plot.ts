// One quantity against another: phase portraits, convergence, work and precision.
import uPlot from "uplot";
import { type Child, h } from "./dom";
import { brief } from "./number";
import { allPlots, axisStyle, lineColour, logarithmicAxis, mount, scientificAxis, styleValue } from "./plot";

export interface Curve {
  label: Child;
  x: (number | null)[];
  y: (number | null)[];
  colour: number;
  marked?: boolean;    // a dot at every point
  scattered?: boolean; // small dots and no line
  guide?: boolean;     // thin and dashed, not read by the cursor
  note?: string;       // written at its last point
}

export interface PlaneOptions {
  name: string;          // in window.__actio.plots
  height: (width: number) => number;
  horizontal: () => Child;
  vertical: () => Child;
  logarithmic?: boolean;
  xTicks?: number[];     // of a logarithmic axis
  equal?: () => boolean; // the same scale both ways
  tools?: Child;
}

type Range = { x: [number, number]; y: [number, number] };

export interface PlanePanel { element: HTMLElement; update: () => void }

// `curves` is asked again on every update.
export function planePanel(curves: () => Curve[], options: PlaneOptions): PlanePanel {
  let shown = curves();
  let zoom: Range | null = null;
  const host = h("div", { class: "plot" });
  const reading = h("span", { class: "reading" });
  const vertical = h("span", { class: "axis-name" }), horizontal = h("div", { class: "axis-name below" });
  const legend = h("span", { class: "legend" });
  const reset = h("button", { class: "tool", type: "button", hidden: true, click: () => zoomTo(null) }, "Reset zoom");
  const mark = h("div", { class: "mark" });

  const zoomTo = (range: Range | null) => {
    zoom = range;
    reset.hidden = zoom === null;
    mounted.current()?.setData(plotData(shown), true);
  };
  const label = () => {
    vertical.replaceChildren(h("span", {}, options.vertical()));
    horizontal.replaceChildren(h("span", {}, options.horizontal()));
    const keys = shown.filter((c) => !c.guide && c.label !== null);
    legend.replaceChildren(...keys.map((c) =>
      h("span", { class: "key", style: `--key: var(--line-${c.colour + 1})` }, c.label)));
  };
  const read = (u: uPlot) => {
    const nearest = nearestPoint(u, shown);
    mark.hidden = nearest === null;
    reading.textContent = "";
    if (nearest === null) return;
    const { curve, index } = nearest;
    mark.style.left = `${u.valToPos(curve.x[index]!, "x")}px`;
    mark.style.top = `${u.valToPos(curve.y[index]!, "y")}px`;
    mark.style.background = lineColour(curve.colour);
    reading.textContent = `(${brief(curve.x[index])}, ${brief(curve.y[index])})`;
  };

  const mounted = mount(host, (width) => {
    const plot = new uPlot(plotOptions(() => shown, () => zoom, zoomTo, options, width, read), plotData(shown), host);
    plot.over.appendChild(mark);
    allPlots.set(options.name, plot);
    return plot;
  });
  mark.hidden = true;
  label();
  return {
    element: h("figure", { class: "panel plane", "data-plot": options.name },
      h("figcaption", {}, h("span", { class: "legend" }, vertical, legend), h("span", { class: "tools" }, reading, options.tools, reset)),
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

function plotData(curves: Curve[]): uPlot.AlignedData {
  return [null, ...curves.map((c) => [c.x, c.y])] as unknown as uPlot.AlignedData;
}

function plotOptions(curves: () => Curve[], zoom: () => Range | null, zoomTo: (range: Range | null) => void,
  options: PlaneOptions, width: number, read: (u: uPlot) => void): uPlot.Options {
  const vertical = scientificAxis();
  const logarithmic = options.logarithmic === true;
  const range = (key: "x" | "y") => (u: uPlot): [number, number] => {
    const whole = zoom() ?? wholeRange(curves(), logarithmic);
    return zoom() === null && options.equal?.() ? equalised(u, whole)[key] : whole[key];
  };
  const scale = (key: "x" | "y"): uPlot.Scale => ({ time: false, distr: logarithmic ? 3 : 1, range: range(key) });
  const xAxis: uPlot.Axis = logarithmic ? logarithmicAxis(30)
    : { ...axisStyle(), size: 30, space: 70, values: (_u, ticks) => ticks.map((t) => brief(t)) };
  if (options.xTicks) {
    xAxis.splits = (_u, _i, min, max) => options.xTicks!.filter((t) => t >= min * 0.999 && t <= max * 1.001);
    xAxis.values = (_u, ticks) => ticks.map((t) => brief(t, 3));
  }
  return {
    mode: 2,
    width,
    height: options.height(width),
    padding: [logarithmic ? 8 : vertical.padding, 14, 0, 0],
    legend: { show: false },
    cursor: {
      drag: { x: true, y: true, dist: 4, setScale: false },
      dataIdx: () => null as unknown as number,
      points: { show: false },
    },
    scales: { x: scale("x"), y: scale("y") },
    axes: [xAxis, logarithmic ? logarithmicAxis(58) : vertical.axis],
    series: [{} as uPlot.Series, ...curves().map(() => ({ paths: () => null, points: { show: false } }))],
    hooks: {
      draw: [(u) => !logarithmic && vertical.hook(u), (u) => drawCurves(u, curves())],
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

function wholeRange(curves: Curve[], logarithmic: boolean): Range {
  const along = (key: "x" | "y"): [number, number] => {
    let low = Infinity, high = -Infinity;
    for (const curve of curves) {
      if (curve.guide) continue;
      for (const value of curve[key]) {
        if (value === null || (logarithmic && value <= 0)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    if (low > high) return logarithmic ? [0.1, 1] : [-1, 1];
    if (logarithmic) return [low / 1.6, high * 1.6];
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
  return x !== null && y !== null && (u.scales.x.distr !== 3 || (x > 0 && y > 0));
}

function drawCurves(u: uPlot, curves: Curve[]): void {
  const context = u.ctx;
  const scale = devicePixelRatio;
  context.save();
  context.beginPath();
  context.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  context.clip();
  for (const curve of curves) {
    const colour = curve.guide ? styleValue("--axis") : lineColour(curve.colour);
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = (curve.guide ? 1 : 1.4) * scale;
    context.lineJoin = "round";
    context.setLineDash(curve.guide ? [4 * scale, 4 * scale] : []);
    context.beginPath();
    let pen = false;
    const dots: [number, number][] = [];
    for (let i = 0; i < curve.x.length; ++i) {
      if (!isDrawn(u, curve.x[i], curve.y[i])) {
        pen = false;
        continue;
      }
      const x = u.valToPos(curve.x[i]!, "x", true), y = u.valToPos(curve.y[i]!, "y", true);
      if (pen) context.lineTo(x, y);
      else context.moveTo(x, y);
      pen = true;
      dots.push([x, y]);
    }
    if (curve.scattered) for (const [x, y] of dots) dot(context, x, y, 0.9 * scale);
    else context.stroke();
    if (curve.marked) for (const [x, y] of dots) dot(context, x, y, 3.2 * scale);
    if (curve.note && dots.length > 0) drawNote(u, curve.note, dots);
  }
  context.restore();
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

// Beside the last point of the line that is in sight.
function drawNote(u: uPlot, text: string, dots: [number, number][]): void {
  const { left, top, width, height } = u.bbox;
  const scale = devicePixelRatio;
  const [x, y] = dots[dots.length - 1];
  u.ctx.save();
  u.ctx.fillStyle = styleValue("--muted");
  u.ctx.font = `${12 * scale}px system-ui, sans-serif`;
  u.ctx.textBaseline = "middle";
  u.ctx.textAlign = "right";
  u.ctx.fillText(text, Math.min(x, left + width) - 6 * scale, Math.min(Math.max(y - 10 * scale, top + 8 * scale), top + height - 8 * scale));
  u.ctx.restore();
}

function nearestPoint(u: uPlot, curves: Curve[]): { curve: Curve; index: number } | null {
  const { left, top } = u.cursor;
  if (left === undefined || top === undefined || left < 0) return null;
  let best: { curve: Curve; index: number } | null = null;
  let distance = 80 ** 2;  // pixels
  for (const curve of curves) {
    if (curve.guide) continue;
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
