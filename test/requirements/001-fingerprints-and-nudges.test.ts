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
  const fuzzy = { at: 3, finding: { count: 4, evidence: { isFuzzy: true } } };

  it.each(PRIMARY)("takes calls for the same that agree in %s, and tells those apart that differ in it", (name) => {
    const calls = [1, 2, 3, 4].map((verbosity) => call("lookup", { [name]: 7, verbosity }));

    expect(decisions(calls)).toMatchObject([fuzzy]);
    expect(decisions([1, 2, 3, 4, 5].map((value) => call("lookup", { [name]: value, verbosity: 1 })))).toEqual([]);
  });

  it("takes cat, head and tail of one file for the same", () => {
    expect(decisions(commands("cat a.ts", "head a.ts", "tail a.ts", "head -n 20 a.ts"))).toMatchObject([fuzzy]);
  });

  it.each([
    [
      "pages of one file",
      [0, 100, 200, 300, 400].map((offset) => call("read_file", { path: "a", offset, limit: 100 })),
    ],
    ["reads of different files", commands("cat a.ts", "cat b.ts", "head c.ts", "tail d.ts", "cat e.ts")],
    ["pipes", commands("cat a | grep x", "cat a | grep y", "head a | wc", "cat a | sort", "tail a | nl")],
    ["redirects", commands("cat a > b", "cat a > c", "head a > d", "tail a > e", "cat a > f")],
    ["semicolons", commands("cat a; ls", "cat a; pwd", "head a; id", "tail a; ls", "cat a; date")],
  ])("compares %s as a whole", (_, calls) => expect(decisions(calls)).toEqual([]));

  it("finds a command with a pipe that is repeated to the letter", () => {
    expect(decisions(times(3, commands("cat a.ts | grep x")))).toMatchObject([{ at: 2, finding: { count: 3 } }]);
  });
});

