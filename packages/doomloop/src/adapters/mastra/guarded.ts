import { BlockedCall } from "../host/blocked-call.ts";
import type { HostOptions } from "../host/host-options.ts";
import type { CallAnswer } from "../host/host-run.ts";
import { createHostRuns } from "../host/host-runs.ts";
import type { GuardableConfig, HookContext, PartLike, RequestArgs, ResponseArgs } from "./config.ts";
import { isCall, isFailure, isNewTurn, isResult, partsOf, withWords } from "./prompt.ts";
import { type KnownRun, tellRuns } from "./tell-runs.ts";

const MAX_OPEN = 200;
const MAX_SPOKEN = 200;

/**
 * Guards an agent of Mastra: `new Agent(guarded({ id, name, instructions, model, tools }))`.
 *
 * A hook before each tool call can refuse it; a processor, the last of the list, reads results in the request to the model and
 * puts words behind them. Hooks and processors of the configuration are kept. Each run has a guard of its own.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that, but for what the host takes as an answer:
 * a `BlockedCall` for a call that is not run, and the host's tripwire for a run that is ended.
 */
export function guarded<Config extends GuardableConfig>(config: Config, options: HostOptions = {}): Config {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  const teller = tellRuns(runs);
  const { hooks, inputProcessors } = config;

  const safely = <Value>(action: () => Value): Value | undefined => runs.safely<Value | undefined>(undefined, action);

  const beforeToolCall = (context: HookContext): unknown => {
    const refused = safely(() => judge(teller.ofCall, context));
    if (refused !== undefined) throw new BlockedCall(refused);
    return hooks?.beforeToolCall?.(context);
  };

  const processor = {
    id: "doomloop",
    processLLMRequest({ abort, ...request }: RequestArgs) {
      const { prompt, state } = request;
      const known = safely(() => teller.ofRequest(state, prompt));
      if (known === undefined) return undefined;
      safely(() => observe(known, request));
      const stop = known.run.stopped();
      if (stop !== undefined) abort(stop.explanation, { metadata: stop });
      const spoken = safely(() => withWords(prompt, known.spoken)) ?? prompt;
      return spoken === prompt ? undefined : { prompt: spoken };
    },
    processLLMResponse({ chunks, state, requestContext }: ResponseArgs): undefined {
      const calls = chunks.filter(({ type }) => type === "tool-call");
      const ids = calls.map(({ payload }) => (payload as { toolCallId: string }).toolCallId);
      safely(() => teller.learn(state, ids, requestContext));
    },
  };

  return {
    ...config,
    hooks: { ...hooks, beforeToolCall },
    inputProcessors:
      typeof inputProcessors === "function"
        ? async (context: unknown) => [...((await inputProcessors(context)) ?? []), processor]
        : [...(inputProcessors ?? []), processor],
  };
}

/** What a call is refused with. One that was interrupted runs again with the same id, and was judged before. */
function judge(
  ofCall: (id: string, context: object | undefined) => KnownRun | undefined,
  { toolName, input, context }: HookContext,
): Exclude<CallAnswer, { action: "run" }> | undefined {
  const { toolCallId: id, requestContext } = (context ?? {}) as { toolCallId?: string; requestContext?: object };
  const known = id === undefined ? undefined : ofCall(id, requestContext);
  if (id === undefined || known === undefined || known.open.has(id)) return undefined;
  const answer = known.run.call({ id, tool: toolName, args: input });
  known.open.add(id);
  if (known.open.size > MAX_OPEN) known.open.delete(known.open.keys().next().value!);
  return answer.action === "run" ? undefined : answer;
}

/** Observes what has happened since the last request: results, calls that no hook saw, the user. */
function observe(known: KnownRun, { prompt, steps = [], stepNumber, state }: Omit<RequestArgs, "abort">): void {
  // A request that failed is made once more.
  if (known.latest?.state === state && known.latest.stepNumber === stepNumber) return;
  known.latest = { state, stepNumber };
  observeUnseen(known, steps.at(-1)?.content ?? []);
  observeResults(known, prompt);
  if (isNewTurn(prompt)) known.run.user();
  known.run.round();
}

/** Calls that the provider ran, and calls of tools that the agent does not have. */
function observeUnseen({ run, open }: KnownRun, step: readonly PartLike[]): void {
  for (const { toolCallId: id = "", toolName: tool = "", input: args } of step.filter(isCall)) {
    const result = step.find((part) => isResult(part) && part.toolCallId === id);
    if (open.has(id) || result === undefined) continue;
    run.past({ id, tool, args, output: result.output?.value, error: isFailure(result.output) || undefined });
  }
}

function observeResults({ run, open, spoken }: KnownRun, prompt: RequestArgs["prompt"]): void {
  for (const { toolCallId: id = "", output } of prompt.flatMap(partsOf).filter(isResult)) {
    if (!open.delete(id)) continue;
    const words = run.result({ id, output: output?.value, error: isFailure(output) || undefined });
    if (words !== undefined) spoken.set(id, words);
    if (spoken.size > MAX_SPOKEN) spoken.delete(spoken.keys().next().value!);
  }
}
