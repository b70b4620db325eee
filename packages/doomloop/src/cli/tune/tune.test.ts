import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { step, times } from "../../../../../test/builders.ts";

const main = resolve(import.meta.dirname, "../main.ts");
const run = promisify(execFile);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-tune-"));
  const short = times(3, step("read_file", { path: "b.ts" }, "export const b = 1;"));
  const long = times(9, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
  const runs = Object.entries({ short, long });
  writeFileSync(
    join(folder, "runs.jsonl"),
    runs.map(([name, events]) => `${JSON.stringify({ run: name, events })}\n`).join(""),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function tune(...args: string[]): Promise<string> {
  const env = { ...process.env, HOME: folder, DOOMLOOP_CACHE: join(folder, "cache") };
  return (await run(process.execPath, [main, "tune", "runs.jsonl", ...args], { cwd: folder, env })).stdout;
}

it("lists findings, keeps marks, and writes a configuration that fits them", async () => {
  const listed = await tune();
  const [short] = /[0-9a-f]{10}-[0-9a-f]{6}(?= +\S+ +read_file b)/.exec(listed) ?? [];
  const [long] = /[0-9a-f]{10}-[0-9a-f]{6}(?= +\S+ +read_file a)/.exec(listed) ?? [];
  expect(listed).toMatch(/now +2 +2\n/);

  await tune("--wrong", short!, "--right", long!);
  const fitted = await tune("--write");
  const config = JSON.parse(readFileSync(join(folder, "doomloop.config.json"), "utf8")) as unknown;

  expect(fitted).toMatch(/before +2 +2 +1 +1\nafter +1 +1 +1 +0\n/);
  expect(config).not.toEqual({});
  expect(await tune()).toMatch(/now +1 +1 +1 +0\n/);
});

it("refuses an id that no finding has, and a file of marks that is none", async () => {
  writeFileSync(join(folder, "broken.json"), '{"version":1,"marks":[{}]}');

  await expect(tune("--right", "nothing")).rejects.toMatchObject({ code: 2 });
  await expect(tune("--marks", "broken.json")).rejects.toMatchObject({ code: 2 });
});
