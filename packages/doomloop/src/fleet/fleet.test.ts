import type { Decision, Guard } from "doomloop";
import { createMemoryFleet, type Fleet } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { call, createGuard, failure, type GuardConfig, result, step, times, user } from "../../../../test/builders.ts";
import { manualClock } from "../../../../test/contracts/fleet.ts";
import type { AgentEvent } from "../core/event.ts";
import { DETECTOR_KINDS } from "../core/finding.ts";
import type { DetectorOptions } from "../core/options.ts";
import type { FleetOptions } from "./fleet.ts";

/** No worker finds anything by itself. */
const silent = Object.fromEntries(DETECTOR_KINDS.map((kind) => [kind, false])) as DetectorOptions;

const call503: readonly AgentEvent[] = [call("status", {}), failure("503 Service Unavailable")];
const deadEnd: readonly AgentEvent[] = [call("fetch", { url: "https://docs.example/v2" }), failure("404 Not Found")];
/** A dead end that a worker's own guard is certain of. */
const missingFile: readonly AgentEvent[] = [
  call("read_file", { path: "gone.ts" }),
  failure("ENOENT: no such file or directory"),
];

/** All workers of a test share one machine, unless it says otherwise. */
function worker(fleet: Fleet, name: string, options: GuardConfig = { detectors: silent }): Guard {
  return createGuard({ ...options, fleet: fleet.join({ worker: name, world: "here" }) });
}

function swarmOf(count: number, options: FleetOptions = {}, guardOptions?: GuardConfig) {
  const clock = manualClock();
  const fleet = createMemoryFleet({ now: clock.now, ...options });
  const guards = Array.from({ length: count }, (_, at) => worker(fleet, `worker ${at}`, guardOptions));
  return { clock, fleet, guards };
}

/** The decisions of a guard that are more than `continue`. */
function observe(guard: Guard, events: readonly AgentEvent[]): Decision[] {
  return events.map((event) => guard.observe(event)).filter(({ action }) => action !== "continue");
}

function actions(guard: Guard, events: readonly AgentEvent[]): string[] {
  return observe(guard, events).map(({ action }) => action);
}

/** A fleet in which two other workers have made four calls that lead nowhere. */
function warned(options: FleetOptions = {}, end = deadEnd): Fleet {
  const { fleet, guards } = swarmOf(2, { calls: 4, ...options });
  for (const guard of guards) observe(guard, times(2, end));
  return fleet;
}

describe("a swarm of guards", () => {
  it("warns a worker of the others' dead end before its own first call", () => {
    const guard = worker(warned(), "newcomer");
    const decision = guard.observe(deadEnd[0]!);

    expect(decision).toMatchObject({ action: "nudge", finding: { kind: "fleet", count: 4, evidence: { workers: 2 } } });
    expect(decision.message).toMatch(/^\[doomloop\] /);
  });

  it("does not take a call that mostly works for a dead end", () => {
    const { fleet, guards } = swarmOf(2, { calls: 4 });
    for (let task = 0; task < 40; task++) {
      for (const guard of guards) {
        guard.observe(user());
        observe(guard, task % 10 === 9 ? [...call503] : step("status", {}, "all green"));
      }
    }

    expect(fleet.findings()).toEqual([]);
  });

  it("warns again after the run was reset, since the agent has forgotten", () => {
    const guard = worker(warned(), "newcomer");
    observe(guard, deadEnd);
    guard.reset();

    expect(actions(guard, deadEnd)).toEqual(["nudge"]);
  });

  it.each<GuardConfig>([
    { preset: "balanced" },
    { preset: "aggressive" },
    { preset: "conservative" },
    { ladder: ["block"] },
    { ladder: ["stop"] },
    { ladder: ["nudge", "stop"] },
    { attended: true },
  ])("does no more than nudge on what the fleet knows, however often (%o)", (options) => {
    const guard = worker(warned({ workers: 2 }), "newcomer", { ...options, detectors: silent });

    expect(new Set(actions(guard, times(200, deadEnd)))).toEqual(new Set(["nudge"]));
  });

  it("refuses a worker's own evidence of a shared dead end after half as many rounds", () => {
    const events = times(20, missingFile);
    const refusedAt = (guard: Guard): number =>
      events.findIndex((event) => guard.observe(event).action === "block") / 2 + 1;

    // The first words about a worker's own loop come at the third call.
    expect(refusedAt(createGuard())).toBe(10);
    expect(refusedAt(worker(warned({}, missingFile), "newcomer", {}))).toBe(7);
  });

  it("treats a worker's evidence of another loop as without a fleet", () => {
    const events = times(12, step("read_file", { path: "a.ts" }, "the same"));

    expect(actions(worker(warned(), "newcomer", {}), events)).toEqual(actions(createGuard(), events));
  });

  it("lets a worker go on that was allowed to repeat the call", () => {
    const fleet = warned();
    const finding = worker(fleet, "newcomer").observe(deadEnd[0]!).finding!;
    const guard = worker(fleet, "another");
    guard.allow(finding);

    expect(actions(guard, times(5, deadEnd))).toEqual([]);
  });

  it("counts the steps of a run once if it goes on from a snapshot", () => {
    const { fleet, guards } = swarmOf(2, { calls: 4 });
    const [one, two] = guards as [Guard, Guard];
    observe(one, deadEnd);
    const snapshot = one.snapshot();
    observe(one, deadEnd);
    observe(worker(fleet, "worker 0", { detectors: silent, snapshot }), deadEnd);
    observe(two, deadEnd);

    expect(fleet.findings()).toEqual([]);
    observe(two, deadEnd);
    expect(fleet.findings()).toMatchObject([{ calls: 4 }]);
  });
});

