import type { HostRun } from "../../host/host-run.ts";
import { modelValue } from "../../host/model-value.ts";
import { latestUserText } from "../../host/user-text.ts";
import type { RequestArgs, ResponseArgs } from "./config.ts";
import type { KnownRun } from "./identify-run.ts";
import { isFailure, isNewTurn, type PromptResult, resultsIn, usersIn } from "./prompt.ts";

const MAX_SPOKEN = 200;

/** Observes what has happened since the last request: results, calls that no hook saw, words of the user. */
export function observeRequest(known: KnownRun, { prompt, stepNumber, state }: RequestArgs): void {
  const { latest, run } = known;
  // A failed request is made again.
  if (latest?.state === state && latest.stepNumber === stepNumber) return;
  const users = usersIn(prompt);
  // A user message after a tool's result may be a reminder in every request. If a new call of the agent adds one more, it is the user.
  const isNewCall = latest !== undefined && latest.state !== state && users > latest.users;
  known.latest = { state, stepNumber, users };
  observeResults(known, resultsIn(prompt));
  if (isNewCall || isNewTurn(prompt)) run.user();
  run.asked(() => latestUserText(prompt));
  run.round();
}

/** If ids repeat, the latest result belongs to the latest answer. */
function observeResults(known: KnownRun, results: readonly PromptResult[]): void {
  const { run, asked, spoken } = known;
  known.asked = new Map();
  let last: PromptResult | undefined;
  for (const { toolCallId: id, toolName: tool, args, isJudged } of asked.values()) {
    const result = results.findLast((each) => each.id === id);
    if (result === undefined) continue;
    last = result;
    const outcome = { output: modelValue(result.output.value), error: isFailure(result.output) };
    if (isJudged) addWords(spoken, result, run.result({ id, ...outcome, isLate: true }));
    else run.past({ id, tool, args, ...outcome });
  }
  if (last !== undefined) addWords(spoken, last, run.words());
}

function addWords(spoken: Map<string, string>, { key }: PromptResult, words: string | undefined): void {
  if (words === undefined) return;
  spoken.set(key, [spoken.get(key), words].filter(Boolean).join("\n\n"));
  if (spoken.size > MAX_SPOKEN) spoken.delete(spoken.keys().next().value!);
}

type Chunks = ResponseArgs["chunks"];

/** Observes what the model thought and said in an answer, before its calls are made. */
export function observeResponse(chunks: Chunks, run: HostRun): void {
  const thought = joined(chunks, "reasoning-delta");
  const said = joined(chunks, "text-delta");
  if (thought !== "") run.reasoning(thought);
  if (said !== "") run.text(said, { partial: chunks.some(({ type }) => type === "tool-call") });
}

function joined(chunks: Chunks, wanted: string): string {
  const pieces = chunks.filter(({ type }) => type === wanted).map(({ payload }) => payload as { text?: unknown });
  return pieces.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}
