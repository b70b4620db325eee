import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";
import type { CreateGuard } from "../quality/load-guard.ts";

/** A call with what the world answers. */
export interface Told {
  readonly tool: string;
  readonly args: unknown;
  readonly output: unknown;
  readonly isFailure: boolean;
  readonly pauseMs?: number;
  readonly tookMs?: number;
}

/** A run, call by call; an honest one ends. */
export interface Script {
  readonly name: string;
  readonly request: string;
  readonly calls: number;
  /** What it waits for shows in its clock alone. */
  readonly needsClock?: boolean;
  /** The call with this number, from 0. */
  readonly step: (number: number) => Told;
}

/** How a host tells a run. */
export interface Host {
  readonly hasIds: boolean;
  readonly hasRounds: boolean;
  /** `both`: the flag is true or false; `failures`: only true is told. */
  readonly flag: "both" | "failures" | "none";
  /** How long the model takes; undefined: there is no clock. */
  readonly thinkMs: number | undefined;
  readonly ask: (request: string) => string;
  readonly args: (args: unknown) => unknown;
  readonly wrap: (told: Told, number: number) => unknown;
  readonly rename: (tool: string) => string;
  /** What the model says before a call. */
  readonly think: ((number: number) => AgentEvent) | undefined;
  /** What the harness says as the user before each round but the first. */
  readonly remind: ((number: number) => string) | undefined;
}

/** The calls, from 1, at which the agent was told, refused and ended for the first time; Infinity: never. */
export interface Answers {
  readonly told: number;
  readonly refused: number;
  readonly ended: number;
}

const BASE: Host = {
  hasIds: true,
  hasRounds: true,
  flag: "both",
  thinkMs: 4_000,
  ask: (request) => request,
  args: (args) => args,
  wrap: ({ output }) => output,
  rename: (tool) => tool,
  think: undefined,
  remind: undefined,
};
const USUAL_TOOK_MS = 120;

/** Tells a run to a guard. The agent insists: a refused call gets the refusal as its result, and the next call is made. */
export function tellRun(createGuard: CreateGuard, script: Script, changed: Partial<Host> = {}): Answers {
  const host = { ...BASE, ...changed };
  const guard = createGuard();
  const hasClock = host.thinkMs !== undefined;
  const answers = { told: Infinity, refused: Infinity, ended: Infinity };
  let now = 1_790_000_000_000;
  let calls = 0;
  const tell = (event: AgentEvent): Decision => {
    const decision = guard.observe(event);
    const { action } = decision;
    if (action === "continue") return decision;
    const isEnd = action === "stop" || action === "restart";
    answers.told = Math.min(answers.told, calls);
    if (isEnd || action === "block") answers.refused = Math.min(answers.refused, calls);
    if (isEnd) answers.ended = Math.min(answers.ended, calls);
    return decision;
  };
  tell({ type: "user", text: host.ask(script.request) });
  while (calls < script.calls && answers.ended === Infinity) {
    const step = script.step(calls++);
    const told = { ...step, tool: host.rename(step.tool), args: host.args(step.args) };
    if (calls > 1 && host.remind !== undefined) tell({ type: "user", text: host.remind(calls) });
    if (host.hasRounds) tell({ type: "round" });
    if (host.think !== undefined) tell(host.think(calls));
    // No agent is as regular as a clock.
    now += (host.thinkMs ?? 0) * (0.8 + ((calls * 37) % 40) / 100) + (told.pauseMs ?? 0);
    const id = host.hasIds ? { id: `call_${calls}` } : {};
    const at = (): { at?: number } => (hasClock ? { at: Math.round(now) } : {});
    const before = tell({ type: "call", ...id, tool: told.tool, args: told.args, ...at() });
    if (answers.ended < Infinity) break;
    if (before.action === "block") {
      tell({ type: "result", ...id, output: before.message, synthetic: true, ...at() });
      continue;
    }
    now += told.tookMs ?? USUAL_TOOK_MS;
    const isFlagged = host.flag === "both" || (host.flag === "failures" && told.isFailure);
    const error = isFlagged ? { error: told.isFailure } : {};
    tell({ type: "result", ...id, output: host.wrap(told, calls), ...error, ...at() });
  }
  return answers;
}
