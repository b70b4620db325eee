import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { step, times, user } from "../../../../test/builders.ts";
import { claudeSession, createCliSandbox, trace } from "../../../../test/cli-sandbox.ts";
import type { Report } from "./report/report.ts";

const MAIN = resolve(import.meta.dirname, "../cli/main.ts");

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resume) => setTimeout(resume, 20));
}

const LOOP = times(8, step("read_file", { path: "/home/me/client/a.ts" }, "no such file", { error: true }));
const CYCLE = times(6, [
  ...step("read_file", { path: "b.ts" }, "export const b = 1;"),
  ...step("grep", { pattern: "secret-word" }, "nothing was found in the whole folder"),
]);
const FINE = [1, 2, 3, 4].flatMap((page) => step("read_page", { page }, `This is page ${page}.`));
const DAY_MS = 86_400_000;

/** Sends Ctrl-C as soon as the scan handles it. */
const INTERRUPT = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from "node:worker_threads";
  const timer = setInterval(() => {
    if (!isMainThread || process.listenerCount("SIGINT") === 0) return;
    clearInterval(timer);
    setTimeout(() => process.kill(process.pid, "SIGINT"), 20);
  }, 5).unref();`)}`;

/** Reports at exit whether the price list was read. */
const TELL_PRICES = `data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { readFileSync, writeSync } = fs;
  let hasRead = false;
  fs.readFileSync = (path, ...options) => {
    hasRead ||= String(path).endsWith("prices.json");
    return readFileSync(path, ...options);
  };
  syncBuiltinESMExports();
  process.on("exit", () => writeSync(2, "prices: " + hasRead));`)}`;

const sandbox = createCliSandbox();
const { folder, doomloop, spawned, write, reportOf } = sandbox;
beforeAll(() => {
  write("runs.jsonl", trace({ loop: LOOP, fine: FINE, cycle: CYCLE }));
});
afterAll(() => sandbox.remove());

describe("doomloop scan --json", () => {
  it("agrees with replay on runs, calls and runs with loops", async () => {
    const report = await reportOf(["runs.jsonl", "--no-cache"]);
    const { stdout } = await doomloop(["replay", "runs.jsonl"]);
    const replayed = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { calls: number; decisions: { call: number; action: string }[] });

    expect(report.totals.sessions).toBe(replayed.length);
    expect(report.totals.calls).toBe(replayed.reduce((sum, { calls }) => sum + calls, 0));
    expect(report.totals.sessionsWithLoops).toBe(replayed.filter(({ decisions }) => decisions.length > 0).length);
    // Replay counts calls from 0, scan counts from 1.
    const said = replayed.flatMap(({ decisions }) => decisions.map(({ call, action }) => `${call + 1} ${action}`));
    const scanned = report.loops.flatMap(({ decisions }) => decisions.map(({ call, action }) => `${call} ${action}`));
    expect(scanned.sort()).toEqual(said.sort());
  });

  it("reports what repeated, where it began and what was spent after the first nudge", async () => {
    const { loops, totals } = await reportOf(["runs.jsonl"]);
    const loop = loops.find(({ kind }) => kind === "repeated-call")!;

    expect(loop).toMatchObject({ what: "read_file a.ts", onset: 1, end: 8, count: 8, tools: ["read_file"] });
    expect(loop.decisions[0]).toEqual({ call: 3, action: "nudge" });
    expect(loop.afterOnset.calls).toBe(5);
    expect(loop.afterOnset.tokens!.isEstimated).toBe(true);
    expect(loop.afterOnset.tokens!.low).toBeLessThan(loop.afterOnset.tokens!.high);
    expect(totals.afterOnset.costUsd!.high).toBeGreaterThan(0);
    expect(totals.costUsd!.high).toBeGreaterThan(totals.afterOnset.costUsd!.high);
  });

  it("reveals only tools and base names unless content is requested", async () => {
    const plain = JSON.stringify(await reportOf(["runs.jsonl"]));
    const whole = JSON.stringify(await reportOf(["runs.jsonl", "--include-content"]));

    for (const secret of ["/home/me", "client", "secret-word", "no such file"]) {
      expect(plain).not.toContain(secret);
      expect(whole).toContain(secret);
    }
  });

  it("never puts content into the cache", async () => {
    await reportOf(["runs.jsonl", "--include-content"]);
    const kept = readdirSync(join(folder, "cache")).map((name) => readFileSync(join(folder, "cache", name), "utf8"));

    expect(kept.join("")).not.toContain("no such file");
  });

  it("finds the same from the cache, in a compressed file and on threads", async () => {
    const big = trace({
      loop: LOOP,
      fine: FINE,
      ...Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [`run-${at}`, step("note", { text: "x".repeat(1_000_000) }, `ok ${at}`)]),
      ),
    });
    const files = [write("big.jsonl", big), "big.jsonl"];
    write("small.jsonl.gz", gzipSync(trace({ loop: LOOP, fine: FINE, cycle: CYCLE })));
    const [cold, warm] = [await reportOf([files[0]!]), await reportOf([files[0]!])];
    const fromGzip = await reportOf(["small.jsonl.gz"]);

    expect(cold.totals).toMatchObject({ sessions: 32, sessionsWithLoops: 1 });
    expect({ ...warm, generatedAt: "" }).toEqual({ ...cold, generatedAt: "" });
    expect(fromGzip.totals).toEqual((await reportOf(["runs.jsonl"])).totals);
  });

  it("keeps what it read before a file became unreadable, and reports the file", async () => {
    const zipped = gzipSync(trace({ loop: LOOP }).repeat(2000));
    write("broken.jsonl.gz", zipped.subarray(0, zipped.length - 20));
    const { code, stdout, stderr } = await doomloop(["scan", "broken.jsonl.gz", "-q"]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^1,\d{3} of 1,\d{3} sessions went in circles/);
    expect(stderr).toMatch(/^doomloop: cannot read .*broken\.jsonl\.gz to its end: unexpected end of file\n$/m);
  });
});

describe("doomloop", () => {
  beforeAll(() => {
    write("home/.claude/projects/-home-me-api/claude-1.jsonl", claudeSession(Date.now() - 2 * DAY_MS));
  });

  it("scans the agents of this machine without any arguments", async () => {
    const { code, stdout } = await doomloop([]);

    expect(code).toBe(0);
    expect(stdout).toContain("1 loop in 1 session, 8 calls, the last 30 days");
    expect(stdout).toMatch(/npm test +8x +same call again +Claude Code +api +\dd ago/);
    expect(stdout).toMatch(/step by step +doomloop show [0-9a-f]{10}\n/);
  });

  it("adds up recorded usage, and prices it", async () => {
    const { totals } = await reportOf([]);

    expect(totals.tokens).toEqual({ low: 8000, high: 8000, isEstimated: false });
    // Eight calls are too few for a refusal, so `low` is zero.
    expect(totals.afterOnset.tokens).toEqual({ low: 0, high: 5000, isEstimated: false });
    expect(totals.costUsd!.low).toBeCloseTo((8 * (10 * 3 + 970 * 0.3 + 20 * 15)) / 1e6, 6);
  });

  it("scans only the selected runs", async () => {
    const asked = [
      ["--last", "1d"],
      ["--agent", "codex"],
      ["--project", "API"],
      ["--project", "elsewhere"],
      ["--session", "claude-"],
    ];
    const reports = await Promise.all([...asked, ["--no-cost"]].map(reportOf));

    expect(reports.map(({ totals }) => totals.sessions)).toEqual([0, 0, 1, 0, 1, 1]);
    expect(reports.at(-1)!.totals.costUsd).toBeNull();
  });

  it("shows one session as a timeline", async () => {
    const { stdout, code } = await doomloop(["show", "claude-1"]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/3 {2}A │ npm test +failed +\+1 +nudge\n/);
    expect(stdout).toContain("8 times, calls 1 to 8");
  });

  it("shows why a repeat did not count, below its step", async () => {
    const test = step("bash", { command: "npm test" }, "Error: 1 test failed", { error: true });
    const events = [...test, ...step("edit", { path: "a.ts", text: "x" }, "ok, 1 replacement made"), ...times(4, test)];
    const { stdout } = await doomloop(["show", "edited", write("edited.jsonl", trace({ edited: events }))]);

    expect(stdout).toMatch(/3 {2}A │ npm test +failed\n +│ {3}adds nothing: something was changed in between\n4 /);
    expect(stdout.match(/adds nothing/g)).toHaveLength(1);
  });

  it("reports what it could not read", async () => {
    const outcomes = await Promise.all([
      doomloop(["show", "nobody"]),
      doomloop(["scan", "no-such-file.jsonl"]),
      doomloop(["scan", "--agent", "nobody"]),
      doomloop(["scan", "--fail-on", "everything"]),
    ]);

    expect(outcomes.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    for (const { stderr } of outcomes) expect(stderr).toMatch(/^doomloop: .*(?:found|expected|no such file).*\n$/);
  });
});

describe("doomloop scan, for machines", () => {
  it("loads prices for figures and for names of models, and never for replay", async () => {
    const env = { NODE_OPTIONS: `--import=${TELL_PRICES}` };
    const runs = [["scan", "--no-cache"], ["scan", "--no-cache", "--no-cost"], ["replay"]];
    const outcomes = await Promise.all(runs.map((args) => spawned([...args, "runs.jsonl"], env)));

    expect(outcomes.map(({ stderr }) => stderr)).toEqual(["prices: true", "prices: true", "prices: false"]);
  });

  it("explains by call number why repeats did not count, and keeps the whole run", async () => {
    const test = step("bash", { command: "npm test" }, "Error: 1 test failed", { error: true });
    const edit = step("edit", { path: "a.ts", text: "x" }, "ok, 1 replacement made");
    const reads = Array.from({ length: 20 }, (_, at) =>
      step("read_file", { path: `${at}.ts` }, `export const x = ${at};`),
    );
    const events = [...test, ...edit, ...test, ...reads.flat(), user("go on"), ...times(5, test)];
    const { loops, runs } = await reportOf([write("reasons.jsonl", trace({ run: events }))]);

    expect(loops.map(({ uncounted }) => uncounted)).toEqual([
      [
        { call: 3, reason: "changed-world" },
        { call: 24, reason: "user-spoke" },
      ],
    ]);
    const { steps } = runs[loops[0]!.session]!;
    expect(steps.map(({ call }) => call)).toEqual(Array.from({ length: 28 }, (_, at) => at + 1));
    expect(steps.slice(23).map(({ added }) => added)).toEqual([undefined, 1, 1, 1, 1]);
    expect(loops[0]).toMatchObject({ weight: 4 });
  });

  it("exits with 10 for loops that --fail-on names, and only for those", async () => {
    const codes = await Promise.all(
      [["--fail-on", "nudge"], ["--fail-on", "call-cycle"], ["--fail-on", "stop"], ["--fail-on", "test-fix"], []].map(
        async (more) => (await doomloop(["scan", "-q", "runs.jsonl", ...more])).code,
      ),
    );

    expect(codes).toEqual([10, 10, 0, 0, 0]);
  });

  it("fails a build if nothing was found or not everything could be read", async () => {
    write("empty/notes.txt", "nothing");
    const zipped = gzipSync(trace({ fine: step("read_file", { path: "a.ts" }, "text") }).repeat(2000));
    write("broken.jsonl.gz", zipped.subarray(0, zipped.length - 20));
    const codes = await Promise.all(
      [["empty"], ["empty", "--fail-on", "stop"], ["broken.jsonl.gz"], ["broken.jsonl.gz", "--fail-on", "stop"]].map(
        async (words) => (await doomloop(["scan", "-q", "--no-cache", ...words])).code,
      ),
    );

    expect(codes).toEqual([0, 11, 0, 11]);
  });

  it.each([
    ["a line that breaks off", "cut.jsonl", '{"run":"cut","events":[{"type":"ca'],
    ["a file that nobody knows", "notes.txt", "these are notes"],
    ["a gzip file that is none", "none.jsonl.gz", "\u001f\u008b, and then something else"],
  ])("fails a build over %s", async (_, name, content) => {
    write(name, content);

    expect((await doomloop(["scan", "runs.jsonl", name, "--fail-on", "test-fix"])).code).toBe(11);
  });

  it("removes its copy of standard input when it is interrupted", async () => {
    const temporary = join(folder, "temporary");
    write("temporary/empty", "");
    const child = spawn(process.execPath, [MAIN, "scan", "-"], {
      env: { ...process.env, TMPDIR: temporary, TEMP: temporary },
      stdio: ["pipe", "ignore", "ignore"],
    });
    child.stdin.write("a secret\n");
    await waitUntil(() => readdirSync(temporary).some((name) => name.startsWith("doomloop-input-")));
    child.kill("SIGINT");
    await once(child, "exit");

    expect(readdirSync(temporary)).toEqual(["empty"]);
  });

  it("writes the page to a default file name, and never overwrites another kind of file", async () => {
    const named = await doomloop(["scan", "runs.jsonl", "--html"]);
    const mistaken = await doomloop(["scan", "--html", "runs.jsonl"]);

    expect(named.stderr).toContain("doomloop-report.html");
    expect(readFileSync(join(folder, "doomloop-report.html"), "utf8")).toContain("doomloop-report");
    expect([mistaken.code, mistaken.stderr]).toEqual([
      2,
      "doomloop: --html: expected a file that ends with .html, got runs.jsonl\n",
    ]);
  });

  it.each(["show", "tune"])("ends %s cleanly when it is interrupted", async (command) => {
    const long = step("note", { text: "x".repeat(1_000_000) }, "ok");
    write("d/1.jsonl", trace(Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`run-${at}`, long]))));
    const words = command === "show" ? ["show", "nobody", "d"] : ["tune", "d"];
    const { code, stdout, stderr } = await spawned([...words, "--no-cache"], { NODE_OPTIONS: `--import=${INTERRUPT}` });

    expect([code, stdout]).toEqual([130, ""]);
    expect(stderr).toMatch(/^doomloop: stopped early.*\n$/);
  });

  it("prints what is known so far when it is interrupted", async () => {
    const long = step("note", { text: "x".repeat(1_000_000) }, "ok");
    const text = trace(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`run-${at}`, long])));
    for (const name of ["c/1.jsonl", "c/2.jsonl"]) write(name, text);
    const env = { NODE_OPTIONS: `--import=${INTERRUPT}` };
    const told = await spawned(["scan", "c", "--no-cache"], env);
    const other = ["--json", "--html", "c.html"];
    const written = await spawned(["scan", "c", "--no-cache", ...other], env);
    const page = readFileSync(join(folder, "c.html"), "utf8");

    expect([told.code, written.code]).toEqual([130, 130]);
    expect(told.stderr).toContain("stopped early");
    expect(told.stdout).toMatch(/^Not complete, \d of 2 files read: no (?:loops|sessions) so far/);
    expect((JSON.parse(written.stdout) as Report).stopped).toMatchObject({ files: 2 });
    expect(page).toMatch(/"stopped":\{"read":\d,"files":2\}/);
  });
});
