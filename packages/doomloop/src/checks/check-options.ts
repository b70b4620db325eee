import { DoomloopError } from "../core/doomloop-error.ts";
import { DETECTOR_KINDS, type DetectorKind } from "../core/finding.ts";
import type { MessageTemplates } from "../core/messages/wording.ts";
import type { AskingOptions, CoreOptions } from "../core/options.ts";
import { checkRule, type ToolRule } from "../core/policy/tool-rules.ts";

/** What the value of an option may be. */
interface Rule {
  /** What is required, as an error says it. */
  readonly words: string;
  readonly accepts: (value: unknown) => boolean;
  /** The options inside an object. */
  readonly inside?: Schema;
  /** Only our own code sets it, so no error names it. */
  readonly isInternal?: true;
}
export type Schema<Names extends PropertyKey = string> = Readonly<Record<Names, Rule>>;
export type Fields = Readonly<Record<string, unknown>>;

const anything: Rule = { words: "anything", accepts: () => true };
const text: Rule = { words: "a string", accepts: (value) => typeof value === "string" };
const flag: Rule = { words: "true or false", accepts: (value) => typeof value === "boolean" };
const number: Rule = { words: "a number", accepts: (value) => typeof value === "number" };
export const aFunction: Rule = { words: "a function", accepts: (value) => typeof value === "function" };
export const numbers: Rule = { words: "a list of numbers", accepts: (value) => isListOf(value, "number") };
const texts: Rule = { words: "a list of strings", accepts: (value) => isListOf(value, "string") };

export function object(inside?: Schema): Rule {
  return { words: "an object", accepts: isFields, ...(inside && { inside }) };
}

