import { expect, it } from "vitest";
import { claudeCodeHook } from "./hook.ts";

it.each([
  {
    title: "claude -p",
    env: { CLAUDE_CODE_SESSION_ATTENDED: "0", CLAUDE_CODE_ENTRYPOINT: "sdk-cli" },
    expected: "unattended",
  },
  {
    title: "claude in a terminal",
    env: { CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_CODE_ENTRYPOINT: "cli" },
    expected: "attended",
  },
  {
    title: "claude -p of a version that says less",
    env: { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" },
    expected: "unattended",
  },
  { title: "a terminal in a version that says less", env: { CLAUDE_CODE_ENTRYPOINT: "cli" }, expected: undefined },
  {
    title: "a program with a person in front of it",
    env: { CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_CODE_ENTRYPOINT: "sdk-ts" },
    expected: "attended",
  },
  {
    title: "empty variables",
    env: { CLAUDE_CODE_SESSION_ATTENDED: "", CLAUDE_CODE_ENTRYPOINT: "" },
    expected: undefined,
  },
  { title: "another agent", env: {}, expected: undefined },
])("tells whether somebody is there: $title", ({ env, expected }) => {
  expect(claudeCodeHook.attendance?.(env, {})).toBe(expected);
});
