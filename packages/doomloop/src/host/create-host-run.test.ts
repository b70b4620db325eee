import { type AgentEvent, createGuard, type Decision, type GuardOptions, type Snapshot } from "doomloop";
import { describe, expect, it } from "vitest";
import type { HostAbilities } from "./abilities.ts";
import { createHostRun } from "./create-host-run.ts";
import type { HostDowngrade, HostOptions, LoopStop } from "./host-options.ts";
import type { CallAnswer, HostCall, HostResult, HostRun, SavedHostRun } from "./host-run.ts";
import { createHostRuns } from "./host-runs.ts";

const ALL: HostAbilities = { nudge: "result", block: true, stop: "clean" };

/** Levels that six laps reach. */
const QUICK = { levels: { told: 3, refused: 5, ended: 6 } } as const;

/** A run, and the events that its guard observes. */
function newRun(abilities: Partial<HostAbilities> = {}, options: HostOptions = {}, guardOptions: GuardOptions = {}) {
  const events: AgentEvent[] = [];
  const guard = createGuard({ ...QUICK, ...guardOptions });
  const observe = (event: AgentEvent): Decision => {
    events.push(event);
    return guard.observe(event);
  };
  return {
    run: createHostRun({
      guard: { observe, peek: (event) => guard.peek(event) },
      abilities: { ...ALL, ...abilities },
      options,
      reportFault: () => undefined,
    }),
    events,
  };
}

const CALL: HostCall = { tool: "read_file", args: { path: "a.ts" } };
const RESULT: Omit<HostResult, "id"> = { output: "text" };

/** One lap of a loop: the answer to the call, and the words appended to its result. */
function lap(run: HostRun, at: number): string {
  run.round();
  const answer: CallAnswer = run.call({ ...CALL, id: `c${at}` });
  if (answer.action !== "run") return answer.action;
  const words = run.result({ ...RESULT, id: answer.id });
  return words === undefined ? "run" : `run, ${words.slice(0, 10)}`;
}

const laps = (run: HostRun, count: number): string[] => Array.from({ length: count }, (_, at) => lap(run, at));

