/** An agent loop written by hand, with a scripted model that does not listen. Runs offline. */
import { createGuard, REPORT_REQUEST } from "doomloop";

/** The "model" reads the same file over and over. */
const script = Array.from({ length: 30 }, () => "src/login.ts");

/** Like a real tool: it takes time, and it may fail. */
async function readFile(_path: string): Promise<string> {
  return "export const login = () => {};";
}

const guard = createGuard();
for (const [turn, path] of script.entries()) {
  guard.observe({ type: "round" });
  const call = { id: `call-${turn}`, tool: "read_file", args: { path } };
  const { output, message, stop } = await guard.call(call, () => readFile(path));
  console.log(`${turn + 1}. read_file(${JSON.stringify(path)})`);
  console.log([output, message].filter(Boolean).join("\n\n").replaceAll(/^/gm, "     "));
  if (stop !== undefined) {
    console.log(`\n${stop.explanation}`);
    console.log(`Asked for a last report, without tools: ${REPORT_REQUEST}`);
    break;
  }
}

console.log("\nDecisions:", guard.stats().decisions);
