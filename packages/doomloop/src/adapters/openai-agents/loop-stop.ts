import type { LoopStop } from "../../host/host-options.ts";
import { isObject } from "../../host/is-object.ts";

/** What a run has ended at, by objects of that run only: the item of its conversation, and the stop itself. */
const stops = new WeakMap<object, LoopStop>();

/** Notes that a run has ended at an item of its conversation. */
export function noteStop(item: object, stop: LoopStop): void {
  stops.set(item, stop).set(stop, stop);
}

/**
 * The end of a run, if the guard has ended it; undefined if it has not.
 *
 * Takes the result of a run, streamed or not, and what a run with `exitBehavior: "error"` was rejected with.
 */
export function loopStop(ended: unknown): LoopStop | undefined {
  const { newItems, error } = fieldsOf(ended);
  // What a tool's guardrail throws comes wrapped in an error of the tool call.
  const { result } = fieldsOf(error ?? ended);
  const { output } = fieldsOf(result);
  const { outputInfo } = fieldsOf(output);
  const items = Array.isArray(newItems) ? newItems.map(rawItemOf) : [];
  for (const item of [outputInfo, ...items]) if (isObject(item) && stops.has(item)) return stops.get(item);
  return undefined;
}

function rawItemOf(item: unknown): unknown {
  const { rawItem } = fieldsOf(item);
  return rawItem;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? (value as Readonly<Record<string, unknown>>) : {};
}
