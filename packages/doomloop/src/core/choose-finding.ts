import type { Detector } from "./detectors/detector.ts";
import type { Finding } from "./detectors/index.ts";
import { type EventEffect, judgedIn } from "./event-effect.ts";
import type { FleetFinding } from "./finding.ts";
import type { RunState } from "./memory/run-state.ts";

/** The finding that ranks highest; of equal ones, the most telling. Findings without a rank are passed over. */
export function chooseFinding(
  detectors: readonly Detector<Exclude<Finding, FleetFinding>>[],
  effect: EventEffect,
  run: RunState,
  rankOf: (finding: Finding) => number | undefined,
): Finding | undefined {
  const sight = effect.kind === "answer" || effect.kind === "stream" ? effect : judgedIn(effect);
  if (sight === undefined) return undefined;
  const on = "kind" in sight ? sight.kind : "step";
  let chosen: Finding | undefined;
  let highest = -1;
  for (const detector of detectors) {
    const finding = detector.on === on ? detector.inspect(sight, run) : undefined;
    const rank = finding && rankOf(finding);
    if (rank === undefined || rank <= highest) continue;
    chosen = finding;
    highest = rank;
  }
  return chosen;
}

/** The calls that would continue a loop. */
export function membersOf(finding: Finding, effect: EventEffect, { history }: RunState): readonly string[] {
  const judged = judgedIn(effect);
  if (judged === undefined || finding.steps.length === 0) return [];
  const calls = history.filter(({ index }) => finding.steps.includes(index)).map(({ call }) => call);
  return [judged.step.call, ...(judged.fuzzy === undefined ? [] : [judged.fuzzy.like]), ...calls];
}
