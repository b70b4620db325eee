/**
 * An agent that goes in circles starts over: its files are put back, it gets a new conversation, and it is told what led
 * nowhere. The model is scripted. Needs git, runs offline: `node examples/start-over.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuard, type LoopStop, loopStop } from "doomloop";
import { createWorkspace, startOver } from "doomloop/workspace";

const home = mkdtempSync(join(tmpdir(), "doomloop-example-"));
const root = mkdtempSync(join(home, "project-"));
const file = join(root, "parser.ts");
writeFileSync(file, "export const parse = (text: string) => text.split(',');\n");
const workspace = createWorkspace({ root, stateDirectory: join(home, "state") });

try {
  const ended = await startOver({ workspace, run });
  console.log(`\nEnded: ${ended === undefined ? "by itself" : ended.action}.\n\n${readFileSync(file, "utf8")}`);

  await workspace.undo();
  console.log(`And after an undo:\n${readFileSync(file, "utf8")}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** One attempt, with a conversation and a guard of its own. */
async function run(message: string | undefined): Promise<LoopStop | undefined> {
  const conversation = ["user: Make the parser skip empty fields."];
  if (message !== undefined) conversation.push(`user: ${message}`);
  console.log(`\n${conversation.join("\n\n")}\n`);
  // A model that was told of the dead end gives up here. Another one breaks the file, and runs the same failing test again and again.
  if (message !== undefined) return undefined;
  writeFileSync(file, "export const parse = (text: string) => text.split(',').fliter(Boolean);\n");
  const guard = createGuard({ ladder: ["nudge", "restart", "stop"] });
  for (let turn = 1; turn <= 8; turn++) {
    const id = `call-${turn}`;
    guard.observe({ type: "round" });
    const call = { type: "call", id, tool: "bash", args: { command: "npm test" }, at: turn * 1000 } as const;
    const before = guard.observe(call);
    console.log(`${turn}. npm test: ${before.action}`);
    // An end may be the answer to a call and to a result. Adapters hand it over as this very value.
    const stop =
      loopStop(before) ?? loopStop(guard.observe({ type: "result", id, ...testRun(), at: turn * 1000 + 500 }));
    if (stop !== undefined) return stop;
  }
  return undefined;
}

function testRun() {
  return { output: "TypeError: text.split(...).fliter is not a function", error: true };
}
