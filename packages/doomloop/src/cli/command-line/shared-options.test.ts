import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sampleFiles } from "../../../../../scripts/sample/sample-files.ts";
import { type CliSandbox, createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import { samplePath } from "./shared-options.ts";

let sandbox: CliSandbox;
beforeAll(() => {
  sandbox = createCliSandbox();
});
afterAll(() => sandbox.remove());

it("finds the two loops of the sample, and leaves waiting and working alone", async () => {
  const { loops, totals } = await sandbox.reportOf(["--sample"]);

  expect(totals.sessions).toBe(4);
  expect(loops.map(({ kind }) => kind).sort()).toEqual(["call-cycle", "repeated-call"]);
});

it("names commands that can be copied, and they work", async () => {
  const { stdout } = await sandbox.doomloop(["scan", "--sample"]);
  const [, session = ""] = /doomloop show (\w+) --sample/.exec(stdout) ?? [];
  const shown = await sandbox.doomloop(["show", session, "--sample"]);

  expect(shown.stdout).toContain("npm test");
  expect(shown.code).toBe(0);
});

it("is pointed to where there is nothing of one's own", async () => {
  const { stdout, stderr } = await sandbox.doomloop([]);

  expect(stdout + stderr).toContain("doomloop scan --sample");
});

it("is what the script writes", () => {
  for (const [name, text] of sampleFiles()) expect(readFileSync(join(samplePath(), name), "utf8")).toBe(text);
});
