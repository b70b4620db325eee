/**
 * An agent loop written by hand, with a scripted model that does not listen. Runs offline.
 *
 * It checks for a stop after the call and after the result: either can bring one.
 */
import { createGuard, type Decision, loopStop, REPORT_REQUEST } from "doomloop";

const guard = createGuard();

/** The "model" reads the same file over and over. */
const script = Array.from({ length: 30 }, () => "src/login.ts");

/** Like a real tool: it takes time, and it may fail. */
async function readFile(_path: string): Promise<string> {
  return "export const login = () => {};";
}

/** The scripted model answers at once. A real one takes seconds, and the guard measures them: use `performance.now` then. */
let clock = 0;
const now = (): number => {
  clock += 4_000;
  return clock;
};

/** What the model reads as the result of its call, and the decision about it. */
async function callTool(id: string, path: string): Promise<{ content: string; decision: Decision }> {
  const before = guard.observe({ type: "call", id, tool: "read_file", args: { path }, at: now() });
  if (before.action === "block" || before.action === "stop") return { content: before.message, decision: before };
  const result = await readFile(path).then(
    (output) => ({ output }),
    (failure: unknown) => ({ output: String(failure), error: true }),
  );
  const after = guard.observe({ type: "result", id, ...result, at: now() });
  return { content: [result.output, before.message, after.message].filter(Boolean).join("\n\n"), decision: after };
}

for (const [turn, path] of script.entries()) {
  guard.observe({ type: "round" });
  const { content, decision } = await callTool(`call-${turn}`, path);
  console.log(`${turn + 1}. read_file(${JSON.stringify(path)}): ${decision.action}`);
  console.log(content.replaceAll(/^/gm, "     "));
  const stop = loopStop(decision, { run: "ticket-42", callId: `call-${turn}` });
  if (stop !== undefined) {
    console.log(`\n${stop.explanation}`);
    console.log(`Asked for a last report, without tools: ${REPORT_REQUEST}`);
    break;
  }
}

console.log("\nDecisions:", guard.stats().decisions);
