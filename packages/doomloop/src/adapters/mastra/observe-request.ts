import { modelValue } from "../../host/model-value.ts";
import type { RequestArgs } from "./config.ts";
import { isFailure, isNewTurn, type PromptResult, resultsIn, usersIn } from "./prompt.ts";
import type { KnownRun } from "./tell-runs.ts";

const MAX_SPOKEN = 200;

/** Observes what has happened since the last request: results, calls that no hook saw, the user. */
export function observeRequest(known: KnownRun, { prompt, stepNumber, state }: RequestArgs): void {
  const { latest, run } = known;
  // A request that failed is made once more.
  if (latest?.state === state && latest.stepNumber === stepNumber) return;
  const users = usersIn(prompt);
  // Behind a tool's result it may be a reminder that the host adds to every request. Not so if a new call of the agent brings one more.
  const isNewCall = latest !== undefined && latest.state !== state && users > latest.users;
  known.latest = { state, stepNumber, users };
  observeResults(known, resultsIn(prompt));
  if (isNewCall || isNewTurn(prompt)) run.user();
  run.round();
}

/** Where ids repeat, the latest result is that of the latest answer. */
function observeResults(known: KnownRun, results: readonly PromptResult[]): void {
  const { run, asked, spoken } = known;
  known.asked = new Map();
  let last: PromptResult | undefined;
  for (const { toolCallId: id, toolName: tool, args, isJudged } of asked.values()) {
    const result = results.findLast((each) => each.id === id);
    if (result === undefined) continue;
    last = result;
    const outcome = { output: modelValue(result.output.value), error: isFailure(result.output) || undefined };
    if (isJudged) say(spoken, result, run.result({ id, ...outcome, isLate: true }));
    else run.past({ id, tool, args, ...outcome });
  }
  if (last !== undefined) say(spoken, last, run.words());
}

function say(spoken: Map<string, string>, { key }: PromptResult, words: string | undefined): void {
  if (words === undefined) return;
  spoken.set(key, [spoken.get(key), words].filter(Boolean).join("\n\n"));
  if (spoken.size > MAX_SPOKEN) spoken.delete(spoken.keys().next().value!);
}
