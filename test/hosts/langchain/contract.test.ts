import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createAgentDriver, createGraphDriver } from "./driver.ts";

const wirings = [
  { where: "without threads", hasThreads: false },
  { where: "with threads", hasThreads: true },
];

describe.each(wirings)("doomloop/langchain in createAgent, $where", (settings) => {
  adapterContract(createAgentDriver(settings));
});

describe.each(wirings)("doomloop/langchain around a ToolNode, $where", (settings) => {
  adapterContract(createGraphDriver(settings));
});
