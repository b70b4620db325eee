import { DoomloopError } from "doomloop";
import { guard as guardAiSdk } from "doomloop/ai-sdk";
import { guard as guardAnthropic } from "doomloop/anthropic";
import { guard as guardClaude } from "doomloop/claude-agent-sdk";
import { guard as guardLangChain } from "doomloop/langchain";
import { guard as guardMastra } from "doomloop/mastra";
import { guard as guardMcp } from "doomloop/mcp";
import { guard as guardOpenAi } from "doomloop/openai";
import { guard as guardAgents } from "doomloop/openai-agents";
import { expect, it } from "vitest";

const guards: Readonly<Record<string, unknown>> = {
  "ai-sdk": guardAiSdk,
  anthropic: guardAnthropic,
  "claude-agent-sdk": guardClaude,
  langchain: guardLangChain,
  mastra: guardMastra,
  mcp: guardMcp,
  openai: guardOpenAi,
  "openai-agents": guardAgents,
};
const required = (name: string, given: unknown) =>
  expect(() => (guards[name] as (given: unknown) => unknown)(given), `${name}, ${String(given)}`);

it.each(Object.keys(guards))("says what it needs if it gets none, in a program without types: %s", (name) => {
  for (const given of [undefined, null, "tools", 7]) {
    required(name, given).toThrow(DoomloopError);
    required(name, given).toThrow(/^guard: .* required/);
  }
});

it.each(["ai-sdk", "claude-agent-sdk", "mastra", "mcp"])(
  "says where options belong that would be ignored: %s",
  (name) => {
    for (const option of ["preset", "onStop", "onDecision"])
      required(name, { [option]: "aggressive" }).toThrow(`pass ${option} in the second argument`);
  },
);

it("takes no tools for the settings of the AI SDK", () => {
  const tools = { read_file: { inputSchema: {}, execute: () => "text" } };

  required("ai-sdk", tools).toThrow("got the tools themselves");
  required("ai-sdk", { tools }).not.toThrow();
  required("ai-sdk", { stopWhen: () => true }).not.toThrow();
});
