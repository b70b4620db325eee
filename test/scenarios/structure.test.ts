import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRun } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { readScenarios } from "./read-scenarios.ts";

const root = resolve(import.meta.dirname, "../..");
const scenarios = readScenarios();
const page = readFileSync(resolve(import.meta.dirname, "README.md"), "utf8");

/** The rows of the README that tell of one class each: its name, and what it is or where it is tested. */
const rows = page
  .slice(page.indexOf("## The classes"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| class |"))
  .map((line) => line.slice(2, -2).split(" | ") as [name: string, what: string]);

describe("the scenarios", () => {
  it("have names and titles of their own, and at least half of them are innocent", () => {
    expect(new Set(scenarios.map(({ run }) => run)).size).toBe(scenarios.length);
    expect(new Set(scenarios.map(({ standsFor }) => standsFor)).size).toBe(scenarios.length);
    expect(scenarios.filter(({ run }) => run.startsWith("innocent/")).length).toBeGreaterThanOrEqual(
      scenarios.length / 2,
    );
  });

  it.each(scenarios)("$run is a run of a trace that says what it stands for, and numbers its calls", (scenario) => {
    const { run, events, standsFor, because, expect: expected } = scenario;
    expect(parseRun(JSON.stringify(scenario))).toMatchObject({ run, events });
    expect(standsFor.length * because.length).toBeGreaterThan(0);
    expect(expected === "continue throughout").toBe(run.startsWith("innocent/"));
    const calls = events.filter(({ type }) => type === "call").map(({ id }) => id);
    expect(calls).toEqual(calls.map((_, at) => `${at}`));
    const answered = events.filter(({ type }) => type === "result").map(({ id }) => id);
    expect(calls).toEqual(expect.arrayContaining(answered));
    const places = events.map(({ id }) => id);
    for (const { from, by, until = by } of expected === "continue throughout" ? [] : expected)
      expect(places).toEqual(expect.arrayContaining([from, by, until]));
  });
});

it("has each class once in the README, with a scenario, or with where else or why not", () => {
  const elsewhere = rows.filter(([, what]) => /^(?:elsewhere|not here): /.test(what));
  const shown = rows.filter((row) => !elsewhere.includes(row)).map(([name]) => name);
  expect(shown.toSorted()).toEqual([...new Set(scenarios.flatMap(({ classes }) => classes))].sort());

  for (const [, what] of elsewhere.filter(([, text]) => text.startsWith("elsewhere"))) {
    const [, file = "", title = ""] = /^elsewhere: `([^`]+)` "([^"]+)"$/.exec(what) ?? [];
    expect(existsSync(resolve(root, file)), file).toBe(true);
    expect(readFileSync(resolve(root, file), "utf8")).toContain(`"${title}"`);
  }
});
