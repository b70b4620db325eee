import { describe, expect, it } from "vitest";
import type { AgentLike, ToolUseBehavior } from "./agent.ts";
import { createRunEnd } from "./run-end.ts";

const GOES_ON = { isFinalOutput: false, isInterrupted: undefined };
const ended = {};
const other = {};

function agentWith(toolUseBehavior: ToolUseBehavior): AgentLike {
  const none = async () => [];
  const getSystemPrompt = async () => undefined;
  const asked = { getAllTools: none, getEnabledHandoffs: none, getSystemPrompt, on: () => {} };
  return { tools: [], handoffs: [], outputType: "text", toolUseBehavior, ...asked };
}

function behaviourAtEnd(own: ToolUseBehavior) {
  const agent = agentWith(own);
  const end = createRunEnd(agent, (context) => (context === ended ? "over" : undefined));
  end.install();
  end.install();
  return { agent, end, behaviour: agent.toolUseBehavior as Extract<ToolUseBehavior, (...words: never) => unknown> };
}

describe("createRunEnd", () => {
  const results = ["search", "read_page"].map((name) => ({ type: "function_output", tool: { name }, output: name }));
  const final = (finalOutput: string) => ({ isFinalOutput: true, isInterrupted: undefined, finalOutput });

  it.each<{ title: string; own: ToolUseBehavior; answer: unknown }>([
    { title: "run_llm_again", own: "run_llm_again", answer: GOES_ON },
    { title: "stop_on_first_tool", own: "stop_on_first_tool", answer: final("search") },
    { title: "a name that was called", own: { stopAtToolNames: ["read_page"] }, answer: final("read_page") },
    { title: "a name that was not called", own: { stopAtToolNames: ["delete"] }, answer: GOES_ON },
    { title: "a function", own: () => final("own") as never, answer: final("own") },
  ])("ends the run that must end, and keeps the agent's behaviour for others: $title", ({ own, answer }) => {
    const { agent, end, behaviour } = behaviourAtEnd(own);

    expect(behaviour(ended, results)).toEqual(final("over"));
    expect(behaviour(other, results)).toEqual(answer);
    end.remove();
    expect(agent.toolUseBehavior).toBe(own);
  });

  it("continues if the first result is a question to a human", () => {
    const { behaviour } = behaviourAtEnd("stop_on_first_tool");

    expect(behaviour(other, [{ type: "function_approval", tool: { name: "search" } }])).toEqual(GOES_ON);
  });

  it("does not touch a behaviour that was set since", () => {
    const { agent, end } = behaviourAtEnd("run_llm_again");
    agent.toolUseBehavior = "stop_on_first_tool";
    end.remove();

    expect(agent.toolUseBehavior).toBe("stop_on_first_tool");
  });
});
