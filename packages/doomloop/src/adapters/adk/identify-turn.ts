import type { LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import { textOfParts } from "../../host/user-text.ts";
import type { InvocationLike, PartLike } from "./plugin.ts";

export interface OpenCall {
  /** The guard's id of the call. */
  readonly id: string;
  readonly isFailed: boolean;
}

/** A run, and what must be remembered between two callbacks of ADK. */
export interface Turn {
  readonly run: HostRun;
  /** Calls without a result yet, by the host's id. */
  readonly open: Map<string, OpenCall>;
  invocationId: string;
  /** Code that the model wrote and that has no result yet. */
  code: string | undefined;
  /** How many new answers the invocation had when the model was last asked. */
  newAnswers: number;
  /** The end that was already shown. */
  shown: LoopStop | undefined;
  /** What the model has said and thought in its current answer, until a call comes with it. */
  pieces: readonly PartLike[];
  /** What the model said with its latest calls. */
  said: readonly string[];
  /** Whether the current agent has called anything since it took over. */
  hasCalled: boolean;
  /** The number of calls in the run, without transfers. */
  calls: number;
}

const MAX_OPEN = 64;

/** Returns a function that finds the run of an invocation. A session is one run, and so is each of its agents that runs in parallel. */
export function identifyTurns(runs: HostRuns): (invocation: InvocationLike, branch?: string) => Turn {
  const turns = new WeakMap<HostRun, Turn>();
  return (invocation, branch = invocation.branch) => {
    const { invocationId, session } = invocation;
    const run = runs.of(JSON.stringify([session.appName, session.userId, session.id, branch]));
    const turn = turns.get(run) ?? newTurn(run, invocationId);
    turns.set(run, turn);
    if (turn.invocationId !== invocationId) {
      turn.invocationId = invocationId;
      turn.newAnswers = 0;
      const hasUserSpoken = hasSpoken(invocation);
      // Missing results will not come any more, and ids may be used again.
      if (hasUserSpoken) turn.open.clear();
      if (run.stopped() !== undefined || hasUserSpoken) run.user();
    }
    run.asked(() => textOfParts(invocation.userContent?.parts));
    return turn;
  };
}

function newTurn(run: HostRun, invocationId: string): Turn {
  return {
    run,
    open: new Map(),
    invocationId,
    code: undefined,
    newAnswers: 0,
    shown: undefined,
    pieces: [],
    said: [],
    hasCalled: false,
    calls: 0,
  };
}

/** Remembers an open call. Bounded, because some results never come. */
export function noteOpen({ open }: Turn, hostId: string, call: OpenCall): void {
  open.set(hostId, call);
  if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
}

/** Approving a call does not give the agent anything new. */
function hasSpoken({ userContent }: InvocationLike): boolean {
  return userContent?.parts?.some(({ functionResponse }) => functionResponse === undefined) ?? false;
}
