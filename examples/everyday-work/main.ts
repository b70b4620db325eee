import assert from "node:assert/strict";
import { type AgentEvent, createGuard, type Guard } from "doomloop";

// Work that repeats itself for a good reason, and work that does not. The guard gets a clock with every event: a pause says more than a word.

let clock = 0;
const think = (seconds: number): number => {
  clock += seconds * 1000;
  return clock;
};

/** One call with its result, as a host tells it; returns what the guard said. */
function step(guard: Guard, tool: string, args: object, output: string, afterSeconds = 4): string {
  const id = `${clock}`;
  const call: AgentEvent = { type: "call", id, tool, args, at: think(afterSeconds) };
  const before = guard.observe(call);
  if (before.action === "block" || before.action === "stop") return before.action;
  return guard.observe({ type: "result", id, output, at: think(1) }).action;
}

// A queue worker: two equal calls in turn, but every job is news.
const worker = createGuard();
for (let job = 1; job <= 20; job++) {
  assert.equal(
    step(worker, "queue_pop", { queue: "thumbnails" }, `{"job": ${job}, "file": "photo-${job}.png"}`),
    "continue",
  );
  assert.equal(step(worker, "queue_ack", { queue: "thumbnails" }, "ok"), "continue");
}
console.log("20 jobs popped and acknowledged without a word.");

// A look at a rollout every 20 seconds: it waits, and says so by its pauses.
const release = createGuard();
for (let look = 1; look <= 12; look++)
  assert.equal(
    step(release, "bash", { command: "kubectl get pods -l app=shop" }, "shop-7d9f  0/1  ContainerCreating", 20),
    "continue",
  );
console.log("12 looks at one rollout without a word.");

// The same file again and again, with nothing in between: told three times, then refused, then ended. An agent that insists gets through
// at the third and the sixth refusal, because the guard may be wrong.
const stuck = createGuard();
const answers = Array.from({ length: 20 }, () =>
  step(stuck, "read_file", { path: "src/app.ts" }, "export const app = start();"),
);
console.log(`One file read 20 times: ${answers.join(", ")}.`);
const callsWith = (action: string): number[] => answers.flatMap((answer, at) => (answer === action ? [at + 1] : []));
assert.deepEqual(callsWith("nudge"), [3, 5, 9]);
assert.deepEqual(callsWith("block"), [10, 11, 13, 14, 16, 17, 18, 19]);
assert.deepEqual(callsWith("stop"), [20]);
