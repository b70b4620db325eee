import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findRoot, gitOnPath } from "./open-workspace.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-root-")));
  mkdirSync(join(home, "project", "src"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("findRoot", () => {
  it("is the top of the repository, also in a linked work tree", () => {
    writeFileSync(join(home, "project", ".git"), "gitdir: elsewhere\n");

    expect(findRoot(undefined, join(home, "project", "src"), home)).toBe(join(home, "project"));
  });

  it("is the current folder outside a repository, and in a home folder that is one", () => {
    expect(findRoot(undefined, join(home, "project"), "/nowhere")).toBe(join(home, "project"));
    mkdirSync(join(home, ".git"));
    expect(findRoot(undefined, join(home, "project"), home)).toBe(join(home, "project"));
  });

  it("is the given folder", () => {
    expect(findRoot("src", join(home, "project"), home)).toBe(join(home, "project", "src"));
    expect(() => findRoot("absent", home, home)).toThrow(/^absent: no such file/);
  });
});

describe.skipIf(process.platform === "win32")("gitOnPath", () => {
  it("skips a git inside the workspace, even if a link from elsewhere leads to it", () => {
    for (const folder of ["root", "links", "real"]) mkdirSync(join(home, folder));
    for (const folder of ["root", "real"]) writeFileSync(join(home, folder, "git"), "", { mode: 0o755 });
    symlinkSync(join(home, "root", "git"), join(home, "links", "git"));
    symlinkSync(join(home, "root"), join(home, "linked"));
    const PATH = ["root", "links", "linked", "real"].map((folder) => join(home, folder)).join(delimiter);

    expect(gitOnPath({ PATH }, join(home, "root"))).toBe(join(home, "real", "git"));
  });
});
