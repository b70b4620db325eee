import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { packages } from "./ai-packages.ts";
import { createDriver } from "./driver.ts";

describe.each(packages)("doomloop/ai-sdk in ai $major", (ai) => {
  adapterContract(createDriver(ai));
});
