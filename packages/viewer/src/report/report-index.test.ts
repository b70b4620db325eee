import { describe, expect, it } from "vitest";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { reportIndex } from "./report-index.ts";
import { sampleLoop } from "./sample.ts";

const session = { id: "s1", agent: "codex", project: "shop", model: "m", startedAt: "2026-11-01T00:00:00Z" };
const reportOf = (parts: object) => ({ sessions: [], loops: [], runs: {}, ...parts }) as unknown as Report;

describe("the index of a report", () => {
  it("gives a loop the agent, the project and, if it has none, the time of its session", () => {
    const { rows } = reportIndex(reportOf({ sessions: [session], loops: [sampleLoop()] }));

    expect(rows[0]).toMatchObject({ agent: "codex", project: "shop", time: Date.parse("2026-11-01") });
  });

  it("calls an agent as people do, and finds it by its id as well", () => {
    const named = { ...session, agentName: "Codex CLI" };
    const [row] = reportIndex(reportOf({ sessions: [named], loops: [sampleLoop()] })).rows;

    expect(row?.agent).toBe("Codex CLI");
    expect(row?.words.split("\n")).toEqual(expect.arrayContaining(["codex cli", "codex"]));
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

  it("knows a tool under its several spellings by one name", () => {
    const loops = [["Bash", "bash"], ["bash", "Read"], ["bash"]].map((tools) => sampleLoop({ tools }));

    expect(reportIndex(reportOf({ loops })).rows.map(({ tools }) => tools)).toEqual([
      ["bash"],
      ["bash", "Read"],
      ["bash"],
    ]);
  });

  it("names the strongest action", () => {
    const decisions = [
      { call: 5, action: "stop" as const },
      { call: 3, action: "nudge" as const },
    ];
    const { rows } = reportIndex(reportOf({ loops: [sampleLoop({ decisions })] }));

    expect(rows[0]?.action).toBe("stop");
  });

  it("does nothing to a run after its first stop, and says of a loop that it lies behind it", () => {
    const decisions = [6, 7, 8].map((call) => ({ call, action: "stop" as const }));
    const late = sampleLoop({ id: "late", onset: 20, decisions: [{ call: 22, action: "nudge" }] });
    const index = reportIndex(reportOf({ loops: [sampleLoop({ decisions }), late] }));

    expect(index.loops("s1").map((loop) => loop.decisions)).toEqual([decisions.slice(0, 1), []]);
    expect(index.rows.map(({ action, isPastStop }) => [action, isPastStop])).toEqual([
      ["stop", false],
      [null, true],
    ]);
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
