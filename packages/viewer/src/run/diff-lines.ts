export interface DiffLine {
  readonly type: "same" | "removed" | "added";
  readonly text: string;
}

const MAX_LINES = 2000;
const MAX_EDITS = 300;

/**
 * What became of a text, line by line: the shortest way from one to the other (Myers).
 *
 * Texts that differ in too much are shown as a whole before and a whole after, with what they share at both ends. Lines beyond
 * the first two thousand are left out.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const one = before.split("\n", MAX_LINES);
  const other = after.split("\n", MAX_LINES);
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let [oneEnd, otherEnd] = [one.length, other.length];
  while (oneEnd > start && otherEnd > start && one[oneEnd - 1] === other[otherEnd - 1]) {
    oneEnd--;
    otherEnd--;
  }
  const line = (type: DiffLine["type"]) => (text: string) => ({ type, text });
  return [
    ...one.slice(0, start).map(line("same")),
    ...diffMiddle(one.slice(start, oneEnd), other.slice(start, otherEnd)),
    ...one.slice(oneEnd).map(line("same")),
  ];
}

function diffMiddle(one: readonly string[], other: readonly string[]): DiffLine[] {
  const trace = findPath(one, other);
  if (trace !== undefined) return walkBack(one, other, trace);
  return [
    ...one.map((text): DiffLine => ({ type: "removed", text })),
    ...other.map((text): DiffLine => ({ type: "added", text })),
  ];
}

/** How far each diagonal reaches after each number of edits; undefined where it takes too many. */
function findPath(one: readonly string[], other: readonly string[]): readonly Int32Array[] | undefined {
  const centre = MAX_EDITS + 1;
  const reach = new Int32Array(2 * centre + 1);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= MAX_EDITS; edits++) {
    trace.push(reach.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = step(reach, centre, diagonal, edits);
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x++;
      reach[centre + diagonal] = x;
      if (x >= one.length && x - diagonal >= other.length) return trace;
    }
  }
  return undefined;
}

function step(reach: Int32Array, centre: number, diagonal: number, edits: number): number {
  return isDown(reach, centre, diagonal, edits)
    ? (reach[centre + diagonal + 1] ?? 0)
    : (reach[centre + diagonal - 1] ?? 0) + 1;
}

function isDown(reach: Int32Array, centre: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  return diagonal !== edits && (reach[centre + diagonal - 1] ?? 0) < (reach[centre + diagonal + 1] ?? 0);
}

function walkBack(one: readonly string[], other: readonly string[], trace: readonly Int32Array[]): DiffLine[] {
  const centre = MAX_EDITS + 1;
  const lines: DiffLine[] = [];
  let [x, y] = [one.length, other.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits]!;
    const diagonal = x - y;
    const came = isDown(reach, centre, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : (reach[centre + came] ?? 0);
    const fromY = edits === 0 ? 0 : fromX - came;
    while (x > fromX && y > fromY) {
      lines.push({ type: "same", text: one[--x]! });
      y--;
    }
    if (edits === 0) break;
    if (x === fromX) lines.push({ type: "added", text: other[--y]! });
    else lines.push({ type: "removed", text: one[--x]! });
  }
  return lines.reverse();
}
