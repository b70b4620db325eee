import { expect, it } from "vitest";
import { isOfWords } from "./is-of-words.ts";

it.each([
  "Read",
  "read_file",
  "mcp__server__get_issue",
  "auth",
  "cart-v2",
  "i18n",
  "base64url",
  "useCart",
  "2026-11-16",
  "CODE_OF_CONDUCT",
])("takes %s for words", (name) => {
  expect(isOfWords(name)).toBe(true);
});

it.each([
  "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "AKIAIOSFODNN7EXAMPLE",
  "sk-ant-api03-abcdef",
  "xoxb-123-abc-Def456",
  "4111-1111-1111-1111",
  "QWxhZGRpbjpvcGVuIHNlc2FtZQ",
  "aB3xK9qLmZ",
  "",
])("takes %s for something else", (name) => {
  expect(isOfWords(name)).toBe(false);
});
