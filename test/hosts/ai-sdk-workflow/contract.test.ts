import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createDriver } from "./driver.ts";

describe("the adapter contract, in a WorkflowAgent", () => {
  adapterContract(createDriver());
});
