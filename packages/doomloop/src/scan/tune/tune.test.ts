import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { step, times } from "../../../../../test/builders.ts";
import { type CliSandbox, createCliSandbox, trace } from "../../../../../test/cli-sandbox.ts";
import type { LoopSummary } from "../report/report.ts";

const POLLING = times(12, step("check_job", { job: 7 }, "state: unchanged"));
const STUCK = times(8, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
const SHORT = times(3, step("read_file", { path: "b.ts" }, "export const b = 1;"));
const RULE = { rules: { check_job: { poll: true } } };

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
  sandbox.write("runs.jsonl", trace({ polling: POLLING, stuck: STUCK }));
});
afterEach(() => sandbox.remove());

const tune = (...args: string[]) => sandbox.doomloop(["tune", "runs.jsonl", ...args]);

/** The finding about a tool. */
async function findingOf(tool: string): Promise<LoopSummary> {
  return (await sandbox.reportOf(["runs.jsonl"])).loops.find(({ tools }) => tools.includes(tool))!;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(sandbox.folder, name), "utf8"));
}

it("proposes nothing if nothing is marked as wrong", async () => {
  const { code, stdout } = await tune();

  expect(stdout).toBe("Nothing to tune: of 2 loops here, none is marked wrong.\n");
  expect(code).toBe(0);
  expect(existsSync(join(sandbox.folder, "doomloop.marks.json"))).toBe(false);
});

it("proposes a rule for a polling tool, writes it, and has nothing more to propose", async () => {
  const [wrong, right] = [await findingOf("check_job"), await findingOf("read_file")];
  const proposed = await tune("--wrong", wrong.id, "--right", right.session);

  expect(proposed.stdout).toContain(JSON.stringify(RULE));
  expect(proposed.stdout.replaceAll(/\s+/g, " ")).toContain(
    "would have avoided 1 of 1 loop marked wrong, kept 1 of 1 marked right, and avoided 0 unmarked",
  );
  expect(existsSync(join(sandbox.folder, "doomloop.config.json"))).toBe(false);

  const written = await tune("--write");
  expect(written.stderr).toBe(`Wrote ${JSON.stringify(RULE)} to doomloop.config.json\n`);
  expect(read("doomloop.config.json")).toEqual(RULE);
  expect((await tune()).stdout).toBe("Nothing to tune: of 1 loop here, none is marked wrong.\n");
  expect(await findingOf("read_file")).toMatchObject({ id: right.id });
});

it("proposes for a shell neither polling nor that nobody watches it", async () => {
  sandbox.write("runs.jsonl", trace({ polling: times(12, step("Bash", { command: "cat job" }, "state: unchanged")) }));
  const { stdout } = await tune("--wrong", (await findingOf("Bash")).id);

  expect(stdout).not.toMatch(/"poll"|"ignore"/);
});

it("proposes a few more repeats of a shell, says that all its commands are meant, and proposes no more than a few", async () => {
  const look = (repeats: number) => times(repeats, step("run_shell_command", { command: "cat a.ts" }, "const a = 1;"));
  sandbox.write("runs.jsonl", trace({ few: look(5) }));
  const few = await tune("--wrong", (await findingOf("run_shell_command")).id);
  sandbox.write("runs.jsonl", trace({ many: look(18) }));
  const many = await tune("--wrong", (await findingOf("run_shell_command")).id);

  expect(few.stdout).toContain("  run_shell_command, with any command, may be called more often\n");
  expect(few.stdout).toContain('{"rules":{"run_shell_command":{"threshold":6}}}');
  expect(many.stdout).not.toContain('"run_shell_command"');
});

it("keeps a mark by its calls, and lets a later one replace it", async () => {
  const { id, onset, end, session, kind } = await findingOf("check_job");
  await tune("--wrong", id);
  await tune("--right", session);

  const mark = { id, session, kind, onset, end, isRight: true };
  expect(read("doomloop.marks.json")).toEqual({ version: 1, marks: [mark] });
  expect((await tune("--write")).stdout).toContain("Nothing to tune");
});

