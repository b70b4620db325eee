import {
  type AgentEvent,
  createGuard,
  type Decision,
  DoomloopError,
  type Finding,
  type FindingKind,
  type Guard,
  type GuardOptions,
  type GuardStats,
  isDoomloopError,
  type Levels,
  type LOOP_DETECTED,
  type LoopStop,
  loopStop,
  type OwnDecision,
  type PresetName,
  type Rung,
  type Snapshot,
  type ToolRule,
} from "doomloop";
import { describe, expectTypeOf, it } from "vitest";
import type { Action } from "./core/decision.ts";
import type { CallEvent, ResultEvent } from "./core/event.ts";
import type { DetectorKind, FleetFinding, RepeatedCallFinding } from "./core/finding.ts";
import type { RepeatedTextOptions } from "./core/reading/word-stream.ts";
import type { DetectorOption, DetectorOptions } from "./core/options.ts";

describe("AgentEvent", () => {
  it("is a closed union over its type", () => {
    expectTypeOf<AgentEvent["type"]>().toEqualTypeOf<
      "call" | "result" | "text" | "reasoning" | "round" | "user" | "state" | "compaction" | "opinion"
    >();
  });

  it("requires only what an event cannot do without", () => {
    expectTypeOf<{ type: "call"; tool: string }>().toExtend<AgentEvent>();
    expectTypeOf<{ type: "result" }>().toExtend<AgentEvent>();
    expectTypeOf<{ type: "round" }>().toExtend<AgentEvent>();
    expectTypeOf<{ type: "user" }>().toExtend<AgentEvent>();
    expectTypeOf<{ type: "call" }>().not.toExtend<AgentEvent>();
    expectTypeOf<{ type: "text" }>().not.toExtend<AgentEvent>();
    expectTypeOf<{ type: "state"; key: string }>().not.toExtend<AgentEvent>();
    expectTypeOf<{ type: "tool"; tool: string }>().not.toExtend<AgentEvent>();
  });

  it("accepts an undefined id, as hosts may have", () => {
    expectTypeOf<{ type: "call"; tool: string; id: string | undefined }>().toExtend<CallEvent>();
    expectTypeOf<{ type: "result"; output: unknown; error: boolean | undefined }>().toExtend<ResultEvent>();
  });
});

describe("Decision", () => {
  it("has one of five actions", () => {
    expectTypeOf<Decision["action"]>().toEqualTypeOf<Action>();
    expectTypeOf<Action>().toEqualTypeOf<"continue" | "nudge" | "block" | "restart" | "stop">();
  });

  it("has words whenever there is something to do", () => {
    expectTypeOf<Exclude<Decision, { action: "continue" }>["message"]>().toEqualTypeOf<string>();
    expectTypeOf<Extract<Decision, { action: "stop" }>["status"]>().toEqualTypeOf<typeof LOOP_DETECTED>();
  });

  it("may be changed by a host that gives only an action, or changes only a part", () => {
    expectTypeOf<{ action: "stop" }>().toExtend<OwnDecision>();
    expectTypeOf<(decision: Decision) => { action: "block"; message: string | undefined }>().toExtend<
      NonNullable<GuardOptions["onDecision"]>
    >();
  });

  it("is read-only", () => {
    const decision: Decision = { action: "continue" };
    // @ts-expect-error
    decision.action = "stop";
  });
});

describe("loopStop", () => {
  it("is defined for a decision that ends the run", () => {
    const decision = createGuard().observe({ type: "round" });
    expectTypeOf(loopStop(decision)).toEqualTypeOf<LoopStop | undefined>();
    if (decision.action === "stop") expectTypeOf(loopStop(decision)).toEqualTypeOf<LoopStop>();
  });
});

describe("Finding", () => {
  it("is a closed union over its kind, so a switch can be exhaustive", () => {
    // The kinds are written out, so that a new detector need not be added here.
    type Told =
      | ("call-cycle" | "repeated-call" | "similar-call" | "same-outcome" | "test-fix" | "failure-streak")
      | ("stalled" | "repeated-text" | "text-only" | "fleet" | "opinion");
    const describeFinding = (finding: Extract<Finding, { kind: Told }>): string => {
      switch (finding.kind) {
        case "call-cycle":
          return `${finding.period} ${finding.evidence.outcome}`;
        case "repeated-call":
          return `${finding.evidence.isFuzzy} ${finding.evidence.isWaiting} ${finding.evidence.isFailing} ${finding.evidence.isBusy}`;
        case "similar-call":
          return `${finding.evidence.outcome}`;
        case "same-outcome":
          return `${finding.evidence.isFailing}`;
        case "test-fix":
          return `${finding.evidence.failing?.toFixed()}`;
        case "failure-streak":
          return `${finding.evidence.isFileWork}`;
        case "stalled":
          return `${finding.evidence.isEmpty}`;
        case "repeated-text":
          return `${finding.period} ${finding.evidence.stream}`;
        case "text-only":
          return `${finding.evidence.isRepeating}`;
        case "fleet":
          return `${finding.evidence.workers}`;
        case "opinion":
          return `${finding.evidence.since}`;
        default:
          return finding satisfies never;
      }
    };
    expectTypeOf(describeFinding).returns.toBeString();
  });

  it("has a kind for every detector, the fleet's, and a second opinion's", () => {
    expectTypeOf<FindingKind>().toEqualTypeOf<DetectorKind | "fleet" | "opinion">();
    expectTypeOf<FleetFinding["kind"]>().toEqualTypeOf<"fleet">();
  });

  it("is read-only, all the way down", () => {
    const change = (finding: RepeatedCallFinding) => {
      // @ts-expect-error
      finding.count = 1;
      // @ts-expect-error
      finding.steps.push(1);
      // @ts-expect-error
      finding.evidence.isFuzzy = true;
    };
    expectTypeOf(change).toBeFunction();
  });
});

