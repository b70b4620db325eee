import { createGuard, type DetectorOptions, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, call, decisionsOf, result, step, times, user } from "../../../../test/builders.ts";
import { refusal } from "../../../../test/refusal.ts";
import { resolveOptions } from "./options.ts";
import type { Rung } from "./policy/rungs.ts";

/** Long enough that having it again to the letter proves that nothing happened. */
const RECORD =
  "This record of a customer does not change, however often and in whatever mood somebody asks for it today.";
const OTHER =
  "Another customer, whose house has been empty since the spring of that year and who left no address behind.";
/** What is in the run's own folder does not change by itself: to read it again is barren beyond doubt. */
const read = step("read_file", { path: "a.ts" }, RECORD);
/** What others may change is only told. */
const ask = step("get_record", { id: 7 }, RECORD);

describe("resolveOptions", () => {
  it("is the balanced preset without options", () => {
    const { detectors, ladder, isAttended, isShadow } = resolveOptions({});

    expect(detectors.map(({ kind }) => kind)).toEqual(
      resolveOptions({ preset: "balanced" }).detectors.map(({ kind }) => kind),
    );
    expect({ ladder, isAttended, isShadow }).toMatchObject({
      ladder: { rungs: ["nudge", "nudge", "block", "stop"], scope: "loop" },
      isAttended: false,
      isShadow: false,
    });
  });

  it("lets the caller's options win over the preset's, field by field", () => {
    const clocked = (at: number) => step("get_record", { id: 7 }, `${RECORD} Read at 10:00:0${at}.`);
    const options: GuardOptions = {
      preset: "conservative",
      detectors: { "repeated-call": { threshold: 5 }, "test-fix": false, stalled: false },
    };

    expect(resolveOptions(options).detectors.map(({ kind }) => kind)).not.toContain("test-fix");
    expect(decisionsOf(times(5, ask), options)).toMatchObject([{ at: 9 }]);
    // Six is what the preset asks for where outcomes are equal in substance only.
    expect(decisionsOf([1, 2, 3, 4, 5, 6].flatMap(clocked), options)).toMatchObject([{ at: 11 }]);
  });

  it("changes nothing that the caller passed", () => {
    const options = {
      detectors: { "repeated-call": { threshold: 5 } },
      ladder: ["nudge", "stop"] as Rung[],
      attended: true,
    };
    const before = structuredClone(options);
    resolveOptions({ ...options, preset: "aggressive" });

    expect(options).toEqual(before);
  });

  it.each<[Rung[], Rung[]]>([
    [
      ["nudge", "nudge", "block", "stop"],
      ["nudge", "nudge", "block"],
    ],
    [
      ["nudge", "restart", "stop"],
      ["nudge", "block"],
    ],
    [["stop"], ["block"]],
    [["nudge"], ["nudge"]],
    [
      ["nudge", "block"],
      ["nudge", "block"],
    ],
  ])("ends the ladder %j of an attended run as %j", (ladder, attended) => {
    expect(resolveOptions({ ladder, attended: true }).ladder.rungs).toEqual(attended);
  });
});

