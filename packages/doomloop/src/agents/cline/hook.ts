import { type ForeignRecord, listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { exitError } from "../../transcripts/shell-report.ts";
import { contentId, type Dialect, type HookInput, type HookMoment } from "../hook/dialect.ts";

const MAX_COMMANDS = 100;

const EXITED = /\bexited with code (-?\d{1,9})/;

/** What Cline puts before the output of a command that failed. */
const EXIT_LINE = /^\[Command exited with code -?\d{1,9}\]\n?/;

/** Hooks of Cline, which are files named after their event. A call cannot be refused there, only the run ended. */
export const clineHook: Dialect = {
  abilities: { nudge: "result", block: false, stop: "clean" },
  tellsRounds: false,
  isOf: (input) => textOf(input.hookName) !== undefined && textOf(input.taskId) !== undefined,
  read(input): HookInput | undefined {
    const event = textOf(input.hookName);
    const session = textOf(input.taskId);
    const moment = event && momentOf(event, input);
    if (event === undefined || session === undefined || !moment) return undefined;
    return { event, session, agent: textOf(input.agent_id), folder: textOf(input.cwd), moment, canAsk: false };
  },
  write(answer) {
    if (answer.type === "words") return { contextModification: answer.words };
    if (answer.type === "end" || (answer.type === "refusal" && answer.isEnd))
      return { cancel: true, errorMessage: answer.explanation };
    return undefined;
  },
};

function momentOf(event: string, input: ForeignRecord): HookMoment | undefined {
  const made = recordOf(input.tool_call);
  if (event === "tool_call" && made !== undefined) return { type: "call", call: callOf(made) };
  const result = recordOf(input.tool_result);
  if (event === "tool_result" && result !== undefined) {
    const call = callOf(result);
    if (result.error !== undefined && result.error !== null)
      return { type: "result", call, output: result.error, error: true };
    return { type: "result", call, ...(commandsOutcome(result.output) ?? { output: result.output, error: undefined }) };
  }
  return event === "prompt_submit" ? { type: "user", text: textOf(input.prompt) } : undefined;
}

function callOf({ id, name, input }: ForeignRecord) {
  const tool = textOf(name) ?? "";
  return { id: textOf(id) ?? contentId(tool, input), tool, args: commandsAsScript(input) };
}

/** What Cline's list of commands came back with. */
interface CommandsOutcome {
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