describe("a run of a host", () => {
  it("lets the guard hear what the user asked for, at the beginning of each turn and before its first call", () => {
    const { run, events } = newRun();
    const texts = () => events.flatMap((event) => (event.type === "user" ? [event.text] : []));
    run.asked(() => "Press the shutter 24 times.");
    run.asked(() => "Press the shutter 24 times.");
    lap(run, 1);
    run.user();
    lap(run, 2);
    run.asked(() => "Too late: this would take back what the calls have shown.");
    expect(texts()).toEqual(["Press the shutter 24 times.", undefined]);

    run.user();
    run.asked(() => "Now once more.");
    run.user("Said by the host itself.");
    run.asked(() => "Heard already.");
    expect(texts().slice(2)).toEqual([undefined, "Now once more.", "Said by the host itself."]);
  });

  it("reports the end once, with words for people, and takes it back when the user speaks", () => {
    const stops: LoopStop[] = [];
    const { run } = newRun({}, { onStop: (stop) => void stops.push(stop) });
    laps(run, 8);

    expect(stops).toHaveLength(1);
    expect(stops[0]?.explanation).toBe(
      "Stopped: the agent called `read_file` 4 times with the same arguments and got the same result each time. 2 more such calls were refused.",
    );
    expect(run.stopped()).toBe(stops[0]);
    run.user();
    expect(run.stopped()).toBeUndefined();
  });

  it("forgets abandoned calls, and keeps their words for the next result", () => {
    const { run, events } = newRun();
    for (let at = 0; at < 8; at++) {
      run.round();
      const answer = run.call({ ...CALL, id: `given up ${at}` });
      run.hold("[doomloop] Words that wait.");
      run.abandon(answer.id);
      expect(answer.action).toBe("run");
    }

    expect(events.at(-1)).toMatchObject({ type: "result", id: "given up 7", cancelled: true });
    expect(laps(run, 4)).toEqual(["run, [doomloop]", "run", "run, [doomloop]", "run, [doomloop]"]);
  });

  it("says whether it would refuse a call, and records nothing", () => {
    const { run, events } = newRun();
    const foreseen = Array.from({ length: 6 }, (_, at) => {
      run.round();
      const count = events.length;
      const isRefused = run.wouldRefuse(CALL);
      expect(events).toHaveLength(count);
      const answer = run.call({ ...CALL, id: `c${at}` });
      if (answer.action === "run") run.result({ ...RESULT, id: answer.id });
      return isRefused;
    });

    expect(foreseen).toEqual([false, false, false, false, true, true]);
    expect(run.wouldRefuse({ tool: "write_file" })).toBe(true);
  });

  it.each([
    ["result", true],
    ["message", true],
    ["result", undefined],
    ["message", undefined],
  ] as const)("lets the host say where words go: in the %s, delivered: %s", (nudge, isDelivered) => {
    const delivered: unknown[] = [];
    const deliver = (words: string, key: string | undefined) => {
      delivered.push([words, key]);
      return isDelivered;
    };
    const run = createHostRuns({ deliver }, { nudge, block: true, stop: "clean" }).of("thread");
    const said = Array.from({ length: 3 }, () => {
      run.round();
      const { id } = run.call(CALL);
      return run.result({ ...RESULT, id }) ?? run.words();
    });

    expect(delivered).toEqual([[expect.stringContaining("[doomloop] This exact"), "thread"]]);
    expect(said.filter(Boolean)).toHaveLength(isDelivered ? 0 : 1);
  });

  it("appends words to the result if the host fails to deliver them, and reports the fault", () => {
    const faults: unknown[] = [];
    const deliver = () => {
      throw new Error("mine");
    };
    const onFault = (fault: unknown) => void faults.push(fault);
    const run = createHostRuns({ deliver, onFault }, { nudge: "result", block: true, stop: "clean" }).start();

    expect(laps(run, 3).at(-1)).toContain("[doomloop]");
    expect(faults.map(String)).toEqual(["Error: mine"]);
  });

  it("observes a blocked call as answered, and ignores a report of its answer", () => {
    const { run, events } = newRun();
    laps(run, 5);
    const before = events.length;

    expect(events.at(-1)).toMatchObject({ type: "result", id: "c4", synthetic: true });
    expect(run.result({ id: "c4", output: "not run" })).toBeUndefined();
    expect(events).toHaveLength(before);
  });

  it("observes the result of a later call with the id of a blocked one", () => {
    const { run, events } = newRun();
    laps(run, 5);
    run.round();
    run.call({ id: "c4", tool: "write_file", args: { path: "b.ts" } });
    run.result({ id: "c4", output: "written" });

    expect(events.at(-1)).toMatchObject({ type: "result", id: "c4", output: "written" });
  });

  it("delivers words about a call with the result of that call only", () => {
    const nudge: Decision = { action: "nudge", message: "[doomloop] said before" };
    const guard = { observe: ({ type }: AgentEvent): Decision => (type === "call" ? nudge : { action: "continue" }) };
    const run = createHostRun({ guard, abilities: ALL, options: {}, reportFault: () => undefined });
    run.call({ id: "a", tool: "x" });
    const plain = createHostRun({ guard: createGuard(), abilities: ALL, options: {}, reportFault: () => undefined });
    plain.call({ id: "b", tool: "x" });

    expect(run.result({ id: "b", output: "" })).toBeUndefined();
    expect(run.result({ id: "a", output: "" })).toBe("[doomloop] said before");
    expect(run.result({ id: "a", output: "" })).toBeUndefined();
  });

  it("delivers held words with the next result or with the answer to a blocked call", () => {
    const { run } = newRun();
    run.hold("[doomloop] held");
    expect(lap(run, 0)).toBe("run, [doomloop]");
    laps(run, 4).slice(1);
    run.hold("[doomloop] held");
    run.round();
    const answer = run.call({ id: "z", tool: "read_file", args: { path: "a.ts" } });

    expect(answer).toMatchObject({ message: expect.stringMatching(/^\[doomloop\] held\n\n\[doomloop\] /) });
  });

  it("cannot refuse a past call, and keeps the words about it", () => {
    const { run } = newRun();
    for (let at = 0; at < 6; at++) {
      run.round();
      run.past({ ...CALL, id: `p${at}`, output: "text" });
    }

    expect(run.stopped()?.callId).toBe("p5");
    expect(run.words()).not.toContain("Not run:");
  });
});

