import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFigures } from "../../bench/quality/committed-figures.ts";
import { step, times } from "../builders.ts";

const looping = {
  run: "one/loop",
  outcome: "failure",
  events: times(8, step("lookup", { id: 1 }, "no", { error: true })),
};
const working = { run: "one/fine", outcome: "success", events: [...step("look", {}, "a"), ...step("write", {}, "b")] };
const everydayLoop = {
  ...looping,
  run: "loop/exact/one",
  class: "exact",
  expect: "spoken",
  span: [0, 7],
  from: 2,
  by: 5,
};
const everydayWork = { ...working, run: "innocent/reading/one", class: "reading", expect: "silent", span: [0, 1] };

describe("bench:quality", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "quality-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, ...lines: object[]): string => {
    const path = join(folder, name);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return path;
  };
  /** Everyday runs of two sets, in place of the hundreds that there are. */
  const writeEveryday = (): void => {
    mkdirSync(join(folder, "everyday"));
    write("everyday/innocent.jsonl", everydayWork);
    write("everyday/loops.jsonl", everydayLoop);
    write("everyday/innocent-2.jsonl", { ...everydayWork, run: "innocent/reading/two" });
  };
  const bench = (...options: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["bench/quality/main.ts", folder, ...options], {
      cwd: join(import.meta.dirname, "../.."),
      // Real sessions would be looked for beside the folder.
      env: {
        ...process.env,
        DOOMLOOP_SESSIONS: join(folder, "sessions"),
        DOOMLOOP_EVERYDAY: join(folder, "everyday"),
      },
      encoding: "utf8",
    });
    return { status, stderr, stdout: stdout.replaceAll(/ +/g, " ") };
  };

  it("measures the everyday runs, set by set, where there is nothing else", () => {
    writeEveryday();

    const { status, stdout } = bench("-v");

    expect(status).toBe(0);
    expect(stdout).toMatch(/^Skipped: no recorded runs.*\nSkipped: no real sessions/);
    expect(stdout).toContain("- everyday, set 1: 1 innocent runs, 0 in which a nudge is arguable, 1 loops");
    expect(stdout).toContain("- everyday, set 2: 1 innocent runs, 0 in which a nudge is arguable, 0 loops");
    expect(stdout).toMatch(/\| loops \| runs \| found \|.*\n.*\n\| exact \| 1 \| 1 \|/);
  });

  it("measures recorded runs with their labels", () => {
    write("one.jsonl", looping, working);
    const labels = write("labels.mine.jsonl", { run: "one/loop", window: [0, 8], verdict: "loop" });
    const json = join(folder, "figures.json");

    const { status, stdout, stderr } = bench("--labels", labels, "--json", json, "-v");

    expect(status).toBe(0);
    expect(stdout).toContain("- recorded windows: 1 windows, 1 of them loops");
    expect(stdout).toMatch(/\| recorded windows \| precision \| 1\.00 \|/);
    expect(stdout).toContain("| one | 2 | 10 | 1 (1) | 1 | 0.0% |");
    expect(stderr).not.toContain("miss: ");
    expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ windows: 1, successes: { runs: 1 } });
  });

  it("says so where recorded runs have no labels, and counts successes all the same", () => {
    write("one.jsonl", working);

    const { stdout } = bench();

    expect(stdout).toMatch(/^Skipped: no labels\.dev\.jsonl/);
    expect(stdout).toMatch(/\| successes \| spoken to \| 0\.0% \|/);
  });

  it("joins both files of labels", () => {
    write("one.jsonl", looping, working);
    write("labels.dev.jsonl", { run: "one/loop", window: [0, 8], verdict: "loop" });
    write("labels.dev2.jsonl", { run: "one/fine", window: [0, 2], verdict: "progress" });

    expect(bench().stdout).toContain("- recorded windows: 2 windows, 1 of them loops");
  });

  it("fails its check on other data than what is committed", () => {
    write("one.jsonl", working);

    const { status, stdout, stderr } = bench("--check");

    expect(status).toBe(1);
    expect(stdout).toContain("Not held here, for want of data: recorded windows.");
    expect(stdout).toMatch(/^\| successes \| ended \| <= 0% \| 0% \| reached \|/m);
    expect(stderr).toContain("worse than committed: successes: other data");
    expect(readFigures().successes!.size).toBeGreaterThan(1);
  });

  it("puts a detector beside ours, which is told no answers", () => {
    const detector = join(folder, "mine.mjs");
    writeFileSync(
      detector,
      "export const detect = (run) => ('expect' in run || 'class' in run || /loop|innocent/.test(run.run) ? [] : [0]);",
    );

    writeEveryday();

    const { stdout } = bench("--detector", detector);

    expect(stdout).toMatch(/^\| instrument \| figure \| \*\*doomloop\*\* \| mine \| 000 \|/m);
    expect(stdout).toMatch(/^\| everyday, set 1 \| innocents spoken to \| 0\.0% \| 100\.0% \|/m);
  });

  it.each([
    { options: ["--preset", "none"], words: "--preset: there is none named none" },
    { options: ["--preset", "aggressive", "--check"], words: "the balanced preset is required" },
    { options: ["--detector", "nowhere.ts"], words: "no such file: nowhere.ts" },
    { options: ["--unknown"], words: "--unknown" },
  ])("explains wrong usage: $options", ({ options, words }) => {
    expect(bench(...options)).toMatchObject({ status: 2, stderr: expect.stringContaining(words) });
  });
});
