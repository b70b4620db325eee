import type { AgentEvent, CallEvent, OpinionEvent, ResultEvent } from "../../core/event.ts";
import { type Order, readRequest } from "../../core/hints/request.ts";
import { readArguments } from "../../core/identity/call-identity.ts";
import { MESSAGE_PREFIX } from "../../core/reading/result.ts";
import { OPINION_VERDICTS } from "../../core/question.ts";
import type { Draw } from "./letters.ts";
import { createPseudonyms, type Pseudonyms, type PseudonymsOptions } from "./pseudonyms.ts";
import { redactText } from "./redact-text.ts";
import { type RedactValueOptions, redactLongText, redactValue } from "./redact-value.ts";

export interface RedactOptions extends PseudonymsOptions {
  /** The source of random numbers for pseudonyms. The same numbers produce the same trace. */
  readonly draw: Draw;
  /**
   * Longer texts lose their middle. A shortened output gets a `digest` and its original `length`.
   * @default 8192
   */
  readonly longestText?: number;
}

interface Redacted {
  readonly events: readonly AgentEvent[];
  /** The pseudonyms used, to redact options that name tools. */
  readonly names: Pseudonyms;
}

const MAX_DIGEST = 1024;

/** Removes everything private from a run's events, in such a way that the guard judges them as before. */
export function redactEvents(given: Iterable<AgentEvent>, options: RedactOptions): Redacted {
  const { draw, longestText = 8192 } = options;
  const names = createPseudonyms(draw, options);
  const values: RedactValueOptions = { names, longestText };
  const ids = new Map<string, string>();
  const events = [...given];
  const times = relativeTimes(events);

  const idOf = (id: unknown): { readonly id?: string } => {
    if (typeof id !== "string") return {};
    const known = id === "" ? "" : (ids.get(id) ?? `c${ids.size + 1}`);
    ids.set(id, known);
    return { id: known };
  };
  const timeOf = (at: unknown): { readonly at?: number } => {
    const time = times.get(at);
    return time === undefined ? {} : { at: time };
  };

  const redactCall = ({ id, tool, args, at, readOnly }: CallEvent): AgentEvent => {
    const given = args === undefined ? undefined : readArguments(args);
    return {
      ...{ type: "call", ...idOf(id), tool: typeof tool === "string" ? redactText(tool, names) : (undefined as never) },
      ...(given !== undefined && { args: redactValue(given, values) }),
      ...timeOf(at),
      ...(typeof readOnly === "boolean" && { readOnly }),
    };
  };

  const redactResult = (event: ResultEvent): AgentEvent => {
    const { id, output, error, digest, length, at, synthetic, cancelled } = event;
    const isLong = typeof output === "string" && output.length > longestText;
    const wholeLength = typeof length === "number" ? length : isLong ? output.length : undefined;
    const whole = typeof digest === "string" && digest.length <= MAX_DIGEST ? digest : isLong ? output : undefined;
    return {
      ...{ type: "result", ...idOf(id) },
      ...(output !== undefined && {
        output: typeof output === "string" ? redactLongText(output, values) : redactValue(output, values),
      }),
      ...(typeof error === "boolean" && { error }),
      ...(whole !== undefined && { digest: names.markOf(whole) }),
      ...(wholeLength !== undefined && { length: wholeLength }),
      ...timeOf(at),
      ...(synthetic === true && { synthetic }),
      ...(cancelled === true && { cancelled }),
    };
  };

  const redact = (event: AgentEvent): AgentEvent | undefined => {
    switch (event.type) {
      case "call":
        return redactCall(event);
      case "result":
        return redactResult(event);
      case "text":
      case "reasoning":
        if (typeof event.text !== "string") return undefined;
        return {
          ...{ type: event.type, text: redactText(event.text, names) },
          ...(event.type === "text" && event.partial === true && { partial: true }),
        };
      case "user":
        return { type: "user", ...(typeof event.text === "string" && { text: redactRequest(event.text, values) }) };
      case "state":
        if (typeof event.key !== "string") return undefined;
        return { type: "state", key: redactText(event.key, names), value: redactValue(event.value, values) };
      case "round":
      case "compaction":
        return { type: event.type };
      case "opinion":
        return redactOpinion(event);
      default:
        return undefined;
    }
  };

  return { events: events.map(redact).filter((event) => event !== undefined), names };
}

/**
 * Redacts a user message. The core compares it with earlier ones and with what calls name. If it no longer says how
 * often something should be done, or that something is being watched, that is added.
 */
function redactRequest(text: string, values: RedactValueOptions): string {
  if (text.startsWith(MESSAGE_PREFIX)) return MESSAGE_PREFIX;
  const redacted = redactLongText(text, values);
  const [wanted, left] = [readRequest(text), readRequest(redacted)].map(({ orders }) => orders) as [Order[], Order[]];
  const most = (orders: readonly Order[], field: "times" | "items"): number =>
    Math.max(0, ...orders.map((order) => order[field]));
  const isSeries = (orders: readonly Order[]): boolean => orders.some((order) => order.isSeries);
  const lost = [
    ...(most(left, "times") < most(wanted, "times") ? [`do it ${most(wanted, "times")} times`] : []),
    ...(Math.max(most(left, "items"), most(wanted, "times")) < most(wanted, "items")
      ? [`take ${most(wanted, "items")} items`]
      : []),
    ...(isSeries(wanted) && !isSeries(left) ? ["wait until it ends"] : []),
  ];
  return lost.length === 0 ? redacted : `${redacted}, ${lost.join(", ")}`;
}

const LONGEST_GAP_MS = 30 * 86_400_000;

/**
 * Event times relative to the earliest event, because only the intervals matter. An interval is at most 30 days, so
 * that one outlier, such as 0, does not reveal when the others happened.
 */
function relativeTimes(events: readonly AgentEvent[]): ReadonlyMap<unknown, number> {
  const sorted = events
    .map((event) => (event as { readonly at?: unknown }).at)
    .filter((at): at is number => typeof at === "number" && Number.isFinite(at))
    .sort((one, other) => one - other);
  const times = new Map<unknown, number>();
  let time = 0;
  let before = sorted[0];
  for (const at of sorted) {
    time += Math.min(at - before!, LONGEST_GAP_MS);
    before = at;
    times.set(at, time);
  }
  return times;
}

/** An opinion has no words. What has another form is left out. */
function redactOpinion({ question, verdict, since }: OpinionEvent): OpinionEvent | undefined {
  if (!Number.isInteger(question) || !OPINION_VERDICTS.includes(verdict)) return undefined;
  return { type: "opinion", question, verdict, ...(Number.isInteger(since) && { since }) };
}