describe("options that make no sense", () => {
  it.each<[unknown, string]>([
    [{ preset: "bold" }, "preset: one of balanced, conservative, aggressive, shadow is required, got bold"],
    [{ ladderScope: "team" }, 'ladderScope: "loop" or "run" is required, got "team"'],
    [{ ladder: [] }, "ladder: at least one rung is required, got none"],
    [{ ladderCounts: [3] }, "ladderCounts: 4 rising integers are required, got 3"],
    [{ ladderPace: true }, "ladderPace: an object or false is required, got true"],
    [{ ladderPace: { block: { rounds: 0, ms: 0 } } }, "ladderPace: block.rounds of at least 1 and …"],
    [{ tools: ["search"] }, "tools: an object is required, got a list"],
    [{ tools: new Map() }, "tools: an object is required, got a map"],
    [
      { tools: { pay: { ignore: true, repeat: "never" } } },
      'tools["pay"]: a tool that is ignored cannot have repeat: "never"',
    ],
    [{ detectors: { mine: { inspect: () => undefined } } }, "detectors.mine: make it with defineDetector({ ... })"],
    [{ tools: null }, "tools: an object is required, got null"],
    [{ presets: "x" }, "presets: there is no such option; did you mean preset?"],
    [{ detectors: { "repeated-call": { tresh: 2 } } }, 'detectors["repeated-call"].tresh: there is no such option; …'],
    [
      { detectors: { "repeated-call": { treshold: 2 } } },
      'detectors["repeated-call"].treshold: …; did you mean threshold?',
    ],
    [{ endUncertainAfter: 0 }, "endUncertainAfter: … is required, got 0"],
    [{ ladder: ["whisper"] }, "ladder: one of nudge, block, restart, stop is required, got whisper"],
    [{ detectors: { "repeated-call": { threshold: 0 } } }, "repeated-call: threshold: … is required, got 0"],
    [{ progress: { patienceMs: -1 } }, "progress.patienceMs: … is required, got -1"],
    [{ beyondNudge: "all" as never }, 'beyondNudge: "certain" or "any" is required, got "all"'],
    [{ progress: { outcomes: "guess" } }, 'progress.outcomes: "compare" or "ignore" is required, got "guess"'],
    [{ progress: { comparedArguments: "some" } }, 'progress.comparedArguments: "all" or "primary" is required, …'],
    [{ progress: { comparedCharacters: 0 } }, "progress.comparedCharacters: … is required, got 0"],
    [{ progress: { patienceMs: Number.NaN } }, "progress.patienceMs: … is required, got NaN"],
    [{ tools: { a: { threshold: 0 } } }, 'tools["a"].threshold: … is required, got 0'],
  ])("are refused when the guard is made: %j", (options, message) => {
    expect(() => createGuard(options as GuardOptions)).toThrow(refusal(message));
  });

  it.each(["repeated_call", "constructor", "__proto__", "fleet"])("are refused: a detector of the name %s", (kind) => {
    const detectors = JSON.parse(`{"${kind}": {}}`) as DetectorOptions;

    expect(() => createGuard({ detectors })).toThrow(
      expect.objectContaining({
        code: "invalid-option",
        message: expect.stringMatching(new RegExp(`^detectors\\.${kind}: there is no such option; `)),
      }),
    );
  });

  it.each([[["nudge", "whisper"]], [["stop", "nudge"]], ["nudge"], [[]]])(
    "are refused in an attended run too: the ladder %j",
    (ladder) => {
      expect(() => createGuard({ attended: true, ladder: ladder as Rung[] })).toThrow(
        expect.objectContaining({
          code: "invalid-option",
          message: expect.stringMatching(/^ladder: .* required, got /),
        }),
      );
    },
  );

  it("are refused where a run is to go on with a snapshot too", () => {
    const snapshot = createGuard().snapshot();

    expect(() => createGuard({ snapshot, ladder: [] })).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });
});

