import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createCliSandbox } from "../../../../test/cli-sandbox.ts";
import { seededDraw } from "../../../../test/seeded-draw.ts";
import { sessionId } from "./dedupe-runs.ts";
import { moneyInWords } from "./report/amounts.ts";
import type { LoopSummary, Report } from "./report/report.ts";
import type { Span } from "./report/spans.ts";
import { loopInWords } from "./report/words.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

interface Call {
  readonly name: string;
  readonly input: object;
  readonly output: string;
  readonly isError: boolean;
}

/** A session, and the loop that it was written with. */
interface Known {
  readonly calls: readonly Call[];
  readonly outputTokens: readonly number[];
  readonly loop?: Pick<LoopSummary, "kind" | "count" | "onset" | "end"> & {
    readonly rows: readonly Span[];
    /** The call at which a guard first speaks. */
    readonly spokeAt: number;
  };
}

const SESSIONS = 200;
/** GitHub shows no more of them. */
const MAX_ANNOTATIONS = 10;
const seed = Number(process.env.DOOMLOOP_PROPERTY_SEED || Math.floor(Math.random() * 2 ** 31));
const draw = seededDraw(seed);

const read = (at: number): Call => ({
  ...{ name: "Read", input: { file_path: `/x/f${at}.ts` }, output: `text of file ${at}`, isError: false },
});
const TEST: Call = {
  ...{
    name: "Bash",
    input: { command: "npm test" },
    output: "FAIL cart.test.ts expected 42 received 41",
    isError: true,
  },
};
const LAP: readonly Call[] = [
  { name: "Bash", input: { command: "cargo build" }, output: "error[E0308]: mismatched types in main", isError: true },
  { name: "Read", input: { file_path: "/x/auth.ts" }, output: "export const user = 1;\n".repeat(20), isError: false },
  { name: "Grep", input: { pattern: "cart", path: "/x" }, output: "src/cart.ts:4: let cart = 1;", isError: false },
];
const reads = (count: number, from: number): Call[] => Array.from({ length: count }, (_, at) => read(from + at));

/** The same call again, with other work between two parts in some sessions. */
function repeated(before: number): Omit<Known, "outputTokens"> {
  const [first, between, second] = [5 + draw(6), draw(2) * (4 + draw(8)), draw(2) * (2 + draw(4))];
  const parts = [reads(before, 0), Array(first).fill(TEST), reads(between, 500), Array(second).fill(TEST)];
  const from = before + first + between;
  const rows: Span[] = [[before + 1, before + first]];
  if (second > 0 && between > 0) rows.push([from + 1, from + second]);
  else if (second > 0) rows[0] = [before + 1, before + first + second];
  const loop = { kind: "repeated-call", count: first + second, onset: before + 1, end: rows.at(-1)![1] };
  return { calls: parts.flat() as Call[], loop: { ...loop, rows, spokeAt: before + 3 } };
}

/** A few calls in turn. */
function cycle(before: number): Omit<Known, "outputTokens"> {
  const lap = LAP.slice(0, 2 + draw(2));
  const laps = 4 + draw(5);
  const end = before + laps * lap.length;
  const calls = [...reads(before, 0), ...Array.from({ length: laps }, () => lap).flat(), ...reads(draw(3), 700)];
  const loop = { kind: "call-cycle", count: laps, onset: before + 1, end };
  return { calls, loop: { ...loop, rows: [[before + 1, end]], spokeAt: before + 2 * lap.length + 1 } };
}

/** Tests that fail whatever is edited, with reads between them. */
function fixes(before: number): Omit<Known, "outputTokens"> {
  const [laps, between] = [6 + draw(4), 1 + draw(6)];
  const edit = (at: number): Call => ({
    ...{ name: "Edit", output: `The file has been updated (${at})`, isError: false },
    input: { file_path: "/x/cart.ts", old_string: `a${at}`, new_string: `b${at}` },
  });
  const calls = [
    ...reads(before, 0),
    ...Array.from({ length: laps }, (_, at) => [...reads(between, 1_000 + at * 10), edit(at), TEST]).flat(),
  ];
  const places = Array.from({ length: laps }, (_, at) => before + (at + 1) * (between + 2));
  const rows = places.map((place): Span => [place, place]);
  const loop = { kind: "test-fix", count: laps, onset: places[0]!, end: places.at(-1)! };
  return { calls, loop: { ...loop, rows, spokeAt: places[4]! } };
}

