import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../system/usage-error.ts";
import { keyMark } from "../redis/settings-text.ts";
import { readKey } from "./read-key.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-key-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(content: string | Uint8Array): string {
  writeFileSync(join(folder, "fleet.key"), content);
  return join(folder, "fleet.key");
}

describe("the key in a file", () => {
  it.each(["", "\n", "\r\n"])("is what stands before the end of its last line (%j)", (end) => {
    expect(keyMark(readKey(write(`a key of  a deployment ${end}`)))).toBe(keyMark("a key of  a deployment "));
  });

  it("may be any bytes", () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => 255 - at);

    expect(Uint8Array.from(readKey(write(bytes)))).toEqual(bytes);
  });

  it.each(["", "\n\n"])("is asked for where there is none (%j)", (content) => {
    expect(() => readKey(write(content))).toThrow(UsageError);
  });

  it("is asked for where there is no such file", () => {
    expect(() => readKey(join(folder, "absent"))).toThrow("no such file or directory");
  });
});
