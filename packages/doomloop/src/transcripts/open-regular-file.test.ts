import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { findReader, readTranscript } from "../scan/read-transcript.ts";
import { readers } from "../scan/readers.ts";
import { openRegularFile, readRegularFile } from "./open-regular-file.ts";
import { openTrace } from "./trace/read-trace.ts";

const folder = mkdtempSync(join(tmpdir(), "regular-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SINK = { session() {}, event() {}, usage() {}, end() {} };
const isUnix = process.platform !== "win32";

function pipe(name: string): string {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  return path;
}

it("opens a file, and a link to one", () => {
  const path = join(folder, "a.jsonl");
  writeFileSync(path, "one\n");
  symlinkSync(path, join(folder, "link.jsonl"));
  const { descriptor, size } = openRegularFile(join(folder, "link.jsonl"));
  closeSync(descriptor);

  expect(size).toBe(4);
  expect(readRegularFile(path, 4)?.toString()).toBe("one\n");
  expect(readRegularFile(path, 3)).toBeUndefined();
});

it.runIf(isUnix)("rejects folders, pipes, sockets and devices, and names the kind", async () => {
  const socket = join(folder, "socket.jsonl");
  const server = createServer();
  await new Promise<void>((done) => void server.listen(socket, done));
  symlinkSync("/dev/zero", join(folder, "zero.jsonl"));

  expect(() => openRegularFile(folder)).toThrow("it is a folder");
  expect(() => openRegularFile(pipe("pipe.jsonl"))).toThrow("it is a pipe");
  expect(() => openRegularFile(socket)).toThrow("it is a socket");
  expect(() => openRegularFile(join(folder, "zero.jsonl"))).toThrow("it is a device");
  await new Promise((done) => server.close(done));
});

it.runIf(isUnix)("never waits for a pipe, in any reader", async () => {
  const path = pipe("opencode.db");

  expect(() => findReader(path)).toThrow("it is a pipe");
  await expect(openTrace(path).next()).rejects.toThrow("it is a pipe");
  for (const reader of readers) {
    const reading = readTranscript(path, reader, SINK);
    // A database that cannot be opened counts as one malformed record.
    if (reader.agent === "opencode") expect(await reading).toMatchObject({ skipped: { malformed: 1 } });
    else await expect(reading).rejects.toThrow("it is a pipe");
  }
});
