import { expect, it } from "vitest";
import { call, failure, result, step, times, user } from "../../../../test/builders.ts";
import { platform } from "../platform.ts";
import type { AgentEvent } from "./event.ts";
import { HINTS, NO_HINTS } from "./hints/index.ts";
import { EMPTY } from "./memory.ts";
import { observe, type Read } from "./observe.ts";
import { createRun } from "./run.ts";
import type { Ladder } from "./stage.ts";

const LADDER: Ladder = { levels: { told: 3, refused: 10, ended: 20 }, hasWords: true, hasBlock: true, canEnd: true };

/** At which call an agent that goes on with these is ended. */
function endedAt(events: readonly AgentEvent[], hints = NO_HINTS): number {
  const run = createRun({ ruleOf: () => ({}), platform, streams: {}, patienceMs: 1_800_000, hints });
  let memory = EMPTY;
  for (const event of events) {
    const effect = run.take(event);
    if (effect.kind !== "call" && effect.kind !== "step") continue;
    const given = { wants: ({ evidence }: { evidence: number }) => evidence > 2.99, confirms: () => false };
    const read: Read =
      effect.kind === "call"
        ? { kind: "call", call: effect.open.call }
        : { kind: "step", step: effect.step, ...given, audience: "agent" };
    const observed = observe(memory, read, LADDER);
    memory = observed.memory;
    if (observed.reply === "end") return run.memory.calls;
    if (observed.reply === "block") run.refuse(effect.open);
  }
  return Infinity;
}

it.each<[string, readonly AgentEvent[]]>([
  ["a file that is read again", step("read_file", { path: "a.ts" }, "export const a = 1;")],
  ["a command that fails", [call("bash", { command: "npm test" }), failure("1 failed: expected 3, got 4")]],
  ["a search", step("search", { query: "retry policy" }, "No results.")],
  ["a page", step("open_page", { url: "https://shop.example" }, "Lamps, chairs and tables\nYour basket is empty")],
  ["a poll", step("check_job", { id: 7 }, "status: running")],
  ["two files in turn", ["a", "b"].flatMap((path) => step("read_file", { path }, `this is ${path}`))],
])("ends every plain loop by the 60th call: %s", (_, loop) => {
  expect(endedAt(times(100, loop))).toBeLessThanOrEqual(60);
});

it("ends no run in which each call brings something new, and hears no request", () => {
  const pages = Array.from({ length: 90 }, (_, at) => step("get_page", { at }, `page ${at} is about number ${at}`));
  const asked = [user("Toss it 50 times."), ...times(100, [call("toss"), result("Tails, on the table, by the lamp.")])];

  expect(endedAt(pages.flat())).toBe(Infinity);
  expect(endedAt(asked)).toBeLessThan(endedAt(asked, HINTS));
});
