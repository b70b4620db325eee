import { expect, it } from "vitest";
import { sessionsInWords } from "./sessions-in-words.ts";

it("tells of agents only where there are subagents", () => {
  expect(sessionsInWords({ sessions: 1, agents: 2 })).toBe("1 session, 2 agents");
  expect(sessionsInWords({ sessions: 3, agents: 3 })).toBe("3 sessions");
});
