import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { itemsOf } from "../../../../../test/transcripts/read-items.ts";
import { opencode } from "./reader.ts";

const GOLDEN = resolve(import.meta.dirname, "../../../../../test/transcripts/fixtures/opencode/opencode.db");
/** Another process, because SQLite shares what it has open within one: adds a run, which stands in the log alone, and waits. */
const WRITER = `
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(process.argv[1]);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = OFF");
  database.exec(\`INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated)
    SELECT 'ses_new', project_id, slug, directory, title, version, time_created, time_updated FROM session LIMIT 1\`);
  console.log("written");
  process.stdin.once("end", () => database.close()).resume();`;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "opencode-"));
  path = join(folder, "opencode.db");
  copyFileSync(GOLDEN, path);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Names, bytes and times of all that lies in the folder. */
function listing(): unknown {
  return readdirSync(folder).map((name) => {
    const bytes = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    return { name, bytes, time: statSync(join(folder, name)).mtimeMs };
  });
}

async function runsOf(): Promise<readonly string[]> {
  const before = listing();
  const { order, skipped } = await itemsOf(path, opencode);
  expect(skipped).toEqual({ malformed: 0, tooLong: 0 });
  expect(listing()).toEqual(before);
  return order.filter(({ kind }) => kind === "end").map(({ run }) => run);
}

async function startWriter() {
  const child = spawn(process.execPath, ["-e", WRITER, path], { stdio: ["pipe", "pipe", "ignore"] });
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
      rmSync(`${path}-shm`);
    },
  };
}

it("leaves a database at rest as it is, also one that uses a log", async () => {
  await (await startWriter()).close();

  expect(readdirSync(folder)).toEqual(["opencode.db"]);
  expect(await runsOf()).toContain("ses_new");
});

it("leaves a database in use as it is, and reads what stands in its log", async () => {
  const writer = await startWriter();

  expect(readdirSync(folder)).toEqual(["opencode.db", "opencode.db-shm", "opencode.db-wal"]);
  expect(await runsOf()).toContain("ses_new");
  await writer.close();
});

it("leaves what a crash left, and reads it", async () => {
  await (await startWriter()).crash();

  expect(readdirSync(folder)).toEqual(["opencode.db", "opencode.db-wal"]);
  expect(await runsOf()).toContain("ses_new");
});
