// The animation of a run: a picture that can be turned, played and stopped.
import { Camera } from "./camera";
import type { View } from "./data";
import { type Child, h, note, section } from "./dom";
import { boundsOf, Motion, speedOf, type Vector } from "./motion";
import { brief, grouped } from "./number";
import { drawings, legendKey } from "./plot";
import { type Picture, Scene } from "./scene";

// What the tests and the console see.
export interface ShownView {
  time: () => number;
  isPlaying: () => boolean;
  positions: () => Record<string, Vector>;
  places: () => Record<string, { x: number; y: number }>; // on the canvas, in pixels
}

export const shownViews: ShownView[] = [];

export function viewSection(view: View, title: string): Child {
  return section("view", "Animation", new Animation(view, title).element);
}

const restAtEnd = 1; // seconds, before it begins again
const fadingTrace = 5; // sizes of the picture

class Animation {
  readonly element: HTMLElement;
  private readonly motions: Motion[];
  private readonly camera: Camera;
  private readonly scene: Scene;
  private readonly picture: Picture;
  private readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly playButton: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly reading = h("output", { class: "reading time" });
  private readonly speedReading = h("output", { class: "reading" });
  private readonly usualRate: number[]; // of each clip: time a second
  private rate: number;
  private playing = false;
  private inSight = false;
  private hasBegun = false; // whether it was ever played: before, the picture shows the whole trace
  private lastTick: number | null = null;
  private rested = 0;

  constructor(private readonly view: View, title: string) {
    this.motions = view.clips.map((clip, i) => new Motion(view, clip, i === 0));
    const bounds = boundsOf(view, this.motions);
    const size = Math.max(...[0, 1, 2].map((k) => bounds.high[k] - bounds.low[k])) || 1;
    const speeds = this.motions.map((motion) => speedOf(view, motion) / size); // sizes a unit of time
    this.camera = new Camera(bounds, view.dimensions === 2);
    this.scene = new Scene(view, bounds, this.motions[0]);
    this.usualRate = this.motions.map((motion, i) => usualRate(i === 0 ? speeds[0] : 0, motion.end() - motion.start()));
    this.rate = this.usualRate[0];
    this.picture = {
      time: this.motions[0].start(), motion: this.motions[0], trace: "fading", hiddenTraces: new Set(),
      tail: speeds[0] > 0 ? fadingTrace / speeds[0] : Infinity,
    };
    this.canvas = h("canvas", {
      class: "scene", tabindex: 0, role: "img",
      "aria-label": `Animation of ${title}${view.points.length > 0 ? `: ${view.points.join(", ")}` : ""}. ` +
        `Arrow keys ${view.dimensions === 3 ? "turn" : "move"} it, plus and minus zoom, space plays and pauses.`,
    });
    this.context = this.canvas.getContext("2d")!;
    this.playButton = h("button", { class: "tool play", type: "button", click: () => this.setPlaying(!this.playing) });
    this.slider = h("input", {
      type: "range", min: 0, max: 1000, step: "any", value: 0, "aria-label": "Time", class: "when",
      input: () => {
        this.setPlaying(false);
        this.hasBegun = true;
        const { motion } = this.picture;
        this.show(motion.start() + (Number(this.slider.value) / 1000) * (motion.end() - motion.start()));
      },
    });
    this.element = this.build();
    this.setPlaying(false);
    this.setSpeed(0);
    this.listen();
    shownViews.push(this.seen());
  }

