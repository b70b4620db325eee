import type { FigureKind } from "../instruments/instrument.ts";

const EXACT_DIGITS = 3;

/** A figure in its unit; nothing where a detector has none. */
export function inUnit(value: number | undefined, unit: FigureKind["unit"]): string {
  if (value === undefined) return "";
  if (unit === "share") return percent(value);
  return unit === "ratio" ? fixed(value) : `${value}`;
}

/** The same with so many digits that it can be told from a bound. */
export function exactly(value: number | undefined, unit: FigureKind["unit"]): string {
  if (value === undefined) return "";
  const digits = (number: number): string => `${Number(number.toFixed(EXACT_DIGITS))}`;
  return unit === "share" ? `${digits(100 * value)}%` : digits(value);
}

export function fixed(part: number): string {
  return part.toFixed(2);
}

export function percent(part: number): string {
  return `${(100 * part).toFixed(1)}%`;
}
