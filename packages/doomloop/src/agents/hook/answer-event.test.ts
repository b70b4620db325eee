import { expect, it } from "vitest";
import { createHookMemory } from "../../../../../test/hook-memory.ts";
import { answerEvent } from "./answer-event.ts";

it("alarms the person once if a run should end and no hook can end it", () => {
  let now = 0;
  const memory = createHookMemory(() => now);
  const said = Array.from({ length: 60 }, (_, at) => {
    now = at * 5_000;
    const call = { tool_name: "Bash", tool_input: { command: "cat a.txt" }, tool_use_id: `call-${at}` };
    const base = { session_id: "s", turn_id: "t", model: "m", cwd: "/work", ...call };
    const before = answerEvent(
      { ...base, hook_event_name: "PreToolUse" },
      { host: "codex", mode: "unattended" },
      memory,
    );
    if (before?.output !== undefined) return before.entry?.said;
    const result = { ...base, hook_event_name: "PostToolUse", tool_response: "nothing" };
    return answerEvent(result, { host: "codex", mode: "unattended" }, memory)?.entry?.said;
  });

  expect(said.filter((word) => word === "alarm")).toHaveLength(1);
  expect(said.indexOf("alarm")).toBeGreaterThan(said.indexOf("refusal"));
});

it("notes the end of a run once, however many events the agent reports after it", () => {
  let now = 0;
  const memory = createHookMemory(() => now);
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
