import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { step, times } from "../../../../test/builders.ts";
import { createCliSandbox, trace } from "../../../../test/cli-sandbox.ts";
import { answerInWords } from "./report/answer.ts";
import type { Report } from "./report/report.ts";
import { callsInWords, count, loopInWords } from "./report/words.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

it("shows the same figures in the terminal, JSON, the HTML page and GitHub annotations", async () => {
  const reads = times(9, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
  const turns = times(8, [...step("ls", { path: "src" }, "one"), ...step("grep", { path: "lib" }, "two")]);
  const fine = Array.from({ length: 12 }, (_, at) => step("read_file", { path: `${at}.ts` }, `text ${at}`)).flat();
  const left = [...reads.slice(0, 6), ...fine];
  sandbox.write("runs.jsonl", trace({ reads, turns, both: [...reads, ...fine, ...turns], fine, left }));
  sandbox.write("doomloop.config.json", '{"preset":"balanced"}');
  const words = ["scan", "runs.jsonl", "--top", "99"];
  const printed = await sandbox.doomloop([...words, "--github", "--html", "report.html"]);
  const json = await sandbox.doomloop([...words, "--json"]);
  const report = JSON.parse(json.stdout) as Report;
  const page = readFileSync(join(sandbox.folder, "report.html"), "utf8");
  const island = JSON.parse(/id="doomloop-report">([^<]*)</.exec(page)![1]!) as Report;

  expect(report.loops.length).toBeGreaterThan(2);
  expect(island.totals).toEqual(report.totals);
  expect(island.loops).toEqual(report.loops);
  expect(island.possibleLoops).toEqual(report.possibleLoops);
  expect(report.totals).toMatchObject({ loops: report.loops.length, possibleLoops: 1 });
  expect(printed.stdout).toMatch(
    /^::notice title=doomloop%3A possible loop%2C same call again::read_file a\.ts, 3 times/m,
  );
  const answer = answerInWords(report);
  expect(printed.stdout.replaceAll(/\s+/g, " ")).toContain(answer);
  for (const loop of report.loops) {
    expect(printed.stdout).toContain(`${loopInWords(loop)} of session ${loop.session}`);
    const shown = await sandbox.doomloop(["show", loop.session, "runs.jsonl"]);
    const timeline = shown.stdout.replaceAll(/\s+/g, " ");
    expect(timeline).toContain(`${count(loop.count, "time")}, ${callsInWords(loop.onset, loop.end)}`);
  }
  for (const text of [printed.stdout, json.stdout, page]) expect(text).toContain("doomloop.config.json");
});
