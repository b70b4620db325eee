import type { Act } from "../reading.ts";
import { type Fields, firstText } from "./fields.ts";

/** Fields that carry what is to be written, in whatever tool. */
const CONTENT_FIELDS =
  "content contents file_text new_string new_str newText new_source replacement patch diff body".split(" ");

/** Whether a call brings a text that it writes somewhere. */
export function bringsContent(fields: Fields): boolean {
  return firstText(fields, CONTENT_FIELDS) !== undefined;
}

/** Whether a text is put into a page's field: another one is another. A number may be where to click. */
export function putsText(fields: Fields): boolean {
  return firstText(fields, ["text", "value"]) !== undefined;
}

/** What a call looks for besides the file that it names: without these, showing the file is all it does. */
const SEARCH_FIELDS = "pattern query q regex search search_term searchTerm glob include text symbol name".split(" ");
const PATH_FIELDS = ["path", "file_path", "filePath"];
const INSIDE_FIELDS = [...PATH_FIELDS, "absolute_path", "target_file", "pattern", "glob", "regex"];

/** Whether a call names something in the workspace. */
export function namesInside(fields: Fields): boolean {
  return INSIDE_FIELDS.some((field) => Object.hasOwn(fields, field));
}

/** The file that a call is about, where it looks for nothing in it. */
export function filePath(fields: Fields): string | undefined {
  return SEARCH_FIELDS.some((name) => Object.hasOwn(fields, name)) ? undefined : firstText(fields, PATH_FIELDS);
}

/** What a database is asked for. A statement that changes rows may find more of them when it is made again: it steps. */
export function databaseAct(fields: Fields): Act | undefined {
  const statement = firstText(fields, ["query", "sql", "statement"])?.trimStart().slice(0, 10).toLowerCase();
  if (statement === undefined) return undefined;
  if (/^(?:select|show|desc|describe|explain|with|pragma|values)\s/.test(statement)) return "watches";
  return /^(?:insert|update|delete|create|drop|alter|replace|truncate|merge|grant)\s/.test(statement)
    ? "steps"
    : undefined;
}

/** How long a field's unit is, by the end of its name. */
const WAIT_FIELDS: readonly (readonly [names: string, unitMs: number])[] = [
  ["ms milliseconds timeoutMs timeout_ms", 1],
  ["seconds secs duration time timeout", 1000],
  ["minutes", 60_000],
];
const MAX_WAIT_MS = 86_400_000;

/** How long a call says that it waits. */
export function declaredWaitMs(fields: Fields): number {
  for (const [names, unitMs] of WAIT_FIELDS) {
    for (const name of names.split(" ")) {
      const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
      if (typeof value === "number" && value > 0) return Math.min(value * unitMs, MAX_WAIT_MS);
    }
  }
  return 0;
}
