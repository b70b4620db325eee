import type { AgentEvent, Decision, Guard } from "doomloop";
import { createMemoryFleet } from "doomloop/fleet";
import { createTelemetry, type TelemetryOptions } from "doomloop/telemetry";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStreams } from "../../../../test/arbitrary-events.ts";
import { createGuard, type GuardConfig, round, step, times, user } from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { createRecordingMeter } from "../../../../test/recording-meter.ts";
import { refusal } from "../../../../test/refusal.ts";
import { DETECTOR_KINDS } from "../core/finding.ts";

const LAP: readonly AgentEvent[] = [round, ...step("read_file", { path: "a.ts" }, "no such file", { error: true })];
const work = (from: number, count: number): AgentEvent[] =>
  Array.from({ length: count }, (_, at) => [
    round,
    ...step("search", { query: `q${from + at}` }, `found ${from + at}`),
  ]).flat();

/** Plays a run. A call that is refused has no result. */
function play(guard: Guard, events: readonly AgentEvent[]): void {
  let isRefused = false;
  for (const event of events) {
    if (isRefused && "output" in event) continue;
    const { action } = guard.observe(event);
    if ("tool" in event) isRefused = action !== "continue" && action !== "nudge";
  }
}

/** What is counted for one run, by metric name without the prefix. */
function countsOf(events: readonly AgentEvent[], options: GuardConfig = {}): Record<string, number> {
  const { provider, totals } = createRecordingMeter();
  const guard = createTelemetry({ meterProvider: provider }).instrument(createGuard(options));
  play(guard, events);
  return Object.fromEntries(
    Object.entries(totals()).map(([name, value]) => [
      name.replaceAll("doomloop.", "").replaceAll("gen_ai.", ""),
      value,
    ]),
  );
}

