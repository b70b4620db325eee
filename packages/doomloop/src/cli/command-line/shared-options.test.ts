import { afterAll, beforeAll, expect, it } from "vitest";
import { type CliSandbox, createCliSandbox } from "../../../../../test/cli-sandbox.ts";

let sandbox: CliSandbox;
beforeAll(() => {
  sandbox = createCliSandbox();
});
afterAll(() => sandbox.remove());

it("finds the two loops of the sample, and ignores waiting and working", async () => {
  const { loops, totals } = await sandbox.reportOf(["--sample"]);

  expect(totals.sessions).toBe(4);
  expect(loops.map(({ kind }) => kind).sort()).toEqual(["call-cycle", "repeated-call"]);
});

it("prints commands that can be copied and work", async () => {
  const { stdout } = await sandbox.doomloop(["scan", "--sample"]);
  const [, session = ""] = /doomloop show (\w+) --sample/.exec(stdout) ?? [];
  const shown = await sandbox.doomloop(["show", session, "--sample"]);

  expect(shown.stdout).toContain("npm test");
  expect(shown.code).toBe(0);
});

it("is suggested to users without transcripts", async () => {
  const { stdout, stderr } = await sandbox.doomloop([]);

  expect(stdout + stderr).toContain("doomloop scan --sample");
});
