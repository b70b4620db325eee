import type { LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import type { InvocationLike, PartLike } from "./plugin.ts";

export interface OpenCall {
  /** The guard's id of it. */
  readonly id: string;
  readonly isFailed: boolean;
}

/** A run, with what ADK does not keep for us between two callbacks. */
export interface Turn {
  readonly run: HostRun;
  /** Calls without a result yet, by the host's id. */
  readonly open: Map<string, OpenCall>;
  invocationId: string;
  /** Code of the model's that has no result yet. */
  code: string | undefined;
  /** How much was new in the invocation when the model was last asked. */
  news: number;
  /** The end that was shown. */
  shown: LoopStop | undefined;
  /** What the model has said and thought in the present answer, for as long as no call is beside it. */
  words: readonly PartLike[];
  /** What the model said with its latest calls. */
  said: readonly string[];
  /** Whether anything was called since the run is with its agent. */
  hasCalled: boolean;
  /** How much was done in the run, besides transfers. */
  calls: number;
}

const MAX_OPEN = 64;

/** Finds the run of an invocation: one for a session, and one for each agent in it that runs beside others. */
export function tellTurns(runs: HostRuns): (invocation: InvocationLike, branch?: string) => Turn {
  const turns = new WeakMap<HostRun, Turn>();
  return (invocation, branch = invocation.branch) => {
    const { invocationId, session } = invocation;
    const run = runs.of(JSON.stringify([session.appName, session.userId, session.id, branch]));
    const turn = turns.get(run) ?? newTurn(run, invocationId);
    turns.set(run, turn);
    if (turn.invocationId !== invocationId) {
      turn.invocationId = invocationId;
      turn.news = 0;
      const isSpokenTo = hasSpoken(invocation);
      // Results that have not come by now do not come, and ids may come again.
      if (isSpokenTo) turn.open.clear();
      if (run.stopped() !== undefined || isSpokenTo) run.user();
    }
    return turn;
  };
}

function newTurn(run: HostRun, invocationId: string): Turn {
  return {
    run,
    open: new Map(),
    invocationId,
    code: undefined,
    news: 0,
    shown: undefined,
    words: [],
    said: [],
    hasCalled: false,
    calls: 0,
  };
}

/** Notes a call that waits for its result. Bounded, because some results never come. */
export function noteOpen({ open }: Turn, hostId: string, call: OpenCall): void {
  open.set(hostId, call);
  if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
}

/** A human who only agrees to a call has not given the agent anything new. */
function hasSpoken({ userContent }: InvocationLike): boolean {
  return userContent?.parts?.some(({ functionResponse }) => functionResponse === undefined) ?? false;
}
