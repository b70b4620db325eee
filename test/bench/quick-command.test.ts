import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { headOf } from "../../bench/quick/quick-run.ts";
import { step, times } from "../builders.ts";

const events = times(8, step("lookup", { id: 1 }, "no", { error: true }));
const loop = { run: "loop/one", class: "exact", expect: "spoken", span: [0, 7], from: 2, by: 5, events };
const honest = { run: "innocent/one", class: "reading", expect: "silent", span: [0, 7], events };
const recorded = { run: "one/run", outcome: "success", events };
const label = { run: "one/run", window: [0, 8], verdict: "loop", stratum: "a" };

describe("bench:quick", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "quick-"));
    for (const name of ["corpus", "corpus-2", "corpus-coding", "everyday"]) mkdirSync(join(folder, name));
    write("everyday/loops-2.jsonl", loop);
    write("everyday/innocent-2.jsonl", honest);
    write("corpus/one.jsonl", recorded);
    write("corpus/labels.dev.jsonl", label);
    write("corpus-2/one.jsonl", recorded);
    write("corpus-2/labels.dev.jsonl", label);
    write("corpus-coding/one.jsonl", recorded);
    writeFileSync(
      join(folder, "guard.mjs"),
      "export const createGuard = () => { let calls = 0; return { observe: (event) => ({ action: event.type === 'call' && ++calls === 4 ? 'nudge' : 'continue' }) }; };",
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, line: object): void => writeFileSync(join(folder, name), `${JSON.stringify(line)}\n`);
  const bench = (...options: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["bench/quick/main.ts", ...options], {
      cwd: join(import.meta.dirname, "../.."),
      env: { ...process.env, DOOMLOOP_CORPUS: join(folder, "corpus"), DOOMLOOP_EVERYDAY: join(folder, "everyday") },
      encoding: "utf8",
    });
    return { status, stderr, stdout: stdout.replaceAll(/ +/g, " ") };
  };

  it("measures any guard that observes, on everything there is", () => {
    const { status, stdout } = bench("--guard", join(folder, "guard.mjs"), "--all");

    expect(status).toBe(0);
    expect(stdout).toContain("| 2 | all | 1 | 100.0 | 0.0 | 0.0 | 1 | 100.0 | 0.0 | 0.0 | 0.0 |");
    expect(stdout).toContain("| dev | all | 1 | 1.000 | 1.000 | 1.000 | 1 | 0 | 0 |");
    expect(stdout).toContain("| corpus-2, a + d | all | 1 | 1.000 |");
    expect(stdout).toContain("| sessions | 1 | 1 (100.0%) | 0 (0.0%) | 0 (0.0%) |");
  });

  it("names what is wrong, of the part and the half that are asked for", () => {
    const { stdout } = bench("--guard", join(folder, "guard.mjs"), "--only", "everyday", "--half", "all", "-v");

    expect(stdout).toContain("innocent-2 FALSE innocent/one nudge@3:unnamed");
    expect(stdout).not.toContain("| dev |");
  });

  it("explains a guard that is none", () => {
    writeFileSync(join(folder, "guard.mjs"), "export const detect = 1;");

    expect(bench("--guard", join(folder, "guard.mjs")).stderr).toContain("a function named createGuard is required");
  });
});

it("reads what a line says without its events", () => {
  expect(headOf('{"run": "a", "outcome": "success", "events": [{"type": "round"}]}')).toEqual({
    run: "a",
    outcome: "success",
  });
  expect(headOf('{"events":[],"run":"a"}')).toBeUndefined();
});
