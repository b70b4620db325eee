import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadCompiled } from "./compiled-program.ts";

let home: string;
let file: string;
let state: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "doomloop-compiled-"));
  file = join(home, "program-abc.cjs");
  state = join(home, "state");
  writeFileSync(file, `const { sep } = require("node:path"); exports.twice = (n) => 2 * n; exports.sep = sep;`);
});
afterEach(() => rmSync(home, { recursive: true }));

interface Exports {
  twice(n: number): number;
  sep: string;
}
const load = () => loadCompiled<Exports>(file, state);
const keptFile = (): string => {
  const folder = join(state, "compiled");
  return join(folder, readdirSync(folder)[0]!);
};

describe("loadCompiled", () => {
  it("runs a file, and offers to keep what was compiled until it was kept", () => {
    const first = load();
    expect(first.exports.twice(21)).toBe(42);
    first.keep?.();
    const second = load();

    expect(second.exports.twice(21)).toBe(42);
    expect([typeof first.keep, typeof second.keep]).toEqual(["function", "undefined"]);
  });

  it("keeps it for nobody else, whole or not at all", () => {
    load().keep?.();

    expect(readdirSync(join(state, "compiled"))).toHaveLength(1);
    if (process.platform !== "win32") {
      expect(statSync(join(state, "compiled")).mode & 0o777).toBe(0o700);
      expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
    }
  });

  it("keeps what ran, not only what was loaded", () => {
    const loaded = load();
    loaded.keep?.();
    const before = statSync(keptFile()).size;
    loaded.exports.twice(1);
    loaded.keep?.();

    expect(statSync(keptFile()).size).toBeGreaterThan(before);
  });

  it.runIf(process.platform !== "win32")("does not run what others could have put there", () => {
    load().keep?.();
    chmodSync(join(state, "compiled"), 0o777);
    expect(load().keep).toBeTypeOf("function");

    rmSync(state, { recursive: true });
    symlinkSync(home, state);
    expect(load().keep).toBeTypeOf("function");
  });

  it("passes over what is no compiled code", () => {
    load().keep?.();
    writeFileSync(keptFile().replace("abc", "def"), "garbage");
    // Of a text that this process has seen, it would still know.
    file = join(home, "program-def.cjs");
    writeFileSync(file, "exports.twice = (n) => n + n;");
    const { exports, keep } = load();

    expect(exports.twice(4)).toBe(8);
    expect(keep).toBeTypeOf("function");
  });
});
