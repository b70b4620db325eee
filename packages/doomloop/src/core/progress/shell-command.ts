import { fieldsOf, textField } from "./fields.ts";
import { readToolName } from "./tool-words.ts";

const SHELL_FLAG = /^-\w{0,3}c$/;

/** The command line of a call that is one. */
export function shellCommand(tool: string, args: unknown): string | undefined {
  if (!readToolName(tool).traits.includes("shell")) return undefined;
  const fields = fieldsOf(args);
  for (const name of ["command", "cmd", "script", "input"]) {
    const command = textField(fields, name) ?? scriptOf(fields, name);
    if (command !== undefined) return command;
  }
  return typeof args === "string" ? args : undefined;
}

/** A command as a list, as Codex writes it: `["bash", "-lc", "ls"]` is its script, any other its words. */
function scriptOf(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const words: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
  if (!Array.isArray(words) || words.length === 0 || !words.every((word) => typeof word === "string")) return undefined;
  return words.length === 3 && SHELL_FLAG.test(words[1]!) ? words[2] : words.join(" ");
}
