import { createGuard, type Decision, type Guard, type GuardOptions, LOOP_DETECTED } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { actionsOf, call, failure, result, step, times, user } from "../builders.ts";

const look = (path: string): AgentEvent[] => step("read_file", { path }, `this is ${path}`);
const fresh = (at: number): AgentEvent[] =>
  step("list_files", { folder: `folder-${at}` }, `only here: ${"f".repeat(at)}`);

/** Tells enough to show that nothing has happened. */
const telling = "The third box from the left is closed, the ladder leans against the wall, and nobody is here.";

/** Runs a call as a host would: not at all if it is refused. */
function make(guard: Guard, path: string): Decision {
  return makeCall(guard, "read_file", { path }, `this is ${path}`);
}

function makeCall(guard: Guard, tool: string, args: unknown, output: string): Decision {
  const before = guard.observe(call(tool, args));
  if (before.action === "block" || before.action === "stop") {
    guard.observe(result(before.message, { synthetic: true }));
    return before;
  }
  const after = guard.observe(result(output));
  return before.action === "continue" ? after : before;
}

function obstinate(count: number, options: GuardOptions = {}): Decision[] {
  const guard = createGuard(options);
  return Array.from({ length: count }, () => make(guard, "a.ts"));
}

const actions = (decisions: readonly Decision[]): string[] => decisions.map(({ action }) => action);
/** Each answer climbs one rung. */
const hasty = { ladderPace: false } as const;
const ORDER = ["continue", "nudge", "block", "restart", "stop"];

