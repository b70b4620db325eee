import { listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { exitError } from "../../transcripts/shell-report.ts";

const MAX_COMMANDS = 100;
const EXITED = /\bexited with code (-?\d{1,9})/;
/** What Cline puts before the output of a command that failed. */
const EXIT_LINE = /^\[Command exited with code -?\d{1,9}\]\n?/;

/** What Cline's list of commands came back with. */
export interface CommandsOutcome {
  readonly output: unknown;
  readonly error: boolean | undefined;
}

/**
 * The arguments of a call, with a list of commands as the script that it amounts to: that is what other agents' shells are given,
 * and what the guard can read. Arguments that hold none are left as they are.
 */
export function commandsAsScript(input: unknown): unknown {
  const { commands, ...others } = recordOf(input) ?? {};
  const lines = Array.isArray(commands) ? commands.map(lineOf) : [textOf(commands)];
  if (lines.length === 0 || lines.length > MAX_COMMANDS || lines.includes(undefined)) return input;
  return { ...others, command: lines.join("\n") };
}

/** What a list of commands printed, one after the other, and whether it failed: of some that did and some that did not, nobody can say. */
export function commandsOutcome(output: unknown): CommandsOutcome | undefined {
  const results = listOf(output).map(recordOf);
  const texts = results.map((result) => result?.result);
  if (results.length === 0 || !texts.every((text) => typeof text === "string")) return undefined;
  if (!results.every((result) => typeof result?.success === "boolean")) return undefined;
  const errors = new Set(results.map((result, at) => errorOf(result?.success === true, result?.error, texts[at]!)));
  const [error] = errors;
  return { output: texts.join("\n"), error: errors.size === 1 ? error : undefined };
}

/** A command is a line, or a program with its words. */
function lineOf(command: unknown): string | undefined {
  const { command: program, args } = recordOf(command) ?? {};
  if (textOf(program) === undefined) return textOf(command);
  const words = listOf(args);
  return words.every((word) => typeof word === "string") ? [program, ...words].join(" ") : undefined;
}

function errorOf(isSuccess: boolean, told: unknown, text: string): boolean | undefined {
  if (isSuccess) return false;
  const code = EXITED.exec(textOf(told)?.slice(0, 200) ?? "")?.[1];
  return code === undefined ? true : exitError(Number(code), text.replace(EXIT_LINE, ""));
}
