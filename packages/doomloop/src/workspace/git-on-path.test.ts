import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitOnPath } from "./git-on-path.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-path-")));
  for (const folder of ["root", "links", "real"]) {
    mkdirSync(join(home, folder));
    if (folder !== "links") writeFileSync(join(home, folder, "git"), "");
    if (folder !== "links") chmodSync(join(home, folder, "git"), 0o755);
  }
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.skipIf(process.platform === "win32")("gitOnPath", () => {
  it("takes no git of the workspace, also not by a link from elsewhere", () => {
    symlinkSync(join(home, "root", "git"), join(home, "links", "git"));
    symlinkSync(join(home, "root"), join(home, "linked"));
    const PATH = ["root", "links", "linked", "real"].map((folder) => join(home, folder)).join(delimiter);

    expect(gitOnPath({ PATH }, join(home, "root"))).toBe(join(home, "real", "git"));
  });
});
