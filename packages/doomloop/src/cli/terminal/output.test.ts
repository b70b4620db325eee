import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { createOutput, ownCommand, widthFor } from "./output.ts";

function failingWith(code: string): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
}

it("waits for a slow reader", async () => {
  let pending = 0;
  let most = 0;
  const slow = new Writable({
    highWaterMark: 4,
    decodeStrings: false,
    write(_chunk, _encoding, done) {
      most = Math.max(most, ++pending);
      setTimeout(() => {
        pending--;
        done();
      }, 1);
    },
  });
  const output = createOutput(slow);
  for (let at = 0; at < 20; at++) {
    await output.write("four");
    expect(slow.writableLength).toBe(0);
  }

  expect(most).toBe(1);
});

it("is closed without an error when its reader is gone", async () => {
  const output = createOutput(failingWith("EPIPE"));
  await output.write("x".repeat(100_000));

  expect(output.isClosed).toBe(true);
  await expect(output.write("more")).resolves.toBeUndefined();
});

it("throws other stream errors", async () => {
  const output = createOutput(failingWith("ENOSPC"));

  await expect(output.write("x".repeat(100_000))).rejects.toThrow("ENOSPC");
});

it("does not wait for a stream that closes instead of draining", async () => {
  const stuck = new Writable({ highWaterMark: 1, write() {} });
  const output = createOutput(stuck);
  const writing = output.write("text");
  stuck.destroy();

  await expect(writing).resolves.toBeUndefined();
  expect(output.isClosed).toBe(true);
});

it.each([
  [60, "100", 60],
  [undefined, "100", 100],
  [undefined, undefined, 120],
  [undefined, "wide", 120],
  [undefined, "0", 120],
])("has the width of the terminal (%s), or what COLUMNS says (%s): %s", (width, COLUMNS, columns) => {
  expect(widthFor({ width }, { COLUMNS })).toBe(columns);
});

it("names the program as it was started", () => {
  expect(ownCommand(["show", "a1"], {})).toBe("doomloop show a1");
  expect(ownCommand(["show", "a1"], { npm_command: "exec" })).toBe("npx doomloop show a1");
});

it("quotes words for the shell and escapes them for the terminal", () => {
  const words = ["my runs/", "$(rm -rf ~)", "it's", "-x;y", "a\u001b[2J", ""];

  expect(ownCommand(words, {})).toBe("doomloop 'my runs/' '$(rm -rf ~)' 'it'\\''s' '-x;y' 'a\\u{1b}[2J' ''");
});