it("reports unmarked loops that a change would avoid as well", async () => {
  sandbox.write("runs.jsonl", trace({ polling: POLLING, again: POLLING, stuck: STUCK }));
  const { stdout } = await tune("--wrong", (await findingOf("check_job")).id);

  expect(stdout.replaceAll(/\s+/g, " ")).toContain("kept 0 of 0 marked right, and avoided 1 unmarked");
});

it("proposes a higher threshold or a milder preset before ignoring a tool", async () => {
  sandbox.write("runs.jsonl", trace({ short: SHORT }));
  const { stdout } = await tune("--wrong", (await findingOf("read_file")).id);

  expect(stdout.match(/\{.*\}/g)).toEqual(['{"rules":{"read_file":{"threshold":4}}}', '{"preset":"conservative"}']);
});

it("proposes nothing that avoids more right loops than wrong ones", async () => {
  sandbox.write("runs.jsonl", trace({ a: STUCK, b: STUCK, c: STUCK }));
  const [wrong, ...right] = (await sandbox.reportOf(["runs.jsonl"])).loops;
  const { code, stdout } = await tune("--wrong", wrong!.id, ...right.flatMap(({ id }) => ["--right", id]), "--write");

  expect(stdout).toMatch(/^No single change would have avoided a loop marked wrong/);
  expect(code).toBe(0);
  expect(existsSync(join(sandbox.folder, "doomloop.config.json"))).toBe(false);
});

it("keeps the rest of a configuration, and its indentation", async () => {
  const before = { $schema: "x", preset: "balanced", rules: { check_job: { changes: false }, other: { poll: true } } };
  sandbox.write("doomloop.config.json", JSON.stringify(before, undefined, "\t"));
  await tune("--wrong", (await findingOf("check_job")).id, "--write", "1");

  const rules = { check_job: { changes: false, poll: true }, other: { poll: true } };
  const text = readFileSync(join(sandbox.folder, "doomloop.config.json"), "utf8");
  expect(text).toBe(`${JSON.stringify({ ...before, rules }, undefined, "\t")}\n`);
});

it("does not edit a configuration that is code, and prints what to add", async () => {
  const path = sandbox.write("doomloop.config.ts", "export default {};\n");
  const { code, stderr } = await tune("--wrong", (await findingOf("check_job")).id, "--write", "--config", path);

  expect(stderr).toContain(`${path} is code: add ${JSON.stringify(RULE)} to it yourself`);
  expect(code).toBe(2);
});

it("rejects an unknown id, calls marked as both right and wrong, and an unknown number", async () => {
  const { id } = await findingOf("check_job");

  expect(await tune("--wrong", "nothing")).toMatchObject({ code: 2, stdout: "" });
  expect(await tune("--wrong", id, "--right", id)).toMatchObject({ code: 2, stdout: "" });
  expect(existsSync(join(sandbox.folder, "doomloop.marks.json"))).toBe(false);
  expect(await tune("--wrong", id, "--write", "4")).toMatchObject({ code: 2 });
  expect(await tune("--wrong", id, "--write", "--no-config")).toMatchObject({ code: 2 });
});

it.each(["{", '{"version":2,"marks":[]}', '{"version":1,"marks":[null]}'])("refuses %s as marks", async (text) => {
  sandbox.write("doomloop.marks.json", text);

  const stderr = "doomloop: doomloop.marks.json: marks of version 1 are required\n";
  expect(await tune()).toEqual({ code: 2, stdout: "", stderr });
  expect(readFileSync(join(sandbox.folder, "doomloop.marks.json"), "utf8")).toBe(text);
});

it("writes nothing about made-up sessions", async () => {
  const [loop] = (await sandbox.reportOf(["--sample"])).loops;
  const { code, stdout } = await sandbox.doomloop(["tune", "--sample", "--wrong", loop!.id]);

  expect(stdout).toContain("marked wrong");
  expect(code).toBe(0);
  expect((await sandbox.doomloop(["tune", "--sample", "--write"])).code).toBe(2);
  for (const name of ["doomloop.marks.json", "doomloop.config.json"])
    expect(existsSync(join(sandbox.folder, name))).toBe(false);
});
