import type { HostRun } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import type { Keeper } from "../../host/kept-guard.ts";
import { createKnownHistories } from "../../host/known-histories.ts";
import type { AskedCall, MessageLike } from "./config.ts";

/** A run, and what the adapter knows about it. */
export interface KnownRun {
  readonly run: HostRun;
  /** The calls of the latest answer, by id. */
  asked: ReadonlyMap<string, AskedCall & { isJudged?: boolean }>;
  /** Words for results, by the key of the result. Mastra builds a new prompt each time, so they are added to each one. */
  readonly spoken: Map<string, string>;
  /** Saves the messages of the run so far. Kept only until the next request, because it holds the whole conversation. */
  save?: (() => Promise<void>) | undefined;
  /** The latest request that was read. */
  latest?: { readonly state: object; readonly stepNumber: number; readonly users: number };
}

/** Finds the run that a request or a call belongs to. One agent serves many runs at a time, and does not tell its hooks which. */
export interface RunIdentifier {
  ofRequest(state: object, prompt: readonly MessageLike[]): KnownRun;
  /** Remembers the calls of an answer, so that their hooks find the run. Returns the run, if its request was seen. */
  learn(state: object, calls: readonly AskedCall[], context: object | undefined): HostRun | undefined;
  /** Undefined if the run is not certain: a tool called by hand, a call that waited for a human, a context that runs share. */
  ofCall(id: string, context: object | undefined): KnownRun | undefined;
}

/** How often a call id was used in one context. `known` is undefined if several runs used it. */
interface Asked {
  known: KnownRun | undefined;
  count: number;
}

const MAX_IDS = 1000;
/** The name under which a guard store keeps what the adapter knows. */
const PART = "mastra";

/**
 * Identifies a run by the state that Mastra keeps for it, and its calls by their ids within the context of the request. A run that
 * continues with another state, after a human was asked or in the next turn of a thread, is identified by its whole history. Ids alone
 * are not enough, because many servers start counting again for each conversation.
 */
export function identifyRuns(runs: HostRuns, keeper: Keeper | undefined): RunIdentifier {
  const byState = new WeakMap<object, { readonly known: KnownRun; readonly prompt: readonly MessageLike[] }>();
  const byContext = new WeakMap<object, Map<string, Asked>>();
  const latest = new WeakMap<KnownRun, object>();
  const histories = createKnownHistories<{ readonly known: KnownRun }>((step) => latest.get(step.known) === step);

  const askedIn = (context: object): Map<string, Asked> => {
    const asked = byContext.get(context) ?? new Map<string, Asked>();
    byContext.set(context, asked);
    return asked;
  };

  /** Only one request can continue from a step. Another one that does the same starts a new run. */
  const claim = (known: KnownRun | undefined): KnownRun | undefined => {
    if (known !== undefined) latest.delete(known);
    return known;
  };

  return {
    ofRequest(state, prompt) {
      // Instructions do not identify a run, because memory and clocks change them.
      const history = prompt.filter(({ role }) => role !== "system");
      const known = byState.get(state)?.known ?? claim(histories.find(history)?.known) ?? begin(runs.start(), keeper);
      byState.set(state, { known, prompt: history });
      return known;
    },
    learn(state, calls, context) {
      const request = byState.get(state);
      if (request === undefined) return undefined;
      const { known, prompt } = request;
      known.asked = new Map(calls.slice(0, MAX_IDS).map((call) => [call.toolCallId, { ...call }]));
      const [first] = calls;
      if (first === undefined) return known.run;
      const step = { known };
      latest.set(known, step);
      histories.note(prompt, { toolCallId: first.toolCallId, input: first.args }, step);
      if (context !== undefined) for (const id of known.asked.keys()) ask(askedIn(context), id, known);
      return known.run;
    },
    ofCall(id, context) {
      const all = context === undefined ? undefined : byContext.get(context);
      const asked = all?.get(id);
      if (all === undefined || asked === undefined) return undefined;
      asked.count--;
      if (asked.count === 0) all.delete(id);
      return asked.known;
    },
  };
}

/** What the next process needs to read the results of the latest answer, and to say again what was said. Contains no arguments. */
interface SavedRun {
  readonly judged: readonly string[];
  readonly spoken: readonly (readonly [key: string, words: string])[];
}

function begin(run: HostRun, keeper: Keeper | undefined): KnownRun {
  const { judged = [], spoken } = (keeper?.saved(PART) ?? {}) as Partial<SavedRun>;
  const asked = new Map(judged.map((id) => [id, { toolCallId: id, toolName: "", isJudged: true }]));
  const known: KnownRun = { run, asked, spoken: new Map(spoken) };
  keeper?.keep(PART, () => saveRun(known));
  return known;
}

function saveRun({ asked, spoken }: KnownRun): SavedRun {
  const judged = [...asked].filter(([, { isJudged }]) => isJudged === true).map(([id]) => id);
  return { judged, spoken: [...spoken] };
}

function ask(all: Map<string, Asked>, id: string, known: KnownRun): void {
  const asked = all.get(id) ?? { known, count: 0 };
  asked.count++;
  if (asked.known !== known) asked.known = undefined;
  all.set(id, asked);
  if (all.size > MAX_IDS) all.delete(all.keys().next().value!);
}
