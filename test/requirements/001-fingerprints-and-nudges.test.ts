import type { AgentEvent, Decision } from "doomloop";
import { createMemoryFleet, type MemoryFleet } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { actionsOf, call, createGuard, decisionsOf, failure, result, step, text, times, user } from "../builders.ts";
import { fingerprintsAndNudges } from "./profiles.ts";

const read = call("read_file", { path: "src/session.ts" });
const search = call("grep", { pattern: "login" });

/** Bash commands as calls. */
function commands(...lines: string[]): AgentEvent[] {
  return lines.map((command) => call("bash", { command }));
}

function decisions(events: readonly AgentEvent[]): (Decision & { at: number })[] {
  return decisionsOf(events, fingerprintsAndNudges);
}

const PRIMARY = ["path", "file_path", "command", "pattern", "query", "url", "content", "filename", "offset", "limit"];

describe("document 001: fingerprints", () => {
  it.each(PRIMARY)(
    "takes calls for the same in substance that agree in %s and differ in an optional argument",
    (name) => {
      const calls = [1, 2, 3, 4].map((verbosity) => call("lookup", { [name]: 7, verbosity }));

      expect(decisions(calls)).toMatchObject([{ at: 3, finding: { count: 4, evidence: { isFuzzy: true } } }]);
    },
  );

  it.each(PRIMARY)("tells calls apart that differ in %s", (name) => {
    expect(decisions([1, 2, 3, 4, 5].map((value) => call("lookup", { [name]: value, verbosity: 1 })))).toEqual([]);
  });

  it("tells the pages of one file apart", () => {
    const pages = [0, 100, 200, 300, 400].map((offset) => call("read_file", { path: "a.ts", offset, limit: 100 }));

    expect(decisions(pages)).toEqual([]);
  });

  it("takes cat, head and tail of one file for the same", () => {
    const reads = commands("cat server.ts", "head server.ts", "tail server.ts", "head -n 20 server.ts");

    expect(decisions(reads)).toMatchObject([{ at: 3, finding: { count: 4, evidence: { isFuzzy: true } } }]);
  });

  it("tells reads of different files apart", () => {
    expect(decisions(commands("cat a.ts", "cat b.ts", "head c.ts", "tail d.ts", "cat e.ts"))).toEqual([]);
  });

  it.each([
    [
      "pipes",
      commands("cat a.ts | grep x", "cat a.ts | grep y", "head a.ts | wc", "cat a.ts | sort", "tail a.ts | nl"),
    ],
    ["redirects", commands("cat a.ts > b", "cat a.ts > c", "head a.ts > d", "tail a.ts > e", "cat a.ts > f")],
    ["semicolons", commands("cat a.ts; ls", "cat a.ts; pwd", "head a.ts; id", "tail a.ts; ls", "cat a.ts; date")],
  ])("compares commands with %s as a whole", (_, calls) => {
    expect(decisions(calls)).toEqual([]);
  });

  it("finds a command with a pipe that is repeated to the letter", () => {
    expect(decisions(times(3, commands("cat a.ts | grep x")))).toMatchObject([{ at: 2, finding: { count: 3 } }]);
  });
});

