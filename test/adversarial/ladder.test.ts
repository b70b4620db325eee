import { createGuard, type Decision, type Guard, type GuardOptions, LOOP_DETECTED } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { actionsOf, call, type Doing, failure, make, makeAll, placesOf, step, times, user } from "../builders.ts";

/** A clear loop: only the run changes what it reads. */
const look = (path = "a.ts"): Doing => ({ tool: "read_file", args: { path }, output: `this is ${path}` });
/** Loops that are not so clear: what comes back does not show whether anything happened. */
const unclear: [string, Doing][] = [
  ["a mail", { tool: "send_mail", args: { to: "ada" }, output: "the mail was sent" }],
  ["an act", { tool: "frobnicate", args: { on: true }, output: "ok" }],
  ["a click", { tool: "browser_click", args: { ref: "e12" }, output: "Clicked." }],
  ["an empty search", { tool: "search", args: { query: "the retry policy" }, output: "No results." }],
  ["a page that is not there", { tool: "http_get", args: { url: "https://x.example/a" }, output: "404 Not Found" }],
  ["a setting", { tool: "set_volume", args: { level: 3 }, output: "done" }],
  ["a look at what others change", { tool: "get_order", args: { id: 7 }, output: "shipped" }],
  ["a busy service", { tool: "deploy", args: { to: "live" }, output: "Error: 429 too many requests", error: true }],
];
const fresh = (at: number): Doing => ({
  tool: "list_files",
  args: { folder: `folder-${at}` },
  output: `only here: ${"f".repeat(at + 1)}`,
});

const again = (count: number, doing: Doing = look()): Doing[] => Array.from({ length: count }, () => doing);
/** An agent that makes the same call, whatever it is told. */
const obstinate = (count: number, options: GuardOptions = {}, doing: Doing = look()): Decision[] =>
  makeAll(createGuard(options), again(count, doing));
const actions = (decisions: readonly Decision[]): string[] => decisions.map(({ action }) => action);
/** Words, the last words, a refusal and the end, call by call. */
const hasty = { levels: { refused: 5, ended: 6 } } as const;

describe("a clear loop", () => {
  it("is told at growing distances, refused from the tenth call and ended at the twentieth", () => {
    const decisions = obstinate(40);

    expect(placesOf("nudge", decisions)).toEqual([2, 4, 8]);
    expect(placesOf("block", decisions)[0]).toBe(9);
    expect(placesOf("stop", decisions)).toEqual(Array.from({ length: 21 }, (_, at) => 19 + at));
  });

  it("gets through now and then while it is refused: at the third refusal, and then at twice the distance", () => {
    const given = actions(obstinate(40, { levels: { refused: 10, ended: 60 } })).slice(9);

    expect(given.flatMap((action, at) => (action === "continue" ? [at + 1] : []))).toEqual([3, 6, 12, 24]);
    expect(new Set(given)).toEqual(new Set(["block", "continue"]));
  });

  it("is one with failures, too", () => {
    const failing = { tool: "bash", args: { command: "npm test" }, output: "1 failed: expected 2, got 3", error: true };
    const decisions = obstinate(24, {}, failing);

    expect([placesOf("nudge", decisions)[0], placesOf("block", decisions)[0], placesOf("stop", decisions)[0]]).toEqual([
      2, 9, 19,
    ]);
  });

  it("gives a status with a stop and with nothing else", () => {
    expect(obstinate(8, hasty).map(({ status }) => status)).toEqual([
      ...Array(5).fill(undefined),
      ...Array(3).fill(LOOP_DETECTED),
    ]);
  });

  it("is told something else each time", () => {
    const decisions = obstinate(40);
    const said = (action: string) => decisions.filter((decision) => decision.action === action);
    const messages = [...said("nudge"), said("block")[0]!, said("stop")[0]!].map(({ message }) => message);

    expect(messages).not.toContain(undefined);
    expect(new Set(messages).size).toBe(5);
  });

  it("is warned before the first refusal, and nothing comes in between", () => {
    for (const options of [{}, hasty, { preset: "aggressive" }, { preset: "conservative" }] as const) {
      const decisions = obstinate(40, options);
      const warned = decisions.findIndex(({ message }) => message?.includes("will be refused"));
      const after = actions(decisions.slice(warned + 1)).filter((action) => action !== "continue");

      expect([warned > 0, after[0]]).toEqual([true, "block"]);
    }
  });
});

