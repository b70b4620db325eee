import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { step, times } from "../../../../test/builders.ts";
import { type CommandOutcome, runCommand, spawnCommand } from "../../../../test/run-command.ts";
import type { AgentEvent } from "../core/event.ts";
import { COMMAND_NAMES } from "./commands/scan.ts";

const main = join(import.meta.dirname, "main.ts");
const LOOP = times(6, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
const FINE = [1, 2, 3].flatMap((page) => step("read_page", { page }, `This is page ${page}.`));
const MEGABYTES = 150;
/** Garbage is collected when the machine has time for it, so what a process takes from the system says little. */
const HEAP_MEGABYTES = 64;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-cli-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({
  PATH: process.env.PATH,
  HOME: folder,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
});

/** Runs a command in this process. */
function doomloop(args: readonly string[], input = ""): Promise<CommandOutcome> {
  return runCommand(args, { cwd: folder, env: environment(), input });
}

/** Runs a program in a process of its own. */
function spawned(program: string, words: readonly string[]): Promise<CommandOutcome> {
  return spawnCommand(program, words, { cwd: folder, env: environment() });
}

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

function trace(runs: Readonly<Record<string, readonly AgentEvent[]>>): string {
  return Object.entries(runs)
    .map(([run, events]) => `${JSON.stringify({ run, events })}\n`)
    .join("");
}

interface Printed {
  schemaVersion: number;
  run: string;
  calls: number;
  decisions: { call: number; action: string; kind: string; confidence: number }[];
}

function parsed(stdout: string): Printed[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Printed);
}

