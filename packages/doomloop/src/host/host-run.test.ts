import { type AgentEvent, createGuard, type Decision, type Guard, type GuardOptions, type Snapshot } from "doomloop";
import { describe, expect, it } from "vitest";
import type { HostAbilities } from "./abilities.ts";
import type { HostDowngrade, HostOptions, LoopStop } from "./host-options.ts";
import {
  type CallAnswer,
  createHostRun,
  type HostCall,
  type HostResult,
  type HostRun,
  type SavedHostRun,
} from "./host-run.ts";
import { createHostRuns } from "./host-runs.ts";

const ALL: HostAbilities = { nudge: "result", block: true, stop: "clean" };

/** Every answer climbs one rung: all of them in six laps. */
const QUICK = { ladderPace: false } as const;

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

/** One lap of a loop: what was done before the call, and the words behind its result. */
function lap(run: HostRun, at: number): string {
  run.round();
  const answer: CallAnswer = run.call({ ...CALL, id: `c${at}` });
  if (answer.action !== "run") return answer.action;
  const words = run.result({ ...RESULT, id: answer.id });
  return words === undefined ? "run" : `run, ${words.slice(0, 10)}`;
}

const laps = (run: HostRun, count: number): string[] => Array.from({ length: count }, (_, at) => lap(run, at));

