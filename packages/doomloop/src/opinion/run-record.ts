import type { CallEvent, ResultEvent } from "../core/event.ts";
import { readRequest } from "../core/hints/request.ts";
import { toolLabel } from "../core/identity/call-identity.ts";
import { digestOf } from "../core/identity/digest.ts";
import { readWords, skim } from "../core/reading/text.ts";
import type { AgentEvent } from "../index.ts";
import { cut, cutBetweenWords, shownTool } from "./show-text.ts";

/** A step as it is shown to another model. */
export interface RecordedStep {
  index: number;
  readonly round: number;
  readonly tool: string;
  /** The arguments by name, shortened. */
  readonly fields: readonly (readonly [name: string, value: string, length: number])[];
  /** A digest of the call, to compare it with others. */
  readonly call: string;
  readonly id: string | undefined;
  readonly at: number | undefined;
  outcome: RecordedOutcome | undefined;
}

export interface RecordedOutcome {
  readonly text: string;
  readonly length: number;
  /** Digests, equal for equal texts; and for texts that differ only in what changes by itself; and in numbers. */
  readonly exact: string;
  readonly masked: string;
  readonly words: string;
  readonly isFailed: boolean;
  /** The guard's own answer: the call did not run. */
  readonly isRefusal: boolean;
}

/** The latest of a run in words, as far as an excerpt needs it. Held in memory only, and bounded. */
export type RunRecord = ReturnType<typeof createRunRecord>;

const MAX_STEPS = 60;
const MAX_FIELDS = 8;
const MAX_VALUE = 600;
const MAX_OUTPUT = 2_000;
const MAX_REQUEST = 1_200;
/** Fewer steps show nothing, if what came before them is not known. */
const FEWEST_STEPS = 3;
/** Longer texts are compared by their beginning, their end and their length. */
const MAX_COMPARED = 16_384;

export function createRunRecord() {
  const steps: RecordedStep[] = [];
  const said: { before: number; readonly text: string }[] = [];
  let calls = 0;
  let rounds = 0;
  let hasRounds = false;
  let request: string | undefined;
  let latest: { before: number; readonly text: string } | undefined;
  let users = 0;
  /** The step that the latest call or result belongs to. */
  let current: RecordedStep | undefined;

  const takeCall = ({ id, tool, args, at }: CallEvent): void => {
    const fields = fieldsOf(args);
    const call = digestOf(`${tool.slice(0, MAX_VALUE)}\n${fields.map((field) => field.join("\n")).join("\n")}`);
    const round = hasRounds ? rounds : calls;
    current = {
      index: calls++,
      round,
      tool: shownTool(toolLabel(tool)),
      fields,
      call,
      id: id && ownCopy(id.slice(0, MAX_VALUE)),
      at,
      outcome: undefined,
    };
    steps.push(current);
    if (steps.length > MAX_STEPS) steps.shift();
  };

  const takeResult = (event: ResultEvent): void => {
    const open = steps.filter((step) => step.outcome === undefined);
    current = event.id === undefined ? open[0] : open.findLast(({ id }) => id === event.id?.slice(0, MAX_VALUE));
    if (current !== undefined && event.cancelled !== true) current.outcome = outcomeOf(event);
  };

  let heard: string | undefined;

  const takeUser = (given: string): void => {
    heard = ownCopy(cutBetweenWords(given, MAX_REQUEST));
    users++;
    if (request === undefined) request = heard;
    else latest = { before: calls, text: heard };
  };

  return {
    take(event: AgentEvent): void {
      if (event.type === "call" && typeof event.tool === "string") takeCall(event);
      else if (event.type === "result") takeResult(event);
      else if (event.type === "user" && typeof event.text === "string") takeUser(event.text);
      else if (event.type === "text" && event.partial !== true && typeof event.text === "string") {
        said.push({ before: calls, text: ownCopy(cutBetweenWords(event.text, MAX_VALUE)) });
        if (said.length > 4) said.shift();
      } else if (event.type === "round") {
        hasRounds = true;
        rounds++;
      }
    },
    /** Hears what the user asked for, from a host that tells it again with every request. */
    hear(given: string): void {
      if (cutBetweenWords(given, MAX_REQUEST) !== heard) takeUser(given);
    },
    /** Numbers the calls as the guard does, which may have seen some in another process. `index`: its number for the step that came last. */
    alignTo(index: number): void {
      const missed = current === undefined ? 0 : index - current.index;
      if (missed <= 0) return;
      calls += missed;
      rounds += missed;
      for (const step of steps) step.index += missed;
      for (const one of latest === undefined ? said : [...said, latest]) one.before += missed;
    },
    /** Whether enough is known of what happened since this call. */
    covers: (since: number): boolean =>
      steps.length >= FEWEST_STEPS || (steps[0] !== undefined && steps[0].index <= since),
    view: () => ({
      steps,
      said,
      calls,
      rounds: hasRounds ? rounds : calls,
      users,
      request,
      latest,
      asked: Math.max(0, ...readRequest(latest?.text ?? request ?? "").orders.map(({ items }) => items)),
    }),
  };
}

function fieldsOf(args: unknown): RecordedStep["fields"] {
  const value = typeof args === "string" && args.startsWith("{") ? parsed(args) : args;
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [fieldOf("", value)];
  return Object.keys(value)
    .slice(0, MAX_FIELDS)
    .map((name) => fieldOf(name, Object.getOwnPropertyDescriptor(value, name)?.value));
}

function parsed(text: string): unknown {
  try {
    return text.length > MAX_COMPARED ? text : JSON.parse(text);
  } catch {
    return text;
  }
}

function fieldOf(name: string, value: unknown): readonly [string, string, number] {
  const text = textOf(value);
  return [ownCopy(name.slice(0, 64)), ownCopy(cutBetweenWords(text, MAX_VALUE)), text.length];
}

/** A text of its own. Without this, a short piece of a long text keeps all of that in memory. */
function ownCopy(text: string): string {
  return JSON.parse(JSON.stringify(text.toWellFormed()));
}

/** A value as text, without running its code more than once. What cannot be written is left out. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return textIn(value) ?? JSON.stringify(value) ?? "";
  } catch {
    return "(cannot be shown)";
  }
}

/** The text of a result that is one part with a text, as protocols write it. */
function textIn(value: unknown): string | undefined {
  const [part, ...others] = Array.isArray(value) ? value : [];
  return part?.type === "text" && typeof part.text === "string" && others.length === 0 ? part.text : undefined;
}

/** How programs colour their output: no part of what they say. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one
const COLOUR = /\u001b\[[\d;]*[A-Za-z]/g;

function outcomeOf({ output, error, synthetic, length }: ResultEvent): RecordedOutcome {
  const text = textOf(output);
  const compared =
    text.length > MAX_COMPARED ? `${text.slice(0, MAX_COMPARED / 2)}${text.slice(-MAX_COMPARED / 2)}` : text;
  const shown = cut(compared, MAX_OUTPUT).replace(COLOUR, "");
  const { masked } = readWords(shown, []);
  const isFailed = error === true;
  return {
    text: ownCopy(cutBetweenWords(text, MAX_OUTPUT)),
    length: length ?? text.length,
    exact: digestOf(`${isFailed} ${text.length} ${shown}`),
    masked: `${isFailed} ${masked}`,
    words: `${isFailed} ${skim(shown, []).form}`,
    isFailed,
    isRefusal: synthetic === true,
  };
}
