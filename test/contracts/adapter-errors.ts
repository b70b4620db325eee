import { createGuard } from "doomloop";
import { describe, expect } from "vitest";
import type { ResultEvent } from "../../packages/doomloop/src/core/event.ts";
import type { ScriptedTool } from "./adapter-driver.ts";
import { loopScript, recordedTools, refuse } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

/** Whether a tool failed is the host's to say. What its result says about failures is the core's to read. */
export function errors({ unless, wireGuarded }: AdapterUnderTest): void {
  /** What the guard is told about two results of a tool. */
  const told = async (run: ScriptedTool["run"]) => {
    const results: Pick<ResultEvent, "error">[] = [];
    const { tools } = recordedTools({ run });
    const host = wireGuarded(tools, {
      createGuard(options) {
        const guard = createGuard(options);
        const observe: typeof guard.observe = (event) => {
          if (event.type === "result") results.push(event);
          return guard.observe(event);
        };
        return { ...guard, observe };
      },
    });
    await host.run(loopScript(3));
    return results.slice(0, 2).map(({ error }) => error);
  };

  describe("on a tool that returns", () => {
    unless("errors", "says that it has not failed, whatever its text mentions", async () => {
      expect(await told(() => "12 files checked, 0 errors")).toEqual([false, false]);
      expect(await told(() => "error log: pump 7 failed at noon")).toEqual([false, false]);
    });

    unless("errors", "says so about an object, too", async () => {
      expect(await told(() => ({ id: 7, status: "failed", customer: "Ann" }))).toEqual([false, false]);
    });

    unless("errors", "says that one has failed which throws", async () => {
      expect(await told(refuse)).toEqual([true, true]);
    });
  });
}