describe("document 001: two tiers", () => {
  it("finds equal calls with the third", () => {
    expect(decisions(times(3, [read]))).toMatchObject([
      { at: 2, action: "nudge", finding: { kind: "repeated-call", count: 3, evidence: { isFuzzy: false } } },
    ]);
  });

  it("does not find two equal calls", () => {
    expect(decisions(times(2, [read]))).toEqual([]);
  });

  it("does not find three calls that are the same in substance only", () => {
    expect(decisions(commands("cat server.ts", "head server.ts", "tail server.ts"))).toEqual([]);
  });

  it("names equal calls equal, though they are the same in substance too", () => {
    const calls = commands("head server.ts", "cat server.ts", "cat server.ts", "cat server.ts");

    expect(decisions(calls)).toMatchObject([{ at: 3, finding: { count: 3, evidence: { isFuzzy: false } } }]);
  });

  it("counts all that are the same in substance where too few of them are equal", () => {
    const calls = commands("cat server.ts", "head server.ts", "cat server.ts", "tail server.ts", "cat server.ts");

    expect(decisions(calls).map(({ finding }) => finding?.count)).toEqual([4, 5]);
  });

  it("counts only calls that follow each other", () => {
    expect(decisions([read, read, search, read, read, search, search, read])).toEqual([]);
  });

  it("counts a long row right, though the call was made before it", () => {
    const counts = decisions([read, search, ...times(12, [read])]).map(({ finding }) => finding?.count);

    expect(counts).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it("counts whatever comes back", () => {
    expect(decisions([1, 2, 3].flatMap((answer) => [read, result(`contents ${answer}`)]))).toMatchObject([{ at: 4 }]);
  });
});

describe("document 001: nudges", () => {
  /** What is said at each count of one repeated call, from the third on. */
  const said = decisions(times(8, [read]));

  it("scales from a notice over warnings to a critical word, and then refuses", () => {
    expect(said.map(({ action, message }) => [action, /Loop|Last warning/.exec(message ?? "")?.[0]])).toEqual([
      ["nudge", undefined],
      ["nudge", "Loop"],
      ["nudge", "Loop"],
      ["nudge", "Last warning"],
      ["block", undefined],
      ["block", undefined],
    ]);
  });

  it("names the tool and the count each time", () => {
    said.forEach(({ message }, at) => {
      expect(message).toContain("`read_file`");
      expect(message).toMatch(new RegExp(`\\b${at + 3} times\\b`));
    });
  });

  it("advises at first another approach, telling what blocks, or saying that the task is complete", () => {
    expect(said[0]?.message).toMatch(/(?:different|another) approach/i);
    expect(said[0]?.message).toMatch(/block/i);
    expect(said[0]?.message).toMatch(/complete/i);
  });

  it("advises another approach and telling what blocks in its warnings", () => {
    for (const { message } of said.slice(1, 3)) {
      expect(message).toMatch(/another approach/i);
      expect(message).toMatch(/what blocks you/i);
    }
  });

  it("asks in the critical word to stop, to explain, and to change the approach, and announces refusal", () => {
    expect(said[3]?.message).toMatch(/don't repeat it/i);
    expect(said[3]?.message).toMatch(/report what blocks you/i);
    expect(said[3]?.message).toMatch(/different|another/i);
    expect(said[3]?.message).toMatch(/refused/i);
  });

  it("warns at once of calls that are the same in substance, which are four when they are first seen", () => {
    const [first] = decisions(commands("cat server.ts", "head server.ts", "tail server.ts", "head -n 5 server.ts"));

    expect(first?.message).toContain("Loop:");
  });

  it("begins with a notice again after the row was interrupted", () => {
    const [, , again] = decisions([...times(4, [read]), search, ...times(3, [read])]);

    expect(again).toMatchObject({ action: "nudge", finding: { count: 3 } });
    expect(again?.message).not.toMatch(/Loop:|Last warning/);
  });

  it("never ends the run", () => {
    expect(new Set(actionsOf(times(50, [read]), fingerprintsAndNudges))).toEqual(new Set(["nudge", "block"]));
  });
});

describe("document 001: failing tests", () => {
  const test = call("bash", { command: "npm test" });
  const edit = (line: number) => step("edit_file", { path: "a.ts", line }, "ok");
  const failing = (count: number) => failure(`Tests: ${count} failed`);

  it("asks to rethink after some failing runs in a row, with edits between them", () => {
    const run = [1, 2, 3].flatMap((line) => [...edit(line), test, failing(2)]);

    expect(decisions(run)).toMatchObject([{ at: 11, action: "nudge", finding: { kind: "test-fix", count: 3 } }]);
  });

  it("counts failing runs though fewer tests fail", () => {
    const run = [5, 4, 3].flatMap((count) => [...edit(count), test, failing(count)]);

    expect(decisions(run)).toMatchObject([{ finding: { kind: "test-fix", count: 3 } }]);
  });

  it("counts anew after a run that passes", () => {
    const run = [failing(2), failing(2), result("all passed"), failing(2), failing(2)].flatMap((outcome, line) => [
      ...edit(line),
      test,
      outcome,
    ]);

    expect(decisions(run)).toEqual([]);
  });

  it("tells how many failed, and advises to read the error again, to doubt the approach, and to try another fix", () => {
    const [decision] = decisions([1, 2, 3].flatMap((line) => [...edit(line), test, failing(2)]));

    expect(decision?.message).toContain("3 times");
    expect(decision?.message).toMatch(/error/i);
    expect(decision?.message).toMatch(/approach/i);
    expect(decision?.message).toMatch(/different|another|new/i);
  });
});

describe("document 001: failing commands", () => {
  const fails = (command: string, output: string) => [call("bash", { command }), failure(output)];
  const broken = [
    ...fails("make all", "make: no rule"),
    ...fails("./configure", "permission denied"),
    ...fails("node build.js", "syntax error"),
  ];
  const files = [
    ...fails("cat src/a.ts", "No such file"),
    ...fails("echo x > /etc/a", "permission denied"),
    ...fails("sed -i s/a/b/ src/b.ts", "can't read src/b.ts"),
  ];

  it("warns when commands fail one after the other", () => {
    expect(decisions(broken)).toMatchObject([
      { at: 5, action: "nudge", finding: { kind: "failure-streak", count: 3 } },
    ]);
  });

  it("counts failing commands anew after one that succeeds", () => {
    expect(
      decisions([...broken.slice(0, 4), ...step("bash", { command: "ls" }, "a.ts"), ...broken.slice(0, 4)]),
    ).toEqual([]);
  });

  it("points to the file tools where the failing commands work on files", () => {
    const [decision] = decisions(files);

    expect(decision?.finding).toMatchObject({ kind: "failure-streak", evidence: { isFileWork: true } });
    for (const tool of ["read", "write", "edit"]) expect(decision?.message).toContain(tool);
  });

  it("does not point to the file tools where the failing commands do other work", () => {
    const [decision] = decisions(broken);

    expect(decision?.finding).toMatchObject({ evidence: { isFileWork: false } });
    expect(decision?.message).not.toMatch(/file tools/i);
  });
});

describe("document 001: summaries instead of work", () => {
  const talk = [
    text("Here is where we are."),
    text("To sum up, this is done."),
    text("In short, two things are left."),
  ];

  it("asks to begin a task with a tool after some answers without a call", () => {
    const [decision] = decisions(talk);

    expect(decision).toMatchObject({ at: 2, action: "nudge", finding: { kind: "text-only", count: 3 } });
    expect(decision?.message).toMatch(/task/i);
    expect(decision?.message).toMatch(/tool call/i);
  });

  it("counts answers anew after a call", () => {
    expect(decisions([...talk.slice(0, 2), read, result("contents"), ...talk.slice(0, 2)])).toEqual([]);
  });

  it("counts answers anew after the user spoke", () => {
    expect(decisions([...talk.slice(0, 2), user("and now?"), ...talk.slice(0, 2)])).toEqual([]);
  });
});

describe("document 001: state", () => {
  it("tells tool, count and loop with each finding, and counts what it found", () => {
    const guard = createGuard(fingerprintsAndNudges);
    const last = times(4, [read])
      .map((event) => guard.observe(event))
      .at(-1);

    expect(last?.finding).toMatchObject({ tools: ["read_file"], count: 4 });
    expect(last?.finding?.loop).toMatch(/^[0-9a-f]{32}$/);
    expect(guard.stats()).toMatchObject({ findings: { "repeated-call": 2 }, decisions: { nudge: 2 } });
  });

  it("forgets the row on reset and keeps its thresholds", () => {
    const guard = createGuard(fingerprintsAndNudges);
    const actions = (count: number) => times(count, [read]).map((event) => guard.observe(event).action);

    expect(actions(2)).toEqual(["continue", "continue"]);
    guard.reset();
    expect(actions(3)).toEqual(["continue", "continue", "nudge"]);
  });

  it("begins with a notice again after reset", () => {
    const guard = createGuard(fingerprintsAndNudges);
    for (const event of times(6, [read])) guard.observe(event);
    guard.reset();
    const decision = times(3, [read])
      .map((event) => guard.observe(event))
      .at(-1);

    expect(decision?.message).not.toMatch(/Loop:|Last warning/);
  });
});

describe("document 001: the whole swarm", () => {
  const query = step("web_search", { query: "error 42" }, "results");

  /** Workers that make the same call, each so seldom that its own guard says nothing. */
  function swarm(fleet: MemoryFleet, workers: number, calls: number): void {
    for (let worker = 0; worker < workers; worker++) {
      const guard = createGuard({ ...fingerprintsAndNudges, fleet: fleet.join({ worker: `worker ${worker}` }) });
      for (const event of times(calls, query)) guard.observe(event);
    }
  }

  function nextWorker(fleet: MemoryFleet): Decision {
    const guard = createGuard({ ...fingerprintsAndNudges, fleet: fleet.join({ worker: "the next one" }) });
    return guard.observe(query[0]!);
  }

  it("finds ten calls of several workers, whatever came of them", () => {
    const fleet = createMemoryFleet({ countAll: true });
    swarm(fleet, 5, 2);

    expect(fleet.findings()).toMatchObject([{ tool: "web_search", calls: 10, workers: 5 }]);
  });

  it("does not find nine calls of several workers", () => {
    const fleet = createMemoryFleet({ countAll: true });
    swarm(fleet, 8, 1);

    expect(nextWorker(fleet).action).toBe("continue");
    expect(fleet.findings()).toEqual([]);
  });

  it("does not find ten calls of one worker", () => {
    const fleet = createMemoryFleet({ countAll: true });
    swarm(fleet, 1, 10);

    expect(fleet.findings()).toEqual([]);
  });

  it("tells the tenth worker how many calls of how many workers led nowhere, and what to do instead", () => {
    const fleet = createMemoryFleet({ countAll: true });
    swarm(fleet, 9, 1);
    const decision = nextWorker(fleet);

    expect(decision).toMatchObject({
      action: "nudge",
      finding: { kind: "fleet", count: 10, evidence: { workers: 10 } },
    });
    expect(decision.message).toContain("10 workers made 10 such `web_search` calls");
    expect(decision.message).toMatch(/does the goal need this call/i);
    expect(decision.message).toMatch(/if not, find another way/i);
    expect(decision.message).toMatch(/if so, do the rest first/i);
  });

  it("goes on from a saved fleet", () => {
    const saved = createMemoryFleet({ countAll: true });
    swarm(saved, 5, 2);
    const fleet = createMemoryFleet({ countAll: true });
    fleet.restoreFrom(JSON.parse(JSON.stringify(saved)));

    expect(fleet.findings()).toMatchObject([{ calls: 10, workers: 5 }]);
  });

  it("forgets all when the swarm has done its work", () => {
    const fleet = createMemoryFleet({ countAll: true });
    swarm(fleet, 5, 2);
    fleet.clear();

    expect(fleet.findings()).toEqual([]);
    expect(nextWorker(fleet).action).toBe("continue");
  });
});
