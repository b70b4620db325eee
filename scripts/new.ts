import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { planAdapter } from "./new/adapter.ts";
import { planAgent } from "./new/agent.ts";
import { carryOutPlan, namesOf, type Plan } from "./new/plan.ts";
import { planReader } from "./new/reader.ts";
import { programOf } from "./run-program.ts";

/**
 * Writes a small working coding agent, transcript reader or adapter with its tests, ready to be edited: `npm run new -- reader acme-logs`.
 *
 * Writes nothing at all unless everything can be written.
 */
const root = resolve(import.meta.dirname, "..");
const planners: Readonly<Record<string, (name: string) => Plan>> = {
  adapter: (name) => planAdapter(namesOf(name)),
  agent: (name) => planAgent(namesOf(name)),
  reader: (name) => planReader(namesOf(name)),
};

const [kind = "", name = "", ...more] = process.argv.slice(2);
const planner = Object.hasOwn(planners, kind) ? planners[kind] : undefined;
if (planner === undefined || name === "" || more.length > 0) {
  console.error("Usage: npm run new -- agent|reader|adapter NAME, with a name such as acme-code");
  process.exit(2);
}
try {
  const plan = planner(name);
  // It may be missing before npm ci, or be that of another system.
  format(["--version"]);
  const { written, changed } = carryOutPlan(root, plan);
  const code = [...written, ...changed].filter((path) => /\.(?:ts|json)$/.test(path));
  format(["check", "--write", "--linter-enabled=false", ...code]);
  for (const path of written) console.log(`wrote    ${path}`);
  for (const path of changed) console.log(`changed  ${path}`);
  console.log(`\nNext:\n${plan.next.map((step) => `- ${step}`).join("\n")}`);
} catch (fault) {
  console.error(fault instanceof Error ? fault.message : String(fault));
  process.exit(1);
}

/** Names differ in length and order: where a line breaks, and which import comes first, is left to the formatter. */
function format(words: readonly string[]): void {
  try {
    execFileSync(process.execPath, [programOf("biome"), ...words], { cwd: root, stdio: "pipe" });
  } catch (fault) {
    throw new Error(`new: the formatter is required, run npm ci first; it says: ${(fault as Error).message}`);
  }
}