describe("what is reported to a run late", () => {
  const timesOf = (events: readonly AgentEvent[]) => events.flatMap((event) => ("at" in event ? [event.at] : []));

  const recallLap = (run: HostRun): void => {
    run.round();
    run.past({ ...CALL, output: "text ".repeat(50) });
  };

  it("has no time if it is recalled, and neither does the next call", () => {
    const { run, events } = newRun();
    for (let at = 0; at < 3; at++) run.recall("untold", () => recallLap(run));
    const { id } = run.call({ tool: "list_files" });
    run.result({ id, output: "a.ts" });
    run.call({ tool: "list_files", args: { path: "src" } });

    expect(timesOf(events).map((at) => typeof at)).toEqual([...Array(7).fill("undefined"), "number", "number"]);
  });

  it("counts if nothing was said, so that words are due as soon as the loop continues", () => {
    const { run } = newRun();
    for (let at = 0; at < 5; at++) run.recall("untold", () => recallLap(run));
    expect([run.words(), run.stopped()]).toEqual([undefined, undefined]);
    run.recall("due", () => recallLap(run));

    expect(run.words()).toContain("[doomloop]");
  });

  it("counts as said if it was said, is not repeated, and ends no run twice", () => {
    const stops: LoopStop[] = [];
    const { run } = newRun({}, { onStop: (stop) => void stops.push(stop) });
    for (let at = 0; at < 6; at++) run.recall("told", () => recallLap(run));

    expect(run.words()).toBeUndefined();
    expect(run.stopped()).toMatchObject({ status: "LOOP_DETECTED" });
    expect(stops).toEqual([]);
  });

  it("is not measured by the host's current state", () => {
    const { run, events } = newRun({}, { state: () => ({ files: 1 }), compactions: () => 2 });
    run.recall("untold", () => void run.result({ id: run.call({ ...CALL, hasRun: true }).id, output: "text" }));
    expect(events.map(({ type }) => type)).toEqual(["call", "result"]);
    run.call({ tool: "list_files" });

    expect(events.map(({ type }) => type)).toEqual(["call", "result", "state", "call"]);
  });

  it("cannot be refused if it has run, and is not progress if it was refused", () => {
    const { run, events } = newRun();
    const answers = Array.from({ length: 6 }, () => {
      run.round();
      const { action, id } = run.call({ ...CALL, hasRun: true });
      run.result({ id, output: "[doomloop] Not run: it repeats earlier calls.", isRefusal: true });
      return action;
    });

    expect(new Set(answers)).toEqual(new Set(["run"]));
    expect(events.filter((event) => event.type === "result" && event.synthetic === true)).toHaveLength(6);
  });
});

describe("arguments in words to the agent", () => {
  it("are quoted in nudges and refusals if the host asks for it", () => {
    const { run } = newRun({}, { quote: true });
    const answers = Array.from({ length: 5 }, (_, at) => {
      run.round();
      const answer = run.call({ ...CALL, id: `c${at}` });
      return answer.action === "run" ? run.result({ ...RESULT, id: answer.id }) : answer.message;
    });

    expect(answers.map((words) => words?.includes('quoted as data: {"path":"a.ts"}'))).toEqual([
      undefined,
      undefined,
      true,
      true,
      true,
    ]);
    expect(JSON.stringify(laps(newRun().run, 5))).not.toContain("a.ts");
  });
});

