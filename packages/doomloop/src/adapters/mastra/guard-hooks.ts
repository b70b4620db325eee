import { BlockedCall } from "../../host/host-errors.ts";
import type { RefusedCall } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import type { Keeper } from "../../host/kept-guard.ts";
import type { AskedCall, HookContext, RequestArgs, ResponseArgs, ToolContext, ToolHooksLike } from "./config.ts";
import { identifyRuns, type KnownRun, type RunIdentifier } from "./identify-run.ts";
import { observeRequest, observeResponse } from "./observe-request.ts";
import { withWords } from "./prompt.ts";
import { type Ending, endRun, PROCESSOR_ID, saveTurn } from "./run-end.ts";

/** What a guarded agent gets: a hook before each call, and a processor around each request. */
export interface GuardHooks {
  beforeToolCall(own: ToolHooksLike | undefined): (context: HookContext) => unknown;
  /** @param memory the memory of the configuration, if an ended turn must be saved in it */
  processor(ending: Ending, memory?: unknown): object;
}

/** Creates the hooks that all agents of a configuration share. Each of their runs has its own guard. */
export function createGuardHooks(runs: HostRuns, keeper: Keeper | undefined): GuardHooks {
  const identifier = identifyRuns(runs, keeper);
  const attempt = <Value>(action: () => Value): Value | undefined =>
    runs.withFallback<Value | undefined>(undefined, action);

  return {
    beforeToolCall: (own) => (context) => {
      const refused = attempt(() => judge(identifier, context));
      if (refused !== undefined) throw new BlockedCall(refused);
      return own?.beforeToolCall?.(context);
    },
    processor: (ending, memory) => ({
      id: PROCESSOR_ID,
      processLLMRequest(request: RequestArgs) {
        const known = attempt(() => read(identifier, request));
        if (known === undefined) return undefined;
        const { run, spoken, save } = known;
        known.save = undefined;
        const stop = run.stopped();
        const { prompt, abort } = request;
        if (stop !== undefined)
          return endRun(stop, ending, { abort, save: () => saveTurn(request, memory, save).catch(runs.reportFault) });
        const told = attempt(() => withWords(prompt, spoken)) ?? prompt;
        return told === prompt ? undefined : { prompt: told };
      },
      processLLMResponse({ chunks, state, requestContext }: ResponseArgs): undefined {
        const calls = chunks.filter(({ type }) => type === "tool-call").map(({ payload }) => payload as AskedCall);
        const run = attempt(() => identifier.learn(state, calls, requestContext));
        // After an end, the answer is ours.
        if (run !== undefined && run.stopped() === undefined) attempt(() => observeResponse(chunks, run));
      },
    }),
  };
}

function read(identifier: RunIdentifier, request: RequestArgs): KnownRun {
  const known = identifier.ofRequest(request.state, request.prompt);
  observeRequest(known, request);
  return known;
}

/** The refusal of a call, if it is refused. An interrupted call runs again with the same id, and is judged only once. */
function judge(identifier: RunIdentifier, { toolName, input, context }: HookContext): RefusedCall | undefined {
  const { toolCallId: id, requestContext, flushMessages } = (context ?? {}) as ToolContext;
  const known = id === undefined ? undefined : identifier.ofCall(id, requestContext);
  const asked = known?.asked.get(id ?? "");
  if (known === undefined || asked === undefined || asked.isJudged) return undefined;
  asked.isJudged = true;
  known.save = flushMessages;
  const answer = known.run.call({ id, tool: toolName, args: input });
  return answer.action === "run" ? undefined : answer;
}
