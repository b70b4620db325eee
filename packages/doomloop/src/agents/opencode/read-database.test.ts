import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, it } from "vitest";
import { itemsOf } from "../../../../../test/transcripts/read-items.ts";
import { opencode } from "./reader.ts";

const folder = mkdtempSync(join(tmpdir(), "opencode-"));
afterAll(() => rmSync(folder, { recursive: true }));

const GOLDEN = resolve(import.meta.dirname, "../../../../../test/transcripts/fixtures/opencode/opencode.db");
const path = join(folder, "opencode.db");

it("counts a broken database as one malformed record, wherever it is broken", async () => {
  const bytes = readFileSync(GOLDEN);
  for (const end of [0, 20, 100, 4096, 50_000, bytes.length - 1]) {
    writeFileSync(path, bytes.subarray(0, end));
    const { skipped, order } = await itemsOf(path, opencode);

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

    expect((await itemsOf(path, opencode)).faults).toBe(0);
  }
});

it("reads the runs around a message that is no JSON", async () => {
  writeFileSync(path, readFileSync(GOLDEN));
  const database = new DatabaseSync(path);
  database.exec("UPDATE message SET data = '{' WHERE id = (SELECT min(id) FROM message)");
  database.close();
  const { skipped, events } = await itemsOf(path, opencode);

  expect(skipped.malformed).toBe(1);
  expect(events.filter(({ event }) => event.type === "call").length).toBe(5);
});
