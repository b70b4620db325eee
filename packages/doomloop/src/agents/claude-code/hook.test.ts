import { expect, it } from "vitest";
import { isHeadless } from "./hook.ts";

it.each([
  { title: "claude -p", env: { CLAUDE_CODE_SESSION_ATTENDED: "0", CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, expected: true },
  {
    title: "claude in a terminal",
    env: { CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_CODE_ENTRYPOINT: "cli" },
    expected: false,
  },
  { title: "claude -p of a version that says less", env: { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, expected: true },
  { title: "a terminal in a version that says less", env: { CLAUDE_CODE_ENTRYPOINT: "cli" }, expected: false },
  {
    title: "a program with a person in front of it",
    env: { CLAUDE_CODE_SESSION_ATTENDED: "1", CLAUDE_CODE_ENTRYPOINT: "sdk-ts" },
    expected: false,
  },
  { title: "another agent", env: {}, expected: false },
])("tells whether somebody is there: $title", ({ env, expected }) => {
  expect(isHeadless(env)).toBe(expected);
});
