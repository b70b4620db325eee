import { expect, it } from "vitest";
import { createPublicModels } from "./costs/price-list.ts";
import type { UniqueRun } from "./dedupe-runs.ts";
import { sessionOf } from "./session-summary.ts";

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
