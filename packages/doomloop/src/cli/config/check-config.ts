import { type DetectorKind, detectors } from "../../core/detectors/index.ts";
import type { GuardOptions } from "../../core/options.ts";
import { UsageError } from "../usage-error.ts";
import { detectorKeys, GUARD_KEYS, type KnownKeys, PROGRESS_KEYS, TOOL_KEYS, type ValueKind } from "./known-keys.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Checks that a value from a file has the form of options for a guard; throws a `UsageError` if not. */
export function checkConfig(value: unknown): GuardOptions {
  const config = requireFields("the configuration", value);
  checkFields("", config, GUARD_KEYS);
  if (config.progress !== undefined) checkFields("progress.", config.progress as Fields, PROGRESS_KEYS);
  if (config.detectors !== undefined) checkDetectors(config.detectors as Fields);
  if (config.tools !== undefined) checkTools(config.tools as Fields);
  return config as GuardOptions;
}

function checkDetectors(options: Fields): void {
  for (const kind of Object.keys(options)) {
    if (!Object.hasOwn(detectors, kind)) throw unknownKey("detectors.", kind, Object.keys(detectors));
    if (options[kind] === false) continue;
    const own = requireFields(`detectors.${kind}`, options[kind]);
    const known = detectorKeys(kind as DetectorKind);
    for (const key of Object.keys(own)) if (!known.includes(key)) throw unknownKey(`detectors.${kind}.`, key, known);
  }
}

function checkTools(rules: Fields): void {
  for (const tool of Object.keys(rules)) {
    const name = `tools[${JSON.stringify(tool)}]`;
    const rule = requireFields(name, rules[tool]);
    checkFields(`${name}.`, rule, TOOL_KEYS);
    const { poll } = rule;
    if (typeof poll === "object") checkFields(`${name}.poll.`, poll as Fields, { patienceMs: "number" });
  }
}

function checkFields(prefix: string, fields: Fields, known: KnownKeys): void {
  for (const key of Object.keys(fields)) {
    if (!Object.hasOwn(known, key)) throw unknownKey(prefix, key, Object.keys(known));
    const kind = known[key]!;
    if (!isOfKind(fields[key], kind)) {
      throw new UsageError(`${prefix}${key}: ${ARTICLED[kind]} is required, got ${JSON.stringify(fields[key])}`);
    }
  }
}

function requireFields(where: string, value: unknown): Fields {
  if (isFields(value)) return value;
  throw new UsageError(`${where}: an object is required, got ${JSON.stringify(value)}`);
}

const ARTICLED: Readonly<Record<ValueKind, string>> = {
  text: "a text",
  flag: "true or false",
  number: "a number",
  "number or false": "a number or false",
  "object or false": "an object or false",
  list: "a list of texts",
  numbers: "a list of numbers",
  object: "an object",
  "flag or object": "true, false or an object",
};

function isOfKind(value: unknown, kind: ValueKind): boolean {
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number";
    case "number or false":
      return typeof value === "number" || value === false;
    case "list":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "numbers":
      return Array.isArray(value) && value.every((item) => typeof item === "number");
    case "object":
      return isFields(value);
    case "object or false":
      return isFields(value) || value === false;
    case "flag or object":
      return typeof value === "boolean" || isFields(value);
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unknownKey(prefix: string, key: string, known: readonly string[]): UsageError {
  return new UsageError(`${prefix}${key}: one of ${known.join(", ")} is required`);
}
