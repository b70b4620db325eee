import { createGuard, type Finding, type FindingKind, type Rung } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tone } from "../../packages/doomloop/src/core/answer.ts";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { messageFor } from "../../packages/doomloop/src/core/messages/wording.ts";
import { eventStreams } from "../arbitrary-events.ts";
import { step } from "../builders.ts";
import { propertyRuns } from "../property-runs.ts";
import { expectSame, letters, observeAll, presets } from "./many-guards.ts";

const runs = { numRuns: propertyRuns() };

/** Kinds of findings, with each evidence that a sentence may be worded by. */
const EVIDENCE: Partial<Record<FindingKind, object[]>> = {
  "repeated-call": ["exact", "masked", "blind"].flatMap((outcome) =>
    Array.from({ length: 64 }, (_, bits) => ({
      outcome,
      isFuzzy: (bits & 1) > 0,
      isWaiting: (bits & 2) > 0,
      isFailing: (bits & 4) > 0,
      isBusy: (bits & 8) > 0,
      isDone: (bits & 16) > 0,
      isStep: (bits & 32) > 0,
    })),
  ),
  "call-cycle": [
    { isWaiting: true, sequence: ["read_1", "write_2"] },
    { isWaiting: false, outcome: "blind", sequence: ["read_1", "no identifier"] },
    { isWaiting: false, outcome: "exact", sequence: ["read_1", "write_2"] },
    { isWaiting: false, outcome: "exact", sequence: ["one_of_more"] },
    { isWaiting: true, sequence: ["read_1", "read_1"] },
    { isWaiting: false, outcome: "blind", sequence: ["read_1", "read_1"] },
    { isWaiting: false, outcome: "exact", sequence: ["read_1", "read_1"] },
  ],
  "similar-call": [
    { outcome: "blind" },
    { outcome: "masked", isFailing: true },
    { outcome: "masked", isFailing: false },
  ],
  "same-outcome": [{ isFailing: true }, { isFailing: false }],
  "failure-streak": [{ isFileWork: true }, { isFileWork: false }],
  "test-fix": [{ failing: 3 }, {}],
  stalled: [{ isEmpty: true }, { isEmpty: false }],
  "repeated-text": [{ stream: "text" }, { stream: "reasoning" }],
  "text-only": [{ isRepeating: true }, { isRepeating: false }],
  fleet: [{ workers: 3, windowMs: 60_000 }],
};

describe("whatever happens", () => {
  it("a guard never throws and has no fault", () => {
    const property = fc.property(eventStreams, presets, (events, options) => {
      const guard = createGuard(options);
      for (const { action } of observeAll(guard, events)) {
        if (!["continue", "nudge", "block", "restart", "stop"].includes(action)) throw new Error(action);
      }

      expect(guard.stats().faults).toBe(0);
    });
    fc.assert(property, runs);
  });

  it("values of any kind are no fault", () => {
    const property = fc.property(
      fc.array(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withNullPrototype: true,
          withSparseArray: true,
          withTypedArray: true,
        }),
        { maxLength: 4 },
      ),
      fc.string(),
      (values, tool) => {
        const guard = createGuard();
        for (const value of values) {
          guard.observe({ type: "call", tool, args: value });
          guard.observe({ type: "result", output: value });
          guard.observe({ type: "state", key: tool, value });
          guard.observe(value as never);
        }

        expect(guard.stats().faults).toBe(0);
      },
    );
    fc.assert(property, runs);
  });

  it("the same events lead to the same decisions", () => {
    const property = fc.property(eventStreams, presets, (events, options) => {
      const one = createGuard(options);
      const other = createGuard(options);
      const interleaved = events.map((event) => [one.observe(event), other.observe(event)] as const);

      expectSame(
        interleaved.map(([, decision]) => decision),
        interleaved.map(([decision]) => decision),
      );
      expectSame(other.snapshot(), one.snapshot());
    });
    fc.assert(property, runs);
  });

  it("at most one nudge is given in a round", () => {
    const property = fc.property(eventStreams, (events) => {
      const guard = createGuard();
      let messages = 0;
      // With announced rounds everybody agrees on what a round is. Words are answered by the answer, not by the round.
      for (const event of [{ type: "round" } as const, ...events]) {
        if (event.type === "text" || event.type === "reasoning") continue;
        if (event.type === "round") messages = 0;
        // A refusal is the answer to its call: only nudges are counted.
        if (guard.observe(event).action === "nudge" && ++messages > 1) expect(messages).toBe(1);
      }
    });
    fc.assert(property, runs);
  });
});