describe("the ladder", () => {
  it("gives words at growing distances, then refuses, then stops, and stays there", () => {
    const given = actions(obstinate(40));

    expect(given.flatMap((action, at) => (action === "nudge" ? [at] : []))).toEqual([2, 4, 8]);
    const beyond = given.slice(9);
    expect(beyond).toEqual([...beyond].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)));
    expect(new Set(beyond)).toEqual(new Set(["continue", "block", "stop"]));
  });

  it("climbs one rung with each answer where no pace is wanted", () => {
    expect(actions(obstinate(8, hasty))).toEqual([
      "continue",
      "continue",
      "nudge",
      "nudge",
      "block",
      "stop",
      "stop",
      "stop",
    ]);
  });

  it("stays there for a call that acts and says no more than that it did", () => {
    const guard = createGuard({ ...hasty, beyondNudge: "any" });
    const decisions = Array.from({ length: 8 }, () => makeCall(guard, "send_mail", { to: "ada" }, "ok"));

    expect(actions(decisions)).toEqual(["continue", "continue", "nudge", "nudge", "block", "stop", "stop", "stop"]);
  });

  const sends = (count: number, options: GuardOptions): Decision[] => {
    const guard = createGuard(options);
    return Array.from({ length: count }, () => makeCall(guard, "send_mail", { to: "ada" }, "the mail was sent"));
  };

  it("goes no further than words where nothing is certain, however long it goes on", () => {
    expect(new Set(actions(sends(300, {})))).toEqual(new Set(["continue", "nudge"]));
  });

  it("goes further where nothing is certain after as many rounds as it is told", () => {
    const given = actions(sends(60, { endUncertainAfter: 20 }));

    expect(given.slice(0, 22)).not.toContain("block");
    expect(given).toEqual(expect.arrayContaining(["nudge", "block", "stop"]));
  });

  it.each<[string, string, GuardOptions]>([
    ["read_file", "this is a.ts", {}],
    ["read_file", "this is a.ts", hasty],
    ["send_mail", "the mail was sent", {}],
    ["send_mail", "the mail was sent", hasty],
  ])(
    "refuses calls of %s (%s, %j) if it said that it would, and gives no words in between",
    (tool, output, options) => {
      const guard = createGuard(options);
      const decisions = Array.from({ length: 24 }, () => makeCall(guard, tool, { path: "a.ts" }, output));
      const threatened = decisions.findIndex(({ message }) => message?.includes("such calls will be refused"));
      const after = actions(decisions.slice(threatened + 1)).filter((action) => action !== "continue");

      if (tool === "read_file") expect([threatened > 0, after[0]]).toEqual([true, "block"]);
      else expect([threatened, new Set(after)]).toEqual([-1, new Set(["nudge"])]);
    },
  );

  it("goes further where any loop may be answered with more than words", () => {
    const decisions = sends(5, { ...hasty, beyondNudge: "any" });

    expect(actions(decisions)).toEqual(["continue", "continue", "nudge", "nudge", "block"]);
  });

  it("gives a status with a stop and with nothing else", () => {
    expect(obstinate(8, hasty).map(({ status }) => status)).toEqual([
      ...Array(5).fill(undefined),
      ...Array(3).fill(LOOP_DETECTED),
    ]);
  });

  it("says something else on each rung", () => {
    const decisions = obstinate(40);
    const said = (action: string) => decisions.filter((decision) => decision.action === action);
    const messages = [...said("nudge"), said("block")[0]!, said("stop")[0]!].map(({ message }) => message);

    expect(messages).not.toContain(undefined);
    expect(new Set(messages).size).toBe(5);
  });

  it("takes the rungs it is given", () => {
    expect(actions(obstinate(6, { ladder: ["stop"] }))).toEqual([
      "continue",
      "continue",
      "stop",
      "stop",
      "stop",
      "stop",
    ]);
    expect(actions(obstinate(6, { ladder: ["nudge"] }))).toEqual([
      "continue",
      "continue",
      "nudge",
      "continue",
      "nudge",
      "continue",
    ]);
  });

  it("gives a different loop its own warning", () => {
    const guard = createGuard();
    for (let at = 0; at < 4; at++) make(guard, "a.ts");

    expect(actions([make(guard, "b.ts"), make(guard, "b.ts"), make(guard, "b.ts")])).toEqual([
      "continue",
      "continue",
      "nudge",
    ]);
  });

  it("goes on for a different loop where all climb one ladder", () => {
    const firstOfOther = (options: GuardOptions): string | undefined => {
      const guard = createGuard(options);
      make(guard, "b.ts");
      for (let at = 0; at < 4; at++) make(guard, "a.ts");
      return Array.from({ length: 3 }, () => make(guard, "b.ts")).find(({ message }) => message !== undefined)?.message;
    };

    // The call has run: what would have been a refusal is the last warning.
    expect(firstOfOther({ ...hasty, ladderScope: "run" })).toMatch(/Last warning.*`read_file`/);
    expect(firstOfOther(hasty)).toMatch(/^\[doomloop\] You called `read_file`/);
  });

  it("goes on for a loop that shows under another name", () => {
    const guard = createGuard(hasty);
    const answers = ["a.ts", "b.ts", "a.ts", "b.ts", "a.ts", "a.ts"]
      .map((path) => make(guard, path))
      .filter(({ action }) => action !== "continue");

    expect(answers.map(({ finding }) => finding!.kind)).toEqual(["call-cycle", "repeated-call"]);
    expect(answers[0]!.message).not.toContain("Last warning");
    expect(answers[1]!.message).toContain("Last warning");
  });

  it("begins anew after any news", () => {
    const guard = createGuard(hasty);
    const look = () => makeCall(guard, "read_file", { path: "a.ts" }, telling);
    for (let at = 0; at < 4; at++) look();
    for (const event of fresh(1)) expect(guard.observe(event).action).toBe("continue");

    // What was learned in between excuses the first look, and no more: the others are counted with those from before.
    expect(actions(Array.from({ length: 4 }, look))).toEqual(["continue", "nudge", "nudge", "block"]);
  });

  it("does not begin anew without progress", () => {
    const guard = createGuard(hasty);
    make(guard, "b.ts");
    for (let at = 0; at < 4; at++) make(guard, "a.ts");
    // A look that was had before is no progress.
    for (let at = 0; at < 2; at++) make(guard, "b.ts");

    expect(make(guard, "a.ts").action).toBe("block");
  });

  it("starts over when the user speaks", () => {
    const guard = createGuard();
    for (let at = 0; at < 4; at++) make(guard, "a.ts");
    guard.observe(user("go on please"));

    expect(actions(Array.from({ length: 3 }, () => make(guard, "a.ts")))).toEqual(["continue", "continue", "nudge"]);
  });

  it("begins anew after a change of the world", () => {
    const guard = createGuard(hasty);
    for (let at = 0; at < 4; at++) make(guard, "a.ts");
    step("write_file", { path: "new.ts", content: "1" }, "written").forEach((event) => void guard.observe(event));

    expect(actions(Array.from({ length: 4 }, () => make(guard, "a.ts")))).toEqual([
      "continue",
      "continue",
      "nudge",
      "nudge",
    ]);
  });

  it("goes on after progress where it does not descend", () => {
    const guard = createGuard({ ...hasty, ladderDescends: false });
    for (let at = 0; at < 4; at++) make(guard, "a.ts");
    step("write_file", { path: "new.ts", content: "1" }, "written").forEach((event) => void guard.observe(event));

    expect(actions(Array.from({ length: 3 }, () => make(guard, "a.ts")))).toEqual(["continue", "block", "stop"]);
  });

  it("counts whether nudges were obeyed", () => {
    const heard = createGuard();
    for (let at = 0; at < 3; at++) make(heard, "a.ts");
    for (let at = 0; at < 8; at++) for (const event of fresh(at)) heard.observe(event);
    const unheard = createGuard();
    for (let at = 0; at < 9; at++) make(unheard, "a.ts");

    expect(heard.stats().nudges).toEqual({ obeyed: 1, ignored: 0 });
    expect(unheard.stats().nudges).toEqual({ obeyed: 0, ignored: 2 });
  });
});

