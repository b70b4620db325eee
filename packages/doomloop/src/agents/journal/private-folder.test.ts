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
import { openJournal } from "./journal.ts";
import { makePrivateFolder } from "./private-folder.ts";

const isWindows = process.platform === "win32";
const isRoot = process.getuid?.() === 0;
let home: string;
let directory: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "doomloop-private-"));
  directory = join(home, "hooks");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const update = () =>
  openJournal<number>({ directory, session: "s" }).update((count = 0) => ({ state: count + 1, result: count + 1 }));
const codeOf = (outcome: ReturnType<typeof update>) => (outcome.isKept ? "kept" : outcome.fault.code);

/** The file of the only journal. */
function fileOf(): string {
  const [name] = readdirSync(directory);
  return join(directory, name!, "0");
}

describe.skipIf(isWindows)("a journal's folder", () => {
  it("is not entered through a symbolic link", () => {
    mkdirSync(join(home, "elsewhere"), { mode: 0o700 });
    symlinkSync(join(home, "elsewhere"), directory);

    expect(codeOf(update())).toBe("not-private");
    expect(readdirSync(join(home, "elsewhere"))).toEqual([]);
  });

  it("is not used if its link leads nowhere", () => {
    symlinkSync(join(home, "elsewhere"), directory);

    expect(["not-private", "EEXIST", "ENOENT"]).toContain(codeOf(update()));
    expect(readdirSync(home)).toEqual(["hooks"]);
  });

  it.each([0o720, 0o702, 0o777, 0o1777])("is not used if others may write to it: %o", (mode) => {
    mkdirSync(directory);
    chmodSync(directory, mode);

    expect(codeOf(update())).toBe("not-private");
    expect(readdirSync(directory)).toEqual([]);
  });

  it.skipIf(!isRoot)("is not used if it belongs to somebody else", () => {
    mkdirSync(directory, { mode: 0o700 });
    chownSync(directory, 65_534, 65_534);

    expect(codeOf(update())).toBe("not-private");
    expect(readdirSync(directory)).toEqual([]);
  });

  it("may stand open for reading", () => {
    mkdirSync(directory, { mode: 0o755 });

    expect(codeOf(update())).toBe("kept");
  });
});

describe.skipIf(isWindows)("a journal's file", () => {
  it("is not opened through a symbolic link", () => {
    update();
    const [file, victim] = [fileOf(), join(home, "victim")];
    writeFileSync(victim, "precious");
    rmSync(file);
    symlinkSync(victim, file);

    expect(codeOf(update())).toBe("ELOOP");
    expect(readFileSync(victim, "utf8")).toBe("precious");
  });

  it("is no pipe that somebody might wait at", () => {
    update();
    const file = fileOf();
    rmSync(file);
    execFileSync("mkfifo", [file]);

    expect(codeOf(update())).toBe("not-a-file");
  });

  it.skipIf(!isRoot)("is nobody else's", () => {
    update();
    chownSync(fileOf(), 65_534, 65_534);

    expect(codeOf(update())).toBe("not-a-file");
  });

  it("lies in a folder that is no link either", () => {
    update();
    const [name] = readdirSync(directory);
    const elsewhere = join(home, "elsewhere");
    rmSync(join(directory, name!), { recursive: true });
    mkdirSync(elsewhere, { mode: 0o700 });
    symlinkSync(elsewhere, join(directory, name!));

    expect(codeOf(update())).toBe("not-private");
    expect(statSync(elsewhere).nlink).toBeGreaterThan(0);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

// Of every folder in it, it says that it is not there. Node's own way tries again for ever.
it.runIf(process.platform === "linux")("throws where no folder can be made", () => {
  expect(() => makePrivateFolder("/proc/doomloop/state/runs")).toThrow("ENOENT");
});
