import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findConfig } from "./find-config.ts";
import { readConfig } from "./read-config.ts";

let folder: string;
let inner: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-config-"));
  inner = join(folder, "project", "src");
  mkdirSync(inner, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("finds the nearest configuration above", () => {
  writeFileSync(join(folder, "doomloop.config.json"), "{}");
  expect(findConfig(inner, folder)).toBe(join(folder, "doomloop.config.json"));

  writeFileSync(join(folder, "project", "doomloop.config.json"), "{}");
  expect(findConfig(inner, folder)).toBe(join(folder, "project", "doomloop.config.json"));
});

it("finds no module: it would be run, and may be somebody else's", () => {
  writeFileSync(join(folder, "project", "doomloop.config.ts"), "throw new Error();");

  expect(findConfig(inner, folder)).toBeUndefined();
});

it("does not look beyond the repository", () => {
  writeFileSync(join(folder, "doomloop.config.json"), "{}");
  mkdirSync(join(folder, "project", ".git"));

  expect(findConfig(inner, "/nowhere")).toBeUndefined();
});

it("reads options with functions from a module, and passes over $schema", async () => {
  const typed = join(folder, "doomloop.config.ts");
  const plain = join(folder, "doomloop.config.json");
  writeFileSync(
    typed,
    'const preset: string = "aggressive";\nexport default { preset, tools: { ls: { ignore: () => true } } };',
  );
  writeFileSync(plain, '{ "$schema": "x", "preset": "shadow" }');

  expect((await readConfig(typed)).tools?.ls?.ignore).toBeTypeOf("function");
  expect(await readConfig(plain)).toEqual({ preset: "shadow" });
});

it("says which file is at fault", async () => {
  const empty = join(folder, "doomloop.config.ts");
  writeFileSync(empty, "export const other = 1;");

  await expect(readConfig(empty)).rejects.toThrow(`${empty}: a default export`);
  await expect(readConfig(join(folder, "x.yaml"))).rejects.toThrow("a .json or .ts file");
});