describe("runs without a loop", () => {
  it("of distinct calls with new outcomes are never spoken to", () => {
    const tools = fc.constantFrom(
      "read_file",
      "search",
      "bash",
      "edit_file",
      "get_order",
      "browser_click",
      "frobnicate",
    );
    const property = fc.property(
      fc.array(fc.tuple(tools, fc.boolean()), { maxLength: 60 }),
      fc.nat(),
      (kinds, seed) => {
        const events = kinds.flatMap(([tool, isParallel], at): AgentEvent[] => {
          const made = step(
            tool,
            { path: letters(seed + at * 7919), command: `echo ${letters(seed + at)}` },
            `${letters(seed + at * 31)} ${letters(at * 101 + 7)}`,
          );
          return isParallel ? made : [{ type: "round" }, ...made];
        });

        expect(observeAll(createGuard(), events).filter(({ action }) => action !== "continue")).toEqual([]);
      },
    );
    fc.assert(property, runs);
  });
});

describe("messages", () => {
  const rungs: (Rung | undefined)[] = ["nudge", "block", "restart", "stop", undefined];
  const tones: Tone[] = ["notice", "warning", "last"];
  const flags = [true, false];
  const findings = Object.entries(EVIDENCE).flatMap(([kind, variants]) =>
    variants.map(
      (evidence) =>
        ({
          kind,
          loop: "",
          steps: [],
          count: 3,
          period: 2,
          confidence: 1,
          tools: ["a"],
          evidence,
        }) as unknown as Finding,
    ),
  );
  const lastings = [undefined, ...[undefined, 5_000, 300_000].map((ms) => ({ calls: 2, ms }))];
  const answers = rungs.flatMap((rung = "nudge") =>
    tones.flatMap((tone) =>
      [undefined, "block" as const].flatMap((next) =>
        lastings.map((lasting) => ({ rung, tone, next, ...(lasting && { lasting }) })),
      ),
    ),
  );
  const outlooks = rungs.flatMap((next) =>
    flags.flatMap((isRefused) => flags.map((isAttended) => ({ next, isRefused, isAttended, isShadow: false }))),
  );
  const known = new Set(
    findings.flatMap((finding) =>
      answers.flatMap((answer) => outlooks.flatMap((outlook) => sentencesOf(messageFor(finding, answer, outlook)))),
    ),
  );

  /** The sentences of a message with its names and numbers taken out. */
  function sentencesOf(message: string): string[] {
    const bare = message
      .replaceAll(/`[A-Za-z][\w.-]{0,63}`|one tool/gi, "NAME")
      .replaceAll(/\d+/g, "#")
      .replaceAll(/NAME(?:(?:, | and )(?:NAME|# more tools))+| with # different inputs/g, "NAME")
      .replaceAll("NAMENAME", "NAME")
      .replaceAll(/NAME (?=calls?\b)/g, "")
      .replaceAll(/# (time|call|second|minute)s\b/g, "# $1")
      .replace(/ # more such calls? (?:was|were) refused\.$/, "");
    return bare.split(/(?<=[.:]) (?!all failed)/);
  }

  it("come from a finite set of sentences, whatever the names and words of a run", () => {
    const foreign = fc.string({ minLength: 6, maxLength: 60, unit: "binary" });
    const property = fc.property(eventStreams, foreign, (events, words) => {
      const guard = createGuard({ preset: "aggressive" });
      const dressed = events.map((event) => dress(event, words));
      for (const { message } of observeAll(guard, dressed)) {
        if (message !== undefined) expect(sentencesOf(message).filter((sentence) => !known.has(sentence))).toEqual([]);
      }
    });
    fc.assert(property, runs);
  });

  it("hold no stretch of a foreign text", () => {
    const foreign = fc
      .string({ minLength: 8, maxLength: 60, unit: "binary" })
      .filter((words) => !/[\w .,:]{4}/.test(words));
    const property = fc.property(eventStreams, foreign, presets, (events, words, options) => {
      for (const { message, explanation } of observeAll(
        createGuard(options),
        events.map((event) => dress(event, words)),
      )) {
        expect(`${message}${explanation}`.includes(words.slice(0, 8))).toBe(false);
      }
    });
    fc.assert(property, runs);
  });
});

/** The same event with foreign words in every field that may hold some. */
function dress(event: AgentEvent, words: string): AgentEvent {
  switch (event.type) {
    case "call":
      return {
        ...event,
        tool: event.tool.includes(" ") ? `${words} ` : event.tool,
        args: { args: event.args, [words]: words },
      };
    case "result":
      return {
        ...event,
        output: typeof event.output === "string" ? `${event.output} ${words}` : { output: event.output, words },
      };
    case "text":
    case "reasoning":
      return { ...event, text: `${event.text} ${words}` };
    case "user":
      return { ...event, text: `${event.text ?? ""}${words}` };
    case "state":
      return { ...event, key: `${event.key}${words}`, value: [event.value, words] };
    default:
      return event;
  }
}
