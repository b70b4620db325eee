import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, result, round } from "../builders.ts";
import { propertyRuns } from "../property-runs.ts";
import { letters } from "./many-guards.ts";

/** An answer after which there is nothing left to wait for. */
const IS_OVER =
  /failed|failure|error|crash|roll|cancel|abort|reject|expired|terminated|killed|not found|exited|stopped|dead|declined|denied|closed|complete|finished|succe|done|resolved|ended|merged|delivered/i;

/** Runs of dozens of steps are dear: a tenth of what is asked for. */
const runs = { numRuns: Math.ceil(propertyRuns() / 10) };

/** Words of every trait that a name can have, and of none. */
const WORDS =
  "get list read search check status page click next scroll write update send ack pop take delete make run exec bash shell think plan task agent code sql queue job frobnicate mcp_files fetchNow Kunde données".split(
    " ",
  );
/** Tools under any name: of words that tell what they do, of words that do not, and of none. */
const names = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((list) => list.join("_")),
  },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 20 }) },
);
const twoNames = fc.tuple(names, names).filter(([one, other]) => one !== other);

/** What a host tells besides calls and results. */
interface Telling {
  readonly hasRounds: boolean;
  readonly hasClock: boolean;
}
const tellings = fc.record({ hasRounds: fc.boolean(), hasClock: fc.boolean() });

interface Doing {
  readonly tool: string;
  readonly args: unknown;
  readonly output: unknown;
  readonly error?: boolean | undefined;
  /** Time from the result before to this call. */
  readonly afterMs?: number;
}

const THINKING_MS = 2_000;
const RUNNING_MS = 300;
/** Less than this is no pause, however fast the run goes. */
const SHORTEST_PAUSE_MS = 10_000;

/** What the guard answers to each step. The host does not run a call that was refused. */
function answersTo(doings: readonly Doing[], { hasRounds, hasClock }: Telling): string[] {
  const guard = createGuard();
  let now = 1_770_000_000_000;
  const at = (passedMs: number) => {
    now += passedMs;
    return hasClock ? { at: now } : {};
  };
  return doings.map(({ tool, args, output, error, afterMs = THINKING_MS }) => {
    if (hasRounds) guard.observe(round);
    const before = guard.observe(call(tool, args, at(afterMs)));
    const isRefused = before.action === "block" || before.action === "stop";
    const answer = isRefused ? { output: before.message, synthetic: true } : { output, error };
    const after = guard.observe(result(answer.output, { ...answer, ...at(RUNNING_MS) }));
    return before.action === "continue" ? after.action : before.action;
  });
}

/** A sentence of its own for every number, of words that mean nothing, not even by chance. */
const sentence = (number: number, length = 4): string =>
  Array.from({ length }, (_, at) => `zw${letters(number * 31 + at * 7919)}`).join(" ");
const spoken = (answers: readonly string[]): string[] => answers.filter((action) => action !== "continue");

describe("a queue worker", () => {
  /** Jobs that differ in what they say, and jobs that differ in nothing but an id. */
  const SAYING: ((job: number) => string)[] = [
    (job) => `job ${job}: ${sentence(job)}`,
    (job) => sentence(job, 60),
    (job) => JSON.stringify({ id: job, to: sentence(job, 1), kind: "mail" }),
  ];
  const NUMBERED: ((job: number) => string)[] = [
    (job) => JSON.stringify({ id: job, kind: "mail" }),
    (job) => `Job #${job}`,
    (job) => `job 3f2504e0-4f89-41d3-9a0c-${String(job).padStart(12, "0")}`,
  ];
  const lengths = fc.integer({ min: 3, max: 60 });

  it("is never spoken to, however long it works and whatever its tools are called", () => {
    const property = fc.property(
      twoNames,
      fc.constantFrom(...SAYING),
      lengths,
      fc.nat(100_000),
      fc.boolean(),
      tellings,
      ([pop, ack], shape, length, seed, namesJob, telling) => {
        const jobs = Array.from({ length }, (_, at): Doing[] => [
          { tool: pop, args: { queue: "mail" }, output: shape(seed + at) },
          { tool: ack, args: namesJob ? { job: seed + at } : {}, output: "ok" },
        ]);

        expect(spoken(answersTo(jobs.flat(), telling))).toEqual([]);
      },
    );
    fc.assert(property, runs);
  });

  it("is never spoken to where its jobs differ in an id alone, if each is acknowledged by that id", () => {
    const property = fc.property(
      names,
      fc.constantFrom("ack", "queue_ack", "complete_job", "mark_done", "delete_message"),
      fc.constantFrom(...NUMBERED),
      lengths,
      fc.nat(100_000),
      tellings,
      (pop, ack, shape, length, seed, telling) => {
        fc.pre(pop !== ack);
        const jobs = Array.from({ length }, (_, at): Doing[] => [
          { tool: pop, args: { queue: "mail" }, output: shape(seed + at) },
          { tool: ack, args: { job: seed + at }, output: "ok" },
        ]);

        expect(spoken(answersTo(jobs.flat(), telling))).toEqual([]);
      },
    );
    fc.assert(property, runs);
  });
});

