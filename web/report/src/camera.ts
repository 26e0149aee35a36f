// Where a picture is seen from, and where things in space then are on it.
import type { Box, Vector } from "./motion";

export interface Projected { x: number; y: number; depth: number; scale: number } // pixels; depth grows away from the eye

const spatialStart = { turn: 0.9, tilt: 0.32 }; // angles, from the right and from above
const steepest = Math.PI / 2;
const eyeDistance = 5; // in radii of what is seen: enough to feel the depth, not to distort

export class Camera {
  private turnAngle = spatialStart.turn;
  private tiltAngle = spatialStart.tilt;
  private zoomFactor = 1;
  private shift: [number, number] = [0, 0]; // in pixels
  private readonly centre: Vector;
  private readonly radius: number;
  private readonly half: [number, number]; // of what is seen: to the right and upwards
  private width = 1;
  private height = 1;

  constructor(bounds: Box, readonly planar: boolean) {
    const side = (k: number) => bounds.high[k] - bounds.low[k];
    this.centre = [0, 1, 2].map((k) => (bounds.low[k] + bounds.high[k]) / 2) as Vector;
    this.radius = Math.hypot(side(0), side(1), side(2)) / 2 || 1;
    this.half = [side(0) / 2, side(1) / 2];
    if (planar) return;
    // Of what is seen in one full turn, so that turning does not change the size.
    const across = Math.cos(spatialStart.tilt), along = Math.sin(spatialStart.tilt);
    this.half = [0, 0];
    for (const p of bounds.content) {
      const outwards = Math.hypot(p[0] - this.centre[0], p[1] - this.centre[1]), up = Math.abs(p[2] - this.centre[2]);
      this.half = [Math.max(this.half[0], outwards), Math.max(this.half[1], across * up + along * outwards)];
    }
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  reset(): void {
    this.turnAngle = spatialStart.turn;
    this.tiltAngle = spatialStart.tilt;
    this.zoomFactor = 1;
    this.shift = [0, 0];
  }

  get zoom(): number { return this.zoomFactor; }
  get turn(): number { return this.turnAngle; }

  // By a movement in pixels: turns in space, shifts in a plane.
  drag(dx: number, dy: number): void {
    if (this.planar) return this.move(dx, dy);
    this.turnAngle -= dx * 0.008;
    this.tiltAngle = Math.max(-steepest, Math.min(steepest, this.tiltAngle + dy * 0.008));
  }

  move(dx: number, dy: number): void {
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
  }

  // About a place on the picture, which stays where it is.
  zoomBy(factor: number, x = this.width / 2, y = this.height / 2): void {
    const next = Math.max(0.2, Math.min(40, this.zoomFactor * factor)), by = next / this.zoomFactor;
    const [left, top] = [x - this.width / 2, y - this.height / 2];
    this.shift = [left + (this.shift[0] - left) * by, top + (this.shift[1] - top) * by];
    this.zoomFactor = next;
  }

  // Pixels a unit of length, at the middle of what is seen.
  pixels(): number {
    const margin = this.planar ? 26 : 40; // what is near appears larger
    const width = Math.max(40, this.width - 2 * margin), height = Math.max(40, this.height - 2 * margin);
    const least = 1e-3 * this.radius;
    return Math.min(width / (2 * Math.max(least, this.half[0])), height / (2 * Math.max(least, this.half[1]))) * this.zoomFactor;
  }

  // The direction towards the eye.
  towards(): Vector {
    if (this.planar) return [0, 0, 1];
    const across = Math.cos(this.tiltAngle);
    return [across * Math.sin(this.turnAngle), -across * Math.cos(this.turnAngle), Math.sin(this.tiltAngle)];
  }

  project(p: Vector): Projected {
    const size = this.pixels();
    const { x, y, depth, scale } = this.seen([p[0] - this.centre[0], p[1] - this.centre[1], p[2] - this.centre[2]]);
    return { x: this.width / 2 + this.shift[0] + x * size, y: this.height / 2 + this.shift[1] - y * size, depth, scale };
  }

  // From the centre, to the right and upwards, in lengths at the depth of the centre.
  private seen([x, y, z]: Vector): Projected {
    if (this.planar) return { x, y, depth: -z, scale: 1 };
    const c = Math.cos(this.turnAngle), s = Math.sin(this.turnAngle);
    const ct = Math.cos(this.tiltAngle), st = Math.sin(this.tiltAngle);
    const right = c * x + s * y, away = -s * x + c * y; // the ground, seen from the side
    const up = st * away + ct * z, depth = ct * away - st * z;
    const scale = eyeDistance / Math.max(0.2, eyeDistance + depth / this.radius);
    return { x: right * scale, y: up * scale, depth, scale };
  }

  // The place in the plane under a place on a picture seen face-on.
  place(x: number, y: number): [number, number] {
    const size = this.pixels();
    return [
      this.centre[0] + (x - this.width / 2 - this.shift[0]) / size,
      this.centre[1] - (y - this.height / 2 - this.shift[1]) / size,
    ];
  }
}