export function integer(minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Rule {
  const isBounded = maximum < Number.MAX_SAFE_INTEGER;
  return {
    words: isBounded ? `an integer from ${minimum} to ${maximum}` : `an integer of at least ${minimum}`,
    accepts: (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
  };
}

export function oneOf(...choices: readonly string[]): Rule {
  return {
    words: choices.map((choice) => JSON.stringify(choice)).join(" or "),
    accepts: (value) => choices.includes(value as string),
  };
}

export function either(one: Rule, other: Rule): Rule {
  const inside = one.inside ?? other.inside;
  return {
    words: `${one.words} or ${other.words}`,
    accepts: (value) => one.accepts(value) || other.accepts(value),
    ...(inside && { inside }),
  };
}

export const TOOL_OPTIONS: Schema<keyof ToolRule> = {
  ignore: either(flag, aFunction),
  poll: either(flag, object({ patienceMs: number })),
  repeat: text,
  wayOut: flag,
  changes: flag,
  threshold: number,
  identity: either(texts, aFunction),
  fleet: either(oneOf("shared", "own", "never"), aFunction),
};

const MESSAGE_OPTIONS: Schema<keyof MessageTemplates> = {
  nudge: aFunction,
  block: aFunction,
  restart: aFunction,
  stop: aFunction,
  explanation: aFunction,
};

/** Every option of a guard. The rules for levels, tools and detectors beyond this are checked where they are used. */
export const GUARD_OPTIONS: Schema<keyof AskingOptions | "fleet" | "counts"> = {
  preset: text,
  detectors: object(),
  levels: object({ told: number, refused: number, ended: number }),
  ladder: texts,
  patienceMs: integer(0),
  questions: { ...integer(0, 1000), isInternal: true },
  rules: object(),
  messages: object(MESSAGE_OPTIONS),
  attended: flag,
  onDecision: aFunction,
  onFault: aFunction,
  fleet: { words: "a member that join of a fleet returns", accepts: isFleetMember },
  // A snapshot that cannot be read is a fault, not a mistake.
  snapshot: anything,
  // A configuration can hold it. Code makes another guard.
  counts: { words: "createCountingGuard of doomloop/counting", accepts: () => false, isInternal: true },
};

/** Throws for unknown options, with the name that was probably meant, and for values of the wrong kind. */
export function checkOptions(options: unknown): asserts options is CoreOptions {
  checkFields("", requireFields("options", options), GUARD_OPTIONS);
  const { rules = {}, detectors: own = {} } = options as CoreOptions;
  checkDetectors(own as Fields);
  for (const [tool, rule] of Object.entries(rules as Fields)) {
    const where = `rules[${JSON.stringify(tool)}]`;
    const { ignore, repeat } = checkFields(`${where}.`, requireFields(where, rule), TOOL_OPTIONS);
    checkRule(tool, rule as ToolRule);
    if (ignore === true && repeat === "never") refuse(`${where}: a tool that is ignored cannot have repeat: "never"`);
  }
}

function checkDetectors(options: Fields): void {
  checkNames("detectors.", Object.keys(options), DETECTOR_KINDS);
  for (const [kind, own] of Object.entries(options)) {
    if (own === false || own === undefined) continue;
    const set = Object.keys(requireFields(`detectors["${kind}"]`, own));
    checkNames(`detectors["${kind}"].`, set, detectorOptions(kind as DetectorKind));
  }
}

/** The options of a kind of loop. */
export function detectorOptions(kind: DetectorKind): readonly string[] {
  return kind === "repeated-text" ? ["repetitions", "minimumLength"] : ["threshold"];
}

/** The names that an error may list. */
export function shownNames(schema: Schema): readonly string[] {
  return Object.keys(schema).filter((name) => schema[name]!.isInternal !== true);
}

export function checkFields(prefix: string, fields: Fields, schema: Schema): Fields {
  checkNames(prefix, Object.keys(fields), Object.keys(schema), shownNames(schema));
  for (const [name, value] of Object.entries(fields)) {
    const { words, accepts, inside } = schema[name]!;
    if (value === undefined) continue;
    if (!accepts(value)) refuse(`${prefix}${name}: ${words} is required, got ${shown(value)}`);
    if (inside !== undefined && isFields(value)) checkFields(`${prefix}${name}.`, value, inside);
  }
  return fields;
}

/** Throws for an unknown name, with the one of those `shown` that was probably meant. */
export function checkNames(prefix: string, names: readonly string[], known: readonly string[], shown = known): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = similarName(unknown, shown);
  const hint = meant === undefined ? `one of ${shown.join(", ")} is required` : `did you mean ${meant}?`;
  refuse(`${prefix}${unknown}: there is no such option; ${hint}`);
}

const MAX_NAME = 64;

/** The name that was probably meant, whatever its case. */
export function similarName(name: string, names: readonly string[]): string | undefined {
  const lower = names.map((one) => one.toLowerCase());
  return names[lower.indexOf(similarWord(name.slice(0, MAX_NAME).toLowerCase(), lower) ?? "")];
}

/**
 * The word that was probably meant: with one letter more, fewer or different, or two letters swapped; for long words, up to two such
 * differences. Undefined if no word is close.
 */
export function similarWord(word: string, words: readonly string[]): string | undefined {
  return (
    words.find((other) => isNear(word, other)) ??
    words.find((other) => sorted(word) === sorted(other)) ??
    words.find((other) => word.length >= LONG_WORD && isNearTwice(word, other))
  );
}

const LONG_WORD = 8;

/** Whether two words are near each other once one letter of the longer one is left out. */
function isNearTwice(one: string, other: string): boolean {
  if (one.length > other.length) return isNearTwice(other, one);
  return [...other].some((_, at) => isNear(one, other.slice(0, at) + other.slice(at + 1)));
}

function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const rest = (text: string, skipped: number): string => text.slice(start + skipped);
  return (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0) ||
    rest(one, 0) === rest(other, 1) ||
    (rest(one, 2) === rest(other, 2) && one[start] === other[start + 1] && one[start + 1] === other[start])
  );
}

function sorted(word: string): string {
  return [...word].sort().join("");
}

export function requireFields(where: string, value: unknown): Fields {
  if (isFields(value)) return value;
  return refuse(`${where}: an object is required, got ${shown(value)}`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(Symbol.iterator in value);
}

function isFleetMember(value: unknown): boolean {
  return isFields(value) && typeof value.evidence === "function";
}

function isListOf(value: unknown, type: "string" | "number"): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  if (Array.isArray(value)) return "a list";
  if (value instanceof Map) return "a map";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function refuse(message: string): never {
  throw new DoomloopError("invalid-option", message);
}
