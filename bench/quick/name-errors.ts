import { scoreLoop } from "../quality/everyday/score-loop.ts";
import type { QuickRun } from "./quick-run.ts";
import type { WindowSet } from "./tables.ts";

const MAX_WORDS = 6;

/** What is wrong about an everyday run, a line each. */
export function everydayErrors({ run, source, expectation, words, isBlocked }: QuickRun): string[] {
  if (expectation === undefined) return [];
  if (expectation.expect !== "spoken") {
    const isWrong = expectation.expect === "silent" ? words.length > 0 : isBlocked;
    return isWrong ? [`${source} FALSE ${run} ${told(words)}`] : [];
  }
  const { from, by } = expectation;
  const { verdict, isEarly } = scoreLoop(
    expectation,
    words.map(({ call }) => call),
  );
  const line = `${run} from ${from} by ${by} got ${told(words)}`;
  return [
    ...(verdict === "found" ? [] : [`${source} ${verdict.toUpperCase()} ${line}`]),
    ...(isEarly ? [`${source} EARLY ${line}`] : []),
  ];
}

/** The windows that were misjudged. */
export function windowErrors({ name, windows }: WindowSet, isAskedFor: (run: QuickRun) => boolean): string[] {
  return windows.flatMap(({ run, scored: { window, verdict } }) => {
    if (!isAskedFor(run) || verdict === "hit" || verdict === "quiet") return [];
    const { from, to, onset, end, isLoop } = window;
    const loop = isLoop ? ` loop ${onset} to ${end}` : "";
    return [`${name} ${verdict.toUpperCase()} ${run.run} [${from}, ${to})${loop} got ${told(run.words)}`];
  });
}

/** The runs of a group in which any word was said. */
export function suspectErrors(name: string, runs: readonly QuickRun[]): string[] {
  return runs.flatMap(({ run, words }) => (words.length === 0 ? [] : [`${name} FALSE ${run} ${told(words)}`]));
}

function told(words: QuickRun["words"]): string {
  const shown = words.slice(0, MAX_WORDS).map(({ action, call, kind }) => `${action}@${call}:${kind}`);
  return shown.join(" ") || "nothing";
}
