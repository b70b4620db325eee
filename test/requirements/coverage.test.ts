import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const page = readFileSync(resolve(root, "docs/coverage.md"), "utf8");

/** What stands in place of a test where there is none, and then a reason. */
const NO_TEST = /^(?:later|host|measured|not planned): \S/;

interface Reference {
  file: string;
  title: string;
}

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

/** The rows that tell of one requirement each: they begin with a document's number and have four cells or should. */
function requirementsIn(text: string): string[][] {
  const start = text.indexOf("## The documents, requirement by requirement");
  return rowsOf(text.slice(start)).filter(([document = ""]) => /^\d{3}$/.test(document));
}

/** The tests that a cell names: a file in backticks, then titles in quotes. */
function referencesIn(cell: string): Reference[] {
  return cell.split("`").flatMap((part, at, parts) => {
    const file = parts[at - 1];
    if (at % 2 === 1 || file === undefined) return [];
    return [...part.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ file, title }));
  });
}

function pathOf(file: string): string {
  return file.includes("/") ? resolve(root, file) : resolve(import.meta.dirname, file);
}

/** The titles of a test file, as they are written. */
function titlesIn(source: string): string[] {
  return [...source.matchAll(/\bit(?:\.each\([\s\S]*?\))?\(\s*"([^"]+)"/g)].map(([, title = ""]) => title);
}

/** What is wrong with a row; nothing if all is well. */
function faultsIn(cells: readonly string[]): string[] {
  const [, requirement = "", , tests = ""] = cells;
  if (cells.length !== 4) return [`${requirement}: ${cells.length} cells`];
  if (cells.some((cell) => cell === "")) return [`${requirement}: an empty cell`];
  if (NO_TEST.test(tests)) return [];
  const references = referencesIn(tests);
  if (references.length === 0) return [`${requirement}: no test and no reason`];
  return references.filter((reference) => !exists(reference)).map(({ file, title }) => `${file}: no test "${title}"`);
}

function exists({ file, title }: Reference): boolean {
  return existsSync(pathOf(file)) && titlesIn(readFileSync(pathOf(file), "utf8")).includes(title);
}

const requirements = requirementsIn(page);

describe("docs/coverage.md", () => {
  it.each(["000", "001", "002", "003", "004"])("tells of document %s", (document) => {
    expect(requirements.filter(([own]) => own === document).length).toBeGreaterThan(5);
  });

  it("has no empty cell, and names only tests that exist", () => {
    expect(requirements.flatMap(faultsIn)).toEqual([]);
  });

  it("names every test of the documents", () => {
    const named = new Set(
      requirements
        .flatMap(([, , , tests = ""]) => referencesIn(tests))
        .map(({ file, title }) => `${basename(file)} ${title}`),
    );
    const files = readdirSync(import.meta.dirname).filter((file) => /^\d{3}-.*\.test\.ts$/.test(file));
    const written = files.flatMap((file) =>
      titlesIn(readFileSync(pathOf(file), "utf8")).map((title) => `${file} ${title}`),
    );

    expect(written.length).toBeGreaterThan(100);
    expect(written.filter((title) => !named.has(title))).toEqual([]);
  });

  it("has no empty cell where it tells what differs", () => {
    const rows = rowsOf(page.slice(page.indexOf("## Where our default differs")));

    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((cells) => cells.length !== 3 || cells.includes(""))).toEqual([]);
  });
});

describe("the check of docs/coverage.md", () => {
  const file = "`coverage.test.ts`";

  it.each([
    ["an empty cell", "| 000 | a | | later: the adapters |"],
    ["a missing cell", "| 000 | a | later: the adapters |"],
    ["a test file that is not there", '| 000 | a | b | `nowhere.test.ts` "names every test of the documents" |'],
    ["a title that is not there", `| 000 | a | b | ${file} "does what no test does" |`],
    [
      "one wrong title among right ones",
      `| 000 | a | b | ${file} "names every test of the documents", "does nothing" |`,
    ],
    ["neither test nor reason", "| 000 | a | b | soon |"],
  ])("sees %s", (_, row) => {
    expect(rowsOf(row).flatMap(faultsIn)).toHaveLength(1);
  });

  it("accepts a test that exists, and a reason for having none", () => {
    const rows = [
      `| 000 | a | b | ${file} "names every test of the documents" |`,
      "| 000 | a | b | later: the adapters |",
    ];

    expect(rowsOf(rows.join("\n")).flatMap(faultsIn)).toEqual([]);
  });
});