describe("whose world a dead end is in", () => {
  const alone = (fleet: Fleet, name: string, options: GuardConfig = {}): Guard =>
    createGuard({ detectors: silent, ...options, fleet: fleet.join({ worker: name }) });
  const found = (events: readonly AgentEvent[], join = alone, options: GuardConfig = {}): number => {
    const fleet = createMemoryFleet({ calls: 4 });
    for (const name of ["one", "two"]) observe(join(fleet, name, options), times(2, events));
    return fleet.findings().length;
  };
  const own: readonly (readonly AgentEvent[])[] = [
    missingFile,
    [call("bash", { command: "which rg" }), failure("exit code 1")],
    [call("bash", { command: "curl -sf https://api.example.com/v1" }), failure("exit code 22")],
    [call("fetch", { url: "http://localhost:8080/items" }), failure("404 Not Found")],
    [call("search_notes", { query: "plan" }), failure("no such note")],
  ];

  it.each(own)("is not the swarm's if each worker has its own", (...events) => {
    expect(found(events)).toBe(0);
  });

  it.each(own)("is the swarm's if the workers say that they share a world", (...events) => {
    expect(found(events, worker)).toBe(1);
  });

  it("is not the swarm's if the workers are in different worlds", () => {
    const apart = (fleet: Fleet, name: string): Guard =>
      createGuard({ detectors: silent, fleet: fleet.join({ worker: name, world: name }) });

    expect(found(missingFile, apart)).toBe(0);
    expect(found(deadEnd, apart)).toBe(1);
  });

  it("is the swarm's by the host's word, for a tool or for some of its calls", () => {
    const [call503] = [[call("search_notes", { query: "plan" }), failure("no such note")]];
    const byQuery = (args: unknown) => ((args as { query: string }).query === "plan" ? "shared" : undefined);

    expect(found(call503, alone, { rules: { search_notes: { fleet: "shared" } } })).toBe(1);
    expect(found(call503, alone, { rules: { search_notes: { fleet: byQuery } } })).toBe(1);
    expect(found(call503, alone, { rules: { search_notes: { fleet: () => "nonsense" as "own" } } })).toBe(0);
  });

  it.each(["own", "never"] as const)("is not the swarm's if the host says %s", (scope) => {
    expect(found(deadEnd, alone, { rules: { fetch: { fleet: scope } } })).toBe(0);
  });

  it("is nobody's if the host says never, in a common world, too", () => {
    expect(found(deadEnd, worker, { rules: { fetch: { fleet: "never" } } })).toBe(0);
    expect(found(deadEnd, worker, { rules: { fetch: { fleet: "own" } } })).toBe(1);
  });

  it("is told to a worker in the same world only", () => {
    const fleet = warned({}, missingFile);

    expect(actions(alone(fleet, "elsewhere"), missingFile.slice(0, 1))).toEqual([]);
    expect(actions(worker(fleet, "here, too"), missingFile.slice(0, 1))).toEqual(["nudge"]);
  });

  it("is shared by the rule's function even if that throws, as without the rule", () => {
    const fleet = () => {
      throw new Error("rule");
    };

    expect(found(deadEnd, alone, { rules: { fetch: { fleet } }, onFault: () => {} })).toBe(1);
  });
});

describe("what may pass by itself", () => {
  const address = { url: "https://api.example.com/deploy" };
  const failing = (words: string, tool = "fetch"): AgentEvent[] => [call(tool, address), failure(words)];
  const swarmFinds = (eventsOf: () => AgentEvent[], options: GuardConfig = {}): number => {
    const { fleet, guards } = swarmOf(12, {}, { detectors: silent, ...options });
    for (const guard of guards) observe(guard, eventsOf());
    return fleet.findings().length;
  };

  it.each([
    "429 Too Many Requests",
    "503 Service Unavailable",
    "connect ECONNREFUSED 203.0.113.7:443",
    "423 Locked",
    "the lock is held by another worker",
    "the service is not ready",
    "ETIMEDOUT: the request timed out",
  ])("is no dead end if everyone meets it a few times: %s", (words) => {
    expect(swarmFinds(() => times(3, failing(words)))).toBe(0);
  });

  it("is no dead end where the host says that the tool polls", () => {
    const events = () => times(3, failing("404 Not Found", "check"));

    expect(swarmFinds(events)).toBe(1);
    expect(swarmFinds(events, { rules: { check: { poll: true } } })).toBe(0);
  });

  it("is a dead end once the guards themselves count it", () => {
    expect(swarmFinds(() => times(30, failing("503 Service Unavailable")))).toBe(1);
  });
});

