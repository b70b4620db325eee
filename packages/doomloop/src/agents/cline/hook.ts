import { type ForeignRecord, listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { exitError } from "../../transcripts/shell-report.ts";
import { contentId, type Dialect, type HookMoment } from "../hook/dialect.ts";

const MAX_COMMANDS = 100;

const EXITED = /\bexited with code (-?\d{1,9})/;

/** What Cline adds before the output of a failed command. */
const EXIT_LINE = /^\[Command exited with code -?\d{1,9}\]\n?/;

/** How Cline begins what it says to a model that answered without a call, if the run ends only with a call. */
const REMINDERS = ["[SYSTEM] This run is not complete until", "[SYSTEM] You still have team obligations."];

/**
 * The hooks of Cline. They cannot refuse a call, only end the run, and are not told whether somebody watches (3.0). Cline waits for a hook
 * only before and after a call, so nothing can be answered between two turns.
 */
export const clineHook: Dialect = {
  abilities: { nudge: "result", block: false, stop: "clean" },
  tellsRounds: false,
  isOf: (input) => textOf(input.hookName) !== undefined && textOf(input.taskId) !== undefined,
  read(input) {
    const event = textOf(input.hookName);
    const session = textOf(input.taskId);
    if (event === undefined || session === undefined) return undefined;
    const moment = momentOf(event, input);
    // The main agent has an id, too, but no parent.
    const agent = textOf(input.parent_agent_id) && textOf(input.agent_id);
    return moment && { event, session, agent, folder: folderOf(input), moment, canAsk: false };
  },
  write(answer) {
    if (answer.type === "words") return { contextModification: answer.words };
    if (answer.type === "end" || (answer.type === "refusal" && answer.isEnd))
      return { cancel: true, errorMessage: answer.explanation };
    return undefined;
  },
};

/** The command line tool sends a list with one folder, or with none. */
function folderOf({ cwd, workspaceRoots }: ForeignRecord): string | undefined {
  return textOf(cwd) ?? textOf(listOf(workspaceRoots)[0]);
}

function momentOf(event: string, input: ForeignRecord): HookMoment | null | undefined {
  const made = recordOf(input.tool_call);
  if (event === "tool_call" && made !== undefined) return { type: "call", call: callOf(made) };
  const result = recordOf(input.tool_result);
  if (event === "tool_result" && result !== undefined) {
    const call = callOf(result);
    if (result.error !== undefined && result.error !== null)
      return { type: "result", call, output: result.error, error: true };
    return { type: "result", call, ...(commandsOutcome(result.output) ?? { output: result.output, error: undefined }) };
  }
  // A message starts the main agent, and has no other event.
  if (event === "agent_start")
    return textOf(input.parent_agent_id) === undefined ? { type: "user", text: undefined } : null;
  return event === "prompt_submit" ? promptOf(textOf(recordOf(input.userPromptSubmit)?.prompt)) : undefined;
}

/** A prompt of the user, sent while the run goes on, or a reminder. No event has the words that led to the reminder. */
function promptOf(text: string | undefined): HookMoment {
  const isReminder = REMINDERS.some((begin) => text?.startsWith(begin));
  return isReminder ? { type: "turn", text: "" } : { type: "user", text };
}

function callOf({ id, name, input }: ForeignRecord) {
  const tool = textOf(name) ?? "";
  return { id: textOf(id) ?? contentId(tool, input), tool, args: commandsAsScript(input) };
}

/** The outcome of a list of commands. */
interface CommandsOutcome {
  readonly output: unknown;
  readonly error: boolean | undefined;
}

/**
 * The arguments of a call, in which a list of commands becomes a script. Other agents' shells get scripts, and the guard can read them.
 * Arguments without commands stay as they are.
 */
export function commandsAsScript(input: unknown): unknown {
  const { commands, ...others } = recordOf(input) ?? {};
  const lines = Array.isArray(commands) ? commands.map(lineOf) : [textOf(commands)];
  if (lines.length === 0 || lines.length > MAX_COMMANDS || lines.includes(undefined)) return input;
  return { ...others, command: lines.join("\n") };
}

/** The output of a list of commands, and whether it failed. Unknown if some commands failed and others did not. */
export function commandsOutcome(output: unknown): CommandsOutcome | undefined {
  const results = listOf(output).map(recordOf);
  const texts = results.map((result) => result?.result);
  if (results.length === 0 || !texts.every((text) => typeof text === "string")) return undefined;
  if (!results.every((result) => typeof result?.success === "boolean")) return undefined;
  const errors = new Set(results.map((result, at) => errorOf(result?.success === true, result?.error, texts[at]!)));
  const [error] = errors;
  return { output: texts.join("\n"), error: errors.size === 1 ? error : undefined };
}

/** A command is a line, or a program with its arguments. */
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
