import type { LoopStop } from "../../host/host-options.ts";
import { isObject } from "../../host/is-object.ts";
import { LOOP_DETECTED } from "../../index.ts";
import type { AnswerLike } from "./plugin.ts";

/** Where an event has it, among what belongs to others. */
const KEY = "doomloop";

/** What stands in place of the model's answer once a run is over. An error code would fail a workflow, so there is none. */
export function endingAnswer(stop: LoopStop): AnswerLike {
  return { content: { role: "model", parts: [{ text: stop.explanation }] }, customMetadata: { [KEY]: stop } };
}

/** What stands in place of the answers of agents that were to follow: the end is shown once, and they must not go on. */
export function silentAnswer(): AnswerLike {
  return { usageMetadata: {} };
}

/** The end of a run, if this event is that end; undefined for any other event. Events that a session has stored have it too. */
export function loopStop(event: {
  readonly customMetadata?: Readonly<Record<string, unknown>> | undefined;
}): LoopStop | undefined {
  const stop = event.customMetadata?.[KEY];
  return isObject(stop) && (stop as Partial<LoopStop>).status === LOOP_DETECTED ? (stop as LoopStop) : undefined;
}
