import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { itemsOf } from "../../../../../test/transcripts/read-items.ts";
import { opencodeReader } from "./reader.ts";

const folder = mkdtempSync(join(tmpdir(), "opencode-"));
afterAll(() => rmSync(folder, { recursive: true }));

const GOLDEN = resolve(import.meta.dirname, "../../../../../test/transcripts/fixtures/opencode/opencode.db");
const path = join(folder, "opencode.db");

it("counts a broken database as one malformed record, wherever it is broken", async () => {
  const bytes = readFileSync(GOLDEN);
  for (const end of [0, 20, 100, 4096, 50_000, bytes.length - 1]) {
    writeFileSync(path, bytes.subarray(0, end));
    const { skipped, order } = await itemsOf(path, opencodeReader);

    expect(skipped.malformed).toBeLessThanOrEqual(1);
    expect(order.filter(({ kind }) => kind === "end").length).toBeLessThanOrEqual(1);
  }
});

it("survives bytes that are wrong", async () => {
  const bytes = readFileSync(GOLDEN);
  for (let seed = 1; seed <= 20; seed++) {
    const wrong = Buffer.from(bytes);
    for (let at = 100 + seed * 37; at < wrong.length; at += 4001 * seed) wrong[at] = (wrong[at]! + seed) & 0xff;
    writeFileSync(path, wrong);

    expect((await itemsOf(path, opencodeReader)).faults).toBe(0);
  }
});

it("reads the runs around a message that is no JSON", async () => {
  writeFileSync(path, readFileSync(GOLDEN));
  const database = new DatabaseSync(path);
  database.exec("UPDATE message SET data = '{' WHERE id = (SELECT min(id) FROM message)");
  database.close();
  const { skipped, events } = await itemsOf(path, opencodeReader);

  expect(skipped.malformed).toBe(1);
  expect(events.filter(({ event }) => event.type === "call").length).toBe(5);
});

const OPEN_DATABASE_GOLDEN = resolve(
  import.meta.dirname,
  "../../../../../test/transcripts/fixtures/opencode/opencode.db",
);
/** Another process, because SQLite shares what it has open within one: adds a run, which stands in the log alone, and waits. */
const WRITER = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF");
  database.exec(\`INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated)
    SELECT 'ses_new', project_id, slug, directory, title, version, time_created, time_updated FROM session LIMIT 1\`);
  console.log("written");
  process.stdin.once("end", () => database.close()).resume();`;

let folderOpenDatabase: string;
let pathOpenDatabase: string;
beforeEach(() => {
  folderOpenDatabase = mkdtempSync(join(tmpdir(), "opencode-"));
  pathOpenDatabase = join(folderOpenDatabase, "opencode.db");
  copyFileSync(OPEN_DATABASE_GOLDEN, pathOpenDatabase);
});
afterEach(() => rmSync(folderOpenDatabase, { recursive: true }));

/** Names, bytes and times of all that lies in the folder. */
function listing(): unknown {
  return readdirSync(folderOpenDatabase).map((name) => {
    const bytes = createHash("sha256")
      .update(readFileSync(join(folderOpenDatabase, name)))
      .digest("hex");
    return { name, bytes, time: statSync(join(folderOpenDatabase, name)).mtimeMs };
  });
}

async function runsOf(): Promise<readonly string[]> {
  const before = listing();
  const { order, skipped } = await itemsOf(pathOpenDatabase, opencodeReader);
  expect(skipped).toEqual({ malformed: 0, tooLong: 0 });
  expect(listing()).toEqual(before);
  return order.filter(({ kind }) => kind === "end").map(({ run }) => run);
}

async function startWriter() {
  const child = spawn(process.execPath, ["-e", WRITER, pathOpenDatabase], { stdio: ["pipe", "pipe", "ignore"] });
  const exit = once(child, "exit");
  await once(child.stdout, "data");
  return {
    async close() {
      child.stdin.end();
      await exit;
    },
    async crash() {
      child.kill("SIGKILL");
      await exit;
      rmSync(`${pathOpenDatabase}-shm`);
    },
  };
}

it("leaves a database at rest as it is, also one that uses a log", async () => {
  await (await startWriter()).close();

  expect(readdirSync(folderOpenDatabase)).toEqual(["opencode.db"]);
  expect(await runsOf()).toContain("ses_new");
});

it("leaves a database in use as it is, and reads what stands in its log", async () => {
  const writer = await startWriter();

  expect(readdirSync(folderOpenDatabase)).toEqual(["opencode.db", "opencode.db-shm", "opencode.db-wal"]);
  expect(await runsOf()).toContain("ses_new");
  await writer.close();
});

it("leaves what a crash left, and reads it", async () => {
  await (await startWriter()).crash();

  expect(readdirSync(folderOpenDatabase)).toEqual(["opencode.db", "opencode.db-wal"]);
  expect(await runsOf()).toContain("ses_new");
});
