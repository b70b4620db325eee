// #region guard
import { createGuard, loopStop } from "doomloop";

const guard = createGuard(); // one guard for one run: it nudges first and stops last

// Calls a tool with the guard around it. The tool may be sync or async, and it may throw.
async function callTool(id: string, tool: string, args: object, run: () => string | Promise<string>) {
  const before = guard.observe({ type: "call", id, tool, args, at: performance.now() });
  if (before.action === "block" || before.action === "stop") return { content: before.message, stop: loopStop(before) };
  const attempt = (async () => ({ output: await run() }))();
  const result = await attempt.catch((fault) => ({ output: String(fault), error: true }));
  const after = guard.observe({ type: "result", id, ...result, at: performance.now() });
  return {
    content: [result.output, before.message, after.message].filter(Boolean).join("\n\n"),
    stop: loopStop(after),
  };
}
// #endregion guard

// #region loop
for (let turn = 1; turn <= 30; turn++) {
  // An agent that reads one file over and over. `content` is what its model reads as the result of the call.
  const { content, stop } = await callTool(`call-${turn}`, "read_file", { path: "src/app.ts" }, () => "start();");
  console.log(turn, content);
  if (stop === undefined) continue;
  console.log(stop.explanation); // for people; stop.status is "LOOP_DETECTED", for your error handling
  break;
}
// #endregion loop