describe("doomloop replay", () => {
  it("prints one object per run", async () => {
    const { code, stdout, stderr } = await doomloop(["replay", write("two.jsonl", trace({ loop: LOOP, fine: FINE }))]);
    const [loop, fine] = parsed(stdout);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(loop).toMatchObject({ schemaVersion: 1, run: "loop", calls: 6 });
    expect(loop!.decisions[0]).toEqual({
      call: 2,
      action: "nudge",
      kind: "repeated-call",
      confidence: expect.any(Number),
    });
    expect(fine).toEqual({ schemaVersion: 1, run: "fine", calls: 3, decisions: [] });
  });

  it("prints the same for a file, a compressed file, and standard input, named or not", async () => {
    const text = trace({ loop: LOOP, fine: FINE });
    const plain = await doomloop(["replay", write("plain.jsonl", text)]);
    const others = await Promise.all([
      doomloop(["replay", write("zipped.jsonl.gz", gzipSync(text))]),
      doomloop(["replay"], text),
      doomloop(["replay", "-"], text),
    ]);

    expect(plain.stdout).toContain('"run":"loop"');
    for (const other of others) expect(other).toEqual(plain);
  });

  it("reads several files in the order given", async () => {
    const files = [write("b.jsonl", trace({ b: FINE })), write("a.jsonl.gz", gzipSync(trace({ a: FINE })))];

    expect(parsed((await doomloop(["replay", ...files])).stdout).map(({ run }) => run)).toEqual(["b", "a"]);
  });

  it("skips invalid runs and events, reports them once on standard error, and continues", async () => {
    const odd = '{"run":"odd","events":[null,{"type":"dance"},7]}\n';
    const { code, stdout, stderr } = await doomloop(["replay"], `nonsense\n[]\n${odd}${trace({ loop: LOOP })}{"run":`);

    expect(code).toBe(0);
    expect(parsed(stdout).map(({ run }) => run)).toEqual(["odd", "loop"]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "doomloop: 3 lines without a run, skipped (first: standard input, line 1)",
      "doomloop: 2 events without a type, skipped (first: odd)",
    ]);
  });

  it("ends quietly when its reader goes away", async () => {
    const many = write("many.jsonl", trace({ loop: LOOP }).repeat(20_000));
    const line = `"$0" "$1" replay ${many} | head -n 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await spawned("bash", ["-c", line, process.execPath, main]);

    expect({ stdout, stderr }).toEqual({ stdout: "0\n", stderr: "" });
  });
});

describe("doomloop scan", () => {
  it("reads standard input, once", async () => {
    const { stdout } = await doomloop(["scan", "-q", "-"], trace({ fine: FINE }));

    expect(stdout).toBe("No loops in 1 session, 3 calls.\n");
    expect((await doomloop(["scan", "-", "-"], "")).stderr).toContain("standard input (-) can be read only once");
  });

  it("reads options from a file, and prefers the preset on the command line", async () => {
    const config = write("config.json", JSON.stringify({ preset: "shadow", rules: { read_page: { ignore: true } } }));
    const input = trace({ loop: LOOP });
    const [shadow, balanced] = await Promise.all([
      doomloop(["replay", "--config", config], input),
      doomloop(["replay", "--config", config, "--preset", "balanced"], input),
    ]);

    expect(parsed(shadow.stdout)[0]!.decisions[0]).toMatchObject({ call: 2, action: "continue" });
    expect(parsed(balanced.stdout)[0]!.decisions[0]).toMatchObject({ call: 2, action: "nudge" });
  });
});

describe("wrong usage", () => {
  it.each([
    ["an unknown option", ["replay", "--jsno"], "unknown option '--jsno'"],
    ["an unknown command", ["relpay"], "relpay: no such command, file or folder. Did you mean replay?"],
    ["help of an unknown command", ["help", "bogus"], "doomloop: no such command: bogus\n"],
    ["an absent file after a command", ["scan", "absent"], "doomloop: absent: no such file or"],
    ["an absent folder beside the sample", ["scan", "--sample", "absent"], ": absent: no such f"],
    ["an invalid duration", ["scan", "--last", "7x"], "--last: expected a duration such as 12h or 7d, got 7x\n"],
    ["an unknown preset", ["replay", "--preset", "brave"], "Allowed choices are balanced"],
    [
      "a store that nothing is kept in",
      ["serve", "--store", "redis://127.0.0.1:1"],
      "--store: --listen is required, too",
    ],
    ["a fleet that nobody joins", ["serve", "--fleet", "redis://127.0.0.1:1"], "--fleet: --listen is required, too"],
    ["a file that is not there", ["replay", "absent.jsonl"], "cannot read absent.jsonl: no such file"],
    ["a folder", ["replay", "."], "cannot read .: it is a folder"],
    ["standard input twice", ["replay", "-", "-"], "standard input (-) can be read only once"],
    [
      "a configuration that is not there",
      ["replay", "--config", "absent.json"],
      "cannot read absent.json: no such file",
    ],
    [
      "a configuration that is neither .json nor .ts",
      ["replay", "--config", "options.yaml"],
      "options.yaml: a .json or .ts file is required",
    ],
  ])("exits with 2 and a message about %s", async (_title, args, message) => {
    const { code, stdout, stderr } = await doomloop(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.each([
    ["no JSON", "{", "bad.json: "],
    ["an unknown key", '{"treshold":3}', "bad.json: treshold: there is no such option; one of preset, "],
    ["a value that the guard refuses", '{"ladder":["stop","nudge"]}', "bad.json: ladder: rising rungs are required"],
    [
      "a key that is not printable",
      '{"\\u001b[31m":3}',
      "bad.json: \\u{1b}[31m: there is no such option; one of preset, ",
    ],
  ])("exits with 2 and a message about a configuration with %s", async (_title, text, message) => {
    const { code, stderr } = await doomloop(["replay", "--config", write("bad.json", text)]);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("    at ");
  });

  it("exits with 2 at an incomplete compressed file, after the runs before that", async () => {
    const zipped = gzipSync(trace({ loop: LOOP }).repeat(2000));
    const { code, stdout, stderr } = await doomloop([
      "replay",
      write("broken.jsonl.gz", zipped.subarray(0, zipped.length - 20)),
    ]);

    expect(code).toBe(2);
    expect(parsed(stdout).length).toBeGreaterThan(1000);
    expect(stderr).toContain("cannot read broken.jsonl.gz: unexpected end of file");
  });
});

describe("a terminal of 80 columns", () => {
  it.each([
    [["mode"]],
    [["mode", "attended"]],
    [["mode", "unattended"]],
    [["mode", "auto"]],
    [["scan", "--sample", "--quiet"]],
    [["scan", "--sample", "--agent", "bogus"]],
    [["scan", "--sample", "--fail-on", "bogus"]],
    [["scan", "--sample", "--preset", "bogus"]],
    [["scan", "--sample", "--last", "bogus"]],
    [["init", "bogus"]],
    [["checkpoint"]],
    [["restore"]],
  ])("has room for every line of %j", async (args) => {
    const { stdout, stderr } = await runCommand(args, { cwd: folder, env: environment(), columns: 80 });

    expect(`${stdout}${stderr}`).not.toBe("");
    expect(`${stdout}${stderr}`.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("help", () => {
  it.each([
    ["--help"],
    ["replay", "--help"],
    ["help", "replay"],
    ["scan", "--help"],
    ["show", "--help"],
    ["tune", "--help"],
  ])("is printed for %s %s, with examples at its end", async (...args) => {
    const { code, stdout, stderr } = await doomloop(args);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: doomloop[\s\S]*\nExamples:\n( {2}\$ .*\n)+$/);
  });

  it.each([
    ...["", "scan", "show", "tune", "replay", "init", "uninstall", "doctor"],
    ...["allow", "checkpoint", "restore", "undo", "status", "log", "pause", "resume", "mode", "stop", "serve"],
  ])("fits on a terminal of 80 columns, for %j", async (command) => {
    const { stdout } = await doomloop(["help", command].filter((word) => word !== ""));

    expect(stdout).toContain("Usage: doomloop");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("prints the version", async () => {
    const { code, stdout } = await doomloop(["--version"]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});

describe("memory", () => {
  it(`needs no more than ${HEAP_MEGABYTES} MB for a trace of ${MEGABYTES} MB`, async () => {
    const path = join(folder, "large.jsonl");
    await writeLarge(path);
    const heap = `--max-old-space-size=${HEAP_MEGABYTES}`;
    const { code, stdout } = await spawned(process.execPath, [heap, main, "replay", path]);

    expect(code).toBe(0);
    expect(parsed(stdout).length).toBe(MEGABYTES);
  });
});

/** Runs of one megabyte each. */
async function writeLarge(path: string): Promise<void> {
  const steps = Array.from({ length: 250 }, (_, at) =>
    step("read_page", { page: at }, `page ${at} `.repeat(500)),
  ).flat();
  const line = JSON.stringify({ run: "large", events: steps }).padEnd(1024 * 1024 - 1);
  const file = createWriteStream(path);
  for (let at = 0; at < MEGABYTES; at++) file.write(`${line}\n`);
  file.end();
  await finished(file);
}

it("knows all its commands when it guesses which one was meant", async () => {
  const { stdout } = await doomloop(["help"]);
  const named = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name!);

  // The hook is called by agents, and not listed.
  expect(COMMAND_NAMES.filter((name) => name !== "hook").sort()).toEqual(named.sort());
  expect((await doomloop(["statsu"])).stderr).toContain("Did you mean status?");
});
