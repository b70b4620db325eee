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

it("shows the same figures in the terminal, JSON, JSON lines, the HTML page, JUnit and GitHub annotations", async () => {
  const reads = times(9, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
  const turns = times(8, [...step("ls", { path: "src" }, "one"), ...step("grep", { path: "lib" }, "two")]);
  const fine = Array.from({ length: 12 }, (_, at) => step("read_file", { path: `${at}.ts` }, `text ${at}`)).flat();
  const left = [...reads.slice(0, 6), ...fine];
  sandbox.write("runs.jsonl", trace({ reads, turns, both: [...reads, ...fine, ...turns], fine, left }));
  sandbox.write("doomloop.config.json", '{"preset":"balanced"}');
  const words = ["scan", "runs.jsonl", "--top", "99"];
  const printed = await sandbox.doomloop([...words, "--github", "--junit", "report.xml", "--html", "report.html"]);
  const json = await sandbox.doomloop([...words, "--json"]);
  const lines = await sandbox.doomloop([...words, "--jsonl"]);
  const report = JSON.parse(json.stdout) as Report;
  const page = readFileSync(join(sandbox.folder, "report.html"), "utf8");
  const junit = readFileSync(join(sandbox.folder, "report.xml"), "utf8");
  const island = JSON.parse(/id="doomloop-report">([^<]*)</.exec(page)![1]!) as Report;
  const [scan] = lines.stdout.split("\n").map((line) => JSON.parse(line || "null") as Pick<Report, "totals"> | null);

  expect(report.loops.length).toBeGreaterThan(2);
  expect([island.totals, scan!.totals]).toEqual([report.totals, report.totals]);
  expect(island.loops).toEqual(report.loops);
  expect(island.possibleLoops).toEqual(report.possibleLoops);
  expect(report.totals).toMatchObject({ loops: report.loops.length, possibleLoops: 1 });
  const [possible] = report.possibleLoops;
  expect(junit).toContain(`<system-out>possible loop: ${loopInWords(possible!)}</system-out>`);
  expect(printed.stdout).toMatch(
    /^::notice title=doomloop%3A possible loop%2C same call again::read_file a\.ts, 3 times/m,
  );
  expect(lines.stdout).toContain('{"type":"possible-loop",');
  const answer = answerInWords(report);
  expect(printed.stdout.replaceAll(/\s+/g, " ")).toContain(answer);
  expect(junit).toContain(`value="${answer}"`);
  for (const loop of report.loops) {
    expect(junit).toContain(`message="${loopInWords(loop).replaceAll(">", "&gt;")}"`);
    expect(printed.stdout).toContain(`${loopInWords(loop)} of session ${loop.session}`);
    const shown = await sandbox.doomloop(["show", loop.session, "runs.jsonl"]);
    const timeline = shown.stdout.replaceAll(/\s+/g, " ");
    expect(timeline).toContain(`${count(loop.count, "time")}, ${callsInWords(loop.onset, loop.end)}`);
  }
  for (const text of [printed.stdout, junit, json.stdout, page]) expect(text).toContain("doomloop.config.json");
});
