import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { step, times } from "../../../../test/builders.ts";
import { claudeSession, createCliSandbox, trace } from "../../../../test/cli-sandbox.ts";
import type { Report } from "./report/report.ts";

const LOOP = times(8, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
const DAY_MS = 86_400_000;

const sandbox = createCliSandbox();
const { folder, doomloop, write, reportOf } = sandbox;
beforeAll(() => {
  write("runs.jsonl", trace({ loop: LOOP }));
});
afterAll(() => sandbox.remove());

describe("doomloop scan of forked sessions", () => {
  it("counts shared answers once, without the cache, from the cache and on threads", async () => {
    const start = Date.now() - DAY_MS;
    write("forks/a.jsonl", claudeSession(start, { session: "one" }));
    write("forks/b.jsonl", claudeSession(start, { session: "two", calls: 12 }));
    const [cold, warm] = [await reportOf(["forks"]), await reportOf(["forks"])];
    // Large enough for threads, without any event.
    const padding = `${JSON.stringify({ type: "summary", text: "x".repeat(1_000_000) })}\n`.repeat(13);
    for (const [name, calls] of Object.entries({ one: 8, two: 12 }))
      write(`padded/${name}.jsonl`, claudeSession(start, { session: name, calls }) + padding);
    const threads = await reportOf(["padded", "--no-cache"]);

    expect(cold.totals).toMatchObject({ sessions: 1, calls: 12, tokens: { high: 12_000 } });
    expect({ ...warm, generatedAt: "" }).toEqual({ ...cold, generatedAt: "" });
    expect(threads.totals).toEqual(cold.totals);
  });
});

describe("doomloop scan of runs in several files", () => {
  const event = (number: number, more: object) =>
    write(
      `hands/c1/events/event-0000${number}-00000000-0000-4000-8000-00000000000${number}.json`,
      JSON.stringify({ id: `${number}`, timestamp: "2026-01-01T00:00:00", ...more }),
    );
  const action = (number: number) =>
    event(number, {
      source: "agent",
      tool_name: "terminal",
      tool_call_id: `t${number}`,
      action: {},
      kind: "ActionEvent",
    });

  it("notices what was added to a run, and does not list its parts", async () => {
    event(0, { source: "user", llm_message: { role: "user", content: "Go." }, kind: "MessageEvent" });
    action(1);
    const before = await reportOf(["hands"]);
    action(2);
    const after = await reportOf(["hands"]);

    expect([before, after].map(({ totals }) => [totals.sessions, totals.calls])).toEqual([
      [1, 1],
      [1, 2],
    ]);
    expect(after.skipped).toEqual({ lines: 0, files: 0, folders: 0 });
  });

  it("reads a run whose first file is broken, and counts that file", async () => {
    write("hands/c1/events/event-00000-00000000-0000-4000-8000-000000000000.json", "");
    const { stdout, stderr } = await doomloop(["scan", "--json", "hands"]);
    const { totals, skipped } = JSON.parse(stdout) as Report;

    expect(stderr).toBe("doomloop: 1 line could not be read, skipped (--verbose names the files)\n");
    expect((await doomloop(["scan", "--verbose", "hands"])).stderr).toMatch(
      /could not be read, skipped\ndoomloop: {3}\S*hands\S*: 1 line\n/,
    );
    expect(totals).toMatchObject({ sessions: 1, calls: 2 });
    expect(skipped.lines).toBe(1);
  });

  it("counts files that no reader recognises, even in an agent's own folder, and names them on request", async () => {
    write("named/notes.json", "{}");
    const own = write("home/.codex/sessions/notes.jsonl", "{}");
    write("home/.codex/sessions/notes.txt", "no transcript's ending");
    write("home/.codex/sessions/begun.jsonl", "");
    write("home/.gemini/tmp/shop/logs.json", "[]");
    const named = await doomloop(["scan", "named"]);
    const machine = await doomloop(["scan", "--json", "--verbose"]);
    rmSync(join(folder, "home"), { recursive: true });

    expect(named.stderr).toBe("doomloop: 1 file skipped: no reader recognises it (--verbose lists it)\n");
    expect(machine.stderr).toBe(
      `doomloop: 1 file skipped: no reader recognises it:\ndoomloop:   ${join(folder, own)}\n`,
    );
    expect((JSON.parse(machine.stdout) as Report).skipped).toEqual({ lines: 0, files: 1, folders: 0 });
  });

  it("counts sessions in a format that is no longer read, instead of leaving them out in silence", async () => {
    const head = '{"id":"5b7c","timestamp":"2025-06-01T10:00:00.000Z","instructions":null}\n{"record_type":"state"}\n';
    const message = '{"type":"message","role":"user","content":[{"type":"input_text","text":"Is there coffee?"}]}\n';
    for (const name of ["one", "two"]) write(`home/.codex/sessions/2025/06/01/rollout-${name}.jsonl`, head + message);
    const { stderr, stdout } = await doomloop(["scan", "--json"]);
    rmSync(join(folder, "home"), { recursive: true });

    expect(stderr).toBe("doomloop: 2 sessions in a format that is no longer read (--verbose lists them)\n");
    expect((JSON.parse(stdout) as Report).skipped).toEqual({ lines: 0, files: 2, folders: 0 });
  });
});

describe("doomloop scan of conversations that an agent keeps twice", () => {
  it("finds them in a hidden folder, and counts each once", async () => {
    const fixtures = join(import.meta.dirname, "../../../../test/transcripts/fixtures/antigravity-cli");
    const logs = "home/.gemini/antigravity-cli/brain/c-1/.system_generated/logs";
    for (const name of ["transcript.jsonl", "transcript_full.jsonl"])
      write(`${logs}/${name}`, readFileSync(join(fixtures, "transcript_full.jsonl")));
    const { stdout } = await doomloop(["scan", "--json"]);
    rmSync(join(folder, "home"), { recursive: true });

    expect((JSON.parse(stdout) as Report).totals).toMatchObject({ sessions: 1, calls: 8 });
  });
});

describe("doomloop scan of sessions with subagents", () => {
  it("counts a subagent as part of its session, in the summary and in the report", async () => {
    const projects = join(import.meta.dirname, "../../../../test/transcripts/fixtures/claude-code");
    for (const name of ["progress.jsonl", "older.jsonl"]) write(`agents/${name}`, readFileSync(join(projects, name)));
    const { totals, sessions } = await reportOf(["agents", "--no-cost"]);
    const { stdout } = await doomloop(["scan", "agents"]);
    const mains = sessions.filter(({ partOf }) => partOf === null).map(({ id }) => id);

    expect(totals).toMatchObject({ sessions: 2, agents: 5 });
    expect(stdout).toContain(
      "No loops in 2 sessions, 5 agents, 5 calls.\nAll time. The sessions cost $0.03. Prices of ",
    );
    expect(mains).toHaveLength(2);
    for (const { partOf } of sessions) expect([null, ...mains]).toContain(partOf);
  });
});

describe("doomloop scan of runs with the same name", () => {
  it("keeps them apart, and can show each of them", async () => {
    const fine = [1, 2].flatMap((page) => step("read_page", { page }, `This is page ${page}.`));
    write("twins.jsonl", trace({ twin: LOOP }) + trace({ twin: fine }));
    const { sessions } = await reportOf(["twins.jsonl"]);
    const ids = sessions.map(({ id }) => id).sort();
    const shown = await Promise.all(ids.map((id) => doomloop(["show", id, "twins.jsonl"])));
    const either = await doomloop(["show", "twin", "twins.jsonl"]);

    expect(ids).toEqual([ids[0], `${ids[0]}-2`]);
    expect(shown[0]!.stdout).toContain("8 calls");
    expect(shown[0]!.stdout).not.toContain("No loops.");
    expect(shown[1]!.stdout).toContain("2 calls");
    expect(shown[1]!.stdout).toMatch(/read_page[\s\S]*No loops\.\n$/);
    expect(either).toMatchObject({ code: 2, stderr: `doomloop: 2 sessions are called twin: ${ids.join(", ")}\n` });
  });
});

describe("doomloop scan --open", () => {
  it.runIf(process.platform === "linux")(
    "hands the page to the desktop as one whole path, and no other file",
    async () => {
      write("bin/xdg-open", '#!/bin/sh\nprintf "%s\\n" "$#" "$1" > opened.txt\n');
      chmodSync(join(folder, "bin/xdg-open"), 0o755);
      const env = { PATH: `${join(folder, "bin")}:${process.env.PATH}` };
      const name = "-a $(touch pwned); b.html";
      await doomloop(["scan", "runs.jsonl", "-q", "--open", `--html=${name}`], env);
      const opened = join(folder, "opened.txt");
      await expect.poll(() => existsSync(opened) && readFileSync(opened, "utf8")).toBe(`1\n${join(folder, name)}\n`);
      const refused = await doomloop(["scan", "runs.jsonl", "--open", "--html", "page.desktop"], env);

      expect(existsSync(join(folder, "pwned"))).toBe(false);
      expect([refused.code, existsSync(join(folder, "page.desktop"))]).toEqual([2, false]);
    },
  );
});

describe("doomloop scan --reader", () => {
  it("uses a custom reader, and names what it lacks", async () => {
    const reader = (
      more: string,
    ): string => `export const reader = { agent: "mine", label: "Mine", extensions: [".log"],
      isMine: () => true, open: (_, sink) => ({ end: () => sink.end("a"), record({ tool }) {
        sink.session("a", {}); sink.event("a", { type: "call", tool, args: {} }); return true; } }), ${more} };`;
    write("mine.mjs", reader("roots: () => []"));
    write("broken.mjs", reader(""));
    write("steps.log", '{"tool":"ls"}\n{"tool":"cat"}\n');
    const broken = await doomloop(["scan", "--reader", "broken.mjs", "steps.log"]);

    expect((await reportOf(["--reader", "mine.mjs", "steps.log"])).totals).toMatchObject({ sessions: 1, calls: 2 });
    expect(broken).toMatchObject({
      code: 2,
      stderr: "doomloop: broken.mjs: roots: a function is required in a reader\n",
    });
  });
});
