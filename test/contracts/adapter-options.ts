import { describe } from "vitest";
import type { ScriptedAnswer } from "./adapter-driver.ts";
import { visible } from "./adapter-report.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";
import { everyOption, LAPS, type Play } from "./every-option.ts";

/** What an adapter does with every option of a guard. */
export function options({ driver }: AdapterUnderTest): void {
  const play: Play = async (config, { tool, args, output }) => {
    const told: string[] = [];
    const run = (): string => {
      told.push("run");
      return output;
    };
    const tools = [{ name: tool, run }];
    const script = Array.from(
      { length: LAPS },
      (_, at): ScriptedAnswer => ({ calls: [{ id: `call-${at}`, tool, args }] }),
    );
    try {
      const host = driver.wire(tools, {
        ...config,
        onStop: ({ action }) => void told.push(action),
        onDowngrade: ({ decided, done }) => void told.push(`${decided} ${done}`),
      });
      return { told: JSON.stringify(visible(await host.run(script), told)) };
    } catch (error) {
      return { refused: String(error) };
    }
  };

  describe("with every option of a guard", () => {
    everyOption("an adapter", play);
  });
}
