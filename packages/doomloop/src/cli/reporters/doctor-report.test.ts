import { expect, it } from "vitest";
import { WIRABLE_AGENTS } from "../../agents/index.ts";
import { createStyle } from "../terminal/style.ts";
import { doctorReport } from "./doctor-report.ts";

const look = { width: 100, style: createStyle({ isTTY: false }, {}), shown: (path: string) => path };
const examination = { files: ["/settings.json"], mode: undefined, version: "1", trial: undefined, trust: undefined };

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

it("has something to say for each agent that cannot end a run or refuse a call", () => {
  const limited = WIRABLE_AGENTS.filter(({ hook: { abilities } }) => abilities.stop === "none" || !abilities.block);

  expect(limited.length).toBeGreaterThan(0);
  for (const { cannot = [] } of limited) expect(cannot).not.toEqual([]);
});
