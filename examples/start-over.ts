/**
 * An agent that goes in circles starts over: its files are put back, its conversation is cleared, and it is told what led
 * nowhere. The model is scripted. Needs git, runs offline: `node examples/start-over.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuard, type Decision, type Finding } from "doomloop";
import { createWorkspace, startOverMessage } from "doomloop/workspace";

const home = mkdtempSync(join(tmpdir(), "doomloop-example-"));
const root = mkdtempSync(join(home, "project-"));
const file = join(root, "parser.ts");
writeFileSync(file, "export const parse = (text: string) => text.split(',');\n");

const guard = createGuard({ ladder: ["nudge", "restart", "stop"] });
const workspace = createWorkspace({ root, stateDirectory: join(home, "state") });
const findings: Finding[] = [];
let conversation = ["user: Make the parser skip empty fields."];

try {
  const { id: checkpoint } = await workspace.checkpoint("before the agent");
  for (let turn = 1; turn <= 8; turn++) {
    // The model breaks the file once, and then runs the same failing test again and again.
    if (turn === 1) writeFileSync(file, "export const parse = (text: string) => text.split(',').fliter(Boolean);\n");
    const decision = runTests(turn);
    console.log(`${turn}. npm test: ${decision.action}`);
    if (decision.finding !== undefined) findings.push(decision.finding);
    if (decision.action !== "restart") continue;

    const { changes, safety } = await workspace.restore(checkpoint);
    conversation = [conversation[0]!, `user: ${startOverMessage(findings)}`];
    console.log(`\nPut back: ${changes.map(({ path }) => path).join(", ")}; what was there is checkpoint ${safety}.`);
    break;
  }
  console.log(`\n${conversation.join("\n\n")}\n\n${readFileSync(file, "utf8")}`);

  await workspace.undo();
  console.log(`And after an undo:\n${readFileSync(file, "utf8")}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Calls the tool, unless the guard has something against it. It may answer with `restart` to a call and to a result. */
function runTests(turn: number): Decision {
  const id = `call-${turn}`;
  guard.observe({ type: "round" });
  const before = guard.observe({ type: "call", id, tool: "bash", args: { command: "npm test" }, at: turn * 1000 });
  if (before.action !== "continue" && before.action !== "nudge") return before;
  const output = "TypeError: text.split(...).fliter is not a function";
  conversation.push(`tool: ${output}`);
  return guard.observe({ type: "result", id, output, error: true, at: turn * 1000 + 500 });
}
