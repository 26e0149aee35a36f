// Draws a view on a canvas: things further away first.
import type { Camera, Projected } from "./camera";
import type { View } from "./data";
import { type Box, type Frame, isFinitePoint, type Motion, shapePoints, type Vector } from "./motion";
import { brief } from "./number";
import { lineColour, styleValue } from "./plot";

// Ahead: the whole path, also what is still to come.
export type TraceStyle = "fading" | "whole" | "ahead";

export interface Picture {
  time: number;
  motion: Motion;
  trace: TraceStyle;
  tail: number;              // how long a fading trace is, in time
  hiddenTraces: Set<number>; // points
}

interface Face { corners: Vector[]; normal: Vector }
interface Item { depth: number; draw: () => void }

const roundness = 40; // sides of a disc
const pointRadius = 6, fixedRadius = 3.5;

export class Scene {
  private readonly surfaces: Face[][] = [];
  private readonly curves: Vector[][] = [];
  readonly colourOf: Map<number, number>; // of points that move: an index of line colours

  private readonly size: number;
  private readonly lift: number; // of what lies on a surface or a body, towards the eye

  constructor(private readonly view: View, private readonly bounds: Box, motion: Motion) {
    this.size = Math.hypot(...[0, 1, 2].map((k) => bounds.high[k] - bounds.low[k]));
    this.lift = view.dimensions === 3 && view.bodies.length + view.shapes.length > 0 ? 0.03 * this.size : 0;
    const moving = view.points.map((_, i) => i).filter((i) => motion.moves(i));
    this.colourOf = new Map(moving.map((point, k) => [point, k]));
    for (const shape of view.shapes) {
      const points = shapePoints(view, shape);
      if (shape.size.length === 1) this.curves.push(points);
      else this.surfaces.push(facesOf(points, shape.size));
    }
  }

  draw(context: CanvasRenderingContext2D, camera: Camera, width: number, height: number, picture: Picture): void {
    context.clearRect(0, 0, width, height);
    context.lineJoin = context.lineCap = "round";
    if (this.view.dimensions === 2) this.drawPaper(context, camera, width, height);
    else this.drawGround(context, camera, picture);
    const items: Item[] = [];
    this.addShapes(items, context, camera);
    this.addTraces(items, context, camera, picture);
    this.view.bodies.forEach((body, i) => this.addBody(items, context, camera, body, picture.motion.body(i, picture.time)));
    this.addLines(items, context, camera, picture);
    this.addPoints(items, context, camera, picture);
    for (const item of items.sort((a, b) => b.depth - a.depth)) item.draw();
    context.globalAlpha = 1;
    if (this.view.dimensions === 3) drawDirections(context, camera, height);
  }

