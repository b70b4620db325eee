const MAX_NUMBERS = 6;
const MAX_TEXT = 400;
const MAX_FIELDS = 16;
const MAX_DEPTH = 1;
/** What a number may be: milliseconds, seconds, minutes. */
const UNITS_MS = [1, 1_000, 60_000];
/** Shorter calls are not worth asking. */
const SHORTEST_MS = 4_000;
const TOLERANCE = 0.15;

/** The numbers in a call's arguments that may be times: of its fields, and inside their text. */
export function numbersIn(args: unknown): readonly number[] {
  if (typeof args === "string") return [...numbersInText(args)].slice(0, MAX_NUMBERS);
  if (typeof args !== "object" || args === null) return NONE;
  const numbers: number[] = [];
  collect(numbers, args, 0);
  return numbers.slice(0, MAX_NUMBERS);
}

/** Of an object's fields, and of the objects in them: many protocols wrap arguments once more. */
function collect(numbers: number[], args: object, depth: number): void {
  let fields = 0;
  for (const key of Object.keys(args)) {
    if (++fields > MAX_FIELDS || numbers.length >= MAX_NUMBERS) break;
    const value: unknown = Object.getOwnPropertyDescriptor(args, key)?.value;
    if (typeof value === "number") numbers.push(value);
    else if (typeof value === "string") numbers.push(...numbersInText(value));
    else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) collect(numbers, value, depth + 1);
  }
}

/** Whether a call took as long as a number in its own arguments says: it was told to wait, whatever it is called. */
export function tookAsLongAsTold(tookMs: number, numbers: readonly number[]): boolean {
  if (tookMs < SHORTEST_MS) return false;
  return numbers.some(
    (number) =>
      Number.isFinite(number) &&
      UNITS_MS.some(
        (unit) => number * unit >= SHORTEST_MS && Math.abs(tookMs - number * unit) <= TOLERANCE * number * unit + 1_000,
      ),
  );
}

const NONE: readonly number[] = [];

function* numbersInText(text: string): Iterable<number> {
  if (text.length > MAX_TEXT) return;
  let number = -1;
  for (let at = 0; at <= text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 48 && unit <= 57) number = Math.min((number < 0 ? 0 : number * 10) + unit - 48, 1e9);
    else if (number >= 0) {
      if (number > 0) yield number;
      number = -1;
    }
  }
}
