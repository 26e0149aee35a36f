// Numbers for people: 2.2e-09 as 2.2 × 10⁻⁹, with a proper minus sign.

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function powerOfTen(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (d) => superscripts[Number(d)]);
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}

// Of text that the program wrote: all its digits stay.
export function pretty(text: string | number | null | undefined): string {
  if (text === null || text === undefined) return "not finite";
  const [mantissa, exponent] = String(text).split("e");
  const sign = mantissa.replace("-", "−");
  if (exponent === undefined || Number(exponent) === 0) return sign;
  return `${sign} × ${powerOfTen(Number(exponent))}`;
}

// "1.5e-07" as 1.5·10⁻⁷, "1e-3" as 10⁻³, also inside words; a number alone has a proper minus sign.
export function prettyNumbers(text: string): string {
  if (/^[-+]?\d+(\.\d*)?$/.test(text)) return pretty(text);
  return text.replace(/(?<![\w.])[-+]?\d+(\.\d*)?e[-+]?\d+(?!\w)/gi, (number) => pretty(number.toLowerCase()).replace(" × ", "·").replace(/^(−?)1·/, "$1"));
}

// `digits` significant digits; very large and very small numbers with a power of ten.
export function brief(value: number | null | undefined, digits = 6): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e7) return pretty(Number(value.toPrecision(digits)));
  return pretty(Number(value.toPrecision(digits)).toExponential());
}

// An error in a table: mostly powers of ten.
export function errorText(value: number | null, digits = 3): string {
  if (value === null || value === 0 || (value >= 0.1 && value < 1000)) return brief(value, digits);
  return pretty(value.toExponential(digits - 1));
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function duration(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 1e-3) return `${brief(seconds * 1e6, 3)} µs`;
  if (seconds < 1) return `${brief(seconds * 1e3, 3)} ms`;
  if (seconds < 120) return `${brief(seconds, 3)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

// About `most` round numbers, also where the range is tiny or its ends share most of their digits.
export function linearTicks(min: number, max: number, most: number): number[] {
  const least = (max - min) / Math.max(1, most), exponent = Math.floor(Math.log10(least));
  const multiple = [1, 2, 2.5, 5, 10].find((m) => Number(`${m}e${exponent}`) >= least * (1 - 1e-9))!;
  const gap = Number(`${multiple}e${exponent}`);
  const ticks: number[] = [];
  for (let k = Math.ceil(min / gap - 1e-6); k * gap <= max + 1e-6 * gap && ticks.length <= 2 * most + 2; ++k) ticks.push(k * gap);
  return ticks;
}

// Ticks of a linear axis, without what they have in common: a power of ten to multiply by, and a number to add then where
// they differ in late digits only.
export function tickLabels(ticks: number[]): { labels: string[]; common: string } {
  const sizeOf = (values: number[]) => Math.max(...values.map(Math.abs));
  const orderOf = (value: number) => Math.floor(Math.log10(value) + 1e-9);
  if (!(sizeOf(ticks) > 0)) return { labels: ticks.map(String), common: "" };
  const gap = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : sizeOf(ticks);
  let offset = 0;
  if (orderOf(sizeOf(ticks)) - orderOf(gap) > 5) {
    const coarse = 10 ** (orderOf(ticks[ticks.length - 1] - ticks[0]) + 1);
    offset = Math.round(ticks[Math.floor(ticks.length / 2)] / coarse) * coarse;
  }
  const shown = ticks.map((tick) => tick - offset);
  const order = orderOf(Math.max(gap, sizeOf(shown)));
  const exponent = order < -3 || order > 5 ? order : 0;
  const decimals = Math.max(0, Math.min(12, exponent - orderOf(gap) + neededDigits(gap)));
  const labels = shown.map((value) => (value / 10 ** exponent).toFixed(decimals).replace("-", "−"));
  const added = offset === 0 ? "" : `${offset < 0 ? "−" : "+"} ${Number(Math.abs(offset).toPrecision(12))}`;
  return {
    labels: labels.map((l) => (/^−0(\.0*)?$/.test(l) ? l.slice(1) : l)),
    common: [exponent === 0 ? "" : `× ${powerOfTen(exponent)}`, added].filter((part) => part !== "").join(" "),
  };
}

// 1 for gaps such as 2.5, 0 for 1, 2 and 5.
function neededDigits(gap: number): number {
  const leading = gap / 10 ** Math.floor(Math.log10(gap) + 1e-9);
  return Math.abs(leading - Math.round(leading)) > 1e-6 ? 1 : 0;
}
