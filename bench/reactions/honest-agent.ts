import type { CallEvent } from "../../packages/doomloop/src/core/event.ts";
import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";
import { createCallIndices, isEvent } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import { isEnd } from "../quality/host-run.ts";
import type { CreateGuard } from "../quality/load-guard.ts";
import { freshRead } from "./fresh-read.ts";

/** What an honest agent does when a call of its own is refused, before it makes the call again. */
export const REACTIONS = ["waits", "looks", "insists"] as const;
export type Reaction = (typeof REACTIONS)[number];

/** What the guard cost an honest agent. */
export interface HonestCost {
  readonly isTold: boolean;
  readonly isEnded: boolean;
  /** Calls that were refused at least once. */
  readonly refusedCalls: number;
  /** Refusals: each one costs a model answer. */
  readonly turnsLost: number;
}

const WAIT_MS = 30_000;
const TURN_MS = 3_000;
/** More often than this, nobody asks. */
const MAX_TRIES = 200;

/** Replays an honest run by an agent that has to get through: what it is refused, it asks for again. */
export function liveHonestly(events: readonly AgentEvent[], reaction: Reaction, createGuard: CreateGuard): HonestCost {
  const guard = createGuard();
  const indices = createCallIndices();
  const refused = new Set<number>();
  let [isTold, turnsLost, lateMs] = [false, 0, 0];

  const send = (event: AgentEvent): Decision => {
    const decision = guard.observe(
      lateMs > 0 && "at" in event && event.at !== undefined ? { ...event, at: event.at + lateMs } : event,
    );
    if (decision.action !== "continue") isTold = true;
    return decision;
  };
  const react = (call: CallEvent): void => {
    const hasClock = call.at !== undefined;
    send({ type: "result", id: call.id, output: "Refused.", synthetic: true, at: call.at });
    lateMs += TURN_MS;
    if (reaction === "waits" && hasClock) lateMs += WAIT_MS;
    const between =
      reaction === "waits" && !hasClock ? sleep(turnsLost) : reaction === "looks" ? freshRead(turnsLost, call.at) : [];
    for (const event of between) send(event);
    if (between.length > 0) lateMs += TURN_MS;
    send({ type: "round" });
    turnsLost++;
  };
  const isEndedBy = (event: AgentEvent): boolean => {
    const index = indices.indexOf(event);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const decision = send(event);
      if (isEnd(decision)) return true;
      if (event.type !== "call" || decision.action !== "block") return false;
      refused.add(index);
      react(event);
    }
    return false;
  };

  const isEnded = events.filter(isEvent).some(isEndedBy);
  return { isTold, isEnded, refusedCalls: refused.size, turnsLost };
}

/** Where there is no clock, only a call shows that the agent waits. */
function sleep(number: number): AgentEvent[] {
  const id = `wait-${number}`;
  return [
    { type: "round" },
    { type: "call", id, tool: "sleep", args: { seconds: WAIT_MS / 1_000 } },
    { type: "result", id, output: "" },
  ];
}