describe("an instrumented guard", () => {
  it("counts questions to a second opinion by reason, and answers by verdict, late ones too", () => {
    const blank = Array.from({ length: 9 }, (_, page) => [
      round,
      ...step("read_page", { page }, "This page is blank."),
    ]);
    const answer = (verdict: "stuck" | "working"): AgentEvent => ({ type: "opinion", question: 1, verdict });
    const events = [...blank.flat(), answer("working"), answer("stuck"), { ...answer("stuck"), question: 7 }];

    expect(countsOf(events, { questions: 12 })).toEqual({
      runs: 1,
      calls: 9,
      "questions{question.reason=hunch}": 1,
      "opinions{opinion.verdict=working,question.reason=hunch}": 1,
      "opinions{opinion.verdict=late,question.reason=hunch}": 1,
      "opinions{opinion.verdict=late,question.reason=other}": 1,
    });
  });

  it("counts findings, decisions and what is spent after onset", () => {
    expect(countsOf(times(6, LAP), { levels: { told: 3, refused: 5, ended: 6 } })).toEqual({
      runs: 1,
      "runs.looping": 1,
      calls: 6,
      "findings{finding.kind=repeated-call,tool.name=read_file}": 4,
      "decisions{decision.action=nudge}": 2,
      "decisions{decision.action=block}": 1,
      "decisions{decision.action=stop}": 1,
      "nudges.settled{nudge.outcome=ignored}": 2,
      "onset.calls": 3,
    });
  });

  it("counts spending between two reminders, however far apart they are", () => {
    const silence = countsOf(times(40, [round, ...step("send", { text: "Are you there?" }, "sent")]));

    expect(silence["decisions{decision.action=nudge}"]).toBe(5);
    expect(silence["onset.calls"]).toBeGreaterThan(30);
  });

  it("counts honest work between two laps only if it is short, and none after the user spoke", () => {
    const spentWith = (between: readonly AgentEvent[]) =>
      countsOf([...times(3, LAP), ...between, ...times(3, LAP)])["onset.calls"];

    // What the work brings is progress, so it takes two laps until the loop shows again.
    expect(spentWith(work(0, 2))).toBe(4);
    expect(spentWith(work(0, 13))).toBe(15);
    expect(spentWith(work(0, 16))).toBe(1);
    expect(countsOf([...times(3, LAP), user("go on"), ...times(3, LAP)])).not.toHaveProperty("onset.calls");
  });

  it("starts counting again after a restart", () => {
    const counts = countsOf(times(12, LAP), {
      ladder: ["nudge", "restart"],
      levels: { told: 3, refused: 5, ended: 6 },
    });

    // Three laps after the first words, in each of two attempts.
    expect(counts).toMatchObject({ "decisions{decision.action=restart}": 2, "onset.calls": 6 });
  });

  it("reports findings of a shadow guard as continued", () => {
    const counts = countsOf(times(5, LAP), { preset: "shadow" });

    expect(counts["decisions{decision.action=continue}"]).toBe(2);
    expect(counts["onset.calls"]).toBe(2);
  });

  it("counts tokens only if a loop went on after it was found", () => {
    const { provider, totals } = createRecordingMeter();
    const guard = createTelemetry({ meterProvider: provider }).instrument(createGuard());
    for (let lap = 0; lap < 5; lap++) {
      guard.addTokens({ input: 100, output: 7 });
      for (const event of LAP) guard.observe(event);
    }
    guard.addTokens({ input: 1_000_000 });
    guard.addTokens({ input: Number.NaN, output: -5 });

    expect(totals()).toMatchObject({
      "doomloop.onset.tokens{gen_ai.token.type=input}": 200,
      "doomloop.onset.tokens{gen_ai.token.type=output}": 14,
    });
  });

  it("counts findings that were allowed", () => {
    const { provider, totals } = createRecordingMeter();
    const guard = createTelemetry({ meterProvider: provider }).instrument(createGuard());
    const found = times(3, LAP)
      .map((event) => guard.observe(event))
      .find(({ finding }) => finding !== undefined);
    guard.allow(found!.finding!);

    expect(totals()).toMatchObject({ "doomloop.findings.allowed": 1 });
    expect(guard.stats().falsePositives).toBe(1);
  });

  it("counts faults inside the guard, some calls later", () => {
    const broken = Object.defineProperty({ type: "call", tool: "x" } as const, "type", {
      get() {
        throw new Error("foreign");
      },
    });

    expect(countsOf([broken, ...work(0, 15)])).not.toHaveProperty("faults");
    expect(countsOf([broken, ...work(0, 16)])).toMatchObject({ faults: 1, calls: 16 });
  });

  it("resumes from a snapshot without counting anything twice", () => {
    const first = createGuard({ levels: { told: 3, refused: 5, ended: 6 } });
    for (const event of times(5, LAP)) first.observe(event);
    const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
    const counts = countsOf(LAP, { snapshot, levels: { told: 3, refused: 5, ended: 6 } });

    expect(counts["decisions{decision.action=stop}"]).toBe(1);
    expect(counts).not.toHaveProperty("nudges.settled{nudge.outcome=ignored}");
  });

  it("counts a nudge that was obeyed after the run was saved", () => {
    const first = createGuard();
    for (const event of times(3, LAP)) first.observe(event);
    const counts = countsOf(work(0, 8), { snapshot: first.snapshot() });

    expect(counts).toMatchObject({ "nudges.settled{nudge.outcome=obeyed}": 1 });
  });

  it("distinguishes a dead end of the swarm from a loop of the run", () => {
    const fleet = createMemoryFleet({ calls: 2 });
    for (const worker of ["a", "b"]) {
      const guard = createGuard({ fleet: fleet.join({ worker, world: "here" }) });
      for (const event of LAP) guard.observe(event);
    }
    const counts = countsOf(LAP, { fleet: fleet.join({ worker: "c", world: "here" }) });

    expect(counts).toMatchObject({ "findings{finding.kind=fleet,tool.name=read_file}": 1, calls: 1 });
    expect(counts).not.toHaveProperty("runs.looping");
  });

  it("decides as the guard does, whatever happens", () => {
    fc.assert(
      fc.property(eventStreams, (events) => {
        const plain = createGuard();
        const measured = createTelemetry({ meterProvider: createRecordingMeter().provider }).instrument(createGuard());

        for (const event of events) expect(measured.observe(event)).toEqual(plain.observe(event));
        expect(measured.snapshot()).toEqual(plain.snapshot());
        expect(measured.stats()).toEqual(plain.stats());
      }),
      // Two guards and two snapshots a stream.
      { numRuns: Math.ceil(propertyRuns() / 100) },
    );
  });
});

