import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { serverToken, tokenIn } from "./server-token.ts";

const isWindows = process.platform === "win32";
let state: string;
const file = () => join(state, "serve-token");
const secret = "a".repeat(43);

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-token-"));
});
afterEach(() => rmSync(state, { recursive: true }));

it("takes the token that is there", () => {
  writeFileSync(file(), `${secret}\n`, { mode: 0o600 });

  expect(serverToken(state)).toEqual({ file: file(), token: secret });
});

it.skipIf(isWindows)("refuses a file that others can read", () => {
  writeFileSync(file(), secret);
  chmodSync(file(), 0o644);

  expect(() => serverToken(state)).toThrow("only you can read");
});

it("refuses what is no token", () => {
  for (const text of ["", "short", "x".repeat(10_000)]) {
    writeFileSync(file(), text, { mode: 0o600 });

    expect(() => serverToken(state)).toThrow("is required");
  }
});

it.skipIf(isWindows)("follows no symbolic link", () => {
  writeFileSync(join(state, "other"), secret, { mode: 0o600 });
  symlinkSync(join(state, "other"), file());

  expect(() => serverToken(state)).toThrow();
});

it.skipIf(isWindows)("is not put where others can write", () => {
  chmodSync(state, 0o777);

  expect(() => serverToken(state)).toThrow("is required");
});

it.skipIf(isWindows)(
  "takes a named token through a link, and from a file that a group can read, as Kubernetes gives it",
  () => {
    const real = join(state, "real");
    const link = join(state, "token");
    writeFileSync(real, `${secret}\n`);
    symlinkSync(real, link);
    chmodSync(real, 0o440);
    expect(tokenIn(link)).toBe(secret);

    chmodSync(real, 0o444);
    expect(() => tokenIn(link)).toThrow("only you can read");
  },
);
