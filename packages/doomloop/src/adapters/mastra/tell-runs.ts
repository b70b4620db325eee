import type { HostRun } from "../host/host-run.ts";
import type { HostRuns } from "../host/host-runs.ts";
import type { MessageLike } from "./config.ts";
import { isCall, partsOf } from "./prompt.ts";

/** A run, and what the adapter knows of it. */
export interface KnownRun {
  readonly run: HostRun;
  /** Calls that were judged and whose result has not been read. */
  readonly open: Set<string>;
  /** Words behind results, by call. The host builds each prompt anew: they are put there again each time. */
  readonly spoken: Map<string, string>;
  /** The latest request that was read. */
  latest?: { readonly state: object; readonly stepNumber: number };
}

/** Tells to which run a request or a call belongs. One agent serves many runs at a time, and tells its hooks of none. */
export interface RunTeller {
  ofRequest(state: object, prompt: readonly MessageLike[]): KnownRun;
  /** Notes the calls of an answer, so that their hooks find the run. */
  learn(state: object, ids: readonly string[], context: object | undefined): void;
  /** Undefined where a tool is called by hand. */
  ofCall(id: string, context: object | undefined): KnownRun | undefined;
}

const MAX_IDS = 1000;

/**
 * A run is known by the state that the host keeps for it, and its calls by their ids within the host's request. Ids alone come
 * last, because scripted models repeat them: they serve a run that goes on after a human was asked.
 */
export function tellRuns(runs: HostRuns): RunTeller {
  const byState = new WeakMap<object, KnownRun>();
  const byContext = new WeakMap<object, Map<string, KnownRun>>();
  const byId = new Map<string, KnownRun>();

  const within = (context: object | undefined): Map<string, KnownRun> => {
    if (context === undefined) return byId;
    const known = byContext.get(context) ?? new Map<string, KnownRun>();
    byContext.set(context, known);
    return known;
  };

  const ofKnownCalls = (prompt: readonly MessageLike[]): KnownRun | undefined => {
    const ids = prompt.flatMap((message) => partsOf(message).filter(isCall)).map(({ toolCallId = "" }) => toolCallId);
    return byId.get(ids.findLast((id) => byId.has(id)) ?? "");
  };

  return {
    ofRequest(state, prompt) {
      const known = byState.get(state) ?? ofKnownCalls(prompt) ?? begin(runs.start());
      byState.set(state, known);
      return known;
    },
    learn(state, ids, context) {
      const known = byState.get(state);
      if (known === undefined) return;
      for (const id of ids) for (const map of [byId, within(context)]) remember(map, id, known);
    },
    ofCall: (id, context) => within(context).get(id) ?? byId.get(id),
  };
}

function begin(run: HostRun): KnownRun {
  return { run, open: new Set(), spoken: new Map() };
}

function remember(map: Map<string, KnownRun>, id: string, known: KnownRun): void {
  map.delete(id);
  map.set(id, known);
  if (map.size > MAX_IDS) map.delete(map.keys().next().value!);
}
