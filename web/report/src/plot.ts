// What all plots share: colours, axes, sizes, touch, printing.
import uPlot from "uplot";
import { powerOfTen, tickLabels } from "./number";

export const allPlots = new Map<string, uPlot>();
export const colours = 8;
const axisFont = "12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

// Colours live in the style sheet, so that light, dark and print are decided in one place.
export function styleValue(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function lineColour(index: number): string {
  return styleValue(`--line-${(index % colours) + 1}`);
}

export function axisStyle(): Partial<uPlot.Axis> {
  return {
    stroke: () => styleValue("--muted"),
    grid: { stroke: () => styleValue("--grid"), width: 1 },
    ticks: { show: false },
    font: axisFont,
    gap: 6,
  };
}

// A vertical axis whose common power of ten stands once, above it; `padding` is the room that it needs there.
export function scientificAxis(): { axis: uPlot.Axis; hook: (u: uPlot) => void; padding: () => number } {
  let exponent = 0;
  const axis: uPlot.Axis = {
    ...axisStyle(),
    size: (_u, labels) => Math.max(52, 16 + 7.2 * Math.max(0, ...(labels ?? []).map((l) => l.length))),
    values: (_u, ticks) => {
      const shown = tickLabels(ticks);
      exponent = shown.exponent;
      return shown.labels;
    },
  };
  return { axis, hook: (u) => drawExponent(u, exponent), padding: () => (exponent === 0 ? 8 : 22) };
}

function drawExponent(u: uPlot, exponent: number): void {
  if (exponent === 0) return;
  const scale = devicePixelRatio;
  u.ctx.save();
  u.ctx.font = axisFont.replace("12px", `${12 * scale}px`);
  u.ctx.fillStyle = styleValue("--muted");
  u.ctx.textAlign = "right";
  u.ctx.textBaseline = "bottom";
  u.ctx.fillText(`× ${powerOfTen(exponent)}`, u.bbox.left - 6 * scale, u.bbox.top - 7 * scale);
  u.ctx.restore();
}

// Ticks at powers of ten, or at 1, 2 and 5 times them where there would be too few.
export function logarithmicAxis(size: number): uPlot.Axis {
  return {
    ...axisStyle(),
    size,
    splits: (u, side, min, max) => logarithmicTicks(min, max, side === 0 ? u.bbox.width / 60 : u.bbox.height / 30),
    filter: (_u, ticks) => ticks,
    values: (_u, ticks) => ticks.map(logarithmicLabel),
  };
}

// `room` is about how many there may be, times the pixel ratio.
function logarithmicTicks(min: number, max: number, room: number): number[] {
  const low = Math.ceil(Math.log10(min) - 1e-9), high = Math.floor(Math.log10(max) + 1e-9);
  const ticks: number[] = [];
  if (high - low < 2) {
    for (let e = low - 1; e <= high; ++e) ticks.push(...[1, 2, 5].map((m) => Number(`${m}e${e}`)));
    return ticks.filter((t) => t >= min * 0.999 && t <= max * 1.001);
  }
  const stride = Math.ceil((high - low) / Math.max(2, room / devicePixelRatio));
  for (let e = low; e <= high; e += stride) ticks.push(Number(`1e${e}`));
  return ticks;
}

function logarithmicLabel(value: number): string {
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const mantissa = Math.round(value / 10 ** exponent);
  if (exponent >= -2 && exponent <= 2) return String(Number((mantissa * 10 ** exponent).toPrecision(1)));
  return mantissa === 1 ? powerOfTen(exponent) : `${mantissa} × ${powerOfTen(exponent)}`;
}

// Makes a plot inside `host` as soon as it has a width, and keeps its width.
export function mount(host: HTMLElement, make: (width: number) => uPlot): { current: () => uPlot | null; remake: () => void } {
  let plot: uPlot | null = null;
  const fit = () => {
    const width = Math.floor(host.clientWidth);
    if (width === 0) return;
    if (!plot) {
      plot = make(width);
      forwardTouches(plot);
    } else if (plot.width !== width) {
      plot.setSize({ width, height: plot.height });
    }
  };
  new ResizeObserver(fit).observe(host);
  return {
    current: () => plot,
    remake: () => {
      plot?.destroy();
      plot = null;
      fit();
    },
  };
}

// A finger that moves sideways does what a mouse with its button down does; one that moves up or down scrolls the page.
function forwardTouches(u: uPlot): void {
  const forward = (types: string[]) => (event: TouchEvent) => {
    const touch = event.changedTouches[0];
    if (event.touches.length > 1) return;
    // uPlot ignores movements of length zero.
    const at = { clientX: touch.clientX, clientY: touch.clientY, movementX: 1, bubbles: true };
    for (const type of types) u.over.dispatchEvent(new MouseEvent(type, at));
  };
  const listen = (name: "touchstart" | "touchmove" | "touchend" | "touchcancel", ...types: string[]) =>
    u.over.addEventListener(name, forward(types), { passive: true });
  u.over.style.touchAction = "pan-y";
  listen("touchstart", "mousemove", "mousedown");
  listen("touchmove", "mousemove");
  listen("touchend", "mouseup");
  listen("touchcancel", "mouseup");
}

function redrawAll(): void {
  for (const plot of allPlots.values()) plot.redraw(false, true);
}

// Canvases do not follow the style sheet by themselves: redraw them when light and dark change, and for paper.
export function redrawForPrinting(): void {
  const root = document.documentElement;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
  addEventListener("beforeprint", () => {
    root.classList.add("printing");
    redrawAll();
  });
  addEventListener("afterprint", () => {
    root.classList.remove("printing");
    redrawAll();
  });
}
