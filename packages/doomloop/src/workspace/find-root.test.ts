import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRoot } from "./find-root.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-root-")));
  mkdirSync(join(home, "project", "src"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("findRoot", () => {
  it("takes the top of the repository, a work tree's too", () => {
    writeFileSync(join(home, "project", ".git"), "gitdir: elsewhere\n");

    expect(findRoot(undefined, join(home, "project", "src"), home)).toBe(join(home, "project"));
  });

  it("stays where it is outside a repository, and in a home that is one", () => {
    expect(findRoot(undefined, join(home, "project"), "/nowhere")).toBe(join(home, "project"));
    mkdirSync(join(home, ".git"));
    expect(findRoot(undefined, join(home, "project"), home)).toBe(join(home, "project"));
  });

  it("takes what is named", () => {
    expect(findRoot("src", join(home, "project"), home)).toBe(join(home, "project", "src"));
    expect(() => findRoot("absent", home, home)).toThrow(/^absent: no such file/);
  });
});
