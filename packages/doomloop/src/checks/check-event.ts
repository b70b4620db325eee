import type { AgentEvent } from "../core/event.ts";
import type { TellMisuse } from "../core/faults.ts";
import { toolLabel } from "../core/identity/call-identity.ts";
import type { Platform } from "../core/identity/read-object.ts";
import { prototypesOf } from "../core/identity/read-object.ts";
import { LATEST_TIME } from "../core/outcome/read-outcome.ts";
import { similarWord } from "./check-options.ts";

type Type = AgentEvent["type"];

const TYPES: readonly string[] = [
  "call",
  "result",
  "text",
  "reasoning",
  "round",
  "user",
  "state",
  "compaction",
  "opinion",
] satisfies Type[];

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
    output: ["result", "content", "value", "text", "data", "response"],
    at: TIME_NAMES,
    error: ["isError", "is_error", "failed"],
    id: ID_NAMES,
  },
  text: { text: ["content", "message"] },
  reasoning: { text: ["content", "thinking"] },
  user: { text: ["content", "message"] },
  state: { key: ["name"], value: ["state"] },
};

const REQUIRED: Readonly<Partial<Record<Type, string>>> = {
  call: "tool",
  text: "text",
  reasoning: "text",
  state: "key",
};

/** Reports an event that has the wrong form. TypeScript finds most of these mistakes; JavaScript and casts do not. */
export function checkEvent(event: unknown, tell: TellMisuse, platform: Platform): void {
  if (typeof event !== "object" || event === null) {
    tell("event", `observe: an event is required, got ${event === null ? "null" : typeof event}`);
    return;
  }
  const { type } = event as { type?: unknown };
  if (typeof type !== "string" || !TYPES.includes(type)) tell("type", unknownType(type));
  else checkFields(type as Type, event as Readonly<Record<string, unknown>>, tell, platform);
}

const MAX_TYPE = 64;

function unknownType(type: unknown): string {
  if (typeof type !== "string") return `observe: an event with a type is required, got ${typeof type}`;
  const plain = type.slice(0, MAX_TYPE).toLowerCase().replaceAll(/[-_ ]/g, "");
  const meant = Object.hasOwn(TYPES_ELSEWHERE, plain) ? TYPES_ELSEWHERE[plain] : similarWord(plain, TYPES);
  const hint = meant === undefined ? `one of ${TYPES.join(", ")} is required` : `did you mean "${meant}"?`;
  return `observe: "${toolLabel(type)}" is not an event type; ${hint}`;
}

const FIELDS: readonly string[] = [
  ...["type", "id", "tool", "args", "at", "readOnly", "output", "error", "digest", "length", "synthetic", "cancelled"],
  ...["text", "partial", "key", "value", "question", "verdict", "since", "answer", "untold", "unheard", "seq"],
];
const KNOWN = new Set(FIELDS);
const BY_PLAIN_NAME = new Map(FIELDS.map((field) => [field.toLowerCase(), field]));
const MAX_FIELD = 16;

/** Reports a field that is written almost right: `Id`, `ID`, `read_only`. */
function checkSpelling(type: Type, event: Readonly<Record<string, unknown>>, tell: TellMisuse): void {
  for (const name of Object.keys(event)) {
    if (KNOWN.has(name) || name.length > MAX_FIELD) continue;
    const meant = BY_PLAIN_NAME.get(name.toLowerCase().replaceAll(/[-_]/g, ""));
    if (meant !== undefined && event[meant] === undefined)
      tell(`${type} ${name}`, `${type}: "${name}" is not a known field; did you mean "${meant}"?`);
  }
}

function checkFields(type: Type, event: Readonly<Record<string, unknown>>, tell: TellMisuse, platform: Platform): void {
  checkSpelling(type, event, tell);
  const elsewhere = FIELDS_ELSEWHERE[type];
  for (const field in elsewhere) {
    if (event[field] !== undefined) continue;
    const found = elsewhere[field]!.find((name) => event[name] !== undefined);
    if (found !== undefined)
      tell(`${type} ${found}`, `${type}: "${found}" is not a known field; did you mean "${field}"?`);
  }
  const required = REQUIRED[type];
  if (required !== undefined && typeof event[required] !== "string")
    tell(`${type} ${required}`, `${type}: ${required} must be a string, got ${typeof event[required]}`);
  const { at, error, output } = event;
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
