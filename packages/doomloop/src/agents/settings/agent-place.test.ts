import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findProgram, isPackage } from "./agent-place.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-path-"));
  for (const name of ["repository/bin", "node_modules/.bin", "elsewhere", "elsewhere/node_modules/.bin"]) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "codex"), "");
  }
  mkdirSync(join(folder, "elsewhere/gemini"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const find = (name: string, ...entries: string[]): string | undefined =>
  findProgram(
    name,
    { env: { PATH: entries.join(delimiter) }, platform: "linux", home: folder },
    join(folder, "repository"),
  );

it("finds a program on the path, but none in the folder that the user is in", () => {
  const [repository, elsewhere] = [join(folder, "repository/bin"), join(folder, "elsewhere")];

  expect(find("codex", repository)).toBeUndefined();
  expect(find("codex", ".", "bin", "", repository, elsewhere)).toBe(join(elsewhere, "codex"));
  expect(find("gemini", elsewhere)).toBeUndefined();
});

it("finds none of a project around that folder, as npm run has them on the path, but knows that it is there", () => {
  const own = join(folder, "elsewhere/node_modules/.bin");

  expect(find("codex", join(folder, "node_modules/.bin"))).toBeUndefined();
  expect(find("codex", own)).toBe(join(own, "codex"));
  expect(["codex", "gemini"].map((name) => isPackage(name, join(folder, "repository")))).toEqual([true, false]);
});
