import type { AgentEvent } from "../core/event.ts";
import type { TellMisuse } from "../core/faults.ts";
import { toolLabel } from "../core/identity/call-identity.ts";
import type { Platform } from "../core/identity/read-object.ts";
import { prototypesOf } from "../core/identity/read-object.ts";
import { LATEST_TIME } from "../core/reading/result.ts";
import { similarWord } from "./check-options.ts";

type Type = AgentEvent["type"];

/** What an event of a type can hold. The service reads all of it, a guard all but `seq`, `answer` and `meta`. */
type FieldOf<Name extends Type> = keyof Extract<AgentEvent, { type: Name }> | "seq" | "answer" | "meta";

const EVERY = ["type", "seq", "untold", "unheard", "meta"] as const;

/** The fields of each type of event, the telling ones first. There is no other list of them. */
export const EVENT_FIELDS: { readonly [Name in Type]: readonly FieldOf<Name>[] } = {
  call: ["tool", "args", "id", "at", "readOnly", ...EVERY],
  result: ["output", "id", "error", "at", "digest", "length", "synthetic", "cancelled", ...EVERY],
  text: ["text", "partial", "at", ...EVERY],
  reasoning: ["text", ...EVERY],
  round: EVERY,
  user: ["text", ...EVERY],
  state: ["key", "value", ...EVERY],
  compaction: EVERY,
  opinion: ["question", "verdict", "since", "answer", ...EVERY],
};

const TYPES = Object.keys(EVENT_FIELDS);

/** What other libraries call these events. */
const TYPES_ELSEWHERE: Readonly<Record<string, Type>> = {
  toolcall: "call",
  tooluse: "call",
  functioncall: "call",
  toolinvocation: "call",
  toolresult: "result",
  functioncalloutput: "result",
  functionresult: "result",
  message: "text",
  assistant: "text",
  thinking: "reasoning",
  step: "round",
  human: "user",
};

const TIME_NAMES = ["timestamp", "time", "ts"];
const ID_NAMES = ["callId", "toolCallId", "tool_call_id", "call_id", "tool_use_id"];

/** What other libraries call these fields. */
const FIELDS_ELSEWHERE: Readonly<Partial<Record<Type, Readonly<Record<string, readonly string[]>>>>> = {
  call: {
    tool: ["name", "toolName", "tool_name", "function"],
    args: ["arguments", "input", "parameters", "params", "payload", "kwargs"],
    at: TIME_NAMES,
    id: ID_NAMES,
  },
  result: {
    output: ["result", "content", "value", "text", "data", "response", "stdout", "body", "message", "status"],
    at: TIME_NAMES,
    error: ["isError", "is_error", "failed", "exit_code", "exitCode"],
    id: ID_NAMES,
  },
  text: { text: ["content", "message", "output"] },
  reasoning: { text: ["content", "thinking"] },
  user: { text: ["content", "message", "prompt", "input"] },
  state: { key: ["name"], value: ["state"] },
};

const REQUIRED: Readonly<Partial<Record<Type, string>>> = {
  call: "tool",
  text: "text",
  reasoning: "text",
  state: "key",
};

/**
 * Reports an event that has the wrong form. TypeScript finds most of these mistakes; JavaScript and casts do not. A guard lets events have
 * fields that are not known, unless one is known by another name. `isStrict`: each of them is a mistake.
 */
export function checkEvent(event: unknown, tell: TellMisuse, platform: Platform, isStrict = false): void {
  if (typeof event !== "object" || event === null) {
    tell("event", `observe: an event is required, got ${event === null ? "null" : typeof event}`);
    return;
  }
  const fields = event as Readonly<Record<string, unknown>>;
  const { type } = fields;
  if (typeof type !== "string" || !TYPES.includes(type)) tell("type", unknownType(type, fields));
  else checkFields(type as Type, fields, tell, platform, isStrict);
}

