import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createDriver } from "./driver.ts";
import { packages } from "./mcp-packages.ts";

describe.each(packages)("doomloop/mcp in major $major", (mcp) => {
  adapterContract(createDriver(mcp));
});
