import { count } from "../../../doomloop/src/scan/report/words.ts";
import { printable } from "../format/printable.ts";
import { changedPart } from "./changed-part.ts";
import { diffLines } from "./diff-lines.ts";
import { type FoldedLine, foldLines } from "./fold-lines.ts";

const SIGNS = { same: " ", removed: "−", added: "+", fold: " " };
/** Of what two lines share, on each side of what differs. */
const MAX_SHARED = 80;
/** Of what differs: either side has as much. */
const MAX_CHANGED = 600;

/** What became of a text, line by line. */
export function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = foldLines(diffLines(before, after));
  return (
    <>
      {lines.map((line, index) => (
        <span key={index} class={`line line-${line.type}`}>
          <span aria-hidden="true">{SIGNS[line.type]} </span>
          <span class="unseen">{line.type === "removed" ? "before: " : line.type === "added" ? "now: " : ""}</span>
          <LineText lines={lines} index={index} />
        </span>
      ))}
    </>
  );
}

/** A line, with what differs marked where one line took the place of one other. */
function LineText({ lines, index }: { readonly lines: readonly FoldedLine[]; readonly index: number }) {
  const line = lines[index];
  if (line === undefined) return null;
  if (line.type === "fold") return <i>{count(line.lines)} equal lines</i>;
  const pair = pairOf(lines, index);
  if (pair === undefined) return <>{printable(line.text)}</>;
  const { start, before, after, end } = changedPart(pair.before, pair.after);
  return (
    <>
      {start.length > MAX_SHARED ? `…${printable(start.slice(-MAX_SHARED).toWellFormed())}` : printable(start)}
      <mark>{printable(firstOf(line.type === "removed" ? before : after, MAX_CHANGED))}</mark>
      {printable(firstOf(end, MAX_SHARED))}
    </>
  );
}

function firstOf(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

function pairOf(
  lines: readonly FoldedLine[],
  index: number,
): { readonly before: string; readonly after: string } | undefined {
  const first = lines[index]?.type === "added" ? index - 1 : index;
  const [before, after] = [lines[first], lines[first + 1]];
  if (before?.type !== "removed" || after?.type !== "added") return undefined;
  const isAlone = lines[first - 1]?.type !== "removed" && lines[first + 2]?.type !== "added";
  return isAlone ? { before: before.text, after: after.text } : undefined;
}