describe("document 001: two tiers", () => {
  const equal = { action: "nudge", finding: { kind: "repeated-call", count: 3, evidence: { isFuzzy: false } } };
  const mixed = commands("cat a.ts", "head a.ts", "cat a.ts", "tail a.ts", "cat a.ts");

  it.each<[title: string, events: readonly AgentEvent[], found: object[]]>([
    ["equal calls with the third", times(3, [read]), [{ at: 2, ...equal }]],
    ["not two equal calls", times(2, [read]), []],
    ["not three calls that are the same in substance only", commands("cat a.ts", "head a.ts", "tail a.ts"), []],
    [
      "equal calls as such, though they are the same in substance too",
      commands("head a", "cat a", "cat a", "cat a"),
      [{ at: 3, ...equal }],
    ],
    ["all of one substance where too few are equal", mixed, [{ finding: { count: 4 } }, { finding: { count: 5 } }]],
    ["not calls that others come between", [read, read, search, read, read, search, search, read], []],
    ["equal calls whatever comes back", [1, 2, 3].flatMap((answer) => [read, result(`${answer}`)]), [{ at: 4 }]],
  ])("finds %s", (_title, events, found) => expect(decisions(events)).toMatchObject(found));

  it("counts a long row right, though the call was made before it", () => {
    const counts = decisions([read, search, ...times(12, [read])]).map(({ finding }) => finding?.count);

    expect(counts).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
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

  it.each([
    ["at first", 0, [/(?:different|another) approach/i, /block/i, /complete/i]],
    ["in its first warning", 1, [/another approach/i, /what blocks you/i]],
    ["in its second warning", 2, [/another approach/i, /what blocks you/i]],
    ["in the critical word", 3, [/don't repeat it/i, /report what blocks you/i, /different|another/i, /refused/i]],
  ])("names the tool and the count, and advises, %s", (_title, at, advice) => {
    for (const fact of [/`read_file`/, new RegExp(`\\b${at + 3} times\\b`), ...advice])
      expect(said[at]?.message).toMatch(fact);
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
  const passed = result("all passed");
  const runs = (...outcomes: readonly AgentEvent[]) =>
    outcomes.flatMap((outcome, line) => [...step("edit_file", { path: "a.ts", line }, "ok"), test, outcome]);
  const failing = (count: number) => failure(`Tests: ${count} failed`);
  const same = runs(failing(2), failing(2), failing(2));

  it.each([
    [
      "some failing runs in a row, with edits between them",
      same,
      [{ at: 11, finding: { kind: "test-fix", count: 3 } }],
    ],
    ["failing runs though fewer tests fail", runs(failing(5), failing(4), failing(3)), [{ finding: { count: 3 } }]],
    ["failing runs anew after one that passes", runs(failing(2), failing(2), passed, failing(2), failing(2)), []],
  ])("counts %s", (_title, events, found) => expect(decisions(events)).toMatchObject(found));

  it("tells how many failed, and advises to read the error again, to doubt the approach, and to try another fix", () => {
    const message = decisions(same)[0]?.message;
    for (const fact of [/3 times/, /error/i, /approach/i, /different|another|new/i]) expect(message).toMatch(fact);
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
  const talk = ["Here is where we are.", "To sum up, this is done.", "In short, two are left."].map((words) =>
    text(words),
  );
  const [one, other] = talk as [AgentEvent, AgentEvent];

  it("asks to begin a task with a tool after some answers without a call", () => {
    const [decision] = decisions(talk);

    expect(decision).toMatchObject({ at: 2, action: "nudge", finding: { kind: "text-only", count: 3 } });
    expect(decision?.message).toMatch(/task/i);
    expect(decision?.message).toMatch(/tool call/i);
  });

  it.each([
    ["a call", [read, result("contents")]],
    ["the user", [user("and now?")]],
  ])("counts answers anew after %s", (_title, events) => {
    expect(decisions([one, other, ...events, one, other])).toEqual([]);
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

  it("forgets row and warnings on reset, and keeps its thresholds", () => {
    const guard = createGuard(fingerprintsAndNudges);
    for (const event of times(6, [read])) guard.observe(event);
    guard.reset();
    const again = times(3, [read]).map((event) => guard.observe(event));

    expect(again.map(({ action }) => action)).toEqual(["continue", "continue", "nudge"]);
    expect(again[2]?.message).not.toMatch(/Loop:|Last warning/);
  });
});

describe("document 001: the whole swarm", () => {
  const query = step("web_search", { query: "error 42" }, "results");

  /** A fleet of workers that make the same call, each so seldom that its own guard says nothing. */
  function swarm(workers: number, calls: number): MemoryFleet {
    const fleet = createMemoryFleet({ countAll: true });
    for (let worker = 0; worker < workers; worker++) {
      const guard = createGuard({ ...fingerprintsAndNudges, fleet: fleet.join({ worker: `worker ${worker}` }) });
      for (const event of times(calls, query)) guard.observe(event);
    }
    return fleet;
  }

  function nextWorker(fleet: MemoryFleet): Decision {
    const guard = createGuard({ ...fingerprintsAndNudges, fleet: fleet.join({ worker: "the next one" }) });
    return guard.observe(query[0]!);
  }

  it.each([
    ["ten calls of several workers, whatever came of them", 5, 2, [{ tool: "web_search", calls: 10, workers: 5 }]],
    ["not nine calls", 8, 1, []],
    ["not ten calls of one worker", 1, 10, []],
  ])("finds %s", (_title, workers, calls, found) => {
    expect(swarm(workers, calls).findings()).toMatchObject(found);
  });

  it("tells the tenth worker how many calls of how many workers led nowhere, and what to do instead", () => {
    expect(nextWorker(swarm(8, 1)).action).toBe("continue");
    const decision = nextWorker(swarm(9, 1));

    expect(decision).toMatchObject({
      action: "nudge",
      finding: { kind: "fleet", count: 10, evidence: { workers: 10 } },
    });
    expect(decision.message).toContain("10 workers made 10 such `web_search` calls");
    for (const advice of [/does the goal need this call/i, /if not, find another way/i, /if so, do the rest first/i])
      expect(decision.message).toMatch(advice);
  });

  it("goes on from a saved fleet, and forgets all when the swarm has done its work", () => {
    const fleet = createMemoryFleet({ countAll: true });
    fleet.restoreFrom(JSON.parse(JSON.stringify(swarm(5, 2))));
    expect(fleet.findings()).toMatchObject([{ calls: 10, workers: 5 }]);
    fleet.clear();

    expect(fleet.findings()).toEqual([]);
    expect(nextWorker(fleet).action).toBe("continue");
  });
});
