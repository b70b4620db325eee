import { type AgentEvent, createGuard, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, decisionsOf, step, times } from "../../../../test/builders.ts";
import { refusal } from "../../../../test/refusal.ts";
import type { Rung } from "./answer.ts";
import type { DetectorOptions } from "./options.ts";
import { resolveOptions } from "./options.ts";

const RECORD =
  "This record of a customer does not change, however often and in whatever mood somebody asks for it today.";
/** Only the run changes what is in its own folder: to read it again is a clear loop. */
const read = step("read_file", { path: "a.ts" }, RECORD);
/** A short answer of what others may change is not so clear. */
const ask = step("get_status", { of: "replicas" }, "ok: 3 of 4 replicas");

/** How many calls it takes until a guard first does something, each of what it does. */
function callsUntil(events: readonly AgentEvent[], options: GuardOptions = {}): (number | undefined)[] {
  const decisions = decisionsOf(events, options);
  return (["nudge", "block", "stop"] as const).map((wanted) => {
    const at = decisions.find(({ action }) => action === wanted)?.at;
    return at === undefined ? undefined : Math.floor(at / 2) + 1;
  });
}

describe("resolveOptions", () => {
  it("is the balanced preset without options", () => {
    const { evidence, ladder, isAttended, isShadow } = resolveOptions({});

    expect(evidence.escalation).toEqual(resolveOptions({ preset: "balanced" }).evidence.escalation);
    expect({ ladder, isAttended, isShadow }).toEqual({
      ladder: ["nudge", "block", "stop"],
      isAttended: false,
      isShadow: false,
    });
  });

  it("lets the caller's options win over the preset's, field by field", () => {
    const options: GuardOptions = { preset: "conservative", levels: { refused: 8 } };

    expect(callsUntil(times(40, read), options)).toEqual([4, 8, 32]);
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
    expect(resolveOptions({ ladder, attended: true }).ladder).toEqual(attended);
  });
});

describe("options that make no sense", () => {
  it.each<[unknown, string]>([
    [{ preset: "bold" }, "preset: one of balanced, conservative, aggressive, shadow is required, got bold"],
    [{ levels: { told: 1 } }, "levels.told: an integer of at least 2 is required, got 1"],
    [{ levels: { told: 2.5 } }, "levels.told: … is required, got 2.5"],
    [{ levels: { refused: 3 } }, "levels.refused: an integer of at least 4 is required, got 3"],
    [{ levels: { ended: 10 } }, "levels.ended: an integer of at least 11 is required, got 10"],
    [{ levels: { blocked: 10 } }, "levels.blocked: there is no such option; …"],
    [{ levels: { ended: "never" } }, 'levels.ended: a number is required, got "never"'],
    [{ patienceMs: -1 }, "patienceMs: an integer of at least 0 is required, got -1"],
    [{ patienceMs: Number.NaN }, "patienceMs: … is required, got NaN"],
    [{ ladder: ["stop", "nudge"] }, "ladder: rising rungs are required, got nudge after stop"],
    [{ detectors: { "repeated-text": { threshold: 3 } } }, 'detectors["repeated-text"].threshold: …'],
    [{ detectors: { "repeated-text": { repetitions: 1 } } }, "repeated-text: repetitions: … is required, got 1"],
    [{ ladder: [] }, "ladder: at least one rung is required, got none"],
    [{ rules: ["search"] }, "rules: an object is required, got a list"],
    [{ rules: new Map() }, "rules: an object is required, got a map"],
    [
      { rules: { pay: { ignore: true, repeat: "never" } } },
      'rules["pay"]: a tool that is ignored cannot have repeat: "never"',
    ],
    [{ rules: null }, "rules: an object is required, got null"],
    [{ presets: "x" }, "presets: there is no such option; did you mean preset?"],
    [{ detectors: { "repeated-call": { tresh: 2 } } }, 'detectors["repeated-call"].tresh: there is no such option; …'],
    [
      { detectors: { "repeated-call": { treshold: 2 } } },
      'detectors["repeated-call"].treshold: …; did you mean threshold?',
    ],
    [{ ladder: ["whisper"] }, "ladder: one of nudge, block, restart, stop is required, got whisper"],
    [{ detectors: { "repeated-call": { threshold: 0 } } }, "repeated-call: threshold: … is required, got 0"],
    [{ rules: { a: { threshold: 0 } } }, 'rules["a"].threshold: … is required, got 0'],
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
  it("switch a kind of loop off", () => {
    const detectors = { "repeated-call": false } as const;

    expect(actionsOf(times(12, read), { detectors })).toEqual([]);
  });

  it("ladder: decides what is done", () => {
    expect(actionsOf(times(3, read), { ladder: ["stop"] })).toEqual(["stop"]);
    expect(new Set(actionsOf(times(40, read), { ladder: ["nudge"] }))).toEqual(new Set(["nudge"]));
  });

  it("levels: decide when it is done", () => {
    const levels = { told: 4, refused: 6, ended: 9 };

    expect(callsUntil(times(30, read))).toEqual([3, 10, 20]);
    expect(callsUntil(times(30, read), { levels })).toEqual([4, 6, 9]);
  });

  it("levels: are for what is clear; what is not takes longer, and is ended, too", () => {
    const [told, refused, ended] = callsUntil(times(90, ask));

    expect([told! <= 6, refused! > 10 && refused! <= 35, ended! > 20 && ended! <= 70]).toEqual([true, true, true]);
  });

  it("threshold: takes the place of the level of words for one kind", () => {
    expect(callsUntil(times(12, read), { detectors: { "repeated-call": { threshold: 2 } } })[0]).toBe(2);
    expect(callsUntil(times(12, read), { detectors: { "repeated-call": { threshold: 7 } } })[0]).toBe(7);
  });

  it("patienceMs: decides how long waiting is an excuse", () => {
    const wait = step("bash", { command: "sleep 60 && tail -1 build.log" }, "compiling");
    const toldWith = (patienceMs: number) => callsUntil(times(60, wait), { patienceMs })[0] ?? 61;

    expect(toldWith(0)).toBeLessThan(toldWith(600_000));
    expect(toldWith(600_000)).toBeLessThan(toldWith(1_800_000));
  });

  it("attended: ends at block and asks the human", () => {
    const ends = decisionsOf(times(30, read), { attended: true });

    expect(ends.map(({ action }) => action)).not.toContain("stop");
    expect(ends.findLast(({ action }) => action === "block")).toMatchObject({
      explanation: expect.stringMatching(/Should it go on, try another way, or stop\?$/),
      message: expect.stringMatching(/The user will decide\.$/),
    });
  });
});
