// Quantities against time. All plots of a page share their time axis: zooming one zooms all, and so does the cursor.
import uPlot from "uplot";
import { h } from "./dom";
import { brief } from "./number";
import { allPlots, axisStyle, drawZero, legendKey, lineColour, logarithmicAxis, mount, scientificAxis } from "./plot";

export interface Line { label: () => Node | string; values: (number | null)[]; colour: number }

export class TimeAxis {
  private readonly plots = new Set<uPlot>();
  private readonly listeners: ((zoomed: boolean) => void)[] = [];
  private readonly full: [number, number];
  private shown: [number, number];

  constructor(readonly times: number[]) {
    const first = times[0], last = times[times.length - 1];
    this.full = last > first ? [first, last] : [first - 1, first + 1];
    this.shown = this.full;
  }

  range(): [number, number] {
    return this.shown;
  }

  add(plot: uPlot): void {
    this.plots.add(plot);
  }

  remove(plot: uPlot): void {
    this.plots.delete(plot);
  }

  whenZoomed(listener: (zoomed: boolean) => void): void {
    this.listeners.push(listener);
  }

  show(min: number, max: number): void {
    if (min === this.shown[0] && max === this.shown[1]) return;
    this.shown = [Math.max(min, this.full[0]), Math.min(max, this.full[1])];
    for (const plot of this.plots) plot.setScale("x", { min: this.shown[0], max: this.shown[1] });
    const zoomed = this.shown[0] > this.full[0] || this.shown[1] < this.full[1];
    for (const listener of this.listeners) listener(zoomed);
  }

  reset(): void {
    this.show(...this.full);
  }
}

export interface PanelOptions {
  name: string;         // in window.__actio.plots
  height?: number;
  bare?: boolean;       // without numbers on the time axis: another plot stands below
  counts?: boolean;     // whole numbers, drawn as steps
  logarithm?: boolean;  // offers the logarithm of the size
}

export function timePanel(axis: TimeAxis, lines: Line[], options: PanelOptions): HTMLElement {
  const host = h("div", { class: "plot" });
  const time = h("span", { class: "reading time" });
  const readings = lines.map(() => h("span", { class: "reading" }));
  const visible = lines.map(() => true);
  let logarithmic = false;

  const legend = lines.map((line, i) => legendKey([line.label(), readings[i]], line.colour, lines.length === 1, (shown) => {
    visible[i] = shown;
    mounted.current()?.setSeries(i + 1, { show: shown });
  }));

  const reset = h("button", { class: "tool", type: "button", hidden: true, click: () => axis.reset() }, "Reset zoom");
  axis.whenZoomed((zoomed) => (reset.hidden = !zoomed));
  const scale = options.logarithm && h("button", {
    class: "tool", type: "button", "aria-pressed": "false",
    click: (event) => {
      logarithmic = !logarithmic;
      (event.currentTarget as HTMLElement).setAttribute("aria-pressed", String(logarithmic));
      mounted.remake();
    },
  }, "Logarithm");

  const read = (u: uPlot) => {
    const at = u.cursor.idx;
    const outside = at === null || at === undefined || u.cursor.left! < 0;
    time.textContent = outside ? "" : `t = ${brief(axis.times[at])}`;
    lines.forEach((line, i) => (readings[i].textContent = outside ? "" : ` = ${brief(line.values[at])}`));
  };

  const mounted = mount(host, (width) => {
    const plot = new uPlot(plotOptions(axis, lines, options, { width, logarithmic, visible, read }),
      plotData(axis, lines, logarithmic), host);
    allPlots.set(options.name, plot);
    axis.add(plot);
    return plot;
  });
  return h("figure", { class: "panel", "data-plot": options.name },
    h("figcaption", {}, h("span", { class: "legend" }, ...legend), h("span", { class: "tools" }, time, scale, reset)),
    host);
}

function plotData(axis: TimeAxis, lines: Line[], logarithmic: boolean): uPlot.AlignedData {
  const shown = (values: (number | null)[]) =>
    logarithmic ? values.map((v) => (v === null || v === 0 ? null : Math.abs(v))) : values;
  return [axis.times, ...lines.map((line) => shown(line.values))] as uPlot.AlignedData;
}