function session(): Known {
  const before = draw(6);
  const made = [repeated, cycle, fixes, () => ({ calls: reads(before + 4, 0) })][draw(4)]!(before);
  return { ...made, outputTokens: made.calls.map(() => 50 + draw(400)) };
}

function linesOf({ calls, outputTokens }: Known, name: string, start: number): string {
  return calls
    .flatMap(({ name: tool, input, output, isError }, at) => {
      const base = {
        ...{ isSidechain: false, cwd: "/home/me/api", sessionId: name },
        timestamp: new Date(start + at * 4_000).toISOString(),
      };
      const usage = {
        input_tokens: 10,
        output_tokens: outputTokens[at]!,
        cache_read_input_tokens: 20_000,
        cache_creation_input_tokens: 1_000,
      };
      const content = [{ type: "tool_use", id: `t-${name}-${at}`, name: tool, input }];
      const result = [{ type: "tool_result", tool_use_id: `t-${name}-${at}`, content: output, is_error: isError }];
      const message = { id: `m-${name}-${at}`, role: "assistant", model: "claude-sonnet-4-5", content, usage };
      return [
        { ...base, type: "assistant", uuid: `a-${name}-${at}`, message },
        { ...base, type: "user", uuid: `u-${name}-${at}`, message: { role: "user", content: result } },
      ];
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

/** What an answer costs, in billionths of a dollar: the list price of Claude Sonnet 4.5. */
const costOf = (outputTokens: number): number => 10 * 3_000 + 1_000 * 3_750 + 20_000 * 300 + outputTokens * 15_000;

/** What the loop's calls cost after the guard first spoke. */
function costAfter({ loop, outputTokens }: Known): number {
  const late = loop!.rows.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
  const units = late
    .filter((call) => call > loop!.spokeAt)
    .reduce((sum, call) => sum + costOf(outputTokens[call - 1]!), 0);
  return units / 1e9;
}

it(`tells the same of ${SESSIONS} sessions with known loops in every output (seed ${seed})`, async () => {
  const known = new Map(Array.from({ length: SESSIONS }, (_, at) => [`session-${at}`, session()]));
  const start = Date.now() - 86_400_000;
  for (const [name, made] of known) sandbox.write(`home/${name}.jsonl`, linesOf(made, name, start));
  const words = ["scan", "home", "--top", "9999", "--no-config"];
  const printed = await sandbox.doomloop([...words, "--github", "--html", "out.html"]);
  const report = JSON.parse((await sandbox.doomloop([...words, "--json"])).stdout) as Report;
  const page = readFileSync(join(sandbox.folder, "out.html"), "utf8");
  const island = JSON.parse(/id="doomloop-report">([^<]*)</.exec(page)![1]!) as Report;
  const nameOf = new Map([...known.keys()].map((name) => [sessionId({ agent: "claude-code", run: name }), name]));

  expect(island.loops, `seed ${seed}`).toEqual(report.loops);
  expect(report.totals).toMatchObject({
    sessions: SESSIONS,
    calls: [...known.values()].reduce((sum, { calls }) => sum + calls.length, 0),
  });
  expect(report.loops).toHaveLength([...known.values()].filter(({ loop }) => loop !== undefined).length);
  const annotated = new Set(report.loops.slice(0, MAX_ANNOTATIONS));
  for (const loop of report.loops) {
    const made = known.get(nameOf.get(loop.session)!)!;
    const { rows, spokeAt, ...facts } = made.loop!;
    const message = `seed ${seed}, ${nameOf.get(loop.session)}`;
    expect(loop, message).toMatchObject({ ...facts, calls: rows });
    expect(loop.decisions[0]!.call, message).toBe(spokeAt);
    expect(loop.afterOnset.costUsd!.high, message).toBeCloseTo(costAfter(made), 9);
    if (annotated.has(loop)) expect(printed.stdout).toContain(`${loopInWords(loop)} of session ${loop.session}`);
    const row = printed.stdout.split("\n").find((line) => line.startsWith(`  ${loop.session} `))!;
    expect(row, message).toMatch(new RegExp(` ${facts.count}x `));
    if (loop.afterOnset.costUsd!.high > 0)
      expect(row, message).toContain(moneyInWords(loop.afterOnset.fromNudge!.costUsd!));
  }
});
