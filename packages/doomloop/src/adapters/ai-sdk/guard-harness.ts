import { safely } from "../../core/faults.ts";
import { isObject } from "../../core/identity/read-object.ts";
import { appendToText, isJsonText, jsonOf } from "../../host/append-words.ts";
import type { HostOptions } from "../../host/host-options.ts";
import { createHostRuns, type HostRuns } from "../../host/host-runs.ts";
import { hasPlainPrototype } from "../../host/model-value.ts";
import { textOfParts } from "../../host/user-text.ts";
import { guardTools } from "./guard-tool.ts";
import { overridable } from "./model-output.ts";
import { type OwnCondition, stopCondition } from "./observe-step.ts";

/** A HarnessAgent. It works in sessions. */
export interface HarnessLike {
  createSession(options?: never): PromiseLike<object>;
}

interface SessionLike {
  readonly sessionId: string;
  promptTurn(turn: TurnLike): unknown;
  continueTurn(turn: TurnLike): unknown;
  experimental_steerTurn(words: string): unknown;
}

/** What the agent passes to a session for one turn. */
interface TurnLike {
  readonly prompt?: { readonly content?: unknown };
  readonly activeTools: object;
  readonly stopConditions: readonly unknown[];
  readonly callbacks: { onStepStart?(event: unknown): unknown };
}

/** Guards what a HarnessAgent runs in this process. Calls do not say whose they are, so each session gets tools and a condition of its own. */
export function guardHarness<Agent extends HarnessLike>(agent: Agent, options: HostOptions): Agent {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  const guarded = overridable(agent);
  guarded.override("createSession", async (given?: never) => {
    const session = await agent.createSession(given);
    return runs.withFallback(session, () => guardSession(session as SessionLike, runs));
  });
  return guarded.object;
}

function guardSession(session: SessionLike, runs: HostRuns): SessionLike {
  const run = runs.start(session.sessionId);
  const seen = new Set<string>();
  const ofCall = (_input: unknown, { toolCallId }: { toolCallId: string }) => {
    seen.add(toolCallId);
    return run;
  };
  const speak = (output: unknown, words: string) => safely(() => withWords(output, words), runs.reportFault);
  const hasSeen = ({ toolCallId = "" }) => seen.delete(toolCallId);
  // All its tools are guarded, so a call that none of them saw was denied.
  const endsRun = stopCondition({ ...runs, reportFault: () => {} }, { ofSteps: () => run, hasSeen });
  const steer = async (words: string) => session.experimental_steerTurn(words);

  const isOver: OwnCondition = (options) => {
    const isEnd = endsRun(options);
    // What had no room in a result, or is about the harness's own tools, the agent reads as a message. It must know before it is ended.
    const words = isEnd ? undefined : run.words();
    if (words !== undefined) steer(words).catch(() => run.hold(words));
    return isEnd;
  };

  const guardTurn = (turn: TurnLike): TurnLike =>
    runs.withFallback(turn, () => {
      const onStepStart = (event: unknown): unknown => {
        run.round();
        return turn.callbacks.onStepStart?.(event);
      };
      const activeTools = guardTools(turn.activeTools, { ofCall, speak });
      const stopConditions = [...turn.stopConditions, isOver];
      return { ...turn, activeTools, stopConditions, callbacks: { ...turn.callbacks, onStepStart } };
    });

  const guarded = overridable(session);
  guarded.override("continueTurn", (turn: TurnLike) => session.continueTurn(guardTurn(turn)));
  guarded.override("promptTurn", (turn: TurnLike) => {
    seen.clear();
    run.user();
    run.asked(() => textOfParts(turn.prompt?.content ?? turn.prompt));
    return session.promptTurn(guardTurn(turn));
  });
  return guarded.object;
}

/** There is one copy of a result, for the model and for the caller's code. So text stays text, and an object gets one more field. */
function withWords(output: unknown, words: string): unknown {
  if (isObject(output)) return hasPlainPrototype(output) ? { ...output, doomloop: words } : undefined;
  if (typeof output !== "string") return undefined;
  if (!isJsonText(output)) return appendToText(output, words);
  const parsed: unknown = safely(() => JSON.parse(output));
  return jsonOf(withWords(parsed, words));
}