  private build(): HTMLElement {
    const legend = [...this.scene.colourOf].map(([point, colour]) => {
      const traced = this.view.traces.includes(point);
      return legendKey([this.view.points[point].replaceAll("_", " ")], colour % 8, !traced, (visible) => {
        if (visible) this.picture.hiddenTraces.delete(point);
        else this.picture.hiddenTraces.add(point);
        this.draw();
      });
    });
    const whole = this.view.traces.length > 0 && h("button", {
      class: "tool", type: "button", "aria-pressed": "false",
      click: (event) => {
        this.picture.trace = this.picture.trace === "whole" ? "fading" : "whole";
        (event.currentTarget as HTMLElement).setAttribute("aria-pressed", String(this.picture.trace === "whole"));
        this.draw();
      },
    }, "Whole trace");
    const zoom = (factor: number, name: string, sign: string) => h("button", {
      class: "tool", type: "button", "aria-label": name, title: name,
      click: () => {
        this.camera.zoomBy(factor);
        this.draw();
      },
    }, sign);
    const reset = h("button", {
      class: "tool", type: "button",
      click: () => {
        this.camera.reset();
        this.draw();
      },
    }, "Reset view");
    const speed = h("input", {
      type: "range", min: -5, max: 5, step: 0.5, value: 0, "aria-label": "Speed",
      input: (event) => this.setSpeed(Number((event.currentTarget as HTMLInputElement).value)),
    });
    return h("div", {},
      this.clipChoice(speed),
      h("figure", { class: "panel", id: "scene" },
        h("figcaption", {}, h("span", { class: "legend" }, legend),
          h("span", { class: "tools" }, this.reading, whole, zoom(1.25, "Larger", "+"), zoom(0.8, "Smaller", "−"), reset)),
        h("div", { class: "stage" }, this.canvas),
        h("div", { class: "controls" }, this.playButton, this.slider,
          h("label", { class: "speed" }, "Speed ", speed, this.speedReading))),
      this.clipNote());
  }

  private clipChoice(speed: HTMLInputElement): Child {
    if (this.motions.length < 2) return null;
    const names = [`Beginning, to t = ${brief(this.motions[0].end(), 4)}`, "Whole run"];
    const buttons = names.map((name, i) => h("button", {
      type: "button", "aria-pressed": String(i === 0),
      click: () => {
        buttons.forEach((button, k) => button.setAttribute("aria-pressed", String(k === i)));
        this.picture.motion = this.motions[i];
        this.picture.trace = i === 0 ? "fading" : "whole";
        speed.value = "0";
        this.setSpeed(0);
        this.show(this.motions[i].start());
      },
    }, name));
    return h("div", { class: "choice", role: "group" }, buttons);
  }

  private clipNote(): Child {
    const [first, whole] = this.view.clips;
    if (!whole) return first.stride > 1 && note(`A frame every ${stepsText(first.stride)}.`);
    return note(`The beginning is smooth, with a frame every ${stepsText(first.stride)}. The whole run has one every `,
      `${stepsText(whole.stride)}: much happens between them, and the points of a trace are not joined.`);
  }

  private setPlaying(playing: boolean): void {
    const { motion } = this.picture;
    if (playing && this.picture.time >= motion.end()) this.picture.time = motion.start();
    this.playing = playing;
    this.hasBegun ||= playing;
    this.playButton.textContent = playing ? "❚❚ Pause" : "▶ Play";
    this.lastTick = null;
    if (playing) requestAnimationFrame(this.tick);
  }

  private setSpeed(power: number): void {
    this.rate = this.usualRate[this.motions.indexOf(this.picture.motion)] * 2 ** power;
    this.speedReading.textContent = `${rateText(this.rate)} a second`;
  }

  private readonly tick = (now: number): void => {
    if (!this.playing || !this.inSight) {
      this.lastTick = null;
      return;
    }
    // A page that was asleep does not leap.
    const passed = this.lastTick === null ? 0 : Math.min(0.1, (now - this.lastTick) / 1000);
    this.lastTick = now;
    const { motion } = this.picture;
    if (this.picture.time >= motion.end()) {
      this.rested += passed;
      if (this.rested >= restAtEnd) {
        this.rested = 0;
        this.show(motion.start());
      }
    } else {
      this.show(Math.min(motion.end(), this.picture.time + passed * this.rate));
    }
    requestAnimationFrame(this.tick);
  };

