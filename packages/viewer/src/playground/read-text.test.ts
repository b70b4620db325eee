import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { runScan } from "../../../doomloop/src/scan/run-scan.ts";
import { type ReadText, readText } from "./read-text.ts";

const samples = resolve(import.meta.dirname, "../../../doomloop/assets/sample");

function read(text: string, onProgress: (part: number) => void = () => {}): Promise<ReadText> {
  return readText(text, { name: undefined, includesContent: false, version: "0", onProgress });
}

async function reportOf(text: string): Promise<Report> {
  const done = await read(text);
  if ("fault" in done) throw new Error(done.fault);
  return done.report;
}

const call = (id: string) => ({ type: "call", id, tool: "read_file", args: { path: "a.ts" } });
const result = (id: string) => ({ type: "result", id, output: "export {}" });

describe("a text that is read in the page", () => {
  it.each(globSync("*/*.jsonl", { cwd: samples }))("gives the report that the scan gives: %s", async (file) => {
    const path = resolve(samples, file);
    const range = { since: undefined, until: undefined, words: "" };
    const { signal } = new AbortController();
    const { builder } = await runScan([path], { range, signal, hasSteps: true, cache: false, config: false });
    const { loops, runs, totals, sessions, repeated, advice } = builder.build(0);

    expect(await reportOf(readFileSync(path, "utf8"))).toMatchObject({
      loops,
      runs,
      totals,
      sessions,
      repeated,
      advice,
    });
  });

  it("is one document or one record in each line", async () => {
    const events = Array.from({ length: 9 }, (_, at) => [call(`${at}`), result(`${at}`)]).flat();
    const messages = Array.from({ length: 9 }, (_, at) => [
      { role: "assistant", content: [{ type: "tool_use", id: `t${at}`, name: "read_file", input: { path: "a.ts" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `t${at}`, content: "export {}" }] },
    ]).flat();

    for (const text of [
      JSON.stringify({ run: "a", events }),
      JSON.stringify(messages, undefined, 2),
      messages.map((message) => JSON.stringify(message)).join("\r\n"),
      JSON.stringify({ model: "claude-sonnet-4-5", messages }),
    ]) {
      expect((await reportOf(text)).loops.map(({ count }) => count)).toEqual([9]);
    }
  });

  it("rests while it is read, and says how far it is", async () => {
    const run = (name: number) => JSON.stringify({ run: `${name}`, events: [call("a"), result("a")] });
    const parts: number[] = [];
    await read(Array.from({ length: 1500 }, (_, at) => run(at)).join("\n"), (part) => parts.push(part));

    expect(parts).not.toEqual([]);
    expect(parts).toEqual([...parts].sort((one, other) => one - other));
    expect(parts.every((part) => part >= 0 && part <= 1)).toBe(true);
  });

  it("is refused beyond 20 MB", async () => {
    expect(await read(" ".repeat(20_000_001))).toEqual({ fault: expect.stringContaining("up to 20 MB") });
  });
});
