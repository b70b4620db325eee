import { expect, it } from "vitest";
import type { Work, WorkShare } from "../../scan/report/work.ts";
import { workKindInWords } from "../../scan/report/work-words.ts";
import { utcClock } from "../../scan/work/active-days.ts";
import { workOf } from "../../scan/work/work-of.ts";
import { columnsOf } from "../../system/printable.ts";
import { createStyle } from "../terminal/style.ts";
import { workFacts, workLines } from "./scan-work.ts";

const NOTHING = workOf([], utcClock);
const MINUTE = 60_000;

function share(name: string | null, calls: number, minutes: number): WorkShare {
  return { name, calls, failed: 1, timeMs: minutes * MINUTE, characters: calls * 4_000 };
}

const WORK: Work = {
  ...NOTHING,
  calls: 100,
  time: { toolsMs: 90 * MINUTE, modelMs: 30 * MINUTE, pausesMs: 0 },
  tools: [share("Bash\u001b[2J", 60, 80), share("Read", 40, 10), share(null, 9, 1)],
  kinds: [share("test", 20, 60), share("look", 80, 30)],
};

const look = (width: number, isTTY = false) => ({ width, style: createStyle({ isTTY }, { LANG: "C.UTF-8" }) });

it("says where time and tokens went, by kind of work and by tool", () => {
  const told = workLines({ work: WORK }, look(80));

  expect(told).toMatch(/^Where time and tokens went\n {2}by kind of work +calls +failed +time +result tokens\n/);
  expect(told).toMatch(/\n {2}Checks and builds +20 +5\.0% +1\.0 h +20\.0K\n/);
  expect(told).toMatch(/\n {2}Bash\\u\{1b\}\[2J +60 +1\.7% +1\.3 h +60\.0K\n/);
  expect(told.replaceAll(/\s+/g, " ")).toContain(
    "Agents worked 2.0 h: tools took 1.5 h (75.0%), models 30 min (25.0%).",
  );
  expect(told).toMatch(/\n {2}all others +9 +11\.1% +1 min +9\.0K\n/);
});

it("shows all kinds of work, and adds up the tools that it does not name", () => {
  const kinds = ["look", "write", "test", "act", "say", "watch", "move", "wait"];
  const tools = [..."abcdefg"].map((name) => share(name, 10, 5));
  const work = { ...WORK, kinds: kinds.map((kind) => share(kind, 10, 5)), tools: [...tools, share(null, 4, 1)] };
  const told = workLines({ work }, look(80));

  for (const kind of kinds) expect(told).toContain(`\n  ${workKindInWords(kind)} `);
  expect(told).toMatch(/\n {2}e +10 .*\n {2}all others +24 +12\.5% +11 min +24\.0K\n/);
});

it("fits the terminal, with bars where it can show them", () => {
  for (const width of [40, 54, 80, 120])
    for (const line of workLines({ work: WORK }, look(width)).split("\n"))
      expect(columnsOf(line)).toBeLessThanOrEqual(width);
  expect(workLines({ work: WORK }, look(80, true))).toContain("█");
});

it("leaves out the time where there is none, and everything where there are no calls", () => {
  expect(workLines({ work: { ...WORK, time: null } }, look(80))).not.toMatch(/ time|Agents worked/);
  expect(workLines({ work: NOTHING }, look(80))).toBe("");
  expect(workFacts({ work: NOTHING })).toEqual([]);
});

it("names files without a name as such, and only checks that failed", () => {
  const facts = workFacts({
    work: {
      ...WORK,
      files: { reads: 9, again: 5, unchanged: 2, most: [{ what: null, session: "s", times: 6, unchanged: 2 }] },
      checks: [
        { what: "npm test", runs: 4, failed: 3 },
        { what: "tsc", runs: 4, failed: 0 },
      ],
      compactions: { count: 1, sessions: 1, readAgain: 1, most: [] },
    },
  });

  expect(facts.flatMap(({ lines }) => lines)).toEqual([
    "a file whose name is not shown, 6 times in one session, 2 of them unchanged, session s",
    "5 of 9 reads (55.6%) were of a file that the session had read before; 2 of them returned the same text as before",
    "npm test, 3 of 4 runs (75.0%)",
    "1 in 1 session; after it, 1 file had to be read again",
  ]);
});
