/**
 * An agent loop written by hand, with a scripted model that does not listen. Runs offline.
 *
 * The stop is looked for after the call and after the result: it can come with either.
 */
import { createGuard, type Decision, loopStop, REPORT_REQUEST } from "doomloop";

const guard = createGuard();

/** The "model" asks for the same search again and again, with small changes. */
const script = ["login bug", "login bug", "login bug", "login  bug", "login bug", "login bug", "login bug"];

/** A tool as tools are: it takes its time, and it may fail. */
async function search(_query: string): Promise<string> {
  return "No results found.";
}

/** What the model reads as the result of its call, and the decision about it. */
async function callTool(id: string, query: string): Promise<{ content: string; decision: Decision }> {
  const before = guard.observe({ type: "call", id, tool: "search", args: { query }, at: performance.now() });
  if (before.action === "block" || before.action === "stop") return { content: before.message, decision: before };
  const { output, error } = await search(query).then(
    (found) => ({ output: found, error: false }),
    (failure: unknown) => ({ output: String(failure), error: true }),
  );
  const after = guard.observe({ type: "result", id, output, error, at: performance.now() });
  return { content: [output, before.message, after.message].filter(Boolean).join("\n\n"), decision: after };
}

for (const [turn, query] of script.entries()) {
  guard.observe({ type: "round" });
  const { content, decision } = await callTool(`call-${turn}`, query);
  console.log(`${turn + 1}. search(${JSON.stringify(query)}): ${decision.action}`);
  console.log(content.replaceAll(/^/gm, "     "));
  const stop = loopStop(decision, { run: "ticket-42", callId: `call-${turn}` });
  if (stop !== undefined) {
    console.log(`\n${stop.explanation}`);
    console.log(`Asked for a last report, without tools: ${REPORT_REQUEST}`);
    break;
  }
}

console.log("\nDecisions:", guard.stats().decisions);