  // Squared paper with numbers at its edges.
  private drawPaper(context: CanvasRenderingContext2D, camera: Camera, width: number, height: number): void {
    const [left, top] = camera.place(0, 0), [right, bottom] = camera.place(width, height);
    const step = niceStep(80 / camera.pixels());
    context.lineWidth = 1;
    context.font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
    context.fillStyle = styleValue("--muted");
    const rule = (value: number) => styleValue(Math.abs(value) < step / 2 ? "--axis" : "--grid");
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) {
      const at = Math.round(camera.project([x, 0, 0]).x) + 0.5;
      stroke(context, [[at, 0], [at, height]], rule(x));
      context.textAlign = "center";
      if (at > 34 && at < width - 20) context.fillText(label(x, step), at, height - 5);
    }
    for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) {
      const at = Math.round(camera.project([0, y, 0]).y) + 0.5;
      stroke(context, [[0, at], [width, at]], rule(y));
      context.textAlign = "left";
      if (at > 14 && at < height - 20) context.fillText(label(y, step), 5, at - 4);
    }
  }

  // A net below everything, with the shadows of what moves: it tells near from far.
  private drawGround(context: CanvasRenderingContext2D, camera: Camera, picture: Picture): void {
    const { low, high } = this.bounds;
    const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    const step = niceStep(size / 5), z = low[2] - 0.04 * size;
    const ends = [0, 1].map((k) => [Math.floor(low[k] / step - 0.3), Math.ceil(high[k] / step + 0.3)]);
    context.lineWidth = 1;
    context.globalAlpha = 1;
    const line = (a: Vector, b: Vector) => {
      const p = camera.project(a), q = camera.project(b);
      stroke(context, [[p.x, p.y], [q.x, q.y]], styleValue("--grid"));
    };
    for (let i = ends[0][0]; i <= ends[0][1]; ++i) line([i * step, ends[1][0] * step, z], [i * step, ends[1][1] * step, z]);
    for (let j = ends[1][0]; j <= ends[1][1]; ++j) line([ends[0][0] * step, j * step, z], [ends[0][1] * step, j * step, z]);
    context.fillStyle = styleValue("--muted");
    for (const point of this.colourOf.keys()) {
      const p = picture.motion.point(point, picture.time);
      if (!isFinitePoint(p)) continue;
      const flat = camera.project([p[0], p[1], z]), squeeze = Math.abs(camera.towards()[2]);
      context.globalAlpha = 0.28;
      context.beginPath();
      context.ellipse(flat.x, flat.y, 5 * flat.scale, Math.max(0.8, 5 * squeeze * flat.scale), 0, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    context.font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
    context.textAlign = "right";
    context.fillText(`squares of ${brief(step)}`, context.canvas.clientWidth - 6, context.canvas.clientHeight - 6);
  }

  private addShapes(items: Item[], context: CanvasRenderingContext2D, camera: Camera): void {
    for (const curve of this.curves) {
      const at = curve.map((p) => camera.project(p));
      for (let i = 1; i < at.length; ++i) {
        items.push({
          depth: (at[i - 1].depth + at[i].depth) / 2,
          draw: () => {
            context.globalAlpha = 1;
            context.lineWidth = 2;
            stroke(context, [[at[i - 1].x, at[i - 1].y], [at[i].x, at[i].y]], styleValue("--axis"));
          },
        });
      }
    }
    const paper = styleValue("--paper"), ink = styleValue("--muted"), rule = styleValue("--axis");
    const eye = camera.towards();
    for (const surface of this.surfaces) {
      for (const { corners, normal } of surface) {
        const steep = Math.abs(dot(normal, eye));
        addFace(items, context, camera, corners, mixed(paper, ink, 0.3 - 0.22 * steep), mixed(paper, rule, 0.5), 0.8);
      }
    }
  }

  private addBody(items: Item[], context: CanvasRenderingContext2D, camera: Camera, body: View["bodies"][number], frame: Frame): void {
    if (![frame.centre, ...frame.axes].every(isFinitePoint) || body.size.includes(null)) return;
    const size = body.size as number[], colour = lineColour(4), paper = styleValue("--paper");
    const at = (u: number, v: number, w: number): Vector => [0, 1, 2].map((k) =>
      frame.centre[k] + u * frame.axes[0][k] + v * frame.axes[1][k] + w * frame.axes[2][k]) as Vector;
    const faces = this.view.dimensions === 2
      ? [body.form === "box" ? flatBox(size, at) : circle(size[0], 0, at)]
      : body.form === "box" ? boxFaces(size, at) : discFaces(size[0], size[1] ?? 0, at);
    const eye = camera.towards();
    for (const face of faces) {
      const light = Math.abs(dot(normalOf(face), eye));
      const fill = mixed(colour, paper, 0.3 + 0.4 * light);
      // The sides of a disc are one round face.
      const isSide = body.form === "disc" && face.length < roundness;
      addFace(items, context, camera, face, fill, isSide ? fill : colour, 0.88);
    }
  }

  private addTraces(items: Item[], context: CanvasRenderingContext2D, camera: Camera, picture: Picture): void {
    const { motion, time } = picture;
    const ahead = picture.trace === "ahead";
    const until = ahead ? motion.end() : time, last = motion.frameAt(until);
    for (const point of this.view.traces) {
      if (picture.hiddenTraces.has(point)) continue;
      const colour = lineColour(this.colourOf.get(point) ?? 0);
      const first = picture.trace !== "fading" ? 0 : motion.frameAt(time - picture.tail);
      const strength = (t: number) => picture.trace !== "fading" ? (ahead ? 0.35 : 0.6)
        : 0.9 * Math.max(0, 1 - (time - t) / picture.tail) ** 1.3;
      if (!motion.smooth) {
        for (let f = first; f <= last; ++f) addDot(items, context, camera, motion.pointAtFrame(point, f), colour, strength(motion.times[f]));
        continue;
      }
      let before = camera.project(motion.pointAtFrame(point, first));
      const piece: Projected[] = [before];
      const flush = (alpha: number) => {
        if (piece.length < 2) return;
        const path = piece.splice(0, piece.length - 1).concat(piece[0]);
        items.push({
          depth: path[path.length >> 1].depth - this.lift,
          draw: () => {
            context.globalAlpha = alpha;
            context.lineWidth = 1.6;
            context.lineCap = "butt"; // pieces do not overlap: their ends would be seen as dots
            stroke(context, path.map((p) => [p.x, p.y]), colour);
          },
        });
      };
      const most = Math.max(1, Math.ceil((last - first) / 300));
      for (let f = first; f <= last; ++f) {
        const end = f < last ? motion.times[f + 1] : until;
        const target = camera.project(f < last ? motion.pointAtFrame(point, f + 1) : motion.point(point, until));
        // Long chords are curves.
        const cuts = Math.max(1, Math.min(8, Math.ceil(Math.hypot(target.x - before.x, target.y - before.y) / 6))) || 1;
        for (let k = 1; k <= cuts; ++k) {
          piece.push(k === cuts ? target : camera.project(motion.point(point, motion.times[f] + ((end - motion.times[f]) * k) / cuts)));
        }
        before = target;
        if ((f - first) % most === 0 || f === last) flush(strength(motion.times[f]));
      }
    }
  }

  private addLines(items: Item[], context: CanvasRenderingContext2D, camera: Camera, { motion, time }: Picture): void {
    const colour = mixed(styleValue("--ink"), styleValue("--paper"), 0.15);
    const pieces = this.view.dimensions === 3 && this.view.bodies.length + this.surfaces.length > 0 ? 12 : 1;
    for (const line of this.view.lines) {
      const at = line.map((point) => motion.point(point, time));
      for (let i = 1; i < at.length; ++i) {
        if (!isFinitePoint(at[i - 1]) || !isFinitePoint(at[i])) continue;
        // In pieces where they may pass through something.
        for (let k = 0; k < pieces; ++k) {
          const p = camera.project(between(at[i - 1], at[i], k / pieces)), q = camera.project(between(at[i - 1], at[i], (k + 1) / pieces));
          items.push({
            depth: Math.max(p.depth, q.depth), // below the points at its ends
            draw: () => {
              context.globalAlpha = 1;
              context.lineCap = "round";
              context.lineWidth = 2.6 * (p.scale + q.scale) / 2;
              stroke(context, [[p.x, p.y], [q.x, q.y]], colour);
            },
          });
        }
      }
    }
  }

  private addPoints(items: Item[], context: CanvasRenderingContext2D, camera: Camera, { motion, time }: Picture): void {
    const paper = styleValue("--paper"), muted = styleValue("--muted");
    this.view.points.forEach((_, point) => {
      const place = motion.point(point, time);
      if (!isFinitePoint(place)) return;
      const p = camera.project(place), index = this.colourOf.get(point);
      const radius = (index === undefined ? fixedRadius : pointRadius) * p.scale;
      items.push({
        depth: p.depth - 1.2 * this.lift - 0.02 * this.size, // above the lines that end there
        draw: () => {
          context.globalAlpha = 1;
          context.beginPath();
          context.arc(p.x, p.y, radius, 0, 2 * Math.PI);
          context.fillStyle = index === undefined ? muted : lineColour(index);
          context.fill();
          context.lineWidth = 1.5;
          context.strokeStyle = paper;
          context.stroke();
        },
      });
    });
  }
}

function stroke(context: CanvasRenderingContext2D, path: [number, number][], colour: string): void {
  context.strokeStyle = colour;
  context.beginPath();
  path.forEach(([x, y], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
}

function addFace(items: Item[], context: CanvasRenderingContext2D, camera: Camera, corners: Vector[], fill: string, edge: string, alpha: number): void {
  const at = corners.map((p) => camera.project(p));
  items.push({
    depth: at.reduce((sum, p) => sum + p.depth, 0) / at.length,
    draw: () => {
      context.globalAlpha = alpha;
      context.fillStyle = fill;
      context.strokeStyle = edge;
      context.lineWidth = 0.7;
      context.beginPath();
      at.forEach((p, i) => (i === 0 ? context.moveTo(p.x, p.y) : context.lineTo(p.x, p.y)));
      context.closePath();
      context.fill();
      context.stroke();
    },
  });
}

function addDot(items: Item[], context: CanvasRenderingContext2D, camera: Camera, place: Vector, colour: string, alpha: number): void {
  if (!isFinitePoint(place)) return;
  const p = camera.project(place);
  items.push({
    depth: p.depth,
    draw: () => {
      context.globalAlpha = alpha;
      context.fillStyle = colour;
      context.fillRect(p.x - 1, p.y - 1, 2, 2);
    },
  });
}

// The directions x, y and z in a corner.
function drawDirections(context: CanvasRenderingContext2D, camera: Camera, height: number): void {
  const origin = camera.project([0, 0, 0]), unit = 1e-3 / camera.pixels();
  context.font = "italic 12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
  context.textAlign = "center";
  context.fillStyle = styleValue("--muted");
  context.lineWidth = 1.4;
  const corner: [number, number] = [34, height - 34];
  ["x", "y", "z"].forEach((name, k) => {
    const tip = camera.project([0, 1, 2].map((i) => (i === k ? unit : 0)) as Vector);
    const dx = ((tip.x - origin.x) / origin.scale) * 24e3, dy = ((tip.y - origin.y) / origin.scale) * 24e3;
    stroke(context, [corner, [corner[0] + dx, corner[1] + dy]], styleValue("--axis"));
    context.fillText(name, corner[0] + 1.35 * dx, corner[1] + 1.35 * dy + 4);
  });
}

function facesOf(points: Vector[], [across, along]: number[]): Face[] {
  const faces: Face[] = [];
  for (let j = 0; j + 1 < along; ++j) {
    for (let i = 0; i + 1 < across; ++i) {
      const at = j * across + i;
      const corners = [points[at], points[at + 1], points[at + across + 1], points[at + across]];
      if (corners.every(isFinitePoint)) faces.push({ corners, normal: normalOf(corners) });
    }
  }
  return faces;
}

type Place = (u: number, v: number, w: number) => Vector;

function flatBox([a, b]: number[], at: Place): Vector[] {
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => at((u * a) / 2, (v * b) / 2, 0));
}

function boxFaces(size: number[], at: Place): Vector[][] {
  const faces: Vector[][] = [];
  for (let k = 0; k < 3; ++k) {
    for (const side of [-1, 1]) {
      faces.push([[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
        const corner = [0, 0, 0];
        corner[k] = (side * size[k]) / 2;
        corner[(k + 1) % 3] = (u * size[(k + 1) % 3]) / 2;
        corner[(k + 2) % 3] = (v * size[(k + 2) % 3]) / 2;
        return at(corner[0], corner[1], corner[2]);
      }));
    }
  }
  return faces;
}

function circle(radius: number, height: number, at: Place): Vector[] {
  return Array.from({ length: roundness }, (_, i) => {
    const angle = (2 * Math.PI * i) / roundness;
    return at(radius * Math.cos(angle), radius * Math.sin(angle), height);
  });
}

function discFaces(radius: number, thickness: number, at: Place): Vector[][] {
  const top = circle(radius, thickness / 2, at);
  if (thickness === 0) return [top];
  const bottom = circle(radius, -thickness / 2, at);
  const sides = top.map((p, i) => [p, top[(i + 1) % roundness], bottom[(i + 1) % roundness], bottom[i]]);
  return [top, bottom, ...sides];
}

function between(a: Vector, b: Vector, part: number): Vector {
  return [0, 1, 2].map((k) => a[k] + part * (b[k] - a[k])) as Vector;
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// From the diagonals, so that a face may have shrunk to a triangle.
function normalOf(face: Vector[]): Vector {
  const half = face.length >> 1, quarter = face.length >> 2;
  const a = [0, 1, 2].map((k) => face[half][k] - face[0][k]), b = [0, 1, 2].map((k) => face[half + quarter][k] - face[quarter][k]);
  const n: Vector = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const length = Math.hypot(...n) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}

// 1, 2 or 5 times a power of ten, not below `least`.
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (([1, 2, 5].find((m) => m * power >= least * 0.999) ?? 10)) * power;
}

function label(value: number, step: number): string {
  return brief(Math.round(value / step) * step);
}

// A part of `b` in `a`; both are #rrggbb.
function mixed(a: string, b: string, part: number): string {
  const channel = (colour: string, k: number) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
  return `rgb(${[0, 1, 2].map((k) => Math.round(channel(a, k) * (1 - part) + channel(b, k) * part)).join(" ")})`;
}
