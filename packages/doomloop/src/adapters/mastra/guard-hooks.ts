import { BlockedCall } from "../../host/blocked-call.ts";
import type { RefusedCall } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import type { AskedCall, HookContext, RequestArgs, ResponseArgs, ToolContext, ToolHooksLike } from "./config.ts";
import { hearResponse } from "./hear-response.ts";
import { observeRequest } from "./observe-request.ts";
import { withWords } from "./prompt.ts";
import { type Ending, endRun } from "./run-end.ts";
import { saveTurn } from "./save-turn.ts";
import { type KnownRun, type RunTeller, tellRuns } from "./tell-runs.ts";

/** What a guarded agent is given: a hook before each call, and a processor around each request. */
export interface GuardHooks {
  beforeToolCall(own: ToolHooksLike | undefined): (context: HookContext) => unknown;
  /** @param memory that of the configuration, if a turn that is ended is to be kept in it */
  processor(ending: Ending, memory?: unknown): object;
}

export const PROCESSOR_ID = "doomloop";

/** Makes the hooks that all agents of a configuration share. Each of their runs has a guard of its own. */
export function createGuardHooks(runs: HostRuns): GuardHooks {
  const teller = tellRuns(runs);
  const safely = <Value>(action: () => Value): Value | undefined => runs.safely<Value | undefined>(undefined, action);

  return {
    beforeToolCall: (own) => (context) => {
      const refused = safely(() => judge(teller, context));
      if (refused !== undefined) throw new BlockedCall(refused);
      return own?.beforeToolCall?.(context);
    },
    processor: (ending, memory) => ({
      id: PROCESSOR_ID,
      processLLMRequest(request: RequestArgs) {
        const known = safely(() => read(teller, request));
        if (known === undefined) return undefined;
        const { run, spoken, save } = known;
        known.save = undefined;
        const stop = run.stopped();
        const { prompt, abort } = request;
        if (stop !== undefined)
          return endRun(stop, ending, { abort, save: () => saveTurn(request, memory, save).catch(runs.reportFault) });
        const told = safely(() => withWords(prompt, spoken)) ?? prompt;
        return told === prompt ? undefined : { prompt: told };
      },
      processLLMResponse({ chunks, state, requestContext }: ResponseArgs): undefined {
        const calls = chunks.filter(({ type }) => type === "tool-call").map(({ payload }) => payload as AskedCall);
        const run = safely(() => teller.learn(state, calls, requestContext));
        // The answer behind an end is ours.
        if (run !== undefined && run.stopped() === undefined) safely(() => hearResponse(chunks, run));
      },
    }),
  };
}

function read(teller: RunTeller, request: RequestArgs): KnownRun {
  const known = teller.ofRequest(request.state, request.prompt);
  observeRequest(known, request);
  return known;
}

/** What a call is refused with. One that was interrupted runs again with the same id, and was judged before. */
function judge(teller: RunTeller, { toolName, input, context }: HookContext): RefusedCall | undefined {
  const { toolCallId: id, requestContext, flushMessages } = (context ?? {}) as ToolContext;
  const known = id === undefined ? undefined : teller.ofCall(id, requestContext);
  const asked = known?.asked.get(id ?? "");
  if (known === undefined || asked === undefined || asked.isJudged) return undefined;
  asked.isJudged = true;
  known.save = flushMessages;
  const answer = known.run.call({ id, tool: toolName, args: input });
  return answer.action === "run" ? undefined : answer;
}
