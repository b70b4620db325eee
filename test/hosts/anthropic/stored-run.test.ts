import { describe } from "vitest";
import { storedRun } from "../../contracts/stored-run.ts";

describe("doomloop/anthropic, with a stored run", () => {
  storedRun(new URL("stored-step.ts", import.meta.url).href, "host", "guard store");
});
