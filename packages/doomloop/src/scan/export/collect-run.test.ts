import { expect, it } from "vitest";
import { publicModel } from "./collect-run.ts";

it.each([
  ["gpt-4o", "gpt-4o"],
  ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
  ["claude-sonnet-4-5-for-acme", "claude-sonnet-4-5"],
  ["acme/claude-sonnet-4-5", "claude-sonnet-4-5"],
  ["claude-opus-5-20260101", "claude-opus-5"],
  ["acme-writer", undefined],
  [undefined, undefined],
])("replaces %s with the name on the list: %s", (model, written) => {
  expect(publicModel(model)).toBe(written);
});
