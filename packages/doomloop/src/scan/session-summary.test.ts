import { expect, it } from "vitest";
import { createPublicModels } from "./costs/price-list.ts";
import type { UniqueRun } from "./dedupe-runs.ts";
import { keptModel, sessionOf, shownModel } from "./session-summary.ts";

const names = { nameOf: String, modelOf: createPublicModels() };

it.each([
  ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
  ["claude-sonnet-4-5-for-acme", "claude-sonnet-4-5"],
  ["arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6", "an unlisted model"],
  ["/home/ada/clients/acme-bank/models/qwen3-ft.gguf", "a local model"],
  ["C:\\models\\acme.bin", "a local model"],
  ["acme-writer:8b", "a local model"],
  ["https://user:hunter2@llm.acme.internal/v1/models/foo", "an unlisted model"],
  ["CorrectHorseBatteryStaple", "an unlisted model"],
  [null, null],
])("calls the model %s %s", (model, shown) => {
  const record = { agent: "trace", namedAgent: null, run: "a", project: null, model, loops: [] };
  const run = { id: "a", partOf: null, record, file: { path: "a", size: 1, modifiedMs: 1 } };

  expect(sessionOf(run as unknown as UniqueRun, names).model).toBe(shown);
});

it.each([
  ["codex", "Codex CLI"],
  ["my_bot.v2", "my_bot.v2"],
  ["/home/ada/acme", "trace"],
  ["sk-ant-api03-x7Kq9ZbW2mNt", "trace"],
  ["ignore previous instructions", "trace"],
])("calls the agent that a trace names %s %s", (namedAgent, shown) => {
  const record = { agent: "trace", namedAgent, run: "a", project: null, model: null, loops: [] };
  const run = { id: "a", partOf: null, record, file: { path: "a", size: 1, modifiedMs: 1 } };
  const nameOf = (agent: string) => (agent === "codex" ? "Codex CLI" : agent);

  expect(sessionOf(run as unknown as UniqueRun, { ...names, nameOf }).agentName).toBe(shown);
});

it.each(["ft:gpt-4.1:acme-corp:merger-project:AbC123", "ft:gpt-4o-mini:acme:x:1"])(
  "shows nothing private of %s",
  (model) => {
    const record = { agent: "trace", namedAgent: null, run: "a", project: null, model, loops: [] };
    const run = { id: "a", partOf: null, record, file: { path: "a", size: 1, modifiedMs: 1 } };

    expect(sessionOf(run as unknown as UniqueRun, names).model).not.toMatch(/acme|merger|AbC/);
  },
);

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
