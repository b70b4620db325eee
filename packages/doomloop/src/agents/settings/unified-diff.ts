/** A line of a difference: kept, taken out or put in. */
interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

const CONTEXT = 3;
/** Beyond that, what is between the first and the last change is shown as replaced. */
const MAX_CELLS = 4_000_000;
const NO_NEWLINE = "\\ No newline at end of file";

/** The difference of two texts in the unified format, without the names of files; no line where there is none. */
export function unifiedDiff(before: string, after: string): readonly string[] {
  const lines = compare(linesOf(before), linesOf(after));
  const isShown = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== " "),
  );
  const shown: string[] = [];
  let [old, fresh] = [1, 1];
  lines.forEach(({ sign, text }, at) => {
    if (isShown[at] === true) {
      if (isShown[at - 1] !== true) shown.push(heading(lines.slice(at, endOf(isShown, at)), old, fresh));
      shown.push(...`${sign}${text}`.split("\n"));
    }
    if (sign !== "+") old++;
    if (sign !== "-") fresh++;
  });
  return shown;
}

function endOf(isShown: readonly boolean[], from: number): number {
  const end = isShown.indexOf(false, from);
  return end < 0 ? isShown.length : end;
}

function heading(lines: readonly DiffLine[], old: number, fresh: number): string {
  const range = (other: string, from: number): string => {
    const length = lines.filter(({ sign }) => sign !== other).length;
    return `${length === 0 ? from - 1 : from},${length}`;
  };
  return `@@ -${range("+", old)} +${range("-", fresh)} @@`;
}

/** Lines without their ends; one without a newline says so, as a line of its own. */
function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n${NO_NEWLINE}`];
}

function compare(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const shortest = Math.min(before.length, after.length) - head;
  while (tail < shortest && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const kept = (text: string): DiffLine => ({ sign: " ", text });
  return [
    ...before.slice(0, head).map(kept),
    ...between(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(kept),
  ];
}

/** The longest lines in common stay, by a table of lengths. */
function between(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const width = after.length + 1;
  const isTooLarge = (before.length + 1) * width > MAX_CELLS;
  const common = new Uint32Array(isTooLarge ? 0 : (before.length + 1) * width);
  if (!isTooLarge) {
    for (let row = before.length - 1; row >= 0; row--) {
      for (let column = after.length - 1; column >= 0; column--) {
        const at = row * width + column;
        common[at] =
          before[row] === after[column] ? common[at + width + 1]! + 1 : Math.max(common[at + width]!, common[at + 1]!);
      }
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const at = row * width + column;
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push({ sign: " ", text: before[row++]! });
      column++;
    } else if (column >= after.length || (row < before.length && (common[at + width] ?? 0) >= (common[at + 1] ?? 0))) {
      lines.push({ sign: "-", text: before[row++]! });
    } else lines.push({ sign: "+", text: after[column++]! });
  }
  return lines;
}
