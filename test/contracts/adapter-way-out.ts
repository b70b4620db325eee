import { expect, it } from "vitest";
import type { ScriptedAnswer } from "./adapter-driver.ts";
import { loopScript, recordedTools } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

/** How agents of the frameworks finish, give up, hand over or ask a person. */
const WAYS_OUT = [
  ...["final_answer", "finish", "StructuredOutput", "submit_plan", "exit_loop"],
  ...["transfer_to_agent", "transfer_to_support", "handoff_to_user", "ask_user"],
];
const AGAIN = "attempt_completion";
/** A rule of the host says so. */
const DECLARED = "close_case";
const LOOKS = 6;

/** The guard refuses whatever it says something about, and the run does not end. */
const REFUSES_ALL = { onDecision: () => ({ action: "block" }) as const, rules: { [DECLARED]: { wayOut: true } } };

/** What finishes, gives up, hands over or asks a person runs, also where everything else is refused. */
export function waysOut({ driver, wireGuarded }: AdapterUnderTest): void {
  it.runIf(driver.abilities.block)("runs every way out with a guard that refuses everything", async () => {
    const names = [...WAYS_OUT, DECLARED, AGAIN, AGAIN, AGAIN];
    const { tools, executed } = recordedTools();
    const ways = [...new Set(names)].map((name) => ({
      name,
      run() {
        executed.push(name);
        return "That is not possible now.";
      },
    }));
    const script: ScriptedAnswer[] = [
      ...loopScript(LOOKS),
      ...names.map((tool, at) => ({ calls: [{ id: `way-${at}`, tool, args: {} }] })),
    ];
    await wireGuarded([...tools, ...ways], REFUSES_ALL).run(script);

    expect(executed.filter((name) => name.startsWith("read_file")).length).toBeLessThan(LOOKS);
    expect(executed.filter((name) => !name.startsWith("read_file"))).toEqual(names);
  });
}