describe("GuardOptions", () => {
  it("are all optional", () => {
    expectTypeOf<Record<never, never>>().toExtend<GuardOptions>();
    expectTypeOf(createGuard).toBeCallableWith();
    expectTypeOf(createGuard).returns.toEqualTypeOf<Guard>();
  });

  it("know the presets and the rungs by name", () => {
    expectTypeOf<PresetName>().toEqualTypeOf<"balanced" | "conservative" | "aggressive" | "shadow">();
    expectTypeOf<Rung>().toEqualTypeOf<"nudge" | "block" | "restart" | "stop">();
    expectTypeOf<NonNullable<GuardOptions["ladder"]>>().toEqualTypeOf<readonly Rung[]>();
    expectTypeOf<NonNullable<GuardOptions["levels"]>>().toEqualTypeOf<Partial<Levels>>();
  });

  it("have a threshold for each kind of loop, or false", () => {
    expectTypeOf<DetectorOptions["repeated-call"]>().toEqualTypeOf<DetectorOption | false | undefined>();
    expectTypeOf<DetectorOptions["repeated-text"]>().toEqualTypeOf<RepeatedTextOptions | false | undefined>();
    expectTypeOf<DetectorKind>().toExtend<keyof DetectorOptions>();
    createGuard({ detectors: { "call-cycle": { threshold: 3 }, "text-only": false } });
  });

  it("reject an option that a detector does not have", () => {
    // @ts-expect-error
    (): Guard => createGuard({ detectors: { "repeated-call": { laps: 3 } } });
    // @ts-expect-error
    (): Guard => createGuard({ detectors: { "repeated-call": true } });
    // @ts-expect-error
    (): Guard => createGuard({ preset: "bold" });
    // @ts-expect-error
    (): Guard => createGuard({ ladder: ["shout"] });
    // @ts-expect-error
    (): Guard => createGuard({ treshold: 3 });
    // @ts-expect-error
    (): Guard => createGuard({ levels: { warned: 2 } });
  });

  it("type the rules of tools", () => {
    createGuard({ rules: { a: { poll: true }, b: { poll: { patienceMs: 1 } }, c: { identity: (args) => args } } });
    expectTypeOf<ToolRule["repeat"]>().toEqualTypeOf<"watched" | "never" | undefined>();
    // @ts-expect-error
    (): Guard => createGuard({ rules: { a: { repeat: "sometimes" } } });
  });

  it("take a callback that only logs", () => {
    const log = { info: (..._: unknown[]): void => undefined };
    createGuard({ onDecision: (decision) => log.info(decision) });
    createGuard({ onDecision: log.info });
    createGuard({
      onDecision(decision) {
        log.info(decision);
      },
    });
  });

  it("do not take an asynchronous callback", () => {
    // @ts-expect-error
    (): Guard => createGuard({ onDecision: async (decision) => decision });
  });

  it("are read-only", () => {
    const options: GuardOptions = {};
    // @ts-expect-error
    options.attended = true;
  });
});

describe("Guard", () => {
  it("takes events and returns decisions synchronously", () => {
    expectTypeOf<Guard["observe"]>().toEqualTypeOf<(event: AgentEvent) => Decision>();
    expectTypeOf<Guard["peek"]>().toEqualTypeOf<(event: AgentEvent) => Decision>();
    expectTypeOf<Guard["allow"]>().parameter(0).toEqualTypeOf<Finding>();
    expectTypeOf<Guard["snapshot"]>().returns.toEqualTypeOf<Snapshot>();
  });

  it("has read-only statistics", () => {
    expectTypeOf<GuardStats["decisions"]>().toEqualTypeOf<Readonly<Record<Action, number>>>();
    const change = (stats: GuardStats) => {
      // @ts-expect-error
      stats.checks = 0;
      // @ts-expect-error
      stats.decisions.stop = 0;
    };
    expectTypeOf(change).toBeFunction();
  });
});

describe("DoomloopError", () => {
  it("has a code for programs", () => {
    expectTypeOf<DoomloopError["code"]>().toEqualTypeOf<
      | "invalid-option"
      | "invalid-snapshot"
      | "invalid-trace"
      | "misuse"
      | "git-missing"
      | "unknown-checkpoint"
      | "workspace-busy"
      | "workspace-fault"
      | "store-fault"
    >();
    expectTypeOf(new DoomloopError("invalid-option", "x")).toExtend<Error>();
  });

  it("is what isDoomloopError recognises", () => {
    expectTypeOf(isDoomloopError).guards.toEqualTypeOf<DoomloopError>();
  });
});
