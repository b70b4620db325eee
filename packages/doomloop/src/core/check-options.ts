import { checkDetectorName, isCustomDetector } from "./custom-detector.ts";
import { type DetectorKind, detectors } from "./detectors/index.ts";
import { DoomloopError } from "./doomloop-error.ts";
import type { MessageTemplates } from "./messages/templates.ts";
import type { GuardOptions } from "./options.ts";
import type { ProgressOptions } from "./progress/progress-options.ts";
import { similarWord } from "./similar-word.ts";
import type { ToolRule } from "./tool-rule.ts";

/** What kinds of value an option may have. What the value may say is checked where it is used. */
type Kind = "any" | "text" | "flag" | "number" | "object" | "function" | "false" | "texts" | "numbers";
type Known<Keys extends PropertyKey = string> = Readonly<Record<Keys, readonly Kind[]>>;
type Fields = Readonly<Record<string, unknown>>;

/** Every option of a guard. */
export const GUARD_OPTIONS: Known<keyof GuardOptions> = {
  preset: ["text"],
  detectors: ["object"],
  progress: ["object"],
  ladder: ["texts"],
  ladderScope: ["text"],
  ladderDescends: ["flag"],
  ladderPace: ["object", "false"],
  ladderCounts: ["numbers"],
  endUncertainAfter: ["number"],
  beyondNudge: ["text"],
  priority: ["texts"],
  tools: ["object"],
  messages: ["object"],
  attended: ["flag"],
  onDecision: ["function"],
  onFault: ["function"],
  fleet: ["object"],
  // One that cannot be read is a fault, not a mistake.
  snapshot: ["any"],
};

export const PROGRESS_OPTIONS: Known<keyof ProgressOptions> = {
  outcomes: ["text"],
  comparedCharacters: ["number"],
  comparedArguments: ["text"],
  worldChange: ["flag"],
  userTurn: ["flag"],
  news: ["flag"],
  patienceMs: ["number"],
  forgives: ["flag"],
  seesResults: ["flag"],
};

export const TOOL_OPTIONS: Known<keyof ToolRule> = {
  ignore: ["flag", "function"],
  poll: ["flag", "object"],
  repeat: ["text"],
  changes: ["flag"],
  threshold: ["number"],
  identity: ["texts", "function"],
};

const MESSAGES: Known<keyof MessageTemplates> = {
  nudge: ["function"],
  block: ["function"],
  restart: ["function"],
  stop: ["function"],
  explanation: ["function"],
};

const PACE: Known = { block: ["object"], restart: ["object"], stop: ["object"] };
const RUNG_PACE: Known = { rounds: ["number"], ms: ["number"] };

/** Throws for options that a guard does not have, with the name that was probably meant, and for values of the wrong kind. */
export function checkOptions(options: unknown): asserts options is GuardOptions {
  checkFields("", requireFields("options", options), GUARD_OPTIONS);
  const { progress, tools, detectors: own, ladderPace, messages } = options as GuardOptions;
  if (messages !== undefined) checkFields("messages.", messages as Fields, MESSAGES);
  if (progress !== undefined) checkFields("progress.", progress as Fields, PROGRESS_OPTIONS);
  if (own !== undefined) checkDetectors(own as Fields);
  if (tools !== undefined) checkTools(tools as Fields);
  if (ladderPace !== undefined && ladderPace !== false) {
    checkFields("ladderPace.", ladderPace as unknown as Fields, PACE);
    for (const [rung, pace] of Object.entries(ladderPace))
      checkFields(`ladderPace.${rung}.`, pace as Fields, RUNG_PACE);
  }
}

function checkDetectors(options: Fields): void {
  const names = Object.keys(options);
  names.filter((name) => isCustomDetector(options[name])).forEach(checkCustomName);
  const ours = names.filter((name) => !isCustomDetector(options[name]));
  const bare = ours.find((name) => typeof (options[name] as Fields | undefined)?.inspect === "function");
  if (bare !== undefined) refuse(`detectors.${bare}: make it with defineDetector({ ... })`);
  checkNames("detectors.", ours, Object.keys(detectors));
  for (const kind of ours) {
    const own = options[kind];
    if (own === false || own === undefined) continue;
    const set = Object.keys(requireFields(`detectors["${kind}"]`, own));
    checkNames(`detectors["${kind}"].`, set, detectorOptions(kind as DetectorKind));
  }
}

function checkTools(rules: Fields): void {
  for (const [tool, rule] of Object.entries(rules)) {
    const where = `tools[${JSON.stringify(tool)}]`;
    checkFields(`${where}.`, requireFields(where, rule), TOOL_OPTIONS);
    const { poll, ignore, repeat } = rule as ToolRule;
    if (ignore === true && repeat === "never") refuse(`${where}: what is ignored cannot be kept from repeating`);
    if (typeof poll === "object") checkFields(`${where}.poll.`, poll as unknown as Fields, { patienceMs: ["number"] });
  }
}

function checkCustomName(name: string): void {
  if (Object.hasOwn(detectors, name)) refuse(`detectors.${name}: this is the name of a detector of doomloop's`);
  checkDetectorName(name);
}

/** The options that a detector has: those that it reads when it is made. So a new one need not be named here. */
export function detectorOptions(kind: DetectorKind): readonly string[] {
  const read = new Set<string>();
  const get = (_: object, key: string | symbol): undefined => void (typeof key === "string" && read.add(key));
  detectors[kind](new Proxy({}, { get }));
  return [...read];
}

function checkFields(prefix: string, fields: Fields, known: Known): void {
  const names = Object.keys(fields);
  checkNames(prefix, names, Object.keys(known));
  for (const name of names) {
    const value = fields[name];
    const kinds = known[name]!;
    if (value === undefined || kinds.some((kind) => isOfKind(value, kind))) continue;
    refuse(`${prefix}${name}: ${kinds.map((kind) => IN_WORDS[kind]).join(" or ")} is required, got ${shown(value)}`);
  }
}

/** Throws for a name that is not known, with the one that was probably meant. */
export function checkNames(prefix: string, names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = similarWord(
    unknown.toLowerCase(),
    known.map((name) => name.toLowerCase()),
  );
  const own = known.find((name) => name.toLowerCase() === meant);
  const hint = own === undefined ? `one of ${known.join(", ")} is required` : `did you mean ${own}?`;
  refuse(`${prefix}${unknown}: there is no such option; ${hint}`);
}

function requireFields(where: string, value: unknown): Fields {
  if (isFields(value)) return value;
  return refuse(`${where}: an object is required, got ${shown(value)}`);
}

const IN_WORDS: Readonly<Record<Kind, string>> = {
  any: "anything",
  text: "a text",
  flag: "true or false",
  number: "a number",
  object: "an object",
  function: "a function",
  false: "false",
  texts: "a list of texts",
  numbers: "a list of numbers",
};

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case "any":
      return true;
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "object":
      return isFields(value);
    case "function":
      return typeof value === "function";
    case "false":
      return value === false;
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "numbers":
      return Array.isArray(value) && value.every((item) => typeof item === "number");
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(Symbol.iterator in value);
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
