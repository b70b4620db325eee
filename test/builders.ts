import type { AgentEvent, Decision, Guard } from "doomloop";
import type { CoreGuard } from "../packages/doomloop/src/core/guard.ts";
import type { Judged } from "../packages/doomloop/src/core/judged.ts";
import type { ToolRules } from "../packages/doomloop/src/core/policy/tool-rules.ts";
import { createToolRules } from "../packages/doomloop/src/core/policy/tool-rules.ts";
import { createRun, type Run, type RunOptions } from "../packages/doomloop/src/core/run.ts";
import { createConfiguredGuard, type GuardConfig } from "../packages/doomloop/src/counting/configured-guard.ts";
import { WARNING_PLATFORM } from "../packages/doomloop/src/create-guard.ts";
import { withCall } from "../packages/doomloop/src/guarded-call.ts";
import { platform } from "../packages/doomloop/src/platform.ts";
import { call, result } from "../packages/doomloop/src/testing/events.ts";

export type { GuardConfig } from "../packages/doomloop/src/counting/configured-guard.ts";
export {
  call,
  failure,
  result,
  round,
  step,
  text,
  times,
  user,
} from "../packages/doomloop/src/testing/events.ts";

export type RunSettings = Partial<Pick<RunOptions, "patienceMs" | "streams">> & {
  readonly rules?: ToolRules;
  /** Whether the run has shown results already, so that calls alone are not judged. */
  readonly hasResults?: boolean;
};

/** A run's memory, as a guard keeps it. */
export function newRun({ rules = {}, hasResults = false, ...settings }: RunSettings = {}): Run {
  const run = createRun({
    ruleOf: createToolRules(rules, rethrow),
    platform,
    streams: {},
    patienceMs: 1_800_000,
    ...settings,
  });
  if (hasResults) run.memory.results = 1;
  return run;
}

/** A guard as `doomloop` makes it, from a configuration, which may also ask questions or count by rules of its own. */
export function createGuard(config: GuardConfig = {}): Guard {
  return withCall(createConfiguredGuard(config, WARNING_PLATFORM));
}

/** What a new guard decides on these events, as `doomloop/testing` tells it. */
export function decisionsOf(events: readonly AgentEvent[], config: GuardConfig = {}): (Decision & { at: number })[] {
  const guard = newGuard(config);
  return events
    .map((event, at) => ({ at, ...guard.observe(event) }))
    .filter((decision) => decision.action !== "continue");
}

/** A guard as our own hosts have it, which throws its faults. */
export function newGuard(options: GuardConfig = {}): CoreGuard {
  return createConfiguredGuard({ onFault: rethrow, ...options }, platform);
}

function rethrow(fault: unknown): never {
  throw fault;
}

/** The steps that events complete, as they are when all is over: each with what it added to the evidence. */
export function stepsOf(events: readonly AgentEvent[], options: GuardConfig = {}): Judged[] {
  const guard = newGuard(options);
  return events.flatMap((event) => {
    guard.observe(event);
    return guard.judged() ?? [];
  });
}

/** Those of them that have an outcome. Before the first result, calls are judged alone. */
export function seenStepsOf(events: readonly AgentEvent[], options: GuardConfig = {}): Judged[] {
  return stepsOf(events, options).filter(({ text }) => text !== undefined);
}

/** The step that a run ends with. */
export function latestIn(events: readonly AgentEvent[], options: GuardConfig = {}): Judged {
  return stepsOf(events, options).at(-1)!;
}

/** The actions alone, in order. */
export function actionsOf(events: readonly AgentEvent[], options: GuardConfig = {}): string[] {
  return decisionsOf(events, options).map((decision) => decision.action);
}

/** A call with its outcome, before it is made. */
export interface Doing {
  readonly tool: string;
  readonly args?: unknown;
  readonly output?: unknown;
  readonly error?: boolean | undefined;
  /** Time from the result before to this call, where the host has a clock. */
  readonly afterMs?: number;
}

/** Makes a call as a host does: not at all if it is refused. Returns what the guard says, before the call or else after it. */
export function make(
  guard: Pick<Guard, "observe">,
  { tool, args = {}, output = "", error }: Doing,
  at?: number,
): Decision {
  const clock = at === undefined ? {} : { at };
  const before = guard.observe(call(tool, args, clock));
  if (before.action === "block" || before.action === "stop") {
    guard.observe(result(before.message, { synthetic: true, ...clock }));
    return before;
  }
  const after = guard.observe(result(output, { error, ...clock }));
  return before.action === "continue" ? after : before;
}

/** Makes calls one after the other. With times between them, the host has a clock. */
export function makeAll(guard: Pick<Guard, "observe">, doings: readonly Doing[]): Decision[] {
  let at = 1_770_000_000_000;
  return doings.map((doing) => {
    at += doing.afterMs ?? 0;
    return make(guard, doing, doing.afterMs === undefined ? undefined : at);
  });
}

/** The indices of the decisions with this action. */
export function placesOf(action: string, decisions: readonly Decision[]): number[] {
  return decisions.flatMap((decision, at) => (decision.action === action ? [at] : []));
}
