// #region guard
import { createGuard } from "doomloop";

// Your model and your tools. This model asks for the same file again and again.
const askModel = async () => ({ id: crypto.randomUUID(), tool: "read_file" as const, args: { path: "src/app.ts" } });
const tools = { read_file: async ({ path }: { path: string }) => `// ${path}\nstart();` };

const guard = createGuard(); // where a run starts: one guard for one run
for (let turn = 1; turn <= 30; turn++) {
  const { id, tool, args } = await askModel();
  const { output, message, stop } = await guard.call({ id, tool, args }, () => tools[tool](args));
  console.log(turn, [output, message].filter(Boolean).join("\n\n")); // what the model reads as the result of the call
  if (stop === undefined) continue;
  console.log(stop.explanation); // for people; stop.status is "LOOP_DETECTED", for your error handling
  break;
}
// #endregion guard
