import { type AgentEvent, createGuard, type Decision, type GuardOptions, type MessageFacts } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, round, step, times } from "../../../../../test/builders.ts";
import { createHostRuns } from "../../host/host-runs.ts";

const look = [round, ...step("read_file", { path: "a.ts" }, "x".repeat(300))];
const stuck: readonly AgentEvent[] = times(9, look);

/** What a guard says, where it says something. */
function saidBy(options: GuardOptions): Decision[] {
  const guard = createGuard({ ladderPace: false, ...options });
  return stuck.map((event) => guard.observe(event)).filter(({ action }) => action !== "continue");
}

describe("messages", () => {
  it("take the place of ours, by what is done, and the others stay ours", () => {
    const [first, second, blocked] = saidBy({
      messages: { nudge: ({ finding }) => `Das war ${finding.count}-mal gleich。` },
    });
    const [ours] = saidBy({}).slice(2);

    expect(first?.message).toBe("[doomloop] Das war 3-mal gleich。");
    expect(second?.message).toMatch(/^\[doomloop\] Das war/);
    expect(blocked).toEqual(ours);
  });

  it("are given all that there is to say, and our own words", () => {
    const given: MessageFacts[] = [];
    saidBy({
      messages: {
        nudge: (facts) => {
          given.push(facts);
          return facts.ours;
        },
      },
    });

    expect(given[0]).toMatchObject({ action: "nudge", tone: "notice", next: "nudge", ignored: 0, lasting: undefined });
    expect(given[1]).toMatchObject({ action: "nudge", tone: "last", next: "block", ignored: 1, lasting: { calls: 1 } });
    expect(given[0]!.ours).toMatch(/^\[doomloop\] You called `read_file` 3 times/);
    expect(given[0]!.finding.kind).toBe("repeated-call");
  });

  it("say to people what is said, too", () => {
    expect(saidBy({ messages: { explanation: () => "Der Agent dreht sich im Kreis." } })[0]).toMatchObject({
      explanation: "Der Agent dreht sich im Kreis.",
      message: expect.stringContaining("You called"),
    });
  });

  it.each<[string, () => unknown]>([
    [
      "throw",
      () => {
        throw new Error("mine");
      },
    ],
    ["are no text", () => 5],
    ["are empty", () => " "],
    ["come later", async () => "x"],
  ])("that %s are reported once, and ours are said", (_, nudge) => {
    const faults: unknown[] = [];
    const messages = { nudge: nudge as () => string };
    const said = saidBy({ messages, onFault: (fault) => faults.push(fault) });

    expect(said[0]).toEqual(saidBy({})[0]);
    expect(faults).toHaveLength(1);
  });

  it("are cut at 2,000 characters", () => {
    expect(saidBy({ messages: { nudge: () => "x".repeat(9999) } })[0]?.message).toHaveLength(
      2000 + "[doomloop] ".length,
    );
  });

  it("are known again at the end of a result, in whatever language", () => {
    const guard = createGuard({ messages: { nudge: () => "同じ呼び出しです。" } });
    const observed = times(4, look).map((event) => guard.observe(event));
    const words = observed.find(({ action }) => action === "nudge")!.message!;
    const told = createGuard();
    const actions = times(3, look).map((event) =>
      told.observe(event.type === "result" ? { ...event, output: `${"x".repeat(300)}\n\n${words}` } : event),
    );

    expect(actions.at(-1)?.finding?.count).toBe(3);
    expect(words).toBe("[doomloop] 同じ呼び出しです。");
  });

  it("are true where a host does something milder than was decided", () => {
    const said: string[] = [];
    const abilities = { nudge: "result", block: false, stop: "none" } as const;
    const messages = { nudge: ({ action, next }: MessageFacts) => `${action}, then ${next ?? "nothing"}.` };
    const run = createHostRuns({ ladderPace: false, messages }, abilities).start();
    for (let at = 0; at < 6; at++) {
      run.round();
      const { id } = run.call({ tool: "read_file", args: { path: "a.ts" } });
      said.push(run.result({ id, output: "x".repeat(300) }) ?? "");
    }

    expect(said).toContain("[doomloop] nudge, then nudge.");
    expect(said.join()).not.toContain("block");
  });

  it("are refused where they are no functions, or for what is never done", () => {
    expect(() => createGuard({ messages: { nudge: "hello" } as never })).toThrow(
      "messages.nudge: a function is required",
    );
    expect(() => createGuard({ messages: { nugde: () => "" } as never })).toThrow("did you mean nudge?");
  });

  it("do not change what is decided", () => {
    const guard = createGuard({ messages: { block: () => "No." }, ladderPace: false });
    for (const event of [...times(4, look), round]) guard.observe(event);

    expect(guard.observe(call("read_file", { path: "a.ts" }))).toMatchObject({
      action: "block",
      message: "[doomloop] No.",
    });
  });
});
