import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createLoopDriver, createRunnerDriver } from "./driver.ts";

describe.each([
  { way: "over a thread that the server holds", how: {} },
  { way: "with the whole conversation in each request", how: { thread: false } as const },
  { way: "with tools that run while the answer streams", how: { runToolsEagerly: true } },
])("doomloop/anthropic in a tool runner $way", ({ how }) => {
  adapterContract(createRunnerDriver(how));
});

describe("doomloop/anthropic in a hand-written loop", () => {
  adapterContract(createLoopDriver());
});