describe("a run with a process for each event", () => {
  it("continues like a run in one process, clock included", () => {
    let at = 0;
    const settings = { abilities: ALL, options: {}, now: () => at, reportFault: () => undefined };
    let snapshot: Snapshot | undefined;
    let saved: SavedHostRun | undefined;
    const inProcess = <Value>(act: (run: HostRun) => Value): Value => {
      const guard = createGuard(snapshot && { snapshot });
      const run = createHostRun({ ...settings, guard, saved });
      const value = act(run);
      snapshot = JSON.parse(JSON.stringify(guard.snapshot()));
      saved = JSON.parse(JSON.stringify(run.save()));
      return value;
    };
    const inOne = createHostRun({ ...settings, guard: createGuard() });
    const lapOf = (within: typeof inProcess): string => {
      within((run) => run.round());
      const answer = within((run) => run.call({ ...CALL, id: "" }));
      if (answer.action !== "run") return answer.action;
      return within((run) => run.result({ ...RESULT, id: "" })) ?? "run";
    };
    const done = Array.from({ length: 22 }, () => {
      at += 4_000;
      return [lapOf(inProcess), lapOf((act) => act(inOne))];
    });

    expect(done.map(([apart]) => apart)).toEqual(done.map(([, together]) => together));
    expect(done.flat()).toEqual(expect.arrayContaining(["block", "stop"]));
    expect(inProcess((run) => run.stopped())?.kind).toBe("repeated-call");
    inProcess((run) => run.user());
    expect(inProcess((run) => run.stopped())).toBeUndefined();
  });

  it("goes on if the clock of the next process starts again", () => {
    const settings = { abilities: ALL, options: {}, reportFault: () => undefined };
    const before = createGuard();
    const first = createHostRun({ ...settings, guard: before, now: () => 1_000_000 });
    laps(first, 5);
    const after = createGuard({ snapshot: before.snapshot() });
    const second = createHostRun({ ...settings, guard: after, now: () => 0, saved: first.save() });

    expect(laps(second, 10).indexOf("block")).toBe(10 - 1 - 5);
  });
});

describe("pending words", () => {
  it("are dropped when the user speaks", () => {
    const { run } = newRun();
    run.round();
    run.text("I should look at the file again. ".repeat(60));
    run.user("Thanks. Now something else.");
    const { id } = run.call({ ...CALL, id: "c1" });

    expect(run.result({ ...RESULT, id })).toBeUndefined();
  });
});

describe("what the agent thinks", () => {
  it("is observed, and the next result carries the words about it", () => {
    const { run } = newRun();
    run.round();
    run.reasoning("I should look at the file again. ".repeat(12));
    const { id } = run.call({ ...CALL, id: "c1" });

    expect(run.result({ ...RESULT, id })).toContain("Your reasoning said the same words");
  });
});

describe("a decision that the host cannot carry out", () => {
  it.each([
    { abilities: { stop: "none" }, done: ["run", "run", "run, [doomloop]", "run, [doomloop]", "block", "block"] },
    { abilities: { stop: "none", block: false }, done: ["run", "run", ...Array(4).fill("run, [doomloop]")] },
    { abilities: { block: false }, done: ["run", "run", ...Array(3).fill("run, [doomloop]"), "stop"] },
    { abilities: { nudge: "none" }, done: ["run", "run", "run", "run", "block", "stop"] },
    { abilities: { nudge: "none", block: false, stop: "none" }, done: Array(6).fill("run") },
  ] as const)("is replaced by a milder one: $abilities", ({ abilities, done }) => {
    expect(laps(newRun(abilities).run, 6)).toEqual(done);
  });

  it("is reported once for each kind", () => {
    const told: HostDowngrade[] = [];
    const abilities = { stop: "none", block: false } as const;
    const { run } = newRun(abilities, { onDowngrade: (downgrade) => void told.push(downgrade) });
    laps(run, 9);

    expect(told.map(({ decided, done }) => [decided, done])).toEqual([
      ["block", "nudge"],
      ["stop", "nudge"],
    ]);
  });

  it("never says that a call was not run if it runs", () => {
    const { run } = newRun({ block: false, nudge: "message" });
    laps(run, 4);
    run.words();
    lap(run, 4);

    expect(run.words()).toMatch(/^\[doomloop\] Last warning: .* ends the run\.$/s);
  });

  it("says with a refused call that the run should have ended, if it cannot be ended", () => {
    const { run } = newRun({ stop: "none" });
    laps(run, 8);
    const answer = run.call({ ...CALL, id: "c9" });

    expect(answer).toMatchObject({ action: "block", stop: { status: "LOOP_DETECTED", action: "stop", callId: "c9" } });
    expect(run.stopped()).toBeUndefined();
  });

  it("announces only what the host can do", () => {
    const { run } = newRun({ stop: "none" }, {}, { ladder: ["nudge", "stop"] });
    const said = [0, 1, 2, 3, 4].map((at) => {
      run.round();
      return run.result({ ...RESULT, id: run.call({ ...CALL, id: `c${at}` }).id });
    });

    expect(said[4]).toMatch(/will be refused\.$/);
  });

  it("keeps the words that the host chose for it", () => {
    const own = { onDecision: ({ action }: Decision) => ({ action, message: `mine (${action})` }) };
    const { run } = newRun({ stop: "none" }, {}, own);
    laps(run, 5);
    run.round();
    const answer = run.call({ ...CALL, id: "c6" });

    expect(answer).toMatchObject({ action: "block", message: "mine (stop)" });
  });

  it("becomes a block if the guard wants a restart and the run cannot be ended", () => {
    const { run } = newRun({ stop: "none" }, {}, { ladder: ["nudge", "restart"] });

    expect(laps(run, 6).at(-1)).toBe("block");
  });
});

