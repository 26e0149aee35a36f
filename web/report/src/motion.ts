// The motion of a view: where its points and bodies are at any time of a clip.
import type { Clip, View } from "./data";

export type Vector = [number, number, number];
export interface Frame { centre: Vector; axes: [Vector, Vector, Vector] }

export const isFinitePoint = (p: Vector) => Number.isFinite(p[0]) && Number.isFinite(p[1]) && Number.isFinite(p[2]);

export class Motion {
  readonly times: number[];
  readonly smooth: boolean; // frames between which positions may be interpolated
  private readonly bodyStart: number;
  private readonly bodySize: number;

  constructor(private readonly view: View, clip: Clip, smooth: boolean) {
    this.times = clip.times;
    this.columns = clip.columns;
    this.smooth = smooth;
    const d = view.dimensions;
    this.bodyStart = view.points.length * d;
    this.bodySize = d + d * d;
  }
  private readonly columns: Clip["columns"];

  start(): number { return this.times[0]; }
  end(): number { return this.times[this.times.length - 1]; }

  // The last frame that is not later than `time`.
  frameAt(time: number): number {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  moves(point: number): boolean {
    const d = this.view.dimensions;
    for (let k = 0; k < d; ++k) if (Array.isArray(this.columns[point * d + k])) return true;
    return false;
  }

  pointAtFrame(point: number, frame: number): Vector {
    return this.vector(point * this.view.dimensions, (k) => this.number(k, frame), this.view.unit);
  }

  point(point: number, time: number): Vector {
    return this.vector(point * this.view.dimensions, (k) => this.numberAt(k, time), this.view.unit);
  }

  body(body: number, time: number): Frame {
    const d = this.view.dimensions, at = this.bodyStart + body * this.bodySize;
    const read = (k: number) => this.numberAt(k, time);
    const axis = (k: number) => this.vector(at + d + k * d, read, this.view.axis_unit);
    return {
      centre: this.vector(at, read, this.view.unit),
      axes: [axis(0), axis(1), d === 3 ? axis(2) : [0, 0, 1]],
    };
  }

  bodyCentreAtFrame(body: number, frame: number): Vector {
    return this.vector(this.bodyStart + body * this.bodySize, (k) => this.number(k, frame), this.view.unit);
  }

  private vector(first: number, read: (column: number) => number, unit: number): Vector {
    return [read(first) * unit, read(first + 1) * unit, this.view.dimensions === 3 ? read(first + 2) * unit : 0];
  }

  private number(column: number, frame: number): number {
    const values = this.columns[column];
    return (Array.isArray(values) ? values[frame] : values) ?? NaN;
  }

  // Along a cubic through four frames whose slopes are differences of neighbours; in a clip with gaps, the last frame.
  private numberAt(column: number, time: number): number {
    const k = this.frameAt(time), last = this.times.length - 1;
    const x1 = this.number(column, k);
    if (!this.smooth || k === last || !Array.isArray(this.columns[column])) return x1;
    const x2 = this.number(column, k + 1), h = this.times[k + 1] - this.times[k];
    const slope = (i: number) => {
      const before = Math.max(i - 1, 0), after = Math.min(i + 1, last);
      return (this.number(column, after) - this.number(column, before)) / (this.times[after] - this.times[before]);
    };
    const s = (time - this.times[k]) / h, m1 = slope(k) * h, m2 = slope(k + 1) * h;
    return x1 + s * (m1 + s * (3 * (x2 - x1) - 2 * m1 - m2 + s * (2 * (x1 - x2) + m1 + m2)));
  }
}

export interface Box { low: Vector; high: Vector; content: Vector[] } // content: places that a picture must hold

// What holds everything that a view shows in any of its clips.
export function boundsOf(view: View, motions: Motion[]): Box {
  const low: Vector = [Infinity, Infinity, Infinity], high: Vector = [-Infinity, -Infinity, -Infinity];
  const content: Vector[] = [];
  const add = (p: Vector) => {
    if (!isFinitePoint(p)) return;
    content.push(p);
    for (let k = 0; k < view.dimensions; ++k) {
      low[k] = Math.min(low[k], p[k]);
      high[k] = Math.max(high[k], p[k]);
    }
  };
  for (const motion of motions) {
    for (let f = 0; f < motion.times.length; ++f) {
      view.points.forEach((_, i) => add(motion.pointAtFrame(i, f)));
      view.bodies.forEach((body, i) => {
        const size = Math.hypot(...body.size.map((x) => x ?? 0));
        const centre = motion.bodyCentreAtFrame(i, f), around = body.form === "disc" ? size : size / 2;
        for (let k = 0; k < 2 * view.dimensions; ++k) {
          const edge: Vector = [...centre];
          edge[k >> 1] += k % 2 === 0 ? around : -around;
          add(edge);
        }
      });
    }
  }
  for (const shape of view.shapes) for (const p of shapePoints(view, shape)) add(p);
  for (let k = 0; k < 3; ++k) if (low[k] > high[k]) low[k] = high[k] = 0;
  return { low, high, content };
}

export function shapePoints(view: View, shape: View["shapes"][number]): Vector[] {
  const d = view.dimensions, points: Vector[] = [];
  for (let i = 0; i < shape.values.length; i += d) {
    const [x, y, z] = shape.values.slice(i, i + d).map((v) => (v === null ? NaN : v * view.unit));
    points.push([x, y, d === 3 ? z : 0]);
  }
  return points;
}

// How far the liveliest point travels in a unit of time, on average.
export function speedOf(view: View, motion: Motion): number {
  let longest = 0;
  const paths = [
    ...view.points.map((_, i) => (f: number) => motion.pointAtFrame(i, f)),
    ...view.bodies.map((_, i) => (f: number) => motion.bodyCentreAtFrame(i, f)),
  ];
  for (const at of paths) {
    let length = 0;
    for (let f = 1; f < motion.times.length; ++f) {
      const a = at(f - 1), b = at(f);
      const d = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      if (Number.isFinite(d)) length += d;
    }
    longest = Math.max(longest, length);
  }
  return longest / (motion.end() - motion.start() || 1);
}
