import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/contributing/coverage.md"), "utf8");

/** What stands in place of a test where there is none, and then a reason. */
const NO_TEST = /^(?:later|host|measured|not planned): \S/;

/** The cells of all table rows; heads and the rules under them left out. */
function rowsOf(text: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return lines
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells, at) => !isRule(cells) && !isRule(rowAt(lines, at + 1)));
}

function rowAt(lines: readonly string[], at: number): string[] {
  return (lines[at] ?? "")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function isRule(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((cell) => /^-+$/.test(cell));
}

/** A requirement: the document whose section has it, and the cells of its row. */
type Requirement = readonly [document: string, ...cells: string[]];

/** The rows of the sections that are named after a document. */
function requirementsIn(text: string): Requirement[] {
  const [, ...sections] = text.split(/^### (?=\d{3}:)/m);
  return sections.flatMap((section) =>
    rowsOf(section.split(/^## /m)[0] ?? "").map((cells): Requirement => [section.slice(0, 3), ...cells]),
  );
}

/** The files in backticks that a cell names. */
function filesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
}

/** The groups of tests of a document's own file. */
function groupsOf(document: string): string[] {
  const name = readdirSync(import.meta.dirname).find((file) => file.startsWith(`${document}-`)) ?? "";
  const source = readFileSync(resolve(import.meta.dirname, name), "utf8");
  return [...source.matchAll(/^describe\("document (\d{3}): ([^"]+)"/gm)].map(([, own, title = ""]) => {
    if (own !== document) throw new Error(`${name}: a group of document ${own}`);
    return title;
  });
}

/** What is wrong with a row; nothing if all is well. */
function faultsIn([document, ...cells]: Requirement): string[] {
  const [requirement = "", , tests = ""] = cells;
  if (cells.length !== 3) return [`${requirement}: ${cells.length} cells`];
  if (cells.some((cell) => cell === "")) return [`${requirement}: an empty cell`];
  if (NO_TEST.test(tests)) return [];
  const files = filesIn(tests);
  if (files.length === 0) return groupsOf(document).includes(tests) ? [] : [`${requirement}: no tests "${tests}"`];
  return files.filter((file) => !existsSync(resolve(root, file))).map((file) => `${requirement}: no file ${file}`);
}

const requirements = requirementsIn(page);

describe("docs/contributing/coverage.md", () => {
  it.each(["000", "001", "002", "003", "004"])("tells of document %s", (document) => {
    expect(requirements.filter(([own]) => own === document).length).toBeGreaterThan(5);
  });

  it("has no empty cell, and names only tests that exist", () => {
    expect(requirements.flatMap(faultsIn)).toEqual([]);
  });

  it.each(["000", "001", "002", "003", "004"])("names every group of tests of document %s", (document) => {
    const named = requirements.filter(([own]) => own === document).map(([, , , tests]) => tests);
    const groups = groupsOf(document);

    expect(groups.length).toBeGreaterThan(4);
    expect(groups.filter((group) => !named.includes(group))).toEqual([]);
  });

  it("has no empty cell where it tells what differs", () => {
    const rows = rowsOf(page.slice(page.indexOf("## Where our default differs")));

    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((cells) => cells.length !== 3 || cells.includes(""))).toEqual([]);
  });
});
