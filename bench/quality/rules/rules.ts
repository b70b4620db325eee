import {
  callAndResult,
  canonicalText,
  countAmongLast,
  endsInLaps,
  holdsAt,
  type Identity,
  type RecordedStep,
  type Rule,
  range,
} from "./recorded-step.ts";

/** Founding document 000: a call that follows itself, two calls in turn twice, three calls in turn twice. */
export const founding000 = holdsAt((steps, at) =>
  range(1, 3).some((period) => endsInLaps(steps, at, { period, laps: 2, identity: ({ key }) => key })),
);

const PRIMARY = new Set("path file_path command pattern query url content filename offset limit".split(" "));
const FILE_READ = /^\s*(?:cat|head|tail)\s(?:.*\s)?([^\s-]\S*)\s*$/;

/** Founding document 001: three equal calls in a row, or four that share tool and primary arguments. */
export const founding001 = holdsAt(
  (steps, at) =>
    endsInLaps(steps, at, { period: 1, laps: 3, identity: ({ key }) => key }) ||
    endsInLaps(steps, at, { period: 1, laps: 4, identity: fingerprint }),
);

function fingerprint({ tool, args }: RecordedStep): string {
  const entries = typeof args === "object" && args !== null ? Object.entries(args) : [];
  const command = entries.find(([name]) => name === "command")?.[1];
  const file = typeof command === "string" && !/[|>;]/.test(command) ? FILE_READ.exec(command)?.[1] : undefined;
  if (file !== undefined) return `${tool}:file_read:${file}`;
  return `${tool} ${canonicalText(Object.fromEntries(entries.filter(([name]) => PRIMARY.has(name))))}`;
}

/** Founding document 002: the same call three times among the last twenty. */
export const founding002 = holdsAt((steps, at) => countAmongLast(steps, at, 20, ({ key }) => key) >= 3);

/** Founding document 003: a call made twice among the ten before it, or two to five calls in turn twice. */
export const founding003 = holdsAt(
  (steps, at) =>
    countAmongLast(steps, at, 11, ({ key }) => key) >= 3 ||
    range(2, 5).some((period) => endsInLaps(steps, at, { period, laps: 2, identity: ({ key }) => key })),
);

const LEFT_OUT = new Set(["sequential_thinking", "complete", "start_over"]);
/** As much of a result is compared. */
const RESULT_LENGTH = 500;

const identity: Identity = ({ tool, key, output }) =>
  output === undefined || LEFT_OUT.has(tool) ? undefined : `${key}\n${output.slice(0, RESULT_LENGTH)}`;

/** Founding document 004: the same call with the same result five times among the last twenty. */
export const founding004 = holdsAt((steps, at) => countAmongLast(steps, at, 20, identity) >= 5);

const WINDOW = 20;
const THRESHOLD = 3;

/**
 * deer-flow: a model answer with the same calls, in any order, three times among the last twenty. Its second rule, one
 * tool thirty times whatever for, is left out in its favour: it is set for each tool, and meets all long work in a shell.
 */
export const deerFlow: Rule = (steps) => {
  const rounds = roundsOf(steps);
  const keys = rounds.map(keyOf);
  return rounds.flatMap((round, at) => {
    const recent = keys.slice(Math.max(0, at - WINDOW + 1), at + 1);
    return recent.filter((key) => key === keys[at]).length >= THRESHOLD ? [round.at(-1)!.index] : [];
  });
};

function roundsOf(steps: readonly RecordedStep[]): RecordedStep[][] {
  const rounds: RecordedStep[][] = [];
  for (const step of steps) {
    const own = rounds.at(-1);
    if (own?.[0]?.round === step.round) own.push(step);
    else rounds.push([step]);
  }
  return rounds;
}

function keyOf(round: readonly RecordedStep[]): string {
  return round
    .map(({ key }) => key)
    .sort()
    .join("\n");
}

/** gemini-cli: one to five calls in turn, five times over. Arguments in another order make another call. */
export const geminiCli = holdsAt((steps, at) =>
  range(1, 5).some((period) => endsInLaps(steps, at, { period, laps: 5, identity: ({ literalKey }) => literalKey })),
);

const LOOKING = /(?:^|_)(?:read|search|list|get|find|view|open|goto|lookup|query)(?:_|$)/;
const POLLING = /(?:_get_result|_poll)$/;
/** Tools whose failures with other arguments are not counted. */
const FAILURE_TOLERANT = /terminal|bash|shell|code|python|browser/;

/**
 * hermes: the same call failing twice, a tool failing three times, a look with the same result twice, a call with the
 * same result three times in a row, two to four calls in turn three times. A change that succeeded starts failures anew.
 */
export const hermes = holdsAt((steps, at) => {
  const step = steps[at]!;
  if (POLLING.test(step.tool)) return false;
  return (
    (step.isError === true && isFailingAgain(steps, at)) ||
    (isLook(step) && endsInLaps(steps, at, { period: 1, laps: 2, identity: callAndResult })) ||
    range(1, 4).some((period) => endsInLaps(steps, at, { period, laps: 3, identity: callAndResult, isOneTurn: true }))
  );
});

function isLook({ tool }: RecordedStep): boolean {
  return LOOKING.test(tool);
}

function isFailingAgain(steps: readonly RecordedStep[], at: number): boolean {
  const { tool, key, turn } = steps[at]!;
  let ofCall = 0;
  let ofTool = 0;
  for (let place = at; place >= 0 && steps[place]!.turn === turn; place--) {
    const earlier = steps[place]!;
    if (earlier.isError !== true) {
      if (earlier.tool === tool || !isLook(earlier)) break;
      continue;
    }
    if (earlier.key === key) ofCall++;
    if (earlier.tool === tool) ofTool++;
  }
  return ofCall >= 2 || (ofTool >= 3 && !FAILURE_TOLERANT.test(tool));
}

