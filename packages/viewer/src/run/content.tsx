import { count } from "../format/count.ts";
import { printable } from "../format/printable.ts";
import { changedPart } from "./changed-part.ts";
import { diffLines } from "./diff-lines.ts";
import { type FoldedLine, foldLines } from "./fold-lines.ts";

interface ContentProps {
  readonly title: string;
  readonly text: string | undefined;
  readonly before: string | undefined;
}

const MAX_CHARACTERS = 20_000;
const SIGNS = { same: " ", removed: "−", added: "+", fold: " " };

/** A call or an outcome in full, or as its difference to the last time where there was one. */
export function Content({ title, text, before }: ContentProps) {
  if (text === undefined) return null;
  const cut = text.slice(0, MAX_CHARACTERS).toWellFormed();
  const isDifferent = before !== undefined && before !== text;
  return (
    <figure class="content">
      <figcaption>
        {title}
        {before !== undefined && <span class="note">{isDifferent ? " changed" : " the same, to the letter"}</span>}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        {isDifferent ? (
          <Difference before={before.slice(0, MAX_CHARACTERS).toWellFormed()} after={cut} />
        ) : (
          printable(cut, true)
        )}
      </pre>
      {text.length > MAX_CHARACTERS && (
        <p class="note">
          The first {count(MAX_CHARACTERS)} of {count(text.length, "character")}.
        </p>
      )}
    </figure>
  );
}

function Difference({ before, after }: { readonly before: string; readonly after: string }) {
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
      {printable(start)}
      <mark>{printable(line.type === "removed" ? before : after)}</mark>
      {printable(end)}
    </>
  );
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