interface Drawing { width: number; logarithmic: boolean; visible: boolean[]; read: (u: uPlot) => void }

function plotOptions(axis: TimeAxis, lines: Line[], options: PanelOptions, drawing: Drawing): uPlot.Options {
  const vertical = scientificAxis();
  if (options.counts) vertical.axis.incrs = [1, 2, 5, 10, 20, 50, 100];
  const stepped = options.counts ? uPlot.paths.stepped!({ align: -1 }) : undefined;
  return {
    width: drawing.width,
    height: (options.height ?? 160) + (options.bare ? 8 : 42),
    padding: [vertical.padding, 12, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, dist: 4, setScale: false },
      sync: { key: "time", filters: { pub: (type) => type === "mousemove" || type === "mouseleave", sub: () => true } },
      points: { size: 6, width: 0 },
    },
    scales: {
      x: { time: false, range: () => axis.range() },
      y: drawing.logarithmic ? { distr: 3 } : { range: (_u, min, max) => (options.counts ? [min - 0.6, max + 0.6] : paddedRange(min, max)) },
    },
    axes: [
      options.bare ? { ...axisStyle(), size: 8, space: 70, values: (_u, ticks) => ticks.map(() => "") }
        : { ...axisStyle(), size: 26, space: 70, label: "t", labelFont: "italic 13px serif", labelSize: 16, labelGap: -2,
          values: (_u, ticks) => ticks.map((t) => brief(t)) },
      drawing.logarithmic ? logarithmicAxis(52) : { ...vertical.axis, space: 34 },
    ],
    series: [
      {},
      ...lines.map((line, i) => ({
        stroke: () => lineColour(line.colour), width: 1.4, show: drawing.visible[i], points: { show: false },
        spanGaps: drawing.logarithmic, ...(stepped ? { paths: stepped } : {}),
      })),
    ],
    hooks: {
      drawClear: [drawZero],
      draw: [(u) => !drawing.logarithmic && vertical.hook(u)],
      setCursor: [drawing.read],
      setSelect: [(u) => zoomToSelection(u, axis)],
      ready: [(u) => u.over.addEventListener("dblclick", () => axis.reset())],
      destroy: [(u) => axis.remove(u)],
    },
  };
}

function zoomToSelection(u: uPlot, axis: TimeAxis): void {
  const { left, width } = u.select;
  if (width === 0) return;
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  axis.show(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
}

function paddedRange(min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [-1, 1];
  const span = max - min;
  if (span > 1e-12 * Math.max(Math.abs(min), Math.abs(max))) return [min - 0.08 * span, max + 0.08 * span];
  const size = Math.abs(max) || 1;
  return [min - 0.1 * size, max + 0.1 * size];
}

// Panels one below the other; only the last has numbers on its time axis.
export function timePanels(axis: TimeAxis, groups: Line[][], name: string, options: Partial<PanelOptions> = {}): HTMLElement[] {
  return groups.map((lines, i) =>
    timePanel(axis, lines, { name: `${name}-${i}`, bare: i < groups.length - 1, ...options }));
}

// Lines that can share a vertical axis: each spans a fifth of it or more.
export function shareAxes(lines: Line[]): Line[][] {
  const groups: { lines: Line[]; low: number; high: number; narrowest: number }[] = [];
  for (const line of lines) {
    let low = Infinity, high = -Infinity;
    for (const value of line.values) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    const span = high - low;
    const home = groups.find((g) => g.lines.length < 6 &&
      Math.min(g.narrowest, span) >= 0.2 * (Math.max(g.high, high) - Math.min(g.low, low)));
    if (!home) {
      groups.push({ lines: [line], low, high, narrowest: span });
      continue;
    }
    home.lines.push(line);
    home.low = Math.min(home.low, low);
    home.high = Math.max(home.high, high);
    home.narrowest = Math.min(home.narrowest, span);
  }
  return groups.map((g) => g.lines);
}
