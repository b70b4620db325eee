import { expect, it } from "vitest";
import { claudeCodeHook } from "./hook.ts";

it.each([
  ["claude -p", { CLAUDE_CODE_SESSION_ATTENDED: "0", CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, "unattended"],
  ["claude in a terminal", { CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_CODE_ENTRYPOINT: "cli" }, "attended"],
  ["claude -p of a version that says less", { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, "unattended"],
  ["a terminal in a version that says less", { CLAUDE_CODE_ENTRYPOINT: "cli" }, undefined],
  [
    "a program with a person in front of it",
    { CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_CODE_ENTRYPOINT: "sdk-ts" },
    "attended",
  ],
  ["empty variables", { CLAUDE_CODE_SESSION_ATTENDED: "", CLAUDE_CODE_ENTRYPOINT: "" }, undefined],
  ["another agent", {}, undefined],
])("tells whether somebody is there: %s", (_title, env, expected) => {
  expect(claudeCodeHook.attendance?.(env, {})).toBe(expected);
});
