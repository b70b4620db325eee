import { checkEvent } from "../../checks/check-event.ts";
import { similarName } from "../../checks/check-options.ts";
import type { AgentEvent, OpinionEvent } from "../../core/event.ts";
import { toolLabel } from "../../core/identity/call-identity.ts";
import { OPINION_VERDICTS } from "../../core/question.ts";
import { readVerdict } from "../../opinion/read-verdict.ts";
import { platform } from "../../platform.ts";
import { type ForeignRecord, recordOf } from "../../transcripts/foreign-value.ts";
import { Problem } from "./problem.ts";

interface Numbered {
  /**
   * A whole number that grows within a run. An event whose number the run has seen is not judged again. Begin with the time in microseconds,
   * so that a client that starts over is not mistaken for one that repeats itself.
   */
  readonly seq?: number | undefined;
  /** Whatever the client wants to note there. Nobody reads it. */
  readonly meta?: unknown;
}

/** An event, and its number. */
export type SentEvent = (Exclude<AgentEvent, OpinionEvent> & Numbered) | SentOpinion;

interface SentOpinion extends OpinionEvent, Numbered {
  /** The answer of the model that was asked, as it is: the verdict is read from it. */
  readonly answer?: string | undefined;
}

/** What a client sends of a run. */
export interface EventsRequest {
  readonly events: readonly SentEvent[];
  /** The policy of the run. It holds from the first request of the run on. */
  readonly policy?: string | undefined;
  /** Options of the client's own, as far as the operator lets them through. They hold from the first request of the run on. */
  readonly options?: ForeignRecord | undefined;
}

const MAX_EVENTS = 1000;
const MAX_NAME = 200;
const MAX_MISTAKES = 5;
const VERDICTS: readonly unknown[] = OPINION_VERDICTS;
const RUN = /^[A-Za-z0-9._:@~-]{1,200}$/;

/** The name of a run, from a path. Throws a `Problem` for one that is not allowed. */
export function runNameIn(text: string): string {
  if (RUN.test(text)) return text;
  throw new Problem(400, `run: 1 to ${MAX_NAME} of A-Z, a-z, 0-9, '.', '_', ':', '@', '~' and '-' are required`);
}

/** Reads the body of a request. Throws a `Problem` that names what is wrong; then nothing of it is judged. */
export function readEventsRequest(body: unknown): EventsRequest {
  const { events, policy, options, ...others } = recordOf(body) ?? {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Problem(400, unknownField(unknown));
  if (!Array.isArray(events)) throw new Problem(400, "events: a list is required");
  if (events.length > MAX_EVENTS)
    throw new Problem(400, `events: at most ${MAX_EVENTS} are accepted, got ${events.length}`);
  if (policy !== undefined && (typeof policy !== "string" || policy.length > MAX_NAME))
    throw new Problem(400, "policy: a name is required");
  if (options !== undefined && recordOf(options) === undefined)
    throw new Problem(400, "options: an object is required");
  const read = events.map(withVerdict);
  const mistakes: string[] = [];
  for (let at = 0; at < read.length && mistakes.length < MAX_MISTAKES; at++) mistakes.push(...mistakesOf(read[at], at));
  if (mistakes.length > 0) throw new Problem(400, mistakes.slice(0, MAX_MISTAKES).join("; "));
  return { events: read as SentEvent[], policy: policy as string | undefined, options: recordOf(options) };
}

const FIELDS = ["events", "policy", "options"];

function unknownField(name: string): string {
  const plain = name.slice(0, MAX_NAME).toLowerCase();
  const meant = FIELDS.find((field) => plain.startsWith(field.slice(0, -1))) ?? similarName(plain, FIELDS);
  const hint = meant === undefined ? `${FIELDS.join(", ")} are known` : `did you mean "${meant}"?`;
  return `"${toolLabel(name)}" is not a known field; ${hint}`;
}

/** Reads what a model has answered. An answer that says nothing counts as one that is not sure. */
function withVerdict(event: unknown): unknown {
  const { type, answer, verdict } = recordOf(event) ?? {};
  if (type !== "opinion" || typeof answer !== "string" || !isLeftOut(verdict)) return event;
  return { ...recordOf(event), verdict: "unsure", ...readVerdict(answer) };
}

function mistakesOf(event: unknown, at: number): string[] {
  const mistakes: string[] = [];
  const tell = (_: string, message: string): void =>
    void mistakes.push(`events[${at}]: ${message.replace(/^observe: /, "")}`);
  checkEvent(event, tell, platform, true);
  const { type, seq, question, verdict, since } = recordOf(event) ?? {};
  if (!isLeftOut(seq) && !isWhole(seq)) mistakes.push(`events[${at}]: seq must be a whole number`);
  if (type !== "opinion") return mistakes;
  if (!isWhole(question)) mistakes.push(`events[${at}]: opinion: question must be the id of a question`);
  if (!VERDICTS.includes(verdict)) mistakes.push(`events[${at}]: opinion: verdict must be ${VERDICTS.join(" or ")}`);
  if (!isLeftOut(since) && !isWhole(since)) mistakes.push(`events[${at}]: opinion: since must be a whole number`);
  return mistakes;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null;
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
