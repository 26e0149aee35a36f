// What all plots share: colours, axes, sizes, touch, printing.
import uPlot from "uplot";
import { type Child, h } from "./dom";
import { linearTicks, powerOfTen, tickLabels } from "./number";

export const allPlots = new Map<string, uPlot>();
export const colours = 8;
// Other drawings that must be made again when colours change.
export const drawings = new Set<() => void>();
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

// A vertical axis; what its numbers have in common stands once, above it; `padding` is the room that it needs there.
export function scientificAxis(): { axis: uPlot.Axis; hook: (u: uPlot) => void; padding: () => number } {
  let common = "";
  const axis: uPlot.Axis = {
    ...axisStyle(),
    size: (_u, labels) => Math.max(52, 16 + 7.2 * Math.max(0, ...(labels ?? []).map((l) => l.length))),
    // uPlot's own ticks are never closer than 1e-16.
    splits: (u, _side, min, max) => linearTicks(min, max, u.bbox.height / devicePixelRatio / 36),
    values: (_u, ticks) => {
      const shown = tickLabels(ticks);
      common = shown.common;
      return shown.labels;
    },
  };
  return { axis, hook: (u) => drawCommon(u, common), padding: () => (common === "" ? 8 : 22) };
}

function drawCommon(u: uPlot, common: string): void {
  if (common === "") return;
  const scale = devicePixelRatio;
  u.ctx.save();
  u.ctx.font = axisFont.replace("12px", `${12 * scale}px`);
  u.ctx.fillStyle = styleValue("--muted");
  u.ctx.textBaseline = "bottom";
  // Beside the numbers, but for long ones, which begin at the edge.
  const room = u.bbox.left - 6 * scale, needed = u.ctx.measureText(common).width;
  u.ctx.textAlign = "left";
  u.ctx.fillText(common, Math.max(0, room - needed), u.bbox.top - 7 * scale);
  u.ctx.restore();
}

// Ticks at powers of ten, or at 1, 2 and 5 times them where there would be too few.
export function logarithmicAxis(size: number): uPlot.Axis {
  return {
    ...axisStyle(),
    size,
    splits: (u, side, min, max) => logarithmicTicks(min, max, side === 0 ? u.bbox.width / 60 : u.bbox.height / 30),
    filter: (_u, ticks) => ticks,
    values: (_u, ticks) => logarithmicLabels(ticks),
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

// All of them with powers of ten, or none.
function logarithmicLabels(ticks: number[]): string[] {
  const exponents = ticks.map((tick) => Math.floor(Math.log10(tick) + 1e-9));
  const plain = exponents.every((e) => e >= -2 && e <= 3);
  return ticks.map((tick, i) => {
    const mantissa = Math.round(tick / 10 ** exponents[i]);
    if (plain) return String(Number((mantissa * 10 ** exponents[i]).toPrecision(1)));
    return mantissa === 1 ? powerOfTen(exponents[i]) : `${mantissa} × ${powerOfTen(exponents[i])}`;
  });
}

// A stronger line at zero, where it is in sight.
export function drawZero(u: uPlot): void {
  const { min, max, distr } = u.scales.y;
  if (distr === 3 || min === undefined || max === undefined || min! >= 0 || max! <= 0) return;
  const y = Math.round(u.valToPos(0, "y", true)) + 0.5;
  u.ctx.save();
  u.ctx.strokeStyle = styleValue("--axis");
  u.ctx.lineWidth = devicePixelRatio;
  u.ctx.beginPath();
  u.ctx.moveTo(u.bbox.left, y);
  u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
  u.ctx.stroke();
  u.ctx.restore();
}

// An entry of a legend, which hides and shows its curve; where there is only one it does nothing.
export function legendKey(content: Child[], colour: number, isOnly: boolean, show: (visible: boolean) => void): HTMLElement {
  let visible = true;
  return h("button", {
    class: "key", type: "button", "aria-pressed": "true", style: `--key: var(--line-${colour + 1})`, disabled: isOnly,
    click: (event) => {
      visible = !visible;
      (event.currentTarget as HTMLElement).setAttribute("aria-pressed", String(visible));
      show(visible);
    },
  }, content);
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
  for (const draw of drawings) draw();
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
