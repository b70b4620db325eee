import type { HostRun } from "../host/host-run.ts";
import type { HostRuns } from "../host/host-runs.ts";
import { isObject } from "../host/is-object.ts";
import type { ExecuteOptions, MessageLike, PartLike, StepLike } from "./settings.ts";

/** Tells to which run a call belongs. One set of tools may serve many runs at a time, and the host names none of them. */
export interface RunTeller {
  /** The run of a call that is about to run. A new list of messages is a new round. */
  ofCall(input: unknown, options: ExecuteOptions): HostRun;
  /** The run of these steps. */
  ofSteps(steps: readonly StepLike[]): HostRun;
  /** Whether a call was seen before it ran. */
  hasSeen(call: PartLike): boolean;
}

const MAX_IDS = 1000;
const MAX_MESSAGES = 200;

/**
 * Runs are told apart by what they hand on from step to step: the lists of messages and of steps, and the objects that hold
 * the calls' arguments. Ids come last, because scripted models repeat them: they serve where messages were copied.
 */
export function tellRuns(runs: HostRuns): RunTeller {
  const byObject = new WeakMap<object, HostRun>();
  const byId = new Map<string, HostRun>();
  const executed = new WeakSet<object>();

  const remember = (key: unknown, run: HostRun): void => {
    if (isObject(key)) byObject.set(key, run);
  };

  const rememberCall = (id: string, input: unknown, run: HostRun): void => {
    remember(input, run);
    if (isObject(input)) executed.add(input);
    byId.delete(id);
    byId.set(id, run);
    if (byId.size > MAX_IDS) byId.delete(byId.keys().next().value!);
  };

  const byInput = ({ input }: PartLike): HostRun | undefined => (isObject(input) ? byObject.get(input) : undefined);

  const ofKnownCalls = (calls: readonly PartLike[]): HostRun | undefined =>
    firstOf(calls, byInput) ?? firstOf(calls, ({ toolCallId = "" }) => byId.get(toolCallId));

  return {
    ofCall(input, { toolCallId, messages }) {
      const known = byObject.get(messages);
      const run = known ?? ofKnownCalls(callsIn(messages)) ?? runs.start();
      if (known === undefined) {
        byObject.set(messages, run);
        if (run.stopped() !== undefined || isNewTurn(messages)) run.user();
        run.round();
      }
      rememberCall(toolCallId, input, run);
      return run;
    },
    ofSteps(steps) {
      const calls = (steps.at(-1)?.content ?? []).filter(isCall);
      const run = byObject.get(steps) ?? ofKnownCalls(calls) ?? runs.start();
      remember(steps, run);
      for (const { input } of calls) remember(input, run);
      return run;
    },
    hasSeen: ({ input, toolCallId = "" }) => (isObject(input) ? executed.has(input) : byId.has(toolCallId)),
  };
}

/** The calls in the latest messages, the latest first. */
function callsIn(messages: readonly MessageLike[]): PartLike[] {
  const calls: PartLike[] = [];
  for (const { role, content } of messages.slice(-MAX_MESSAGES).reverse()) {
    if (role === "assistant" && Array.isArray(content)) calls.push(...content.filter(isCall).reverse());
  }
  return calls;
}

/**
 * Whether the user has spoken since the agent's last answer. A user message right behind a tool's result does not tell: it may
 * be a reminder that the host adds to every step.
 */
function isNewTurn(messages: readonly MessageLike[]): boolean {
  const latest = messages.findLast(({ role }) => role !== "user");
  if (messages.at(-1)?.role !== "user" || latest?.role !== "assistant") return false;
  return !Array.isArray(latest.content) || !latest.content.some(isCall);
}

export function isCall(part: PartLike): boolean {
  return part.type === "tool-call";
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
