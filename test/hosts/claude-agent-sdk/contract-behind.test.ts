import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createDriver } from "./driver.ts";

// A file for each way to speak: every run is a process, and files run side by side.
describe("doomloop/claude-agent-sdk, with words as a system message behind the results", () => {
  adapterContract(createDriver("claude-opus-5-5", false));
});
