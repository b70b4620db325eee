import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../system/usage-error.ts";
import { keyMark } from "../process/fleet-settings.ts";
import { readKey } from "./open-store.ts";

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
  it.each(["", "\n", "\r\n"])("does not include the line break at its end (%j)", (end) => {
    expect(keyMark(readKey(write(`a key of  a deployment ${end}`)))).toBe(keyMark("a key of  a deployment "));
  });

  it("may consist of any bytes", () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, at) => 255 - at);

    expect(Uint8Array.from(readKey(write(bytes)))).toEqual(bytes);
  });

  it.each(["", "\n\n"])("is required, and an empty file is refused (%j)", (content) => {
    expect(() => readKey(write(content))).toThrow(UsageError);
  });

  it("is required, and a missing file is named", () => {
    expect(() => readKey(join(folder, "absent"))).toThrow("no such file or directory");
  });
});