/** opencode: three equal calls in a row. It looks at one model answer only; here, in its favour, at the whole run. */
export const opencode = holdsAt((steps, at) =>
  endsInLaps(steps, at, { period: 1, laps: 3, identity: ({ literalKey }) => literalKey }),
);

const failingCall: Identity = ({ key, isError }) => (isError === true ? key : undefined);

/**
 * OpenHands, since the user last spoke: a call four times with the same result, three times with an error, or two in
 * turn three times with their results. Its rule on messages without calls has no call to be scored at.
 */
export const openHands = holdsAt(
  (steps, at) =>
    endsInLaps(steps, at, { period: 1, laps: 4, identity: callAndResult, isOneTurn: true }) ||
    endsInLaps(steps, at, { period: 1, laps: 3, identity: failingCall, isOneTurn: true }) ||
    endsInLaps(steps, at, { period: 2, laps: 3, identity: callAndResult, isOneTurn: true }),
);

const SIMILAR_CALLS = 5;
const LIKENESS = 0.85;

/** senpi: three equal calls in a row, two to six calls in turn three times, or five calls in a row of one tool that are alike. */
export const senpi = holdsAt(
  (steps, at) =>
    endsInLaps(steps, at, { period: 1, laps: 3, identity: ({ key }) => key }) ||
    range(2, 6).some((period) => endsInLaps(steps, at, { period, laps: 3, identity: ({ key }) => key })) ||
    isAlike(steps, at),
);

function isAlike(steps: readonly RecordedStep[], at: number): boolean {
  if (!endsInLaps(steps, at, { period: 1, laps: SIMILAR_CALLS, identity: ({ tool }) => tool })) return false;
  const calls = steps.slice(at - SIMILAR_CALLS + 1, at + 1);
  if (new Set(calls.map(targetOf)).size === calls.length && calls.every((call) => targetOf(call) !== undefined))
    return false;
  const pairs = calls
    .slice(1)
    .map((call, before) => likeness(canonicalText(calls[before]!.args), canonicalText(call.args)));
  return pairs.reduce((sum, pair) => sum + pair, 0) / pairs.length >= LIKENESS;
}

/** Calls on different files are not alike. */
function targetOf({ args }: RecordedStep): unknown {
  const { path, file_path: file } = (typeof args === "object" && args !== null ? args : {}) as Record<string, unknown>;
  return path ?? file;
}

/** Dice's coefficient over pairs of characters. */
function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (one.length < 2 || other.length < 2) return 0;
  const counts = new Map<string, number>();
  for (let at = 0; at + 2 <= one.length; at++)
    counts.set(one.slice(at, at + 2), (counts.get(one.slice(at, at + 2)) ?? 0) + 1);
  let shared = 0;
  for (let at = 0; at + 2 <= other.length; at++) {
    const pair = other.slice(at, at + 2);
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    shared++;
    counts.set(pair, left - 1);
  }
  return (2 * shared) / (one.length + other.length - 2);
}

const toolAndResult: Identity = ({ tool, outcome }) => (outcome === undefined ? undefined : `${tool}\n${outcome}`);

/**
 * stella, since the user last spoke: a call three times in a row with the same result, two to four calls in turn three
 * times, one tool six times in a row with one result, or a call three times with others between, unless some repeated
 * call was answered differently.
 */
export const stella = holdsAt(
  (steps, at) =>
    range(1, 4).some((period) =>
      endsInLaps(steps, at, { period, laps: 3, identity: callAndResult, isOneTurn: true }),
    ) ||
    endsInLaps(steps, at, { period: 1, laps: 6, identity: toolAndResult, isOneTurn: true }) ||
    isInterleaved(steps, at),
);

function isInterleaved(steps: readonly RecordedStep[], at: number): boolean {
  const { key, outcome, turn } = steps[at]!;
  if (outcome === undefined) return false;
  const answers = new Map<string, string>();
  let count = 0;
  for (let place = at; place >= 0 && steps[place]!.turn === turn; place--) {
    const earlier = steps[place]!;
    if (earlier.outcome === undefined) continue;
    const known = answers.get(earlier.key);
    if (known !== undefined && known !== earlier.outcome) return false;
    answers.set(earlier.key, earlier.outcome);
    if (earlier.key === key) count++;
  }
  return count >= 3;
}

/** Published rules, restated from their documented thresholds. Each is taken to speak at every call where it holds. */
export const rules: Readonly<Record<string, Rule>> = {
  "founding document 000: a call, two or three in turn, twice": founding000,
  "founding document 001: 3 equal in a row, 4 by fingerprint": founding001,
  "founding document 002: 3 equal in 20": founding002,
  "founding document 003: 3 equal in 10, cycles of 2 to 5 twice": founding003,
  "founding document 004: 5 equal in 20 with their result": founding004,
  "deer-flow: 3 equal answers in 20": deerFlow,
  "gemini-cli: cycles of 1 to 5, 5 times": geminiCli,
  "opencode: 3 equal in a row": opencode,
  "OpenHands: 4 equal with their result, 3 with an error, ABABAB": openHands,
  "stella: 3 equal with their result, cycles, stagnation": stella,
  "hermes: failures and results": hermes,
  "senpi: equal, cycles, similar arguments": senpi,
};
