import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { step, times } from "../../../../../test/builders.ts";
import { type CliSandbox, createCliSandbox, trace } from "../../../../../test/cli-sandbox.ts";

const POLLING = times(40, step("check_job", { job: 7 }, "state: unchanged"));
const STUCK = times(8, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
const QUESTION = /\[q\]uit: |\[n\]one: /;
const INTERRUPT = "\u0003";
/** A terminal for tests. The options are those of util-linux, and differ on other systems. */
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;
const main = resolve(import.meta.dirname, "../../cli/main.ts");

let sandbox: CliSandbox;
beforeEach(() => {
  sandbox = createCliSandbox();
  sandbox.write("runs.jsonl", trace({ polling: POLLING, stuck: STUCK }));
});
afterEach(() => sandbox.remove());

/** Types an answer to each question as it comes. */
function onTerminal(
  answers: readonly string[],
  words = "tune runs.jsonl",
): Promise<{ shown: string; code: number | null }> {
  const command = `${process.execPath} ${main} ${words}`;
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: sandbox.folder,
    env: { PATH: process.env.PATH, HOME: sandbox.folder, DOOMLOOP_CACHE: join(sandbox.folder, "cache"), NO_COLOR: "1" },
  });
  let shown = "";
  let answered = 0;
  child.stdout.on("data", (piece) => {
    shown += piece;
    const asked = shown.split(QUESTION).length - 1;
    for (; answered < Math.min(asked, answers.length); answered++) child.stdin.write(answers[answered]!);
  });
  return new Promise((done) => child.on("close", (code) => done({ shown, code })));
}

const pathOf = (name: string): string => join(sandbox.folder, name);

describe.skipIf(!hasTerminal)("doomloop tune on a terminal", () => {
  it("shows each stretch once, most expensive first, asks about it, and writes the chosen change", async () => {
    const { shown, code } = await onTerminal(["n\n", "y\n", "1\n"]);

    expect(shown.match(/Same call again: .*/g)?.map((line) => line.trim())).toEqual([
      "Same call again: check_job",
      "Same call again: read_file a.ts",
    ]);
    // The middle of a long stretch is left out.
    expect(shown).toMatch(/12 {2}A │ check_job [^…]*… 12 steps\r\n +│ … would have refused 12 of the 15 calls/);
    expect(shown).toMatch(/ calls from 25 to 39\r\n40 {2}A │ check_job/);
    // What the calls were is the user's own.
    expect(shown).toContain('{"job":7}');
    expect(shown).toContain("state: unchanged");
    expect(shown).toContain("2 of 2: was the guard right?");
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(pathOf("doomloop.config.json"), "utf8"))).toHaveProperty("rules.check_job");

    const again = await onTerminal([]);
    expect(again.shown).toMatch(/Nothing to tune: of 1 loop here, none is marked wrong.\r\n$/);
    expect(again.shown).not.toMatch(QUESTION);
  });

  it("hides arguments and results if asked", async () => {
    expect((await onTerminal(["q\n", "n\n"], "tune runs.jsonl --no-content")).shown).not.toContain("unchanged");
  });

  it("keeps the answers given before Ctrl-C, and continues there", async () => {
    expect(await onTerminal(["n\n", INTERRUPT])).toMatchObject({ code: 130 });
    const { shown, code } = await onTerminal(["q\n", "n\n"]);

    expect(shown).toContain("1 of 1: was the guard right?");
    expect(shown).toContain("Write which one?");
    expect(code).toBe(0);
    expect(existsSync(pathOf("doomloop.config.json"))).toBe(false);
  });
});

describe.skipIf(!hasTerminal)("doomloop show on a terminal", () => {
  const EVIL = "\u001b[2Jred\u202egnirts\u0007";
  const evil = times(
    6,
    step("Bash", { command: `grep ${EVIL}` }, `nothing ${EVIL} ${"x".repeat(9_000)}`, { error: true }),
  );

  it("shows arguments and results, escaped and cut to the width", async () => {
    sandbox.write("runs.jsonl", trace({ evil }));
    const { shown } = await onTerminal([], "show evil runs.jsonl");

    expect(shown).toContain('{"command":"grep \\u001b[2Jred\\u{202e}gnirts');
    expect(shown).toContain("nothing \\u{1b}[2Jred");
    for (const character of ["\u001b[2J", "\u202e", "\u0007"]) expect(shown).not.toContain(character);
    expect(Math.max(...shown.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("hides them if asked, and in a pipe unless asked", async () => {
    sandbox.write("runs.jsonl", trace({ evil }));
    const hidden = await onTerminal([], "show evil runs.jsonl --no-content");
    const piped = await sandbox.doomloop(["show", "evil", "runs.jsonl"]);
    const asked = await sandbox.doomloop(["show", "evil", "runs.jsonl", "--include-content"]);

    expect(hidden.shown).not.toContain("gnirts");
    expect(piped.stdout).not.toContain("gnirts");
    expect(asked.stdout).toContain("gnirts");
  });
});
