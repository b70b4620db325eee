import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makePrivateFolder, readOwnFile, replaceFile } from "./private-files.ts";
import { stateFolder } from "./state-folder.ts";

const isWindows = process.platform === "win32";
const isRoot = process.getuid?.() === 0;
const REFUSED = "a folder that only you can change is required";
let home: string;
let folder: string;
let file: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "doomloop-private-"));
  folder = join(home, "state");
  file = join(home, "file");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe.skipIf(isWindows)("a private folder", () => {
  it("is made with all that is above it, for its owner only", () => {
    makePrivateFolder(join(folder, "a/b"));

    for (const path of [folder, join(folder, "a"), join(folder, "a/b")])
      expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it("is not entered through a symbolic link", () => {
    mkdirSync(join(home, "elsewhere"), { mode: 0o700 });
    symlinkSync(join(home, "elsewhere"), folder);

    expect(() => makePrivateFolder(folder)).toThrow(REFUSED);
  });

  it("is not made through a link that leads nowhere", () => {
    symlinkSync(join(home, "elsewhere"), folder);

    expect(() => makePrivateFolder(folder)).toThrow();
    expect(readdirSync(home)).toEqual(["state"]);
  });

  it.each([0o720, 0o702, 0o777, 0o1777])("is not used if others may write to it: %o", (mode) => {
    mkdirSync(folder);
    chmodSync(folder, mode);

    expect(() => makePrivateFolder(folder)).toThrow(REFUSED);
  });

  it.skipIf(!isRoot)("is not used if it belongs to somebody else", () => {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 65_534, 65_534);

    expect(() => makePrivateFolder(folder)).toThrow(REFUSED);
  });

  it("may stand open for reading", () => {
    mkdirSync(folder, { mode: 0o755 });

    expect(() => makePrivateFolder(folder)).not.toThrow();
  });
});

// Of every folder in it, it says that it is not there. Node's own way tries again for ever.
it.runIf(process.platform === "linux")("throws where no folder can be made", () => {
  expect(() => makePrivateFolder("/proc/doomloop/state/runs")).toThrow("ENOENT");
});

describe.skipIf(isWindows)("a file of one's own", () => {
  it("is replaced as a whole, for its owner only, and leaves nothing beside it", () => {
    writeFileSync(file, "old", { mode: 0o644 });
    // What a killed process with the same id left.
    writeFileSync(`${file}.${process.pid}.new`, "half");
    replaceFile(file, "new");

    expect(readOwnFile(file, 10)).toBe("new");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(["file"]);
  });

  it("is replaced and not followed where it is a link", () => {
    writeFileSync(join(home, "victim"), "precious");
    symlinkSync(join(home, "victim"), file);
    replaceFile(file, "new");

    expect(readFileSync(join(home, "victim"), "utf8")).toBe("precious");
  });

  it("is not read through a link, from a pipe, when it is too large, or when there is none", () => {
    writeFileSync(join(home, "victim"), "precious");
    symlinkSync(join(home, "victim"), file);
    expect(readOwnFile(file, 100)).toBeUndefined();
    rmSync(file);
    execFileSync("mkfifo", [file]);
    expect(readOwnFile(file, 100)).toBeUndefined();
    expect(readOwnFile(join(home, "victim"), 3)).toBeUndefined();
    expect(readOwnFile(join(home, "absent"), 3)).toBeUndefined();
  });

  it.skipIf(!isRoot)("is not read if it belongs to somebody else", () => {
    writeFileSync(file, "x");
    chownSync(file, 65_534, 65_534);

    expect(readOwnFile(file, 10)).toBeUndefined();
  });
});

describe("the state folder", () => {
  it("ignores a relative path in the environment, which a repository could have set", () => {
    const place = { platform: "linux", home: "/home/me" } as const;

    expect(stateFolder({ ...place, env: { XDG_STATE_HOME: ".state" } })).toBe("/home/me/.local/state/doomloop");
    expect(stateFolder({ ...place, env: { XDG_STATE_HOME: "" } })).toBe("/home/me/.local/state/doomloop");
    expect(stateFolder({ ...place, env: { XDG_STATE_HOME: "/var/me" } })).toBe("/var/me/doomloop");
  });
});
