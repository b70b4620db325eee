import { describe, expect, it } from "vitest";
import type { Report } from "../../../doomloop/src/cli/scan/report.ts";
import { reportIndex } from "./report-index.ts";
import { sampleLoop } from "./sample.ts";

const session = { id: "s1", agent: "codex", project: "shop", model: "m", startedAt: "2026-11-01T00:00:00Z" };
const reportOf = (parts: object) => ({ sessions: [], loops: [], runs: {}, ...parts }) as unknown as Report;

describe("the index of a report", () => {
  it("gives a loop the agent, the project and, if it has none, the time of its session", () => {
    const { rows } = reportIndex(reportOf({ sessions: [session], loops: [sampleLoop()] }));

    expect(rows[0]).toMatchObject({ agent: "codex", project: "shop", time: Date.parse("2026-11-01") });
  });

  it("takes the file's time where the transcript bears none, and says so", () => {
    const undated = { ...session, startedAt: null, endedAt: "2026-11-02T00:00:00Z", isFileTime: true };
    const { rows } = reportIndex(reportOf({ sessions: [undated], loops: [sampleLoop()] }));

    expect(rows[0]).toMatchObject({ time: Date.parse("2026-11-02"), isFileTime: true });
  });

  it("keeps a loop whose session is not there", () => {
    const { rows } = reportIndex(reportOf({ loops: [sampleLoop({ session: "gone" })] }));

    expect(rows[0]).toMatchObject({ agent: "unknown", project: null, time: null });
  });

  it("names the strongest action", () => {
    const decisions = [
      { call: 5, action: "stop" as const },
      { call: 3, action: "nudge" as const },
    ];
    const { rows } = reportIndex(reportOf({ loops: [sampleLoop({ decisions })] }));

    expect(rows[0]?.action).toBe("stop");
  });

  it("lists the loops of a run by their onset", () => {
    const loops = [sampleLoop({ id: "late", onset: 9 }), sampleLoop({ id: "early", onset: 2 })];

    expect(
      reportIndex(reportOf({ loops }))
        .loops("s1")
        .map(({ id }) => id),
    ).toEqual(["early", "late"]);
  });

  it("knows no session by the name of something that every object has", () => {
    const index = reportIndex(reportOf({}));

    for (const id of ["constructor", "__proto__", "toString"])
      expect([index.session(id), index.run(id)]).toEqual([undefined, undefined]);
  });
});
