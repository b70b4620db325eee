import { createConfiguredGuard, type GuardConfig } from "../../packages/doomloop/src/counting/configured-guard.ts";
import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";
import { platform } from "../../packages/doomloop/src/platform.ts";

/** One run as the conformance file has it: what a client sends, and what the service must answer. */
export interface ConformanceRun {
  readonly run: string;
  /** The policy to ask for. Without one, the service's usual policy. */
  readonly policy?: string;
  readonly options?: object;
  readonly events: readonly AgentEvent[];
  /** The answers other than a plain `continue`, each with the index of its event. */
  readonly decisions: readonly ConformanceDecision[];
}

interface ConformanceDecision {
  readonly event: number;
  readonly action: string;
  /** In shadow mode: what would have been done. */
  readonly would?: string;
  readonly kind?: string;
  readonly count?: number;
}

/** What a script may do in a run. Time passes only where it says so. */
export interface ScriptedAgent {
  /** A whole number below the limit. */
  draw(limit: number): number;
  pick<Value>(values: readonly Value[]): Value;
  wait(ms: number): void;
  /** Sends any event. Calls and results get the time. */
  send(event: AgentEvent): Decision;
  /** The model thinks for some seconds, and calls a tool. A refused call is answered as refused. False once the run is over. */
  step(tool: string, args: unknown, output: unknown, more?: StepDetails): boolean;
}

interface StepDetails {
  readonly error?: boolean;
  readonly tookMs?: number;
  /** @default 2 to 7 seconds */
  readonly thoughtMs?: number;
}

/** A kind of run, and how many of it there are. */
export interface Script {
  readonly name: string;
  readonly times: number;
  readonly policy?: "conservative" | "aggressive" | "shadow";
  readonly options?: GuardConfig;
  /** Whether the host tells where answers of the model begin. */
  readonly hasRounds?: boolean;
  play(agent: ScriptedAgent): void;
}

const START_MS = 1_700_000_000_000;

/** Plays a script to a guard, and returns what happened. */
export function playRun(script: Script, number: number, draw: (limit: number) => number): ConformanceRun {
  const { name, policy, options, hasRounds = false, play } = script;
  const guard = createConfiguredGuard({ ...(policy && { preset: policy }), ...options, onFault: rethrow }, platform);
  const events: AgentEvent[] = [];
  const decisions: ConformanceDecision[] = [];
  let at = START_MS + draw(1_000_000);
  let calls = 0;

  const send = (event: AgentEvent): Decision => {
    const timed = event.type === "call" || event.type === "result" ? { ...event, at } : event;
    const { action, finding, ...rest } = guard.observe(timed);
    const { would } = rest as { would?: string };
    if (action !== "continue" || would !== undefined) {
      const { kind, count } = finding ?? {};
      decisions.push({ event: events.length, action, ...(would && { would }), ...(kind && { kind, count: count! }) });
    }
    events.push(timed);
    return { action, finding, ...rest } as Decision;
  };

  const agent: ScriptedAgent = {
    draw,
    pick: (values) => values[draw(values.length)]!,
    wait(ms) {
      at += ms;
    },
    send,
    step(tool, args, output, { error, tookMs = 20 + draw(400), thoughtMs = 2_000 + draw(5_000) } = {}) {
      at += thoughtMs;
      if (hasRounds) send({ type: "round" });
      const id = `call-${++calls}`;
      const { action } = send({ type: "call", id, tool, args });
      if (action === "block" || action === "stop") {
        send({ type: "result", id, synthetic: true });
        return action !== "stop";
      }
      at += tookMs;
      return send({ type: "result", id, output, ...(error !== undefined && { error }) }).action !== "stop";
    },
  };

  play(agent);
  const asked = { ...(policy && { policy }), ...(options && { options }) };
  return { run: `${name}-${number}`, ...asked, events, decisions };
}

function rethrow(fault: unknown): never {
  throw fault;
}