describe("options", () => {
  it("switch a detector off", () => {
    const detectors = { "repeated-call": false, stalled: false } as const;

    expect(actionsOf(times(12, read), { detectors })).toEqual([]);
  });

  it("ladder: decides what is done", () => {
    expect(actionsOf(times(3, read), { ladder: ["stop"] })).toEqual(["stop"]);
    expect(new Set(actionsOf(times(40, read), { ladder: ["nudge"] }))).toEqual(new Set(["nudge"]));
  });

  it("ladderPace: decides when it is done", () => {
    const pace = { block: { rounds: 3, ms: 0 }, restart: { rounds: 5, ms: 0 }, stop: { rounds: 5, ms: 0 } };
    const firstOf = (action: string, options: GuardOptions) =>
      Math.floor(decisionsOf(times(40, read), options).find((decision) => decision.action === action)!.at / 2);

    expect([firstOf("block", {}), firstOf("stop", {})]).toEqual([11, 24]);
    expect([firstOf("block", { ladderPace: pace }), firstOf("stop", { ladderPace: pace })]).toEqual([6, 9]);
    expect(actionsOf(times(6, read), { ladderPace: false })).toEqual(["nudge", "nudge", "block", "stop"]);
  });

  it("ladderScope: lets a second loop go on where the first one was", () => {
    const other = step("read_file", { path: "b.ts" }, OTHER);
    // Seen before the first loop, so that it is no news when it begins to repeat.
    const events = [...other, ...times(3, read), ...times(3, other)];
    const gravity = (options: GuardOptions) =>
      decisionsOf(events, { ladderPace: false, ...options }).map(({ message }) => message?.includes("Last warning"));

    expect(gravity({})).toEqual([false, false]);
    expect(gravity({ ladderScope: "run" })).toEqual([false, true]);
  });

  it("ladderDescends: keeps the rungs that progress would take back", () => {
    const events = [...times(4, read), user("go on"), ...times(3, read)];

    expect(actionsOf(events, { ladderPace: false })).toEqual(["nudge", "nudge", "nudge"]);
    expect(actionsOf(events, { ladderPace: false, ladderDescends: false })).toContain("block");
  });

  it("ladderCounts: climbs by how often a call was repeated", () => {
    const options: GuardOptions = {
      ladder: ["nudge", "stop"],
      ladderCounts: [3, 6],
      detectors: { stalled: false },
    };

    expect(decisionsOf(times(5, read), options).map(({ action }) => action)).toEqual(["nudge", "nudge", "nudge"]);
    expect(actionsOf(times(6, read), options)).toContain("stop");
  });

  it("ladderCounts: go with the rungs that an attended run keeps", () => {
    expect(() => createGuard({ attended: true, ladderCounts: [3, 4, 5, 8] })).not.toThrow();
  });

  it("priority: lets the detector that is asked first name the loop", () => {
    const attempts = ["", " now", " here", " today"].flatMap((more) =>
      step("create_ticket", { title: "Client retries without limit", body: `Text${more}` }, "no quota", {
        error: true,
      }),
    );
    const kindOf = (options: GuardOptions) => decisionsOf(attempts, options)[0]?.finding?.kind;

    expect(kindOf({})).toBe("similar-call");
    expect(kindOf({ priority: ["same-outcome"] })).toBe("same-outcome");
    expect(() => createGuard({ priority: ["tests"] as never })).toThrow(/^priority: one of .* is required, got tests$/);
  });

  it("priority: does not put a guess before what is certain", () => {
    const failing = step("read_file", { path: "a.ts" }, "no such file", { error: true });
    const detectors = { "repeated-call": { threshold: 4 }, "test-fix": { threshold: 4 } };

    expect(decisionsOf(times(4, failing), { detectors, priority: ["test-fix"] })).toMatchObject([
      { finding: { kind: "repeated-call", isCertain: true } },
    ]);
  });

  it("beyondNudge: keeps to words where nothing is proven, unless told otherwise", () => {
    const hasty = { ladderPace: false } as const;

    expect(new Set(actionsOf(times(40, ask), hasty))).toEqual(new Set(["nudge"]));
    expect(actionsOf(times(6, ask), { ...hasty, beyondNudge: "any" })).toEqual(["nudge", "nudge", "block", "stop"]);
    expect(actionsOf(times(6, read), hasty)).toEqual(["nudge", "nudge", "block", "stop"]);
  });

  it("endUncertainAfter: refuses and ends what is not certain, once it was told of for so many rounds", () => {
    const firstOf = (action: string) =>
      decisionsOf(times(80, ask), { endUncertainAfter: 20 }).find((decision) => decision.action === action)?.at;

    expect(new Set(actionsOf(times(80, ask)))).toEqual(new Set(["nudge"]));
    expect(new Set(actionsOf(times(22, ask), { endUncertainAfter: 20 }))).toEqual(new Set(["nudge"]));
    expect([firstOf("block"), firstOf("stop")]).toEqual([2 * 22, 2 * 24]);
  });

  it("attended: ends at block and asks the human", () => {
    const ends = decisionsOf(times(30, read), { attended: true });

    expect(ends.map(({ action }) => action)).not.toContain("stop");
    expect(ends.findLast(({ action }) => action === "block")).toMatchObject({
      explanation: expect.stringMatching(/Should it go on, try another way, or stop\?$/),
      message: expect.stringMatching(/The user has been asked how to go on\.$/),
    });
  });

  it("progress: decides what counts", () => {
    const changing = Array.from({ length: 6 }, (_, at) => [
      call("get_record", { id: 7 }),
      result(`version ${"x".repeat(at)}`),
    ]).flat();

    expect(actionsOf(changing)).toEqual([]);
    expect(actionsOf(changing, { progress: { outcomes: "ignore" } })).not.toEqual([]);
  });
});
