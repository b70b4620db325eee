import { expect, it } from "vitest";
import { WIRABLE_AGENTS } from "../../agents/index.ts";
import { createStyle } from "../terminal/style.ts";
import { doctorReport } from "./doctor-report.ts";

const look = { width: 100, style: createStyle({ isTTY: false }, {}), shown: (path: string) => path };
const unknown = { mode: undefined, trial: undefined, trust: undefined };
const examination = { ...unknown, files: ["/settings.json"], version: "1", isPackage: false };

it("says what an agent does not let a hook do, and nothing of that for one that lets it do everything", () => {
  const [agent] = WIRABLE_AGENTS;
  const report = (cannot: readonly string[] | undefined) =>
    doctorReport(
      { ...examination, agent: { ...agent!, cannot: cannot as readonly string[] }, hasPlugin: false, faults: [] },
      look,
    );

  expect(report(["end a run", "know who watches"])).toContain("cannot   end a run. It cannot know who watches.");
  expect(report(undefined)).not.toContain("cannot");
});

it("cuts a long message between words, and says where the program is", () => {
  const [agent] = WIRABLE_AGENTS;
  const trial = { nudge: { call: 3, words: "wordy ".repeat(40) }, block: undefined, times: [1], fault: undefined };
  const found = { ...examination, version: undefined, trial, agent: agent!, hasPlugin: false, faults: [] };

  expect(doctorReport(found as never, look)).toMatch(/"(?:wordy\s+)+…"/);
  expect(doctorReport(found as never, look)).toContain("not on the path");
  expect(doctorReport({ ...found, isPackage: true } as never, look)).toContain("a package of this project: not run");
});

it("has something to say for each agent that cannot end a run or refuse a call", () => {
  const limited = WIRABLE_AGENTS.filter(({ hook: { abilities } }) => abilities.stop === "none" || !abilities.block);

  expect(limited.length).toBeGreaterThan(0);
  for (const { cannot = [] } of limited) expect(cannot).not.toEqual([]);
});
