// #region guard
import { createGuard } from "doomloop";

const guard = createGuard(); // where a run starts: one guard for one run

for (let turn = 1; turn <= 30; turn++) {
  guard.observe({ type: "round" }); // a new model answer begins
  const request = askModel(turn);
  const { output, message, stop } = await guard.call(request, () => runTool(request));
  const content = [output, message].filter(Boolean).join("\n\n");
  console.log(`--- ${turn}\n${content}`); // your loop sends this back to the model
  if (stop !== undefined) {
    console.log(`\n${stop.status}: ${stop.explanation}`); // for people, and for your error handling
    break;
  }
}
// #endregion guard

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
