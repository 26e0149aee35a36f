// Maps over two swept values, and fields over index and time: pictures that are read back into numbers, coloured, and
// looked into.
import type { EnsembleMap } from "./data";
import { type Child, h, note, section } from "./dom";
import { withSubscripts } from "./mathematics";
import { brief, grouped } from "./number";
import { allPlots } from "./plot";

// From dark to light, read in grey as well (after "inferno" and "viridis" of matplotlib, eight stops each).
const scales: Record<string, number[][]> = {
  fire: [[0, 0, 4], [40, 11, 84], [101, 21, 110], [159, 42, 99], [212, 72, 66], [245, 125, 21], [250, 193, 39], [252, 255, 164]],
  leaf: [[68, 1, 84], [70, 50, 127], [54, 92, 141], [39, 127, 142], [31, 161, 135], [74, 194, 109], [159, 218, 58], [253, 231, 37]],
};
// Categories: told apart by people who see few colours.
const kinds = [[115, 137, 147], [36, 74, 174], [184, 105, 15], [89, 179, 146], [94, 15, 60], [28, 127, 176], [168, 40, 31], [142, 153, 88]];
const missing = [128, 128, 128];

type Window = { x0: number; y0: number; x1: number; y1: number }; // in points, y from the top
type Pixels = { width: number; height: number; values: Uint8ClampedArray };

export function mapSection(maps: EnsembleMap[]): Child {
  return pictureSection("map", "Map", maps);
}

export function fieldSection(fields: EnsembleMap[]): Child {
  const coarse = fields.filter((field) => field.cell! > 1);
  return pictureSection("field", "Field", fields, coarse.length > 0 &&
    note(coarse.map((field) => `A point of ${field.name} is the mean of ${grouped(field.cell!)} neighbours`).join("; "), "."));
}

