import { describe, expect, it } from "vitest";
import { call, failure, result, step, times, user } from "../../../../test/builders.ts";
import { platform } from "../platform.ts";
import type { AgentEvent } from "./event.ts";
import { HINTS, type Hints, NO_HINTS } from "./hints/index.ts";
import { EMPTY } from "./memory.ts";
import { observe, type Read } from "./observe.ts";
import { createRun } from "./run.ts";
import type { Ladder, Reply } from "./stage.ts";

const LADDER: Ladder = { levels: { told: 3, refused: 10, ended: 20 }, hasWords: true, hasBlock: true, canEnd: true };

/** At which call an agent that goes on with these is ended. */
function endedAt(events: readonly AgentEvent[], hints: Hints): number {
  const run = createRun({ ruleOf: () => ({}), platform, streams: {}, patienceMs: 1_800_000, hints });
  let memory = EMPTY;
  const replyTo = (read: Read): Reply => {
    const observed = observe(memory, read, LADDER);
    memory = observed.memory;
    return observed.reply;
  };
  for (const event of events) {
    const effect = run.take(event);
    if (effect.kind === "call") {
      const reply = replyTo({ kind: "call", call: effect.open.call });
      if (reply === "end") return run.memory.calls;
      if (reply === "block") run.refuse(effect.open);
    }
    const given = { wants: ({ evidence }: { evidence: number }) => evidence > 2.99, confirms: () => false };
    if (effect.kind === "step") replyTo({ kind: "step", step: effect.step, ...given, audience: "agent" });
  }
  return Infinity;
}

describe("hints that say nothing", () => {
  it.each<[string, readonly AgentEvent[]]>([
    ["a file that is read again", step("read_file", { path: "a.ts" }, "export const a = 1;")],
    ["a command that fails", [call("bash", { command: "npm test" }), failure("1 failed: expected 3, got 4")]],
    ["a search", step("search", { query: "retry policy" }, "No results.")],
    ["a page", step("open_page", { url: "https://shop.example" }, "Lamps, chairs and tables\nYour basket is empty")],
    ["a poll", step("check_job", { id: 7 }, "status: running")],
    ["two files in turn", ["a", "b"].flatMap((path) => step("read_file", { path }, `this is ${path}`))],
  ])("end every plain loop by the 60th call: %s", (_, loop) => {
    expect(endedAt(times(100, loop), NO_HINTS)).toBeLessThanOrEqual(60);
    expect(endedAt(times(100, loop), HINTS)).toBeLessThanOrEqual(80);
  });

  it("end no run in which each call brings something new, and hear no request", () => {
    const pages = Array.from({ length: 90 }, (_, at) => step("get_page", { at }, `page ${at} is about number ${at}`));
    const asked = [
      user("Toss it 50 times."),
      ...times(100, [call("toss"), result("Tails, on the table, by the lamp.")]),
    ];

    expect(endedAt(pages.flat(), NO_HINTS)).toBe(Infinity);
    expect(endedAt(asked, NO_HINTS)).toBeLessThan(endedAt(asked, HINTS));
  });
});
