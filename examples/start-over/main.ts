import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createGuard, type LoopStop, loopStop } from "doomloop";
import { createWorkspace, startOver } from "doomloop/workspace";

const file = "project/parser.js";
mkdirSync("project", { recursive: true });
writeFileSync(file, "export const parse = (text) => text.split(',');\n");

const workspace = createWorkspace({ root: "project", stateDirectory: "state" });
const ended = await startOver({ workspace, run: attempt });
console.log(`Ended: ${ended?.action ?? "by itself"}. The file is as it was:\n${readFileSync(file, "utf8")}`);
await workspace.undo();
console.log(`After an undo it is as the first attempt left it:\n${readFileSync(file, "utf8")}`);

// One attempt of a scripted agent, with its own conversation. `message` is set if the attempt before it led nowhere.
async function attempt(message: string | undefined): Promise<LoopStop | undefined> {
  console.log(message ?? "First attempt.");
  if (message !== undefined) return undefined; // this one was told about the dead end, and gives up
  writeFileSync(file, "export const parse = (text) => text.split(',').fliter(Boolean);\n");
  const guard = createGuard({ ladder: ["nudge", "restart", "stop"] });
  for (let turn = 1; turn <= 30; turn++) {
    const before = guard.observe({ type: "call", tool: "bash", args: { command: "npm test" }, at: turn * 4000 });
    const output = "TypeError: text.split(...).fliter is not a function";
    const after = guard.observe({ type: "result", output, error: true, at: turn * 4000 + 1000 });
    const stop = loopStop(before) ?? loopStop(after);
    if (stop !== undefined) return stop;
  }
  return undefined;
}
