import { baseName, joinPath } from "../file-names.ts";
import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import type {
  TranscriptEnvironment,
  TranscriptParser,
  TranscriptReader,
  TranscriptSink,
  TranscriptSource,
} from "../reader.ts";
import { createRunEvents, type RunEvents } from "../run-events.ts";
import { exitError } from "../shell-report.ts";
import { takeMessage } from "../take-message.ts";
import { contentText } from "../tool-output.ts";
import { openaiUsage } from "../usage.ts";

const TRAJECTORY = /\.traj(?:\.json)?(?:\.gz)?$/i;
/** The file names its format only at the end, after the conversation. */
const FIRST_KEY = /^\s{0,8}\{\s{0,8}"(?:info|messages)"\s{0,8}:/;

/** Trajectories of mini-swe-agent. */
export const miniSweAgent: TranscriptReader = {
  agent: "mini-swe-agent",
  label: "mini-swe-agent",
  extensions: [".json", ".traj"],
  layout: "any",
  roots: miniSweAgentPaths,
  isMine: (path, head) =>
    head.trimStart().startsWith("{") &&
    (hasKey(head, "trajectory_format", '"mini-swe-agent') ||
      (TRAJECTORY.test(path) && FIRST_KEY.test(head) && !hasKey(head, "trajectory", "["))),
  open: parseMiniSweAgent,
};

/** The agent keeps the latest run of each of its programs beside its settings. Benchmark runs can be anywhere. */
function miniSweAgentPaths(environment: TranscriptEnvironment): readonly string[] {
  const { env } = environment;
  return [env.MSWEA_GLOBAL_CONFIG_DIR || joinPath(environment, ...settingsFolder(environment), "mini-swe-agent")];
}

/**
 * The platform's settings folder. On Windows, it contains a folder of the author, who has the same name as the program.
 */
function settingsFolder({ env, home, platform }: TranscriptEnvironment): readonly string[] {
  if (platform === "darwin") return [home, "Library", "Application Support"];
  if (platform !== "win32") return env.XDG_CONFIG_HOME ? [env.XDG_CONFIG_HOME] : [home, ".config"];
  return [...(env.LOCALAPPDATA ? [env.LOCALAPPDATA] : [home, "AppData", "Local"]), "mini-swe-agent"];
}

/** Reads a trajectory of mini-swe-agent: one document with the conversation. Commands are text or tool calls. */
function parseMiniSweAgent(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  return {
    record(value) {
      const record = recordOf(value);
      if (!Array.isArray(record?.messages)) return false;
      const info = recordOf(record.info) ?? {};
      const config = recordOf(recordOf(info.config)?.model);
      const run = createRunEvents(textOf(record.instance_id) ?? baseName(source.path), sink);
      run.facts({
        outcome: textOf(info.exit_status),
        agentVersion: textOf(info.mini_version),
        model: textOf(config?.model_name),
        total: { costUsd: countOf(recordOf(info.model_stats)?.instance_cost) },
      });
      takeConversation(run, record.messages);
      run.end();
      return true;
    },
    end() {},
  };
}

function takeConversation(run: RunEvents, messages: readonly unknown[]): void {
  /**
   * Commands in the text of an answer that have no outcome yet, oldest first. An outcome does not say which command it
   * belongs to.
   */
  let asked: string[] = [];
  messages.forEach((entry, at) => {
    const message = recordOf(entry);
    if (message === undefined) return;
    const extra = recordOf(message.extra);
    const time = timeOf(extra?.timestamp) ?? timeOf(message.timestamp);
    const isOutcome =
      message.role === "tool" ||
      message.type === "function_call_output" ||
      (message.role === "user" && asked.length > 0 && extra?.interrupt_type === undefined);
    if (isOutcome) {
      const id = textOf(message.tool_call_id) ?? textOf(message.call_id) ?? asked.shift();
      const { output, error } = outcomeIn(contentText(message.content ?? message.output), extra);
      run.result(id, output, { error, at: time });
      run.answered();
      return;
    }
    // If an answer has no command, mini-swe-agent writes a message in the user's name. It is not from a user.
    if (message.role === "user" && extra?.interrupt_type !== undefined) return;
    const isAnswer = message.role === "assistant" || message.object === "response";
    if (!isAnswer) {
      takeMessage(run, message, time);
      return;
    }
    asked = takeAnswer(run, message, at, time);
    takeUsage(run, message.object === "response" ? message : recordOf(extra?.response), extra);
  });
}

/** Takes an answer: a message, or a whole OpenAI response. Returns the ids of commands in its text. */
function takeAnswer(run: RunEvents, message: ForeignRecord, at: number, time: number | undefined): string[] {
  if (message.object === "response") {
    run.round(textOf(message.id));
    for (const item of listOf(message.output)) {
      const part = recordOf(item);
      if (part?.type === "message") run.text(contentText(part.content), time);
      else takeMessage(run, part, time);
    }
    return [];
  }
  takeMessage(run, message, time);
  if (listOf(message.tool_calls).length > 0) return [];
  return commandsIn(message).map((command, place) => {
    const id = `${at}.${place}`;
    run.call(id, "bash", { command }, time);
    return id;
  });
}

/** Newer versions record the commands they ran. In older ones, commands are only in the text. */
function commandsIn(message: ForeignRecord): readonly string[] {
  const recorded = listOf(recordOf(message.extra)?.actions).map((action) => textOf(recordOf(action)?.command));
  const known = recorded.filter((command) => command !== undefined);
  const inWords = commandIn(contentText(message.content));
  return known.length > 0 || inWords === undefined ? known : [inWords];
}

function takeUsage(run: RunEvents, response: ForeignRecord | undefined, extra: ForeignRecord | undefined): void {
  const usage = recordOf(response?.usage);
  const cost = extra?.cost;
  if (usage === undefined) return;
  run.usage({
    ...openaiUsage(usage),
    id: textOf(response?.id),
    model: textOf(response?.model),
    costUsd: typeof cost === "number" && cost >= 0 ? cost : undefined,
  });
}

const FENCES = ["```mswea_bash_command\n", "```bash\n"];

/** The command in the text of an answer: the content of the first code block that is marked as one. */
function commandIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  for (const fence of FENCES) {
    const at = text.indexOf(fence);
    if (at < 0) continue;
    const from = at + fence.length;
    const to = text.indexOf("\n```", from);
    return (to < 0 ? text.slice(from) : text.slice(from, to)).trim();
  }
  return undefined;
}

interface Outcome {
  readonly output: string;
  readonly error: boolean | undefined;
}

const RETURN_CODE = /^<returncode>(-?\d{1,9})<\/returncode>\s{0,4}(?:<output>)?/;
const END = "</output>";

/** The outcome of a command: from the recorded fields, or from the text that the model got. */
function outcomeIn(text: string | undefined, extra: ForeignRecord | undefined): Outcome {
  const fault = extra?.exception_info;
  const isFailed = typeof fault === "string" && fault !== "" ? true : undefined;
  const raw = extra?.raw_output;
  if (typeof raw === "string") {
    const output = raw === "" && isFailed ? `${fault}` : raw;
    return { output, error: isFailed ?? exitError(extra?.returncode, output) };
  }
  const told = text ?? "";
  const match = RETURN_CODE.exec(told);
  if (match === null) return { output: told, error: isFailed ?? exitError(extra?.returncode, told) };
  const end = told.lastIndexOf(END);
  const output = told.slice(match[0].length, end < match[0].length ? told.length : end);
  return { output, error: isFailed ?? exitError(Number(match[1]), output) };
}
