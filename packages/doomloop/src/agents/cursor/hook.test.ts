import { expect, it } from "vitest";
import { cursorHook } from "./hook.ts";

const base = { conversation_id: "c", cursor_version: "2.5.0", workspace_roots: ["/work"] };
const call = { ...base, tool_name: "Shell", tool_input: { command: "ls" }, tool_use_id: "t1" };
const known = { id: "t1", tool: "Shell", args: { command: "ls" } };

it.each([
  [
    { ...call, hook_event_name: "preToolUse" },
    { type: "call", call: known },
  ],
  [
    { ...call, hook_event_name: "postToolUse", tool_output: '{"stdout":"a"}' },
    { type: "result", call: known, output: '{"stdout":"a"}', error: undefined },
  ],
  [
    { ...call, hook_event_name: "postToolUseFailure", error_message: "no such file" },
    { type: "result", call: known, output: "no such file", error: true },
  ],
  [
    { ...base, hook_event_name: "beforeSubmitPrompt", prompt: "Go." },
    { type: "user", text: "Go." },
  ],
])("reads %j", (input, moment) => {
  expect(cursorHook.read(input)).toMatchObject({ session: "c", folder: "/work", moment });
});

it("adds words to a result, and has no place for them after a failure", () => {
  const words = { type: "words", words: "[doomloop] Stop." } as const;
  const after = (hook_event_name: string) => cursorHook.read({ ...call, hook_event_name })!;

  expect(cursorHook.write(words, after("postToolUse"))).toEqual({ additional_context: "[doomloop] Stop." });
  expect(cursorHook.write(words, after("postToolUseFailure"))).toBeUndefined();
});
