/**
 * An agent loop written by hand, with a scripted model that does not listen. Runs offline: `node examples/hand-written-loop.ts`.
 */
import { createGuard } from "doomloop";

const guard = createGuard();

/** The "model" asks for the same search again and again, with small changes. */
const script = ["login bug", "login bug", "login bug", "login  bug", "login bug", "login bug", "login bug"];

for (const [turn, query] of script.entries()) {
  const id = `call-${turn}`;
  guard.observe({ type: "round" });
  const before = guard.observe({ type: "call", id, tool: "search", args: { query }, at: performance.now() });
  console.log(`${turn + 1}. search(${JSON.stringify(query)}): ${before.action}`);
  if (before.action === "stop") {
    console.log(`\n${before.explanation}`);
    break;
  }
  if (before.action === "block") {
    guard.observe({ type: "result", id, output: before.message, synthetic: true });
    continue;
  }
  const after = guard.observe({ type: "result", id, output: "No results found.", at: performance.now() });
  if (after.message) console.log(after.message.replaceAll(/^/gm, "     "));
}

console.log("\nDecisions:", guard.stats().decisions);
