import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRun } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { FOLDERS, readScenarios } from "./read-scenarios.ts";

const root = resolve(import.meta.dirname, "../..");
const scenarios = readScenarios();
const page = readFileSync(resolve(import.meta.dirname, "README.md"), "utf8");

/** The rows of the README that tell of one class each: its name, and where it is shown. */
const rows = page
  .slice(page.indexOf("## The classes"))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| class |"))
  .map((line) => line.slice(2, -2).split(" | "))
  .map((cells) => ({ name: cells[0]!, where: cells.at(-1)!.replace(/^\| /, "") }));

const linksIn = (text: string): string[] => [...text.matchAll(/\]\(([\w/-]+)\.json\)/g)].map(([, file]) => file!);

describe("the scenarios", () => {
  it("are many, and at least half of them innocent", () => {
    expect(scenarios.length).toBeGreaterThanOrEqual(40);
    expect(scenarios.filter(({ run }) => run.startsWith("innocent/")).length).toBeGreaterThanOrEqual(
      scenarios.length / 2,
    );
  });

  it("are innocent where nothing is said, and only there", () => {
    for (const { run, expect: expected } of scenarios)
      expect(expected === "continue throughout", run).toBe(run.startsWith("innocent/"));
  });

  it("have titles of their own", () => {
    expect(new Set(scenarios.map(({ standsFor }) => standsFor)).size).toBe(scenarios.length);
  });

  it.each(scenarios)(
    "$run says what it stands for and why, and numbers its calls",
    ({ classes, standsFor, because, events }) => {
      expect(classes.length * standsFor.length * because.length).toBeGreaterThan(0);
      const calls = events.filter(({ type }) => type === "call").map(({ id }) => id);
      expect(calls).toEqual(calls.map((_, at) => `${at}`));
      const answered = events.filter(({ type }) => type === "result").map(({ id }) => id);
      expect(calls).toEqual(expect.arrayContaining(answered));
    },
  );

  it.each(scenarios)("$run expects words at places that are there", ({ expect: expected, events }) => {
    const places = events.map(({ id }) => id);
    for (const { from, by, until = by } of expected === "continue throughout" ? [] : expected)
      expect(places).toEqual(expect.arrayContaining([from, by, until]));
  });

  it.each(scenarios)("$run is a line of a trace once its line breaks are taken out", ({ run, events }) => {
    const text = readFileSync(resolve(import.meta.dirname, `${run}.json`), "utf8");

    expect(parseRun(text.replaceAll("\n", ""))).toMatchObject({ run, events });
  });
});

describe("the README", () => {
  it("lists every scenario under each of its classes, and no other", () => {
    const listed = rows.flatMap(({ name, where }) => linksIn(where).map((run) => `${name}: ${run}`));
    const declared = scenarios.flatMap(({ run, classes }) => classes.map((name) => `${name}: ${run}`));

    expect(listed.toSorted()).toEqual(declared.toSorted());
  });

  it("names each class once", () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  it.each(rows)("shows $name in a scenario, or says where else or why not", ({ where }) => {
    const [, file = "", title = ""] = /^elsewhere: `([^`]+)` "([^"]+)"$/.exec(where) ?? [];
    if (file !== "") {
      expect(existsSync(resolve(root, file)), file).toBe(true);
      expect(readFileSync(resolve(root, file), "utf8")).toContain(`"${title}"`);
    } else if (!where.startsWith("not here: ")) expect(linksIn(where)).not.toEqual([]);
  });

  it("names every folder", () => {
    for (const folder of Object.keys(FOLDERS)) expect(page).toContain(`| \`${folder}/\` |`);
  });
});
