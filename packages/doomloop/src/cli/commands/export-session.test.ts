import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, result, step, times, user } from "../../../../../test/builders.ts";
import { createCliSandbox } from "../../../../../test/cli-sandbox.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { Report } from "../../scan/report/report.ts";
import type { CommandStreams } from "../terminal/output.ts";
import { exportSession } from "./export-session.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

const LOOP = [
  user("please find the acme contract"),
  ...times(9, step("read_file", { path: "/srv/acme/contract.ts" }, "Error: no such file: /srv/acme/contract.ts")),
];
const OTHER_LOOP = [
  ...step("write_file", { path: "/srv/b.ts", content: "x" }, "ok"),
  ...times(6, step("run_query", { query: "select acme" }, "Error: syntax error near acme")),
];
const FINE = [1, 2, 3].flatMap((page) => step("acme_page", { page }, `This is acme page ${page}.`));
const line = (run: string, events: readonly AgentEvent[], more = {}): string =>
  `${JSON.stringify({ run, ...more, events })}\n`;

beforeAll(() => {
  sandbox.write("runs.jsonl", line("loop", LOOP, { model: "gpt-4o" }) + line("fine", FINE) + line("loose", FINE));
});

interface Written {
  readonly run: string;
  readonly model?: string;
  readonly options: object;
  readonly decisions: readonly object[];
  readonly events: readonly AgentEvent[];
}

function readTrace(name: string): Written {
  return JSON.parse(readFileSync(join(sandbox.folder, name), "utf8")) as Written;
}

async function decisionsIn(file: string, name?: string): Promise<unknown> {
  const { stdout } = await sandbox.doomloop(["replay", file]);
  const runs = stdout
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as { run: string; decisions: unknown });
  return (name === undefined ? runs[0] : runs.find(({ run }) => run === name))!.decisions;
}