describe("a loop that is not clear", () => {
  it.each(unclear)("is told by the 21st call, refused by the 40th and ended by the 60th: %s", (_, doing) => {
    const decisions = obstinate(90, {}, doing);
    const [told, refused, ended] = ["nudge", "block", "stop"].map((action) => placesOf(action, decisions)[0]! + 1);

    expect(told).toBeGreaterThanOrEqual(3);
    expect(refused).toBeGreaterThanOrEqual(10);
    expect(told).toBeLessThanOrEqual(21);
    expect(refused).toBeLessThanOrEqual(40);
    expect(ended).toBeGreaterThan(refused!);
    expect(ended).toBeLessThanOrEqual(60);
  });

  it.each(unclear)("is ended with a clock, too: %s", (_, doing) => {
    expect(actions(obstinate(90, {}, { ...doing, afterMs: 2_000 }))).toContain("stop");
  });
});

describe("what the host may have done", () => {
  it("is done, and nothing else", () => {
    expect(actions(obstinate(6, { ladder: ["stop"] }))).toEqual([
      "continue",
      "continue",
      "stop",
      "stop",
      "stop",
      "stop",
    ]);
    expect(new Set(actions(obstinate(90, { ladder: ["nudge"] })))).toEqual(new Set(["continue", "nudge"]));
    expect(new Set(actions(obstinate(90, { ladder: ["nudge", "block"] })))).toEqual(
      new Set(["continue", "nudge", "block"]),
    );
    expect(new Set(actions(obstinate(90, { ladder: ["nudge", "stop"] })))).toEqual(
      new Set(["continue", "nudge", "stop"]),
    );
  });

  it("comes at the levels that it says", () => {
    const decisions = obstinate(20, { levels: { told: 5, refused: 7, ended: 9 } });

    expect([placesOf("nudge", decisions)[0], placesOf("block", decisions)[0], placesOf("stop", decisions)[0]]).toEqual([
      4, 6, 8,
    ]);
  });

  it("goes for words without work as well", () => {
    const words: AgentEvent[] = times(40, [{ type: "text", text: "I will now begin." }]);

    expect(actionsOf(words)).toContain("stop");
    expect(new Set(actionsOf(words, { ladder: ["nudge"] }))).toEqual(new Set(["nudge"]));
    expect(actionsOf(words, { attended: true })).not.toContain("stop");
  });
});

describe("a refusal", () => {
  const refused = (options: GuardOptions = {}): Guard => {
    const guard = createGuard(options);
    expect(makeAll(guard, again(10)).at(-1)!.action).toBe("block");
    return guard;
  };

  it("lapses when the agent does something else that brings anything", () => {
    const guard = refused();

    expect(actions(makeAll(guard, [fresh(1), look()]))).toEqual(["continue", "continue"]);
  });

  it("does not lapse when it does something else that brings nothing", () => {
    const guard = createGuard();
    makeAll(guard, [look("b.ts"), ...again(10)]);

    expect(actions(makeAll(guard, [look("b.ts"), look()]))[1]).toBe("block");
  });

  it("lapses when the agent waits longer than it did before", () => {
    const guard = createGuard();
    const hurried = again(10, { ...look(), afterMs: 1_000 });
    expect(makeAll(guard, hurried).at(-1)!.action).toBe("block");

    expect(make(guard, look(), 1_770_000_000_000 + 41_000).action).not.toBe("block");
  });

  it("lapses when the agent sleeps", () => {
    const sleep = { tool: "bash", args: { command: "sleep 30" }, output: "" };

    expect(makeAll(refused(), [sleep, look()])[1]!.action).not.toBe("block");
  });

  it("is nothing that the user's word leaves", () => {
    const guard = refused();
    guard.observe(user("go on please"));

    expect(actions(makeAll(guard, again(3)))).toEqual(["continue", "continue", "nudge"]);
  });

  it("never meets a call that finishes, gives up or hands over", () => {
    for (const tool of ["finish", "submit", "task_done_handoff", "complete"]) {
      const given = obstinate(40, {}, { tool, args: { answer: "42" }, output: "Rejected: the answer is too short." });
      expect(actions(given)).not.toContain("block");
    }
  });

  it("leaves other calls alone", () => {
    expect(makeAll(refused(), [look("b.ts"), fresh(2)]).map(({ action }) => action)).toEqual(["continue", "continue"]);
  });
});

describe("a digression", () => {
  const rounds = (count: number): Doing[] => Array.from({ length: count }, (_, at) => [look(), fresh(at)]).flat();

  it("between all calls makes the loop none: something is learned", () => {
    expect(new Set(actions(makeAll(createGuard(), rounds(30))))).toEqual(new Set(["continue"]));
  });

  it("now and then does not keep a loop alive for ever", () => {
    const stretch = (at: number): Doing[] => [...again(6), fresh(at)];
    const decisions = makeAll(createGuard(), Array.from({ length: 40 }, (_, at) => stretch(at)).flat());

    expect(actions(decisions)).toContain("block");
    expect(actions(decisions)).toContain("stop");
  });
});

