import { expect, it } from "vitest";
import { CODING_AGENTS } from "../../agents/index.ts";
import { readers } from "../readers.ts";
import { agentInWords, FORMATS, loopSentence, worstInWords } from "./headline.ts";
import type { LoopSummary } from "./report.ts";

const loop = { kind: "repeated-call", what: "npm test", tools: ["Bash"], count: 38, period: null, areEqual: true };
const row = { onset: 4, end: 41, calls: [[4, 41]] as const, uncounted: [] };

it.each([
  [{}, "ran npm test 38 times in a row"],
  [{ what: "Read auth.ts", tools: ["Read"] }, "read auth.ts 38 times in a row"],
  [{ what: "Edit auth.ts", tools: ["Edit"] }, "edited auth.ts 38 times in a row"],
  [{ what: "check_job", tools: ["check_job"] }, "called check_job 38 times in a row"],
  [{ calls: [[4, 20]] as const }, "ran npm test 38 times"],
  [{ count: 19 }, "ran npm test 19 times"],
  [{ kind: "call-cycle", what: "rg > ls", period: 2 }, "went back and forth between rg and ls 38 times"],
  [{ kind: "call-cycle", what: "rg > ls > cat", period: 3 }, "went through rg, ls, cat 38 times"],
  [{ kind: "test-fix", what: "pytest" }, "ran pytest 38 times in a row, and it kept failing"],
  [{ kind: "failure-streak", what: "gh" }, "ran gh 38 times in a row and failed"],
  [{ kind: "repeated-text", what: "the same words" }, "wrote the same words 38 times in one answer"],
  [{ kind: "text-only", what: "answers" }, "gave 38 answers without a tool call"],
  [{ kind: "something-new" }, "repeated npm test 38 times in a row"],
])("tells a loop as a deed: %j", (more, deed) => {
  expect(loopSentence("Claude Code", { ...loop, ...row, ...more })).toBe(`Claude Code ${deed}`);
});

it("calls nobody by the name of a format", () => {
  const agents = new Set(CODING_AGENTS.flatMap(({ reader }) => reader?.label ?? []));
  const formats = readers.map(({ label }) => label).filter((label) => !agents.has(label) && !/agent$/i.test(label));

  expect([...FORMATS].sort()).toEqual(formats.sort());
  expect(agentInWords("trace")).toBe("An agent");
  expect(agentInWords("Codex CLI")).toBe("Codex CLI");
});

it("cuts long text", () => {
  expect(loopSentence("a".repeat(999), { ...loop, ...row, what: "b".repeat(999) }).length).toBeLessThan(250);
});

it("says that it is about the worst of several loops, and what that one spent", () => {
  const costUsd = { low: 0.14, high: 0.14, isEstimated: false };
  const worst = {
    ...loop,
    ...row,
    session: "a",
    afterOnset: { calls: 36, tokens: null, costUsd },
  } as unknown as LoopSummary;
  const told = (...loops: readonly LoopSummary[]) => worstInWords({ loops, sessions: [] });

  expect(told(worst)).toBe("An agent ran npm test 38 times in a row");
  expect(told(worst, worst)).toBe("The worst of 2 loops, $0.14: An agent ran npm test 38 times in a row");
  expect(told()).toBeUndefined();
});
