import type { HostOptions } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { hearResponse } from "./hear-response.ts";
import { endingAnswer, silentAnswer } from "./loop-stop.ts";
import { createNews } from "./news.ts";
import { observeEvent } from "./observe-event.ts";
import type { LoopGuardPlugin } from "./plugin.ts";
import { noteOpen, tellTurns } from "./tell-turns.ts";
import { callOf } from "./transfer.ts";

/**
 * Guards all agents of a runner: `new Runner({ agent, plugins: [loopGuard()] })`.
 *
 * Put it first in the list: ADK asks no further plugin once one has answered. This one answers only in place of a call that
 * it blocks, and in place of a model or of a workflow's step once the run is over.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function loopGuard(options: HostOptions = {}): LoopGuardPlugin {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "answer" });
  const turnOf = tellTurns(runs);
  const news = createNews();

  /** What a plugin throws ends the run, so nothing is thrown. */
  const safely =
    <Given, Value>(action: (given: Given) => Value) =>
    async (given: Given): Promise<Value | undefined> => {
      try {
        return action(given);
      } catch (fault) {
        runs.reportFault(fault);
        return undefined;
      }
    };

  const callbacks: Partial<LoopGuardPlugin> = {
    name: "doomloop",
    beforeModelCallback: safely(({ callbackContext: { invocationContext, actions } }) => {
      const turn = turnOf(invocationContext);
      const stop = turn.run.stopped();
      if (stop === undefined) {
        const heard = news.of(turn.invocationId);
        // What other agents have written since is to this one what a user says.
        if (turn.news !== heard) turn.run.user();
        turn.news = heard;
        turn.words = [];
        turn.run.round();
        return undefined;
      }
      // Without it, an agent that repeats others would go on with the next lap.
      actions.escalate = true;
      const isShown = turn.shown === stop;
      turn.shown = stop;
      return isShown ? silentAnswer() : endingAnswer(stop);
    }),
    afterModelCallback: safely(({ callbackContext: { invocationContext }, llmResponse }) => {
      hearResponse(llmResponse, turnOf(invocationContext));
      return undefined;
    }),
    beforeToolCallback: safely(
      ({ tool, toolArgs, toolContext: { invocationContext, functionCallId: hostId = "" } }) => {
        const turn = turnOf(invocationContext);
        // A call that comes again before its result has waited for a human, who has agreed.
        if (turn.open.has(hostId)) return undefined;
        const call = callOf(tool.name, toolArgs, turn);
        if (call === undefined) return undefined;
        const answer = turn.run.call({ ...call, id: hostId });
        if (answer.action !== "run") return { error: answer.message };
        noteOpen(turn, hostId, { id: answer.id, isFailed: false });
        return undefined;
      },
    ),
    onToolErrorCallback: safely(({ toolContext: { invocationContext, functionCallId: hostId = "" } }) => {
      const turn = turnOf(invocationContext);
      const call = turn.open.get(hostId);
      if (call !== undefined) noteOpen(turn, hostId, { ...call, isFailed: true });
      return undefined;
    }),
    onEventCallback: safely(({ invocationContext, event }) => {
      observeEvent(event, turnOf(invocationContext, event.branch));
      news.hear(event, invocationContext.invocationId);
      return undefined;
    }),
    // A step says where a graph goes next, which may be back to the agent, for ever.
    beforeNodeCallback: safely(
      ({ nodeContext: { invocationContext } }) => turnOf(invocationContext).run.stopped()?.explanation,
    ),
    afterContextCompaction: safely(({ invocationContext }) => {
      turnOf(invocationContext).run.compaction();
      return undefined;
    }),
  };
  return Object.assign(Object.create(others), callbacks);
}

const idle = async (): Promise<undefined> => undefined;

/** ADK calls whatever callback it knows on every plugin. Those that are not ours, and those of later versions, do nothing. */
const others = new Proxy(
  {},
  { get: (_, key) => (typeof key === "string" && /^(?:before|after|on)[A-Z]/.test(key) ? idle : undefined) },
);
