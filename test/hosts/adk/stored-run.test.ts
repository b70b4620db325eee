import { describe } from "vitest";
import { storedRun } from "../../contracts/stored-run.ts";

describe("doomloop/adk, with a stored run", () => {
  storedRun(new URL("stored-step.ts", import.meta.url).href, "guard store");
});