describe("a run of a host", () => {
  it("nudges behind results, blocks a call, and ends the run", () => {
    const { run } = newRun();

    expect(laps(run, 6)).toEqual(["run", "run", "run, [doomloop]", "run, [doomloop]", "block", "stop"]);
    expect(run.stopped()?.callId).toBe("c5");
  });

  it.each([
    { lapMs: 4_000, blockAt: 10, stopAt: 20 },
    { lapMs: 400, blockAt: 31, stopAt: 71 },
  ])("takes its time by its own clock where nobody says otherwise: $lapMs ms a lap", ({ lapMs, blockAt, stopAt }) => {
    let at = 0;
    const settings = { abilities: ALL, options: {}, now: () => at, reportFault: () => undefined };
    const run = createHostRun({ ...settings, guard: createGuard() });
    const done = Array.from({ length: 80 }, (_, count) => {
      at += lapMs;
      return lap(run, count + 1);
    });

    expect(done.indexOf("run, [doomloop]") + 1).toBe(3);
    expect(done.indexOf("block") + 1).toBe(blockAt);
    expect(done.indexOf("stop") + 1).toBe(stopAt);
  });

  it("tells of the end once, with words for the human, and takes it back when the user speaks", () => {
    const stops: LoopStop[] = [];
    const { run } = newRun({}, { onStop: (stop) => void stops.push(stop) });
    laps(run, 8);

    expect(stops).toHaveLength(1);
    expect(stops[0]?.explanation).toBe(
      "Stopped: the agent called `read_file` 4 times with the same arguments and got the same result.",
    );
    expect(run.stopped()).toBe(stops[0]);
    run.user();
    expect(run.stopped()).toBeUndefined();
  });

  it("forgets calls that were given up, and keeps the words for the next result", () => {
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

  it("says whether it would refuse a call, and notes nothing", () => {
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
  ] as const)("lets the host say where words go: by the %s, delivered: %s", (nudge, isDelivered) => {
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

    expect(delivered).toEqual([[expect.stringContaining("[doomloop] You called"), "thread"]]);
    expect(said.filter(Boolean)).toHaveLength(isDelivered ? 0 : 1);
  });

  it("adds words to the result where the host fails to put them elsewhere, and tells of it", () => {
    const faults: unknown[] = [];
    const deliver = () => {
      throw new Error("mine");
    };
    const onFault = (fault: unknown) => void faults.push(fault);
    const run = createHostRuns({ deliver, onFault }, { nudge: "result", block: true, stop: "clean" }).start();

    expect(laps(run, 3).at(-1)).toContain("[doomloop]");
    expect(faults.map(String)).toEqual(["Error: mine"]);
  });

  it("observes a blocked call as answered, and does not hear its answer again", () => {
    const { run, events } = newRun();
    laps(run, 5);
    const before = events.length;

    expect(events.at(-1)).toMatchObject({ type: "result", id: "c4", synthetic: true });
    expect(run.result({ id: "c4", output: "not run" })).toBeUndefined();
    expect(events).toHaveLength(before);
  });

  it("hears the result of a later call with the id of a blocked one", () => {
    const { run, events } = newRun();
    laps(run, 5);
    run.round();
    run.call({ id: "c4", tool: "write_file", args: { path: "b.ts" } });
    run.result({ id: "c4", output: "written" });

    expect(events.at(-1)).toMatchObject({ type: "result", id: "c4", output: "written" });
  });

  it("keeps words for a message where the host takes none in results", () => {
    const { run } = newRun({ nudge: "message" });

    expect(laps(run, 3)).toEqual(["run", "run", "run"]);
    expect(run.words()).toContain("[doomloop]");
    expect(run.words()).toBeUndefined();
  });

  it("delivers what was said at a call with that call's result, and not with another", () => {
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

  it("delivers held words with the next result, or with the answer to a blocked call", () => {
    const { run } = newRun();
    run.hold("[doomloop] held");
    expect(lap(run, 0)).toBe("run, [doomloop]");
    laps(run, 4).slice(1);
    run.hold("[doomloop] held");
    run.round();
    const answer = run.call({ id: "z", tool: "read_file", args: { path: "a.ts" } });

    expect(answer).toMatchObject({ message: expect.stringMatching(/^\[doomloop\] held\n\n\[doomloop\] /) });
  });

  it("tells the guard when things happen, because patience is measured in time", () => {
    const { run, events } = newRun();
    lap(run, 0);
    const times = events.flatMap((event) => ("at" in event ? [event.at] : []));

    expect(times).toEqual([expect.any(Number), expect.any(Number)]);
    expect(times[1]).toBeGreaterThanOrEqual(times[0]!);
  });

  it("gives a call without an id one of its own", () => {
    const { run } = newRun();
    const first = run.call({ tool: "x" });
    const second = run.call({ tool: "x" });

    expect(first.id).not.toBe(second.id);
  });

  it("cannot refuse a call that is past, and keeps what is to be said about it", () => {
    const { run } = newRun();
    for (let at = 0; at < 6; at++) {
      run.round();
      run.past({ ...CALL, id: `p${at}`, output: "text" });
    }

    expect(run.stopped()?.callId).toBe("p5");
    expect(run.words()).not.toContain("was not run");
  });
});

describe("what a run is told of late", () => {
  const timesOf = (events: readonly AgentEvent[]) => events.flatMap((event) => ("at" in event ? [event.at] : []));

  const recallLap = (run: HostRun): void => {
    run.round();
    run.past({ ...CALL, output: "text ".repeat(50) });
  };

  it("has no time where it is recalled, nor has the call behind it", () => {
    const { run, events } = newRun();
    for (let at = 0; at < 3; at++) run.recall("untold", () => recallLap(run));
    const { id } = run.call({ tool: "list_files" });
    run.result({ id, output: "a.ts" });
    run.call({ tool: "list_files", args: { path: "src" } });

    expect(timesOf(events).map((at) => typeof at)).toEqual([...Array(7).fill("undefined"), "number", "number"]);
  });

  it("counts where nothing was said, so that words are due at once when the loop goes on", () => {
    const { run } = newRun();
    for (let at = 0; at < 5; at++) run.recall("untold", () => recallLap(run));
    expect([run.words(), run.stopped()]).toEqual([undefined, undefined]);
    run.recall("due", () => recallLap(run));

    expect(run.words()).toContain("[doomloop]");
  });

  it("counts as said where it was said, is not said again, and ends nobody a second time", () => {
    const stops: LoopStop[] = [];
    const { run } = newRun({}, { onStop: (stop) => void stops.push(stop) });
    for (let at = 0; at < 6; at++) run.recall("told", () => recallLap(run));

    expect(run.words()).toBeUndefined();
    expect(run.stopped()).toMatchObject({ status: "LOOP_DETECTED" });
    expect(stops).toEqual([]);
  });

  it("is not measured by what the host measures now", () => {
    const { run, events } = newRun({}, { state: () => ({ files: 1 }), compactions: () => 2 });
    run.recall("untold", () => void run.result({ id: run.call({ ...CALL, hasRun: true }).id, output: "text" }));
    expect(events.map(({ type }) => type)).toEqual(["call", "result"]);
    run.call({ tool: "list_files" });

    expect(events.map(({ type }) => type)).toEqual(["call", "result", "state", "call"]);
  });

  it("cannot be refused where it has run, and is no progress where it was refused", () => {
    const { run, events } = newRun();
    const answers = Array.from({ length: 6 }, () => {
      run.round();
      const { action, id } = run.call({ ...CALL, hasRun: true });
      run.result({ id, output: "[doomloop] This call was not run.", isRefusal: true });
      return action;
    });

    expect(new Set(answers)).toEqual(new Set(["run"]));
    expect(events.filter((event) => event.type === "result" && event.synthetic === true)).toHaveLength(6);
  });
});

describe("arguments in words to the agent", () => {
  it("are quoted behind a nudge and in a refusal where the host asks for it", () => {
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

describe("a run that is a process for each event", () => {
  it("goes on as if it were one, also with its clock", () => {
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

  it("counts rounds where the clock of the next process begins anew", () => {
    const settings = { abilities: ALL, options: {}, reportFault: () => undefined };
    const before = createGuard();
    const first = createHostRun({ ...settings, guard: before, now: () => 1_000_000 });
    laps(first, 5);
    const after = createGuard({ snapshot: before.snapshot() });
    const second = createHostRun({ ...settings, guard: after, now: () => 0, saved: first.save() });

    // First words at the third lap, and nine rounds without a clock.
    expect(laps(second, 10).indexOf("block")).toBe(3 + 9 - 1 - 5);
  });
});

describe("words that wait", () => {
  it("are not said any more once the user has spoken", () => {
    const { run } = newRun();
    run.round();
    run.text("I should look at the file again. ".repeat(60));
    run.user("Thanks. Now something else.");
    const { id } = run.call({ ...CALL, id: "c1" });

    expect(run.result({ ...RESULT, id })).toBeUndefined();
  });
});

describe("what the agent thinks", () => {
  it("is heard, and spoken about with the next result", () => {
    const { run } = newRun();
    run.round();
    run.reasoning("I should look at the file again. ".repeat(60));
    const { id } = run.call({ ...CALL, id: "c1" });

    expect(run.result({ ...RESULT, id })).toContain("Your reasoning repeated the same");
  });
});

describe("a decision that the host cannot carry out", () => {
  it.each([
    { abilities: { stop: "none" }, done: ["run", "run", "run, [doomloop]", "run, [doomloop]", "block", "block"] },
    { abilities: { stop: "none", block: false }, done: ["run", "run", ...Array(4).fill("run, [doomloop]")] },
    { abilities: { block: false }, done: ["run", "run", ...Array(3).fill("run, [doomloop]"), "stop"] },
    { abilities: { nudge: "none" }, done: ["run", "run", "run", "run", "block", "stop"] },
    { abilities: { nudge: "none", block: false, stop: "none" }, done: Array(6).fill("run") },
  ] as const)("is carried out more mildly: $abilities", ({ abilities, done }) => {
    expect(laps(newRun(abilities).run, 6)).toEqual(done);
  });

  it("is told of, once for each kind", () => {
    const told: HostDowngrade[] = [];
    const abilities = { stop: "none", block: false } as const;
    const { run } = newRun(abilities, { onDowngrade: (downgrade) => void told.push(downgrade) });
    laps(run, 9);

    expect(told.map(({ decided, done }) => [decided, done])).toEqual([
      ["block", "nudge"],
      ["stop", "nudge"],
    ]);
  });

  it("does not say that a call was not run which runs", () => {
    const { run } = newRun({ block: false, nudge: "message" });
    laps(run, 4);
    run.words();
    lap(run, 4);

    expect(run.words()).toMatch(/^\[doomloop\] CRITICAL: you are in a loop\. .*the run will be stopped\.$/s);
  });

  it("holds up nothing but the loop where it was an end that cannot be carried out", () => {
    const { run } = newRun({ stop: "none" });
    laps(run, 8);

    expect(run.call({ tool: "write_file", args: { path: "b.ts" } }).action).toBe("run");
    expect(lap(run, 9)).toBe("block");
  });

  it("announces what the host can do, and nothing else", () => {
    const { run } = newRun({ stop: "none" }, {}, { ladder: ["nudge", "stop"] });
    const said = [0, 1, 2].map((at) => {
      run.round();
      return run.result({ ...RESULT, id: run.call({ ...CALL, id: `c${at}` }).id });
    });

    expect(said[2]).toMatch(/further calls like this one will be refused\.$/);
  });

  it("keeps the words that the host chose for it", () => {
    const own = { onDecision: ({ action }: Decision) => ({ action, message: `mine (${action})` }) };
    const { run } = newRun({ stop: "none" }, {}, own);
    laps(run, 5);
    run.round();
    const answer = run.call({ ...CALL, id: "c6" });

    expect(answer).toMatchObject({ action: "block", message: "mine (stop)" });
  });

  it("is a block where the guard wants to start over and the run cannot be ended", () => {
    const { run } = newRun({ stop: "none" }, {}, { ladder: ["nudge", "restart"] });

    expect(laps(run, 4).at(-1)).toBe("block");
  });
});

describe("a restart", () => {
  const ladder = ["nudge", "block", "restart", "stop"] as const;

  it("ends the run with what led nowhere, and announces itself as what it is", () => {
    const { run } = newRun({}, {}, { ladder: ["nudge", "restart", "stop"] });
    laps(run, 2);
    run.round();
    const { id } = run.call({ ...CALL, id: "c3" });
    run.result({ ...RESULT, id });
    run.round();
    const { action } = run.call({ ...CALL, id: "c4" });

    expect(action).toBe("stop");
    expect(run.stopped()).toMatchObject({
      action: "restart",
      callId: "c4",
      explanation: expect.stringMatching(/The run starts over\.$/),
      findings: [{ kind: "repeated-call", count: 3 }],
    });
  });

  it("holds up what else is under way, and nothing of the next run", () => {
    const { run, events } = newRun({}, {}, { ladder });
    laps(run, 5);
    const heard = events.length;
    const other = run.call({ tool: "write_file", args: {}, id: "other" });
    run.result({ id: other.id, output: "not heard" });

    expect(other).toMatchObject({ action: "stop", decided: "restart" });
    expect(events).toHaveLength(heard);
    run.user("[doomloop] This run starts over");
    expect(run.stopped()).toBeUndefined();
    expect(laps(run, 2)).toEqual(["run", "run"]);
  });

  it("is kept with the loops so far, which the words that begin the next attempt do not clear away", () => {
    const { run } = newRun({}, {}, { ladder });
    laps(run, 5);
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

  it("knows eight loops at most, each once", () => {
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
  const broken = (): never => {
    throw new Error("broken");
  };

  it("means that the tool runs as if we were absent, and is told once", () => {
    const faults: unknown[] = [];
    const guard: Guard = { ...createGuard(), observe: broken };
    const runs = createHostRuns({ guard, onFault: (fault) => void faults.push(fault) }, ALL);
    const run = runs.start();
    runs.reportFault("one of the adapter's own");
    runs.start().user();
    run.user();
    run.text("words");
    run.compaction();
    run.past({ tool: "x" });

    expect(laps(run, 9)).toEqual(Array(9).fill("run"));
    expect(faults).toHaveLength(1);
  });

  it("of a callback changes no decision", () => {
    const { run } = newRun({ stop: "clean" }, { onStop: broken, onDowngrade: broken, onFault: broken });

    expect(laps(run, 6).at(-1)).toBe("stop");
  });

  it("of a guard that answers nonsense means nothing is done", () => {
    const nonsense = { observe: () => undefined as unknown as Decision };
    const run = createHostRun({ guard: nonsense, abilities: ALL, options: {}, reportFault: () => undefined });

    expect(laps(run, 3)).toEqual(["run", "run", "run"]);
  });
});
