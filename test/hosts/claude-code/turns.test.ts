import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentPlace, AgentStart, CodingAgent } from "../shared/coding-agents/coding-agent.ts";
import {
  addStopHook,
  BLOCKED,
  ENDED_AT,
  firstTold,
  inShell,
  runLogged,
  stopHookContract,
} from "../shared/coding-agents/stop-hook-contract.ts";
import { turnsContract } from "../shared/coding-agents/turns-contract.ts";
import { claudeCode } from "./claude-code.ts";

/** Claude Code ends a chain of blocked stops after eight by itself, unless its user does not want that. */
const agent = changed(({ env, ...start }) => ({ ...start, env: { ...env, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "0" } }));
const withPrompt = (words: readonly string[], prompt: string) => words.map((word) => (word === "Go." ? prompt : word));
const keepGoing = (place: AgentPlace): void => addStopHook(place, join(place.home, ".claude/settings.json"));
/** Each takes half a second. */
const SESSIONS = 24;

turnsContract(agent, { keepGoing, canTell: true, canEnd: true });
stopHookContract(agent, { keepGoing, again: (start) => [...withPrompt(start, "Do something else."), "--continue"] });

describe("a goal of claude-code that nobody can reach", () => {
  it("is told to the model at the third turn that ends alike, and ended, and the person is told", async () => {
    const goal = changed(
      ({ words, env, ...start }) => ({ ...start, env, words: withPrompt(words, "/goal result.txt says done") }),
      agent,
    );
    // A small model says after each turn whether the goal is reached.
    const wire = { ...agent.wire, aside: JSON.stringify({ ok: false, reason: "It does not say so yet." }) };
    const { requests, log, notified, output } = await runLogged({ ...goal, wire }, () => BLOCKED);

    expect(firstTold(requests), output).toBe(4);
    expect(requests).toHaveLength(ENDED_AT);
    expect(log.at(-1)?.said).toBe("end");
    expect(notified).toMatch(/^claude-code end text-only /);
  });
});

describe("a script that calls claude-code again and again", () => {
  it("has the fourth session told that nothing changes, and each refused from the 21st on", async () => {
    const loop = inShell(agent, () => `i=0; while [ $i -lt ${SESSIONS} ]; do "$@"; i=$((i + 1)); done`);
    const { requests, log, notified, output } = await runLogged(loop, () => ({ text: "All is done." }));

    expect(firstTold(requests), output).toBe(4);
    expect(requests).toHaveLength(ENDED_AT);
    expect(output.split("Operation stopped by hook: ")).toHaveLength(1 + SESSIONS - ENDED_AT);
    // Each refused session has a line, and the person is told once.
    expect(log.map(({ said }) => said).filter((said) => said === "end")).toHaveLength(SESSIONS - ENDED_AT);
    expect(notified.match(/claude-code end/g)).toHaveLength(1);
  });
});

function changed(change: (start: AgentStart) => AgentStart, one: CodingAgent = claudeCode()): CodingAgent {
  return { ...one, prepare: (place) => change(one.prepare(place)) };
}
