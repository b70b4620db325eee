import { expect, it } from "vitest";
import { answerEvent, type HookMemory } from "./answer-event.ts";
import type { HookState } from "./hook-state.ts";

it("notes the end of a run once, however many events the agent reports after it", () => {
  const states = new Map<string, HookState>();
  let now = 0;
  const memory = {
    get: (run: string) => states.get(run),
    set: (run: string, state: HookState) => void states.set(run, state),
    rulesOf: () => ({ tools: {} }),
    now: () => now,
    missedEvents: () => 0,
    reportFault: () => {},
  } as unknown as HookMemory;
  const call = { tool_name: "Bash", tool_input: { command: "ls build" } };
  const said = Array.from({ length: 40 }, (_, at) => {
    now = at * 5_000;
    const base = { session_id: "s", transcript_path: "s.jsonl", cwd: "/work", ...call, tool_use_id: `call-${at}` };
    const batch = [{ ...call, tool_use_id: `call-${at}`, tool_response: "nothing" }];
    return [
      { ...base, hook_event_name: "PreToolUse" },
      { ...base, hook_event_name: "PostToolUse", tool_response: "nothing" },
      { ...base, hook_event_name: "PostToolBatch", tool_calls: batch },
    ].map((event) => answerEvent(event, { host: "claude-code", mode: "unattended" }, memory)?.entry?.said);
  }).flat();

  expect(said.filter((word) => word === "end")).toHaveLength(1);
});
