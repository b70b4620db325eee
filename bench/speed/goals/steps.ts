import { hash } from "node:crypto";
import { type AgentEvent, createGuard } from "../../../packages/doomloop/src/index.ts";
import type { Bench } from "../goal.ts";
import { measure } from "../measure.ts";
import type { Sample } from "../sample-runs.ts";

/** A call and its result, all detectors on, against the least that any comparison of steps must do. */
export function steps({ runs, steps: count, origin }: Sample): Bench {
  return (clock) => {
    const { floor, ours } = measure(clock, {
      floor: () => () => runs.forEach(touch),
      ours: () => () => runs.forEach(watch),
    });
    const each = `${((ours * 1000) / count).toFixed(1)} µs a step against ${((floor * 1000) / count).toFixed(1)} µs`;
    return {
      what: "a call and its result, against JSON.stringify and one SHA-256",
      measured: ours / floor,
      goal: 2.5,
      limit: 7,
      unit: "x",
      detail: `${count.toLocaleString("en-US")} steps of ${runs.length.toLocaleString("en-US")} ${origin}, ${each}`,
    };
  };
}

function watch(events: readonly AgentEvent[]): void {
  const guard = createGuard();
  for (const event of events) guard.observe(event);
}

/** The arguments are written out once, the output is hashed once. */
function touch(events: readonly AgentEvent[]): void {
  for (const event of events) {
    if (event.type === "call") JSON.stringify(event.args);
    else if (event.type === "result") hash("sha256", textOf(event.output));
  }
}

function textOf(output: unknown): string {
  return typeof output === "string" ? output : (JSON.stringify(output) ?? "");
}
