import fc from "fast-check";

/** A call in a made-up conversation, and what the tool answers each time that it runs. */
export interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: object;
  readonly output: string;
  readonly isError: boolean;
  /** Whether the answer is a list of content parts. */
  readonly isParts: boolean;
}

/** What somebody says or does: a turn of the user, a word of the loop itself, or an answer of the model. */
export type ScriptedTurn =
  | { readonly by: "user"; readonly text: string }
  | { readonly by: "loop"; readonly text: string }
  | {
      readonly by: "model";
      readonly text: string;
      readonly thoughts: string;
      readonly calls: readonly ScriptedCall[];
    };

type Move = Omit<ScriptedCall, "id">;

const LONG = `${"The quick brown fox jumps over the lazy dog, line after line of it. ".repeat(4)}End.`;
const move = (tool: string, args: object, output: string, more: Partial<Move> = {}): Move => ({
  tool,
  args,
  output,
  isError: false,
  isParts: false,
  ...more,
});
const MOVES: readonly Move[] = [
  move("search", { q: "x" }, "No results."),
  move("read_file", { path: "a.ts" }, LONG),
  move("read_file", { path: "b.ts" }, LONG, { isParts: true }),
  move("read_file", { path: "c.ts" }, ""),
  move("get_order", { id: 7 }, '{"id":7,"state":"shipped","total":12}'),
  move("http_get", { url: "https://x.example/a" }, "Error: 404 Not Found", { isError: true }),
  move("bash", { command: "npm test" }, "FAIL src/cart.test.ts\n  expected 3 to be 4\nTests: 1 failed, 12 passed"),
  move("check_job", { id: 1 }, "job 1 is running"),
  move("edit_file", { path: "a.ts", old_string: "a", new_string: "b" }, "ok"),
];
const TEXTS = ["", "", "", "I look at it.", "na ".repeat(200)];
const SPOKEN = ["go on", "And now?", "Tell me when it is done.", "Do it for each of the 12 rooms."];

type Bare = readonly Move[];

/** An answer that comes back so often, or two by turns; honest work is as long, and each of its calls is another. */
const stretches: fc.Arbitrary<readonly Bare[]> = fc.oneof(
  { weight: 4, arbitrary: repeated(fc.constantFrom(...MOVES).map((each) => [[each]])) },
  { weight: 1, arbitrary: repeated(fc.constantFrom(...MOVES).map((each) => [[each, each]])) },
  {
    weight: 2,
    arbitrary: repeated(fc.tuple(fc.constantFrom(...MOVES), fc.constantFrom(...MOVES)).map(([a, b]) => [[a], [b]])),
  },
  {
    weight: 1,
    arbitrary: repeated(fc.tuple(fc.constantFrom(...MOVES), fc.constantFrom(...MOVES)).map(([a, b]) => [[a, b]])),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 9 }))
      .map(([count, from]) =>
        Array.from({ length: count }, (_, at) => [
          move("read_page", { page: from + at }, `Page ${from + at} tells of ${"things ".repeat(from + at)}`),
        ]),
      ),
  },
);

function repeated(lap: fc.Arbitrary<readonly Bare[]>): fc.Arbitrary<readonly Bare[]> {
  return fc
    .tuple(lap, fc.integer({ min: 1, max: 8 }))
    .map(([answers, laps]) => Array.from({ length: laps }, () => answers).flat());
}

const idStyles: readonly ((answer: number, twin: number) => string)[] = [
  (answer, twin) => `c${answer}-${twin}`,
  (_answer, twin) => `call_${twin}`,
];

/** Conversations in which much happens twice: loops, near-loops and honest work, with users and loops that speak in between. */
export function arbitraryConversation(): fc.Arbitrary<readonly ScriptedTurn[]> {
  const stretch = fc.tuple(stretches, fc.constantFrom(...TEXTS), fc.constantFrom("", "", "Hm."));
  const said = fc.record({
    by: fc.constantFrom("user" as const, "user" as const, "loop" as const),
    text: fc.constantFrom(...SPOKEN),
  });
  const text = fc.record({
    text: fc.constantFrom("Done.", "I will now fix the bug."),
    times: fc.integer({ min: 1, max: 4 }),
  });
  return fc
    .tuple(
      fc.constantFrom(...idStyles),
      fc.array(
        fc.oneof({ weight: 5, arbitrary: stretch }, { weight: 2, arbitrary: said }, { weight: 1, arbitrary: text }),
        { minLength: 1, maxLength: 4 },
      ),
    )
    .map(([idOf, parts]) => {
      const turns: ScriptedTurn[] = [{ by: "user", text: "go" }];
      for (const part of parts) {
        if (Array.isArray(part)) turns.push(...answersOf(part, idOf, turns.length));
        else if ("by" in part) turns.push(part);
        else
          for (let at = 0; at < part.times; at++)
            turns.push({ by: "model", text: part.text, thoughts: "", calls: [] }, { by: "loop", text: "Continue." });
      }
      return turns;
    });
}

function answersOf(
  [answers, text, thoughts]: readonly [readonly Bare[], string, string],
  idOf: (answer: number, twin: number) => string,
  from: number,
): ScriptedTurn[] {
  return answers.map((moves, at) => ({
    by: "model",
    text,
    thoughts,
    calls: moves.map((each, twin) => ({ ...each, id: idOf(from + at, twin) })),
  }));
}
