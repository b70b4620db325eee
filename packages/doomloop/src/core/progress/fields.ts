import { wordList } from "../collections/word-list.ts";
import type { Act } from "../reading.ts";

/** A call's arguments, by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** The arguments as an object; empty if they are not one. */
export function fieldsOf(args: unknown): Fields {
  return typeof args === "object" && args !== null ? (args as Fields) : {};
}

/** The text in a field, read without running a getter. */
export function textField(fields: Fields, name: string): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
  return typeof value === "string" ? value : undefined;
}

/** The first text among several fields. */
export function firstText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textField(fields, name);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Fields that hold what is to be written, in any tool. */
const CONTENT_FIELDS = wordList(
  "content contents file_text new_string new_str newText new_source replacement patch diff body",
);
/** Fields that say what to look for in a file. Without them, the call only shows the file. */
const SEARCH_FIELDS = wordList("pattern query q regex search search_term searchTerm glob include text symbol name");
const PATH_FIELDS = ["path", "file_path", "filePath"];
const INSIDE_FIELDS = [...PATH_FIELDS, "absolute_path", "target_file", "pattern", "glob", "regex"];

/** Whether a call brings a text to write. */
export function bringsContent(fields: Fields): boolean {
  return firstText(fields, CONTENT_FIELDS) !== undefined;
}

/** Whether a call fills a text into a page. A number may be where to click. */
export function putsText(fields: Fields): boolean {
  return firstText(fields, ["text", "value"]) !== undefined;
}

/** Whether a call names something in the workspace. */
export function namesInside(fields: Fields): boolean {
  return INSIDE_FIELDS.some((field) => Object.hasOwn(fields, field));
}

/** The file that a call is about, unless the call searches it. */
export function filePath(fields: Fields): string | undefined {
  return SEARCH_FIELDS.some((name) => Object.hasOwn(fields, name)) ? undefined : firstText(fields, PATH_FIELDS);
}

/** What a database statement does. One that changes rows may find more of them the next time, so it steps. */
export function databaseAct(fields: Fields): Act | undefined {
  const statement = firstText(fields, ["query", "sql", "statement"])?.trimStart().slice(0, 10).toLowerCase();
  if (statement === undefined) return undefined;
  if (/^(?:select|show|desc|describe|explain|with|pragma|values)\s/.test(statement)) return "watches";
  return /^(?:insert|update|delete|create|drop|alter|replace|truncate|merge|grant)\s/.test(statement)
    ? "steps"
    : undefined;
}

/** The unit of each field that says how long to wait. */
const WAIT_FIELDS: readonly (readonly [names: readonly string[], unitMs: number])[] = [
  [wordList("ms milliseconds timeoutMs timeout_ms"), 1],
  [wordList("seconds secs duration time timeout"), 1000],
  [["minutes"], 60_000],
];
const MAX_WAIT_MS = 86_400_000;

/** How long a call says that it waits. */
export function declaredWaitMs(fields: Fields): number {
  for (const [names, unitMs] of WAIT_FIELDS) {
    for (const name of names) {
      const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
      if (typeof value === "number" && value > 0) return Math.min(value * unitMs, MAX_WAIT_MS);
    }
  }
  return 0;
}