describe("what a swarm does not take for a dead end", () => {
  const poll = step("check_job", { id: 7 }, "status: running");
  const page = (at: number) => step("read_file", { path: "a.ts", offset: at * 100 }, `lines from ${at * 100}`);
  const testRun = (at: number) => [
    call("edit", { path: "a.ts", old: `${at}`, new: `${at + 1}` }),
    result(`edited ${at}`),
    call("bash", { command: "npm test" }),
    failure(`Tests: ${40 - at} failed, ${at} passed\nexit code 1`),
  ];
  const refused = [call("deploy", { to: "live" }), result("refused", { error: true, synthetic: true })];

  it.each<{ title: string; eventsOf: (worker: number) => AgentEvent[]; options?: GuardConfig }>([
    { title: "a file that everyone reads once", eventsOf: () => step("read_file", { path: "a.ts" }, "export {}") },
    {
      title: "a job that everyone waits for",
      eventsOf: () => times(5, poll),
      options: { rules: { check_job: { poll: true } } },
    },
    { title: "pages that everyone reads", eventsOf: () => [page(0), page(1), page(2), page(3)].flat() },
    {
      title: "tests that get better with each edit",
      eventsOf: (at) => [0, 1, 2, 3].flatMap((of) => testRun(4 * at + of)),
    },
    { title: "calls that were refused and did not run", eventsOf: () => times(4, refused) },
    {
      title: "calls whose arguments cannot be compared",
      eventsOf: (at) => times(4, [call(`tool_${at}`, { value: () => at }), failure("no such thing")]),
    },
  ])("is $title", ({ eventsOf, options }) => {
    const { fleet, guards } = swarmOf(6, { calls: 6 }, { ...options, detectors: silent });
    guards.forEach((guard, at) => {
      observe(guard, eventsOf(at));
    });

    expect(fleet.findings()).toEqual([]);
  });

  it.each<{ title: string; lapOf: (fruit: string, number: number) => AgentEvent[] }>([
    {
      title: "an acknowledgement that everyone gives, of one job after the other",
      lapOf: (fruit, number) => [
        ...step("pop", {}, `job ${number}: weigh the ${fruit} of farm ${number}`),
        ...step("ack", {}, "ok"),
      ],
    },
    {
      title: "a status that everyone looks at beside something new",
      lapOf: (fruit, number) => [
        ...step("read_file", { path: `${number}.md` }, `what ${fruit} are good for, part ${number}`),
        ...step("get_status", {}, "all is well"),
      ],
    },
  ])("is $title", ({ lapOf }) => {
    const { fleet, guards } = swarmOf(4, { calls: 6 });
    ["apples", "pears", "plums", "grapes", "figs", "dates"].forEach((fruit, lap) => {
      for (const [at, guard] of guards.entries()) observe(guard, lapOf(fruit, 10 * lap + at));
    });

    expect(fleet.findings()).toEqual([]);
  });

  it("is not decided by a worker that ignores outcomes", () => {
    const { fleet, guards } = swarmOf(2, { calls: 4 });
    for (const guard of guards) observe(guard, times(2, deadEnd));
    const unseeing = worker(fleet, "unseeing", { counts: { repeats: 20, outcomes: "ignore" } });
    observe(unseeing, [deadEnd[0]!, result("404 page, told as a success")]);

    expect(fleet.findings()).toMatchObject([{ calls: 4 }]);
  });
});

describe("a swarm that counts every call", () => {
  const every = { countAll: true } as const;
  const read = (at: number): AgentEvent[] => step("read_file", { path: "a.ts" }, `version ${at}`);

  it.each<GuardConfig>([{ detectors: silent }, { counts: { repeats: 20, outcomes: "ignore" } }])(
    "tells calls in flight apart (%o)",
    (options) => {
      const { fleet, guards } = swarmOf(2, every, options);
      const inFlight = [
        { type: "round" as const },
        call("fetch", { url: "https://docs.example/v2" }, { id: "a" }),
        call("read_file", { path: "a.ts" }, { id: "b" }),
        result("404", { id: "a", error: true }),
        result("no such file", { id: "b", error: true }),
      ];
      for (const guard of guards) observe(guard, times(5, inFlight));

      expect(
        fleet
          .findings()
          .map(({ tool, calls }) => `${tool} ${calls}`)
          .toSorted(),
      ).toEqual(["fetch 10", "read_file 10"]);
    },
  );

  it.each([
    [60_000, "In the last 1 minute, 2 workers"],
    [120_000, "In the last 2 minutes, 2 workers"],
    [30_000, "In the last 30 seconds, 2 workers"],
  ])("says how long the window is: %i ms", (windowMs, words) => {
    const { guards } = swarmOf(2, { ...every, calls: 2, windowMs });
    for (const guard of guards) observe(guard, read(0));

    expect(guards[0]!.observe(read(1)[0]!).message).toContain(words);
  });
});