describe("another loop", () => {
  it("is told in its turn, and the first one is not forgotten", () => {
    const guard = createGuard();
    makeAll(guard, again(4));

    expect(actions(makeAll(guard, again(3, look("b.ts"))))).toEqual(["continue", "continue", "nudge"]);
  });

  it("adds up with the one before: three of one, three of the next are six", () => {
    const paths = ["a.ts", "b.ts", "c.ts", "d.ts"];
    const decisions = makeAll(
      createGuard(),
      Array.from({ length: 40 }, (_, at) => look(paths[Math.floor(at / 3) % 4])),
    );

    expect(actions(decisions)).toContain("block");
    expect(actions(decisions)).toContain("stop");
  });
});

describe("progress", () => {
  it("takes back one round, and words go on", () => {
    const guard = createGuard(hasty);
    makeAll(guard, again(4));
    makeAll(guard, [fresh(1)]);

    expect(make(guard, look()).action).not.toBe("block");
  });

  it("is a change of the world", () => {
    const guard = createGuard(hasty);
    makeAll(guard, again(4));
    makeAll(guard, [{ tool: "write_file", args: { path: "new.ts", content: "1" }, output: "written" }]);

    expect(actions(makeAll(guard, again(2)))).toEqual(["continue", "continue"]);
  });

  it("is what shows whether nudges were obeyed", () => {
    const heard = createGuard();
    makeAll(heard, [...again(3), ...Array.from({ length: 8 }, (_, at) => fresh(at))]);
    const unheard = createGuard();
    makeAll(unheard, again(9));

    expect(heard.stats().nudges).toEqual({ obeyed: 1, ignored: 0 });
    expect(unheard.stats().nudges).toEqual({ obeyed: 0, ignored: 2 });
  });
});

describe("an attended run", () => {
  it("is never stopped nor restarted, and asks the human at the end", () => {
    const decisions = obstinate(50, { attended: true, ladder: ["nudge", "block", "restart", "stop"] });

    expect(new Set(actions(decisions))).toEqual(new Set(["continue", "nudge", "block"]));
    const asked = decisions.findLast(({ action }) => action === "block")!;
    expect(asked.explanation).toMatch(/\?$/);
    expect(asked.message).toContain("The user will decide");
  });

  it("with a list that knows only a stop ends at a refusal", () => {
    const given = new Set(actions(obstinate(20, { attended: true, ladder: ["stop"] })));

    expect([given.has("block"), given.has("stop")]).toEqual([true, false]);
  });

  it("with a list of nudges is never refused anything", () => {
    expect(new Set(actions(obstinate(20, { attended: true, ladder: ["nudge"] })))).toEqual(
      new Set(["continue", "nudge"]),
    );
  });
});

describe("a restart", () => {
  const options: GuardOptions = { ladder: ["nudge", "restart", "stop"] };

  it("is not given unless it was asked for", () => {
    for (const preset of ["balanced", "conservative", "aggressive"] as const) {
      expect(actions(obstinate(60, { preset }))).not.toContain("restart");
    }
  });

  it("is given where it was asked for, begins with an empty memory, and comes once for each time in the list", () => {
    const decisions = obstinate(60, options);
    const [restart, ...others] = placesOf("restart", decisions);

    expect([restart, others]).toEqual([19, []]);
    expect(decisions[19]!.message).toContain("starts over");
    expect(actions(decisions.slice(20, 23))).toEqual(["continue", "continue", "nudge"]);
    expect(placesOf("stop", decisions)[0]).toBe(39);
  });
});

describe("a loop that was allowed", () => {
  const allowing = (): Guard => {
    const guard = createGuard();
    for (const { finding } of makeAll(guard, again(3))) if (finding !== undefined) guard.allow(finding);
    return guard;
  };

  it("is not reported again", () => {
    expect(new Set(actions(makeAll(allowing(), again(40))))).toEqual(new Set(["continue"]));
  });

  it("does not silence another", () => {
    expect(actions(makeAll(allowing(), again(3, look("b.ts"))))).toEqual(["continue", "continue", "nudge"]);
  });

  it("stays allowed after a reset", () => {
    const guard = allowing();
    guard.reset();

    expect(new Set(actions(makeAll(guard, again(5))))).toEqual(new Set(["continue"]));
  });

  it("is counted as a false positive", () => {
    expect(allowing().stats().falsePositives).toBe(1);
  });
});