describe("doomloop scan --export", () => {
  it("writes a trace without the session's words that replay judges as the session", async () => {
    const { code, stdout, stderr } = await sandbox.doomloop([
      ...["scan", "runs.jsonl", "--export", "loop", "--output", "out.jsonl"],
    ]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(
      /^Wrote out\.jsonl: 9 calls, and the guard says nudge at call 3 \(repeated-call\), .*itself\.\n/,
    );
    expect(stderr).toContain("Look at the file before you send it.");
    expect(readTrace("out.jsonl")).toMatchObject({ model: "gpt-4o", options: {} });
    expect(readFileSync(join(sandbox.folder, "out.jsonl"), "utf8")).not.toMatch(/acme|contract|srv/);
    expect(await decisionsIn("out.jsonl")).toEqual(await decisionsIn("runs.jsonl", "loop"));
  });

  it("finds the session by its id and by a loop's, and tells neither in the file's name", async () => {
    const { sessions, loops } = await sandbox.reportOf(["runs.jsonl"]);
    const looping = sessions.find(({ loops: found }) => found > 0)!;
    const byId = await sandbox.doomloop(["scan", "runs.jsonl", "--export", looping.id]);
    const [name = ""] = readdirSync(sandbox.folder).filter((file) => file.startsWith("doomloop-"));

    expect(byId.code).toBe(0);
    expect(name).toMatch(/^doomloop-export-[\da-f]{8}\.jsonl$/);
    expect(readTrace(name).decisions.length).toBeGreaterThan(0);
    const byLoop = await sandbox.doomloop(["scan", "runs.jsonl", "--export", loops[0]!.id, "--output", "-"]);
    expect(byLoop.code).toBe(0);
    expect((JSON.parse(byLoop.stdout) as Written).decisions).toEqual(readTrace(name).decisions);
  });

  it("refuses a loop that is not there, and an id that a copy and a loop share", async () => {
    sandbox.write("copies/a.jsonl", line("loop", [...LOOP, ...OTHER_LOOP]));
    sandbox.write("copies/b.jsonl", line("loop", FINE));
    const { sessions, loops } = await sandbox.reportOf(["copies"]);
    const { id } = sessions.find(({ loops: found }) => found > 0)!;

    expect(sessions.map((session) => session.id).sort()).toEqual([id, `${id}-2`]);
    expect(loops.map((loop) => loop.id).sort()).toEqual([`${id}-1`, `${id}-2`]);
    const none = await sandbox.doomloop(["scan", "copies", "--export", `${id}-7`, "--output", "-"]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining(`session ${id} has 2 loops`) });
    const both = await sandbox.doomloop(["scan", "copies", "--export", `${id}-2`, "--output", "-"]);
    expect(both.code).toBe(2);
    expect(both.stderr).toMatch(/is ambiguous: a session in .*b\.jsonl.* and a loop of a session in .*a\.jsonl/);
    const alone = await sandbox.doomloop(["scan", "copies/b.jsonl", "--export", id, "--output", "-"]);
    expect(JSON.parse(alone.stdout)).toMatchObject({ decisions: [] });
  });

  it("writes over a file only if it is forced to, and never over what it read or through a link", async () => {
    sandbox.write("mine.txt", "mine");
    sandbox.write("linked.txt", "linked");
    sandbox.write("source/own.jsonl", line("loop", LOOP));
    sandbox.write("source/other.jsonl", line("fine", FINE));
    symlinkSync(join(sandbox.folder, "linked.txt"), join(sandbox.folder, "link.jsonl"));
    const to = (file: string, ...more: string[]) =>
      sandbox.doomloop(["scan", "source", "--export", "loop", "--output", file, ...more]);
    const read = (file: string): string => readFileSync(join(sandbox.folder, file), "utf8");

    expect(await to("mine.txt")).toMatchObject({ code: 2, stderr: expect.stringContaining("--force overwrites it") });
    expect(read("mine.txt")).toBe("mine");
    for (const file of ["link.jsonl", "source/own.jsonl", "source/other.jsonl", "source"])
      expect(await to(file, "--force")).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot write") });
    expect(read("linked.txt")).toBe("linked");
    expect(read("source/own.jsonl")).toBe(line("loop", LOOP));
    expect(await to("mine.txt", "--force")).toMatchObject({ code: 0 });
    expect(read("mine.txt")).toContain("redactedBy");
  });

  it("names a file that breaks off", async () => {
    const whole = gzipSync(line("loop", LOOP) + line("rest", [...FINE, result(randomBytes(200_000).toString("hex"))]));
    writeFileSync(join(sandbox.folder, "torn.jsonl.gz"), whole.subarray(0, whole.length - 50_000));
    const { code, stderr } = await sandbox.doomloop(["scan", "torn.jsonl.gz", "--export", "loop", "--output", "-"]);

    expect(code).toBe(0);
    expect(stderr).toMatch(/^doomloop: cannot read .*torn\.jsonl\.gz to its end: /m);
  });

  it("writes a session in which nothing was said, for a loop that was missed", async () => {
    const { code, stderr } = await sandbox.doomloop(["scan", "runs.jsonl", "--export", "fine", "--output", "f.jsonl"]);

    expect(code).toBe(0);
    expect(stderr).toContain("3 calls, and the guard says nothing, as in the session itself.");
    expect(readTrace("f.jsonl").decisions).toEqual([]);
  });

  it("can be scanned and exported again, to the same decisions", async () => {
    await sandbox.doomloop(["scan", "runs.jsonl", "--export", "loop", "--output", "once.jsonl"]);
    const { code } = await sandbox.doomloop(["scan", "once.jsonl", "--export", "redacted", "--output", "twice.jsonl"]);

    expect(code).toBe(0);
    expect(readTrace("twice.jsonl").decisions).toEqual(readTrace("once.jsonl").decisions);
    expect((await sandbox.reportOf(["twice.jsonl"])).loops).toHaveLength(1);
  });

  it("carries the options along, and replay judges by them", async () => {
    const options = { preset: "aggressive", rules: { acme_page: { ignore: true } } };
    sandbox.write("strict.json", JSON.stringify(options));
    const words = ["--export", "loop", "--config", "strict.json", "--output", "strict.jsonl"];
    const { code } = await sandbox.doomloop(["scan", "runs.jsonl", ...words]);

    expect(code).toBe(0);
    const { options: carried, decisions } = readTrace("strict.jsonl");
    expect(carried).toMatchObject({ preset: "aggressive" });
    expect(JSON.stringify(carried)).not.toContain("acme");
    expect(await decisionsIn("strict.jsonl")).toMatchObject(decisions);
    expect(await decisionsIn("strict.jsonl")).not.toEqual(await decisionsIn("runs.jsonl", "loop"));
  });

  it("writes nothing that the guard judges differently, unless it is forced to", async () => {
    sandbox.write("silent.ts", "export default { rules: { read_file: { ignore: () => true } } };\n");
    sandbox.write("mixed.jsonl", line("mixed", [...LOOP, call("x"), result("y")]));
    const words = ["scan", "mixed.jsonl", "--config", "silent.ts", "--export", "mixed", "--output", "no.jsonl"];
    const { code, stderr } = await sandbox.doomloop(words);

    expect(code).toBe(1);
    expect(stderr).toContain("Nothing was written.");
    expect(existsSync(join(sandbox.folder, "no.jsonl"))).toBe(false);
    const forced = await sandbox.doomloop([...words, "--force"]);
    expect(forced.code).toBe(0);
    expect(forced.stderr).toContain("judges this trace differently");
    expect(readTrace("no.jsonl")).toMatchObject({ reproduces: false });
    expect(readFileSync(join(sandbox.folder, "no.jsonl"), "utf8")).not.toMatch(/acme|contract/);
  });

  it.each([
    { words: ["--export", "nobody"], said: "no session nobody found; doomloop scan prints their ids" },
    { words: ["--export", "lo"], said: "2 sessions begin with lo:" },
    { words: ["--export", "loop", "--json"], said: "cannot be used with --json" },
    { words: ["--export", "loop", "--fail-on", "stop"], said: "cannot be used with --fail-on" },
    { words: ["--output", "x.jsonl"], said: "need --export" },
    { words: ["--export", "loop", "--output", "no/such/folder"], said: "cannot write" },
  ])("refuses $words", async ({ words, said }) => {
    const { code, stderr } = await sandbox.doomloop(["scan", "runs.jsonl", ...words]);

    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  it("writes sessions of every agent, each as long as the session", async () => {
    const fixtures = resolve(import.meta.dirname, "../../../../../test/transcripts/fixtures");
    const { stdout } = await sandbox.doomloop(["scan", fixtures, "--json"]);
    const { sessions } = JSON.parse(stdout) as Report;
    const ofAgents = new Map(sessions.map((session) => [session.agent, session]));

    expect(ofAgents.size).toBeGreaterThan(10);
    for (const { id, calls } of ofAgents.values()) {
      const { code, written } = await exported(id, fixtures);
      expect(code).toBe(0);
      expect(written.events.filter(({ type }) => type === "call")).toHaveLength(calls);
    }
  });
});

/** Exports in this process, to standard output. */
async function exported(id: string, path: string): Promise<{ readonly code: number; readonly written: Written }> {
  const pieces: string[] = [];
  const output = { isClosed: false, write: async (piece: string) => void pieces.push(piece) };
  const messages = { isTTY: false, write: () => true };
  const input = (async function* () {})();
  const streams = { input, output, messages, width: undefined } as unknown as CommandStreams;
  const code = await exportSession(id, [path], { output: "-", cache: false, config: false }, streams);
  return { code, written: JSON.parse(pieces.join("")) as Written };
}
