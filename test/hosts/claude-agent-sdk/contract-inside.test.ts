import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createDriver } from "./driver.ts";

// A file for each way to speak: every run is a process, and files run side by side.
describe("doomloop/claude-agent-sdk, with words inside the result", () => {
  adapterContract(createDriver("claude-sonnet-4-5", true));
});
