import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createGuard } from "doomloop";
import { expect, it } from "vitest";

/** The warnings that `action` causes. */
async function warningsDuring(act: () => void): Promise<string[]> {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(`${warning.name}: ${warning.message}`);
  process.on("warning", note);
  act();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  return warnings;
}

it("warns about a mistake once in a process if there is no onFault", () => {
  const source = pathToFileURL(join(import.meta.dirname, "index.ts")).href;
  const program = `
    import { createGuard } from ${JSON.stringify(source)};
    for (let at = 0; at < 3; at++) createGuard().observe({ type: "tool_call" });
  `;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });

  expect(stderr.match(/DoomloopWarning: doomloop: observe: "tool_call" is not an event type/g)).toHaveLength(1);
});

it("is silent if the host has an onFault", async () => {
  const told: unknown[] = [];
  const warnings = await warningsDuring(() => {
    createGuard({ onFault: (fault) => told.push(fault) }).observe({ type: "tool_call_with_a_listener" } as never);
  });

  expect(warnings).toEqual([]);
  expect(told).toHaveLength(1);
});

it("does not quote a fault that has no message of doomloop", async () => {
  // A fresh copy of the module, because the process warns about each fault only once.
  const { warnOnce } = (await import(`${"./warn-once.ts"}?alone`)) as typeof import("./warn-once.ts");
  const [warning] = await warningsDuring(() => warnOnce(new Error("\u001b[31m a secret")));

  expect(warning).toMatch(/^DoomloopWarning: doomloop: a fault inside the guard/);
  expect(warning).not.toContain("secret");
});
