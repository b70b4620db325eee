import { isObject } from "../../core/identity/read-object.ts";
import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { requireObject } from "../../host/require-object.ts";
import { LOOP_DETECTED } from "../../index.ts";
import { identifyTurns, noteOpen } from "./identify-turn.ts";
import { createNewAnswers } from "./new-answers.ts";
import { callOf, observeEvent, observeResponse } from "./observe-event.ts";
import type { AdkPlugin, AnswerLike } from "./plugin.ts";

/** The name of our plugin, and the key of our data in the metadata of an event. */
const NAME = "doomloop";

/**
 * Guards all agents of a runner: `new InMemoryRunner(guard({ agent }))`. Takes the configuration of a `Runner`, of an `InMemoryRunner` or
 * of an `App`, and returns a copy with a plugin of ours.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<Config extends object>(config: Config, options: HostOptions = {}): Config {
  requireObject(config, "the configuration of a runner or an app");
  const { plugins = [] } = config as { readonly plugins?: readonly { readonly name?: unknown }[] };
  // ADK rejects two plugins of one name, and asks no further plugin once one has answered.
  return { ...config, plugins: [pluginOf(options), ...plugins.filter(({ name }) => name !== NAME)] };
}

/** Answers only for a call that is blocked, and for a model or a workflow step once the run is over. */
function pluginOf(options: HostOptions): AdkPlugin {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "answer" });
  const turnOf = identifyTurns(runs);
  const newAnswers = createNewAnswers();

  /** An error in a plugin would end the run, so none is thrown. */
  const safe =
    <Given, Value>(action: (given: Given) => Value) =>
    async (given: Given): Promise<Value | undefined> =>
      runs.withFallback<Value | undefined>(undefined, () => action(given));

  const callbacks: Partial<AdkPlugin> = {
    name: NAME,
    beforeModelCallback: safe(({ callbackContext: { invocationContext, actions } }) => {
      const turn = turnOf(invocationContext);
      const stop = turn.run.stopped();
      if (stop === undefined) {
        const count = newAnswers.countIn(turn.invocationId);
        // For this agent, new answers of other agents are like words of a user.
        if (turn.newAnswers !== count) turn.run.user();
        turn.newAnswers = count;
        turn.pieces = [];
        turn.run.round();
        return undefined;
      }
      // Otherwise an agent that runs others in a loop would start the next lap.
      actions.escalate = true;
      const isShown = turn.shown === stop;
      turn.shown = stop;
      return isShown ? silentAnswer() : endingAnswer(stop);
    }),
    afterModelCallback: safe(({ callbackContext: { invocationContext }, llmResponse }) => {
      observeResponse(llmResponse, turnOf(invocationContext));
      return undefined;
    }),
    beforeToolCallback: safe(({ tool, toolArgs, toolContext: { invocationContext, functionCallId: hostId = "" } }) => {
      const turn = turnOf(invocationContext);
      // A call that comes again before its result has been approved by a human.
      if (turn.open.has(hostId)) return undefined;
      const call = callOf(tool.name, toolArgs, turn);
      if (call === undefined) return undefined;
      const answer = turn.run.call({ ...call, id: hostId });
      if (answer.action !== "run") return { error: answer.message };
      noteOpen(turn, hostId, { id: answer.id, isFailed: false });
      return undefined;
    }),
    onToolErrorCallback: safe(({ toolContext: { invocationContext, functionCallId: hostId = "" } }) => {
      const turn = turnOf(invocationContext);
      const call = turn.open.get(hostId);
      if (call !== undefined) noteOpen(turn, hostId, { ...call, isFailed: true });
      return undefined;
    }),
    onEventCallback: safe(({ invocationContext, event }) => {
      observeEvent(event, turnOf(invocationContext, event.branch));
      newAnswers.observe(event, invocationContext.invocationId);
      return undefined;
    }),
    // A step decides where a graph goes next, and that may be back to the agent, forever.
    beforeNodeCallback: safe(
      ({ nodeContext: { invocationContext } }) => turnOf(invocationContext).run.stopped()?.explanation,
    ),
    afterContextCompaction: safe(({ invocationContext }) => {
      turnOf(invocationContext).run.compaction();
      return undefined;
    }),
  };
  return Object.assign(Object.create(others), callbacks);
}

const idle = async (): Promise<undefined> => undefined;

/** ADK calls every callback that it knows on every plugin. The callbacks that we do not use, and those of later versions, do nothing. */
const others = new Proxy(
  {},
  { get: (_, key) => (typeof key === "string" && /^(?:before|after|on)[A-Z]/.test(key) ? idle : undefined) },
);

/** Replaces the model's answer once a run is over. It has no error code, because that would fail a workflow. */
function endingAnswer(stop: LoopStop): AnswerLike {
  return { content: { role: "model", parts: [{ text: stop.explanation }] }, customMetadata: { [NAME]: stop } };
}

/** Replaces the answers of the agents that follow. They must not continue, and the end is shown only once. */
function silentAnswer(): AnswerLike {
  return { usageMetadata: {} };
}

/** The end of a run if this event ends it; undefined for any other event. Also works for events that a session has stored. */
export function loopStop(event: {
  readonly customMetadata?: Readonly<Record<string, unknown>> | undefined;
}): LoopStop | undefined {
  const stop = event?.customMetadata?.[NAME];
  return isObject(stop) && (stop as Partial<LoopStop>).status === LOOP_DETECTED ? (stop as LoopStop) : undefined;
}
