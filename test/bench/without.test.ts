import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Instrument } from "../../bench/quality/instruments/instrument.ts";
import { ourFigure } from "../../bench/quality/instruments/instrument.ts";
import { replaySources } from "../../bench/quality/replay-sources.ts";
import { earningsToMarkdown } from "../../bench/quality/report/without-to-markdown.ts";
import { compareFigures } from "../../bench/quality/without/compare-figures.ts";
import { linesOf } from "../../bench/quality/without/lines-of.ts";
import { mechanisms } from "../../bench/quality/without/mechanisms.ts";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { call, result, step, times } from "../builders.ts";

/** Looks at one thing, half a minute apart. */
const patient: AgentEvent[] = Array.from({ length: 8 }, (_, at) => [
  call("get_order", { id: 7 }, { at: 30_000 * at }),
  result("no news of this order", { at: 30_000 * at + 100 }),
]).flat();
const looping = times(8, step("get_order", { id: 7 }, "no news of this order"));

describe("the mechanisms", () => {
  it("are where they are said to be, each under a name of its own", () => {
    for (const mechanism of mechanisms) expect(() => linesOf(mechanism)).not.toThrow();
    expect(new Set(mechanisms.map(({ name }) => name)).size).toBe(mechanisms.length);
  });

  it("take the lines of a file, or of a function or constant with its comment, wherever it stands", () => {
    const lines = (...takes: string[]) => linesOf({ takes });

    expect(lines("detectors/detector.ts#isTooEarlyToCallBlind")).toBe(4);
    expect(lines("reason.ts")).toBe(18);
    expect(lines("reason.ts", "detectors/detector.ts#isTooEarlyToCallBlind")).toBe(22);
    expect(lines("detectors/call-cycle.ts#callCycle")).toBeGreaterThan(lines("messages/sentences.ts#callCycle"));
    expect(lines("detectors/same-outcome.ts#sameOutcome")).toBeGreaterThan(
      lines("detectors/same-outcome.ts#inspectFailure", "detectors/same-outcome.ts#inspectStubborn"),
    );
    expect(() => lines("detectors/detector.ts#mayFly")).toThrow("has no function mayFly");
  });
});

describe("figures with and without", () => {
  const instrument = (value: number, better: "more" | "less"): Instrument => ({
    name: "one",
    data: "",
    size: 1,
    figures: [ourFigure("found", { unit: "count", better, tolerance: 0 }, value)],
  });

  it("are named where they differ, and whether they are worse", () => {
    expect(compareFigures([instrument(1, "more")], [instrument(1, "more")])).toEqual([]);
    expect(compareFigures([instrument(2, "more")], [instrument(1, "more")])).toMatchObject([
      { instrument: "one", name: "found", before: 2, after: 1, isWorse: true },
    ]);
    expect(compareFigures([instrument(2, "less")], [instrument(1, "less")])).toMatchObject([{ isWorse: false }]);
  });
});

describe("what mechanisms earn", () => {
  const set = (number: number, spoken: number, refused: number): Instrument => ({
    name: `everyday, set ${number}`,
    data: "",
    size: 1,
    figures: [
      ourFigure("innocents spoken to", { unit: "share", better: "less", tolerance: 0 }, spoken),
      ourFigure("innocents refused", { unit: "count", better: "less", tolerance: 0 }, refused),
    ],
  });

  it("is told over all everyday sets: shares as their mean, counts as their sum", () => {
    const table = earningsToMarkdown([set(1, 0.02, 1), set(2, 0.04, 2)], []).replaceAll(/ +/g, " ");

    expect(table).toContain("| (nothing) | | - / - | 3.0 % / 3 / - | - | - |");
  });
});

describe("bench:quality --without", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "without-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (events: readonly AgentEvent[]): string => {
    const path = join(folder, "one.jsonl");
    writeFileSync(path, `${JSON.stringify({ run: "one/run", outcome: "success", events })}\n`);
    return path;
  };
  const bench = (...names: string[]) => {
    const nowhere = join(folder, "nowhere");
    const options = names.flatMap((name) => ["--without", name]);
    return spawnSync(process.execPath, ["bench/quality/main.ts", folder, ...options], {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, DOOMLOOP_SESSIONS: nowhere, DOOMLOOP_EVERYDAY: nowhere },
      encoding: "utf8",
    });
  };

  it("does without a function: what it decided is decided otherwise", () => {
    write(patient);

    const { status, stdout } = bench("isPause");

    expect(status).toBe(0);
    expect(stdout).toContain("decides differently in 1 of 1 runs: 1 are newly spoken to, 0 no longer.");
    expect(stdout.replaceAll(/ +/g, " ")).toContain("| successes | spoken to | 0 % | 100 % | worse |");
  });

  it("does without several at once, by function and by option", () => {
    write(looping);

    expect(bench("isPause").stdout).toMatch(/decides differently in 0 of 1 runs[\s\S]*No figure differs\./);
    expect(bench("isPause", "repeated-call").stdout).toMatch(/^Without isPause and repeated-call .* 1 no longer\.$/m);
  });

  it("names them all with their lines", () => {
    const { stdout } = bench("list");

    for (const { name } of mechanisms) expect(stdout).toContain(`| ${name} `);
  });

  it("finds every function that a mechanism replaces, and puts all in their places at once", async () => {
    const order = { path: write(patient), kind: "recorded", preset: "balanced" } as const;
    const replacements = mechanisms.flatMap(({ replaced = {} }) =>
      Object.entries(replaced).map(([place, by]) => ({ file: place.split("#")[0]!, name: place.split("#")[1]!, by })),
    );

    await expect(replaySources([order], replacements)).resolves.toMatchObject([{ runs: [{ run: "one/run" }] }]);
  });

  it("fails where a function is not in its file, or its file is not loaded", async () => {
    const order = { path: write(patient), kind: "recorded", preset: "balanced" } as const;
    const replaced = (file: string, name: string) => replaySources([order], [{ file, name, by: "() => false" }]);

    await expect(replaced("memory/pauses.ts", "isParse")).rejects.toThrow("memory/pauses.ts has no function isParse");
    await expect(replaced("memory/space.ts", "isPause")).rejects.toThrow("replaced, but never loaded");
    await expect(replaced("memory/pauses.ts", "isPause")).resolves.toMatchObject([{ runs: [{ run: "one/run" }] }]);
  });
});
