import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createDriver } from "./driver.ts";

describe("doomloop/openai-agents in @openai/agents 0.20", () => {
  adapterContract(createDriver());
});
