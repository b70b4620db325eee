import { expect, it } from "vitest";
import { geminiCliHook } from "./hook.ts";

const afterTool = (tool_response: object) =>
  geminiCliHook.read({
    session_id: "s",
    cwd: "/work",
    hook_event_name: "AfterTool",
    tool_name: "replace",
    tool_input: { file_path: "a.ts" },
    tool_response,
  })!;
const words = { type: "words", words: "[doomloop] Stop." } as const;

it("replaces the message of a failure by itself and the words, because the model reads nothing else about a failed call", () => {
  const failed = afterTool({ llmContent: "long text", error: { message: "0 occurrences found", type: "edit" } });

  expect(geminiCliHook.write(words, failed)).toEqual({
    decision: "block",
    reason: "0 occurrences found\n\n[doomloop] Stop.",
  });
});

it("adds words to the result of a call that did not fail", () => {
  expect(geminiCliHook.write(words, afterTool({ llmContent: "done" }))).toEqual({
    hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "[doomloop] Stop." },
  });
});
