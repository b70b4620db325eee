import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { step, times } from "../../../../test/builders.ts";
import { type CliSandbox, claudeSession, createCliSandbox, trace } from "../../../../test/cli-sandbox.ts";
import type { Report } from "./report/report.ts";

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
});
afterEach(() => sandbox.remove());

const OWN = "home/.claude/projects/-shop";
const session = (name: string): string => claudeSession(Date.now() - 86_400_000, { session: name });

function pipe(path: string): void {
  execFileSync("mkfifo", [join(sandbox.folder, path)]);
}

function link(path: string, target: string): void {
  symlinkSync(target, join(sandbox.folder, path));
}

describe.runIf(process.platform !== "win32")("doomloop scan of a folder with links, pipes and closed folders", () => {
  it("skips and counts pipes and links that lead out of the folder", async () => {
    const { folder, write, doomloop } = sandbox;
    write(`${OWN}/a.jsonl`, session("a"));
    write("elsewhere/b.jsonl", session("b"));
    pipe(`${OWN}/pipe.jsonl`);
    pipe(`${OWN}/pipe.lock`);
    link(`${OWN}/zero.jsonl`, "/dev/zero");
    link(`${OWN}/b.jsonl`, join(folder, "elsewhere/b.jsonl"));
    link(`${OWN}/linked`, join(folder, "elsewhere"));
    link(`${OWN}/notes.txt`, join(folder, "elsewhere/b.jsonl"));
    link(`${OWN}/again.jsonl`, join(folder, OWN, "a.jsonl"));
    link(`${OWN}/circle`, join(folder, OWN));
    link(`${OWN}/nowhere.jsonl`, join(folder, "nowhere"));
    const { stdout, stderr, code } = await doomloop(["scan", "--json", "--verbose"]);
    const report = JSON.parse(stdout) as Report;

    expect(code).toBe(0);
    expect(report.totals.sessions).toBe(1);
    expect(report.skipped).toEqual({ lines: 0, files: 4, folders: 0 });
    expect(stderr.split("\n")).toEqual([
      "doomloop: 3 links skipped: they lead out of their folders:",
      ...["b.jsonl", "linked", "zero.jsonl"].map((name) => `doomloop:   ${join(folder, OWN, name)}`),
      "doomloop: 1 file skipped: it is a pipe, a socket or a device:",
      `doomloop:   ${join(folder, OWN, "pipe.jsonl")}`,
      "",
    ]);
  });

  it("follows a link that is the folder itself or is named on the command line", async () => {
    const { folder, write, reportOf } = sandbox;
    write("elsewhere/-shop/b.jsonl", session("b"));
    mkdirSync(join(folder, "home/.claude"), { recursive: true });
    link("home/.claude/projects", join(folder, "elsewhere"));
    link("named.jsonl", join(folder, "elsewhere/-shop/b.jsonl"));

    expect((await reportOf([])).totals.sessions).toBe(1);
    expect((await reportOf(["named.jsonl"])).totals.sessions).toBe(1);
  });

  it("reports a folder that it cannot read, and reads the others", async () => {
    const { folder, write, doomloop } = sandbox;
    write(`${OWN}/a.jsonl`, session("a"));
    mkdirSync(join(folder, "home/.codex"));
    link("home/.codex/sessions", join(folder, "home/.codex/sessions"));
    const { stdout, stderr } = await doomloop(["scan", "--json"]);

    expect(stderr).toBe("doomloop: 1 folder skipped: it cannot be read (--verbose lists it)\n");
    expect((JSON.parse(stdout) as Report).skipped).toEqual({ lines: 0, files: 0, folders: 1 });
  });

  it("rejects a pipe as transcript, configuration and reader", async () => {
    const { write, doomloop } = sandbox;
    write("runs.jsonl", trace({ run: [] }));
    for (const name of ["pipe.jsonl", "config.json", "config.ts", "reader.mjs"]) pipe(name);
    const outcomes = [
      await doomloop(["scan", "pipe.jsonl"]),
      await doomloop(["replay", "pipe.jsonl"]),
      await doomloop(["scan", "runs.jsonl", "--config", "config.json"]),
      await doomloop(["scan", "runs.jsonl", "--config", "config.ts"]),
      await doomloop(["scan", "runs.jsonl", "--reader", "reader.mjs"]),
    ];

    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
    for (const { stderr } of outcomes) expect(stderr).toMatch(/^doomloop: cannot (?:read|load) \S+: it is a pipe\n$/);
  });
});

/** Sends Ctrl-C some time after the scan handles it, while it reads the file's only record. */
const INTERRUPT = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from "node:worker_threads";
  const timer = setInterval(() => {
    if (!isMainThread || process.listenerCount("SIGINT") === 0) return;
    clearInterval(timer);
    setTimeout(() => process.kill(process.pid, "SIGINT"), 1500);
  }, 5).unref();`)}`;

it("ends at Ctrl-C in the middle of a record that takes long to read", async () => {
  const { write, spawned } = sandbox;
  const calls = Array.from({ length: 60_000 }, (_, at) => step("Bash", { command: `npm test ${at % 7}` }, "failed"));
  write("long.jsonl", trace({ long: calls.flat(), other: times(3, step("ls", {}, "a")) }));
  const { code, stderr } = await spawned(["scan", "long.jsonl"], { NODE_OPTIONS: `--import=${INTERRUPT}` });

  expect(code).toBe(130);
  // If it had waited for the record, there would be nothing left to stop.
  expect(stderr).toContain("stopped early: 0 of 1 file read");
});