// A picture that stands in frames below one another is played.
function pictureSection(id: string, title: string, maps: EnsembleMap[], ...more: Child[]): Child {
  if (maps.length === 0) return null;
  let map = maps[0], all: Pixels | null = null, pixels: Pixels | null = null, view: Window | null = null;
  let dragged: [number, number] | null = null, timer = 0;
  const canvas = h("canvas", { class: "map" }), overlay = h("div", { class: "rubber", hidden: true });
  const reading = h("div", { class: "reading above", hidden: true });
  const bar = h("canvas", { class: "scale", width: 256, height: 1 }), legend = h("div", { class: "map-legend" });
  const left = h("div", { class: "map-y" }), below = h("div", { class: "map-x" });
  const reset = h("button", { class: "tool", type: "button", hidden: true, click: () => zoomTo(null) }, "Reset zoom");
  const whole = (): Window => ({ x0: 0, y0: 0, x1: pixels!.width, y1: pixels!.height });
  const shown = () => view ?? whole();
  const frame = h("div", { class: "map-frame" }, canvas, overlay);

  const draw = () => {
    if (!pixels) return;
    const { x0, y0, x1, y1 } = shown();
    const ratio = Math.min(2, window.devicePixelRatio || 1), width = Math.round(frame.clientWidth * ratio) || 600;
    const height = Math.round(width * Math.min(1, Math.max(0.4, pixels.height / pixels.width)));
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d")!, image = context.createImageData(width, height), table = colours(map);
    const across = (x1 - x0) / width, down = (y1 - y0) / height;
    for (let row = 0; row < height; ++row) {
      for (let column = 0; column < width; ++column) {
        const colour = mean(pixels, table, x0 + column * across, y0 + row * down, across, down, map.categories.length > 0);
        image.data.set([colour[0], colour[1], colour[2], 255], 4 * (row * width + column));
      }
    }
    context.putImageData(image, 0, 0);
    axes();
  };
  const axes = () => {
    const { x0, y0, x1, y1 } = shown();
    // Between the outer borders of the first and the last point shown.
    const marks = (first: number, last: number, axis: EnsembleMap["x"], side: "left" | "bottom") => {
      const from = at(axis, first - 0.5), to = at(axis, last - 0.5);
      return h("div", { class: "map-marks" }, roundValues(Math.min(from, to), Math.max(from, to)).map((value) =>
        h("span", { style: `${side}: ${(100 * (value - from) / (to - from)).toFixed(2)}%` }, brief(value))));
    };
    below.replaceChildren(marks(x0, x1, map.x, "left"), h("div", { class: "axis-name below" }, withSubscripts(map.x.name)));
    left.replaceChildren(h("div", { class: "axis-name" }, withSubscripts(map.y.name)),
      marks(pixels!.height - y1, pixels!.height - y0, map.y, "bottom"));
    reset.hidden = view === null;
  };
  const zoomTo = (to: Window | null) => {
    view = to;
    draw();
  };
  const place = (event: MouseEvent): [number, number] => {
    const box = canvas.getBoundingClientRect(), { x0, y0, x1, y1 } = shown();
    return [x0 + (event.clientX - box.left) / box.width * (x1 - x0), y0 + (event.clientY - box.top) / box.height * (y1 - y0)];
  };
  const read = (event: MouseEvent) => {
    if (!pixels) return;
    const [x, y] = place(event).map(Math.floor);
    reading.hidden = x < 0 || y < 0 || x >= pixels.width || y >= pixels.height;
    if (reading.hidden) return;
    const value = pixels.values[y * pixels.width + x];
    reading.replaceChildren(h("span", {}, withSubscripts(map.x.name), ` = ${brief(at(map.x, x))}, `, withSubscripts(map.y.name),
      ` = ${brief(at(map.y, pixels.height - 1 - y))}: `, withSubscripts(map.name), ` ${valueText(map, value)}`));
  };
  canvas.addEventListener("mousedown", (event) => { dragged = place(event); event.preventDefault(); });
  canvas.addEventListener("mousemove", (event) => {
    read(event);
    if (!dragged) return;
    const box = canvas.getBoundingClientRect(), [x, y] = place(event), { x0, y0, x1, y1 } = shown();
    const [px, py] = [(v: number) => (v - x0) / (x1 - x0) * box.width, (v: number) => (v - y0) / (y1 - y0) * box.height];
    Object.assign(overlay.style, {
      left: `${px(Math.min(x, dragged[0]))}px`, top: `${py(Math.min(y, dragged[1]))}px`,
      width: `${px(Math.max(x, dragged[0])) - px(Math.min(x, dragged[0]))}px`, height: `${py(Math.max(y, dragged[1])) - py(Math.min(y, dragged[1]))}px`,
    });
    overlay.hidden = false;
  });
  window.addEventListener("mouseup", (event) => {
    if (!dragged) return;
    const [x, y] = place(event), [a, b] = dragged;
    dragged = null;
    overlay.hidden = true;
    const clamped = limited({ x0: Math.min(a, x), y0: Math.min(b, y), x1: Math.max(a, x), y1: Math.max(b, y) }, whole());
    if (clamped.x1 - clamped.x0 > 2 && clamped.y1 - clamped.y0 > 2) zoomTo(clamped);
  });
  canvas.addEventListener("mouseleave", () => { reading.hidden = true; });
  canvas.addEventListener("dblclick", () => zoomTo(null));
  canvas.addEventListener("wheel", (event) => {
    if (!pixels || !event.ctrlKey && !event.shiftKey && view === null && event.deltaY > 0) return;
    event.preventDefault();
    const factor = event.deltaY > 0 ? 1.25 : 0.8, [x, y] = place(event), { x0, y0, x1, y1 } = shown();
    const next = limited({ x0: x + (x0 - x) * factor, x1: x + (x1 - x) * factor, y0: y + (y0 - y) * factor, y1: y + (y1 - y) * factor }, whole());
    const isWhole = next.x1 - next.x0 >= pixels.width && next.y1 - next.y0 >= pixels.height;
    if (next.x1 - next.x0 > 4) zoomTo(isWhole ? null : next);
  }, { passive: false });

  const choose = (next: EnsembleMap) => {
    map = next;
    const sameGrid = all !== null && pixels !== null && pixels.width === map.x.count && pixels.height === map.y.count;
    const image = new Image();
    image.onload = () => {
      all = pixels = pixelsOf(image);
      if (!sameGrid) view = null;
      stop();
      player.hidden = !map.frames;
      describe();
      show(0);
    };
    image.src = `data:image/png;base64,${map.png}`;
  };
  const when = h("input", {
    type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": "Time", class: "when",
    input: () => { stop(); show(Number(when.value)); },
  });
  const time = h("output", { class: "reading time" });
  const play = h("button", { class: "tool play", type: "button", click: () => (timer ? stop() : start()) });
  const player = h("div", { class: "controls", hidden: true }, play, when, time);
  const show = (frame: number) => {
    if (map.frames && all) {
      const height = all.height / map.frames.length, size = height * all.width;
      pixels = { width: all.width, height, values: all.values.subarray(frame * size, (frame + 1) * size) };
      when.max = String(map.frames.length - 1);
      when.value = String(frame);
      time.textContent = `t = ${brief(map.frames[frame], 4)}`;
    }
    draw();
  };
  const start = () => {
    play.textContent = "❚❚ Pause";
    timer = window.setInterval(() => show((Number(when.value) + 1) % map.frames!.length), 120);
  };
  const stop = () => {
    window.clearInterval(timer);
    timer = 0;
    play.textContent = "▶ Play";
  };
  const describe = () => {
    if (map.categories.length > 0) {
      const found = new Set(all!.values);
      legend.replaceChildren(...map.categories.map((name, k) => found.has(k + 1) && h("span", { class: "key" },
        h("i", { style: `background: rgb(${kinds[k % kinds.length].join()})` }), name)).filter((x): x is HTMLSpanElement => x !== false));
      return;
    }
    const context = bar.getContext("2d")!, image = context.createImageData(256, 1), table = colours(map);
    for (let k = 0; k < 256; ++k) image.data.set([...table[1 + Math.round(k / 255 * (map.levels - 1))], 255], 4 * k);
    context.putImageData(image, 0, 0);
    legend.replaceChildren(h("span", {}, valueText(map, 1)), bar, h("span", {}, valueText(map, map.levels)));
  };
  const select = h("label", {}, "Show ", h("select", {
    change: (event) => choose(maps[Number((event.currentTarget as HTMLSelectElement).value)]),
  }, maps.map((m, k) => h("option", { value: k }, m.name))));
  const element = section(id, title, h("div", { class: "choice selects" }, select, legend, reset), reading,
    h("div", { class: "map-grid" }, left, frame, h("div", {}), below), player,
    h("p", { class: "note" }, "Drag over a part to look closer, or turn the wheel; a double click shows all."), ...more);
  new ResizeObserver(() => draw()).observe(frame);
  (allPlots as unknown as Record<string, unknown>)[id] = { read: () => reading.textContent, zoomTo, pixels: () => pixels };
  choose(map);
  return element;
}

