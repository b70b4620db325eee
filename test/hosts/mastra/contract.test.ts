import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createDriver } from "./driver.ts";

describe("doomloop/mastra", () => {
  adapterContract(createDriver());
});
