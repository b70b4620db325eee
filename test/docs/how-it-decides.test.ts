import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MOST_CHECKS } from "../../packages/doomloop/src/core/numbers.ts";
import { resolveOptions } from "../../packages/doomloop/src/core/options.ts";
import { presetOf } from "../../packages/doomloop/src/core/policy/levels.ts";
import { type AgentEvent, createGuard } from "../../packages/doomloop/src/index.ts";

const page = readFileSync(new URL("../../docs/how-it-decides.md", import.meta.url), "utf8");
/** The figures of the page's row that begins with these words. */
const rowOf = (words: string): readonly number[] => {
  const row = page.split("\n").find((line) => line.startsWith(`| ${words}`)) ?? "";
  return row.split("|").slice(2, -1).map(Number);
};

interface Turn {
  readonly tool: string;
  readonly args: unknown;
  readonly output: string;
  readonly error?: boolean;
}

const read = (path: string): Turn => ({
  tool: "read_file",
  args: { path },
  output: `import { limit } from "./limits.ts";\n\nexport const pageSize = Math.min(20, limit); // ${path}\n`,
});
const test = {
  tool: "bash",
  args: { command: "npm test" },
  output: "FAIL cart.test.ts: expected 3, got 4",
  error: true,
};
const mail = { tool: "send_mail", args: { to: "ana@example.com", body: "Your order is late." }, output: "sent" };

const EXAMPLES: Readonly<Record<string, readonly Turn[]>> = {
  "reads a file": [read("src/config.ts")],
  "runs a failing test": [test],
  "reads two files in turn": [read("src/config.ts"), read("src/session.ts")],
  "sends a mail": [mail],
  "searches and finds nothing": [{ tool: "search", args: { query: "refund" }, output: "[]" }],
  'clicks, and gets "ok"': [{ tool: "click", args: { element: "next" }, output: "ok" }],
  'checks a job that says "running"': [{ tool: "get_job", args: { id: 7 }, output: "job 7 is running" }],
};

describe("the page on how the guard decides", () => {
  it.each(["balanced", "conservative", "aggressive"])("has the levels of %s", (preset) => {
    const { told, refused, ended } = presetOf(preset).levels;

    expect(rowOf(`\`${preset}\``)).toEqual([told, refused, ended]);
  });

  it("says how long an agent may wait", () => {
    expect(page).toContain(`until there were ${MOST_CHECKS} of them *and* half an hour has passed`);
    expect(resolveOptions({}).patienceMs).toBe(30 * 60_000);
  });

  it.each(Object.entries(EXAMPLES))("says when an agent that %s is told, refused and ended", (words, lap) => {
    expect(rowOf(`${words} |`)).toEqual(levelsIn(lap));
  });
});

/** At which calls an agent that goes on, every four seconds, is first told, refused and ended. */
function levelsIn(lap: readonly Turn[]): readonly number[] {
  const guard = createGuard();
  const first = new Map<string, number>();
  const observe = (event: AgentEvent, call: number): string => {
    const { action } = guard.observe(event);
    if (!first.has(action)) first.set(action, call);
    return action;
  };
  for (let call = 1; call <= 100 && !first.has("stop"); call++) {
    const { tool, args, ...result } = lap[(call - 1) % lap.length]!;
    const at = 4_000 * call;
    observe({ type: "round" }, call);
    const action = observe({ type: "call", id: String(call), tool, args, at }, call);
    if (action === "continue" || action === "nudge")
      observe({ type: "result", id: String(call), ...result, at: at + 500 }, call);
  }
  return ["nudge", "block", "stop"].map((action) => first.get(action) ?? 0);
}
