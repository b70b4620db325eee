import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createDriver } from "./driver.ts";

describe.each([
  { model: "claude-sonnet-4-5", way: "inside the result" },
  { model: "claude-opus-5-5", way: "as a system message behind the results" },
])("doomloop/claude-agent-sdk, with words $way", ({ model }) => {
  adapterContract(createDriver(model));
});
