import { expect, it } from "vitest";
import { codexHook } from "./hook.ts";

it.each([
  ["Bash", "exec_command"],
  ["apply_patch", "apply_patch"],
])("calls %s what the model calls it, %s", (told, tool) => {
  const input = { session_id: "s", hook_event_name: "PreToolUse", tool_name: told, tool_input: { command: "ls" } };

  expect(codexHook.read(input)?.moment).toMatchObject({ type: "call", call: { tool } });
});
