// #region guard
import { createGuard, loopStop } from "doomloop";

const guard = createGuard(); // one guard for one run

async function callTool(request: ToolRequest) {
  const { id, tool, args } = request;
  const before = guard.observe({ type: "call", id, tool, args, at: performance.now() });
  if (before.action === "block" || before.action === "stop") return { content: before.message, stop: loopStop(before) };

  const result = await runTool(request).then(
    (output) => ({ output }),
    (failure: unknown) => ({ output: String(failure), error: true }),
  );

  const after = guard.observe({ type: "result", id, ...result, at: performance.now() });
  return {
    content: [result.output, before.message, after.message].filter(Boolean).join("\n\n"),
    stop: loopStop(after),
  };
}
// #endregion guard

// #region loop
for (let turn = 1; turn <= 30; turn++) {
  guard.observe({ type: "round" }); // a new model answer begins
  const { content, stop } = await callTool(askModel(turn));
  console.log(`--- ${turn}\n${content}`); // your loop sends this back to the model
  if (stop !== undefined) {
    console.log(`\n${stop.status}: ${stop.explanation}`); // for people, and for your error handling
    break;
  }
}
// #endregion loop

// #region stand-ins
interface ToolRequest {
  readonly id: string;
  readonly tool: string;
  readonly args: { readonly path: string };
}

/** Stands in for your model: it asks for the same file in every turn, whatever it reads. */
function askModel(turn: number): ToolRequest {
  return { id: `call-${turn}`, tool: "read_file", args: { path: "src/app.ts" } };
}

/** Stands in for your tools. They take time, and they may throw. */
async function runTool(_request: ToolRequest): Promise<string> {
  return "export const app = 1;";
}
// #endregion stand-ins