describe("an attended run", () => {
  it("is never stopped nor restarted, and asks the human at the end", () => {
    const decisions = obstinate(50, { attended: true, ladder: ["nudge", "block", "restart", "stop"] });

    expect(new Set(actions(decisions))).toEqual(new Set(["continue", "nudge", "block"]));
    expect(decisions.at(-1)!.explanation).toMatch(/\?$/);
    expect(decisions.at(-1)!.message).toContain("The user has been asked");
  });

  it("with a ladder that knows only a stop ends at a refusal", () => {
    expect(new Set(actions(obstinate(20, { attended: true, ladder: ["stop"] })))).toEqual(
      new Set(["continue", "block", "nudge"]),
    );
  });

  it("with a ladder of nudges is never refused anything", () => {
    expect(new Set(actions(obstinate(20, { attended: true, ladder: ["nudge"] })))).toEqual(
      new Set(["continue", "nudge"]),
    );
  });
});

describe("a restart", () => {
  const options: GuardOptions = { ...hasty, ladder: ["nudge", "restart", "stop"] };

  it("is not given unless it was asked for", () => {
    for (const preset of ["balanced", "conservative", "aggressive"] as const) {
      expect(actions(obstinate(60, { preset }))).not.toContain("restart");
    }
  });

  it("is given where it was asked for, and begins with an empty memory", () => {
    const decisions = obstinate(6, options);

    expect(actions(decisions).slice(0, 4)).toEqual(["continue", "continue", "nudge", "restart"]);
    expect(decisions[3]!.message).toContain("starts over");
    expect(actions(decisions).slice(4)).toEqual(["continue", "continue"]);
  });

  it("that leads into the same loop climbs on", () => {
    expect(actions(obstinate(12, options))).toContain("stop");
  });
});

describe("a loop that was allowed", () => {
  const allowing = (): Guard => {
    const guard = createGuard();
    for (let at = 0; at < 3; at++) {
      const { finding } = make(guard, "a.ts");
      if (finding !== undefined) guard.allow(finding);
    }
    return guard;
  };

  it("is not reported again", () => {
    const guard = allowing();

    expect(new Set(actions(Array.from({ length: 40 }, () => make(guard, "a.ts"))))).toEqual(new Set(["continue"]));
  });

  it("does not silence another", () => {
    const guard = allowing();

    expect(actions(Array.from({ length: 3 }, () => make(guard, "b.ts")))).toEqual(["continue", "continue", "nudge"]);
  });

  it("stays allowed after a reset", () => {
    const guard = allowing();
    guard.reset();

    expect(new Set(actions(Array.from({ length: 5 }, () => make(guard, "a.ts"))))).toEqual(new Set(["continue"]));
  });

  it("is counted as a false positive", () => {
    expect(allowing().stats().falsePositives).toBe(1);
  });
});