describe("a restart", () => {
  const ladder = ["nudge", "block", "restart", "stop"] as const;

  it("ends the run with the loops it found, and is announced as a restart", () => {
    const { run } = newRun({}, {}, { ladder: ["nudge", "restart", "stop"] });

    expect(laps(run, 6).at(-1)).toBe("stop");
    expect(run.stopped()).toMatchObject({
      action: "restart",
      callId: "c5",
      explanation: expect.stringMatching(/The run starts over\.$/),
      findings: [{ kind: "repeated-call", count: 5 }],
    });
  });

  it("refuses calls that are still under way, but none of the next run", () => {
    const { run, events } = newRun({}, {}, { ladder });
    laps(run, 6);
    const heard = events.length;
    const other = run.call({ tool: "write_file", args: {}, id: "other" });
    run.result({ id: other.id, output: "not heard" });

    expect(other).toMatchObject({ action: "stop", stop: { action: "restart" } });
    expect(events).toHaveLength(heard);
    run.user("[doomloop] This run starts over");
    expect(run.stopped()).toBeUndefined();
    expect(laps(run, 2)).toEqual(["run", "run"]);
  });

  it("is saved with the loops so far, and the user message of the next attempt keeps them", () => {
    const { run } = newRun({}, {}, { ladder });
    laps(run, 6);
    const saved = JSON.parse(JSON.stringify(run.save())) as SavedHostRun;
    const guard = createGuard();
    const settings = { guard, abilities: ALL, options: {}, reportFault: () => undefined };
    const restored = createHostRun({ ...settings, saved });

    expect(restored.stopped()).toEqual(run.stopped());
    restored.user();
    expect(restored.save().findings).toHaveLength(1);
    restored.user("something else");
    expect(restored.save().findings).toEqual([]);
  });

  it("remembers at most eight loops, each once", () => {
    const { run } = newRun({ block: false, stop: "none" });
    for (let path = 0; path < 12; path++) {
      for (let at = 0; at < 4; at++) {
        run.round();
        const { id } = run.call({ tool: "read_file", args: { path: `${path}.ts` }, id: `${path} ${at}` });
        run.result({ ...RESULT, id });
      }
    }
    const { findings } = run.save();

    expect(findings).toHaveLength(8);
    expect(new Set(findings.map(({ loop }) => loop)).size).toBe(8);
  });
});

describe("a fault", () => {
  it("of a guard that answers nonsense changes nothing", () => {
    const nonsense = { observe: () => undefined as unknown as Decision };
    const run = createHostRun({ guard: nonsense, abilities: ALL, options: {}, reportFault: () => undefined });

    expect(laps(run, 3)).toEqual(["run", "run", "run"]);
  });
});
