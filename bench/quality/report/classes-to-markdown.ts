import type { LoopExpectation } from "../everyday/expectation.ts";
import { scoreInnocent } from "../everyday/score-innocent.ts";
import { scoreLoop } from "../everyday/score-loop.ts";
import { type JudgedRun, type JudgedSource, OURS } from "../judged-run.ts";
import { shortName } from "./instruments-to-markdown.ts";
import { toTable } from "./table.ts";

/** Everyday runs class by class: in how many of them our guard and others speak, or find the loop in time. */
export function classesToMarkdown(sources: readonly JudgedSource[]): string {
  return sources
    .filter(({ kind, runs }) => kind === "everyday" && runs.length > 0)
    .map(({ source, runs }) => {
      const isLoops = runs[0]!.expectation!.expect === "spoken";
      const head = isLoops ? ["runs", "found", "late", "missed", "early"] : ["runs", "spoken to", "refused", "ended"];
      const others = Object.keys(runs[0]!.spokeAt).filter((name) => name !== OURS);
      const rows = classesOf(runs).map(({ title, own }) => [
        title,
        ...(isLoops ? loopCells : innocentCells)(own, others),
      ]);
      return toTable([source, ...head, ...others.map(shortName)], rows).join("\n");
    })
    .join("\n\n");
}

function innocentCells(runs: readonly JudgedRun[], others: readonly string[]): string[] {
  const scores = runs.map(({ decisions }) => scoreInnocent(decisions));
  return [
    runs.length,
    scores.filter(({ isSpokenTo }) => isSpokenTo).length,
    scores.filter(({ isBlocked }) => isBlocked).length,
    scores.filter(({ isStopped }) => isStopped).length,
    ...others.map((name) => runs.filter(({ spokeAt }) => spokeAt[name]!.length > 0).length),
  ].map(String);
}

function loopCells(runs: readonly JudgedRun[], others: readonly string[]): string[] {
  const scoresOf = (name: string): ReturnType<typeof scoreLoop>[] =>
    runs.map(({ expectation, spokeAt }) => scoreLoop(expectation as LoopExpectation, spokeAt[name]!));
  const count = (name: string, verdict: string): number =>
    scoresOf(name).filter((score) => score.verdict === verdict).length;
  return [
    runs.length,
    ...["found", "late", "missed"].map((verdict) => count(OURS, verdict)),
    scoresOf(OURS).filter(({ isEarly }) => isEarly).length,
    ...others.map((name) => count(name, "found")),
  ].map(String);
}

function classesOf(runs: readonly JudgedRun[]): { readonly title: string; readonly own: JudgedRun[] }[] {
  const names = [...new Set(runs.map(({ expectation }) => expectation!.class))].sort();
  return names.map((name) => ({ title: name, own: runs.filter(({ expectation }) => expectation!.class === name) }));
}