describe("who looks at one status after a pause each time", () => {
  const answers = fc
    .oneof(
      fc.string({ maxLength: 200 }),
      fc
        .array(fc.constantFrom(...WORDS, "pending", "running", "ready", "42 %", "soon", "not yet"), { maxLength: 60 })
        .map((list) => list.join(" ")),
      fc.constantFrom("", "ok", "[]", "null", '{"status":"QUEUED"}', "x".repeat(1000)),
    )
    .filter((answer) => !IS_OVER.test(answer));

  it("is not spoken to in the first nine looks of a run whose pace is known, unless the answer says that all is over", () => {
    const property = fc.property(
      names,
      answers,
      fc.constantFrom(undefined, true, false),
      fc.integer({ min: 3, max: 12 }),
      fc.integer({ min: 500, max: 120_000 }),
      fc.double({ min: 3, max: 40, noNaN: true }),
      fc.integer({ min: 2, max: 9 }),
      fc.boolean(),
      (tool, answer, error, steps, paceMs, times, looks, hasRounds) => {
        const pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.ceil(times * paceMs));
        const doings = [
          ...Array.from({ length: steps }, (_, at) => ({
            tool: "read_file",
            args: { path: letters(at) },
            output: sentence(at),
            afterMs: paceMs,
          })),
          ...Array.from({ length: looks }, () => ({ tool, args: { job: 7 }, output: answer, error, afterMs: pauseMs })),
        ];

        expect(spoken(answersTo(doings, { hasRounds, hasClock: true }))).toEqual([]);
      },
    );
    fc.assert(property, runs);
  });
});

describe("a lap in which something new is read and one status is looked at", () => {
  it("is never refused nor ended, whatever its tools are called", () => {
    const property = fc.property(
      twoNames,
      fc.string({ maxLength: 300 }),
      fc.constantFrom(undefined, false),
      fc.integer({ min: 3, max: 40 }),
      fc.nat(100_000),
      fc.boolean(),
      tellings,
      ([read, look], status, error, laps, seed, isLookFirst, telling) => {
        const doings = Array.from({ length: laps }, (_, at): Doing[] => {
          const lap = [
            { tool: read, args: { path: `src/${letters(seed + at)}.ts` }, output: sentence(seed + at, 12) },
            { tool: look, args: {}, output: status, error },
          ];
          return isLookFirst ? lap.reverse() : lap;
        });

        expect(answersTo(doings.flat(), telling).filter((action) => action === "block" || action === "stop")).toEqual(
          [],
        );
      },
    );
    fc.assert(property, runs);
  });
});

describe("a row of one equal call with one equal answer that tells something", () => {
  type Made = Pick<Doing, "tool" | "args">;
  const commands = (...lines: string[]): fc.Arbitrary<Made> =>
    fc.constantFrom(...lines).map((command) => ({ tool: "bash", args: { command } }));
  const calls: fc.Arbitrary<Made> = fc.oneof(
    fc.record({
      tool: names,
      args: fc.constantFrom<unknown>({}, { path: "a.ts" }, { id: 7 }, { query: "words" }, "text", undefined),
    }),
    commands("ls", "git status", "./frob it"),
  );
  /** Calls that look at what only the run changes: nothing can have happened without being seen. */
  const looks: fc.Arbitrary<Made> = fc.oneof(
    fc.constantFrom("read_file", "view", "grep").map((tool) => ({ tool, args: { path: "a.ts" } })),
    commands("ls", "cat a.ts", "git status"),
  );

  const answersToRow = (made: fc.Arbitrary<Made>, length: number, check: (answers: readonly string[]) => void) =>
    fc.property(
      made,
      fc.nat(100_000),
      fc.integer({ min: 200, max: 3_000 }),
      fc.constantFrom(undefined, true),
      fc.integer({ min: 0, max: 4_000 }),
      tellings,
      (call, seed, characters, error, afterMs, telling) => {
        const output = sentence(seed, Math.ceil(characters / 4)).slice(0, characters);
        const doing = { ...call, output, error, afterMs };
        check(
          answersTo(
            Array.from({ length }, () => doing),
            telling,
          ),
        );
      },
    );

  it("is told after its third call at the earliest and its twentieth at the latest, whatever its tool is called", () => {
    const property = answersToRow(calls, 20, (answers) => {
      expect(answers.slice(0, 2)).toEqual(["continue", "continue"]);
      expect(spoken(answers)[0]).toBe("nudge");
    });
    fc.assert(property, runs);
  });

  it("is told at its third call, refused later and ended in the end where it only looks", () => {
    const property = answersToRow(looks, 72, (answers) => {
      expect(answers.indexOf("nudge")).toBe(2);
      expect(answers.indexOf("block")).toBeGreaterThan(8);
      expect(answers.indexOf("stop")).toBeGreaterThan(answers.indexOf("block"));
    });
    fc.assert(property, runs);
  });
});

describe("an agent that was told of its loop", () => {
  it("is told again, not refused, once it has learned something new", () => {
    const property = fc.property(
      twoNames,
      fc.nat(100_000),
      fc.integer({ min: 3, max: 8 }),
      fc.boolean(),
      tellings,
      ([tool, other], seed, before, isFromSameCall, telling) => {
        const same: Doing = { tool, args: { id: 7 }, output: sentence(seed, 40) };
        const news: Doing = isFromSameCall
          ? { ...same, output: sentence(seed + 1, 40) }
          : { tool: other, args: { id: 8 }, output: sentence(seed + 2, 6) };
        const doings = [...Array.from({ length: before }, () => same), news, ...Array.from({ length: 24 }, () => same)];
        const answers = answersTo(doings, telling);

        // What is measured is told later.
        fc.pre(spoken(answers.slice(0, before)).includes("nudge"));
        expect(spoken(answers.slice(before + 1))[0]).toBe("nudge");
      },
    );
    fc.assert(property, runs);
  });
});
