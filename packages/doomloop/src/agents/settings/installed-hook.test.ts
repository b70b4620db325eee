import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isInProject } from "./installed-hook.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-installed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hookIn = (place: string) => ({
  node: "node",
  program: join(place, "node_modules", "doomloop", "dist", "agents", "hook-program", "main.cjs"),
});

it("is in a project as a dependency of a package or of a repository", () => {
  writeFileSync(join(folder, "package.json"), "{}");
  expect(isInProject(hookIn(folder))).toBe(true);
  expect(isInProject(hookIn(join(folder, "node_modules", "other")))).toBe(true);

  rmSync(join(folder, "package.json"));
  mkdirSync(join(folder, ".git"));
  expect(isInProject(hookIn(folder))).toBe(true);
});

it("is in no project where packages are installed for all of them", () => {
  expect(isInProject(hookIn(join(folder, "lib")))).toBe(false);
});