describe("the last word", () => {
  it("is onDecision's: it softens", () => {
    const decisions = obstinate(8, { onDecision: (decision) => ({ ...decision, action: "nudge" }) });

    expect(new Set(actions(decisions))).toEqual(new Set(["continue", "nudge"]));
  });

  it("is onDecision's: it silences", () => {
    expect(new Set(actions(obstinate(8, { onDecision: () => ({ action: "continue" }) })))).toEqual(
      new Set(["continue"]),
    );
  });

  it("is the guard's where onDecision says nothing", () => {
    expect(actions(obstinate(8, { onDecision: () => undefined }))).toEqual(actions(obstinate(8)));
  });

  it("is what the statistics count", () => {
    const guard = createGuard({ onDecision: () => ({ action: "continue" }) });
    for (let at = 0; at < 8; at++) make(guard, "a.ts");

    expect(guard.stats().decisions).toMatchObject({ nudge: 0, block: 0, stop: 0 });
  });
});

describe("a shadow", () => {
  it("sees everything, says nothing to the agent and does nothing", () => {
    const decisions = obstinate(8, { preset: "shadow" });

    expect(new Set(actions(decisions))).toEqual(new Set(["continue"]));
    expect(decisions.filter(({ finding }) => finding !== undefined).length).toBeGreaterThan(0);
    expect(decisions.filter(({ message }) => message !== undefined)).toEqual([]);
  });
});

describe("what must not happen twice", () => {
  const options: GuardOptions = { tools: { deploy: { repeat: "never" } } };

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
      ["frobnicate", telling],
    ] as const) {
      const guard = createGuard({ tools: { [tool]: { threshold } } });
      const decisions = Array.from({ length: threshold }, () => makeCall(guard, tool, { path: "a" }, output));

      expect(actions(decisions)).toEqual([...Array(threshold - 1).fill("continue"), "nudge"]);
    }
  });
});

describe("a tool declared to poll", () => {
  const ask = (count: number, output: string, options: GuardOptions): string[] => {
    const guard = createGuard(options);
    return actions(Array.from({ length: count }, () => makeCall(guard, "frobnicate", { job: 7 }, output)));
  };

  it.each(["ok", "it failed", "the job is in state 4", "x".repeat(300)])(
    "may ask for long, whatever it hears: %s",
    (output) => {
      expect(ask(100, output, { tools: { frobnicate: { poll: true } } })).not.toContain("nudge");
      expect(ask(100, output, {})).toContain("nudge");
    },
  );

  it("is spoken to once its own patience is used up", () => {
    const options: GuardOptions = { tools: { frobnicate: { poll: { patienceMs: 60_000 } } } };

    // Where nobody tells the time, a look is worth ten seconds.
    expect(ask(7, telling, options)).not.toContain("nudge");
    expect(ask(12, telling, options)).toContain("nudge");
  });
});

describe("an ignored tool", () => {
  it("neither counts nor interrupts what is counted", () => {
    const options: GuardOptions = { tools: { ls: { ignore: true } } };
    const list = step("ls", {}, "a b c");

    expect(actionsOf(times(20, list), options)).toEqual([]);
    expect(actionsOf(times(3, [...look("a.ts"), ...list]), options)).toEqual(["nudge"]);
  });

  it("may be ignored by its arguments", () => {
    const options: GuardOptions = {
      tools: { read_file: { ignore: (args) => (args as { path: string }).path === "a.ts" } },
    };

    expect(actionsOf(times(20, look("a.ts")), options)).toEqual([]);
    expect(actionsOf(times(3, look("b.ts")), options)).toEqual(["nudge"]);
  });
});
