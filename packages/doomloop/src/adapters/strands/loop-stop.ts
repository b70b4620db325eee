import type { LoopStop } from "../../host/host-options.ts";

/** What a run has ended with: its last message, or in a swarm the result of the last agent. */
const stops = new WeakMap<object, LoopStop>();

/** Notes what a run has ended with. */
export function noteStop(last: object, stop: LoopStop): void {
  stops.set(last, stop);
}

/** The few fields of an agent's result, or of a swarm's, that are read here. */
export interface ResultLike {
  readonly lastMessage?: object;
  readonly results?: readonly object[];
}

/** The end of a run, if the guard has ended it; undefined if it has not. Takes the result of an agent, or of a swarm. */
export function loopStop({ lastMessage, results = [] }: ResultLike): LoopStop | undefined {
  const last = [...results, lastMessage].find((part) => part !== undefined && stops.has(part));
  return last && stops.get(last);
}
