// The data of the page, as actio/io/report.cpp, paper_page.cpp and ensemble_page.cpp write it. A number that is not finite is null.

export interface Coordinate { name: string; symbol: string; velocity: string; momentum: string }
export interface NamedFormula { name: string; symbol: string; formula: string | null }
export interface Parameter extends NamedFormula { value: string | null }

export interface Model {
  name: string;
  file: string;
  text: string;
  size: number; // coordinates in all
  in_indices: boolean; // so many that formulas stand in the text alone, and only some coordinates below
  coordinates: Coordinate[];
  first_order: boolean; // y' = f(t, y) without a Lagrangian: no energy, no momenta
  lagrangian: string | null;
  hamiltonian: string | null; // in the place of a Lagrangian: equations are then those of q', then those of p'
  equations: (string | null)[]; // residuals, or right-hand sides where the model is of first order
  forces: NamedFormula[];
  constraints: NamedFormula[];
  conserved: NamedFormula[];
  observables: NamedFormula[];
  parameters: Parameter[];
}

export interface Work { authors: string[]; title: string; venue: string; year: string; doi: string }

export interface Method {
  name: string;
  aliases?: string[];
  summary?: string;
  formula?: string;
  order?: number;
  symplectic?: boolean;
  symmetric?: boolean;
  conserves_momenta?: boolean;
  references?: Work[];
}

export type Quantity =
  | "coordinate" | "momentum" | "energy" | "work" | "energy_error" | "shadow_error" | "conserved_error" | "observable"
  | "multiplier" | "violation" | "iterations";

export interface Column { quantity: Quantity; name: string; symbol: string; values: (number | null)[] }

// Lengths count in `unit`, components of axes in `axis_unit`. Columns: the components of each point, then for each body
// those of its centre and of its axes; a column that never changes is one number.
export interface Clip { stride: number; times: number[]; columns: (number | null | (number | null)[])[] }

export interface View {
  dimensions: 2 | 3;
  unit: number;
  axis_unit: number;
  points: string[];
  lines: number[][];
  traces: number[];
  bodies: { name: string; form: "box" | "disc"; size: (number | null)[] }[];
  shapes: { name: string; size: number[]; values: (number | null)[] }[];
  clips: Clip[]; // what can be played smoothly, and the whole run where that is more
}

export type Conservation = "to rounding" | "bounded" | "drifts" | "too short to say";

export interface RunData {
  kind: "run";
  version: string;
  command: string;
  model: Model;
  method: Method;
  run: {
    precision: string; step: string; steps: number; time: string; status: "done" | "interrupted" | "failed";
    reason: string; suggestion: string; mean_iterations: number; max_iterations: number;
    seconds: number; setup_seconds: number;
  };
  energy: {
    initial: string | null; final: string | null; max_relative_error: string | null; supplied: boolean;
    max_error: string | null; scale: string | null; verdict: Conservation;
    work: string | null; drift: { per_time: number | null; uncertainty: number | null; grows: boolean };
  } | null;
  shadow: { order: number; initial: string | null; max_error: string | null; verdict: Conservation } | null;
  form: { initial: string | null; max_error: string | null; verdict: Conservation } | null; // of a linear system
  momenta: {
    name: string; symbol: string; initial: string | null; max_error: string | null;
    verdict: "exact" | Conservation;
  }[];
  observables: {
    name: string; symbol: string; initial: string | null; final: string | null;
    smallest: string | null; largest: string | null; not_finite: number;
  }[];
  motion: { position_error: string | null; momentum_error: string | null; exceeds_after: string | null; by: string } | null;
  trust: string[]; // what speaks against the run
  constraints: {
    names: string[]; count: number; max_violation: string | null; max_hidden_violation: string | null;
    projection: { position: string; momentum: string } | null; // how far the start was moved, where it was
  } | null;
  // Missing when the run could not even begin.
  state?: {
    first_step: number; first_time: string;
    first: { position: string; velocity: string; momentum: string | null }[];
    last: { position: string; momentum: string | null }[];
  };
  series?: { rows: number; width: number; times: number[]; columns: Column[] };
  portrait?: { stride: number; columns: Column[] };
  fields?: EnsembleMap[]; // arrays of coordinates over index and time
  view?: View;
}

export interface Cell {
  step: string; step_value: number; steps: number; error: number | null; momentum_error: number | null;
  energy_error: number | null; seconds: number; mean_iterations: number; order: number | null; status: string;
}

export interface ComparisonData {
  kind: "comparison";
  version: string;
  command: string;
  model: Model;
  reference: string;
  until: number;
  methods: (Method & { cells: Cell[] })[];
}

export interface PaperCell { published: string; reproduced: string; verdict: string; note: string }

export interface PaperTable {
  id: string;
  title: string;
  caption: string;
  columns: string[];
  row_heads: string[];
  rows: { heads: string[]; cells: PaperCell[] }[];
  rule: string;
}

export interface Claim extends PaperCell { statement: string; rule: string }

export interface FigureCurve {
  name: string;
  style: "line" | "dashed" | "points" | "line_with_points";
  look: number;  // which colour and marker
  x: (number | null)[];
  y: (number | null)[];
}

export interface FigurePanel {
  title: string; x_label: string; y_label: string; x_log: boolean; y_log: boolean; equal_scales: boolean; curves: FigureCurve[];
}

export interface Figure { id: string; title: string; caption: string; panels: FigurePanel[] }

export interface PaperData {
  kind: "paper";
  key: string;
  title: string;
  authors: string;
  reference: string;
  summary: string;
  version: string;
  command: string;
  seconds: number | null;
  verdicts: Record<string, number>;
  tables: PaperTable[];
  claims: Claim[];
  figures: Figure[];
}

export interface MapAxis { name: string; from: number; to: number; count: number; even: boolean }

// A picture of bytes, from the top: 0 stands for none, k for low + (k − 1)/(levels − 1)·(high − low), or for the k-th of
// the categories; of a logarithmic map these are powers of ten.
export interface EnsembleMap {
  name: string; x: MapAxis; y: MapAxis; logarithmic: boolean; categories: string[];
  low: number | null; high: number | null; levels: number; png: string;
  cell?: number; // of a field: members of the array that a point is the mean of
  frames?: number[]; // times of pictures that stand below one another
}

export interface EnsembleData {
  kind: "ensemble";
  version: string;
  command: string;
  model: Model;
  method: string;
  count: number;
  planned: number;
  seconds: number | null;
  engine: string;
  lengths: string;
  accuracy: string | null;
  untrusted: number;
  statuses: Record<string, number>;
  varied: string[];
  maps: EnsembleMap[];
  numbers: string[][];
  figures: Figure[];
  failed: number;
  failures: { trajectory: number; at: string[]; reason: string }[];
}