describe("options for guards that an adapter creates", () => {
  const decisionsWith = (options: GuardConfig) => {
    const { provider, totals } = createRecordingMeter();
    const guard = createGuard(createTelemetry({ meterProvider: provider }).observeOptions(options));
    const decisions = times(3, LAP).map((event) => guard.observe(event));
    return { last: decisions.at(-1), totals: totals(), faults: guard.stats().faults };
  };
  const nudged = "doomloop.decisions{doomloop.decision.action=nudge}";
  const continued = "doomloop.decisions{doomloop.decision.action=continue}";

  it("count findings and decisions, and keep every other option", () => {
    const { last, totals } = decisionsWith({ ladder: ["nudge"] });

    expect(last?.action).toBe("nudge");
    expect(totals).toMatchObject({ [nudged]: 1 });
    expect(createTelemetry({ activeSpan: () => undefined }).observeOptions({ ladder: ["stop"] }).ladder).toEqual([
      "stop",
    ]);
  });

  it("pass on what the host does instead, and count that", () => {
    const { last, totals } = decisionsWith({ onDecision: () => ({ action: "continue" }) });

    expect(last).toEqual({ action: "continue" });
    expect(totals).toMatchObject({ [continued]: 1 });
    expect(totals).not.toHaveProperty([nudged]);
  });

  it.each([
    ["throws", () => [].at(1)!],
    ["answers nonsense", () => "stop" as unknown as Decision],
  ])("count what the guard decided if the host %s", (_, onDecision) => {
    const faults: unknown[] = [];
    const { last, totals } = decisionsWith({ onDecision, onFault: (fault) => void faults.push(fault) });

    expect(last?.action).toBe("nudge");
    expect(totals).toMatchObject({ [nudged]: 1 });
  });
});

describe("attributes", () => {
  const findingsOf = (tools: readonly string[], options: TelemetryOptions = {}): string[] => {
    const { provider, totals } = createRecordingMeter();
    const telemetry = createTelemetry({ ...options, meterProvider: provider });
    for (const tool of tools) {
      const guard = telemetry.instrument(createGuard());
      for (const event of times(3, [round, ...step(tool, { a: 1 }, "no", { error: true })])) guard.observe(event);
    }
    return Object.keys(totals())
      .filter((name) => name.startsWith("doomloop.findings"))
      .map((name) => /gen_ai\.tool\.name=(.*)\}/s.exec(name)![1]!);
  };

  it("have a bounded number of tool names, the first ones found", () => {
    const tools = Array.from({ length: 200 }, (_, at) => `tool_${at}`);

    expect(findingsOf(tools)).toHaveLength(33);
    expect(findingsOf(tools, { maxTools: 2 })).toEqual(["other", "tool_0", "tool_1"]);
  });

  it("create a bounded number of series, whatever is found", () => {
    const { provider, totals } = createRecordingMeter();
    const telemetry = createTelemetry({ meterProvider: provider });
    const kinds = [...DETECTOR_KINDS, "fleet", "opinion", "made up", "another"];
    const tools = [[], ["a", "b"], ["no identifier"], ...Array.from({ length: 100 }, (_, at) => [`tool_${at}`])];
    for (const kind of kinds) {
      for (const [at, names] of tools.entries()) {
        const finding = { kind, tools: names, loop: `${at}`, steps: [], count: at, confidence: 1 };
        const decision = { action: "nudge", finding } as unknown as Decision;
        const guard = telemetry.instrument({ ...createGuard(), observe: () => decision });
        guard.observe({ type: "round" });
      }
    }
    const series = Object.keys(totals()).filter((name) => name.startsWith("doomloop.findings{"));

    // Eleven kinds and "other"; 32 tools, "several", "other" and none.
    expect(series).toHaveLength(12 * 35);
  });

  it("name only the chosen tools", () => {
    expect(findingsOf(["a", "b", "c"], { tools: ["b"] })).toEqual(["b", "other"]);
  });

  it("have no name that is not an identifier", () => {
    expect(findingsOf(["sk-secret value", "line\nbreak", "x".repeat(65), "ünï", "42"])).toEqual(["other"]);
  });

  it("name neither tool for a loop over more than one", () => {
    const lap = [
      round,
      ...step("a", {}, "the first answer ".repeat(9)),
      round,
      ...step("b", {}, "the other ".repeat(9)),
    ];

    expect(countsOf(times(4, lap))).toHaveProperty(["findings{finding.kind=call-cycle,tool.name=several}"]);
  });

  it("leave out the tool if a loop has none", () => {
    const answers = Array.from({ length: 4 }, () => [
      round,
      { type: "text", text: "I will do it now." } as const,
    ]).flat();

    expect(countsOf(answers)).toHaveProperty(["findings{finding.kind=text-only}"]);
  });

  it("have no unknown kind", () => {
    const { provider, totals } = createRecordingMeter();
    const made = { action: "nudge", finding: { kind: "secret", tools: [{}], loop: "", steps: [], count: 1 } };
    const guard: Guard = { ...createGuard(), observe: () => made as unknown as Decision };
    createTelemetry({ meterProvider: provider }).instrument(guard).observe({ type: "round" });

    expect(Object.keys(totals()).find((name) => name.includes("findings"))).toContain("kind=other");
  });
});