// Some five multiples of 1, 2 or 5 times a power of ten.
function roundValues(low: number, high: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((k) => k * power >= rough)!;
  const values: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; ++k) values.push(Number((k * step).toPrecision(12)));
  return values;
}

function limited(to: Window, whole: Window): Window {
  const fit = (low: number, high: number, most: number): [number, number] => {
    const length = Math.min(high - low, most), first = Math.min(Math.max(low, 0), most - length);
    return [first, first + length];
  };
  const [x0, x1] = fit(to.x0, to.x1, whole.x1), [y0, y1] = fit(to.y0, to.y1, whole.y1);
  return { x0, x1, y0, y1 };
}

function pixelsOf(image: HTMLImageElement): Pixels {
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.drawImage(image, 0, 0);
  const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
  const values = new Uint8ClampedArray(canvas.width * canvas.height);
  for (let k = 0; k < values.length; ++k) values[k] = data[4 * k];
  return { width: canvas.width, height: canvas.height, values };
}

// The colour of every value of a picture.
function colours(map: EnsembleMap): number[][] {
  const table = [missing];
  for (let k = 0; k < 255; ++k) {
    if (map.categories.length > 0) {
      table.push(kinds[k % kinds.length]);
      continue;
    }
    const scale = map.name.startsWith("Lyapunov") || map.logarithmic ? scales.fire : scales.leaf;
    const place = Math.min(1, k / Math.max(1, map.levels - 1)) * (scale.length - 1), first = Math.min(scale.length - 2, Math.floor(place));
    table.push(scale[first].map((c, i) => Math.round(c + (place - first) * (scale[first + 1][i] - c))));
  }
  return table;
}

// Of the points under one on the screen; of categories the first.
function mean(pixels: Pixels, table: number[][], x: number, y: number, across: number, down: number, first: boolean): number[] {
  const x0 = Math.floor(x), y0 = Math.floor(y);
  const x1 = first ? x0 + 1 : Math.max(x0 + 1, Math.ceil(x + across) - 1), y1 = first ? y0 + 1 : Math.max(y0 + 1, Math.ceil(y + down) - 1);
  if (x1 - x0 === 1 && y1 - y0 === 1) return table[pixels.values[Math.min(y0, pixels.height - 1) * pixels.width + Math.min(x0, pixels.width - 1)]];
  let [r, g, b, n] = [0, 0, 0, 0];
  for (let j = y0; j < Math.min(y1, pixels.height); ++j) {
    for (let i = x0; i < Math.min(x1, pixels.width); ++i) {
      const c = table[pixels.values[j * pixels.width + i]];
      [r, g, b, n] = [r + c[0], g + c[1], b + c[2], n + 1];
    }
  }
  return n > 0 ? [r / n, g / n, b / n] : missing;
}

function at(axis: EnsembleMap["x"], place: number): number {
  return axis.count > 1 ? axis.from + (axis.to - axis.from) * place / (axis.count - 1) : axis.from;
}

function valueText(map: EnsembleMap, value: number): string {
  if (value === 0) return "none";
  if (map.categories.length > 0) return map.categories[value - 1];
  const part = map.levels > 1 ? (value - 1) / (map.levels - 1) : 0, x = map.low! + part * (map.high! - map.low!);
  return map.logarithmic ? (10 ** x).toExponential(1) : x.toPrecision(3);
}