describe("the last word", () => {
  it("is onDecision's: it softens", () => {
    const decisions = obstinate(8, { ...hasty, onDecision: (decision) => ({ ...decision, action: "nudge" }) });

    expect(new Set(actions(decisions))).toEqual(new Set(["continue", "nudge"]));
  });

  it("is onDecision's: it silences", () => {
    const silent = obstinate(8, { ...hasty, onDecision: () => ({ action: "continue" }) });

    expect(new Set(actions(silent))).toEqual(new Set(["continue"]));
  });

  it("is the guard's where onDecision says nothing", () => {
    expect(actions(obstinate(24, { onDecision: () => undefined }))).toEqual(actions(obstinate(24)));
  });

  it("is what the statistics count", () => {
    const guard = createGuard({ ...hasty, onDecision: () => ({ action: "continue" }) });
    makeAll(guard, again(8));

    expect(guard.stats().decisions).toMatchObject({ nudge: 0, block: 0, stop: 0 });
  });
});

describe("a shadow", () => {
  it("sees everything, says nothing to the agent and does nothing", () => {
    const decisions = obstinate(24, { preset: "shadow" });

    expect(new Set(actions(decisions))).toEqual(new Set(["continue"]));
    expect(decisions.filter(({ finding }) => finding !== undefined).length).toBeGreaterThan(0);
    expect(decisions.filter(({ message }) => message !== undefined)).toEqual([]);
  });
});

describe("what must not happen twice", () => {
  const options: GuardOptions = { rules: { deploy: { repeat: "never" } } };

  it("is refused at once after a success", () => {
    expect(actionsOf([...step("deploy", { to: "live" }, "deployed"), call("deploy", { to: "live" })], options)).toEqual(
      ["block"],
    );
  });

  it("may be tried again after a failure, or with other arguments", () => {
    const failing = [call("deploy", { to: "live" }), failure("the gate is closed")];

    expect(actionsOf([...failing, call("deploy", { to: "live" })], options)).toEqual([]);
    expect(actionsOf([...step("deploy", { to: "test" }, "deployed"), call("deploy", { to: "live" })], options)).toEqual(
      [],
    );
  });
});

describe("a tool's own threshold", () => {
  it.each([2, 5, 9])("of %i is where it is spoken to first, whatever the tool does", (threshold) => {
    for (const [tool, output] of [
      ["read_file", "a"],
      ["send_mail", "ok"],
      ["frobnicate", "The third box from the left is closed, and nobody is here."],
    ] as const) {
      const options = { rules: { [tool]: { threshold } } };

      expect(actions(obstinate(threshold, options, { tool, args: { path: "a" }, output }))).toEqual([
        ...Array(threshold - 1).fill("continue"),
        "nudge",
      ]);
    }
  });
});

describe("a tool declared to poll", () => {
  const ask = (count: number, output: string, options: GuardOptions): string[] =>
    actions(obstinate(count, options, { tool: "frobnicate", args: { job: 7 }, output }));

  it.each(["ok", "it failed", "the job is in state 4", "x".repeat(300)])(
    "may ask for long, whatever it hears: %s",
    (output) => {
      expect(ask(100, output, { rules: { frobnicate: { poll: true } } })).not.toContain("nudge");
      expect(ask(100, output, {})).toContain("nudge");
    },
  );

  it("is spoken to once its own patience is used up", () => {
    const options: GuardOptions = { rules: { frobnicate: { poll: { patienceMs: 60_000 } } } };
    const telling = "The third box from the left is closed, the ladder leans against the wall, and nobody is here.";

    // Where nobody tells the time, a look is worth ten seconds.
    expect(ask(7, telling, options)).not.toContain("nudge");
    expect(ask(24, telling, options)).toContain("nudge");
  });
});

describe("an ignored tool", () => {
  const list = step("ls", {}, "a b c");
  const read = (path: string): AgentEvent[] => step("read_file", { path }, `this is ${path}`);

  it("neither counts nor interrupts what is counted", () => {
    const options: GuardOptions = { rules: { ls: { ignore: true } } };

    expect(actionsOf(times(20, list), options)).toEqual([]);
    expect(actionsOf(times(3, [...read("a.ts"), ...list]), options)).toEqual(["nudge"]);
  });

  it("may be ignored by its arguments", () => {
    const options: GuardOptions = {
      rules: { read_file: { ignore: (args) => (args as { path: string }).path === "a.ts" } },
    };

    expect(actionsOf(times(20, read("a.ts")), options)).toEqual([]);
    expect(actionsOf(times(3, read("b.ts")), options)).toEqual(["nudge"]);
  });
});
