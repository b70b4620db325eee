import { expect, it } from "vitest";
import { createPublicModels } from "./costs/price-list.ts";
import { keptModel, shownModel } from "./model-name.ts";

it.each([
  "claude-sonnet-4-5-20250929",
  "anthropic/claude-opus-4.1:beta",
  "claude-sonnet-4@20250514",
  "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  "qwen3:8b",
  "accounts/fireworks/models/deepseek-v3p1",
])("keeps %s", (model) => {
  expect(keptModel(model)).toBe(model);
});

it.each([
  ["sk-proj-abcdefgh1234", "an unlisted model"],
  ["gpt-5/ghp_aBcDeFgHiJkLmNoP", "an unlisted model"],
  ["my model for Mrs. Smith", "an unlisted model"],
  ["m".repeat(200), "an unlisted model"],
  ["/home/ada/models/qwen.gguf", "a local model"],
])("keeps nothing of %s", (model, kept) => {
  expect(keptModel(model)).toBe(kept);
  expect(shownModel(kept, createPublicModels())).toBe(kept);
});