describe("findings on spans", () => {
  it("are added to the active span as the GenAI conventions define", () => {
    const noted: unknown[] = [];
    const span = { addEvent: (...event: unknown[]) => void noted.push(event) };
    const activeSpan = () => span as unknown as ReturnType<NonNullable<TelemetryOptions["activeSpan"]>>;
    const guard = createTelemetry({ activeSpan }).instrument(createGuard());
    for (const event of times(3, LAP)) guard.observe(event);

    expect(noted).toEqual([
      [
        "gen_ai.evaluation.result",
        {
          "gen_ai.evaluation.name": "doomloop",
          "gen_ai.evaluation.score.label": "repeated-call",
          "gen_ai.evaluation.score.value": expect.any(Number),
          "gen_ai.tool.name": "read_file",
          "doomloop.finding.count": 3,
          "doomloop.decision.action": "nudge",
        },
      ],
    ]);
  });
});

describe("the host's OpenTelemetry API", () => {
  it("may have no metrics, and spans still get findings", () => {
    const noted: unknown[] = [];
    const trace = { getActiveSpan: () => ({ addEvent: (name: string) => noted.push(name) }) };
    const guard = createTelemetry({ trace }).instrument(createGuard());
    for (const event of times(3, LAP)) guard.observe(event);

    expect(noted).toHaveLength(1);
  });
});

describe("counters", () => {
  it("start at zero, so that the first fault is an increase", () => {
    const added: string[] = [];
    const instrument = (name: string) => ({ add: () => void added.push(name), addCallback() {} });
    const meter = { createCounter: instrument, createHistogram: instrument, createObservableGauge: instrument };
    const provider = { getMeter: () => meter } as unknown as NonNullable<TelemetryOptions["meterProvider"]>;
    createTelemetry({ meterProvider: provider }).watchDeadEnds({ findings: () => [] });

    expect(added).toEqual(expect.arrayContaining(["doomloop.faults", "doomloop.decisions", "doomloop.nudges.settled"]));
  });
});

describe("a fault of OpenTelemetry", () => {
  const broken = (): never => {
    throw new Error("broken");
  };
  const anything: object = new Proxy(broken, { get: () => anything as never, apply: broken });
  const actions = (guard: { observe(event: AgentEvent): Decision }) =>
    times(6, LAP).map((e) => guard.observe(e).action);
  const expected = actions(createGuard());

  it.each([
    ["a provider without a meter", { getMeter: broken }],
    ["a meter without instruments", { getMeter: () => ({ createCounter: broken }) }],
    ["instruments that throw", { getMeter: () => anything }],
  ])("never reaches the guard: %s", (_, provider) => {
    const faults: unknown[] = [];
    const meterProvider = provider as unknown as NonNullable<TelemetryOptions["meterProvider"]>;
    const telemetry = createTelemetry({ meterProvider, onFault: (fault) => void faults.push(fault) });
    const guard = telemetry.instrument(createGuard());

    expect(actions(guard)).toEqual(expected);
    expect(actions(createGuard(telemetry.observeOptions({})))).toEqual(expected);
    guard.addTokens({ input: 1 });
    telemetry.observeFleet().onState("degraded");
    telemetry.observeFleet().onFlush({ durationMs: 1, reports: 1, outcome: "delivered" });
    telemetry.watchDeadEnds({ findings: broken })();
    expect(faults).toEqual([expect.objectContaining({ message: "broken" })]);
  });

  it("on a span, or in onFault, changes nothing", () => {
    const guard = createTelemetry({ activeSpan: broken, onFault: broken }).instrument(createGuard());

    expect(actions(guard)).toEqual(expected);
  });
});

describe("telemetry options", () => {
  it.each([
    [{ maxTools: -1 }, "telemetry: maxTools: an integer of at least 0 is required, got -1"],
    [{ maxTools: 5000 }, "telemetry: maxTools: an integer of at most 1000 is required, got 5000"],
    [{ tools: ["a b"] }, "telemetry: tools: at most 1000 names are required, …"],
    [{ tools: "bash" as never }, "telemetry: tools: at most 1000 names are required, …"],
    [{ tools: ["bash"] }, "telemetry: metrics and trace of your @opentelemetry/api are required, got neither"],
  ])("are rejected if they are invalid: %j", (options, message) => {
    expect(() => createTelemetry(options)).toThrow(refusal(message) as Error);
  });
});