  private show(time: number): void {
    const { motion } = this.picture;
    this.picture.time = time;
    this.slider.value = String((1000 * (time - motion.start())) / (motion.end() - motion.start() || 1));
    this.slider.setAttribute("aria-valuetext", `t = ${brief(time, 4)}`);
    this.draw();
  }

  // The first look and a printed page show where everything goes.
  private draw(): void {
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (width === 0) return;
    const ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.reading.textContent = `t = ${brief(this.picture.time, 4)}`;
    this.camera.resize(width, height);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const still = !this.hasBegun;
    this.scene.draw(this.context, this.camera, width, height, still ? { ...this.picture, trace: "ahead" } : this.picture);
  }

  private listen(): void {
    drawings.add(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    new IntersectionObserver((entries) => {
      this.inSight = entries[entries.length - 1].isIntersecting;
      if (!this.inSight) return;
      if (!this.hasBegun && !calm.matches) this.setPlaying(true);
      else if (this.playing) requestAnimationFrame(this.tick);
    }, { threshold: 0.3 }).observe(this.canvas);
    this.listenToPointers();
    this.canvas.addEventListener("keydown", (event) => {
      const moves: Record<string, () => void> = {
        ArrowLeft: () => this.camera.drag(-12, 0), ArrowRight: () => this.camera.drag(12, 0),
        ArrowUp: () => this.camera.drag(0, -12), ArrowDown: () => this.camera.drag(0, 12),
        "+": () => this.camera.zoomBy(1.15), "=": () => this.camera.zoomBy(1.15), "-": () => this.camera.zoomBy(1 / 1.15),
        " ": () => this.setPlaying(!this.playing), Home: () => this.camera.reset(),
      };
      const move = moves[event.key];
      if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move();
      this.draw();
    });
    // The wheel scrolls the page until somebody has taken hold of the picture.
    this.canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== this.canvas && !event.ctrlKey) return;
      event.preventDefault();
      this.camera.zoomBy(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
      this.draw();
    }, { passive: false });
  }

  // One finger or the mouse turns, two fingers zoom and move. A finger that moves up or down scrolls the page.
  private listenToPointers(): void {
    const held = new Map<number, { x: number; y: number }>();
    this.canvas.addEventListener("pointerdown", (event) => {
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      const now = { x: event.clientX, y: event.clientY };
      const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
      held.set(event.pointerId, now);
      if (!other) {
        this.camera.drag(now.x - before.x, now.y - before.y);
      } else {
        const distance = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
        const box = this.canvas.getBoundingClientRect();
        this.camera.zoomBy(distance(now) / distance(before), (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
        this.camera.move((now.x - before.x) / 2, (now.y - before.y) / 2);
      }
      this.draw();
    });
    for (const kind of ["pointerup", "pointercancel"] as const) {
      this.canvas.addEventListener(kind, (event) => held.delete(event.pointerId));
    }
  }

  private seen(): ShownView {
    const each = <T>(of: (p: Vector) => T) => Object.fromEntries(this.view.points.map((name, i) =>
      [name, of(this.picture.motion.point(i, this.picture.time))]));
    return {
      time: () => this.picture.time,
      isPlaying: () => this.playing,
      positions: () => each((p) => p),
      places: () => each((p) => (({ x, y }) => ({ x, y }))(this.camera.project(p))),
    };
  }
}

function rateText(rate: number): string {
  const text = rate >= 1000 ? grouped(Number(rate.toPrecision(2))) : brief(rate, 2);
  return `${text} time unit${text === "1" ? "" : "s"}`;
}

function stepsText(stride: number): string {
  return stride === 1 ? "step" : `${grouped(stride)} steps`;
}

// Time a second at which the picture is pleasant to watch: a point crosses it about once a second; as in nature where
// that is near. Without a speed the whole is shown in twenty seconds.
function usualRate(sizesPerTime: number, length: number): number {
  const rate = sizesPerTime > 0 ? 1 / sizesPerTime : length / 20;
  return rate > 0.5 && rate < 2 ? 1 : Number(rate.toPrecision(1)) || 1;
}