const MAX_NAME = 64;
const MAX_UNKNOWN = 8;
/** Shorter names are like too many others. */
const MIN_SIMILAR = 3;

function unknownType(type: unknown, event: Readonly<Record<string, unknown>>): string {
  if (typeof type !== "string") {
    const found = type === undefined && Object.keys(event).find((name) => plainName(name) === "type");
    if (typeof found === "string") return `observe: "${toolLabel(found)}" is not a known field; did you mean "type"?`;
    return `observe: an event with a type is required, got ${typeof type}`;
  }
  const plain = plainName(type);
  const meant = Object.hasOwn(TYPES_ELSEWHERE, plain) ? TYPES_ELSEWHERE[plain] : similarWord(plain, TYPES);
  const hint = meant === undefined ? `one of ${TYPES.join(", ")} is required` : `did you mean "${meant}"?`;
  return `observe: "${toolLabel(type)}" is not an event type; ${hint}`;
}

function plainName(name: string): string {
  return name.slice(0, MAX_NAME).toLowerCase().replaceAll(/[-_ ]/g, "");
}

/** The field that was probably meant by one that is not known: as others call it, or written almost right, such as `read_only`. */
function meantField(type: Type, name: string): string | undefined {
  const known: readonly string[] = EVENT_FIELDS[type];
  const elsewhere = FIELDS_ELSEWHERE[type] ?? {};
  const plain = plainName(name);
  const similar = (): string | undefined => (plain.length < MIN_SIMILAR ? undefined : similarWord(plain, known));
  return (
    Object.keys(elsewhere).find((field) => elsewhere[field]!.includes(name)) ??
    known.find((field) => field.toLowerCase() === plain) ??
    similar()
  );
}

function checkFields(
  type: Type,
  event: Readonly<Record<string, unknown>>,
  tell: TellMisuse,
  platform: Platform,
  isStrict: boolean,
): void {
  const known: readonly string[] = EVENT_FIELDS[type];
  let unknown = 0;
  for (const name of Object.keys(event)) {
    if (known.includes(name) || event[name] === undefined) continue;
    if (++unknown > MAX_UNKNOWN) break;
    const meant = meantField(type, name);
    const isMeant = meant !== undefined && event[meant] === undefined;
    const hint = isMeant ? `did you mean "${meant}"?` : `${known.join(", ")} are known`;
    if (isMeant || isStrict) tell(`${type} ${name}`, `${type}: "${toolLabel(name)}" is not a known field; ${hint}`);
  }
  const required = REQUIRED[type];
  if (required !== undefined && typeof event[required] !== "string")
    tell(`${type} ${required}`, `${type}: ${required} must be a string, got ${typeof event[required]}`);
  const { id, at, error, output } = event;
  if (known.includes("id") && id !== undefined && id !== null && typeof id !== "string")
    tell("id", `${type}: id must be a string, got ${kindOf(id, platform)}`);
  if (at !== undefined && at !== null && !(typeof at === "number" && Number.isFinite(at)))
    tell("at", `${type}: at must be milliseconds, got ${kindOf(at, platform)}`);
  if (typeof at === "number" && Math.abs(at) > LATEST_TIME)
    tell("at", `${type}: at must be milliseconds, got a time after the year 5000; is it in microseconds?`);
  if (type !== "result") return;
  if (error !== undefined && error !== null && typeof error !== "boolean")
    tell("error", `result: error must be true or false, got ${kindOf(error, platform)}`);
  if (typeof output === "object" && output !== null && kindOf(output, platform) === "a promise")
    tell("promise", "result: output is a promise, so it cannot be compared; await it first");
}

const { prototype: date } = Date;

function kindOf(value: unknown, platform: Platform): string {
  if (typeof value !== "object" || value === null) return typeof value;
  const prototypes = platform.isProxy(value) ? [] : (prototypesOf(value, platform) ?? []);
  if (prototypes.includes(date)) return "a date";
  return prototypes.includes(Promise.prototype) ? "a promise" : "an object";
}
